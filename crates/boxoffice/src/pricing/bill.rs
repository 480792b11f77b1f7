//! A quote being put together: every line, and of every line the part that each seat has in it.
//! Totals, discounts and taxes are sums over the parts, so that seats and lines always agree.

use std::collections::BTreeMap;

use super::Priced;
use super::rules::Rules;
use super::ticket::{Ticket, weights};
use crate::booking::{BookedSeat, LineKind, PriceLine, Quote, SeatFee, TaxPart};
use crate::command::SeatPick;
use crate::money::{Currency, Money, MoneyError, Percent};
use crate::prices::{ResolvedFee, STANDARD};
use crate::show::Show;

pub(super) struct Bill<'a> {
    pub(super) show: &'a Show,
    pub(super) tickets: Vec<Ticket<'a>>,
    pub(super) lines: Vec<Line<'a>>,
    pub(super) parts: Vec<Part>,
    pub(super) discount: Option<DiscountLine>,
}

/// A line of the quote before its discount.
pub(super) struct Line<'a> {
    pub(super) label: String,
    pub(super) quantity: u32,
    /// The fee that it is; `None`: tickets.
    pub(super) fee: Option<&'a ResolvedFee>,
}

/// What one seat has in one line.
pub(super) struct Part {
    /// Index of the ticket.
    pub(super) seat: usize,
    pub(super) line: usize,
    pub(super) percent: Percent,
    /// Before the discount.
    pub(super) amount: Money,
    /// What of it is paid.
    pub(super) paid: Money,
}

pub(super) struct DiscountLine {
    pub(super) label: String,
    pub(super) quantity: u32,
}

impl<'a> Bill<'a> {
    /// A line per category and ticket type, then one per surcharge.
    pub(super) fn of_tickets(show: &'a Show, rules: &Rules<'a>, tickets: Vec<Ticket<'a>>) -> Result<Self, MoneyError> {
        let mut bill = Self { show, tickets, lines: Vec::new(), parts: Vec::new(), discount: None };
        let mut named: Vec<&str> = Vec::new();
        for category in show.layout.categories().iter().map(|c| c.name.as_str()) {
            if named.contains(&category) {
                continue;
            }
            named.push(category);
            for sold in &show.prices.types {
                let label = match sold.id.as_str() {
                    STANDARD => category.to_owned(),
                    _ => format!("{category}, {}", sold.name()),
                };
                bill.ticket_line(label, 0, |t| t.category == category && t.ticket_type == sold.id.as_str());
            }
        }
        for (surcharge, part) in rules.surcharges().zip(1..) {
            bill.ticket_line(surcharge.name.english().to_owned(), part, |_| true);
        }
        Ok(bill)
    }

