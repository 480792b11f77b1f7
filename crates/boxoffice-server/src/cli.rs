//! The command line: what there is to say, and how a command's end becomes an exit code. 0: done.
//! 1: failed, with one line on standard error that says what, and what to do. 2: wrong usage.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use boxoffice::id::BookingId;
use boxoffice::time::{Span, Timestamp};
use clap::{Args, Parser, Subcommand};

use crate::auth::Role;
use crate::commands;
use crate::config::Config;

/// Sells every cinema seat exactly once.
#[derive(Debug, Parser)]
#[command(name = "boxoffice", version, disable_help_subcommand = true)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes. A flag beats the environment, which beats the file.
#[derive(Debug, Clone, Default, Args)]
pub struct Global {
    /// Where the bookings are kept: `sqlite:PATH` or `memory:` [default: sqlite:boxoffice.db]
    #[arg(long, global = true, value_name = "URL", env = "BOXOFFICE_STORE")]
    pub store: Option<String>,
    /// A configuration file (TOML)
    #[arg(long, global = true, value_name = "FILE", env = "BOXOFFICE_CONFIG")]
    pub config: Option<PathBuf>,
    /// How the log is written: `text` or `json` [default: text]
    #[arg(long, global = true, value_name = "FORMAT", env = "BOXOFFICE_LOG_FORMAT")]
    pub log_format: Option<crate::logging::Format>,
    /// What is logged, such as `info` or `warn,boxoffice_server=debug` [default: info]
    #[arg(long, global = true, value_name = "FILTER", env = "BOXOFFICE_LOG_LEVEL")]
    pub log_level: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the pages and the API, and do the work behind them
    Serve(ServeArgs),
    /// Read catalogue files into the store: all of them or nothing
    Import(ImportArgs),
    /// Write the catalogue into a folder, as files that import reads back
    Export {
        /// The folder to make; what is in one is not overwritten
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        #[arg(long)]
        json: bool,
    },
    /// The catalogue that was imported
    #[command(subcommand)]
    Catalogue(CatalogueCommand),
    /// Prove that the books are right
    Audit {
        #[arg(long)]
        json: bool,
    },
    /// What was sold
    #[command(subcommand)]
    Report(ReportCommand),
    /// A theatre's business day
    #[command(subcommand)]
    Day(DayCommand),
    /// Keys of the staff
    #[command(subcommand)]
    Staff(StaffCommand),
    /// What is kept of persons
    #[command(subcommand)]
    Privacy(PrivacyCommand),
    /// Tickets
    #[command(subcommand)]
    Ticket(TicketCommand),
    /// Prices
    #[command(subcommand)]
    Price(PriceCommand),
    /// The configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Copy the store into a file, beside a running server, and prove the copy
    Backup {
        /// The file to write; one that is there is not overwritten
        file: PathBuf,
        #[arg(long)]
        json: bool,
    },
    /// Make the store that --store names from a backup; it sells nothing until `staff reopen-sales`
    Restore {
        /// A file that `backup` wrote
        file: PathBuf,
        #[arg(long)]
        json: bool,
    },
    /// Experiments that show why seats are sold the way they are
    Lab(boxoffice_lab::cli::LabArgs),
}

