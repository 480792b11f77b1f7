//! From rows to the domain: the shared row, claims, and bookings with all that hangs off them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use boxoffice::booking::{
    Attempt, BookedSeat, Booking, Customer, Dispute, Notice, PromoUse, Quote, Refund, Replaces, ShowStamp, Ticket,
};
use boxoffice::claim::{Claim, ShowSeats};
use boxoffice::clock::ClockSetting;
use boxoffice::id::{BookingId, PartId, SeatNo, ShowNo};
use boxoffice::sales::Sales;
use boxoffice::show::{LatePayment, RefundPolicy};
use boxoffice::store::BookingFilter;
use boxoffice::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::trouble::{Result, Trouble};
use super::words;

/// What the whole store shares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meta {
    pub(super) epoch: u64,
    pub(super) catalogue_version: i64,
    pub(super) clock_version: i64,
    pub(super) clock: ClockSetting,
    pub(super) sales: Sales,
}

/// What a hold froze, as the `terms` column keeps it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Terms<'a> {
    pub(super) show: Cow<'a, ShowStamp>,
    pub(super) seats: Cow<'a, [BookedSeat]>,
    pub(super) price: Cow<'a, Quote>,
    pub(super) refund_policy: Cow<'a, RefundPolicy>,
    pub(super) late_payment: LatePayment,
    pub(super) metadata: Cow<'a, BTreeMap<String, String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) promo: Option<Cow<'a, PromoUse>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) told: Option<Cow<'a, ShowStamp>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) replaces: Option<Cow<'a, Replaces>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) erase_at: Option<Timestamp>,
}

pub(super) fn instant(ms: i64) -> Timestamp {
    Timestamp::from_ms(ms)
}

pub(super) fn meta(connection: &Connection) -> rusqlite::Result<Meta> {
    let mut statement = connection.prepare_cached(
        "SELECT epoch, catalogue_version, clock_version, clock_offset_ms, clock_frozen_at_ms, sales_closed_at_ms
         FROM meta",
    )?;
    statement.query_row([], |row| {
        Ok(Meta {
            epoch: row.get::<_, i64>(0)?.unsigned_abs(),
            catalogue_version: row.get(1)?,
            clock_version: row.get(2)?,
            clock: ClockSetting { offset_ms: row.get(3)?, frozen_at: row.get::<_, Option<i64>>(4)?.map(instant) },
            sales: row.get::<_, Option<i64>>(5)?.map_or(Sales::Open, |ms| Sales::Closed { since: instant(ms) }),
        })
    })
}

/// Every claim row of a show, by seat.
pub(super) fn claims(connection: &Connection, show: ShowNo) -> Result<Vec<(SeatNo, Claim)>> {
    let mut statement = connection
        .prepare_cached("SELECT seat_no, state, booking, until_ms FROM claims WHERE show_no = ?1 ORDER BY seat_no")?;
    let mut rows = statement.query([show.0])?;
    let mut claims = Vec::new();
    while let Some(row) = rows.next()? {
        claims.push((SeatNo(row.get(0)?), claim(row)?));
    }
    Ok(claims)
}

fn claim(row: &Row<'_>) -> Result<Claim> {
    let booking = row.get::<_, Option<[u8; 16]>>(2)?.map(BookingId::from_bytes);
    let until = row.get::<_, Option<i64>>(3)?.map(instant);
    match (row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?, booking, until) {
        ("held", Some(booking), Some(until)) => Ok(Claim::Held { booking, until }),
        ("sold", Some(booking), None) => Ok(Claim::Sold { booking }),
        ("blocked", None, until) => Ok(Claim::Blocked { until }),
        (state, ..) => Err(Trouble::bug(format!("a claim stands as `{state}` with the wrong owner or deadline"))),
    }
}

/// All claims of a show by seat, and the show's version.
pub(super) fn seats(connection: &Connection, show: ShowNo, count: usize) -> Result<ShowSeats> {
    let mut seats = ShowSeats::empty(show, count);
    for (seat, claim) in claims(connection, show)? {
        let Some(place) = seats.claims.get_mut(seat.index()) else {
            return Err(Trouble::bug(format!(
                "show {} has a claim on seat {}, which its layout has not",
                show.0, seat.0
            )));
        };
        *place = Some(claim);
    }
    seats.version = version(connection, show)?;
    Ok(seats)
}

