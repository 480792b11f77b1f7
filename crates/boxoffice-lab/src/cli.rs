//! The laboratory's command line, as the program shows it under `boxoffice lab`.

use std::io::Write;

use clap::{Args, Subcommand};

use crate::demo::Story;
use crate::race::{self, RaceReport};
use crate::strategy::StrategyName;

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
    /// Buyers race for F7 and F8, round after round; counts how often they were sold twice.
    Race(RaceArgs),
    /// Names the experiments and the strategies each takes.
    List,
}

#[derive(Debug, Clone, Args)]
struct RaceArgs {
    #[arg(long)]
    strategy: StrategyName,
    /// How often they race (default: by strategy).
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: Option<u32>,
    /// How many buyers race (default: by strategy).
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=64))]
    threads: Option<u32>,
    /// Where ids and busy work get their randomness from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the figures as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs an experiment and prints what it showed.
///
/// # Errors
/// If a store cannot be made or fails, or standard output cannot be written.
pub fn run(args: LabArgs) -> anyhow::Result<()> {
    run_to(args, &mut std::io::stdout())
}

fn run_to(args: LabArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    match args.experiment {
        Experiment::Demo => {
            for line in pollster::block_on(Story::default().tell())? {
                writeln!(out, "{line}")?;
            }
        }
        Experiment::Race(args) => {
            let (threads, rounds) = args.strategy.defaults();
            let (threads, rounds) = (args.threads.unwrap_or(threads), args.rounds.unwrap_or(rounds));
            let report = race::run(args.strategy, rounds, threads, args.seed)?;
            if args.json {
                writeln!(out, "{}", serde_json::to_string(&report)?)?;
            } else {
                writeln!(out, "{}", in_words(&report))?;
            }
        }
        Experiment::List => writeln!(out, "{}", list())?,
    }
    Ok(())
}

fn in_words(report: &RaceReport) -> String {
    let RaceReport { strategy, rounds, threads, oversold, no_winner, half_seen } = report;
    let promise = match oversold {
        0 => "never sold twice".to_owned(),
        1 => "sold to more than one buyer in 1 round".to_owned(),
        twice => format!("sold to more than one buyer in {twice} rounds"),
    };
    format!(
        "In {rounds} rounds {threads} buyers wanted F7 and F8 at the same moment: {promise}, sold to nobody in \
         {no_winner}. An onlooker saw half a group {half_seen} times.\n{strategy} {}.",
        strategy.teaches()
    )
}

fn list() -> String {
    let mut text = "demo\nrace --strategy".to_owned();
    for strategy in StrategyName::ALL {
        let (threads, rounds) = strategy.defaults();
        text += &format!("\n  {strategy:<12} {threads} buyers, {rounds} rounds: {}", strategy.teaches());
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        lab: LabArgs,
    }

    fn printed(words: &[&str]) -> String {
        let program = Program::try_parse_from(words).expect("a command line");
        let mut out = Vec::new();
        run_to(program.lab, &mut out).expect("the experiment runs");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn the_demo_prints_its_eight_lines_and_nothing_else() {
        let expected = "A holds F5-F8: true\n\
                        B wants F7-F8: false\n\
                        7 min later, F7 free: true\n\
                        B holds F7-F8: true\n\
                        A paid late: FAILED, refunds [B1]\n\
                        B paid: CONFIRMED, refunds [B1]\n\
                        Repeats: A FAILED, B CONFIRMED, refunds [B1]\n\
                        B cancels: true, F7 free: true\n";
        assert_eq!(printed(&["lab", "demo"]), expected);
    }

    #[test]
    fn a_race_prints_its_keys_as_json() {
        let json = printed(&["lab", "race", "--strategy", "show-lock", "--rounds", "10", "--threads", "3", "--json"]);
        let expected = r#"{"strategy":"show-lock","rounds":10,"threads":3,"oversold":0,"no_winner":0,"half_seen":0}"#;
        assert_eq!(json.trim_end(), expected);
    }

    #[test]
    fn a_race_for_a_person_says_what_was_shown() {
        let text = printed(&["lab", "race", "--strategy", "memory", "--rounds", "10"]);
        assert!(text.contains("In 10 rounds 2 buyers") && text.contains("never sold twice"), "{text}");
    }

    #[test]
    fn the_list_names_every_strategy() {
        let text = printed(&["lab", "list"]);
        assert!(StrategyName::ALL.iter().all(|strategy| text.contains(strategy.as_str())), "{text}");
    }

    #[test]
    fn what_makes_no_race_is_refused() {
        for words in [
            ["--strategy", "memory", "--rounds", "0"],
            ["--strategy", "memory", "--threads", "1"],
            ["--strategy", "memory", "--threads", "65"],
            ["--strategy", "wishful", "--threads", "2"],
        ] {
            assert!(Program::try_parse_from(["lab", "race"].iter().chain(&words)).is_err(), "{words:?}");
        }
    }
}
