//! A customer asks to be forgotten: staff look which bookings are theirs, and then have them forgotten. An address is sent
//! in a form's body alone, so that no log and no history of a browser keeps it.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use boxoffice::booking::Booking;
use boxoffice::id::BookingId;
use boxoffice::store::BookingFilter;
use boxoffice::time::Timestamp;

use super::{Staff, must_manage_all};
use crate::app::AppState;
use crate::form::Fields;
use crate::http::Problem;
use crate::http::extract::Whole;
use crate::pages::shell::{self, Shell};
use crate::pages::text;
use crate::privacy::{self, Whose};

pub fn router() -> Router<AppState> {
    Router::new().route("/staff/erasures", get(read).post(ask))
}

#[derive(Template)]
#[template(path = "staff/erase.html")]
struct Page {
    shell: Shell,
    /// An address, or a booking's reference or id.
    who: String,
    step: Step,
}

enum Step {
    Ask {
        /// Nobody is named by what was asked for.
        nobody: bool,
    },
    Sure(Vec<BookingView>),
    Done {
        /// `2 bookings`; empty: none.
        erased: String,
        later: Vec<BookingView>,
    },
}

struct BookingView {
    reference: String,
    movie: String,
    /// `Sat 12 Jun, 20:00`: of the show, or of when it is looked at again.
    at: String,
}

async fn read(State(state): State<AppState>, Staff(key): Staff) -> Result<Response, Problem> {
    must_manage_all(&key)?;
    page(&state, String::new(), Step::Ask { nobody: false })
}

async fn ask(State(state): State<AppState>, Staff(key): Staff, Whole(body): Whole) -> Result<Response, Problem> {
    must_manage_all(&key)?;
    let fields = Fields::read(&body);
    let Some(who) = fields.one("who") else { return page(&state, String::new(), Step::Ask { nobody: false }) };
    let bookings = found(&state, who).await?;
    let step = if bookings.is_empty() {
        Step::Ask { nobody: true }
    } else if fields.one("sure").is_some() {
        forget(&state, &bookings, &key.id).await?
    } else {
        let mut views = Vec::new();
        for booking in &bookings {
            views.push(view(&state, booking, booking.show.starts_at).await?);
        }
        Step::Sure(views)
    };
    page(&state, who.to_owned(), step)
}

/// The bookings that are meant, and that name somebody.
async fn found(state: &AppState, who: &str) -> Result<Vec<Booking>, Problem> {
    let bookings = if who.contains('@') {
        state.store().bookings(BookingFilter { email: Some(who.to_owned()), ..BookingFilter::default() }).await?
    } else if let Ok(id) = who.parse::<BookingId>() {
        state.store().booking(id).await?.into_iter().collect()
    } else {
        let reference = Some(who.to_ascii_uppercase());
        state.store().bookings(BookingFilter { reference, ..BookingFilter::default() }).await?
    };
    Ok(bookings.into_iter().filter(Booking::names_a_person).collect())
}

async fn forget(state: &AppState, bookings: &[Booking], by: &str) -> Result<Step, Problem> {
    let (mut erased, mut later) = (0, Vec::new());
    for booking in bookings {
        let done = privacy::erase(state.store(), Whose::Booking(booking.id), by).await?;
        erased += done.erased;
        for of in done.later {
            later.push(view(state, booking, of.at).await?);
        }
    }
    let erased = if erased == 0 { String::new() } else { text::count(erased, "booking", "bookings") };
    Ok(Step::Done { erased, later })
}

async fn view(state: &AppState, booking: &Booking, at: Timestamp) -> Result<BookingView, Problem> {
    let show = state.store().show_by_no(booking.id.show()).await?;
    let show = show.ok_or_else(|| Problem::Bug("a booking without its show".into()))?;
    let local = at.to_jiff().to_zoned_datetime(show.theatre.timezone.tz().clone());
    Ok(BookingView {
        reference: booking.reference.clone(),
        movie: show.movie.title.english().to_owned(),
        at: format!("{} {}, {}", text::short_date(local.date()), local.year(), text::clock(&local)),
    })
}

fn page(state: &AppState, who: String, step: Step) -> Result<Response, Problem> {
    shell::page(&Page { shell: Shell::new(state), who, step }).map(shell::private)
}
