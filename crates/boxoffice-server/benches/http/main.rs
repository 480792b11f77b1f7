//! The server over HTTP, beside two others in the same process: the same framework that sends the
//! same bytes from memory, and the same server that reads the same request and stores nothing. Both
//! sides take turns in one run, medians of the pairs, only successes counted. The load comes from
//! this process, so that the client's work is in all figures.
//!
//! `cargo bench -p boxoffice-server --bench http`. It fails if a bar is missed.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::ensure;
use axum::http::StatusCode;
use boxoffice::clock::SystemClock;
use boxoffice::store::Store;
use boxoffice_server::serve::{Server, Settings};
use boxoffice_store::SqliteStore;

mod cinema;
mod load;
mod twins;

use load::{Ask, CALLERS, Window, connect, send, window};

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PAIRS: usize = 5;
const MAP: &str = "/api/v1/shows/show-0/seats";

fn main() -> anyhow::Result<ExitCode> {
    let met = tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(run())?;
    Ok(if met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn run() -> anyhow::Result<bool> {
    let folder = tempfile::tempdir()?;
    let store = Arc::new(SqliteStore::open(&folder.path().join("bench.db"), Arc::new(SystemClock))?);
    store.import(cinema::import()?, false).await?;
    let settings = Settings { test_clock: true, ..Settings::at(SocketAddr::from(([127, 0, 0, 1], 0))) };
    let server = Server::bind(store, &settings).await?;
    let (ours, state) = (server.address(), server.state().clone());
    tokio::spawn(server.run(std::future::pending()));

    let mut first = connect(ours).await?;
    let hold = send(&mut first, &Ask::post("/api/v1/bookings", cinema::hold_body(0))).await?;
    ensure!(hold.status == StatusCode::CREATED, "the first hold answered {}", hold.status);
    let map = send(&mut first, &Ask::get(MAP)).await?;
    let etag = map.headers.get("etag").cloned();
    let etag = etag.ok_or_else(|| anyhow::anyhow!("the seat map has no tag"))?;
    let known = Ask::get(MAP).by_who_has(etag);
    let unchanged = send(&mut first, &known).await?;
    ensure!(unchanged.status == StatusCode::NOT_MODIFIED, "the known seat map answered {}", unchanged.status);
    println!(
        "{CALLERS} callers, {} shows of {} seats, holds of 4; seat map of {} bytes; store SQLite; {PAIRS} pairs of {:?} in turn",
        cinema::SHOWS,
        cinema::SEATS,
        map.body.len(),
        load::WINDOW
    );

    let framework = twins::from_memory(MAP, &map, &unchanged).await?;
    let parser = twins::that_stores_nothing(state, &hold).await?;
    let mut next = 1;
    let (mut holds, mut maps, mut unchanged) = (Pairs::default(), Pairs::default(), Pairs::default());
    for _ in 0..PAIRS {
        holds.add(
            window(ours, StatusCode::CREATED, &mut next, |n| Ask::post("/api/v1/bookings", cinema::hold_body(n)))
                .await?,
            window(parser, StatusCode::CREATED, &mut 1, |n| Ask::post("/api/v1/bookings", cinema::hold_body(n)))
                .await?,
        );
        let read = |_| Ask::get(MAP);
        maps.add(
            window(ours, StatusCode::OK, &mut 0, read).await?,
            window(framework, StatusCode::OK, &mut 0, read).await?,
        );
        let again = known.clone();
        let read = move |_| again.clone();
        unchanged.add(
            window(ours, StatusCode::NOT_MODIFIED, &mut 0, read.clone()).await?,
            window(framework, StatusCode::NOT_MODIFIED, &mut 0, read).await?,
        );
    }
    Ok([
        holds.judge("durable hold of 4, beside the same server that stores nothing", HOLD_BAR),
        maps.judge("seat map, beside the framework from memory", MAP_BAR),
        unchanged.judge("304, beside the framework from memory", UNCHANGED_BAR),
    ]
    .into_iter()
    .all(|met| met))
}

const HOLD_BAR: f64 = 0.25;
const MAP_BAR: f64 = 0.8;
const UNCHANGED_BAR: f64 = 1.0;

/// What two sides did in turn.
#[derive(Debug, Default)]
struct Pairs {
    ours: Vec<Window>,
    theirs: Vec<Window>,
}

impl Pairs {
    fn add(&mut self, ours: Window, theirs: Window) {
        self.ours.push(ours);
        self.theirs.push(theirs);
    }

    /// Whether the bar is met: in the median, and without a refusal on either side.
    fn judge(&self, what: &str, bar: f64) -> bool {
        let rate = |side: &[Window]| median(side.iter().map(|w| w.per_second).collect());
        let ratio = median(self.ours.iter().zip(&self.theirs).map(|(a, b)| a.per_second / b.per_second).collect());
        let others: usize = self.ours.iter().chain(&self.theirs).map(|w| w.others).sum();
        let met = ratio >= bar && others == 0;
        println!(
            "{what}: {:.0}/s and {:.0}/s, ratio {ratio:.2} (bar: at least {bar}, {}); {others} other answers",
            rate(&self.ours),
            rate(&self.theirs),
            if met { "met" } else { "MISSED" }
        );
        met
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
