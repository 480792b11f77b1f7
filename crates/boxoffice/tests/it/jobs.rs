//! The jobs against a provider whose calls are lost: nothing is done twice, nothing is forgotten,
//! and what fails holds up nobody else.

use std::sync::Arc;

use boxoffice::audit::audit;
use boxoffice::booking::{BookingStatus, Customer, DisputeStatus, RefundStatus};
use boxoffice::command::PaymentNews;
use boxoffice::gateway::Gateway;
use boxoffice::id::BookingId;
use boxoffice::jobs::Jobs;
use boxoffice::layout::SeatAsk;
use boxoffice::memory::MemoryStore;
use boxoffice::service::{AskedSeat, BoxOffice, ExchangeRequest, HoldRequest, SeatsAsked};
use boxoffice::store::Store;
use boxoffice::testkit::{Mishap, ScriptedGateway, SeededEntropy, TestClock, hall};
use boxoffice::time::Span;
use pollster::block_on;

struct House {
    office: BoxOffice,
    jobs: Jobs,
    gateway: Arc<ScriptedGateway>,
    clock: Arc<TestClock>,
}

fn house() -> House {
    let clock = Arc::new(TestClock::at(hall::opening()));
    let store = Arc::new(MemoryStore::new(clock.clone()));
    block_on(store.import(hall::import(3), false)).expect("the scripted house answers");
    let gateway = Arc::new(ScriptedGateway::new("sandbox"));
    let gateways: Vec<Arc<dyn Gateway>> = vec![gateway.clone()];
    let office = BoxOffice::new(store, gateways, Arc::new(SeededEntropy::new(7)));
    House { jobs: Jobs::new(office.clone()), office, gateway, clock }
}

/// A seat of the n-th show.
fn request(n: u16, label: &str) -> HoldRequest {
    let ask = AskedSeat { seat: SeatAsk::Text(label.into()), ticket_type: None };
    HoldRequest {
        show: hall::show_id(n),
        seats: SeatsAsked::These(vec![ask]),
        layout_version: None,
        channel: boxoffice::booking::Channel::Web,
        customer: Customer { email: Some("buyer@example.org".into()), ..Customer::default() },
        metadata: std::collections::BTreeMap::new(),
        mine: Vec::new(),
        expected_total: None,
        promo_code: None,
    }
}

impl House {
    fn hold(&self, label: &str) -> BookingId {
        block_on(self.office.hold(request(1, label), None))
            .expect("the scripted house answers")
            .outcome
            .booking
            .expect("the scripted house answers")
            .id
    }

    fn start(&self, id: BookingId) -> Result<boxoffice::booking::Attempt, boxoffice::store::StoreError> {
        let done = block_on(self.office.start_payment(id, None, "https://cinema.example/back", None))?;
        Ok(done
            .outcome
            .booking
            .expect("the scripted house answers")
            .attempts
            .last()
            .expect("the scripted house answers")
            .clone())
    }

    /// Sells a seat, by the job that asks the provider.
    fn sell(&self, label: &str) -> boxoffice::booking::Attempt {
        let attempt = self.start(self.hold(label)).expect("the scripted house answers");
        self.gateway.pay(attempt.id).expect("a page");
        self.clock.advance(Span::from_secs(60));
        self.tick();
        attempt
    }

    fn exchange(&self, from: BookingId, n: u16, label: &str) -> BookingId {
        let request = ExchangeRequest { hold: request(n, label), tickets: None };
        let done = block_on(self.office.exchange(from, request, None)).expect("the scripted house answers");
        done.outcome.booking.expect("the scripted house answers").id
    }

    fn booking(&self, id: BookingId) -> boxoffice::booking::Booking {
        block_on(self.office.booking(id)).expect("the scripted house answers")
    }

    fn tick(&self) -> boxoffice::jobs::TickReport {
        block_on(self.jobs.tick(100)).expect("the scripted house answers")
    }
}

#[test]
fn a_start_whose_answer_was_lost_opens_the_same_page_again() {
    let house = house();
    let id = house.hold("A1");
    house.gateway.next_calls([Mishap::AnswerLost]);
    assert!(house.start(id).is_err(), "the provider's answer was lost");
    let again = house.start(id).expect("the scripted house answers");
    assert_eq!(again.id.no, 1, "the same attempt, which is the provider's key");
    house.gateway.next_calls([Mishap::Lost]);
    let open = house.start(id).expect("the scripted house answers");
    assert_eq!(open, again, "an open page is answered without asking the provider");
    house.gateway.next_calls([]);
}

#[test]
fn a_silent_payment_is_found_by_asking() {
    let house = house();
    let id = house.hold("A1");
    let attempt = house.start(id).expect("the scripted house answers");
    drop(house.gateway.pay(attempt.id).expect("a page"));
    house.clock.advance(Span::from_secs(45));
    house.gateway.next_calls([Mishap::Lost]);
    house.tick();
    assert_eq!(house.booking(id).status, BookingStatus::PendingPayment);
    house.clock.advance(Span::from_secs(60));
    house.tick();
    assert_eq!(house.booking(id).status, BookingStatus::Confirmed);
}

