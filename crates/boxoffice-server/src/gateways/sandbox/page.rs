//! The sandbox's payment page, and the form by which a buyer, or a test, says what happens.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use boxoffice::command::PaymentNews;
use boxoffice::money::Money;
use boxoffice::time::Span;

use super::Sandbox;
use super::event::Sending;
use super::payment::{Press, PressOutcome, SandboxPayment};
use crate::app::AppState;
use crate::form::Fields;
use crate::http::Problem;
use crate::http::extract::{PathId, Whole};
use crate::pages::{shell, text};

/// Bounds of the switches, so that a test's slip does not become a flood.
const DELAY_MAX_MS: i64 = 600_000;
const REPEAT_MAX: u32 = 100;

pub fn router() -> Router<AppState> {
    Router::new().route("/sandbox/pay/{payment}", get(show).post(press))
}

#[derive(Template)]
#[template(path = "sandbox.html")]
struct Page {
    shell: shell::Shell,
    amount: String,
    description: String,
    return_url: String,
    stage: Stage,
    may_pay: bool,
    time_left: String,
    ends_at: String,
}

/// What the page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Open,
    Declined,
    Ended,
    Paid,
}

async fn show(State(state): State<AppState>, PathId(id): PathId) -> Result<Response, Problem> {
    let (sandbox, payment) = find(&state, &id).await?;
    let now = sandbox.records.now();
    let stage = match payment.news(now) {
        PaymentNews::Pending | PaymentNews::Silent => Stage::Open,
        PaymentNews::Declined => Stage::Declined,
        PaymentNews::Ended => Stage::Ended,
        PaymentNews::Captured(_) | PaymentNews::Dispute(_) => Stage::Paid,
    };
    let page = Page {
        shell: shell::Shell::new(&state),
        amount: text::money(payment.amount),
        description: payment.description,
        return_url: payment.return_url.clone(),
        stage,
        may_pay: matches!(stage, Stage::Open | Stage::Declined),
        time_left: text::time_left(now, payment.ends_at),
        ends_at: payment.ends_at.to_jiff().strftime("%H:%M UTC").to_string(),
    };
    let mut response = shell::private(shell::page(&page)?);
    if let Some(policy) = policy(&payment.return_url) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

/// What the page may do: as any of ours, but its form may lead on to the seller, whose site may
/// be another one.
fn policy(return_url: &str) -> Option<HeaderValue> {
    let uri: Uri = return_url.parse().ok()?;
    let seller = format!("{}://{}", uri.scheme_str()?, uri.authority()?);
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' {seller}; base-uri 'none'; \
         frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).ok()
}

async fn press(State(state): State<AppState>, PathId(id): PathId, Whole(body): Whole) -> Result<Response, Problem> {
    let (sandbox, payment) = find(&state, &id).await?;
    let (press, sending) = read(&Fields::read(&body), &payment)?;
    let pressed = sandbox.records.update(&id, |payment, now| payment.press(&press, now)).await?;
    if let Some((payment, events)) = pressed {
        sandbox.announce(&payment, events, sending);
    }
    let place = HeaderValue::from_str(&payment.return_url)
        .map_err(|_| Problem::invalid("/return_url", "The return address is not an address."))?;
    Ok(shell::private((StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response()))
}

async fn find<'a>(state: &'a AppState, id: &str) -> Result<(&'a std::sync::Arc<Sandbox>, SandboxPayment), Problem> {
    let sandbox = state.gateways.sandbox().ok_or(Problem::NoSuchAddress)?;
    let payment = sandbox.records.payment(id).await?.ok_or_else(|| Problem::not_found("payment"))?;
    Ok((sandbox, payment))
}

fn read(fields: &Fields, payment: &SandboxPayment) -> Result<(Press, Sending), Problem> {
    let outcome = match fields.one("outcome") {
        Some("success") => PressOutcome::Success,
        Some("decline") => PressOutcome::Decline,
        Some(_) | None => return Err(Problem::invalid("/outcome", "Say `success` or `decline`.")),
    };
    let delay_ms: i64 = number(fields, "delay_ms")?.unwrap_or(0);
    let repeat: u32 = number(fields, "repeat")?.unwrap_or(1);
    let amount: Option<i64> = number(fields, "amount")?;
    if !(0..=DELAY_MAX_MS).contains(&delay_ms) || !(1..=REPEAT_MAX).contains(&repeat) {
        let detail = format!("`delay_ms` goes up to {DELAY_MAX_MS}, `repeat` from 1 to {REPEAT_MAX}.");
        return Err(Problem::invalid("", detail));
    }
    if amount.is_some_and(|minor| minor <= 0) {
        return Err(Problem::invalid("/amount", "`amount` is what is taken, in minor units: 1 or more."));
    }
    let drop = fields.one("drop").is_some_and(|value| value != "0");
    let delay = Span::from_ms(delay_ms);
    let amount = amount.map(|minor| Money::from_minor(minor, payment.amount.currency()));
    let sending = if drop { Sending::Never } else { Sending::Switched { delay, repeat } };
    Ok((Press { outcome, delay, drop, amount }, sending))
}

fn number<T: std::str::FromStr>(fields: &Fields, name: &'static str) -> Result<Option<T>, Problem> {
    let wrong = |_| Problem::invalid(format!("/{name}"), "Write a whole number.");
    fields.one(name).map(|text| text.parse().map_err(wrong)).transpose()
}
