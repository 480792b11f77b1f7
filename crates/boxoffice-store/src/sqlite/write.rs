//! From a decision to rows: claims guarded by what was seen, the booking's differences, events.

use std::borrow::Cow;
use std::sync::LazyLock;

use boxoffice::booking::{Attempt, Booking, Notice, Refund, Ticket};
use boxoffice::claim::{Claim, ClaimChange};
use boxoffice::event::{Event, EventKind};
use boxoffice::id::ShowNo;
use boxoffice::show::ShowSpec;
use boxoffice::time::Timestamp;
use rusqlite::{Connection, params};
use serde::Serialize;

use super::rows::Terms;
use super::trouble::{Result, Trouble};
use super::words;

#[cfg(test)]
mod tests;

type ClaimColumns = (&'static str, Option<[u8; 16]>, Option<i64>);

fn columns(claim: &Claim) -> ClaimColumns {
    match claim {
        Claim::Held { booking, until } => ("held", Some(booking.to_bytes()), Some(until.as_ms())),
        Claim::Sold { booking } => ("sold", Some(booking.to_bytes()), None),
        Claim::Blocked { until } => ("blocked", None, until.map(Timestamp::as_ms)),
    }
}

/// New claims that one statement makes at most.
const CLAIMS_AT_ONCE: usize = 8;

/// Makes n new claims of the same kind: a statement for each n up to [`CLAIMS_AT_ONCE`], in order.
static NEW_CLAIMS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let row = |n: usize| format!("(?1, ?{}, ?2, ?3, ?4)", n + 5);
    let statement = |rows: usize| {
        let rows: Vec<String> = (0..rows).map(row).collect();
        format!(
            "INSERT INTO claims (show_no, seat_no, state, booking, until_ms) VALUES {} ON CONFLICT DO NOTHING",
            rows.join(", ")
        )
    };
    (1..=CLAIMS_AT_ONCE).map(statement).collect()
});

/// Changes the claims that still stand as the decision saw them. One that does not is a bug, and nothing of the step may
/// stay.
pub(super) fn claims(connection: &Connection, show: ShowNo, changes: &[ClaimChange]) -> Result<()> {
    let is_new = |change: &ClaimChange| change.was.is_none() && change.becomes.is_some();
    for alike in changes.chunk_by(|a, b| is_new(a) && is_new(b) && a.becomes == b.becomes) {
        match alike {
            [change] => claim(connection, show, change)?,
            _ => alike.chunks(CLAIMS_AT_ONCE).try_for_each(|some| new_claims(connection, show, some))?,
        }
    }
    Ok(())
}

fn new_claims(connection: &Connection, show: ShowNo, alike: &[ClaimChange]) -> Result<()> {
    let becomes = alike.first().and_then(|change| change.becomes.as_ref()).map(columns);
    let statement = alike.len().checked_sub(1).and_then(|at| NEW_CLAIMS.get(at));
    let (Some((state, booking, until)), Some(statement)) = (becomes, statement) else {
        return Err(Trouble::bug("claims are made that are none"));
    };
    let mut statement = connection.prepare_cached(statement)?;
    statement.raw_bind_parameter(1, show.0)?;
    statement.raw_bind_parameter(2, state)?;
    statement.raw_bind_parameter(3, booking)?;
    statement.raw_bind_parameter(4, until)?;
    for (at, change) in alike.iter().enumerate() {
        statement.raw_bind_parameter(at + 5, change.seat.0)?;
    }
    if statement.raw_execute()? == alike.len() {
        return Ok(());
    }
    let seats: Vec<String> = alike.iter().map(|change| change.seat.0.to_string()).collect();
    Err(Trouble::bug(format!(
        "one of the seats {} of show {} is claimed, which was not seen",
        seats.join(", "),
        show.0
    )))
}

