//! The program a cinema sells its seats with: HTTP API, pages, jobs and command line. A library
//! as well, so that tests start the very server that `boxoffice serve` runs.

pub mod app;
pub mod auth;
pub mod cli;
pub mod commands;
pub mod config;
pub mod demo;
pub mod door;
pub mod entropy;
pub mod form;
pub mod gateways;
pub mod http;
pub mod import;
pub mod logging;
pub mod mail;
pub mod metrics;
pub mod pages;
pub mod pdf;
pub mod post;
pub mod privacy;
pub mod report;
pub mod secrets;
pub mod serve;
pub mod stores;
pub mod tickets;
pub mod work;
