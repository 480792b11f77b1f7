//! The provider's messages on their way, and its banks.

use super::super::provider::{self, Provider};
use super::{Answer, Asker, Delivery, Happening, World};
use crate::gateway::Webhook;
use crate::id::AttemptId;

/// A provider delivers so often before it gives up.
const DELIVERIES_MAX: u32 = 6;
/// A bank takes its time to decide.
const DECIDES_WITHIN_S: u64 = 6 * 86_400;

impl World {
    /// An event goes on its way: at once or days later, once or more often, or never.
    pub(super) fn post(&mut self, event: usize) {
        if self.chance.permille(100) {
            self.count("webhooks never delivered");
            return;
        }
        let copies = 1 + u64::from(self.chance.permille(250)) + u64::from(self.chance.permille(50));
        for _ in 0..copies {
            let wait = match self.chance.below(20) {
                0 => self.chance.seconds_below(5 * 86_400),
                1..=2 => self.chance.seconds_below(5 * 3_600),
                3..=7 => self.chance.seconds_below(1_800),
                _ => self.chance.seconds_below(20),
            };
            self.soon(wait, Happening::Delivery(Delivery { event, tries: 0 }));
        }
    }

    pub(super) fn deliver(&mut self, delivery: Delivery) {
        self.count("webhooks delivered");
        let now = self.now();
        self.ask(Asker::Provider(delivery), async move |house| {
            let (headers, body) = Provider::letter(delivery.event);
            let webhook = Webhook { headers: &headers, body: &body, now };
            Answer::Webhook(house.office.webhook(provider::NAME, &webhook).await)
        });
    }

    pub(super) fn deliver_again(&mut self, delivery: Delivery) {
        self.count("webhooks failed");
        if delivery.tries < DELIVERIES_MAX || self.provider.is_stray(delivery.event) {
            let again = Delivery { tries: delivery.tries + 1, ..delivery };
            self.soon(self.chance.seconds_below(3_600), Happening::Delivery(again));
        }
    }

    pub(super) fn dispute(&mut self, attempt: AttemptId) {
        let Some((payment, event)) = self.provider.dispute(attempt) else { return };
        self.post(event);
        self.soon(self.chance.seconds_below(DECIDES_WITHIN_S), Happening::BankDecides(payment));
    }

    /// Half of the disputes are won, and of these some are lost after all.
    pub(super) fn bank_decides(&mut self, payment: usize) {
        let lost = self.chance.permille(500);
        let Some(event) = self.provider.decide(payment, lost) else { return };
        self.post(event);
        if !lost && self.chance.permille(300) {
            self.soon(self.chance.seconds_below(DECIDES_WITHIN_S), Happening::BankDecides(payment));
        }
    }
}