/// A show's version.
pub(super) fn version(connection: &Connection, show: ShowNo) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached(
        "SELECT max(version_floor, coalesce((SELECT max(seq) FROM events WHERE show_no = ?1), 0))
         FROM shows WHERE no = ?1",
    )?;
    statement.query_row([show.0], |row| Ok(row.get::<_, i64>(0)?.unsigned_abs()))
}

/// The instant of a show's last event; the beginning of time if it has none.
pub(super) fn newest(connection: &Connection, show: ShowNo) -> Result<Timestamp> {
    let mut statement =
        connection.prepare_cached("SELECT at_ms FROM events WHERE show_no = ?1 ORDER BY seq DESC LIMIT 1")?;
    let at_ms: Option<i64> = statement.query_row([show.0], |row| row.get(0)).optional()?;
    Ok(instant(at_ms.unwrap_or(i64::MIN)))
}

/// The instant that the store had come to at its last commit.
pub(super) fn newest_of_all(connection: &Connection) -> rusqlite::Result<Timestamp> {
    connection.query_row("SELECT newest_at_ms FROM meta", [], |row| row.get(0).map(instant))
}

/// Notes the instant that the store has come to.
pub(super) fn note_newest(connection: &Connection, at: Timestamp) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("UPDATE meta SET newest_at_ms = ?1 WHERE newest_at_ms < ?1")?;
    statement.execute([at.as_ms()]).map(drop)
}

const BOOKING: &str = "SELECT id, reference, status, channel, created_at_ms, first_deadline_ms, expires_at_ms,
    extended, customer_name, customer_email, customer_phone, customer_locale, terms, cancellations, paid_by
    FROM bookings";

pub(super) fn booking(connection: &Connection, id: BookingId) -> Result<Option<Booking>> {
    let mut statement = connection.prepare_cached(&format!("{BOOKING} WHERE id = ?1"))?;
    let found = statement.query_row([id.to_bytes()], |row| Ok(head(row))).optional()?;
    found.map(|head| parts(connection, head?)).transpose()
}

/// Bookings of a reference, in two parts that each have an index.
const OF_REFERENCE: &str = "no IN (SELECT no FROM bookings WHERE reference = ?3 AND status <> 'pending_payment'
    UNION ALL SELECT no FROM bookings WHERE due_at_ms IS NOT NULL AND status = 'pending_payment' AND reference = ?3)";

/// The bookings that match, by id. The columns with an index narrow down; the filter has the last word.
pub(super) fn bookings(connection: &Connection, filter: &BookingFilter) -> Result<Vec<Booking>> {
    let (lowest, highest) = filter.show.map_or(([0; 16], [u8::MAX; 16]), of_show);
    let lowest = filter.after.map_or(lowest, |after| lowest.max(after.to_bytes()));
    let reference = if filter.reference.is_some() { OF_REFERENCE } else { "?3 IS NULL" };
    let email = if filter.email.is_some() { "customer_email = ?4 COLLATE NOCASE" } else { "?4 IS NULL" };
    let mut statement = connection
        .prepare_cached(&format!("{BOOKING} WHERE id BETWEEN ?1 AND ?2 AND {reference} AND {email} ORDER BY id"))?;
    let mut rows = statement.query(params![lowest, highest, filter.reference, filter.email])?;
    let mut bookings = Vec::new();
    while let Some(row) = rows.next()? {
        let head = head(row)?;
        if filter.matches(&head) {
            bookings.push(parts(connection, head)?);
        }
        if filter.limit != 0 && bookings.len() == filter.limit {
            break;
        }
    }
    Ok(bookings)
}

/// The lowest and the highest id that a booking of the show can have.
pub(super) fn of_show(show: ShowNo) -> ([u8; 16], [u8; 16]) {
    let lowest = u128::from(show.0) << 96;
    (lowest.to_be_bytes(), (lowest | (u128::MAX >> 32)).to_be_bytes())
}

/// All bookings of a show, in the order of their ids.
pub(super) fn bookings_of(connection: &Connection, show: ShowNo) -> Result<Vec<Booking>> {
    bookings(connection, &BookingFilter { show: Some(show), ..BookingFilter::default() })
}

