//! The child of the power-loss test: sells at full speed over a file layer that keeps back what is
//! not synced, and prints each answer once it has it, until it is killed.
//!
//! `power_loss FILE SEED full|off`: the file must hold a store with the hall of the testkit.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use boxoffice::booking::{Booking, Channel, Customer};
use boxoffice::command::{Command, Effect, Hold, PaymentNews, SeatPick, Seats, Settle, Settled};
use boxoffice::id::{BookingId, SeatNo, ShowNo, reference};
use boxoffice::service::Entropy;
use boxoffice::store::{Done, Store, StoreError};
use boxoffice::testkit::{SeededEntropy, TestClock, hall};
use boxoffice_store::{FileLayer, SqliteStore};
use pollster::block_on;

#[allow(dead_code, reason = "only the tests of faults break the disk")]
mod layer;

const BUYERS: u64 = 8;
/// As the test imports them.
const SHOWS: u32 = 300;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, seed, synchronous] = args.as_slice() else { bail!("usage: power_loss FILE SEED full|off") };
    let seed: u64 = seed.parse().context("the seed is a number")?;
    sqlite_vfs::register("unsynced", layer::Layer::new(seed), false).context("registering the layer")?;
    let layer = FileLayer { vfs: "unsynced".into(), synchronous: synchronous == "full" };
    let store = Arc::new(SqliteStore::open_over(Path::new(path), layer, Arc::new(TestClock::at(hall::opening())))?);
    let buyers = (0..BUYERS).map(|n| {
        let store = store.clone();
        std::thread::spawn(move || Buyer { store, entropy: SeededEntropy::new(seed ^ (n << 32)) }.buy_for_ever())
    });
    for buyer in buyers.collect::<Vec<_>>() {
        match buyer.join() {
            Ok(stopped) => stopped?,
            Err(_) => bail!("a buyer panicked"),
        }
    }
    Ok(())
}

struct Buyer {
    store: Arc<SqliteStore>,
    entropy: SeededEntropy,
}

impl Buyer {
    fn buy_for_ever(&self) -> anyhow::Result<()> {
        loop {
            let Some(booking) = self.hold()? else { continue };
            println!("held {}", booking.id);
            if self.one_in(3) {
                continue;
            }
            self.pay(&booking)?;
            println!("confirmed {}", booking.id);
            if self.one_in(2) {
                self.run(Command::Cancel { booking: booking.id, tickets: None, reason: None })?;
                println!("refund {}", booking.id);
            }
        }
    }

    /// Two neighbours somewhere; `None`: somebody has one of them.
    fn hold(&self) -> anyhow::Result<Option<Booking>> {
        let show = ShowNo(self.below(SHOWS) + 1);
        let seat = u16::try_from(self.below(u32::from(hall::SEATS_PER_ROW) * 3 - 1))?;
        let pick = |no| SeatPick { seat: SeatNo(no), ticket_type: "standard".into() };
        let hold = Hold {
            booking: BookingId::new(show, hall::opening(), self.random()),
            reference: reference(self.random()),
            seats: Seats::These(vec![pick(seat), pick(seat + 1)]),
            layout: hall::pin(),
            channel: Channel::Web,
            customer: Customer { email: Some("buyer@example.org".into()), ..Customer::default() },
            metadata: BTreeMap::new(),
            mine: Vec::new(),
            expected_total: None,
            promo: None,
        };
        match block_on(self.store.execute(Command::Hold(Box::new(hold)).into())) {
            Ok(done) => Ok(done.outcome.booking),
            Err(StoreError::Refused(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn pay(&self, held: &Booking) -> anyhow::Result<()> {
        let started =
            self.run(Command::StartPayment { booking: held.id, gateway: "sandbox".into(), return_url: String::new() })?;
        let Effect::PaymentStarted { attempt } = started.outcome.effect else { bail!("a payment did not start") };
        let settled = self.run(Command::Settle(Settle {
            booking: held.id,
            gateway: "sandbox".into(),
            attempt,
            payment_id: Some(format!("pay-{}", held.id)),
            news: PaymentNews::Captured(held.price.total),
        }))?;
        let confirmed = settled.outcome.effect == Effect::Settled(Settled::Confirmed);
        if confirmed { Ok(()) } else { bail!("a payment in time ended as {:?}", settled.outcome.effect) }
    }

    fn run(&self, command: Command) -> anyhow::Result<Done> {
        Ok(block_on(self.store.execute(command.into()))?)
    }

    fn below(&self, end: u32) -> u32 {
        u32::try_from(self.entropy.next() % u64::from(end)).unwrap_or(0)
    }

    fn one_in(&self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn random(&self) -> [u8; 6] {
        let mut bytes = [0; 6];
        self.entropy.fill(&mut bytes);
        bytes
    }
}
