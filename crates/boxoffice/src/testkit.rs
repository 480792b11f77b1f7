//! (Filled in next.)
