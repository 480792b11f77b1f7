//! Real bookings for requests that are made by chance: no chance finds the id of one, and without it every operation on a
//! booking would only ever be asked for what is not there.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::client::Client;

const VALUES: &str = r#"
[dictionaries]
show = { values = ["show-1"] }
seat = { values = ["K1", "K2", "K3", "K4"] }
cents = { values = [1, 50] }
currency = { values = ["EUR"] }
"#;
/// How often a real value takes the place of one that was made.
const OFTEN: &str = "0.7";
const SHOW: &str = "show-1";
/// No healthy machine needs so long until the news of a payment arrives.
const PATIENCE: Duration = Duration::from_secs(60);

/// Operations that are asked about one booking. What they do to it is no other's affair.
struct Asked {
    operations: &'static [&'static str],
    about: Kind,
    /// What else is real there, by the name of its values.
    more: &'static [(&'static str, &'static str)],
}

const ASKED: [Asked; 7] = [
    Asked {
        operations: &["read_booking", "list_tickets", "print_tickets", "read_calendar"],
        about: Kind::Paid(2),
        more: &[],
    },
    Asked { operations: &["change_booking"], about: Kind::Held, more: &[] },
    Asked { operations: &["start_payment"], about: Kind::Held, more: &[] },
    Asked { operations: &["cancel_booking"], about: Kind::Paid(2), more: &[] },
    Asked { operations: &["exchange_tickets"], about: Kind::Paid(4), more: &[] },
    Asked {
        operations: &["reissue_ticket"],
        about: Kind::Paid(2),
        more: &[("path.ticket", "ticket-of-reissue_ticket")],
    },
    Asked {
        operations: &["refund_booking"],
        about: Kind::Paid(8),
        more: &[
            ("body.tickets[*]", "ticket-of-refund_booking"),
            ("body.amount.amount", "cents"),
            ("body.amount.currency", "currency"),
        ],
    },
];

/// What has to come to a good end at least once, or the real values were of no use.
const REACHED: [(&str, &str); 16] = [
    ("POST", "/api/v1/bookings"),
    ("GET", "/api/v1/bookings/{id}"),
    ("PATCH", "/api/v1/bookings/{id}"),
    ("POST", "/api/v1/bookings/{id}/cancel"),
    ("POST", "/api/v1/bookings/{id}/exchange"),
    ("POST", "/api/v1/bookings/{id}/payments"),
    ("GET", "/api/v1/bookings/{id}/tickets"),
    ("GET", "/api/v1/bookings/{id}/tickets.pdf"),
    ("GET", "/api/v1/bookings/{id}/tickets.ics"),
    ("POST", "/api/v1/bookings/{id}/tickets/{ticket}/reissue"),
    ("POST", "/api/v1/admin/bookings/{id}/refunds"),
    ("POST", "/api/v1/admin/shows/{id}/blocks"),
    ("POST", "/api/v1/admin/shows/{id}/cancel"),
    ("GET", "/api/v1/admin/shows/{id}/door-list.pdf"),
    ("POST", "/api/v1/admin/sales/reopen"),
    ("GET", "/api/v1/shows/{id}/seats"),
];

#[derive(Debug, Clone, Copy)]
enum Kind {
    Held,
    /// So many seats.
    Paid(u8),
}

