//! A buyer who holds seats, pays for most of them, cancels some, and starts again, until the server
//! answers no more. Everything he asks and is answered he tells, the question before he sends it.

use std::sync::mpsc::Sender;

use serde_json::json;

use super::ledger::{Note, promises_refund};
use crate::client::{Answer, Client};

const ROWS: [&str; 10] = ["A", "B", "C", "D", "E", "F", "G", "H", "J", "K"];
const SEATS_PER_ROW: u32 = 12;
/// How often a buyer looks whether his payment has arrived.
const LOOKS: u32 = 500;

#[derive(Debug)]
pub(super) struct Buyer {
    client: Client,
    random: fastrand::Rng,
    tell: Sender<Note>,
}

/// The server is gone, or answered what no server may answer.
struct Gone;

impl Buyer {
    pub(super) fn new(address: &str, random: fastrand::Rng, tell: Sender<Note>) -> Self {
        Self { client: Client::new(address), random, tell }
    }

    pub(super) fn shop_until_killed(mut self) {
        while self.shop().is_ok() {}
    }

    fn shop(&mut self) -> Result<(), Gone> {
        let Some((booking, token)) = self.hold()? else { return Ok(()) };
        if self.random.u32(..4) == 0 {
            return Ok(());
        }
        self.tell(Note::PayAsked(booking.clone()))?;
        self.pay(&booking, &token)?;
        if self.random.bool() {
            self.tell(Note::CancelAsked(booking.clone()))?;
            let path = format!("/api/v1/bookings/{booking}/cancel");
            let answer = self.answered(self.client.post(&path, Some(&token), &json!({})))?;
            if answer.status == 200 {
                self.tell(Note::Cancelled { booking, refund: promises_refund(&answer) })?;
            }
        }
        Ok(())
    }

    /// Two neighbours somewhere in the hall. `None`: somebody else has them.
    fn hold(&mut self) -> Result<Option<(String, String)>, Gone> {
        let row = self.random.choice(ROWS).unwrap_or("A");
        let first = self.random.u32(1..SEATS_PER_ROW);
        let seats = [format!("{row}{first}"), format!("{row}{}", first + 1)];
        let order = json!({ "show": "show-1", "seats": seats, "customer": { "email": "buyer@example.org" } });
        let answer = self.answered(self.client.post("/api/v1/bookings", None, &order))?;
        if answer.status != 201 {
            return Ok(None);
        }
        let text = |key: &str| answer.body[key].as_str().unwrap_or_default().to_owned();
        let (booking, token) = (text("id"), text("token"));
        self.tell(Note::Held { booking: booking.clone(), token: token.clone() })?;
        Ok(Some((booking, token)))
    }

    fn pay(&self, booking: &str, token: &str) -> Result<(), Gone> {
        let path = format!("/api/v1/bookings/{booking}/payments");
        let started = self.answered(self.client.post(&path, Some(token), &json!({})))?;
        let Some(page) = started.body["checkout_url"].as_str() else { return Ok(()) };
        self.answered(self.client.press(page, &[("outcome", "success")]))?;
        for _ in 0..LOOKS {
            let path = format!("/api/v1/bookings/{booking}");
            let answer = self.answered(self.client.get(&path, Some(token)))?;
            if answer.body["status"] == "confirmed" {
                return self.tell(Note::Confirmed(booking.to_owned()));
            }
        }
        Ok(())
    }

    /// No input may cause a 500; no answer is the kill.
    fn answered(&self, answer: Option<Answer>) -> Result<Answer, Gone> {
        let answer = answer.ok_or(Gone)?;
        if answer.status == 500 {
            self.tell(Note::Fault(answer.body.to_string()))?;
        }
        Ok(answer)
    }

    fn tell(&self, note: Note) -> Result<(), Gone> {
        self.tell.send(note).map_err(|_| Gone)
    }
}
