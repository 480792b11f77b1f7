//! What is exported, read back.

use super::*;
use crate::catalogue::Import;
use crate::catalogue::file::{plan_files, read};
use crate::id::ShowNo;

const PLANS: [(&str, &str); 3] = [
    ("halls.toml", include_str!("../../../../../fixtures/plans/halls.toml")),
    ("grid.csv", include_str!("../../../../../fixtures/plans/grid.csv")),
    ("studio.json", include_str!("../../../../../fixtures/plans/studio.json")),
];
const STANDARD: (&str, &str) = ("standard.toml", include_str!("../../../../../fixtures/standard.toml"));
const CHAIN: (&str, &str) = ("chain.toml", include_str!("../../../../../fixtures/chain.toml"));
const DEMO: (&str, &str) = ("demo.toml", include_str!("../demo.toml"));

/// What a drawing or a price list can say and the fixtures do not: every field at least once.
const ODD: (&str, &str) = (
    "odd.toml",
    r##"
[[theatres]]
id = "nó-1"
name = { de = 'Kino "am" \ Markt <script>', ar = "سينما السوق" }
city = "München"
country = "DE"
timezone = "Europe/Berlin"
currency = "EUR"
address = "Platz 1, 'Hof'"
business_day_starts = "04:30"
cleaning = "0m"
trailers = "12m30s"

[[layouts]]
id = "odd"
categories = { "P" = "Parkett", L = "Loge '=' \"#\"", "é" = "Rang" }
numbering = "odd-even"
rows = [
  "A PPP_P.PPPP", "- .",
  { label = "Box 1", cells = "L+L(LL)", zone = "left", numbering = "from-left" }, { label = "Box 1", cells = ".L+LL", zone = "right", numbering = "from-right" },
  { label = "É", cells = "éé.é", first_number = 7 }, { label = "Z", cells = "PPP", numbers = ["1", "2a", "09"] },
]
companions = { "left:Box 12" = "left:Box 11" }

[[layouts]]
id = "padded"
categories = { P = "Parkett" }
label = "{row}-{number:02}"
numbering = "from-right"
rows = ["AA PP_PP", "BB P+P(PP)"]
companions = { "BB-03" = "BB-04" }

[[layouts]]
id = "mixed"
categories = { S = "Parkett" }
grid = "A1,A2,,B1,C1\n\n,D1+,D2"
love_seats = [["A1", "A2"]]
companions = { D2 = "D1" }

[[screens]]
id = "s"
theatre = "nó-1"
name = { de = "Saal", en = "Hall" }
layout = "odd"

[[movies]]
id = "m"
title = { en = "Two: = [three]", hi = "रात की ट्रेन" }
language = "pt-BR"
runtime_min = 100
certificates = { DE = { label = "FSK 12", min_age = 12 }, GB = { label = "U" } }
ids = { eidr = "10.5240/1" }

[[ticket_types]]
id = "child"
name = "Child"
proof = { de = "Unter 12", en = "Under 12" }

[[taxes]]
id = "slabs"
included = false
rates = [{ percent = "18" }, { up_to = "100.00", percent = "12" }, { from = 2028-01-01, percent = "5.5" }]

[[taxes]]
id = "flat"
percent = "19"

[[fees]]
id = "f1"
name = "Fee"
per = "booking"
percent = "2.5"
tax = "flat"
refundable = true
cap_per_booking = "6.00"
channels = ["web", "counter"]

[[fees]]
id = "f2"
name = "Fee"
per = "ticket"
amount = "1.2"
tax = "flat"

[[price_lists]]
id = "list"
currency = "EUR"
tax = "flat"
prices = { Parkett = { standard = "11.00", child = "8.00" }, "Loge '=' \"#\"" = "14.50", Rang = "9" }
fees = ["f2", "f1"]
cards = [
  { id = "b", when = { bought_before = "48h", days = ["tue", "mon"], dates = [2027-06-01] }, prices = { Parkett = { child = "7" } } },
  { id = "a", when = { bought_before = "2027-06-01T18:00", from = "22:00", until = "02:30" }, prices = { Rang = "8.00" } },
]
surcharges = [
  { id = "x", name = { en = "3D" }, when = { format = "3D", runtime_from_min = 90, sold_from_percent = "80" }, amount = "0.50" },
]

[[promo_codes]]
id = "Sommer 27"
percent = "10"
per = "ticket"
max_uses = 5
max_per_customer = 1
budget = "100.00"
currency = "EUR"
valid_from = 2027-06-01
valid_until = 2027-08-31
shows = ["gone"]
categories = ["Rang", "Of a hall that was rebuilt"]

[[promo_codes]]
id = "FIVE"
amount = "5.00"
currency = "EUR"
per = "booking"

[[refund_policies]]
id = "r"
tiers = [{ before = "24h", percent = 100 }, { before = "90s", percent = "12.5" }]

[[refund_policies]]
id = "never"
tiers = []

[[shows]]
id = "doubled"
movie = "m"
screen = "s"
starts_at = "2027-10-31T02:30"
starts_at_fold = 1
price_list = "list"
refund_policy = "r"
format = "3D"
audio = "de"
subtitles = "en"
hold = "7m"
max_seats = 4
sales_open = "2026-10-25T02:30+01:00"
web_closes = "-15m"
late_payment = "refund"
entry_opens = "-1h30m"
entry_closes = "10m"

[[programmes]]
id = "late"
movie = "m"
screen = "s"
from = 2027-06-01
until = 2027-06-03
times = ["18:00", "01:00"]
moves = [{ date = 2027-06-02, from = "18:00", to = "19:30" }]
price_list = "list"
refund_policy = "never"
"##,
);

