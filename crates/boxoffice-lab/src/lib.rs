//! The laboratory: shows the classic seat races, counts them, and shows what stops them.
//!
//! The unsafe twins of the real strategies live here and nowhere else. They race soundly, on
//! atomics, so that what they get wrong is the selling and never the memory.

mod cinema;
pub mod cli;
pub mod demo;
pub mod race;
pub mod strategy;
