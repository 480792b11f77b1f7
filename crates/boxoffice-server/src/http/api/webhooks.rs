//! `POST /webhooks/{gateway}`: the providers' signed news. Success means durably handled.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::routing::post;
use boxoffice::gateway::Webhook;

use crate::app::AppState;
use crate::http::extract::{PathId, read_body};
use crate::http::problem::Problem;

pub fn router() -> Router<AppState> {
    Router::new().route("/webhooks/{gateway}", post(receive))
}

/// Room for any provider's event.
const BODY_MAX_BYTES: usize = 1024 * 1024;

async fn receive(State(state): State<AppState>, gateway: PathId, request: Request) -> Result<StatusCode, Problem> {
    let readable = request.headers().iter().filter_map(|(name, value)| {
        let value = value.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    });
    let headers: Vec<(String, String)> = readable.collect();
    let body = read_body(&state, request, BODY_MAX_BYTES).await?;
    let webhook = Webhook { headers: &headers, body: &body, now: state.store().now() };
    state.office.webhook(&gateway.0, &webhook).await?;
    Ok(StatusCode::NO_CONTENT)
}
