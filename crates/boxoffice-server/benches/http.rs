//! HTTP beside the same framework answering from memory: durable holds, and the seat map. Both
//! sides in turn in one run, medians of the pairs, only successes counted. The load comes from
//! this process, so the client's work is in both figures.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::routing::{get, post};
use boxoffice::catalogue::Catalogue;
use boxoffice::catalogue::file::{SourceFile, read};
use boxoffice::clock::SystemClock;
use boxoffice::store::{ClockChange, Store};
use boxoffice_server::app::Patience;
use boxoffice_server::serve::{Server, Settings};
use boxoffice_store::SqliteStore;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::{TcpListener, TcpStream};

const CALLERS: usize = 64;
const PAIRS: usize = 5;
const WINDOW: Duration = Duration::from_secs(2);
const SHOWS: usize = 400;
const ROWS: usize = 20;
const SEATS_IN_ROW: usize = 12;
/// Longer than a hold: what one window took is free in the next.
const LAPSE_MS: i64 = 2 * 60 * 60 * 1_000;

/// What one window did.
#[derive(Debug, Clone, Copy)]
struct Window {
    successes: usize,
    refused: usize,
    per_second: f64,
}

/// The body of a hold, read by the twin as the server reads it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HoldBody {
    #[serde(rename = "show")]
    _show: String,
    #[serde(rename = "seats")]
    _seats: Vec<String>,
}

fn catalogue_text() -> String {
    let rows: Vec<String> = (0..ROWS).map(|row| format!("\"R{row}- {}\"", "S".repeat(SEATS_IN_ROW))).collect();
    let mut text = format!(
        "[[theatres]]\nid=\"t\"\nname=\"Bench\"\ncity=\"Berlin\"\ncountry=\"DE\"\ntimezone=\"Europe/Berlin\"\ncurrency=\"EUR\"\n\
         [[layouts]]\nid=\"hall\"\ncategories={{S=\"Standard\"}}\nrows=[{}]\n\
         [[movies]]\nid=\"m\"\ntitle=\"Film\"\nlanguage=\"en\"\nruntime_min=90\n\
         [[taxes]]\nid=\"tax\"\npercent=\"7\"\n\
         [[fees]]\nid=\"fee\"\nname=\"Booking fee\"\nper=\"ticket\"\namount=\"1.20\"\ntax=\"tax\"\n\
         [[price_lists]]\nid=\"p\"\ncurrency=\"EUR\"\ntax=\"tax\"\nprices={{Standard=\"12.50\"}}\nfees=[\"fee\"]\n\
         [[refund_policies]]\nid=\"r\"\ntiers=[{{before=\"24h\",percent=100}}]\n",
        rows.join(",")
    );
    for show in 0..SHOWS {
        text.push_str(&format!(
            "[[screens]]\nid=\"screen-{show}\"\ntheatre=\"t\"\nname=\"Hall {show}\"\nlayout=\"hall\"\n\
             [[shows]]\nid=\"show-{show}\"\nmovie=\"m\"\nscreen=\"screen-{show}\"\nstarts_at=\"2099-06-12T20:00\"\n\
             price_list=\"p\"\nrefund_policy=\"r\"\n"
        ));
    }
    text
}

/// The n-th group of four neighbours; groups of one window never share a seat.
fn hold_body(n: usize) -> String {
    let groups_in_row = SEATS_IN_ROW / 4;
    let (show, group) = (n % SHOWS, n / SHOWS % (ROWS * groups_in_row));
    let (row, first) = (group / groups_in_row, group % groups_in_row * 4 + 1);
    let seats: Vec<String> = (first..first + 4).map(|seat| format!("\"R{row}-{seat}\"")).collect();
    format!("{{\"show\":\"show-{show}\",\"seats\":[{}]}}", seats.join(","))
}

/// The same framework, answering from memory: the body is parsed, nothing is stored.
async fn twin(hold_answer: Bytes, map: Bytes) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let json = || [(header::CONTENT_TYPE, "application/json")];
    let hold = post(move |body: axum::Json<HoldBody>| async move {
        drop(body);
        (StatusCode::CREATED, json(), hold_answer)
    });
    let router = Router::new().route("/hold", hold).route("/map", get(async move || (json(), map)));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

async fn connect(to: SocketAddr) -> anyhow::Result<SendRequest<Full<Bytes>>> {
    let stream = TcpStream::connect(to).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}

