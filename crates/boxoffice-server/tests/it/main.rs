//! The server as its users meet it, over HTTP.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by a panic")]

mod pages;
