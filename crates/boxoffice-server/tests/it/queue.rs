//! The queue before the store's writer has an end: when it is full a caller is told at once to come back, instead of
//! waiting for ever, and nobody who waits in it is lost.

use std::task::{Context, Poll, Waker};

use boxoffice::store::{BoxFuture, Store, StoreError};

use crate::cinema::{Cinema, Kind};
use crate::log;

/// As the store has them.
const QUEUE: usize = 8_192;
const BATCH: usize = 256;
const FULL: &str = "the store is busy, send it again in a moment";

/// Askers in the queue, and what the first was told that found no place in it.
fn fill<'a>(store: &'a dyn Store, waiting: &mut Vec<BoxFuture<'a, Result<(), StoreError>>>) -> StoreError {
    loop {
        let mut ask = store.probe();
        match ask.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => waiting.push(ask),
            Poll::Ready(answer) => return answer.expect_err("the writer is held up"),
        }
        assert!(waiting.len() < 100_000, "the queue has an end");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_answers_503_at_once_and_everybody_in_it_is_answered() {
    let cinema = Cinema::standard(Kind::Sqlite).await;
    let other = rusqlite::Connection::open(cinema.file()).expect("another process");
    other.execute_batch("BEGIN IMMEDIATE").expect("it writes, so the store's writer waits");
    let mut waiting = Vec::new();
    let full = fill(&*cinema.store, &mut waiting).to_string();
    assert!(full.contains(FULL), "{full}");
    // When the writer takes a batch meanwhile there is room for as many; one of more than that finds none.
    let callers = (0..BATCH + 40).map(|_| Box::pin(cinema.try_hold("show-1", &["F7"])));
    let (refused, _, others) = futures_util::future::select_all(callers).await;
    drop(others);
    let problem = refused.refused(503, "busy");
    assert_eq!(problem["retryable"], true);
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0), "{problem}");
    assert!(!log::lines(FULL).is_empty(), "it was told for this reason");
    // Reading waits for nobody.
    assert_eq!(cinema.seat_status("show-1", "F7").await, "available");
    assert!(waiting.len() >= QUEUE, "{}", waiting.len());
    other.execute_batch("COMMIT").expect("the other process ends");
    let answers = futures_util::future::join_all(waiting).await;
    let done = answers.iter().filter(|answer| answer.is_ok()).count();
    assert!(done >= QUEUE - BATCH, "{done}");
    assert!(answers.iter().all(|answer| matches!(answer, Ok(()) | Err(StoreError::Fault(_)))), "told what came of it");
    cinema.hold("show-1", &["A1"]).await;
    cinema.close().await;
}
