//! The server over HTTP, beside two others in the same process: the same framework that sends the
//! same bytes from memory, and the same server that reads the same request and stores nothing. Both
//! sides take turns in one run, medians of the pairs, only successes counted. The load comes from
//! this process, so that the client's work is in all figures.
//!
//! `cargo bench -p boxoffice-server --bench http`. It fails if a bar is missed. With `hold`, `map` or `304` after `--`
//! only these take place, for a look at one of them with a profiler.

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

use cinema::Crowd;
use load::{Ask, CALLERS, Window, connect, send, window};

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PAIRS: usize = 5;
const MAP: &str = "/api/v1/shows/show-0/seats";

fn main() -> anyhow::Result<ExitCode> {
    // Cargo adds `--bench`.
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let met = tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(run(&chosen))?;
    Ok(if met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn run(chosen: &[String]) -> anyhow::Result<bool> {
    let folder = tempfile::tempdir()?;
    let store = Arc::new(SqliteStore::open(&folder.path().join("bench.db"), Arc::new(SystemClock))?);
    store.import(cinema::import()?, false).await?;
    let settings = Settings { test_clock: true, ..Settings::at(SocketAddr::from(([127, 0, 0, 1], 0))) };
    let server = Server::bind(store, &settings).await?;
    let (ours, state) = (server.address(), server.state().clone());
    tokio::spawn(server.run(std::future::pending()));

    let mut first = connect(ours).await?;
    let hold = send(&mut first, &Ask::post("/api/v1/bookings", Crowd::OpeningNight.hold_body(0))).await?;
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
    // Where each crowd goes on from window to window; the first hold was made above.
    let mut nights = Pairs { next: 1, ..Pairs::default() };
    let (mut scattered, mut maps, mut unchanged) = (Pairs::default(), Pairs::default(), Pairs::default());
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|one| one == name);
    for _ in 0..PAIRS {
        if wanted("hold") {
            for (crowd, pairs) in [(Crowd::OpeningNight, &mut nights), (Crowd::Scattered, &mut scattered)] {
                let ask = move |n| Ask::post("/api/v1/bookings", crowd.hold_body(n));
                let mine = window(ours, StatusCode::CREATED, &mut pairs.next, ask).await?;
                pairs.add(mine, window(parser, StatusCode::CREATED, &mut 0, ask).await?);
            }
        }
        if wanted("map") {
            let ask = |_| Ask::get(MAP);
            let mine = window(ours, StatusCode::OK, &mut 0, ask).await?;
            maps.add(mine, window(framework, StatusCode::OK, &mut 0, ask).await?);
        }
        if wanted("304") {
            let again = known.clone();
            let ask = move |_| again.clone();
            let mine = window(ours, StatusCode::NOT_MODIFIED, &mut 0, ask.clone()).await?;
            unchanged.add(mine, window(framework, StatusCode::NOT_MODIFIED, &mut 0, ask).await?);
        }
    }
    let judged = [
        (nights, "durable hold of 4, few shows at a time, beside the same server that stores nothing", HOLD_BAR),
        (scattered, "durable hold of 4, another show each time, beside the same server that stores nothing", 0.0),
        (maps, "seat map, beside the framework from memory", MAP_BAR),
        (unchanged, "304, beside the framework from memory", UNCHANGED_BAR),
    ];
    let judged = judged.into_iter().filter(|(pairs, _, _)| !pairs.ours.is_empty());
    Ok(judged.fold(true, |met, (pairs, what, bar)| pairs.judge(what, bar) && met))
}

const HOLD_BAR: f64 = 0.25;
const MAP_BAR: f64 = 0.8;
const UNCHANGED_BAR: f64 = 1.0;

/// What two sides did in turn.
#[derive(Debug, Default)]
struct Pairs {
    /// What is asked for next.
    next: usize,
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
