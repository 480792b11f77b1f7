//! `/healthz`: the process answers. `/readyz`: its store does too.

use axum::Router;
use axum::extract::State;
use axum::routing::get;

use super::Problem;
use crate::app::AppState;

pub fn router() -> Router<AppState> {
    Router::new().route("/healthz", get(async || "ok\n")).route("/readyz", get(ready))
}

async fn ready(State(state): State<AppState>) -> Result<&'static str, Problem> {
    state.store().due(1).await?;
    Ok("ready\n")
}
