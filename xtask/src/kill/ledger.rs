//! What buyers asked and were answered, kept outside the server, and compared with what the
//! server says after its restart.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use crate::client::{Answer, Client};

/// What a buyer tells.
#[derive(Debug)]
pub(super) enum Note {
    Held { booking: String, token: String },
    PayAsked(String),
    Confirmed(String),
    CancelAsked(String),
    Cancelled { booking: String, refund: bool },
    Fault(String),
}

impl Note {
    pub(super) fn is_answer(&self) -> bool {
        match self {
            Self::Held { .. } | Self::Confirmed(_) | Self::Cancelled { .. } => true,
            Self::PayAsked(_) | Self::CancelAsked(_) | Self::Fault(_) => false,
        }
    }
}

/// One booking as its buyer knows it.
#[derive(Debug, Default)]
struct Known {
    token: String,
    pay_asked: bool,
    cancel_asked: bool,
    confirmed: bool,
    cancelled: bool,
    refund: bool,
}

#[derive(Debug, Default)]
pub(super) struct Ledger {
    bookings: BTreeMap<String, Known>,
    faults: Vec<String>,
}

impl Ledger {
    pub(super) fn write(&mut self, note: Note) {
        let bookings = &mut self.bookings;
        match note {
            Note::Held { booking, token } => bookings.entry(booking).or_default().token = token,
            Note::PayAsked(booking) => bookings.entry(booking).or_default().pay_asked = true,
            Note::Confirmed(booking) => bookings.entry(booking).or_default().confirmed = true,
            Note::CancelAsked(booking) => bookings.entry(booking).or_default().cancel_asked = true,
            Note::Cancelled { booking, refund } => {
                let known = bookings.entry(booking).or_default();
                (known.cancelled, known.refund) = (true, refund);
            }
            Note::Fault(body) => self.faults.push(body),
        }
    }

    /// Asks the server about every booking that was ever answered; says how many.
    ///
    /// # Errors
    /// With the first booking that is not as it was answered.
    pub(super) fn check(&self, client: &Client) -> Result<usize> {
        if let Some(fault) = self.faults.first() {
            bail!("a request was answered with status 500: {fault}");
        }
        for (id, known) in &self.bookings {
            let answer = client.get(&format!("/api/v1/bookings/{id}"), Some(&known.token));
            let answer = answer.with_context(|| format!("booking {id}: no answer"))?;
            ensure!(answer.status == 200, "booking {id} was answered and is gone: {}", answer.body);
            let status = answer.body["status"].as_str().unwrap_or_default();
            ensure!(known.allows(status), "booking {id} reads {status}, but its buyer knows {known:?}");
            let refunds = answer.body["refunds"].as_array().map_or(0, Vec::len);
            ensure!(!known.refund || refunds > 0, "booking {id} was promised a refund and has none");
        }
        Ok(self.bookings.len())
    }

    /// Cancels what is left, so that the next round finds seats.
    pub(super) fn give_back_seats(&mut self, client: &Client) {
        for (id, known) in self.bookings.iter_mut().filter(|(_, known)| !known.cancelled) {
            known.cancel_asked = true;
            let answer = client.post(&format!("/api/v1/bookings/{id}/cancel"), Some(&known.token), &json!({}));
            if let Some(answer) = answer.filter(|answer| answer.status == 200) {
                known.cancelled = true;
                known.refund = promises_refund(&answer);
            }
        }
    }

    pub(super) fn summary(&self) -> String {
        let count = |which: fn(&Known) -> bool| self.bookings.values().filter(|known| which(known)).count();
        let (confirmed, cancelled) = (count(|known| known.confirmed), count(|known| known.cancelled));
        format!("{} bookings held, {confirmed} confirmed, {cancelled} cancelled", self.bookings.len())
    }
}

/// A cancellation that gives nothing back names no refund.
pub(super) fn promises_refund(cancelled: &Answer) -> bool {
    cancelled.body["refund"]["id"].is_string()
}

impl Known {
    /// Whether the booking may read so after what was asked and answered. A question whose
    /// answer the kill swallowed may have been done or not.
    fn allows(&self, status: &str) -> bool {
        match status {
            "pending_payment" => !self.confirmed && !self.cancelled,
            "confirmed" => self.pay_asked && !self.cancelled,
            "cancelled" => self.cancel_asked,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_was_given_must_hold() {
        let held = Known::default();
        let paying = Known { pay_asked: true, ..Known::default() };
        let confirmed = Known { pay_asked: true, confirmed: true, ..Known::default() };
        let cancelling = Known { pay_asked: true, confirmed: true, cancel_asked: true, ..Known::default() };
        let cancelled = Known { cancel_asked: true, cancelled: true, ..Known::default() };
        let cases: [(&Known, &[&str]); 5] = [
            (&held, &["pending_payment"]),
            (&paying, &["pending_payment", "confirmed"]),
            (&confirmed, &["confirmed"]),
            (&cancelling, &["confirmed", "cancelled"]),
            (&cancelled, &["cancelled"]),
        ];
        for (known, allowed) in cases {
            for status in ["pending_payment", "confirmed", "cancelled", "expired", ""] {
                assert_eq!(known.allows(status), allowed.contains(&status), "{known:?} {status}");
            }
        }
    }
}
