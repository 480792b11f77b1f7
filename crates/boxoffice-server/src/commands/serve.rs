//! `boxoffice serve`.

use std::future::Future;
use std::io::Write as _;

use anyhow::Context as _;
use tokio::signal::unix::{SignalKind, signal};

use crate::config::{Config, check_public_url};
use crate::serve::{Server, Settings};
use crate::{logging, stores};

/// Serves until it is told to stop by SIGINT or SIGTERM.
///
/// # Errors
/// The configuration, the address or the store does not allow it.
pub fn run(config: Config, demo: bool, test_clock: bool) -> anyhow::Result<()> {
    if let Some(url) = &config.public_url {
        check_public_url(url)?;
    }
    logging::start(config.log.format, &config.log.level)?;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if let Some(workers) = config.workers {
        runtime.worker_threads(usize::from(workers));
    }
    let runtime = runtime.enable_all().build().context("cannot start the threads")?;
    runtime.block_on(serve(config, demo, test_clock))
}

async fn serve(config: Config, demo: bool, test_clock: bool) -> anyhow::Result<()> {
    let base_url = config.public_url.clone();
    let mail = config.mail.check()?;
    let limits = config.limits.check(test_clock)?;
    let cors = config.cors.check()?;
    let (keep_days, metrics_listen) = (config.privacy.keep_days, config.metrics_listen);
    let settings = Settings {
        base_url,
        demo,
        test_clock,
        mail,
        limits,
        cors,
        keep_days,
        metrics_listen,
        ..Settings::at(config.listen)
    };
    settings.check()?;
    let opened = stores::open_to_serve(&config.store)?;
    let settings = Settings { figures: opened.figures, ..settings };
    // Held until the end: a second server on this store is refused.
    let _lock = opened.lock;
    let server = Server::bind(opened.store, &settings).await?;
    let stop = told_to_stop()?;
    let mut out = std::io::stdout();
    writeln!(out, "listening on http://{}", server.address())?;
    if let Some(address) = server.metrics_address() {
        writeln!(out, "metrics on http://{address}/metrics")?;
    }
    out.flush()?;
    server.run(stop).await
}

/// Ready when the program is told to stop. From the call on, neither signal ends it by itself.
fn told_to_stop() -> anyhow::Result<impl Future<Output = ()>> {
    let listen = |kind| signal(kind).context("cannot listen for the signals to stop");
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("stopping: requests that run come to their end");
    })
}
