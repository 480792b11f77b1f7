//! Boxoffice sells every cinema seat exactly once.
//!
//! This crate holds the selling rules and nothing that does I/O: one pure function, [`decide`],
//! says what a command changes; a [`Store`](store::Store) applies it atomically; the
//! [`service`] leads a booking from the hold to the ticket or the refund.

pub mod action;
pub mod admission;
pub mod audit;
pub mod booking;
pub mod catalogue;
pub mod claim;
pub mod clock;
pub mod command;
pub mod counter;
pub mod courier;
pub mod decide;
pub mod event;
pub mod gateway;
pub mod id;
pub mod jobs;
pub mod layout;
pub mod ledger;
pub mod memory;
pub mod money;
pub mod postman;
pub mod prices;
pub mod pricing;
pub mod promo;
pub mod refusal;
pub mod report;
pub mod sales;
pub mod seating;
pub mod service;
pub mod show;
pub mod store;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
pub mod time;
mod turns;