/// A booking without its payments, refunds and tickets.
fn head(row: &Row<'_>) -> Result<Booking> {
    let word = |column| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
    let terms: Terms<'static> = serde_json::from_str(word(12)?)?;
    let cancellations: Option<String> = row.get(13)?;
    Ok(Booking {
        id: BookingId::from_bytes(row.get(0)?),
        reference: row.get(1)?,
        status: words::read("a booking's status", word(2)?)?,
        channel: words::read("a booking's channel", word(3)?)?,
        show: terms.show.into_owned(),
        seats: terms.seats.into_owned(),
        price: terms.price.into_owned(),
        refund_policy: terms.refund_policy.into_owned(),
        late_payment: terms.late_payment,
        customer: Customer { name: row.get(8)?, email: row.get(9)?, phone: row.get(10)?, locale: row.get(11)? },
        metadata: terms.metadata.into_owned(),
        created_at: instant(row.get(4)?),
        first_deadline: instant(row.get(5)?),
        expires_at: instant(row.get(6)?),
        extended: row.get(7)?,
        paid_by: row.get(14)?,
        attempts: Vec::new(),
        refunds: Vec::new(),
        tickets: Vec::new(),
        cancellations: listed(cancellations.as_deref())?,
        notices: Vec::new(),
        promo: terms.promo.map(Cow::into_owned),
        told: terms.told.map(Cow::into_owned),
        replaces: terms.replaces.map(Cow::into_owned),
        erase_at: terms.erase_at,
    })
}

/// A list as JSON; none was written where it was empty.
fn listed<T: DeserializeOwned>(json: Option<&str>) -> Result<Vec<T>> {
    Ok(json.map(serde_json::from_str).transpose()?.unwrap_or_default())
}

fn parts(connection: &Connection, mut booking: Booking) -> Result<Booking> {
    booking.attempts = each(connection, booking.id, PAYMENTS, attempt)?;
    booking.refunds = each(connection, booking.id, REFUNDS, refund)?;
    booking.tickets = each(connection, booking.id, TICKETS, ticket)?;
    booking.notices = each(connection, booking.id, NOTICES, notice)?;
    Ok(booking)
}

/// The rows of one kind that belong to a booking, in the order of their numbers.
fn each<T>(
    connection: &Connection,
    booking: BookingId,
    sql: &str,
    read: fn(PartId, &Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![booking.to_bytes()])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(PartId { booking, no: row.get(0)? }, row)?);
    }
    Ok(found)
}

const PAYMENTS: &str = "SELECT no, gateway, payment_id, status, amount, currency, captured, captured_currency,
    checkout_url, checkout_ends_at_ms, started_at_ms, closed, ask_at_ms, return_url, returned, second_on, dispute,
    dispute_lost, moved_from
    FROM payments WHERE booking = ?1 ORDER BY no";

fn attempt(id: PartId, row: &Row<'_>) -> Result<Attempt> {
    let captured: Option<i64> = row.get(6)?;
    let captured_currency: Option<String> = row.get(7)?;
    let lost = row.get::<_, Option<i64>>(17)?.zip(captured_currency.clone());
    let dispute: Option<String> = row.get(16)?;
    Ok(Attempt {
        id,
        gateway: row.get(1)?,
        payment_id: row.get(2)?,
        status: words::read("a payment's status", &row.get::<_, String>(3)?)?,
        amount: words::money(row.get(4)?, &row.get::<_, String>(5)?)?,
        captured: captured
            .zip(captured_currency)
            .map(|(minor, currency)| words::money(minor, &currency))
            .transpose()?,
        checkout_url: row.get(8)?,
        checkout_ends_at: instant(row.get(9)?),
        started_at: instant(row.get(10)?),
        closed: row.get(11)?,
        ask_at: row.get::<_, Option<i64>>(12)?.map(instant),
        return_url: row.get(13)?,
        returned: row.get(14)?,
        second_on: row.get(15)?,
        dispute: dispute
            .map(|word| {
                let status = words::read("a dispute's status", &word)?;
                let lost = lost.map(|(minor, currency)| words::money(minor, &currency)).transpose()?;
                Ok::<_, Trouble>(Dispute { status, lost })
            })
            .transpose()?,
        moved_from: row.get::<_, Option<String>>(18)?.as_deref().map(serde_json::from_str).transpose()?,
    })
}

