//! The server from outside: real sockets, real requests, both stores. One file per feature; what
//! a test needs to start a cinema and talk to it is in `cinema`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by a panic")]
#![expect(unreachable_pub, reason = "a test binary exports nothing; `pub` marks what its files share")]

mod backups;
mod cases;
mod chain;
mod chromium;
mod cinema;
mod clock_set_back;
mod command_line;
mod connections;
mod counter;
mod crowd;
mod deleting;
mod desk;
mod door;
mod door_list;
mod exchange;
mod faults;
mod giving_back;
mod hostile;
mod idempotency;
mod keys;
mod lists;
mod log;
mod mail;
mod manners;
mod many_bookings;
mod metrics;
mod money;
mod no_gateway;
mod openapi;
mod operating;
mod pages;
mod parsers;
mod payments;
mod phone;
mod prices;
mod privacy;
mod program;
mod promo;
mod queue;
mod readme;
mod reports;
mod restarts;
mod rubbish;
mod same_chairs;
mod seat_maps;
mod shows;
mod smtp;
mod staff;
mod stopping;
mod story;
mod tickets;
