//! `boxoffice report`: what was sold, as a table to read or as CSV.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use boxoffice::report::sales::{SalesQuery, SalesRow, sales as sales_of};

use super::block_on;
use crate::cli::SalesArgs;
use crate::config::Config;
use crate::report::write_csv;
use crate::stores;

/// # Errors
/// The theatre or the days are wrong, the store cannot answer, or the file cannot be written.
pub fn sales(config: &Config, args: &SalesArgs) -> anyhow::Result<()> {
    let theatre = args.theatre.as_deref().map(super::day::theatre_id).transpose()?;
    let query = SalesQuery { from: args.from, to: args.to, theatre };
    let store = stores::open_filled(&config.store)?;
    let rows = block_on(async { Ok(sales_of(&*store, &query).await?) })?;
    match args.csv.as_deref() {
        None => rows.iter().for_each(|row| println!("{}", line(row))),
        Some(path) if path == Path::new("-") => {
            let mut out = std::io::stdout().lock();
            write_csv(&rows, &mut out)?;
            out.flush()?;
        }
        Some(path) => {
            let name = path.display();
            let file = std::fs::File::create(path).with_context(|| format!("cannot write {name}; check the path"))?;
            write_csv(&rows, file).with_context(|| format!("cannot write {name}"))?;
        }
    }
    Ok(())
}

/// A row for people.
pub(super) fn line(row: &SalesRow) -> String {
    let SalesRow { business_day, screen, title, ticket_type, sold, refunded, admitted, money, .. } = row;
    format!(
        "{business_day}  {screen:12} {title:28} {ticket_type:10} {sold:>5} sold {refunded:>5} back \
         {admitted:>5} in {gross:>14}",
        screen = screen.as_str(),
        gross = money.gross.to_string()
    )
}
