//! Two families, four seats and one hold that lapses, told through the real service on the memory
//! store with a clock that is moved and a payment provider that is told what to do. No line is
//! written down: each says what the service answered.

use std::sync::Arc;

use anyhow::{Context, Result};
use boxoffice::booking::{BookingStatus, Customer};
use boxoffice::gateway::{Gateway, Webhook};
use boxoffice::id::{AttemptId, BookingId};
use boxoffice::jobs::Jobs;
use boxoffice::layout::Named;
use boxoffice::memory::MemoryStore;
use boxoffice::refusal::{Refusal, TakenReason};
use boxoffice::service::{BoxOffice, HoldRequest};
use boxoffice::store::{Done, StoreError};
use boxoffice::testkit::{ScriptedGateway, SeededEntropy, TestClock, hall};
use boxoffice::time::Span;

use crate::cinema;

/// What may differ between two tellings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// How long a hold lasts.
    pub hold: Span,
    /// How long the first buyer stays on the payment page.
    pub delay: Span,
    /// Who holds first, and which seats.
    pub first: String,
    pub first_seats: Vec<String>,
    /// Who comes next, and wants which seats. The same name as `first` is the same person.
    pub second: String,
    pub second_seats: Vec<String>,
}

impl Default for Story {
    fn default() -> Self {
        let seats = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect();
        Self {
            hold: Span::from_mins(7),
            delay: Span::from_mins(7),
            first: "A".to_owned(),
            first_seats: seats(&["F5", "F6", "F7", "F8"]),
            second: "B".to_owned(),
            second_seats: seats(&["F7", "F8"]),
        }
    }
}

impl Story {
    /// Plays the story on a new store.
    ///
    /// # Errors
    /// If the service answers with anything but what a buyer can cause.
    pub async fn tell(&self) -> Result<[String; 8]> {
        let (a, b) = (&self.first, &self.second);
        let wanted = named(&self.second_seats);
        let watched = self.second_seats.first().context("the second buyer wants no seat")?;
        let mut stage = Stage::set(self.hold).await?;

        let holds = stage.hold(a, &self.first_seats).await?;
        let first = format!("{a} holds {}: {holds}", named(&self.first_seats));
        let wants = stage.has(b, &self.second_seats).await?;
        let second = format!("{b} wants {wanted}: {wants}");

        stage.open_page(0).await?;
        stage.clock.advance(self.delay);
        let minutes = self.delay.as_ms() / 60_000;
        let third = format!("{minutes} min later, {watched} free: {}", stage.is_free(watched).await?);
        let holds = stage.hold(b, &self.second_seats).await?;
        let fourth = format!("{b} holds {wanted}: {holds}");
        stage.open_page(1).await?;

        stage.pays(0).await?;
        let fifth = format!("{a} paid late: {}, refunds {}", stage.status(0).await?, stage.refunds());
        stage.pays(1).await?;
        let sixth = format!("{b} paid: {}, refunds {}", stage.status(1).await?, stage.refunds());
        stage.pays(0).await?;
        stage.pays(1).await?;
        let (of_a, of_b) = (stage.status(0).await?, stage.status(1).await?);
        let seventh = format!("Repeats: {a} {of_a}, {b} {of_b}, refunds {}", stage.refunds());
        let cancels = stage.cancel(1).await?;
        let eighth = format!("{b} cancels: {cancels}, {watched} free: {}", stage.is_free(watched).await?);
        Ok([first, second, third, fourth, fifth, sixth, seventh, eighth])
    }
}

/// `F5-F8`, or `F7` for a single seat.
fn named(seats: &[String]) -> String {
    match seats {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first, .., last] => format!("{first}-{last}"),
    }
}

/// The service and all that the story moves.
struct Stage {
    office: BoxOffice,
    clock: Arc<TestClock>,
    gateway: Arc<ScriptedGateway>,
    /// The two attempts to get seats, in order; `None` was refused.
    bookings: Vec<Option<Held>>,
}

struct Held {
    owner: String,
    booking: BookingId,
    attempt: Option<AttemptId>,
}