struct Cinema {
    catalogue: Catalogue,
    shows: Vec<Arc<Show>>,
}

fn imported(files: &[SourceFile], over: &Catalogue) -> Import {
    let read = read(files, over);
    read.unwrap_or_else(|errors| panic!("{errors:#?}")).0
}

impl Cinema {
    fn of(files: &[SourceFile]) -> Self {
        let import = imported(files, &Catalogue::default());
        let catalogue = Catalogue::default().with(&import);
        let show = |(spec, no): (crate::show::ShowSpec, u32)| {
            let hall = catalogue.layout(&catalogue.screens[&spec.screen].layout).expect("a hall");
            Arc::new(catalogue.resolve(ShowNo(no), spec, hall.id(), hall.version()).expect("a show"))
        };
        let mut shows: Vec<_> = import.shows.into_iter().zip(1..).map(show).collect();
        shows.sort_by_key(|show| (show.spec.starts_at, show.spec.id.clone()));
        Self { catalogue, shows }
    }

    fn export(&self) -> Export {
        export(&self.catalogue, &self.shows).expect("files")
    }
}

fn files(given: &[(&str, &str)]) -> Vec<SourceFile> {
    given.iter().map(|(name, text)| SourceFile { name: (*name).to_owned(), text: (*text).to_owned() }).collect()
}

/// Imported over itself an export changes nothing, and imported into an empty store it makes the same again.
#[test]
fn what_is_exported_is_imported_as_it_was() {
    let cinemas: [&[(&str, &str)]; 6] =
        [&[STANDARD], &[CHAIN], &[DEMO], &PLANS, &[ODD], &[STANDARD, CHAIN, PLANS[0], PLANS[1], PLANS[2]]];
    for given in cinemas {
        let cinema = Cinema::of(&files(given));
        let export = cinema.export();
        let again = imported(&export.files, &cinema.catalogue);
        let over = cinema.catalogue.with(&again);
        let (was, is) = (
            format!("{:#?}", cinema.catalogue),
            format!("{:#?}", Catalogue { version: cinema.catalogue.version, ..over }),
        );
        same_lines(&was, &is);
        let specs: Vec<_> = cinema.shows.iter().map(|show| show.spec.clone()).collect();
        assert_eq!(again.shows, specs);
        assert_eq!(Cinema::of(&export.files).export(), export);
    }
}

/// Maps by hash have no order, so that layouts are compared by their parts.
fn same_lines(was: &str, is: &str) {
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let (was, is) = (lines(was), lines(is));
    let odd: Vec<_> = was.iter().zip(&is).filter(|(was, is)| was != is).take(5).collect();
    assert!(odd.is_empty() && was.len() == is.len(), "{odd:#?}");
}

/// What does not take place cannot be said, and is counted.
#[test]
fn cancelled_shows_are_left_out() {
    let mut cinema = Cinema::of(&files(&[STANDARD]));
    let mut show = Show::clone(&cinema.shows[0]);
    show.spec.cancelled = true;
    cinema.shows[0] = Arc::new(show);
    let export = cinema.export();
    assert_eq!(export.cancelled, 1);
    assert!(imported(&export.files, &Catalogue::default()).shows.iter().all(|spec| *cinema.shows[0].id() != spec.id));
}

/// Halls that people draw are written as they would draw them.
#[test]
fn a_hall_is_drawn_where_a_drawing_says_it() {
    let odd = Cinema::of(&files(&[ODD])).export();
    for words in ["\"BB P+P(PP)\"", "label = \"{row}-{number:02}\"", "numbering = \"from-right\"", "[[layouts.seats]]"]
    {
        assert!(odd.files[0].text.contains(words), "{words} in:\n{}", odd.files[0].text);
    }
    assert_eq!(odd.files[0].text.matches("[[layouts.seats]]").count(), 6, "only the hall whose lines mix rows");
    assert!(plan_files(&odd.files[0]).is_empty(), "it names no other file");
}
