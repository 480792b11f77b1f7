//! What the crate promises to whoever uses it, one file per feature.

mod duplicates;
mod jobs;
mod parsers;
mod post;
mod simulation;
mod store_contract;
