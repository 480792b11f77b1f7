//! The door: the window and the order of its refusals, and that what scans come to does not depend
//! on the order in which devices bring them.

use proptest::prelude::*;
use proptest::sample::Index;

use super::{Changes, State, Stop, decide};
use crate::admission::{Admit, Door, OfflineShown, RecordScans, Verdict};
use crate::booking::{Booking, Dispute, DisputeStatus, Ticket, TicketStatus, VoidReason};
use crate::command::{Command, Effect, Recorded, Reissue};
use crate::id::{BookingId, CatalogueId};
use crate::refusal::Refusal;
use crate::sales::Sales;
use crate::show::{Show, ShowSpec};
use crate::testkit::world::code;
use crate::testkit::{Memory, World, hall};
use crate::time::{Span, Timestamp};

fn paid(w: &World<'_>) -> BookingId {
    let booking = w.hold(1, &["A1", "A2"]).unwrap().id;
    w.pay(booking).unwrap();
    booking
}

fn run(w: &World<'_>, booking: &Booking, show: &Show, command: &Command, now: Timestamp) -> Result<Changes, Stop> {
    let seats = w.seats(1).unwrap().seats;
    let state = State { show, seats: &seats, sales: Sales::Open, booking: Some(booking), promo: None, replaced: None };
    decide(state, command, now)
}

fn how(result: &Result<Changes, Stop>) -> String {
    match result {
        Ok(changes) => {
            assert!(matches!(changes.outcome.effect, Effect::Admitted { .. }), "{:?}", changes.outcome.effect);
            "admitted".to_owned()
        }
        Err(Stop::Refused(refusal)) => refusal.code().to_owned(),
        Err(Stop::Bug(bug)) => format!("bug: {bug}"),
    }
}

/// The film begins after 20 minutes of trailers and runs for 100.
#[test]
fn the_window_is_half_open_at_both_ends() {
    let (opens, closes) = (-30 * 60_000, 120 * 60_000);
    let cases = [
        (opens - 1, "too-early"),
        (opens, "admitted"),
        (0, "admitted"),
        (closes - 1, "admitted"),
        (closes, "wrong-show"),
        (closes + 1, "wrong-show"),
    ];
    let w = World::open(&Memory).unwrap();
    let id = paid(&w);
    let (booking, show) = (w.booking(id).unwrap(), w.show(1).unwrap());
    for (ms, expected) in cases {
        let now = hall::starts_at(1) + Span::from_ms(ms);
        let result = run(&w, &booking, &show, &w.admit_command(id, 1, "n"), now);
        assert_eq!(how(&result), expected, "{ms} ms from the start");
    }
}

type Spoil = fn(&mut Booking, &mut ShowSpec, &mut Admit);

/// What is wrong with a ticket at a door, in the order in which it is told.
const WRONGS: [(&str, Spoil); 6] = [
    ("unknown-ticket", |_, _, admit| admit.ticket.no = 9),
    ("ticket-void", |booking, _, _| {
        booking.tickets[0].status = TicketStatus::Void;
        booking.tickets[0].void_reason = Some(VoidReason::Refunded);
    }),
    ("show-cancelled", |_, show, _| show.cancelled = true),
    ("wrong-show", |_, _, admit| admit.door.show = Some(hall::show_id(2))),
    ("payment-disputed", |booking, _, _| {
        booking.attempts[0].dispute = Some(Dispute { status: DisputeStatus::Open, lost: None });
    }),
    // The show is two days away: what it is to be too early needs nothing more.
    ("too-early", |_, _, _| {}),
];

/// Every set of wrongs at once: the first of them is told.
#[test]
fn the_first_wrong_is_told() {
    let w = World::open(&Memory).unwrap();
    let id = paid(&w);
    for set in 0..1_u32 << WRONGS.len() {
        let mut booking = w.booking(id).unwrap();
        let mut show = Show::clone(&w.show(1).unwrap());
        let Command::Admit(mut admit) = w.admit_command(id, 1, "n") else { panic!("another command") };
        let chosen = || WRONGS.iter().enumerate().filter(|(n, _)| set & (1 << n) != 0).map(|(_, wrong)| wrong);
        for (_, spoil) in chosen() {
            spoil(&mut booking, &mut show.spec, &mut admit);
        }
        let early = chosen().any(|(name, _)| *name == "too-early");
        let now = if early { w.now() } else { hall::starts_at(1) };
        let expected = chosen().next().map_or("admitted", |(name, _)| name);
        let result = run(&w, &booking, &show, &Command::Admit(admit), now);
        assert_eq!(how(&result), expected, "set {set:b}");
    }
}

