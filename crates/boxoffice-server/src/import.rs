//! Imports catalogue files into a store.
