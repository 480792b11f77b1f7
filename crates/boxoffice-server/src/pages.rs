//! The pages that people see, whole without JavaScript.

use axum::Router;
use axum::response::{IntoResponse as _, Response};
use tower_http::csrf::{CsrfLayer, ProtectionError};

use crate::app::AppState;
use crate::http::Problem;

pub mod assets;
pub mod booking;
pub mod cancelling;
pub mod changes;
pub mod checkout;
pub mod docs;
pub mod exchange;
pub mod front;
pub mod link;
pub mod movie;
pub mod once;
pub mod poster;
pub mod problem;
pub mod programme;
pub mod promo;
pub mod returning;
pub mod seat_plan;
pub mod shell;
pub mod show;
pub mod staff;
pub mod text;
pub mod tickets;
pub mod visitor;

/// All pages. Forms are taken only from our own pages: a browser says where a form came from.
pub fn router() -> Router<AppState> {
    let foreign = |_: ProtectionError| -> Response { Problem::ForeignForm.into_response() };
    Router::new()
        .merge(assets::router())
        .merge(docs::router())
        .merge(front::router())
        .merge(movie::router())
        .merge(show::router())
        .merge(booking::router())
        .merge(checkout::router())
        .merge(promo::router())
        .merge(cancelling::router())
        .merge(exchange::router())
        .merge(changes::router())
        .merge(tickets::router())
        .merge(returning::router())
        .merge(staff::router())
        .layer(CsrfLayer::new().with_rejection_response(foreign))
}
