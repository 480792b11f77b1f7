//! Tests of the problem pages: each code has its page, and each page says what to do.

use std::collections::BTreeSet;
use std::path::Path;

use boxoffice::booking::{ShowStamp, VoidReason};
use boxoffice::catalogue::delete::InUse;
use boxoffice::refusal::{Ambiguous, HoldOver, NotOnSale, Refusal, RightDoor, ShowMove};

use super::{PAGES, blocks, title};
use crate::http::Problem;

/// One problem of every kind there is.
fn every_problem() -> Vec<Problem> {
    let now = boxoffice::time::Timestamp::from_ms(0);
    let money = |minor| boxoffice::money::Money::from_minor(minor, "EUR".parse().expect("a currency"));
    let id = || boxoffice::id::CatalogueId::new("some").expect("an id");
    let layout = boxoffice::layout::LayoutPin { id: id(), version: 1 };
    let stamp = ShowStamp { id: id(), starts_at: now, screen: id(), layout };
    let words = String::new;
    let door =
        RightDoor { show: id(), movie: words(), theatre: words(), screen: words(), starts_at: now, local: words() };
    let refusals = [
        Refusal::InvalidRequest(Vec::new()),
        Refusal::NotFound("thing"),
        Refusal::UnknownSeats(Vec::new()),
        Refusal::AmbiguousSeats(Ambiguous { label: String::new(), ids: Vec::new() }),
        Refusal::DuplicateSeats(Vec::new()),
        Refusal::TooManySeats { max: 1 },
        Refusal::NoSeats,
        Refusal::IdempotencyKeyReused,
        Refusal::RequestInProgress,
        Refusal::SalesClosed(NotOnSale::Restored),
        Refusal::ShowCancelled,
        Refusal::LayoutChanged { current: 2 },
        Refusal::PriceChanged { old: money(1), new: money(2) },
        Refusal::SeatsUnavailable(Vec::new()),
        Refusal::NotEnoughSeats { count: 2 },
        Refusal::HoldExpired(HoldOver::Lapsed),
        Refusal::PaymentInProgress,
        Refusal::AlreadyPaid,
        Refusal::NotCancellable("it is so"),
        Refusal::GatewayUnavailable { gateway: "sandbox".into() },
        Refusal::ClockBackwards { now },
        Refusal::AlreadyRefunded { remaining: money(0) },
        Refusal::PaymentDisputed,
        Refusal::ShowMoved(Box::new(ShowMove { old: stamp.clone(), new: stamp })),
        Refusal::PromoCodeInvalid("it is so"),
        Refusal::PromoCodeUsedUp,
        Refusal::NotATicket,
        Refusal::UnknownTicket,
        Refusal::TicketVoid { reason: VoidReason::Refunded },
        Refusal::WrongShow(Box::new(door)),
        Refusal::AlreadyAdmitted { at: now, gate: None },
        Refusal::TooEarly { opens_at: now },
        Refusal::InUse(Box::new(InUse { what: "show", id: id(), counts: Vec::new(), hint: "cancel it" })),
    ];
    let others = [
        Problem::Unauthorized,
        Problem::Forbidden,
        Problem::ForeignForm,
        Problem::MethodNotAllowed,
        Problem::PayloadTooLarge { limit_bytes: 1 },
        Problem::TooManyRequests { wait: boxoffice::time::Span::from_secs(1) },
        Problem::Fault(String::new()),
        Problem::Bug(String::new()),
    ];
    refusals.into_iter().map(Problem::Refused).chain(others).collect()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let codes: BTreeSet<String> = every_problem().iter().map(|p| p.code().to_owned()).collect();
    let pages: BTreeSet<String> = PAGES.iter().map(|(code, ..)| (*code).to_owned()).collect();
    assert_eq!(codes, pages);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/problems");
    let files = std::fs::read_dir(folder).expect("the folder of pages").map(|entry| {
        let path = entry.expect("an entry").path();
        path.file_stem().expect("a name").to_string_lossy().into_owned()
    });
    assert_eq!(files.collect::<BTreeSet<_>>(), pages);
}

#[test]
fn a_page_says_what_it_means_what_happened_and_what_to_do() {
    for (code, status_in_list, markdown) in PAGES {
        for part in ["## What it means", "## What happened to seats and money", "## What to do"] {
            assert!(markdown.contains(part), "{code} lacks {part}");
        }
        let statuses: BTreeSet<u16> =
            every_problem().iter().filter(|p| p.code() == code).map(|p| p.status().as_u16()).collect();
        let [status] = statuses.into_iter().collect::<Vec<_>>()[..] else { panic!("{code} has several statuses") };
        assert_eq!(status_in_list, status, "{code}");
        assert!(title(&blocks(markdown)).ends_with(&format!("({status})")), "{code}: {}", title(&blocks(markdown)));
    }
}

#[test]
fn a_detail_is_a_sentence() {
    for problem in every_problem() {
        let detail = problem.detail();
        let starts = detail.chars().next().is_none_or(|c| c.is_uppercase() || !c.is_alphabetic());
        assert!(starts && (detail.is_empty() || detail.ends_with('.')), "{}: {detail}", problem.code());
    }
}
