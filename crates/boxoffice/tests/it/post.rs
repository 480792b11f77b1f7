//! The postman against a courier that loses letters and answers: each letter arrives, and none is
//! sent again because of anything but a crash or an answer that was lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use boxoffice::booking::{Notice, NoticeStatus};
use boxoffice::courier::{Courier, CourierFault, Delivery, Letter};
use boxoffice::gateway::BoxFuture;
use boxoffice::id::BookingId;
use boxoffice::postman::Postman;
use boxoffice::service::BoxOffice;
use boxoffice::testkit::world::World;
use boxoffice::testkit::{Memory, PostMishap, ScriptedCourier, SeededEntropy};
use boxoffice::time::Span;
use pollster::block_on;

struct House {
    world: World<'static>,
    courier: Arc<ScriptedCourier>,
    postman: Postman,
}

fn house() -> House {
    let world = World::open(&Memory).expect("a store");
    let courier = Arc::new(ScriptedCourier::default());
    let postman = postman(&world, Some(courier.clone()));
    House { world, courier, postman }
}

fn postman(world: &World<'_>, courier: Option<Arc<dyn Courier>>) -> Postman {
    let office = BoxOffice::new(world.store.clone(), Vec::new(), Arc::new(SeededEntropy::new(1)));
    Postman::new(office, courier)
}

impl House {
    fn sold(&self, seat: &str) -> BookingId {
        let booking = self.world.hold(1, &[seat]).expect("a free seat").id;
        self.world.pay(booking).expect("a payment");
        booking
    }

    fn notice(&self, booking: BookingId) -> Notice {
        self.world.booking(booking).expect("the booking").notices[0].clone()
    }

    fn tick(&self) {
        block_on(self.postman.tick(100)).expect("a store that answers");
    }

    fn messages(&self) -> Vec<String> {
        self.courier.arrived().into_iter().map(|letter| letter.message).collect()
    }
}

#[test]
fn a_letter_is_tried_until_it_arrives_and_then_no_more() {
    let house = house();
    let booking = house.sold("A1");
    house.courier.next_letters([PostMishap::Lost, PostMishap::Later]);
    for _ in 0..5 {
        house.tick();
        house.tick();
        house.world.clock.advance(Span::from_mins(30));
    }
    assert_eq!(house.messages(), [format!("{booking}-1")]);
    assert_eq!(house.notice(booking).status, NoticeStatus::Sent);
}

#[test]
fn case_124_attachments_that_are_refused_are_left_out_once() {
    let house = house();
    house.courier.refuse_attachments(true);
    let booking = house.sold("A1");
    house.tick();
    house.tick();
    let arrived = house.courier.arrived();
    assert_eq!((arrived.len(), arrived[0].with_tickets), (1, false));
    assert_eq!(house.notice(booking).status, NoticeStatus::Sent);
    let refused = house.sold("A2");
    house.courier.next_letters([PostMishap::Refused, PostMishap::Refused]);
    for _ in 0..4 {
        house.tick();
    }
    assert_eq!(house.notice(refused).status, NoticeStatus::Failed);
    assert_eq!(house.courier.arrived().len(), 1);
}

/// The worker is killed after the letter went out and before that was noted; another takes over.
#[test]
fn case_125_after_a_crash_the_same_letter_goes_out_once_more() {
    let house = house();
    let booking = house.sold("A1");
    let crashed = postman(&house.world, Some(house.courier.clone()));
    let taken = block_on(crashed.take(1)).expect("a store that answers");
    let letter = Letter {
        notice: house.notice(booking),
        booking: house.world.booking(booking).expect("the booking"),
        show: house.world.show(1).expect("the show"),
    };
    assert_eq!(block_on(house.courier.deliver(&letter)), Ok(Delivery::Sent));
    drop((crashed, taken));
    for _ in 0..3 {
        house.tick();
        house.world.clock.advance(Span::from_mins(30));
    }
    assert_eq!(house.messages(), [format!("{booking}-1"), format!("{booking}-1")], "twice, and told apart by nothing");
}

#[test]
fn a_lost_answer_sends_the_same_message_again() {
    let house = house();
    let booking = house.sold("A1");
    house.courier.next_letters([PostMishap::AnswerLost]);
    house.tick();
    house.world.clock.advance(Span::from_secs(30));
    house.tick();
    assert_eq!(house.messages(), [format!("{booking}-1"), format!("{booking}-1")]);
}

#[test]
fn without_a_courier_and_for_void_tickets_notices_are_withheld() {
    let house = house();
    let booking = house.sold("A1");
    block_on(postman(&house.world, None).tick(10)).expect("a store that answers");
    assert_eq!(house.notice(booking).status, NoticeStatus::Withheld);
    let cancelled = house.sold("A2");
    house.world.cancel(cancelled).expect("in time");
    house.tick();
    assert_eq!(house.notice(cancelled).status, NoticeStatus::Withheld, "its tickets are void");
}

/// Takes a letter only when it is told to.
#[derive(Debug, Default)]
struct Slow {
    opened: AtomicBool,
}

impl Courier for Slow {
    fn deliver<'a>(&'a self, _letter: &'a Letter) -> BoxFuture<'a, Result<Delivery, CourierFault>> {
        Box::pin(std::future::poll_fn(|_| match self.opened.load(Ordering::SeqCst) {
            true => std::task::Poll::Ready(Ok(Delivery::Sent)),
            false => std::task::Poll::Pending,
        }))
    }
}

#[test]
fn a_letter_under_way_is_not_taken_again_and_holds_up_no_other_work() {
    let house = house();
    let courier = Arc::new(Slow::default());
    let postman = postman(&house.world, Some(courier.clone()));
    let held = house.world.hold(1, &["A2"]).expect("a free seat");
    house.world.clock.advance(Span::from_secs(1));
    let sold = house.sold("A1");
    let taken = block_on(postman.take(10)).expect("a store that answers");
    let mut work = Box::pin(postman.work(taken[0]));
    let waker = std::task::Waker::noop();
    assert!(work.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending());
    assert_eq!(block_on(postman.take(10)).expect("a store that answers"), []);
    house.world.clock.set(held.expires_at);
    let due = block_on(house.world.store.due(10)).expect("a store that answers");
    assert_eq!(due, [held.id], "the lapsed hold, not the letter's booking");
    courier.opened.store(true, Ordering::SeqCst);
    assert_eq!(block_on(work).sent, 1);
    assert_eq!(house.notice(sold).status, NoticeStatus::Sent);
}