    fn ticket_line(&mut self, label: String, part: usize, is_in: impl Fn(&Ticket<'a>) -> bool) {
        let line = self.lines.len();
        let of_line = self.tickets.iter().enumerate().filter(|(_, ticket)| is_in(ticket));
        let parts: Vec<Part> = of_line
            .filter_map(|(seat, ticket)| {
                let amount = *ticket.parts.get(part)?;
                Some(Part { seat, line, percent: ticket.percent, amount, paid: amount })
            })
            .collect();
        if !parts.is_empty() {
            self.lines.push(Line { label, quantity: count(parts.len()), fee: None });
            self.parts.extend(parts);
        }
    }

    /// Adds a fee of which each seat has a share; a fee of nothing is no line.
    pub(super) fn fee_line(&mut self, fee: &'a ResolvedFee, quantity: u32, shares: &[(Money, Percent)]) {
        if shares.iter().all(|(amount, _)| amount.is_zero()) {
            return;
        }
        let line = self.lines.len();
        self.lines.push(Line { label: fee.name.english().to_owned(), quantity, fee: Some(fee) });
        let part = |(seat, (amount, percent)): (usize, &(Money, Percent))| Part {
            seat,
            line,
            percent: *percent,
            amount: *amount,
            paid: *amount,
        };
        self.parts.extend(shares.iter().enumerate().map(part));
    }

    pub(super) fn currency(&self) -> Currency {
        self.show.currency()
    }

    pub(super) fn is_fee(&self, part: &Part) -> bool {
        self.lines.get(part.line).is_some_and(|line| line.fee.is_some())
    }

    /// What a seat's parts come to before the discount, with its fees or without.
    pub(super) fn full(&self, seat: usize, with_fees: bool) -> Result<Money, MoneyError> {
        let of_seat = self.parts.iter().filter(|part| part.seat == seat && (with_fees || !self.is_fee(part)));
        Money::sum(self.currency(), of_seat.map(|part| part.amount))
    }

    pub(super) fn into_priced(self, picks: &[SeatPick]) -> Result<Priced, MoneyError> {
        let zero = self.currency().zero();
        let taxes = self.taxes()?;
        let mut seats = Vec::with_capacity(picks.len());
        for (seat, ticket) in self.tickets.iter().enumerate() {
            seats.push(self.seat(seat, ticket, &taxes)?);
        }
        let mut lines = Vec::with_capacity(self.lines.len() + 3);
        for (no, line) in self.lines.iter().enumerate() {
            let of_line = self.parts.iter().filter(|part| part.line == no);
            let kind = if line.fee.is_some() { LineKind::Fee } else { LineKind::Ticket };
            let amount = Money::sum(self.currency(), of_line.map(|part| part.amount))?;
            lines.push(PriceLine { kind, label: line.label.clone(), quantity: line.quantity, amount });
        }
        if let Some(discount) = &self.discount {
            let off = Money::sum(self.currency(), seats.iter().filter_map(|seat| seat.discount))?;
            let (label, quantity) = (discount.label.clone(), discount.quantity);
            lines.push(PriceLine { kind: LineKind::Discount, label, quantity, amount: zero.minus(off)? });
        }
        let mut by_rate: BTreeMap<Percent, Money> = BTreeMap::new();
        for (part, tax) in self.parts.iter().zip(&taxes) {
            let so_far = by_rate.entry(part.percent).or_insert(zero);
            *so_far = so_far.plus(*tax)?;
        }
        lines.extend(by_rate.into_iter().map(|(rate, amount)| tax_line(rate, amount)));
        let price = Quote {
            lines,
            total: Money::sum(self.currency(), seats.iter().map(|seat| seat.total))?,
            tax: Money::sum(self.currency(), taxes)?,
            refundable_fees: Money::sum(self.currency(), seats.iter().map(BookedSeat::refundable_fees))?,
        };
        Ok(Priced { seats, price })
    }

    /// The tax in each part: contained once in what is paid of a line at a rate, then shared out.
    fn taxes(&self) -> Result<Vec<Money>, MoneyError> {
        let mut groups: BTreeMap<(usize, Percent), Vec<usize>> = BTreeMap::new();
        for (index, part) in self.parts.iter().enumerate() {
            groups.entry((part.line, part.percent)).or_default().push(index);
        }
        let mut taxes = vec![self.currency().zero(); self.parts.len()];
        for ((_, percent), members) in groups {
            let paid: Vec<Money> = members.iter().map(|index| self.parts[*index].paid).collect();
            let tax = percent.contained_in(Money::sum(self.currency(), paid.iter().copied())?)?;
            for (index, share) in members.into_iter().zip(tax.split(&weights(&paid))) {
                taxes[index] = share;
            }
        }
        Ok(taxes)
    }

    fn seat(&self, seat: usize, ticket: &Ticket<'a>, taxes: &[Money]) -> Result<BookedSeat, MoneyError> {
        let zero = self.currency().zero();
        let (mut face, mut face_tax, mut off) = (zero, zero, zero);
        let mut fees = Vec::new();
        for (part, tax) in self.parts.iter().zip(taxes).filter(|(part, _)| part.seat == seat) {
            off = off.plus(part.amount.minus(part.paid)?)?;
            match self.lines.get(part.line).and_then(|line| line.fee) {
                None => {
                    face = face.plus(part.paid)?;
                    face_tax = face_tax.plus(*tax)?;
                }
                Some(_) if part.amount.is_zero() => {}
                Some(fee) => fees.push(SeatFee {
                    id: fee.id.clone(),
                    amount: part.paid,
                    refundable: fee.refundable,
                    tax: TaxPart { percent: part.percent, amount: *tax },
                }),
            }
        }
        Ok(BookedSeat {
            no: ticket.no,
            id: ticket.seat.id.clone(),
            label: ticket.seat.label.clone(),
            category: ticket.category.to_owned(),
            ticket_type: ticket.ticket_type.clone(),
            face,
            total: fees.iter().try_fold(face, |total, fee| total.plus(fee.amount))?,
            discount: (!off.is_zero()).then_some(off),
            tax: Some(TaxPart { percent: ticket.percent, amount: face_tax }),
            fees,
        })
    }
}

fn tax_line(rate: Percent, amount: Money) -> PriceLine {
    PriceLine { kind: LineKind::Tax, label: format!("{rate}%"), quantity: 1, amount }
}

pub(super) fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}
