//! Every state of a booking × every command × around the deadline, as one text that is reviewed:
//! `table.txt`. Set `UPDATE_EXPECT=1` to write it anew after a change of the rules, and review it.

use std::fmt::Write as _;

use pollster::block_on;

use crate::audit::audit;
use crate::booking::{
    Attempt, AttemptStatus, Booking, BookingStatus, Customer, DisputeStatus, NoticeKind, StaffNote, TicketStatus,
};
use crate::catalogue::Import;
use crate::command::{
    Block, ChangeSeats, Command, Effect, NoticeAnswer, NoticeAnswered, OpenCheckout, PaymentNews, PromoChange,
    Recorded, RefundAnswer, RefundAnswered, Reissue, SeatPick, Seats, Settle, Settled, StaffRefund, ToRefund,
};
use crate::gateway::Checkout;
use crate::id::{BookingId, PartId, SeatNo};
use crate::prices::STANDARD;
use crate::show::{LatePayment, RefundChoice, ShowSpec};
use crate::store::{Done, StoreError};
use crate::testkit::Memory;
use crate::testkit::hall;
use crate::testkit::world::{GATEWAY, World, code};
use crate::time::{Span, Timestamp};

/// A moment by its distance from the booking's deadline.
struct Moment {
    name: &'static str,
    ms: i64,
}

const MOMENTS: [Moment; 4] = [
    Moment { name: "2 min before", ms: -120_000 },
    Moment { name: "1 ms before", ms: -1 },
    Moment { name: "at the deadline", ms: 0 },
    Moment { name: "1 ms after", ms: 1 },
];

