//! `boxoffice price`: says why a seat costs what it costs now.

use anyhow::{anyhow, bail};
use boxoffice::booking::Channel;
use boxoffice::catalogue::Catalogue;
use boxoffice::command::SeatPick;
use boxoffice::id::ShowId;
use boxoffice::layout::{self, Named, SeatAsk};
use boxoffice::prices::STANDARD;
use boxoffice::pricing::PriceAsk;
use boxoffice::pricing::explain::{Explanation, RuleKind, Said, explain};
use boxoffice::promo::PromoCode;
use boxoffice::show::Show;
use boxoffice::time::Timestamp;
use serde_json::json;

use super::block_on;
use crate::cli::ExplainArgs;
use crate::config::Config;
use crate::stores;

/// # Errors
/// The show, seat, ticket type or code is unknown, the seat has no price, or the store cannot answer.
pub fn explain_price(config: &Config, args: &ExplainArgs) -> anyhow::Result<()> {
    let store = stores::open_filled(&config.store)?;
    let unknown_show = || anyhow!("there is no show `{}`; `GET /api/v1/shows` lists them", args.show);
    let id = ShowId::new(&args.show).map_err(|_| unknown_show())?;
    let (show, read, catalogue) = block_on(async {
        let show = store.show(id).await?.ok_or_else(unknown_show)?;
        let read = store.seats(show.no).await?;
        Ok((show, read, store.catalogue().await?))
    })?;
    let pick = pick(&show, args)?;
    let promo = args.code.as_deref().map(|code| known_code(&catalogue, code)).transpose()?;
    let (promo, not_today) = usable(promo, &show, read.now);
    let channel = if args.counter { Channel::Counter } else { Channel::Web };
    let occupancy = read.seats.occupancy(read.now);
    let ask = PriceAsk { show: &show, channel, bought_at: read.now, occupancy, promo };
    let mut explanation = explain(&ask, &pick)?;
    explanation.rules.extend(not_today);
    if args.json {
        println!("{:#}", as_json(&ask, &explanation));
    } else {
        print(&ask, &explanation);
    }
    Ok(())
}

fn pick(show: &Show, args: &ExplainArgs) -> anyhow::Result<SeatPick> {
    let seat = match show.layout.searched(&args.seat) {
        Named::One(seat) => seat,
        // Says which are meant, or that there is none.
        Named::Several(_) | Named::Nothing => {
            let seats = layout::choose(&show.layout, &[SeatAsk::Text(args.seat.clone())], 1)?;
            let [seat] = seats.as_slice() else { bail!("name one seat with --seat, such as F7") };
            *seat
        }
    };
    let ticket_type = args.ticket_type.as_deref().unwrap_or(STANDARD);
    if show.prices.sold_type(ticket_type).is_none() {
        let known: Vec<&str> = show.prices.types.iter().map(|sold| sold.id.as_str()).collect();
        bail!("no ticket type `{ticket_type}` is sold for this show; it has {}", known.join(", "));
    }
    Ok(SeatPick { seat, ticket_type: ticket_type.to_owned() })
}

fn known_code<'c>(catalogue: &'c Catalogue, code: &str) -> anyhow::Result<&'c PromoCode> {
    let known = catalogue.promo_code(code).map(|code| &**code);
    known.ok_or_else(|| anyhow!("there is no promo code `{code}`; it is one of `promo_codes` in a catalogue file"))
}

/// The code if it is valid now, else why it is not.
fn usable<'c>(promo: Option<&'c PromoCode>, show: &Show, now: Timestamp) -> (Option<&'c PromoCode>, Option<Said>) {
    match promo {
        Some(promo) if !promo.is_valid_at(now, &show.theatre.timezone) => {
            let detail = match (promo.valid_from, promo.valid_until) {
                (Some(first), Some(last)) => format!("valid from {first} to {last}"),
                (Some(first), None) => format!("valid from {first}"),
                (None, Some(last)) => format!("valid to {last}"),
                (None, None) => "not valid now".into(),
            };
            (None, Some(Said { kind: RuleKind::Discount, id: promo.id.clone(), fired: false, detail }))
        }
        promo => (promo, None),
    }
}

fn channel_word(channel: Channel) -> &'static str {
    match channel {
        Channel::Web => "web",
        Channel::Counter => "counter",
    }
}

fn print(ask: &PriceAsk<'_>, explanation: &Explanation) {
    let show = ask.show;
    let zone = show.theatre.timezone.tz();
    for seat in &explanation.priced.seats {
        println!("Show {}, seat {}: {}, {}", show.id(), seat.label, seat.category, seat.ticket_type);
    }
    let channel = channel_word(ask.channel);
    let (sold, sellable) = (ask.occupancy.sold, ask.occupancy.sellable);
    println!("Bought on the {channel} at {}, {sold} of {sellable} seats sold", ask.bought_at.with_offset(zone));
    println!();
    let id_width = explanation.rules.iter().map(|rule| rule.id.chars().count()).max().unwrap_or(0);
    for rule in &explanation.rules {
        let mark = if rule.fired { "fired" } else { "-" };
        println!("  {mark:<6} {:<10} {:<id_width$}  {}", rule.kind.as_str(), rule.id, rule.detail);
    }
    println!();
    let price = &explanation.priced.price;
    for line in &price.lines {
        let kind = match line.kind {
            boxoffice::booking::LineKind::Tax => "of it tax",
            boxoffice::booking::LineKind::Discount => "discount",
            boxoffice::booking::LineKind::Ticket | boxoffice::booking::LineKind::Fee => "",
        };
        println!("  {:>14}  {kind} {}", line.amount.to_string(), line.label);
    }
    println!("  {:>14}  total", price.total.to_string());
}

fn as_json(ask: &PriceAsk<'_>, explanation: &Explanation) -> serde_json::Value {
    let rule =
        |rule: &Said| json!({ "kind": rule.kind.as_str(), "id": rule.id, "fired": rule.fired, "detail": rule.detail });
    let seat = explanation.priced.seats.first();
    let price = &explanation.priced.price;
    json!({
        "show": ask.show.id(),
        "seat": seat.map(|seat| &seat.label),
        "category": seat.map(|seat| &seat.category),
        "ticket_type": seat.map(|seat| &seat.ticket_type),
        "channel": channel_word(ask.channel),
        "bought_at": ask.bought_at.with_offset(ask.show.theatre.timezone.tz()),
        "occupancy": { "sold": ask.occupancy.sold, "sellable": ask.occupancy.sellable },
        "rules": explanation.rules.iter().map(rule).collect::<Vec<_>>(),
        "face": seat.map(|seat| seat.face),
        "price": { "lines": price.lines, "total": price.total, "tax": price.tax },
    })
}