/// Changes one claim if it still stands as the decision saw it; else it is a bug, and nothing of
/// the step may stay.
fn claim(connection: &Connection, show: ShowNo, change: &ClaimChange) -> Result<()> {
    let seat = change.seat.0;
    let changed = match (change.was.as_ref().map(columns), change.becomes.as_ref().map(columns)) {
        (None, None) => return Ok(()),
        (None, Some((state, booking, until))) => connection
            .prepare_cached(
                "INSERT INTO claims (show_no, seat_no, state, booking, until_ms) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO NOTHING",
            )?
            .execute(params![show.0, seat, state, booking, until])?,
        (Some(was), Some((state, booking, until))) => connection
            .prepare_cached(
                "UPDATE claims SET state = ?3, booking = ?4, until_ms = ?5 WHERE show_no = ?1 AND seat_no = ?2
                 AND state = ?6 AND booking IS ?7 AND until_ms IS ?8",
            )?
            .execute(params![show.0, seat, state, booking, until, was.0, was.1, was.2])?,
        (Some(was), None) => connection
            .prepare_cached(
                "DELETE FROM claims WHERE show_no = ?1 AND seat_no = ?2
                 AND state = ?3 AND booking IS ?4 AND until_ms IS ?5",
            )?
            .execute(params![show.0, seat, was.0, was.1, was.2])?,
    };
    if changed == 1 {
        Ok(())
    } else {
        Err(Trouble::bug(format!("the claim on seat {seat} of show {} is not the one that was seen", show.0)))
    }
}

/// A show that a step changed. Whoever remembers it learns of it by the catalogue's version.
pub(super) fn show(connection: &Connection, no: ShowNo, spec: &ShowSpec) -> Result<()> {
    connection
        .prepare_cached("UPDATE shows SET body = ?2, changes = changes + 1 WHERE no = ?1")?
        .execute(params![no.0, serde_json::to_string(spec)?])?;
    connection.execute("UPDATE meta SET catalogue_version = catalogue_version + 1", [])?;
    Ok(())
}

/// Numbers the event `seq` in its show.
pub(super) fn event(connection: &Connection, show: ShowNo, seq: u64, event: &Event, at: Timestamp) -> Result<()> {
    let seq = i64::try_from(seq).map_err(|_| Trouble::bug("a show has run out of event numbers"))?;
    let booking = event.booking.map(|id| id.to_bytes());
    connection
        .prepare_cached(
            "INSERT INTO events (show_no, seq, at_ms, booking, kind, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![show.0, seq, at.as_ms(), booking, event.kind.as_str(), detail(&event.kind)?])?;
    Ok(())
}

/// What a kind of event carries, as JSON.
fn detail(kind: &EventKind) -> Result<Option<String>> {
    let tagged = serde_json::to_value(kind)?;
    let inside = tagged.as_object().and_then(|tagged| tagged.values().next());
    Ok(inside.map(ToString::to_string))
}

/// Writes what differs between the booking as it was and as it is now.
pub(super) fn booking(connection: &Connection, was: Option<&Booking>, is: &Booking) -> Result<()> {
    match was {
        None => insert(connection, is)?,
        Some(was) => update(connection, was, is)?,
    }
    for attempt in changed(was.map(|b| b.attempts.as_slice()), &is.attempts) {
        self::attempt(connection, attempt)?;
    }
    for refund in changed(was.map(|b| b.refunds.as_slice()), &is.refunds) {
        self::refund(connection, refund)?;
    }
    for ticket in changed(was.map(|b| b.tickets.as_slice()), &is.tickets) {
        self::ticket(connection, ticket)?;
    }
    for notice in changed(was.map(|b| b.notices.as_slice()), &is.notices) {
        self::notice(connection, notice)?;
    }
    Ok(())
}

/// Parts are only ever added at the end or changed in their place.
fn changed<'a, T: PartialEq>(was: Option<&'a [T]>, is: &'a [T]) -> impl Iterator<Item = &'a T> {
    let was = was.unwrap_or(&[]);
    is.iter().enumerate().filter(|(at, part)| was.get(*at) != Some(*part)).map(|(_, part)| part)
}

fn terms(booking: &Booking) -> Result<String> {
    Ok(serde_json::to_string(&Terms {
        show: Cow::Borrowed(&booking.show),
        seats: Cow::Borrowed(&booking.seats),
        price: Cow::Borrowed(&booking.price),
        refund_policy: Cow::Borrowed(&booking.refund_policy),
        late_payment: booking.late_payment,
        metadata: Cow::Borrowed(&booking.metadata),
        promo: booking.promo.as_ref().map(Cow::Borrowed),
        told: booking.told.as_ref().map(Cow::Borrowed),
        replaces: booking.replaces.as_ref().map(Cow::Borrowed),
        erase_at: booking.erase_at,
    })?)
}

fn insert(connection: &Connection, is: &Booking) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO bookings (id, show_no, reference, status, channel, created_at_ms, first_deadline_ms,
                expires_at_ms, extended, due_at_ms, customer_name, customer_email, customer_phone, customer_locale,
                terms, cancellations, paid_by)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
        )?
        .execute(params![
            is.id.to_bytes(),
            is.id.show().0,
            is.reference,
            is.status.as_str(),
            words::channel(is.channel),
            is.created_at.as_ms(),
            is.first_deadline.as_ms(),
            is.expires_at.as_ms(),
            is.extended,
            is.due_at().map(Timestamp::as_ms),
            is.customer.name,
            is.customer.email,
            is.customer.phone,
            is.customer.locale,
            terms(is)?,
            json_list(&is.cancellations)?,
            is.paid_by,
        ])?;
    Ok(())
}

