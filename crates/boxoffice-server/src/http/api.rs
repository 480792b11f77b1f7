//! The API under `/api/v1`: one file per noun, requests and answers as plain structs.

use axum::middleware::from_fn;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::{compression, conditional};

pub mod admin;
pub mod admin_bookings;
pub mod admissions;
mod asked_date;
pub mod blocks;
pub mod booking_view;
pub mod bookings;
pub mod cancel;
pub mod cities;
pub mod customer;
pub mod door_list;
pub mod erasures;
pub mod exchange;
pub mod movies;
pub mod notices;
pub mod payments;
pub mod refunds;
pub mod reissue;
pub mod reports;
pub mod sales;
pub mod seats;
pub mod show_cancellation;
pub mod shows;
pub mod staff_log;
pub mod theatres;
pub mod tickets;
pub mod webhooks;

pub fn router() -> OpenApiRouter<AppState> {
    let nouns = OpenApiRouter::new()
        .merge(cities::router())
        .merge(theatres::router())
        .merge(movies::router())
        .merge(shows::router())
        .merge(bookings::router())
        .merge(cancel::router())
        .merge(exchange::router())
        .merge(refunds::router())
        .merge(admin_bookings::router())
        .merge(show_cancellation::router())
        .merge(payments::router())
        .merge(tickets::router())
        .merge(reissue::router())
        .merge(webhooks::router())
        .merge(admissions::router())
        .merge(admin::router())
        .merge(reports::router())
        .merge(blocks::router())
        .merge(notices::router())
        .merge(erasures::router())
        .merge(staff_log::router())
        .merge(sales::router())
        .merge(door_list::router())
        .layer(from_fn(conditional::tag))
        .layer(compression::layer());
    // Seat maps are prepared with tags and codings of their own, and asked for most: each nesting costs them a copy of
    // the request's address.
    OpenApiRouter::new().nest("/api/v1", nouns).merge(seats::router())
}
