//! Twenty thousand bookings in a world where everything goes wrong, and the proof that in the end
//! nobody lost a seat or a cent. To replay a failure, see `docs/testing.md`.

use boxoffice::testkit::simulation::{History, Plant, Simulation};

fn run(seed: u64, bookings: usize, plant: Option<Plant>) -> History {
    println!("seed {seed}, {bookings} bookings, planted {plant:?}");
    Simulation { seed, bookings, plant }.run().expect("the simulated cinema opens")
}

#[test]
fn nobody_loses_a_seat_or_a_cent() {
    let seed = std::env::var("BOXOFFICE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_270_612);
    let history = run(seed, 20_000, None);
    println!("{:#?}", history.counts);
    assert_eq!(history.wrongs, Vec::<String>::new(), "replay it with BOXOFFICE_SEED={seed}");
    for what in [
        "confirmed",
        "reclaimed",
        "late",
        "already_paid",
        "amount_mismatch",
        "booking_cancelled",
        "seats-unavailable",
        "requests killed",
        "requests dropped",
        "webhooks failed",
        "webhooks never delivered",
    ] {
        assert!(history.counts.get(what).is_some_and(|count| *count >= 20), "{what}: {:?}", history.counts.get(what));
    }
}

#[test]
fn a_seed_is_one_history() {
    let first = run(7, 300, None);
    assert_eq!(first.hash, run(7, 300, None).hash);
    assert_ne!(first.hash, run(8, 300, None).hash);
}

#[test]
fn a_planted_bug_is_found() {
    for plant in [Plant::ForgetsPayments, Plant::ForgetsRefunds, Plant::NeverAsks] {
        let history = run(9, 1_000, Some(plant));
        assert!(!history.wrongs.is_empty(), "{plant:?} was not found");
    }
    assert_eq!(run(9, 1_000, None).wrongs, Vec::<String>::new(), "the control without a bug");
}
