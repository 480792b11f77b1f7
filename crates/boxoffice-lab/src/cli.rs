//! The laboratory's command line, as the program shows it under `boxoffice lab`.

use std::io::Write;

use clap::{Args, Subcommand, ValueEnum};

/// `boxoffice lab EXPERIMENT`.
#[derive(Debug, Clone, Args)]
pub struct LabArgs {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Clone, Subcommand)]
enum Experiment {
    /// Two families, four seats, one hold that lapses: eight lines, each from the real service.
    Demo,
    /// Threads race for one seat, round after round; counts how often it was sold twice.
    Race(RaceArgs),
    /// Names the experiments and the strategies each takes.
    List,
}

#[derive(Debug, Clone, Args)]
struct RaceArgs {
    #[arg(long)]
    strategy: StrategyName,
    #[arg(long)]
    rounds: Option<u32>,
    #[arg(long)]
    threads: Option<u32>,
    #[arg(long)]
    seed: Option<u64>,
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StrategyName {
    Naive,
    NaiveSpin,
    NaivePause,
    ShowLock,
    Memory,
    Sqlite,
}

/// Runs an experiment and prints what it showed.
///
/// # Errors
/// If a store cannot be made or standard output cannot be written.
pub fn run(args: LabArgs) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match args.experiment {
        Experiment::Demo | Experiment::List => writeln!(out, "not built yet")?,
        Experiment::Race(race) => writeln!(out, "not built yet: {race:?}")?,
    }
    Ok(())
}
