//! The scanner's page: first the door is chosen, then ticket after ticket is shown. It works as a
//! plain form; a script makes it quicker, and lets it work without a network.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::Cookie;
use boxoffice::catalogue::Catalogue;
use boxoffice::id::ScreenId;
use boxoffice::show::{Screen, Show, Zone, business_day};
use boxoffice::store::ShowFilter;
use serde::Deserialize;

use super::result::{self, ResultView};
use super::{Staff, with_cookie};
use crate::app::AppState;
use crate::auth::StaffKey;
use crate::door::{self, Ask, batch, bundle, list};
use crate::form::Fields;
use crate::http::Problem;
use crate::http::api::admissions::BATCH_MAX_BYTES;
use crate::http::extract::{Params, Sent, Whole, read_body};
use crate::http::{files, json};
use crate::pages::shell::{self, Shell};
use crate::pages::{assets, once, text};

pub fn router() -> Router<AppState> {
    Router::new()
        .route("/staff/door", get(read).post(scan))
        .route("/staff/door/choose", get(choose).post(chosen))
        .route("/staff/door/admit", post(admit))
        .route("/staff/door/batch", post(take_in))
        .route("/staff/door/bundle", get(make_bundle))
        .route("/staff/door/list", get(print))
        .route("/staff/door/worker.js", get(worker))
}

/// The cookie that remembers the door: the screen's id and the gate's name, as a query.
const DOOR: &str = "bo_door";
const DOOR_MAX_AGE_S: i64 = 400 * 24 * 60 * 60;

#[derive(Template)]
#[template(path = "staff/choose.html")]
struct Choose {
    shell: Shell,
    css: String,
    theatres: Vec<TheatreView>,
    gate: String,
}

struct TheatreView {
    name: String,
    /// Id, name, and whether it is the one chosen before.
    screens: Vec<(String, String, bool)>,
}

#[derive(Template)]
#[template(path = "staff/door.html")]
struct Page {
    shell: Shell,
    css: String,
    script: String,
    screen: String,
    screen_name: String,
    theatre: String,
    gate: String,
    shows: Vec<ShowOfDay>,
    nonce: String,
    result: Option<ResultView>,
}

/// A show of the business day here.
struct ShowOfDay {
    clock: String,
    title: String,
    /// Where its list is printed from.
    list: String,
}

/// A door that was chosen.
struct Chosen {
    screen: ScreenId,
    gate: String,
}

/// What the browser remembers, or the key is bound to.
fn remembered(key: &StaffKey, headers: &HeaderMap) -> (Option<ScreenId>, String) {
    let jar = CookieJar::from_headers(headers);
    let value = jar.get(DOOR).map(Cookie::value).unwrap_or_default().to_owned();
    let fields = Fields::read(&value.into());
    let screen = fields.one("screen").and_then(|id| ScreenId::new(id).ok());
    let gate = fields.one("gate").unwrap_or_default().to_owned();
    (key.screen.clone().or(screen), gate)
}

/// The screens that this key may stand at.
fn screens<'a>(key: &'a StaffKey, catalogue: &'a Catalogue) -> impl Iterator<Item = &'a Screen> {
    let may = |screen: &&Screen| {
        key.screen.as_ref().is_none_or(|own| *own == screen.id)
            && key.theatre.as_ref().is_none_or(|own| *own == screen.theatre)
    };
    catalogue.screens.values().map(|screen| &**screen).filter(may)
}

async fn read(State(state): State<AppState>, Staff(key): Staff, headers: HeaderMap) -> Result<Response, Problem> {
    let catalogue = state.store().catalogue().await?;
    let (screen, gate) = remembered(&key, &headers);
    let known = screen.filter(|id| screens(&key, &catalogue).any(|screen| screen.id == *id));
    match known {
        Some(screen) => page(&state, &catalogue, Chosen { screen, gate }, None).await,
        None => Ok(shell::private(Redirect::to("/staff/door/choose").into_response())),
    }
}

async fn choose(State(state): State<AppState>, Staff(key): Staff, headers: HeaderMap) -> Result<Response, Problem> {
    let catalogue = state.store().catalogue().await?;
    let (before, gate) = remembered(&key, &headers);
    let mut theatres: Vec<(ScreenId, TheatreView)> = Vec::new();
    for screen in screens(&key, &catalogue) {
        let item = (screen.id.to_string(), screen.name.english().to_owned(), before.as_ref() == Some(&screen.id));
        match theatres.iter_mut().find(|(id, _)| *id == screen.theatre) {
            Some((_, theatre)) => theatre.screens.push(item),
            None => {
                let name = catalogue.theatres.get(&screen.theatre).map(|theatre| theatre.name.english().to_owned());
                let view = TheatreView { name: name.unwrap_or_default(), screens: vec![item] };
                theatres.push((screen.theatre.clone(), view));
            }
        }
    }
    let theatres = theatres.into_iter().map(|(_, view)| view).collect();
    shell::page(&Choose { shell: Shell::new(&state), css: assets::door_css_path(), theatres, gate }).map(shell::private)
}

async fn chosen(State(state): State<AppState>, Staff(_): Staff, Whole(body): Whole) -> Response {
    let fields = Fields::read(&body);
    let pairs = ["screen", "gate"].map(|name| (name, fields.one(name).unwrap_or_default()));
    let door = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    let response = shell::private(Redirect::to("/staff/door").into_response());
    with_cookie(&state, DOOR, &door, DOOR_MAX_AGE_S, response)
}

