//! The ledger as a store keeps it: each step that moves money posts lines of its own, which balance, are
//! read by theatre and time, and are there after a restart.

use pollster::block_on;

use super::Check;
use crate::booking::DisputeStatus;
use crate::command::{Command, PaymentNews, RefundAnswer, RefundAnswered};
use crate::ledger::{Balances, Line};
use crate::store::StoreError;
use crate::testkit::hall;
use crate::testkit::world::{Failure, World, ensure, same};
use crate::time::{Span, Timestamp};

pub(super) const CHECKS: &[Check] = &[Check::new("ledger_is_posted_and_read_by_time", posted)];

/// Two tickets at 12.50 with 7 % tax in it and a fee of 1.20 with 19 %. All of a face goes back; the fee
/// stays.
const STEPS: [(&str, &str); 4] = [
    ("sale", "gateway:sandbox 27.40 EUR, tickets -23.36 EUR, fees -2.02 EUR, tax:7 -1.64 EUR, tax:19 -0.38 EUR"),
    ("part cancel", "refunds_payable -12.50 EUR, tickets 11.68 EUR, tax:7 0.82 EUR"),
    ("refund made", "gateway:sandbox -12.50 EUR, refunds_payable 12.50 EUR"),
    ("dispute lost", "gateway:sandbox -14.90 EUR, disputes_lost 14.90 EUR"),
];
const WHOLE: &str = "tickets -11.68 EUR, fees -2.02 EUR, tax:7 -0.82 EUR, tax:19 -0.38 EUR, disputes_lost 14.90 EUR";

fn lines(w: &World<'_>, from: Timestamp, to: Timestamp) -> Result<Vec<Line>, StoreError> {
    let theatre = w.show(1)?.theatre.id.clone();
    block_on(w.store.ledger(theatre, from, to))
}

/// What the lines come to, by account.
fn sums(lines: &[Line]) -> Result<String, Failure> {
    let mut sums = Balances::default();
    let added = sums.add_all(lines);
    added.map_err(|error| Failure(error.to_string()))?;
    same("off by", sums.off_by().map_err(|error| Failure(error.to_string()))?, Vec::new())?;
    Ok(sums.to_string())
}

/// A sale of two tickets, one given back, its refund made, the rest lost to a dispute: each an hour after
/// the one before.
fn posted(w: World<'_>) -> Result<(), Failure> {
    let hour = Span::from_mins(60);
    let start = hall::opening();
    let booking = w.hold(3, &["A1", "A2"])?;
    same("a hold posts nothing", lines(&w, start, start + hour)?, Vec::new())?;
    w.pay(booking.id)?;
    w.clock.set(start + hour);
    w.run(Command::Cancel { booking: booking.id, tickets: Some(vec![1]), reason: None })?;
    w.clock.set(start + hour + hour);
    let answer = RefundAnswer::Succeeded { provider_refund_id: "back".into() };
    w.run(Command::RefundAnswered(RefundAnswered { booking: booking.id, refund: 1, answer }))?;
    w.clock.set(start + hour + hour + hour);
    let paid = w.booking(booking.id)?.attempts[0].clone();
    w.news(&paid, &format!("pay-{}", paid.id), PaymentNews::Dispute(DisputeStatus::Lost))?;
    let mut at = start;
    let mut pages = Vec::new();
    for (what, want) in STEPS {
        // The end of one page is the beginning of the next, and no line is in both.
        let page = lines(&w, at, at + hour)?;
        ensure(page.iter().all(|line| line.at == at && line.booking == booking.id), what)?;
        same(what, sums(&page)?.as_str(), want)?;
        pages.extend(page);
        at = at + hour;
    }
    let all = lines(&w, start, at)?;
    same("all pages", &pages, &all)?;
    same("the whole", sums(&all)?.as_str(), WHOLE)?;
    if let Some(again) = w.reopen() {
        same("after a restart", lines(&again, start, at)?, all)?;
    }
    Ok(())
}
