//! `boxoffice day`: closes a theatre's business day.

use anyhow::anyhow;
use boxoffice::id::TheatreId;
use boxoffice::report::day::{self, DayClose};
use jiff::civil::Date;

use super::block_on;
use crate::config::Config;
use crate::http::api::reports;
use crate::stores;

/// # Errors
/// The theatre is unknown, the day has not ended, or the store cannot answer.
pub fn close(config: &Config, theatre: &str, date: Date, as_json: bool) -> anyhow::Result<()> {
    let theatre = theatre_id(theatre)?;
    let store = stores::open_filled(&config.store)?;
    let closed = block_on(async { Ok(day::close(&*store, &theatre, date).await?) })?;
    if as_json {
        println!("{}", serde_json::to_string(&reports::view(&closed))?);
    } else {
        print(&closed);
    }
    Ok(())
}

/// # Errors
/// The text cannot be the id of a theatre.
pub(super) fn theatre_id(text: &str) -> anyhow::Result<TheatreId> {
    TheatreId::new(text).map_err(|_| anyhow!("there is no theatre `{text}`; `GET /api/v1/theatres` lists them"))
}

fn print(day: &DayClose) {
    println!("{} on {}: from {} to {}, closed {}", day.theatre, day.date, day.from, day.to, day.closed_at);
    for sum in &day.accounts {
        println!("posted  {:24} {:>16}", sum.account.to_string(), sum.amount.to_string());
    }
    for row in &day.sales {
        println!("{}", super::report::line(row));
    }
}
