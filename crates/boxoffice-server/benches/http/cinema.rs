//! What is sold in the benchmark: many shows of one hall, and parties of four that never ask for
//! the same seat.

use boxoffice::catalogue::file::{SourceFile, read};
use boxoffice::catalogue::{Catalogue, Import};

/// Enough that no seat is asked for twice in a run.
pub(crate) const SHOWS: usize = 1 + SCATTERED + 3_000;
/// As many as the store has in hand.
const SCATTERED: usize = 2_000;
pub(crate) const SEATS: usize = ROWS * SEATS_IN_ROW;
const ROWS: usize = 20;
const SEATS_IN_ROW: usize = 12;

pub(crate) fn import() -> anyhow::Result<Import> {
    let file = SourceFile { name: "bench.toml".into(), text: text() };
    let (import, _) = read(&[file], &Catalogue::default())
        .map_err(|errors| anyhow::anyhow!("{}", errors.first().map(ToString::to_string).unwrap_or_default()))?;
    Ok(import)
}

fn text() -> String {
    let rows: Vec<String> = (0..ROWS).map(|row| format!("\"R{row}- {}\"", "S".repeat(SEATS_IN_ROW))).collect();
    let mut text = format!(
        "[[theatres]]\nid=\"t\"\nname=\"Bench\"\ncity=\"Berlin\"\ncountry=\"DE\"\ntimezone=\"Europe/Berlin\"\ncurrency=\"EUR\"\n\
         [[layouts]]\nid=\"hall\"\ncategories={{S=\"Standard\"}}\nrows=[{}]\n\
         [[movies]]\nid=\"m\"\ntitle=\"Film\"\nlanguage=\"en\"\nruntime_min=90\n\
         [[taxes]]\nid=\"tax\"\npercent=\"7\"\n\
         [[fees]]\nid=\"fee\"\nname=\"Booking fee\"\nper=\"ticket\"\namount=\"1.20\"\ntax=\"tax\"\n\
         [[price_lists]]\nid=\"p\"\ncurrency=\"EUR\"\ntax=\"tax\"\nprices={{Standard=\"12.50\"}}\nfees=[\"fee\"]\n\
         [[refund_policies]]\nid=\"r\"\ntiers=[{{before=\"24h\",percent=100}}]\n",
        rows.join(",")
    );
    for show in 0..SHOWS {
        text.push_str(&format!(
            "[[screens]]\nid=\"screen-{show}\"\ntheatre=\"t\"\nname=\"Hall {show}\"\nlayout=\"hall\"\n\
             [[shows]]\nid=\"show-{show}\"\nmovie=\"m\"\nscreen=\"screen-{show}\"\nstarts_at=\"2099-06-12T20:00\"\n\
             price_list=\"p\"\nrefund_policy=\"r\"\n"
        ));
    }
    text
}

/// How the buyers spread.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Crowd {
    /// As when ticket sales open: so many shows are wanted at a time, until they are full.
    OpeningNight,
    /// Each buyer wants another show than the last one did, so that no page of the store serves two.
    Scattered,
}

const WANTED_AT_A_TIME: usize = 8;
const GROUPS: usize = SEATS / 4;

impl Crowd {
    /// The n-th group of four neighbours. The first show is the one whose map is read, and is not sold; the two
    /// crowds share no other.
    pub(crate) fn hold_body(self, n: usize) -> String {
        let (show, group) = match self {
            Self::OpeningNight => {
                let (night, n) = (n / (WANTED_AT_A_TIME * GROUPS), n % (WANTED_AT_A_TIME * GROUPS));
                (1 + SCATTERED + night * WANTED_AT_A_TIME + n % WANTED_AT_A_TIME, n / WANTED_AT_A_TIME)
            }
            Self::Scattered => (1 + n % SCATTERED, n / SCATTERED),
        };
        let groups_in_row = SEATS_IN_ROW / 4;
        let (row, first) = (group / groups_in_row, group % groups_in_row * 4 + 1);
        let seats: Vec<String> = (first..first + 4).map(|seat| format!("\"R{row}-{seat}\"")).collect();
        format!("{{\"show\":\"show-{show}\",\"seats\":[{}]}}", seats.join(","))
    }
}
