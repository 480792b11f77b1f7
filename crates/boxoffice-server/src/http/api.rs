//! The API under `/api/v1`: one file per noun, requests and answers as plain structs.

use axum::Router;

use crate::app::AppState;

pub mod admin;
pub mod blocks;
pub mod booking_view;
pub mod bookings;
pub mod cities;
pub mod customer;
pub mod movies;
pub mod notices;
pub mod payments;
pub mod seats;
pub mod shows;
pub mod theatres;
pub mod tickets;
pub mod webhooks;

pub fn router() -> Router<AppState> {
    let nouns = Router::new()
        .merge(cities::router())
        .merge(theatres::router())
        .merge(movies::router())
        .merge(shows::router())
        .merge(seats::router())
        .merge(bookings::router())
        .merge(payments::router())
        .merge(tickets::router())
        .merge(webhooks::router())
        .merge(admin::router())
        .merge(blocks::router())
        .merge(notices::router());
    Router::new().nest("/api/v1", nouns)
}