impl Stage {
    async fn set(hold: Span) -> Result<Self> {
        let clock = Arc::new(TestClock::at(hall::opening()));
        let gateway = Arc::new(ScriptedGateway::new("scripted"));
        let store = Arc::new(MemoryStore::new(clock.clone()));
        cinema::build(&*store, hold).await?;
        let gateways: Vec<Arc<dyn Gateway>> = vec![gateway.clone()];
        let office = BoxOffice::new(store, gateways, Arc::new(SeededEntropy::new(1)));
        Ok(Self { office, clock, gateway, bookings: Vec::new() })
    }

    /// Tries to hold seats for a new booking of this owner.
    async fn hold(&mut self, owner: &str, seats: &[String]) -> Result<bool> {
        let held = match self.ask(owner, seats).await {
            Ok(done) => done.outcome.booking.map(|b| b.id),
            Err(StoreError::Refused(_)) => None,
            Err(other) => return Err(other.into()),
        };
        let holds = held.is_some();
        self.bookings.push(held.map(|booking| Held { owner: owner.to_owned(), booking, attempt: None }));
        Ok(holds)
    }

    /// Whether asking for these seats leaves this owner with them: got now, or his already.
    async fn has(&mut self, owner: &str, seats: &[String]) -> Result<bool> {
        match self.ask(owner, seats).await {
            Ok(_) => Ok(true),
            Err(StoreError::Refused(Refusal::SeatsUnavailable(taken))) => {
                Ok(taken.len() == seats.len() && taken.iter().all(|seat| seat.reason == TakenReason::HeldByYou))
            }
            Err(StoreError::Refused(_)) => Ok(false),
            Err(other) => Err(other.into()),
        }
    }

    async fn ask(&self, owner: &str, seats: &[String]) -> Result<Done, StoreError> {
        let labels: Vec<&str> = seats.iter().map(String::as_str).collect();
        let customer = Customer { email: Some(format!("{owner}@family.example")), ..Customer::default() };
        let own = self.bookings.iter().flatten().filter(|held| held.owner == owner);
        let mine = own.map(|held| held.booking).collect();
        self.office.hold(HoldRequest { mine, ..cinema::request(&labels, customer) }, None).await
    }

    /// The buyer goes to the payment page, if there is a booking to pay.
    async fn open_page(&mut self, which: usize) -> Result<()> {
        let Some(Some(held)) = self.bookings.get_mut(which) else { return Ok(()) };
        let done = self.office.start_payment(held.booking, None, "https://cinema.example/return", None).await?;
        let booking = done.outcome.booking.context("a payment was started for no booking")?;
        held.attempt = booking.attempts.last().map(|attempt| attempt.id);
        Ok(())
    }

    /// The buyer pays, the provider sends its message, and the jobs do what is due then. Again is
    /// the same message again: the money is taken once.
    async fn pays(&self, which: usize) -> Result<()> {
        let Some(attempt) = self.held(which).and_then(|held| held.attempt) else { return Ok(()) };
        let message = self.gateway.pay(attempt).context("the buyer pays on a page that was never opened")?;
        let webhook = Webhook { headers: &message.headers, body: &message.body, now: self.office.store().now() };
        self.office.webhook(self.gateway.name(), &webhook).await?;
        Jobs::new(self.office.clone()).tick(100).await?;
        Ok(())
    }

    async fn cancel(&self, which: usize) -> Result<bool> {
        let Some(held) = self.held(which) else { return Ok(false) };
        match self.office.cancel(held.booking, None, None, None).await {
            Ok(_) => Ok(true),
            Err(StoreError::Refused(_)) => Ok(false),
            Err(other) => Err(other.into()),
        }
    }

    fn held(&self, which: usize) -> Option<&Held> {
        self.bookings.get(which).and_then(Option::as_ref)
    }