#[test]
fn an_abandoned_page_is_closed_and_late_money_is_heard_of() {
    let house = house();
    let id = house.hold("A1");
    let attempt = house.start(id).expect("the scripted house answers");
    house.clock.set(house.booking(id).expires_at);
    let report = house.tick();
    assert_eq!(report.expired, 1);
    assert!(house.gateway.is_closed(attempt.id), "nobody may pay for a booking that ended");
    drop(house.gateway.decide(attempt.id, PaymentNews::Captured(attempt.amount)).expect("a page"));
    for _ in 0..15 {
        house.clock.advance(Span::from_mins(1));
        house.tick();
    }
    assert_eq!(house.booking(id).status, BookingStatus::Confirmed, "nobody had the seat: taken again");
}

#[test]
fn a_provider_that_did_not_answer_for_days_is_asked_until_it_does() {
    let house = house();
    let id = house.hold("A1");
    let attempt = house.start(id).expect("the scripted house answers");
    drop(house.gateway.pay(attempt.id).expect("a page"));
    house.gateway.next_calls(vec![Mishap::Lost; 10_000]);
    for _ in 0..60 {
        house.clock.advance(Span::from_mins(60));
        house.tick();
    }
    assert_eq!(house.booking(id).status, BookingStatus::Expired);
    house.gateway.no_more_mishaps();
    house.clock.advance(Span::from_mins(24 * 60));
    house.tick();
    let booking = house.booking(id);
    assert_eq!(booking.attempts[0].captured, Some(attempt.amount), "heard of, days late");
    assert!(booking.status == BookingStatus::Confirmed || booking.refunds.len() == 1, "a ticket or the money");
}

#[test]
fn a_refund_is_given_once_however_often_answers_are_lost() {
    let house = house();
    let id = house.hold("A1");
    let attempt = house.start(id).expect("the scripted house answers");
    let webhook = house.gateway.pay(attempt.id).expect("a page");
    let told = boxoffice::gateway::Webhook { headers: &webhook.headers, body: &webhook.body, now: hall::opening() };
    block_on(house.office.webhook("sandbox", &told)).expect("the scripted house answers");
    block_on(house.office.cancel(id, None, None, None)).expect("the scripted house answers");
    house.gateway.next_calls([Mishap::AnswerLost, Mishap::Lost, Mishap::AnswerLost]);
    for _ in 0..4 {
        house.tick();
        house.clock.advance(Span::from_mins(10));
    }
    assert_eq!(house.booking(id).refunds[0].status, RefundStatus::Succeeded);
    assert_eq!(house.gateway.refunds().len(), 1);
}

#[test]
fn work_that_is_under_way_is_not_taken_again() {
    let house = house();
    let (first, second) = (house.hold("A1"), house.hold("A2"));
    house.clock.advance(Span::from_mins(10));
    let taken = block_on(house.jobs.take(1)).expect("the scripted house answers");
    let next = block_on(house.jobs.take(1)).expect("the scripted house answers");
    let both: std::collections::BTreeSet<BookingId> = taken.iter().chain(&next).copied().collect();
    assert_eq!(both, [first, second].into());
    assert_eq!(block_on(house.jobs.take(1)).expect("the scripted house answers"), Vec::new());
    let reports = [taken[0], next[0]].map(|id| block_on(house.jobs.work(id)).expired);
    assert_eq!(reports, [1, 1]);
}

/// The bank knows the money by its first booking. Through two exchanges its dispute reaches the booking
/// that has the tickets, and holds nothing up or back elsewhere; a step that fails comes again.
#[test]
fn a_dispute_reaches_the_booking_that_the_money_moved_to() {
    for (news, live) in [(DisputeStatus::Won, 1), (DisputeStatus::Lost, 0)] {
        let house = house();
        let attempt = house.sell("A1");
        let first = attempt.id.booking;
        let second = house.exchange(first, 2, "A1");
        let third = house.exchange(second, 3, "A1");
        for (status, disputed) in [(DisputeStatus::Open, true), (news, news == DisputeStatus::Lost)] {
            let webhook = house.gateway.dispute(attempt.id, status).expect("a payment");
            let webhook =
                boxoffice::gateway::Webhook { headers: &webhook.headers, body: &webhook.body, now: hall::opening() };
            block_on(house.office.webhook("sandbox", &webhook)).expect("the scripted house answers");
            house.tick();
            house.tick();
            assert_eq!(house.booking(third).is_disputed(), disputed, "{status:?}");
        }
        assert_eq!(house.booking(third).live_tickets().count(), live, "{news:?}");
        let untold = [first, second, third].map(|id| house.booking(id).disputes_to_pass_on().count());
        assert_eq!(untold, [0, 0, 0]);
        let report = block_on(audit(house.office.store())).expect("the scripted house answers");
        assert!(report.is_clean(), "{report:#?}");
    }
}

/// What an exchange moved goes back by the payment that the provider knows.
#[test]
fn moved_money_goes_back_by_its_first_payment() {
    let house = house();
    let first = house.sell("A1").id.booking;
    let second = house.exchange(first, 2, "A1");
    block_on(house.office.cancel(second, None, None, None)).expect("the scripted house answers");
    house.tick();
    let payment_id = house.booking(first).attempts[0].payment_id.clone().expect("a payment");
    let sent: Vec<_> = house.gateway.refunds().into_iter().map(|r| (r.payment_id, r.amount)).collect();
    assert_eq!(sent, [(payment_id, hall::euros(hall::FACE))]);
    assert_eq!(house.booking(second).refunds[0].status, RefundStatus::Succeeded);
}
