//! Shows and the defaults of a file for them; local times become instants here.

use jiff::civil::DateTime;
use jiff::tz::AmbiguousOffset;

use super::fields::{Fields, Notes, Place, Read, Reported};
use super::tree::{Node, Value};
use super::{Known, values};
use crate::catalogue::timetable;
use crate::id::{MovieId, ScreenId, ShowId};
use crate::show::{ENTRY_OPENS, LatePayment, Movie, ShowSpec, Theatre, Zone};
use crate::time::{Span, Timestamp};

/// The fields of a show, each of which `[defaults]` may give.
const FIELDS: [&str; 17] = [
    "id",
    "movie",
    "screen",
    "starts_at",
    "starts_at_fold",
    "price_list",
    "refund_policy",
    "format",
    "audio",
    "subtitles",
    "hold",
    "max_seats",
    "sales_open",
    "web_closes",
    "late_payment",
    "entry_opens",
    "entry_closes",
];

/// Refuses unknown names in `[defaults]`; the values are read with each show that lacks them.
pub(super) fn check_defaults(node: &Node, place: Place, notes: &mut Notes) {
    let Value::Table(table) = &node.value else {
        notes.error(&place, "is no table; begin it with [defaults]");
        return;
    };
    let mut fields = Fields::new(table, place, notes);
    for name in FIELDS {
        fields.knows(name);
    }
    fields.finish();
}

/// A show, and where its start stands.
pub(super) fn show(fields: &mut Fields<'_>, known: &Known) -> Read<(ShowSpec, Place)> {
    let id = fields.required("id", values::id);
    let hall = Hall::of(fields, known);
    let starts_at = starts_at(fields, hall.zone());
    let terms = terms(fields, known, &hall);
    let spec = terms?(id?, starts_at?);
    if let Err(why) = timetable::can_be_priced(&known.catalogue, &spec) {
        return Err(fields.error("price_list", why));
    }
    Ok((spec, fields.place_of("starts_at")))
}

/// Where and what: as much of it as could be read.
pub(super) struct Hall<'k> {
    movie: Read<(MovieId, &'k Movie)>,
    screen: Read<ScreenId>,
    pub(super) theatre: Option<&'k Theatre>,
}

impl<'k> Hall<'k> {
    pub(super) fn of(fields: &mut Fields<'_>, known: &'k Known) -> Self {
        let catalogue = &known.catalogue;
        let movie = fields.reference("movie", "movies", known, &catalogue.movies);
        let screen = fields.reference("screen", "screens", known, &catalogue.screens);
        let theatre = screen.as_ref().ok().and_then(|(_, screen)| catalogue.theatres.get(&screen.theatre));
        Self {
            movie: movie.map(|(id, movie)| (id, &**movie)),
            screen: screen.map(|(id, _)| id),
            theatre: theatre.map(|theatre| &**theatre),
        }
    }

    pub(super) fn zone(&self) -> Option<&'k Zone> {
        self.theatre.map(|theatre| &theatre.timezone)
    }

    /// Trailers and film.
    fn runs(&self) -> Option<Span> {
        let (theatre, movie) = (self.theatre?, self.movie.as_ref().ok()?.1);
        Some(Span::from_ms(theatre.trailers.as_ms() + Span::from_mins(i64::from(movie.runtime_min)).as_ms()))
    }
}

/// Everything of a show but its id and start, which make it a show.
pub(super) fn terms(
    fields: &mut Fields<'_>,
    known: &Known,
    hall: &Hall<'_>,
) -> Read<impl Fn(ShowId, Timestamp) -> ShowSpec + use<>> {
    let catalogue = &known.catalogue;
    let zone = hall.zone();
    let price_list = fields.reference("price_list", "price_lists", known, &catalogue.price_lists);
    let refund_policy = fields.reference("refund_policy", "refund_policies", known, &catalogue.refund_policies);
    let format = fields.optional("format", values::text);
    let audio = fields.optional("audio", values::language);
    let subtitles = fields.optional("subtitles", values::language);
    let hold = fields.optional("hold", hold);
    let max_seats = fields.optional("max_seats", |node| values::integer(node, 1..=10_000));
    let sales_open = fields.optional("sales_open", |node| moment(node, zone, None));
    let web_closes = fields.optional("web_closes", values::signed_duration);
    let late_payment = fields.optional("late_payment", |node| {
        values::word(node, &[("reclaim", LatePayment::Reclaim), ("refund", LatePayment::Refund)])
    });
    let entry = entry(fields, hall);
    let (movie, screen) = (hall.movie.as_ref().map(|(id, _)| id.clone()).map_err(|e| *e), hall.screen.clone());
    let (movie, screen, price_list, refund_policy) = (movie?, screen?, price_list?.0, refund_policy?.0);
    let (format, audio, subtitles) = (format?, audio?, subtitles?);
    let (hold, max_seats) = (hold?.unwrap_or(Span::from_mins(10)), max_seats?.unwrap_or(10));
    let (sales_open, web_closes) = (sales_open?.flatten(), web_closes?.unwrap_or(Span::from_ms(0)));
    let late_payment = late_payment?.unwrap_or(LatePayment::Reclaim);
    let (entry_opens, entry_closes) = entry?;
    Ok(move |id, starts_at| ShowSpec {
        id,
        movie: movie.clone(),
        screen: screen.clone(),
        starts_at,
        price_list: price_list.clone(),
        refund_policy: refund_policy.clone(),
        format: format.clone(),
        audio: audio.clone(),
        subtitles: subtitles.clone(),
        hold,
        max_seats,
        sales_open,
        web_closes,
        late_payment,
        entry_opens,
        entry_closes,
        cancelled: false,
        refunds: None,
    })
}