/// How a booking of A1 and A2 comes into a state.
struct Situation {
    name: &'static str,
    /// How the show differs.
    show: fn(&mut ShowSpec),
    /// The state exists only once the deadline has passed.
    lapsed: bool,
    /// What happened right after the hold.
    early: fn(&World<'_>, BookingId),
    /// What happened at the moment, before the command.
    late: fn(&World<'_>, BookingId),
}

fn as_it_is(_: &mut ShowSpec) {}

fn nothing(_: &World<'_>, _: BookingId) {}

fn page() -> Option<Checkout> {
    Some(Checkout { payment_id: "p1".into(), url: "https://pay.example/1".into() })
}

fn open_page(w: &World<'_>, booking: BookingId) {
    let attempt = w.start(booking).unwrap();
    w.run(Command::OpenCheckout(OpenCheckout { booking, attempt: attempt.id.no, page: page() })).unwrap();
}

fn pay(w: &World<'_>, booking: BookingId) {
    open_page(w, booking);
    run_settle(w, booking, "p1", PaymentNews::Captured(hall::euros(2_740))).unwrap();
}

fn change_show(w: &World<'_>, change: impl FnOnce(&mut ShowSpec)) {
    let mut spec = w.show(1).unwrap().spec.clone();
    change(&mut spec);
    w.import(Import { shows: vec![spec], ..Import::default() }).unwrap();
}

fn moves_later(w: &World<'_>, _: BookingId) {
    change_show(w, |show| show.starts_at = show.starts_at + Span::from_mins(5));
}

const PLAIN: Situation =
    Situation { name: "pending, no payment started", show: as_it_is, lapsed: false, early: nothing, late: nothing };

const OPEN: Situation = Situation { name: "pending, a payment page opened", early: open_page, ..PLAIN };

const SITUATIONS: &[Situation] = &[
    PLAIN,
    Situation { name: "pending, a payment started, no page yet", early: |w, b| drop(w.start(b).unwrap()), ..PLAIN },
    OPEN,
    Situation {
        name: "pending, the payment declined",
        early: |w, booking| {
            open_page(w, booking);
            run_settle(w, booking, "p1", PaymentNews::Declined).unwrap();
        },
        ..PLAIN
    },
    Situation {
        name: "pending, a payment page opened, late money goes back by policy",
        show: |show| show.late_payment = LatePayment::Refund,
        ..OPEN
    },
    Situation {
        name: "pending, a payment page opened, the show starts at the deadline",
        show: |show| show.starts_at = hall::opening() + Span::from_mins(10),
        ..OPEN
    },
    Situation {
        name: "pending, a payment page opened, the show cancelled since",
        late: |w, _| change_show(w, |show| show.cancelled = true),
        ..OPEN
    },
    Situation { name: "pending, a payment page opened, the start moved since", late: moves_later, ..OPEN },
    Situation {
        name: "lapsed, a seat taken by another",
        lapsed: true,
        late: |w, _| drop(w.hold(1, &["A2"]).unwrap()),
        ..OPEN
    },
    Situation { name: "lapsed, a seat blocked", lapsed: true, late: |w, _| drop(block(w, &["A2"]).unwrap()), ..OPEN },
    Situation {
        name: "expired and tidied",
        lapsed: true,
        late: |w, booking| drop(w.run(Command::Expire { booking }).unwrap()),
        ..OPEN
    },
    Situation { name: "confirmed", early: pay, ..PLAIN },
    Situation {
        name: "confirmed, ticket 1 given back",
        early: |w, booking| {
            pay(w, booking);
            cancel(w, booking, Some(vec![1])).unwrap();
        },
        ..PLAIN
    },
    Situation { name: "confirmed, the start moved since", late: moves_later, early: pay, ..PLAIN },
    Situation {
        name: "confirmed, the show cancelled since, its bookings not followed yet",
        late: |w, _| drop(cancel_show(w, RefundChoice::All).unwrap()),
        early: pay,
        ..PLAIN
    },
    Situation {
        name: "confirmed, the payment disputed",
        early: |w, booking| {
            pay(w, booking);
            run_settle(w, booking, "p1", PaymentNews::Dispute(DisputeStatus::Open)).unwrap();
        },
        ..PLAIN
    },
    Situation {
        name: "paid, the dispute lost",
        early: |w, booking| {
            pay(w, booking);
            run_settle(w, booking, "p1", PaymentNews::Dispute(DisputeStatus::Lost)).unwrap();
        },
        ..PLAIN
    },
    Situation {
        name: "cancelled while pending, a payment started, no page yet",
        early: |w, booking| {
            w.start(booking).unwrap();
            w.cancel(booking).unwrap();
        },
        ..PLAIN
    },
    Situation {
        name: "cancelled while pending, a payment page opened",
        early: |w, booking| {
            open_page(w, booking);
            w.cancel(booking).unwrap();
        },
        ..PLAIN
    },
    Situation {
        name: "cancelled after it was confirmed",
        early: |w, booking| {
            pay(w, booking);
            w.cancel(booking).unwrap();
        },
        ..PLAIN
    },
];

type Run = fn(&World<'_>, BookingId) -> Result<Done, StoreError>;

const COMMANDS: &[(&str, Run)] = &[
    ("hold by another", |w, _| w.run(w.hold_command(1, &["A1", "A2"])?)),
    ("change seats", |w, booking| change_seats(w, booking, &["A2", "A3"])),
    ("change customer", |w, booking| {
        let customer = Customer { phone: Some("+49 30 0".into()), ..Customer::default() };
        w.run(Command::ChangeCustomer { booking, customer })
    }),
    ("start payment", |w, booking| {
        w.run(Command::StartPayment { booking, gateway: GATEWAY.into(), return_url: String::new() })
    }),
    ("pay at the counter", |w, booking| w.run(Command::PayAtCounter { booking })),
    ("open checkout", |w, booking| w.run(Command::OpenCheckout(OpenCheckout { booking, attempt: 1, page: page() }))),
    ("settle: pending", |w, booking| run_settle(w, booking, "p1", PaymentNews::Pending)),
    ("settle: declined", |w, booking| run_settle(w, booking, "p1", PaymentNews::Declined)),
    ("settle: ended", |w, booking| run_settle(w, booking, "p1", PaymentNews::Ended)),
    ("settle: captured", |w, booking| run_settle(w, booking, "p1", PaymentNews::Captured(hall::euros(2_740)))),
    ("settle: wrong amount", |w, booking| run_settle(w, booking, "p1", PaymentNews::Captured(hall::euros(2_739)))),
    ("settle: second payment", |w, booking| run_settle(w, booking, "p2", PaymentNews::Captured(hall::euros(2_740)))),
    ("settle: disputed", |w, booking| run_settle(w, booking, "p1", PaymentNews::Dispute(DisputeStatus::Open))),
    ("settle: dispute won", |w, booking| run_settle(w, booking, "p1", PaymentNews::Dispute(DisputeStatus::Won))),
    ("settle: dispute lost", |w, booking| run_settle(w, booking, "p1", PaymentNews::Dispute(DisputeStatus::Lost))),
    ("buyer returned", |w, booking| w.run(Command::BuyerReturned { booking })),
    ("accept changes", |w, booking| w.run(Command::AcceptChanges { booking, customer: None })),
    ("cancel", |w, booking| cancel(w, booking, None)),
    ("cancel ticket 1", |w, booking| cancel(w, booking, Some(vec![1]))),
    ("staff refund ticket 1", |w, booking| {
        refund(w, booking, ToRefund::Tickets { numbers: vec![1], keep_fees: false })
    }),
    ("staff refund 20.00", |w, booking| refund(w, booking, ToRefund::Amount(hall::euros(2_000)))),
    ("cancel the show", |w, _| cancel_show(w, RefundChoice::All)),
    ("follow the show", |w, booking| w.run(Command::Follow { booking })),
    ("expire", |w, booking| w.run(Command::Expire { booking })),
    ("refund answered", |w, booking| {
        let answer = RefundAnswer::Succeeded { provider_refund_id: "r1".into() };
        w.run(Command::RefundAnswered(RefundAnswered { booking, refund: 1, answer }))
    }),
    ("notice: sent", |w, booking| notice(w, booking, NoticeAnswer::Sent)),
    ("notice: refused", |w, booking| notice(w, booking, NoticeAnswer::Refused { why: "550".into() })),
    ("resend notice", |w, booking| w.run(Command::ResendNotice { notice: PartId { booking, no: 1 } })),
    ("erase", |w, booking| w.run(Command::Erase { booking })),
    ("block its seats", |w, _| block(w, &["A1", "A2"])),
    ("unblock its seats", |w, _| w.run(Command::Unblock(named(w, &["A1", "A2"])?))),
    ("admit", |w, booking| w.run(w.admit_command(booking, 1, "n"))),
    ("record a scan", |w, booking| w.run(w.scan_command(booking, 1, "n"))),
    ("reissue", |w, booking| w.run(Command::Reissue(Reissue { booking, ticket: 1, holder: None }))),
];

fn notice(w: &World<'_>, booking: BookingId, answer: NoticeAnswer) -> Result<Done, StoreError> {
    w.run(Command::NoticeAnswered(NoticeAnswered { notice: PartId { booking, no: 1 }, answer }))
}

fn cancel(w: &World<'_>, booking: BookingId, tickets: Option<Vec<u16>>) -> Result<Done, StoreError> {
    w.run(Command::Cancel { booking, tickets, reason: None })
}

fn by_staff() -> StaffNote {
    StaffNote { reason: "the projector broke".into(), by: "k1".into() }
}

fn refund(w: &World<'_>, booking: BookingId, what: ToRefund) -> Result<Done, StoreError> {
    w.run(Command::Refund(StaffRefund { booking, what, note: by_staff() }))
}

fn cancel_show(w: &World<'_>, refunds: RefundChoice) -> Result<Done, StoreError> {
    w.run(Command::CancelShow { show: w.show(1)?.no, refunds, note: by_staff() })
}

fn seats(w: &World<'_>, labels: &[&str]) -> Vec<SeatNo> {
    let layout = w.show(1).unwrap().layout.clone();
    labels.iter().map(|label| layout.by_id(label).unwrap()).collect()
}

fn named(w: &World<'_>, labels: &[&str]) -> Result<Block, StoreError> {
    let show = w.show(1)?;
    Ok(Block { show: show.no, seats: seats(w, labels), layout: show.layout.pin(), until: None, note: None })
}

fn block(w: &World<'_>, labels: &[&str]) -> Result<Done, StoreError> {
    w.run(Command::Block(named(w, labels)?))
}

fn change_seats(w: &World<'_>, booking: BookingId, labels: &[&str]) -> Result<Done, StoreError> {
    let pick = |seat| SeatPick { seat, ticket_type: STANDARD.into() };
    let seats = Seats::These(seats(w, labels).into_iter().map(pick).collect());
    w.run(Command::ChangeSeats(ChangeSeats {
        booking,
        seats: Some(seats),
        layout: w.show(1)?.layout.pin(),
        customer: None,
        promo: PromoChange::Keep,
    }))
}

fn run_settle(w: &World<'_>, booking: BookingId, payment: &str, news: PaymentNews) -> Result<Done, StoreError> {
    let payment_id = Some(payment.to_owned());
    w.run(Command::Settle(Settle { booking, gateway: GATEWAY.into(), attempt: 1, payment_id, news }))
}

/// Brings a booking into the situation at the moment, runs the command, and says how it came out.
fn cell(situation: &Situation, moment: &Moment, command: Run) -> String {
    if situation.lapsed && moment.ms < 0 {
        return "-".to_owned();
    }
    let w = World::open(&Memory).unwrap();
    change_show(&w, situation.show);
    let booking = w.hold(1, &["A1", "A2"]).unwrap();
    (situation.early)(&w, booking.id);
    w.clock.set(booking.expires_at + Span::from_ms(moment.ms));
    (situation.late)(&w, booking.id);
    let before = w.booking(booking.id).unwrap();
    let result = command(&w, booking.id);
    let after = w.booking(booking.id).unwrap();
    assert_open_pages_are_closed(&after, w.now());
    let report = block_on(audit(&*w.store)).unwrap();
    assert!(report.is_clean(), "{} × {}: {:#?}", situation.name, moment.name, report);
    assert_ranks_stand(&before, &after);
    match result {
        Ok(done) => words(&done),
        Err(StoreError::Refused(_)) => format!("refused {}", code(&result)),
        Err(error @ (StoreError::Bug(_) | StoreError::Fault(_))) => panic!("{}: {error}", situation.name),
    }
}

fn assert_ranks_stand(before: &Booking, after: &Booking) {
    for (was, is) in before.attempts.iter().zip(&after.attempts) {
        assert!(is.status.rank() >= was.status.rank(), "the rank of {} falls", is.id);
    }
}

/// Once the booking is over, a job soon asks about every page that may still be open.
fn assert_open_pages_are_closed(booking: &Booking, now: Timestamp) {
    let soon = now + Span::from_mins(1);
    let open = |a: &&Attempt| a.status == AttemptStatus::Started && !a.closed;
    let forgotten = booking.attempts.iter().filter(open).find(|a| a.ask_at.is_none_or(|at| at > soon));
    assert!(booking.status == BookingStatus::PendingPayment || forgotten.is_none(), "nobody closes {forgotten:?}");
}

fn words(done: &Done) -> String {
    let booking = done.outcome.booking.as_ref();
    match &done.outcome.effect {
        Effect::Held => "held".into(),
        Effect::SeatsChanged => "seats changed".into(),
        Effect::CustomerChanged => "customer changed".into(),
        Effect::PaymentStarted { attempt } => format!("payment {attempt} started"),
        Effect::CheckoutOpened { attempt } => format!("page {attempt} open"),
        Effect::CheckoutTooLate { attempt } => format!("page {attempt} too late"),
        Effect::BuyerReturned => "noted".into(),
        Effect::Settled(Settled::Unchanged) => "unchanged".into(),
        Effect::Settled(Settled::Noted) => "noted".into(),
        Effect::Settled(Settled::Confirmed) => "confirmed".into(),
        Effect::Settled(Settled::Reclaimed) => "reclaimed".into(),
        Effect::Settled(Settled::Refunded) => {
            format!("refund {}", booking.unwrap().refunds.last().unwrap().reason.as_str())
        }
        Effect::ChangesAccepted => "accepted".into(),
        Effect::Cancelled { cancellation } => {
            let how = &booking.unwrap().cancellations[*cancellation];
            format!("cancelled, {} back", how.amount.digits())
        }
        Effect::Exchanged { given, .. } => format!("exchanged, {} back", given.amount.digits()),
        Effect::ExchangeHeld { .. } => "held for an exchange".into(),
        Effect::GoodwillGiven { refund } => {
            format!("goodwill {}", booking.unwrap().refund(*refund).unwrap().amount.digits())
        }
        Effect::ShowCancelled => "show cancelled".into(),
        Effect::Followed => followed(booking.unwrap()),
        Effect::Expired => "expired".into(),
        Effect::RefundRecorded => "refund recorded".into(),
        Effect::Erased => "the customer is forgotten".into(),
        Effect::EraseLater { .. } => "the customer is forgotten later".into(),
        Effect::NoticeRecorded => format!("notice {}", booking.unwrap().notices[0].status.as_str()),
        Effect::BlocksChanged => "done".into(),
        Effect::Admitted { .. } => "admitted".into(),
        Effect::ScansRecorded(how) => match how.as_slice() {
            [Recorded::New] => {
                let ticket = booking.unwrap().ticket(1).unwrap();
                format!("kept: {:?}", ticket.verdict(&ticket.scans[0])).to_lowercase()
            }
            [how] => format!("{how:?}").to_lowercase(),
            several => format!("{} scans", several.len()),
        },
        Effect::Reissued { .. } => "reissued".into(),
        Effect::Nothing => "nothing to do".into(),
    }
}

/// What a follow made of a booking: its status, and what its holder was told last.
fn followed(booking: &Booking) -> String {
    let told = booking.notices.last().map(|n| NoticeKind::as_str(&n.kind));
    format!("{}, told {}", booking.status.as_str(), told.unwrap_or("nothing"))
}

fn render() -> String {
    let mut text = String::from(
        "A booking of two seats, held for 10 minutes at 2 x 13.70, two days before the show.\n\
         Each cell: how the command comes out at that moment. The deadline is the hold's first one.\n",
    );
    for situation in SITUATIONS {
        write!(text, "\n{}\n", situation.name).unwrap();
        let names = MOMENTS.map(|moment| moment.name.to_owned());
        line(&mut text, "", &names);
        for (name, command) in COMMANDS {
            line(&mut text, name, &MOMENTS.map(|moment| cell(situation, &moment, *command)));
        }
    }
    text
}

fn line(text: &mut String, name: &str, cells: &[String; 4]) {
    let [a, b, c, d] = cells;
    let row = format!("  {name:<24}| {a:<28}| {b:<28}| {c:<28}| {d}");
    writeln!(text, "{}", row.trim_end()).unwrap();
}

#[test]
fn the_table_is_as_reviewed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/decide/table.txt");
    let rendered = render();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &rendered).unwrap();
    }
    let reviewed = std::fs::read_to_string(path).unwrap();
    let changed: Vec<(&str, &str)> = rendered.lines().zip(reviewed.lines()).filter(|(is, was)| is != was).collect();
    assert!(rendered == reviewed, "the rules differ from table.txt (new, reviewed): {changed:#?}");
}

/// Cancelling a confirmed booking around its tiers, the start, and an admission.
#[test]
fn cancelling_a_confirmed_booking() {
    let (day, two_hours) = (24 * 60 * 60_000, 2 * 60 * 60_000);
    let cases = [
        (-day, "cancelled, 25.00 back"),
        (-day + 1, "cancelled, 12.50 back"),
        (-two_hours, "cancelled, 12.50 back"),
        (-two_hours + 1, "cancelled, 0.00 back"),
        (-1, "cancelled, 0.00 back"),
        (0, "refused not-cancellable"),
        (1, "refused not-cancellable"),
    ];
    for (ms, expected) in cases {
        let w = World::open(&Memory).unwrap();
        let booking = w.hold(1, &["A1", "A2"]).unwrap().id;
        pay(&w, booking);
        w.clock.set(hall::starts_at(1) + Span::from_ms(ms));
        let result = w.run(Command::Cancel { booking, tickets: None, reason: None });
        let said = result.as_ref().map_or_else(|_| format!("refused {}", code(&result)), words);
        assert_eq!(said, expected, "{ms} ms from the start");
    }
}

#[test]
fn an_admitted_ticket_is_not_cancelled() {
    let w = World::open(&Memory).unwrap();
    let booking = w.hold(1, &["A1", "A2"]).unwrap().id;
    pay(&w, booking);
    let mut admitted = w.booking(booking).unwrap();
    admitted.tickets[1].status = TicketStatus::Admitted;
    let (show, seats) = (w.show(1).unwrap(), w.seats(1).unwrap());
    let state = super::State {
        show: &show,
        seats: &seats.seats,
        sales: crate::sales::Sales::Open,
        booking: Some(&admitted),
        promo: None,
        replaced: None,
    };
    let stop = super::decide(state, &Command::Cancel { booking, tickets: None, reason: None }, w.now()).unwrap_err();
    assert!(matches!(stop, super::Stop::Refused(crate::refusal::Refusal::NotCancellable(_))), "{stop:?}");
}
