//! The durable stores, tested from outside: one file per feature.

mod files;