/// Makes the bookings, and the part of the configuration that names them. `own`: each is asked about with its own token.
///
/// # Errors
/// If the server does not sell.
pub(super) fn config(client: &Client, own: bool) -> Result<String> {
    let mut text = VALUES.to_owned();
    let mut asked = String::new();
    for Asked { operations, about, more } in ASKED {
        let booking = make(client, about)?;
        let (id, name) = (text_of(&booking, "id")?, operations[0]);
        text += &format!("{name} = {{ values = [\"{id}\"] }}\n");
        if !more.is_empty() {
            text += &format!("ticket-of-{name} = {{ values = [\"{}\"] }}\n", first_ticket(client, &booking)?);
        }
        asked += &section(operations, &[&[("path.id", name)], more].concat());
        if own {
            asked += &format!("headers = {{ Authorization = \"Bearer {}\" }}\n", text_of(&booking, "token")?);
        }
    }
    asked += &section(&["make_booking"], &[("body.show", "show"), ("body.seats[*]", "seat")]);
    asked += &section(&["block_seats", "unblock_seats"], &[("path.id", "show"), ("body.seats[*]", "seat")]);
    asked += &section(
        &["read_show", "read_seats", "print_door_list", "cancel_show", "read_show_cancellation"],
        &[("path.id", "show")],
    );
    Ok(text + &asked)
}

/// # Errors
/// If the server's log, from where the tool began to ask, has no good answer for one of [`REACHED`].
pub(super) fn check_reached(log: &str) -> Result<()> {
    let good = |(method, route): &(&str, &str)| {
        let asked = format!("method={method} route=\"{route}\"}}");
        log.lines().filter(|line| line.contains(&asked) && line.contains("answered status=2")).count()
    };
    let counts: Vec<(&str, &str, usize)> = REACHED.iter().map(|of| (of.0, of.1, good(of))).collect();
    let unreached: Vec<_> = counts.iter().filter(|(.., count)| *count == 0).collect();
    ensure!(unreached.is_empty(), "never answered well: {unreached:?} of {counts:?}");
    Ok(())
}

fn section(operations: &[&str], bound: &[(&str, &str)]) -> String {
    let bind = |(parameter, name): &(&str, &str)| {
        format!("\"{parameter}\" = {{ dictionary = \"{name}\", probability = {OFTEN} }}")
    };
    let bound: Vec<String> = bound.iter().map(bind).collect();
    format!("\n[[operations]]\ninclude-operation-id = {operations:?}\nparameters = {{ {} }}\n", bound.join(", "))
}

fn make(client: &Client, kind: Kind) -> Result<Value> {
    let seats = match kind {
        Kind::Held => 1,
        Kind::Paid(seats) => seats,
    };
    let customer = json!({ "email": "buyer@example.org" });
    let hold = json!({ "show": SHOW, "best": { "count": seats }, "customer": customer });
    let booking = answered(client.post("/api/v1/bookings", None, &hold), 201)?;
    match kind {
        Kind::Held => {}
        Kind::Paid(_) => pay(client, &booking)?,
    }
    Ok(booking)
}

fn pay(client: &Client, booking: &Value) -> Result<()> {
    let (path, token) = (path(booking)?, text_of(booking, "token")?);
    let payment = answered(client.post(&format!("{path}/payments"), Some(token), &json!({})), 201)?;
    client
        .press(text_of(&payment, "checkout_url")?, &[("outcome", "success")])
        .context("the sandbox does not answer")?;
    let began = Instant::now();
    while answered(client.get(&path, Some(token)), 200)?["status"] != "confirmed" {
        ensure!(began.elapsed() < PATIENCE, "a booking that was paid is not confirmed");
        std::thread::yield_now();
    }
    Ok(())
}

fn first_ticket(client: &Client, booking: &Value) -> Result<String> {
    let tickets = client.get(&format!("{}/tickets", path(booking)?), Some(text_of(booking, "token")?));
    Ok(text_of(&answered(tickets, 200)?["items"][0], "id")?.to_owned())
}

fn path(booking: &Value) -> Result<String> {
    Ok(format!("/api/v1/bookings/{}", text_of(booking, "id")?))
}

fn text_of<'a>(value: &'a Value, member: &str) -> Result<&'a str> {
    value[member].as_str().with_context(|| format!("no {member} was answered: {value}"))
}

fn answered(answer: Option<crate::client::Answer>, status: u16) -> Result<Value> {
    let answer = answer.context("the server does not answer")?;
    ensure!(answer.status == status, "{}: {}", answer.status, answer.body);
    Ok(answer.body)
}
