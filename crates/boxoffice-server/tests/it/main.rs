//! The server as its users meet it, over HTTP.

mod pages;
