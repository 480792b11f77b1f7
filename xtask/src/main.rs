//! Development commands, run as `cargo xtask COMMAND`. `test` is what a change must pass; the
//! others are bars that take longer than a person wants to wait for.

mod bars;
mod client;
mod fuzz;
mod kill;
mod program;
mod ready;
mod schemathesis;
mod stage;
mod ten_million;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about = "Development commands")]
enum Command {
    /// Everything a change must pass: format, tidy checks, lints, documentation, all tests.
    Test,
    /// Only the tidy checks: layers, words, sizes, links, problem pages.
    Tidy,
    /// Asks the real server what its API's document allows and forbids.
    Schemathesis,
    /// Kills the store's disk under load, again and again, and audits what is left.
    PowerLoss {
        #[arg(long, default_value_t = 100)]
        kills: u32,
    },
    /// Kills the real server under load, again and again, and audits what is left.
    Kill {
        #[arg(long, default_value_t = 20)]
        times: u32,
        /// Which seats are asked for, and when the kill comes.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long)]
        release: bool,
    },
    /// Reports start-to-ready time and idle memory of the real server.
    Ready {
        #[arg(long)]
        release: bool,
    },
    /// Fills a store with bookings and compares it with one that has none. Takes a quarter of an hour
    /// and 15 GB of disk.
    TenMillion {
        #[arg(long, default_value_t = 10_000_000)]
        bookings: u64,
        /// Where the stores are made and left, instead of in a folder that is deleted.
        #[arg(long)]
        folder: Option<PathBuf>,
    },
    /// Gives the parsers inputs that reach ever more of them, for so long each.
    Fuzz {
        #[arg(long, default_value_t = 10)]
        minutes: u64,
        /// Only this one.
        #[arg(long)]
        target: Option<String>,
        /// Merge what was found, minimised, into fuzz/corpus.
        #[arg(long)]
        keep: bool,
    },
    /// Measures holds and bookings against a bare loop that writes the same rows.
    Bench,
}

fn main() -> ExitCode {
    let root = root();
    let done = match Command::parse() {
        Command::Test => test::run(&root),
        Command::Tidy => tidy::run(&root),
        Command::Schemathesis => schemathesis::run(&root),
        Command::PowerLoss { kills } => bars::power_loss(&root, kills),
        Command::Kill { times, seed, release } => kill::run(&root, times, seed, release),
        Command::Ready { release } => ready::run(&root, release),
        Command::TenMillion { bookings, folder } => ten_million::run(&root, bookings, folder.as_deref()),
        Command::Fuzz { minutes, target, keep } => fuzz::run(&root, &fuzz::Wish { minutes, target, keep }),
        Command::Bench => bars::bench(&root),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's root: the folder above this crate.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