/// When guests are let in, relative to the start. `None`: to the end of the film.
fn entry(fields: &mut Fields<'_>, hall: &Hall<'_>) -> Read<(Span, Option<Span>)> {
    let opens = fields.optional("entry_opens", values::signed_duration)?.unwrap_or(ENTRY_OPENS);
    let closes = fields.optional("entry_closes", values::signed_duration)?;
    if closes.or(hall.runs()).is_some_and(|closes| closes <= opens) {
        let name = if closes.is_some() { "entry_closes" } else { "entry_opens" };
        return Err(fields.error(name, "ends the entry before it begins; let it close after it opens"));
    }
    Ok((opens, closes))
}

fn starts_at(fields: &mut Fields<'_>, zone: Option<&Zone>) -> Read<Timestamp> {
    let fold = fields.optional("starts_at_fold", |node| values::integer(node, 0..=1))?;
    fields.required("starts_at", |node| moment(node, zone, fold))?.ok_or(Reported)
}

/// An instant with its offset, or a local time in the zone. `None`: local, and the zone is not
/// known because the screen could not be read.
fn moment(node: &Node, zone: Option<&Zone>, fold: Option<u16>) -> Result<Option<Timestamp>, String> {
    let text = node.value.text()?;
    if let Ok(instant) = text.parse::<Timestamp>() {
        let agrees = zone.is_none_or(|zone| text.ends_with(['Z', 'z']) || has_its_offset(text, instant, zone));
        return match fold {
            _ if !agrees => {
                Err("has an offset that the theatre's clocks do not have then; leave the offset out".into())
            }
            Some(_) => Err("has an offset; leave `starts_at_fold` out".into()),
            None => Ok(Some(instant)),
        };
    }
    let local = text.parse::<DateTime>().ok().filter(|_| text.contains(['T', 't', ' ']) && !text.contains('['));
    let Some(local) = local else {
        return Err("is no local time; write one such as `2027-06-12T20:00`".into());
    };
    zone.map(|zone| instant_of(local, zone, fold)).transpose()
}

/// Whether the local time that is written before the offset is the one of the zone.
fn has_its_offset(text: &str, instant: Timestamp, zone: &Zone) -> bool {
    let local = instant.to_jiff().to_zoned_datetime(zone.tz().clone()).datetime();
    text.parse::<DateTime>().is_ok_and(|written| written == local)
}

/// A local time that does not exist is refused; one that occurs twice needs the `fold`, 0 for the
/// first and 1 for the second.
pub(super) fn instant_of(local: DateTime, zone: &Zone, fold: Option<u16>) -> Result<Timestamp, String> {
    let ambiguous = zone.tz().to_ambiguous_timestamp(local);
    let chosen = match (ambiguous.offset(), fold) {
        (AmbiguousOffset::Gap { .. }, _) => {
            return Err(format!(
                "does not exist in {}: the clocks go forward over it; choose another time",
                zone.name()
            ));
        }
        (AmbiguousOffset::Fold { .. }, None) => {
            return Err(format!(
                "occurs twice in {}, as the clocks go back; add its offset, or `starts_at_fold = 0` for the first, 1 for the second",
                zone.name()
            ));
        }
        (AmbiguousOffset::Unambiguous { .. }, Some(1)) => {
            return Err(format!("occurs only once in {}; leave `starts_at_fold` out", zone.name()));
        }
        (AmbiguousOffset::Fold { .. }, Some(1)) => ambiguous.later(),
        (AmbiguousOffset::Fold { .. } | AmbiguousOffset::Unambiguous { .. }, _) => ambiguous.earlier(),
    };
    chosen.map(|instant| Timestamp::from_ms(instant.as_millisecond())).map_err(|_| "is out of range".into())
}

fn hold(node: &Node) -> Result<Span, String> {
    let hold = values::duration(node)?;
    let allowed = Span::from_mins(1)..=Span::from_mins(60);
    if allowed.contains(&hold) { Ok(hold) } else { Err("must be from `1m` to `60m`".into()) }
}