#[test]
fn case_041_a_disputed_payment_lets_nobody_in_until_it_is_won() {
    let w = World::open(&Memory).unwrap();
    let id = paid(&w);
    let show = w.show(1).unwrap();
    let cases = [
        (DisputeStatus::Open, "payment-disputed"),
        (DisputeStatus::Lost, "payment-disputed"),
        (DisputeStatus::Won, "admitted"),
    ];
    for (status, expected) in cases {
        let mut booking = w.booking(id).unwrap();
        booking.attempts[0].dispute = Some(Dispute { status, lost: None });
        let result = run(&w, &booking, &show, &w.admit_command(id, 1, "n"), hall::starts_at(1));
        assert_eq!(how(&result), expected, "{status:?}");
    }
}

#[test]
fn a_void_ticket_says_why_and_the_wrong_door_names_the_right_one() {
    let w = World::open(&Memory).unwrap();
    let id = paid(&w);
    w.cancel(id).unwrap();
    let void = w.run(w.admit_command(id, 1, "n")).unwrap_err();
    assert_eq!(void, Refusal::TicketVoid { reason: VoidReason::Cancelled }.into());
    let id = paid(&w);
    let Command::Admit(mut admit) = w.admit_command(id, 1, "n") else { panic!("another command") };
    for door in [
        Door { show: Some(hall::show_id(2)), ..Door::default() },
        Door { screen: Some(CatalogueId::new("other").unwrap()), ..Door::default() },
        Door { theatre: Some(CatalogueId::new("other").unwrap()), ..Door::default() },
    ] {
        admit.door = door;
        let wrong = w.run(Command::Admit(admit.clone())).unwrap_err();
        assert_eq!(wrong.to_string(), "the ticket is for The Long Take, Kino, Hall 1, on 2027-06-12 20:00");
    }
}

#[test]
fn the_same_nonce_gets_the_same_answer_and_another_is_refused() {
    let w = World::open(&Memory).unwrap();
    let id = paid(&w);
    w.clock.set(hall::starts_at(1));
    let first = w.run(w.admit_command(id, 1, "n")).unwrap().outcome.effect;
    w.clock.advance(Span::from_mins(1));
    assert_eq!(w.run(w.admit_command(id, 1, "n")).unwrap().outcome.effect, first);
    let again = w.run(w.admit_command(id, 1, "m")).unwrap_err();
    assert_eq!(again, Refusal::AlreadyAdmitted { at: hall::starts_at(1), gate: Some("north".into()) }.into());
    let other = w.run(w.admit_command(id, 2, "n"));
    assert_eq!(code(&other), "ok", "another ticket of the booking");
    // A cancelled ticket says so even to the repeat.
    assert_eq!(code(&w.cancel(id)), "not-cancellable");
}

#[test]
fn only_the_newest_code_lets_in() {
    let w = World::open(&Memory).unwrap();
    let id = paid(&w);
    let reissue = Command::Reissue(Reissue { booking: id, ticket: 1, holder: Some("Grace".into()) });
    w.run(reissue.clone()).unwrap();
    w.clock.set(hall::starts_at(1));
    let old = w.run(w.admit_command(id, 1, "n")).unwrap_err();
    assert_eq!(old, Refusal::TicketVoid { reason: VoidReason::Reissued }.into());
    let Command::Admit(mut admit) = w.admit_command(id, 1, "m") else { panic!("another command") };
    admit.serial = 3;
    assert_eq!(code(&w.run(Command::Admit(admit.clone()))), "unknown-ticket", "a code that was never made");
    admit.serial = 2;
    assert_eq!(code(&w.run(Command::Admit(admit))), "ok");
    assert_eq!(code(&w.run(reissue)), "already-admitted");
    let ticket = w.booking(id).unwrap().tickets[0].clone();
    assert_eq!((ticket.serial, ticket.holder.as_deref()), (2, Some("Grace")));
}

