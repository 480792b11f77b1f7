//! `cargo xtask ready`: how long the real server takes from its start until it listens, and how
//! much memory it holds when nobody asks anything.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::client::Client;
use crate::program::Program;

const STARTS: usize = 9;
const PAGES: u32 = 200;

/// Starts the server several times on an empty store and on one that is filled already.
///
/// # Errors
/// If it does not start or answer.
pub(crate) fn run(root: &Path, release: bool) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot make a folder for the store")?;
    let program = Program::build(root, folder.path(), release)?;
    let first = program.serve(&["--demo"])?;
    println!("first start, store made and filled: listening after {} ms", first.ready_after.as_millis());
    drop(first);
    let mut times = Vec::new();
    for _ in 0..STARTS {
        times.push(program.serve(&["--demo"])?.ready_after);
    }
    times.sort_unstable();
    let median = times.get(STARTS / 2).copied().unwrap_or(Duration::ZERO);
    println!("{STARTS} further starts: listening after {} ms (median)", median.as_millis());

    let server = program.serve(&["--demo"])?;
    println!("memory when it listens: {}", resident(server.id())?);
    let client = Client::new(&server.address);
    for _ in 0..PAGES {
        let page = client.get("/", None).context("the server does not answer")?;
        ensure!(page.status == 200, "the first page answers {}", page.status);
    }
    println!("memory after {PAGES} pages: {}", resident(server.id())?);
    Ok(())
}

/// Resident memory as the kernel tells it.
fn resident(process: u32) -> Result<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))
        .context("memory can be read on Linux only: there is no /proc/PID/status here")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map(|value| value.trim().to_owned()).context("the kernel tells no VmRSS")
}