/// The part that moves with every step, and apart from it what seldom changes.
fn update(connection: &Connection, was: &Booking, is: &Booking) -> Result<()> {
    let moving = |b: &Booking| (b.status, b.expires_at, b.extended, b.due_at(), b.paid_by);
    if moving(was) != moving(is) || was.cancellations != is.cancellations {
        connection
            .prepare_cached(
                "UPDATE bookings SET status = ?2, expires_at_ms = ?3, extended = ?4, due_at_ms = ?5, cancellations = ?6,
                 paid_by = ?7 WHERE id = ?1",
            )?
            .execute(params![
                is.id.to_bytes(),
                is.status.as_str(),
                is.expires_at.as_ms(),
                is.extended,
                is.due_at().map(Timestamp::as_ms),
                json_list(&is.cancellations)?,
                is.paid_by,
            ])?;
    }
    if was.customer != is.customer {
        let customer = &is.customer;
        connection
            .prepare_cached(
                "UPDATE bookings SET customer_name = ?2, customer_email = ?3, customer_phone = ?4,
                 customer_locale = ?5 WHERE id = ?1",
            )?
            .execute(params![is.id.to_bytes(), customer.name, customer.email, customer.phone, customer.locale])?;
    }
    if terms_differ(was, is) {
        connection
            .prepare_cached("UPDATE bookings SET terms = ?2 WHERE id = ?1")?
            .execute(params![is.id.to_bytes(), terms(is)?])?;
    }
    Ok(())
}

fn terms_differ(was: &Booking, is: &Booking) -> bool {
    (&was.show, &was.seats, &was.price) != (&is.show, &is.seats, &is.price)
        || (&was.metadata, &was.promo, &was.told) != (&is.metadata, &is.promo, &is.told)
        || was.erase_at != is.erase_at
}

/// `None` for an empty list.
fn json_list<T: Serialize>(list: &[T]) -> Result<Option<String>> {
    Ok((!list.is_empty()).then(|| serde_json::to_string(list)).transpose()?)
}