#[derive(Debug, Clone, Default, Args)]
pub struct ServeArgs {
    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR", env = "BOXOFFICE_LISTEN", value_parser = address)]
    pub listen: Option<SocketAddr>,
    /// Where Prometheus reads metrics, such as 127.0.0.1:9090; not said: nowhere
    #[arg(long, value_name = "ADDR", env = "BOXOFFICE_METRICS_LISTEN", value_parser = address)]
    pub metrics_listen: Option<SocketAddr>,
    /// What links to this server begin with, if it stands behind a proxy
    #[arg(long, value_name = "URL", env = "BOXOFFICE_PUBLIC_URL")]
    pub public_url: Option<String>,
    /// Fill an empty store with a cinema chain to try, and allow the sandbox payments
    #[arg(long)]
    pub demo: bool,
    /// Let the clock be set over HTTP, and allow the sandbox payments; only on a loopback address
    #[arg(long)]
    pub test_clock: bool,
    /// Threads that answer requests [default: one per processor]
    #[arg(long, value_name = "N", env = "BOXOFFICE_WORKERS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// The mail server, such as smtp://user:password@mail.example.org:587; better said in the variable
    #[arg(long, value_name = "URL", env = "BOXOFFICE_SMTP", hide_env_values = true)]
    pub smtp: Option<String>,
    /// Whom mails come from, such as "Kino am Markt <tickets@example.org>"
    #[arg(long, value_name = "MAILBOX", env = "BOXOFFICE_MAIL_FROM")]
    pub mail_from: Option<String>,
    /// Where answers to mails go, if not there
    #[arg(long, value_name = "MAILBOX", env = "BOXOFFICE_MAIL_REPLY_TO")]
    pub mail_reply_to: Option<String>,
}

#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// Catalogue files, TOML or JSON
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Only say what would change
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, Subcommand)]
pub enum CatalogueCommand {
    /// Delete a thing that nothing refers to
    Delete {
        /// Its table in a catalogue file, such as movies
        kind: String,
        id: String,
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Clone, Subcommand)]
pub enum ReportCommand {
    /// Sales and admissions by business day, film, screen and ticket type
    Sales(SalesArgs),
}

#[derive(Debug, Clone, Args)]
pub struct SalesArgs {
    /// The first business day, such as 2027-06-12
    #[arg(long, value_name = "DATE")]
    pub from: jiff::civil::Date,
    /// The last business day
    #[arg(long, value_name = "DATE")]
    pub to: jiff::civil::Date,
    /// Only this theatre
    #[arg(long, value_name = "ID")]
    pub theatre: Option<String>,
    /// Write CSV to this file; `-`: to standard output
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

#[derive(Debug, Clone, Subcommand)]
pub enum DayCommand {
    /// Close a business day that has ended; closing it again shows the same
    Close {
        #[arg(long, value_name = "ID")]
        theatre: String,
        #[arg(long, value_name = "DATE")]
        date: jiff::civil::Date,
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Clone, Subcommand)]
pub enum StaffCommand {
    /// Make a key, or an account with a password; either is shown this once
    Add(StaffAddArgs),
    /// Show all keys and accounts, without their secrets
    List {
        #[arg(long)]
        json: bool,
    },
    /// Sell again after a restore, once all payments that were open have been asked about
    ReopenSales {
        /// Although some of them could not be
        #[arg(long)]
        force: bool,
        #[arg(long)]
        json: bool,
    },
    /// Give an account a new password; it is signed out everywhere
    Password {
        login: String,
        /// Read the password from standard input; else one is made and shown
        #[arg(long)]
        password_stdin: bool,
        #[arg(long)]
        json: bool,
    },
    /// Show what staff did, oldest first
    Log {
        /// Only what was done with this key
        #[arg(long, value_name = "ID")]
        by: Option<String>,
        /// Only what was done to this booking
        #[arg(long, value_name = "ID")]
        booking: Option<BookingId>,
        #[arg(long)]
        json: bool,
    },
    /// Take a key or an account out of force
    Revoke {
        id: String,
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Clone, Subcommand)]
pub enum ConfigCommand {
    /// Say what is wrong with the configuration, or what is in force
    Check,
}

#[derive(Debug, Clone, Subcommand)]
pub enum PrivacyCommand {
    /// Forget a customer who asks for it; the books stay
    Erase {
        /// All bookings with this address
        #[arg(long, value_name = "ADDRESS", required_unless_present = "booking", conflicts_with = "booking")]
        email: Option<String>,
        /// One booking
        #[arg(long, value_name = "ID")]
        booking: Option<BookingId>,
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Clone, Args)]
pub struct StaffAddArgs {
    /// Who will use it
    #[arg(long)]
    pub name: String,
    #[arg(long)]
    pub role: Role,
    /// Make an account that signs in to the staff's pages under this name, instead of a key
    #[arg(long)]
    pub login: Option<String>,
    /// Read the account's password from standard input; else one is made and shown
    #[arg(long, requires = "login")]
    pub password_stdin: bool,
    /// It works for this screen's shows only
    #[arg(long, value_name = "ID")]
    pub screen: Option<String>,
    /// It works for this theatre's shows only
    #[arg(long, value_name = "ID")]
    pub theatre: Option<String>,
    /// When it ends: a number of days such as 90d, or an instant such as 2027-12-31T23:00:00Z
    #[arg(long, value_name = "WHEN")]
    pub expires: Option<Expiry>,
    #[arg(long)]
    pub json: bool,
}

/// When a key ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiry {
    At(Timestamp),
    In(Span),
}