const REFUNDS: &str = "SELECT no, payment, amount, currency, reason, status, provider_refund_id, requested_at_ms,
    tries, next_try_at_ms, shares, by_staff, moved_to, dispute_told FROM refunds WHERE booking = ?1 ORDER BY no";

fn refund(id: PartId, row: &Row<'_>) -> Result<Refund> {
    let by_staff: Option<String> = row.get(11)?;
    let dispute_told: Option<String> = row.get(13)?;
    Ok(Refund {
        id,
        attempt: row.get(1)?,
        amount: words::money(row.get(2)?, &row.get::<_, String>(3)?)?,
        reason: words::read("a refund's reason", &row.get::<_, String>(4)?)?,
        status: words::read("a refund's status", &row.get::<_, String>(5)?)?,
        provider_refund_id: row.get(6)?,
        requested_at: instant(row.get(7)?),
        tries: row.get(8)?,
        next_try_at: row.get::<_, Option<i64>>(9)?.map(instant),
        shares: listed(row.get::<_, Option<String>>(10)?.as_deref())?,
        by_staff: by_staff.as_deref().map(serde_json::from_str).transpose()?,
        moved_to: row.get::<_, Option<String>>(12)?.as_deref().map(serde_json::from_str).transpose()?,
        dispute_told: dispute_told.map(|word| words::read("a dispute's status", &word)).transpose()?,
    })
}

const TICKETS: &str = "SELECT no, seat_no, label, ticket_type, status, void_reason, serial, holder, scans
    FROM tickets WHERE booking = ?1 ORDER BY no";

fn ticket(id: PartId, row: &Row<'_>) -> Result<Ticket> {
    let void_reason: Option<String> = row.get(5)?;
    Ok(Ticket {
        id,
        seat: SeatNo(row.get(1)?),
        label: row.get(2)?,
        ticket_type: row.get(3)?,
        status: words::read("a ticket's status", &row.get::<_, String>(4)?)?,
        void_reason: void_reason.map(|word| words::read("a ticket's reason", &word)).transpose()?,
        serial: row.get(6)?,
        holder: row.get(7)?,
        scans: listed(row.get::<_, Option<String>>(8)?.as_deref())?,
    })
}

const NOTICES: &str =
    "SELECT no, detail, status, made_at_ms, due_since_ms, resends, tries, next_try_at_ms, sent_at_ms, links_only,
        last_error
    FROM notices WHERE booking = ?1 ORDER BY no";

/// The row without the booking that leads its key.
pub(super) fn notice(id: PartId, row: &Row<'_>) -> Result<Notice> {
    Ok(Notice {
        id,
        kind: serde_json::from_str(&row.get::<_, String>(1)?)?,
        status: words::read("a notice's status", &row.get::<_, String>(2)?)?,
        made_at: instant(row.get(3)?),
        due_since: instant(row.get(4)?),
        resends: row.get(5)?,
        tries: row.get(6)?,
        next_try_at: row.get::<_, Option<i64>>(7)?.map(instant),
        sent_at: row.get::<_, Option<i64>>(8)?.map(instant),
        links_only: row.get(9)?,
        last_error: row.get(10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema::migrate;

    #[test]
    fn a_reference_is_looked_up_without_reading_all_bookings() {
        let mut connection = Connection::open_in_memory().expect("a database");
        migrate(&mut connection, Timestamp::from_ms(0)).expect("its tables");
        let sql = format!(
            "EXPLAIN QUERY PLAN {BOOKING} WHERE id BETWEEN ?1 AND ?2 AND {OF_REFERENCE} AND ?4 IS NULL ORDER BY id"
        );
        let mut statement = connection.prepare(&sql).expect("a query");
        let plan = statement.query_map(params![[0_u8; 16], [1_u8; 16], "K7M2Q9ABC", None::<String>], |row| row.get(3));
        let plan: Vec<String> = plan.expect("a plan").collect::<rusqlite::Result<_>>().expect("its lines");
        for index in ["bookings USING INDEX bookings_by_reference", "bookings USING INDEX bookings_due"] {
            assert!(plan.iter().any(|line| line.contains(index)), "{index}: {plan:?}");
        }
        assert!(!plan.iter().any(|line| line.starts_with("SCAN")), "{plan:?}");
    }
}