async fn send(
    sender: &mut SendRequest<Full<Bytes>>,
    method: &str,
    path: &str,
    body: String,
) -> anyhow::Result<(StatusCode, Bytes)> {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("host", "bench")
        .header("content-type", "application/json")
        .body(Full::new(Bytes::from(body)))?;
    let answer = sender.send_request(request).await?;
    let status = answer.status();
    Ok((status, answer.into_body().collect().await?.to_bytes()))
}

/// All callers ask for one window's time, each with one connection.
async fn window(to: SocketAddr, method: &'static str, path: &'static str, holds: bool) -> anyhow::Result<Window> {
    let next = Arc::new(AtomicUsize::new(0));
    let mut callers = Vec::new();
    for _ in 0..CALLERS {
        callers.push((connect(to).await?, next.clone()));
    }
    let begun = Instant::now();
    let tasks: Vec<_> = callers
        .into_iter()
        .map(|(mut sender, next)| {
            tokio::spawn(async move {
                let (mut successes, mut refused) = (0, 0);
                while begun.elapsed() < WINDOW {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let body = if holds { hold_body(n) } else { String::new() };
                    let (status, _) = send(&mut sender, method, path, body).await?;
                    if status.is_success() { successes += 1 } else { refused += 1 }
                }
                anyhow::Ok((successes, refused))
            })
        })
        .collect();
    let (mut successes, mut refused) = (0, 0);
    for task in tasks {
        let (ok, no) = task.await??;
        successes += ok;
        refused += no;
    }
    let per_second = successes as f64 / begun.elapsed().as_secs_f64();
    Ok(Window { successes, refused, per_second })
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn report(what: &str, ours: &[Window], theirs: &[Window]) {
    let rate = |side: &[Window]| median(side.iter().map(|w| w.per_second).collect());
    let ratio = median(ours.iter().zip(theirs).map(|(a, b)| a.per_second / b.per_second).collect());
    let (done, refused) = ours.iter().fold((0, 0), |(d, r), w| (d + w.successes, r + w.refused));
    println!(
        "{what}: boxoffice {:.0}/s, from memory {:.0}/s, ratio {ratio:.2} (medians of {PAIRS} pairs; {refused} of {} refused)",
        rate(ours),
        rate(theirs),
        done + refused
    );
}

async fn run() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let store = Arc::new(SqliteStore::open(&folder.path().join("bench.db"), Arc::new(SystemClock))?);
    let file = SourceFile { name: "bench.toml".into(), text: catalogue_text() };
    let (import, _) = read(&[file], &Catalogue::default())
        .map_err(|errors| anyhow::anyhow!("{}", errors.first().map(ToString::to_string).unwrap_or_default()))?;
    store.import(import, false).await?;
    let settings = Settings {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        base_url: None,
        demo: false,
        test_clock: true,
        patience: Patience::default(),
        mail: None,
    };
    let server = Server::bind(store.clone(), &settings).await?;
    let ours = server.address();
    tokio::spawn(server.run(std::future::pending()));

    let mut first = connect(ours).await?;
    let (status, hold_answer) = send(&mut first, "POST", "/api/v1/bookings", hold_body(0)).await?;
    anyhow::ensure!(status == StatusCode::CREATED, "the first hold answered {status}");
    let (_, map) = send(&mut first, "GET", "/api/v1/shows/show-0/seats", String::new()).await?;
    let map_bytes = map.len();
    let twin = twin(hold_answer, map).await?;

    println!(
        "{CALLERS} callers, {SHOWS} shows of {} seats, holds of 4; seat map of {map_bytes} bytes; store SQLite",
        ROWS * SEATS_IN_ROW
    );
    let (mut holds, mut twin_holds, mut maps, mut twin_maps) = (vec![], vec![], vec![], vec![]);
    for _ in 0..PAIRS {
        store.set_clock(ClockChange::Advance { by_ms: LAPSE_MS, freeze: false }).await?;
        holds.push(window(ours, "POST", "/api/v1/bookings", true).await?);
        twin_holds.push(window(twin, "POST", "/hold", true).await?);
        maps.push(window(ours, "GET", "/api/v1/shows/show-0/seats", false).await?);
        twin_maps.push(window(twin, "GET", "/map", false).await?);
    }
    report("durable hold of 4", &holds, &twin_holds);
    report("seat map", &maps, &twin_maps);
    Ok(())
}

fn main() -> anyhow::Result<()> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(run())
}