impl FromStr for Expiry {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let days = text.strip_suffix('d').and_then(|days| days.parse().ok());
        if let Some(days @ 1..=36_500_i64) = days {
            return Ok(Self::In(Span::from_mins(days * 24 * 60)));
        }
        text.parse()
            .map(Self::At)
            .map_err(|_| "write days such as 90d, or an instant such as 2027-12-31T23:00:00Z".to_owned())
    }
}

#[derive(Debug, Clone, Subcommand)]
pub enum TicketCommand {
    /// Check a ticket's code without asking whether it was cancelled
    Verify { code: String },
}

#[derive(Debug, Clone, Subcommand)]
pub enum PriceCommand {
    /// Say why a seat costs what it costs now, rule by rule
    Explain(ExplainArgs),
}

#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// The show's id
    pub show: String,
    /// The seat's label or id, such as F7
    #[arg(long)]
    pub seat: String,
    /// For whom the ticket is [default: standard]
    #[arg(long = "type", value_name = "TYPE")]
    pub ticket_type: Option<String>,
    /// A promo code
    #[arg(long)]
    pub code: Option<String>,
    /// Bought at the counter, not on the web
    #[arg(long)]
    pub counter: bool,
    #[arg(long)]
    pub json: bool,
}

/// The variable is named as well, because the parser blames the flag for what stands in it.
fn address(text: &str) -> Result<SocketAddr, String> {
    let advice = "write one such as 127.0.0.1:8080, with the flag or in BOXOFFICE_LISTEN or BOXOFFICE_METRICS_LISTEN";
    text.parse().map_err(|_| advice.to_owned())
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors; clap says which of them this is.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("boxoffice: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let config = Config::load(cli.global.config.as_deref())?.with(&cli.global);
    match cli.command {
        Command::Serve(args) => commands::serve::run(config.with_serve(&args), args.demo, args.test_clock),
        Command::Import(args) => commands::import::run(&config, &args),
        Command::Export { folder, json } => commands::export::run(&config, &folder, json),
        Command::Catalogue(CatalogueCommand::Delete { kind, id, json }) => {
            commands::catalogue::delete(&config, &kind, &id, json)
        }
        Command::Audit { json } => commands::audit::run(&config, json),
        Command::Report(ReportCommand::Sales(args)) => commands::report::sales(&config, &args),
        Command::Day(DayCommand::Close { theatre, date, json }) => commands::day::close(&config, &theatre, date, json),
        Command::Staff(command) => commands::staff::run(&config, &command),
        Command::Privacy(PrivacyCommand::Erase { email, booking, json }) => {
            commands::privacy::erase(&config, email, booking, json)
        }
        Command::Ticket(TicketCommand::Verify { code }) => commands::ticket::verify(&config, &code),
        Command::Price(PriceCommand::Explain(args)) => commands::price::explain_price(&config, &args),
        Command::Backup { file, json } => commands::backup::back_up(&config, &file, json),
        Command::Restore { file, json } => commands::backup::restore(&config, &file, json),
        Command::Config(ConfigCommand::Check) => commands::config::check(config),
        Command::Lab(args) => boxoffice_lab::cli::run(args),
    }
}