    /// The story's word for the booking's state as it reads now.
    async fn status(&self, which: usize) -> Result<&'static str> {
        let Some(held) = self.held(which) else { return Ok("NO BOOKING") };
        let booking = self.office.booking(held.booking).await?;
        Ok(match booking.status_at(self.office.store().now()) {
            BookingStatus::PendingPayment => "PENDING",
            BookingStatus::Confirmed => "CONFIRMED",
            BookingStatus::Cancelled => "CANCELLED",
            BookingStatus::Expired => "FAILED",
        })
    }

    /// The refunds the provider has made so far, each by its booking's number in the story. While
    /// nobody has cancelled, they are all of money that no seat was sold for.
    fn refunds(&self) -> String {
        let number = |booking| self.bookings.iter().position(|b| b.as_ref().is_some_and(|b| b.booking == booking));
        let name = |booking| number(booking).map_or_else(|| "?".to_owned(), |at| format!("B{}", at + 1));
        let names: Vec<String> = self.gateway.refunds().iter().map(|r| name(r.refund.booking)).collect();
        format!("[{}]", names.join(", "))
    }

    async fn is_free(&self, label: &str) -> Result<bool> {
        let store = self.office.store();
        let show = store.show(cinema::show_id()).await?.context("the hall has no show")?;
        let Named::One(seat) = show.layout.named(label) else { anyhow::bail!("the hall has no seat {label}") };
        let read = store.seats(show.no).await?;
        Ok(read.seats.is_free(seat, read.now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(change: impl FnOnce(&mut Story)) -> String {
        let mut story = Story::default();
        change(&mut story);
        pollster::block_on(story.tell()).expect("the story can be told").join("\n")
    }

    /// Each telling is the first with what was changed and what follows from it.
    #[test]
    fn another_hold_time_owner_or_seat_tells_another_story() {
        let cases: [(&str, String, &str); 5] = [
            (
                "as it was",
                told(|_| {}),
                "A holds F5-F8: true\nB wants F7-F8: false\n7 min later, F7 free: true\nB holds F7-F8: true\n\
                 A paid late: FAILED, refunds [B1]\nB paid: CONFIRMED, refunds [B1]\n\
                 Repeats: A FAILED, B CONFIRMED, refunds [B1]\nB cancels: true, F7 free: true",
            ),
            (
                "a hold of eight minutes still lives after seven",
                told(|story| story.hold = Span::from_mins(8)),
                "A holds F5-F8: true\nB wants F7-F8: false\n7 min later, F7 free: false\nB holds F7-F8: false\n\
                 A paid late: CONFIRMED, refunds []\nB paid: NO BOOKING, refunds []\n\
                 Repeats: A CONFIRMED, B NO BOOKING, refunds []\nB cancels: false, F7 free: false",
            ),
            (
                "the first owner again: the seats are hers already",
                told(|story| story.second = "A".to_owned()),
                "A holds F5-F8: true\nA wants F7-F8: true\n7 min later, F7 free: true\nA holds F7-F8: true\n\
                 A paid late: FAILED, refunds [B1]\nA paid: CONFIRMED, refunds [B1]\n\
                 Repeats: A FAILED, A CONFIRMED, refunds [B1]\nA cancels: true, F7 free: true",
            ),
            (
                "a delay of six minutes is in time",
                told(|story| story.delay = Span::from_mins(6)),
                "A holds F5-F8: true\nB wants F7-F8: false\n6 min later, F7 free: false\nB holds F7-F8: false\n\
                 A paid late: CONFIRMED, refunds []\nB paid: NO BOOKING, refunds []\n\
                 Repeats: A CONFIRMED, B NO BOOKING, refunds []\nB cancels: false, F7 free: false",
            ),
            (
                "another seat is nobody else's business",
                told(|story| story.second_seats = vec!["E1".to_owned()]),
                "A holds F5-F8: true\nB wants E1: true\n7 min later, E1 free: true\nB holds E1: true\n\
                 A paid late: CONFIRMED, refunds []\nB paid: CONFIRMED, refunds []\n\
                 Repeats: A CONFIRMED, B CONFIRMED, refunds []\nB cancels: true, E1 free: true",
            ),
        ];
        for (name, told, expected) in cases {
            assert_eq!(told, expected, "{name}");
        }
    }
}
