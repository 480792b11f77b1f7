//! A cinema made in code: one hall of three rows (A, B, C) of twelve seats, tickets at 12.50 euros
//! with a fee of 1.20 each, and as many shows as asked for, one a day at 20:00 in Berlin.

use std::collections::BTreeMap;

use jiff::civil::time;

use crate::catalogue::Import;
use crate::id::{CatalogueId, SeatNo};
use crate::layout::{Category, Layout, LayoutParts, LayoutPin, Seat};
use crate::money::{Currency, Money, Percent};
use crate::prices::{Fee, FeePer, FeeRate, PriceList, PriceTable, Tax};
use crate::show::{LatePayment, Movie, RefundPolicy, RefundTier, Screen, ShowSpec, Text, Theatre, Zone};
use crate::time::{Span, Timestamp};

pub const ROWS: [&str; 3] = ["A", "B", "C"];
pub const SEATS_PER_ROW: u16 = 12;
/// The price of one ticket and its fee, in cents.
pub const FACE: i64 = 1_250;
pub const FEE: i64 = 120;

/// Two days before the first show, at noon in UTC.
#[must_use]
pub fn opening() -> Timestamp {
    Timestamp::from_ms(1_812_628_800_000)
}

/// The start of the n-th show, counted from 1: 18:00 UTC.
#[must_use]
pub fn starts_at(n: u16) -> Timestamp {
    opening() + Span::from_mins((24 * (i64::from(n) + 1) + 6) * 60)
}

fn id(text: &str) -> CatalogueId {
    #[expect(clippy::expect_used, reason = "the ids of this file are fit to be ids")]
    CatalogueId::new(text).expect("an id")
}

/// The id of the n-th show, counted from 1.
#[must_use]
pub fn show_id(n: u16) -> CatalogueId {
    id(&format!("show-{n}"))
}

#[must_use]
pub fn euros(cents: i64) -> Money {
    #[expect(clippy::expect_used, reason = "EUR is a currency")]
    let euro: Currency = "EUR".parse().expect("a currency");
    Money::from_minor(cents, euro)
}

/// A hall with these rows, each from 1 to `seats_per_row`.
#[must_use]
pub fn layout(rows: &[&str], seats_per_row: u16) -> Layout {
    let seat = |(y, row): (u16, &str), x: u16| Seat {
        id: format!("{row}{}", x + 1),
        label: format!("{row}{}", x + 1),
        row: row.to_owned(),
        number: (x + 1).to_string(),
        zone: None,
        x,
        y,
        category: 0,
        wheelchair: false,
        group: None,
        companion_of: None,
        right: (x + 1 < seats_per_row).then_some(SeatNo(y * seats_per_row + x + 1)),
    };
    let rows = (0..).zip(rows.iter().copied());
    let seats = rows.flat_map(|row| (0..seats_per_row).map(move |x| seat(row, x))).collect();
    let categories = vec![Category { key: "S".into(), name: "Standard".into() }];
    Layout::from(LayoutParts { id: id("hall"), version: 0, categories, seats })
}

/// The hall as a fresh store numbers it.
#[must_use]
pub fn pin() -> LayoutPin {
    LayoutPin { id: id("hall"), version: 1 }
}

/// The whole cinema with `shows` shows.
#[must_use]
pub fn import(shows: u16) -> Import {
    let plain = |text: &str| Text::Plain(text.to_owned());
    #[expect(clippy::expect_used, reason = "the bundled database has Berlin")]
    let timezone = Zone::named("Europe/Berlin").expect("a zone");
    Import {
        over: None,
        theatres: vec![Theatre {
            id: id("kino"),
            name: plain("Kino"),
            city: "Berlin".into(),
            country: "DE".into(),
            timezone,
            currency: euros(0).currency(),
            address: None,
            business_day_starts: time(5, 0, 0, 0),
            cleaning: Span::from_mins(15),
            trailers: Span::from_mins(20),
        }],
        layouts: vec![layout(&ROWS, SEATS_PER_ROW)],
        screens: vec![Screen { id: id("screen"), theatre: id("kino"), name: plain("Hall 1"), layout: id("hall") }],
        movies: vec![Movie {
            id: id("movie"),
            title: plain("The Long Take"),
            language: "en".into(),
            runtime_min: 100,
            certificates: BTreeMap::new(),
            ids: BTreeMap::new(),
        }],
        ticket_types: Vec::new(),
        promo_codes: Vec::new(),
        taxes: vec![Tax::contained(id("cinema"), Percent::from(7)), Tax::contained(id("service"), Percent::from(19))],
        fees: vec![Fee {
            id: id("fee"),
            name: plain("Booking fee"),
            per: FeePer::Ticket,
            rate: FeeRate::Amount("1.20".into()),
            tax: id("service"),
            refundable: false,
            cap_per_booking: None,
            channels: Vec::new(),
        }],
        price_lists: vec![PriceList {
            id: id("prices"),
            currency: euros(0).currency(),
            tax: id("cinema"),
            prices: PriceTable::of_standard([("Standard".to_owned(), euros(FACE))]),
            cards: Vec::new(),
            surcharges: Vec::new(),
            fees: vec![id("fee")],
        }],
        refund_policies: vec![RefundPolicy {
            id: id("policy"),
            tiers: vec![
                RefundTier { before: Span::from_mins(24 * 60), percent: Percent::from(100) },
                RefundTier { before: Span::from_mins(2 * 60), percent: Percent::from(50) },
            ],
        }],
        shows: (1..=shows).map(show).collect(),
    }
}

/// The n-th show: holds of ten minutes, late money takes the seats again.
#[must_use]
pub fn show(n: u16) -> ShowSpec {
    ShowSpec {
        id: show_id(n),
        movie: id("movie"),
        screen: id("screen"),
        starts_at: starts_at(n),
        price_list: id("prices"),
        refund_policy: id("policy"),
        format: None,
        audio: None,
        subtitles: None,
        hold: Span::from_mins(10),
        max_seats: 10,
        sales_open: None,
        web_closes: Span::from_ms(0),
        late_payment: LatePayment::Reclaim,
        entry_opens: crate::show::ENTRY_OPENS,
        entry_closes: None,
        cancelled: false,
        refunds: None,
    }
}
