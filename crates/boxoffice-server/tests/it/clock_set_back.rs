//! The machine's clock is set back while the server sells: its time stands still until the clock has caught up, so that
//! no hold lives longer or comes to life again, and sales go on.

use std::sync::Arc;

use boxoffice::clock::Clock as _;
use boxoffice::testkit::TestClock;
use boxoffice::time::{Span, Timestamp};

use crate::cinema::{BOTH, Cinema, Kind, T0};
use crate::log;

fn time(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_set_back_stops_the_time_and_no_sale() {
    for kind in BOTH {
        let clock = Arc::new(TestClock::at(time(T0)));
        let cinema = Cinema::by_clock(kind, clock.clone()).await;
        let lapsed = cinema.hold("show-1", &["A1"]).await;
        clock.advance(Span::from_secs(2 * 60));
        let held = cinema.hold("show-1", &["F7"]).await;
        clock.advance(Span::from_secs(8 * 60));
        // The first hold has just ended when the clock is set back by an hour.
        assert_eq!(cinema.seat_status("show-1", "A1").await, "available");
        let before = cinema.booking(&held).await["server_time"].clone();
        let told = log::lines("this machine's clock was set back").len();
        clock.set(clock.now() - Span::from_secs(3600));
        assert_eq!(cinema.booking(&held).await["server_time"], before, "time stands still");
        let now_told = log::lines("this machine's clock was set back").len();
        assert!(kind == Kind::Memory || now_told > told, "the operator is told");
        assert_eq!(cinema.get("/readyz").await.text, "ready\n");
        assert_eq!(cinema.booking(&lapsed).await["status"], "expired", "what has ended stays so");
        assert_eq!(cinema.seat_status("show-1", "A1").await, "available");
        assert_eq!(cinema.seat_status("show-1", "F7").await, "held");
        cinema.try_hold("show-1", &["F7"]).await.refused(409, "seats-unavailable");
        // Held, paid and let go as ever; a deadline is ten minutes after the time that stands.
        let sold = cinema.hold("show-1", &["A1"]).await;
        let at = |text: &serde_json::Value| time(text.as_str().expect("a time"));
        assert_eq!(at(&sold.body["expires_at"]) - at(&before), Span::from_secs(600));
        cinema.pay(&sold).await;
        let gone = cinema.hold("show-1", &["B1"]).await;
        cinema.cancel(&gone).await.expect(200);
        assert_eq!(cinema.seat_status("show-1", "B1").await, "available");
        // Half an hour later by the clock nothing has ended; an instant after it has caught up time goes on.
        clock.advance(Span::from_secs(1800));
        assert_eq!(cinema.seat_status("show-1", "F7").await, "held");
        clock.set(at(&held.body["expires_at"]));
        assert_eq!(cinema.seat_status("show-1", "F7").await, "available", "its deadline is the one it was sold with");
        assert_eq!(cinema.seat_status("show-1", "A1").await, "booked");
        cinema.close().await;
    }
}
