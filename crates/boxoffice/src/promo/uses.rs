//! How often a code was used, and whether one more use fits. A use counts while its hold lives or
//! its tickets do, so that a hold that lapses gives its use back with no job running.

use std::sync::Arc;

use crate::booking::{Booking, BookingStatus, Customer, TicketStatus};
use crate::command::{Command, PromoChange};
use crate::id::{BookingId, CatalogueId};
use crate::money::Money;
use crate::promo::PromoCode;
use crate::refusal::Refusal;
use crate::time::Timestamp;

/// Which code's uses a command needs to know, and for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromoAsk {
    /// The code's key.
    pub code: CatalogueId,
    /// The customer as [`contact`] has it.
    pub customer: Option<String>,
    /// The booking that is being decided: its own use does not count.
    pub except: BookingId,
}

/// A code with its uses by other bookings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromoState {
    pub code: Arc<PromoCode>,
    pub uses: PromoUses,
}

/// Uses that count now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PromoUses {
    pub bookings: u32,
    /// Of these, the customer's own.
    pub by_customer: u32,
    /// What they took off together, in minor units of the code's currency.
    pub given_minor: i64,
}

/// A booking's use of its code, as a store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromoRow {
    pub code: CatalogueId,
    pub customer: Option<String>,
    pub discount: Money,
    /// It counts while now is before this; `None`: it stands.
    pub until: Option<Timestamp>,
}

impl PromoRow {
    #[must_use]
    pub fn counts(&self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| now.is_before(until))
    }
}

impl PromoUses {
    /// Counts one more booking's use.
    pub fn count(&mut self, row: &PromoRow, customer: Option<&str>) {
        self.bookings = self.bookings.saturating_add(1);
        let own = customer.is_some() && row.customer.as_deref() == customer;
        self.by_customer = self.by_customer.saturating_add(u32::from(own));
        self.given_minor = self.given_minor.saturating_add(row.discount.minor());
    }
}

/// One text per person: the mail address without case, else the phone number's digits.
#[must_use]
pub fn contact(customer: &Customer) -> Option<String> {
    let email = customer.email.as_ref().map(|email| email.trim().to_lowercase());
    let digits = |phone: &String| phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect::<String>();
    email.or_else(|| customer.phone.as_ref().map(digits)).filter(|contact| !contact.is_empty())
}

/// What a command needs to know of a code: the one it names, else the one its booking has.
#[must_use]
pub fn asked(command: &Command, booking: Option<&Booking>) -> Option<PromoAsk> {
    let of_booking = || Some(booking?.promo.as_ref()?.code.clone());
    let (code, customer) = match command {
        Command::Hold(hold) => (hold.promo.clone()?, Some(&hold.customer)),
        Command::ChangeSeats(change) => {
            let code = match &change.promo {
                PromoChange::Keep => of_booking()?,
                PromoChange::Use(code) => code.clone(),
                PromoChange::Remove => return None,
            };
            (code, change.customer.as_ref())
        }
        Command::ChangeCustomer { customer, .. } => (of_booking()?, Some(customer)),
        Command::AcceptChanges { customer, .. } => (of_booking()?, customer.as_ref()),
        // Late money may take a lapsed use up again.
        Command::Settle(_) => (of_booking()?, None),
        Command::StartPayment { .. }
        | Command::PayAtCounter { .. }
        | Command::OpenCheckout(_)
        | Command::BuyerReturned { .. }
        | Command::Cancel { .. }
        | Command::Exchange(_)
        | Command::DisputePassedOn { .. }
        | Command::Refund(_)
        | Command::CancelShow { .. }
        | Command::Follow { .. }
        | Command::Expire { .. }
        | Command::RefundAnswered(_)
        | Command::NoticeAnswered(_)
        | Command::ResendNotice { .. }
        | Command::Erase { .. }
        | Command::Admit(_)
        | Command::RecordScans(_)
        | Command::Reissue(_)
        | Command::Block(_)
        | Command::Unblock(_) => return None,
    };
    let customer = customer.or(booking.map(|b| &b.customer)).and_then(contact);
    Some(PromoAsk { code, customer, except: command.booking()? })
}

impl Booking {
    /// The use of a code that this booking counts as.
    #[must_use]
    pub fn promo_row(&self) -> Option<PromoRow> {
        let used = self.promo.as_ref()?;
        let until = match self.status {
            BookingStatus::PendingPayment => Some(self.expires_at),
            BookingStatus::Confirmed if self.tickets.iter().any(|t| t.status != TicketStatus::Void) => None,
            BookingStatus::Confirmed | BookingStatus::Cancelled | BookingStatus::Expired => return None,
        };
        let (code, discount) = (used.code.clone(), used.discount);
        Some(PromoRow { code, customer: contact(&self.customer), discount, until })
    }
}

impl PromoState {
    /// Whether one more booking of this customer may use the code.
    ///
    /// # Errors
    /// [`Refusal::PromoCodeUsedUp`]; [`Refusal::PromoCodeInvalid`] if the code is counted by
    /// customer and there is no way to tell who this is.
    pub fn has_room(&self, customer: Option<&str>) -> Result<(), Refusal> {
        if self.code.max_uses.is_some_and(|max| self.uses.bookings >= max) {
            return Err(Refusal::PromoCodeUsedUp);
        }
        match (self.code.max_per_customer, customer) {
            (Some(_), None) => {
                Err(Refusal::PromoCodeInvalid("it is counted by customer; give an e-mail address with it"))
            }
            (Some(max), Some(_)) if self.uses.by_customer >= max => Err(Refusal::PromoCodeUsedUp),
            (Some(_) | None, _) => Ok(()),
        }
    }

    /// Whether the budget still covers this discount.
    #[must_use]
    pub fn affords(&self, discount: Money) -> bool {
        let spent = self.uses.given_minor.saturating_add(discount.minor());
        self.code.budget.is_none_or(|budget| spent <= budget.minor())
    }
}