/// A scan by one of two devices whose clocks are wrong by seven minutes, one each way.
#[derive(Debug, Clone)]
struct Seen {
    device: usize,
    /// The true time, in minutes from 19:40.
    minute: i64,
    nonce: u16,
    serial: u16,
    elsewhere: bool,
}

const OFFSETS_MIN: [i64; 2] = [7, -7];

fn bring(w: &World<'_>, booking: BookingId, seen: &[Seen]) -> Vec<Recorded> {
    let device = seen[0].device;
    let offset = Span::from_mins(OFFSETS_MIN[device]);
    let shown = |seen: &Seen| OfflineShown {
        ticket: 1,
        serial: seen.serial,
        door: Door { show: seen.elsewhere.then(|| hall::show_id(2)), ..Door::default() },
        at: hall::starts_at(1) + Span::from_mins(seen.minute - 20) + offset,
        nonce: format!("n{}", seen.nonce),
        gate: Some(format!("gate {device}")),
    };
    let record = RecordScans {
        booking,
        device: format!("device {device}"),
        clock_offset: offset,
        by: "key".into(),
        scans: seen.iter().map(shown).collect(),
    };
    let Effect::ScansRecorded(recorded) = w.run(Command::RecordScans(record)).unwrap().outcome.effect else {
        panic!("another effect")
    };
    recorded
}

/// The ticket without what tells when its scans arrived.
fn outcome(w: &World<'_>, booking: BookingId) -> (Ticket, Vec<(Option<String>, Verdict)>) {
    let mut ticket = w.booking(booking).unwrap().tickets[0].clone();
    let verdicts = ticket.scans.iter().map(|scan| (scan.nonce.clone(), ticket.verdict(scan))).collect();
    for offline in ticket.scans.iter_mut().filter_map(|scan| scan.offline.as_mut()) {
        offline.received_at = hall::opening();
    }
    (ticket, verdicts)
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(n - 1);
    let insert = |order: &Vec<usize>, at: usize| [&order[..at], &[n - 1], &order[at..]].concat();
    shorter.iter().flat_map(|order| (0..n).map(move |at| insert(order, at))).collect()
}

