//! The durable stores, tested from outside: one file per feature.

mod contract;
mod files;
#[cfg(unix)]
mod power_loss;