async fn page(
    state: &AppState,
    catalogue: &Catalogue,
    chosen: Chosen,
    result: Option<ResultView>,
) -> Result<Response, Problem> {
    let missing = || Problem::not_found("screen");
    let screen = catalogue.screens.get(&chosen.screen).ok_or_else(missing)?;
    let theatre = catalogue.theatres.get(&screen.theatre).ok_or_else(missing)?;
    let business_day = Some(business_day(theatre, state.store().now()));
    let filter = ShowFilter { screen: Some(screen.id.clone()), business_day, ..ShowFilter::default() };
    let shows = state.store().shows(filter).await?.into_iter().map(|row| of_day(&row.show));
    let page = Page {
        shell: Shell::new(state),
        css: assets::door_css_path(),
        script: assets::door_script_path(),
        screen: screen.id.to_string(),
        screen_name: screen.name.english().to_owned(),
        theatre: theatre.name.english().to_owned(),
        gate: chosen.gate,
        shows: shows.collect(),
        nonce: once::fresh(&*state.entropy),
        result,
    };
    let mut response = shell::private(shell::page(&page)?);
    // The only page that may look through the camera.
    let name = HeaderName::from_static("permissions-policy");
    response.headers_mut().insert(name, HeaderValue::from_static("camera=(self)"));
    Ok(response)
}

fn of_day(show: &Show) -> ShowOfDay {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("show", show.id().as_str()).finish();
    ShowOfDay {
        clock: text::clock(&show.local_start()),
        title: show.movie.title.english().to_owned(),
        list: format!("/staff/door/list?{query}"),
    }
}

/// A scan by the plain form. Sent again, it is the same scan and gets the same answer.
async fn scan(
    State(state): State<AppState>,
    Staff(key): Staff,
    headers: HeaderMap,
    Whole(body): Whole,
) -> Result<Response, Problem> {
    let fields = Fields::read(&body);
    let text = |name: &str| fields.one(name).map(str::to_owned);
    let catalogue = state.store().catalogue().await?;
    let (before, gate) = remembered(&key, &headers);
    let named = text("screen").and_then(|id| ScreenId::new(&id).ok()).filter(|id| catalogue.screens.contains_key(id));
    let Some(screen) = named.or(before) else {
        return Ok(shell::private(Redirect::to("/staff/door/choose").into_response()));
    };
    let ask = Ask {
        code: text("code").unwrap_or_default(),
        screen: Some(screen.to_string()),
        show: None,
        gate: text("gate"),
        nonce: text("nonce"),
    };
    let gate = ask.gate.clone().unwrap_or(gate);
    let result = judge(&state, &key, ask).await?;
    page(&state, &catalogue, Chosen { screen, gate }, Some(result)).await
}

/// A scan by the page's script.
async fn admit(State(state): State<AppState>, Staff(key): Staff, sent: Sent<Ask>) -> Result<Json<ResultView>, Problem> {
    Ok(Json(judge(&state, &key, sent.body).await?))
}

/// How a scan comes out, "no" included. What is no answer about the ticket stays a problem.
async fn judge(state: &AppState, key: &StaffKey, ask: Ask) -> Result<ResultView, Problem> {
    let code = ask.code.clone();
    let screen = ask.screen.clone();
    match door::admit(state, key, ask, None).await {
        Ok((admitted, _)) => Ok(result::admitted(&admitted)),
        Err(Problem::Refused(refusal)) => {
            let seat = state.tickets.verify(&code).ok().map(|claims| claims.seat);
            let zone = zone_of(state, screen.as_deref()).await?;
            result::refused(&refusal, seat, &zone).ok_or(Problem::Refused(refusal))
        }
        Err(other) => Err(other),
    }
}

async fn zone_of(state: &AppState, screen: Option<&str>) -> Result<Zone, Problem> {
    let catalogue = state.store().catalogue().await?;
    let screen = screen.and_then(|id| ScreenId::new(id).ok()).and_then(|id| catalogue.screens.get(&id).cloned());
    let theatre = screen.and_then(|screen| catalogue.theatres.get(&screen.theatre).cloned());
    theatre.map(|theatre| theatre.timezone.clone()).ok_or_else(|| Problem::not_found("screen"))
}

async fn take_in(
    State(state): State<AppState>,
    Staff(key): Staff,
    request: Request,
) -> Result<Json<batch::BatchView>, Problem> {
    let body = read_body(&state, request, BATCH_MAX_BYTES).await?;
    Ok(Json(batch::take_in(&state, &key, json::read(&body)?).await?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BundleParams {
    screen: String,
}

async fn make_bundle(
    State(state): State<AppState>,
    Staff(key): Staff,
    Params(params): Params<BundleParams>,
) -> Result<Json<bundle::Bundle>, Problem> {
    Ok(Json(bundle::make(&state, &key, Some(&params.screen), None).await?))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListParams {
    show: String,
}

async fn print(
    State(state): State<AppState>,
    Staff(key): Staff,
    Params(params): Params<ListParams>,
) -> Result<Response, Problem> {
    let show = list::show(&state, &key, &params.show).await?;
    files::door_list_pdf(&state, &show).await
}

/// The script that opens the page when there is no network. It stands outside the folder of the
/// scripts, because it may serve only pages that begin with its own address.
async fn worker() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("service-worker-allowed"), "/staff/door"),
    ];
    (headers, assets::DOOR_WORKER).into_response()
}
