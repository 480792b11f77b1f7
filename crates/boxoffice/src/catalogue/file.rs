//! Reads catalogue files. (Filled in next.)
