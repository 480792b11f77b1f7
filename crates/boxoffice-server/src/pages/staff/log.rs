//! What staff did on a day, for whoever has to answer for it. It names keys and things of the cinema, and no customer.

use std::collections::HashMap;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use boxoffice::action::{Action, ActionFilter, COMMAND_LINE};
use boxoffice::time::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;

use super::{Staff, must_manage_all};
use crate::app::AppState;
use crate::auth::staff;
use crate::http::Problem;
use crate::http::extract::{Params, day};
use crate::pages::shell::{self, Shell};
use crate::pages::text;

pub fn router() -> Router<AppState> {
    Router::new().route("/staff/log", get(read))
}

/// Actions on one page.
const PAGE: usize = 200;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LogParams {
    /// Without one, today.
    #[serde(default, deserialize_with = "day")]
    date: Option<Date>,
    /// Only what came after this action.
    after: Option<u64>,
}

#[derive(Template)]
#[template(path = "staff/log.html")]
struct Page {
    shell: Shell,
    /// `Saturday, 12 June 2027`, and the zone of all times on the page.
    date: String,
    zone: String,
    before: String,
    /// Empty: the day is today.
    after: String,
    lines: Vec<LineView>,
    /// Where the day goes on; empty: it does not.
    more: String,
}

struct LineView {
    clock: String,
    /// `Cancel show`.
    what: String,
    /// The key's name, and its id.
    who: String,
    by: String,
    subject: String,
}

async fn read(
    State(state): State<AppState>,
    Staff(key): Staff,
    Params(params): Params<LogParams>,
) -> Result<Response, Problem> {
    must_manage_all(&key)?;
    let zone = zone(&state).await?;
    let today = state.store().now().to_jiff().to_zoned_datetime(zone.clone()).date();
    let date = params.date.unwrap_or(today);
    let no_day = || Problem::invalid("", "date: there is no such day here.");
    let [yesterday, tomorrow] = [date.yesterday(), date.tomorrow()].map(|day| day.map_err(|_| no_day()));
    let (yesterday, tomorrow) = (yesterday?, tomorrow?);
    let start = |day: Date| midnight(day, &zone).ok_or_else(no_day);
    let begins = start(date)?;
    let filter = ActionFilter {
        from: Some(begins),
        to: Some(start(tomorrow)?),
        after: params.after,
        limit: PAGE + 1,
        ..ActionFilter::default()
    };
    let mut actions = state.store().actions(filter).await?;
    let goes_on = actions.len() > PAGE;
    actions.truncate(PAGE);
    let last = actions.last().filter(|_| goes_on);
    let names: HashMap<String, String> =
        staff::list(state.store()).await?.into_iter().map(|key| (key.id, key.name)).collect();
    let page = Page {
        shell: Shell::new(&state),
        date: text::long_date(date),
        zone: text::zone(&begins.to_jiff().to_zoned_datetime(zone.clone())),
        before: format!("/staff/log?date={yesterday}"),
        after: if date < today { format!("/staff/log?date={tomorrow}") } else { String::new() },
        more: last.map(|last| format!("/staff/log?date={date}&after={}", last.no)).unwrap_or_default(),
        lines: actions.iter().map(|action| line(action, &names, &zone)).collect(),
    };
    shell::page(&page).map(shell::private)
}

fn line(action: &Action, names: &HashMap<String, String>, zone: &TimeZone) -> LineView {
    let deed = &action.deed;
    let (who, by) = match names.get(&deed.by) {
        Some(name) => (name.clone(), deed.by.clone()),
        None if deed.by == COMMAND_LINE => ("The command line".to_owned(), String::new()),
        None => (String::new(), deed.by.clone()),
    };
    let local = action.at.to_jiff().to_zoned_datetime(zone.clone());
    LineView {
        clock: local.strftime("%H:%M:%S").to_string(),
        what: words(&deed.what),
        who,
        by,
        subject: deed.booking.map_or_else(|| deed.subject.clone(), |booking| format!("booking {booking}")),
    }
}

/// `cancel_show` as `Cancel show`.
fn words(what: &str) -> String {
    let mut chars = what.chars().map(|c| if c == '_' { ' ' } else { c });
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The zone of the theatres, if they share one.
async fn zone(state: &AppState) -> Result<TimeZone, Problem> {
    let catalogue = state.store().catalogue().await?;
    let mut zones = catalogue.theatres.values().map(|theatre| theatre.timezone.tz());
    let first = zones.next().filter(|first| zones.all(|zone| zone == *first));
    Ok(first.cloned().unwrap_or(TimeZone::UTC))
}

fn midnight(date: Date, zone: &TimeZone) -> Option<Timestamp> {
    let instant = date.to_zoned_datetime(zone.clone()).ok()?.timestamp();
    Some(Timestamp::from_ms(instant.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deed_is_said_in_words() {
        for (what, said) in [("refund", "Refund"), ("cancel_show", "Cancel show"), ("", "")] {
            assert_eq!(words(what), said);
        }
    }
}
