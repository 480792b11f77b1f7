//! The conditions of cards and surcharges.

use jiff::civil::DateTime;

use super::fields::{Fields, Read};
use super::tree::Node;
use super::values;
use crate::prices::{BoughtBefore, Weekday, When};
use crate::time::Timestamp;

pub(super) fn when(when: &mut Fields<'_>) -> Read<When> {
    let days = when.list("days", weekday);
    let dates = when.list("dates", values::date);
    let from = when.optional("from", values::clock_time);
    let until = when.optional("until", values::clock_time);
    let format = when.optional("format", values::text);
    let runtime_from_min = when.optional("runtime_from_min", |node| values::integer(node, 1..=1_440));
    let sold_from_percent = when.optional("sold_from_percent", values::percent);
    let bought_before = when.optional("bought_before", bought_before);
    let read = When {
        days: days?,
        dates: dates?,
        from: from?,
        until: until?,
        format: format?,
        runtime_from_min: runtime_from_min?,
        sold_from_percent: sold_from_percent?,
        bought_before: bought_before?,
    };
    if read.is_empty() {
        let detail = "is missing; give one condition at least, such as `days = [\"tue\"]`: what always counts stands in the list itself";
        return Err(when.error("days", detail));
    }
    if read.from.is_some() && read.from == read.until {
        return Err(when.error("until", "is the same time as `from`; no show would start between them"));
    }
    Ok(read)
}

fn weekday(node: &Node) -> Result<Weekday, String> {
    use Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};
    let days = [Mon, Tue, Wed, Thu, Fri, Sat, Sun].map(|day| (day.as_str(), day));
    values::word(node, &days)
}

/// `"48h"` before the start, or `"2027-06-01T18:00"` on the theatre's clocks.
fn bought_before(node: &Node) -> Result<BoughtBefore, String> {
    if let Ok(span) = values::duration(node) {
        return Ok(BoughtBefore::Start(span));
    }
    let text = node.value.text()?;
    let local = text.parse::<DateTime>().ok().filter(|_| text.contains(['T', 't', ' ']) && !text.contains('['));
    match local {
        Some(local) if text.parse::<Timestamp>().is_err() => Ok(BoughtBefore::Local(local)),
        Some(_) => Err("has an offset; write the time on the theatre's clocks, without one".into()),
        None => {
            Err("is neither a local time such as `2027-06-01T18:00` nor a time before the start such as `48h`".into())
        }
    }
}
