//! The laboratory: shows the classic seat races, counts them, and shows what stops them.
//!
//! The unsafe twins of the real strategies live here and nowhere else. They race soundly, on
//! atomics, so that what they get wrong is the selling and never the memory.

pub mod cli;