/// Up to four scans of one ticket, brought one by one in every order, each a second time as well.
fn same_in_every_order(scans: &[Seen], spoil: fn(&World<'_>, BookingId)) {
    let mut outcomes = Vec::new();
    for order in permutations(scans.len()) {
        let w = World::open(&Memory).unwrap();
        let id = paid(&w);
        spoil(&w, id);
        w.clock.set(hall::starts_at(1));
        for n in &order {
            w.clock.advance(Span::from_mins(1));
            assert_eq!(bring(&w, id, &scans[*n..=*n]), [Recorded::New]);
            assert_eq!(bring(&w, id, &scans[*n..=*n]), [Recorded::Before]);
        }
        outcomes.push(outcome(&w, id));
    }
    assert!(outcomes.iter().all(|one| *one == outcomes[0]), "{outcomes:#?}");
}

#[test]
fn up_to_four_scans_of_two_devices_come_out_the_same_in_every_order() {
    // Which device, which minute: ties and doubles are among them.
    for count in 1..=4_u32 {
        for choice in 0..4_u32.pow(count) {
            let seen = |n: u32| {
                let pick = choice / 4_u32.pow(n) % 4;
                Seen {
                    device: (pick % 2) as usize,
                    minute: i64::from(pick / 2),
                    nonce: u16::try_from(9 - n).unwrap(),
                    serial: 1,
                    elsewhere: false,
                }
            };
            let scans: Vec<Seen> = (0..count).map(seen).collect();
            same_in_every_order(&scans, |_, _| {});
        }
    }
}

#[test]
fn the_earliest_by_corrected_time_is_the_admission_and_the_rest_are_conflicts() {
    let w = World::open(&Memory).unwrap();
    let id = paid(&w);
    let scan = |device, minute, nonce| Seen { device, minute, nonce, serial: 1, elsewhere: false };
    // By its own clock the second device was first.
    bring(&w, id, &[scan(1, 1, 1)]);
    bring(&w, id, &[scan(0, 0, 2), scan(0, 3, 3)]);
    let elsewhere = Seen { elsewhere: true, ..scan(0, -9, 4) };
    bring(&w, id, &[elsewhere]);
    let (ticket, verdicts) = outcome(&w, id);
    let named = |n: u16, verdict| (Some(format!("n{n}")), verdict);
    let expected = [
        named(4, Verdict::Elsewhere),
        named(2, Verdict::Admission),
        named(1, Verdict::Again),
        named(3, Verdict::Again),
    ];
    assert_eq!((ticket.status, verdicts.as_slice()), (TicketStatus::Admitted, expected.as_slice()));
    assert_eq!(ticket.admission().unwrap().at, hall::starts_at(1) - Span::from_mins(20));
}

#[test]
fn a_scan_of_a_void_or_replaced_ticket_is_kept_and_lets_nobody_in() {
    let w = World::open(&Memory).unwrap();
    let id = paid(&w);
    let scan = |nonce, serial| Seen { device: 0, minute: 0, nonce, serial, elsewhere: false };
    w.run(Command::Reissue(Reissue { booking: id, ticket: 1, holder: None })).unwrap();
    assert_eq!(bring(&w, id, &[scan(1, 1), scan(2, 3)]), [Recorded::New, Recorded::Unknown]);
    assert_eq!(w.booking(id).unwrap().tickets[0].status, TicketStatus::Valid);
    w.cancel(id).unwrap();
    bring(&w, id, &[scan(3, 2)]);
    let (ticket, verdicts) = outcome(&w, id);
    let expected = [(Some("n1".into()), Verdict::Replaced), (Some("n3".into()), Verdict::Void(VoidReason::Cancelled))];
    assert_eq!((ticket.status, verdicts.as_slice()), (TicketStatus::Void, expected.as_slice()));
}

/// What a scan sent while online finds when an offline one turns out to have been earlier.
#[test]
fn an_offline_scan_may_turn_out_earlier_than_the_servers_own() {
    let w = World::open(&Memory).unwrap();
    let id = paid(&w);
    w.clock.set(hall::starts_at(1));
    let first = w.run(w.admit_command(id, 1, "asked")).unwrap().outcome.effect;
    bring(&w, id, &[Seen { device: 0, minute: 0, nonce: 1, serial: 1, elsewhere: false }]);
    let (_, verdicts) = outcome(&w, id);
    assert_eq!(verdicts, [(Some("n1".into()), Verdict::Admission), (Some("asked".into()), Verdict::Again)]);
    let again = w.run(w.admit_command(id, 1, "asked")).unwrap().outcome.effect;
    assert_eq!(again, first, "whoever was let in stays let in");
}

fn many() -> impl Strategy<Value = Vec<Seen>> {
    let seen = (0..2_usize, 0..5_i64, 1..3_u16, any::<bool>());
    proptest::collection::vec(seen, 1..20).prop_map(|all| {
        let seen = |(n, (device, minute, serial, elsewhere)): (u16, (usize, i64, u16, bool))| Seen {
            device,
            minute,
            nonce: n,
            serial,
            elsewhere: elsewhere && minute == 0,
        };
        (0..).zip(all).map(seen).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn many_scans_come_out_the_same_in_any_order_and_packing(
        scans in many(),
        order in proptest::collection::vec(any::<Index>(), 20),
        void in any::<bool>(),
    ) {
        let mut outcomes = Vec::new();
        let mut shuffled = Vec::new();
        let mut rest = scans.clone();
        for index in order.iter().take(scans.len()) {
            shuffled.push(rest.remove(index.index(rest.len())));
        }
        for packed in [scans, shuffled] {
            let w = World::open(&Memory).unwrap();
            let id = paid(&w);
            w.run(Command::Reissue(Reissue { booking: id, ticket: 1, holder: None })).unwrap();
            if void {
                w.cancel(id).unwrap();
            }
            for batch in packed.chunk_by(|a, b| a.device == b.device) {
                bring(&w, id, batch);
            }
            outcomes.push(outcome(&w, id));
        }
        prop_assert_eq!(&outcomes[0], &outcomes[1]);
    }
}
