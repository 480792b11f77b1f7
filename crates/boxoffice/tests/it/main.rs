//! What the crate promises to whoever uses it, one file per feature.

mod jobs;
mod post;
mod store_contract;
