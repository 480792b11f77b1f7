//! The durable stores, tested from outside: one file per feature.

mod bank;
mod claims;
mod contract;
mod copies;
mod duplicates;
mod files;
mod foreign;
mod handles;
mod ledger;
mod sale;
mod upgrades;

// The file layers need what only Unix files can do.
#[cfg(unix)]
mod faults;
#[cfg(unix)]
#[path = "../../examples/power_loss/layer.rs"]
mod layer;
#[cfg(unix)]
mod power_loss;