fn attempt(connection: &Connection, is: &Attempt) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO payments (booking, no, gateway, payment_id, status, amount, currency, captured,
                captured_currency, checkout_url, checkout_ends_at_ms, started_at_ms, closed, ask_at_ms,
                return_url, returned, second_on, dispute, dispute_lost, moved_from)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
             ON CONFLICT (booking, no) DO UPDATE SET payment_id = ?4, status = ?5, captured = ?8,
                captured_currency = ?9, checkout_url = ?10, checkout_ends_at_ms = ?11, closed = ?13, ask_at_ms = ?14,
                returned = ?16, dispute = ?18, dispute_lost = ?19",
        )?
        .execute(params![
            is.id.booking.to_bytes(),
            is.id.no,
            is.gateway,
            is.payment_id,
            is.status.as_str(),
            is.amount.minor(),
            is.amount.currency().code(),
            is.captured.map(|money| money.minor()),
            is.captured.map(|money| money.currency().code()),
            is.checkout_url,
            is.checkout_ends_at.as_ms(),
            is.started_at.as_ms(),
            is.closed,
            is.ask_at.map(Timestamp::as_ms),
            is.return_url,
            is.returned,
            is.second_on,
            is.dispute.map(|dispute| dispute.status.as_str()),
            is.dispute.and_then(|dispute| dispute.lost).map(|money| money.minor()),
            is.moved_from.as_ref().map(serde_json::to_string).transpose()?,
        ])?;
    Ok(())
}

fn refund(connection: &Connection, is: &Refund) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO refunds (booking, no, payment, amount, currency, reason, status, provider_refund_id,
                requested_at_ms, tries, next_try_at_ms, shares, by_staff, moved_to, dispute_told)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT (booking, no) DO UPDATE SET status = ?7, provider_refund_id = ?8, tries = ?10,
                next_try_at_ms = ?11, dispute_told = ?15",
        )?
        .execute(params![
            is.id.booking.to_bytes(),
            is.id.no,
            is.attempt,
            is.amount.minor(),
            is.amount.currency().code(),
            is.reason.as_str(),
            is.status.as_str(),
            is.provider_refund_id,
            is.requested_at.as_ms(),
            is.tries,
            is.next_try_at.map(Timestamp::as_ms),
            json_list(&is.shares)?,
            is.by_staff.as_ref().map(serde_json::to_string).transpose()?,
            is.moved_to.as_ref().map(serde_json::to_string).transpose()?,
            is.dispute_told.map(|status| status.as_str()),
        ])?;
    Ok(())
}

fn notice(connection: &Connection, is: &Notice) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO notices (booking, no, kind, detail, status, made_at_ms, due_since_ms, resends, tries,
                next_try_at_ms, sent_at_ms, links_only, last_error)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
             ON CONFLICT (booking, no) DO UPDATE SET status = ?5, due_since_ms = ?7, resends = ?8, tries = ?9,
                next_try_at_ms = ?10, sent_at_ms = ?11, links_only = ?12, last_error = ?13",
        )?
        .execute(params![
            is.id.booking.to_bytes(),
            is.id.no,
            is.kind.as_str(),
            serde_json::to_string(&is.kind)?,
            is.status.as_str(),
            is.made_at.as_ms(),
            is.due_since.as_ms(),
            is.resends,
            is.tries,
            is.next_try_at.map(Timestamp::as_ms),
            is.sent_at.map(Timestamp::as_ms),
            is.links_only,
            is.last_error,
        ])?;
    Ok(())
}

fn ticket(connection: &Connection, is: &Ticket) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO tickets (booking, no, seat_no, label, ticket_type, status, void_reason, serial, holder, scans)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (booking, no) DO UPDATE SET status = ?6, void_reason = ?7, serial = ?8, holder = ?9,
                scans = ?10",
        )?
        .execute(params![
            is.id.booking.to_bytes(),
            is.id.no,
            is.seat.0,
            is.label,
            is.ticket_type,
            is.status.as_str(),
            is.void_reason.map(words::void_reason),
            is.serial,
            is.holder,
            json_list(&is.scans)?,
        ])?;
    Ok(())
}
