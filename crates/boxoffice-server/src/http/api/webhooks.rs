//! `POST /webhooks/{gateway}`: the providers' signed news. Success means durably handled.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use boxoffice::gateway::{BadWebhook, Webhook};
use boxoffice::service::WebhookError;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::http::extract::{PathId, read_body};
use crate::http::problem::Problem;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(receive))
}

/// Room for any provider's event.
const BODY_MAX_BYTES: usize = 1024 * 1024;

/// Takes a payment provider's signed news
///
/// Success means that it is durably handled, now or before. The form and the signature are the provider's. Up to 1 MiB.
#[utoipa::path(
    post,
    path = "/webhooks/{gateway}",
    operation_id = "receive_webhook",
    tag = "machines",
    params(("gateway" = String, Path, description = "The gateway's name.", example = "sandbox")),
    request_body(content = String, content_type = "application/octet-stream", description = "As the provider signed it."),
    responses((status = 204, description = "It is handled.")),
)]
async fn receive(State(state): State<AppState>, gateway: PathId, request: Request) -> Result<StatusCode, Problem> {
    let readable = request.headers().iter().filter_map(|(name, value)| {
        let value = value.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    });
    let headers: Vec<(String, String)> = readable.collect();
    let body = read_body(&state, request, BODY_MAX_BYTES).await?;
    let webhook = Webhook { headers: &headers, body: &body, now: state.store().now() };
    state.office.webhook(&gateway.0, &webhook).await.inspect_err(|error| alarm(&gateway.0, error))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Nobody but the provider can sign an event: one of another time is an old one that somebody sends
/// again, or one of the two clocks is wrong, and then no payment's news comes in.
fn alarm(gateway: &str, error: &WebhookError) {
    if let WebhookError::Bad(BadWebhook::Stale { off_s, tolerance_s }) = error {
        tracing::error!(
            alarm = true,
            gateway,
            off_s,
            tolerance_s,
            "a payment event was refused because of its time: compare this server's clock with the right one"
        );
    }
}
