//! Leads a booking from the hold to the ticket or the refund: looks names up, makes ids, runs the
//! store's steps, and calls the payment provider between them, never inside one. Async but
//! without a runtime: it never sleeps and never spawns.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::booking::{AttemptStatus, Booking, BookingStatus, Channel, Customer, StaffNote};
use crate::command::{
    Block, ChangeSeats, Command, Effect, Hold, Idempotency, OpenCheckout, Outcome, PaymentNews, PromoChange, SeatPick,
    Seats, Settle, Step,
};
use crate::counter::Counter;
use crate::decide::{State, Stop, decide};
use crate::gateway::{BadWebhook, COUNTER, Checkout, CreatePayment, Gateway, NO_GATEWAY, Payment, Webhook};
use crate::id::{BookingId, CatalogueId, PartId, ShowId, reference};
use crate::layout::{self, SeatAsk};
use crate::money::Money;
use crate::prices::STANDARD;
use crate::promo;
use crate::promo::uses::{PromoAsk, PromoState, asked};
use crate::refusal::{FieldError, HoldOver, Refusal};
use crate::show::Show;
use crate::store::{Done, Orphan, Store, StoreError};
use crate::time::Timestamp;

mod exchange;
mod giving_back;
mod show_cancellation;

pub use exchange::ExchangeRequest;
use exchange::ToReplace;
pub use show_cancellation::{ShowCancellation, Totals};

/// Random bytes: the operating system's in the program, a seed's in tests.
pub trait Entropy: Send + Sync + std::fmt::Debug {
    fn fill(&self, bytes: &mut [u8]);
}

/// The service. Cheap to clone: everything in it is shared.
#[derive(Debug, Clone)]
pub struct BoxOffice {
    store: Arc<dyn Store>,
    gateways: Arc<BTreeMap<String, Arc<dyn Gateway>>>,
    entropy: Arc<dyn Entropy>,
    /// The id of the staff key that it works for.
    by: Option<String>,
}

/// What a caller who wants seats says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldRequest {
    pub show: ShowId,
    pub seats: SeatsAsked,
    /// The layout version the caller chose the seats in, if it says.
    pub layout_version: Option<u32>,
    pub channel: Channel,
    pub customer: Customer,
    pub metadata: BTreeMap<String, String>,
    /// Bookings the caller has proved to be theirs.
    pub mine: Vec<BookingId>,
    /// What the caller was told it costs.
    pub expected_total: Option<Money>,
    /// As the buyer wrote it.
    pub promo_code: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeatsAsked {
    These(Vec<AskedSeat>),
    /// The best that stand together, of a category (key or name) if one is given.
    Best {
        count: u16,
        category: Option<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedSeat {
    pub seat: SeatAsk,
    pub ticket_type: Option<String>,
}

/// What a buyer changes on a pending booking, in one step or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeRequest {
    pub seats: Option<SeatsAsked>,
    pub layout_version: Option<u32>,
    pub customer: Option<Customer>,
    pub promo_code: Option<PromoAsked>,
    /// The show as it stands now is what the buyer wants.
    pub accept_changes: bool,
}

/// What a buyer wants of the promo code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromoAsked {
    /// As the buyer wrote it.
    Use(String),
    Remove,
}

/// Seats that staff take off sale, or put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockRequest {
    pub show: ShowId,
    pub seats: Vec<SeatAsk>,
    /// The block ends then by itself.
    pub until: Option<Timestamp>,
    pub note: StaffNote,
}

/// Why a webhook is not answered with success.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    #[error("there is no gateway with this name")]
    UnknownGateway,
    #[error(transparent)]
    Bad(#[from] BadWebhook),
    /// Nothing was recorded: the provider must send it again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl BoxOffice {
    #[must_use]
    pub fn new(store: Arc<dyn Store>, gateways: Vec<Arc<dyn Gateway>>, entropy: Arc<dyn Entropy>) -> Self {
        let gateways = gateways.into_iter().map(|g| (g.name().to_owned(), g)).collect();
        Self { store, gateways: Arc::new(gateways), entropy, by: None }
    }

    /// The same service for somebody of the staff: what it changes is written into the staff's log
    /// under this key's id.
    #[must_use]
    pub fn on_behalf_of(&self, by: Option<String>) -> Self {
        Self { by, ..self.clone() }
    }

    fn step(&self, command: Command, idempotency: Option<Idempotency>) -> Step {
        Step { command, idempotency, by: self.by.clone() }
    }

    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// A gateway by its name; the counter's is always there.
    #[must_use]
    pub fn gateway(&self, name: &str) -> Option<&dyn Gateway> {
        if name == COUNTER {
            return Some(&Counter);
        }
        self.gateways.get(name).map(|g| &**g)
    }

    /// The gateways that buyers may choose from.
    pub fn gateway_names(&self) -> impl Iterator<Item = &str> {
        self.gateways.keys().map(String::as_str)
    }

    /// Takes seats for a new booking, all of them or none.
    ///
    /// # Errors
    /// [`StoreError::Refused`] in the contract's order of refusals; a fault or bug as the store has it.
    pub async fn hold(&self, request: HoldRequest, key: Option<Idempotency>) -> Result<Done, StoreError> {
        if let Some(done) = self.answer(key.as_ref()).await? {
            return Ok(done);
        }
        let command = self.hold_command(request).await?;
        self.store.execute(self.step(command, key)).await
    }

    /// What a hold would come to now, and why it would be refused. Nothing is written.
    ///
    /// # Errors
    /// As for [`BoxOffice::hold`].
    pub async fn quote(&self, request: HoldRequest) -> Result<Outcome, StoreError> {
        let command = self.hold_command(request).await?;
        self.preview(&command).await
    }

    async fn hold_command(&self, request: HoldRequest) -> Result<Command, StoreError> {
        Ok(Command::Hold(Box::new(self.asked_hold(request).await?)))
    }

    async fn asked_hold(&self, request: HoldRequest) -> Result<Hold, StoreError> {
        let show = self.show(request.show).await?;
        let seats = seats_of(&show, &request.seats)?;
        same_layout(&show, request.layout_version)?;
        let booking = BookingId::new(show.no, self.store.now(), self.random());
        Ok(Hold {
            booking,
            reference: reference(self.random()),
            seats,
            layout: show.layout.pin(),
            channel: request.channel,
            customer: request.customer,
            metadata: request.metadata,
            mine: request.mine,
            expected_total: request.expected_total,
            promo: request.promo_code.as_deref().map(promo_key).transpose()?,
        })
    }

    /// How a command would come out if it were run now: the decision itself, not carried out.
    ///
    /// # Errors
    /// As [`Store::execute`] would answer.
    pub async fn preview(&self, command: &Command) -> Result<Outcome, StoreError> {
        let missing = if command.booking().is_some() { "booking" } else { "show" };
        let show = self.store.show_by_no(command.show()).await?.ok_or(Refusal::NotFound(missing))?;
        let read = self.store.seats(show.no).await?;
        let booking = match command.booking() {
            Some(id) => self.store.booking(id).await?,
            None => None,
        };
        let promo = match asked(command, booking.as_ref()) {
            Some(ask) => self.promo_state(ask).await?,
            None => None,
        };
        let replaced = match command.replaced(booking.as_ref()) {
            Some(id) => Some(self.to_replace(id).await?),
            None => None,
        };
        let state = State {
            show: &show,
            seats: &read.seats,
            sales: read.sales,
            booking: booking.as_ref(),
            promo: promo.as_ref(),
            replaced: replaced.as_ref().map(ToReplace::borrow),
        };
        match decide(state, command, read.now) {
            Ok(changes) => Ok(changes.outcome),
            Err(Stop::Refused(refusal)) => Err(refusal.into()),
            Err(Stop::Bug(bug)) => Err(StoreError::Bug(bug)),
        }
    }

    async fn promo_state(&self, ask: PromoAsk) -> Result<Option<PromoState>, StoreError> {
        let Some(code) = self.store.catalogue().await?.promo_codes.get(&ask.code).cloned() else { return Ok(None) };
        Ok(Some(PromoState { code, uses: self.store.promo_uses(ask).await? }))
    }

    /// Records that the counter took a booking's money, which confirms it.
    ///
    /// # Errors
    /// As `decide` has it.
    pub async fn pay_at_counter(&self, id: BookingId, key: Option<Idempotency>) -> Result<Done, StoreError> {
        if let Some(done) = self.answer(key.as_ref()).await? {
            return Ok(done);
        }
        self.store.execute(self.step(Command::PayAtCounter { booking: id }, key)).await
    }

    /// Changes a pending booking's seats, customer or promo code, or takes its show as it stands now.
    ///
    /// # Errors
    /// As for [`BoxOffice::hold`]; an unknown booking is [`Refusal::NotFound`].
    pub async fn change(
        &self,
        id: BookingId,
        change: ChangeRequest,
        key: Option<Idempotency>,
    ) -> Result<Done, StoreError> {
        if let Some(done) = self.answer(key.as_ref()).await? {
            return Ok(done);
        }
        let command = match change {
            ChangeRequest { seats: None, promo_code: None, customer, accept_changes: true, layout_version: _ } => {
                Command::AcceptChanges { booking: id, customer }
            }
            ChangeRequest { seats: None, promo_code: Some(_), accept_changes: true, .. } => {
                let alone = FieldError::new("/accept_changes", "Accept the changed show first, then change the code.");
                return Err(Refusal::InvalidRequest(vec![alone]).into());
            }
            ChangeRequest { seats: None, promo_code: None, customer: Some(customer), .. } => {
                Command::ChangeCustomer { booking: id, customer }
            }
            ChangeRequest { seats: None, promo_code: None, customer: None, .. } => {
                let nothing = FieldError::new("", "Say what to change: seats, customer, promo_code or accept_changes.");
                return Err(Refusal::InvalidRequest(vec![nothing]).into());
            }
            change => Command::ChangeSeats(self.seats_to_change(id, change).await?),
        };
        self.store.execute(self.step(command, key)).await
    }

    async fn seats_to_change(&self, id: BookingId, change: ChangeRequest) -> Result<ChangeSeats, StoreError> {
        let show = self.store.show_by_no(id.show()).await?.ok_or(Refusal::NotFound("booking"))?;
        let seats = change.seats.as_ref().map(|seats| seats_of(&show, seats)).transpose()?;
        same_layout(&show, change.layout_version)?;
        let promo = match change.promo_code {
            None => PromoChange::Keep,
            Some(PromoAsked::Use(written)) => PromoChange::Use(promo_key(&written)?),
            Some(PromoAsked::Remove) => PromoChange::Remove,
        };
        Ok(ChangeSeats { booking: id, seats, layout: show.layout.pin(), customer: change.customer, promo })
    }

    /// # Errors
    /// [`Refusal::NotFound`], or a fault.
    pub async fn booking(&self, id: BookingId) -> Result<Booking, StoreError> {
        self.store.booking(id).await?.ok_or_else(|| Refusal::NotFound("booking").into())
    }

    /// Starts paying, or answers the payment page that is open already. Safe to repeat after any
    /// crash: the attempt's id is the provider's idempotency key.
    ///
    /// # Errors
    /// A refusal as `decide` has it; [`Refusal::GatewayUnavailable`] if the provider did not answer.
    pub async fn start_payment(
        &self,
        id: BookingId,
        gateway: Option<&str>,
        return_url: &str,
        key: Option<Idempotency>,
    ) -> Result<Done, StoreError> {
        if let Some(done) = self.answer(key.as_ref()).await? {
            return still_open(done);
        }
        let gateway = self.gateway_to_pay(id, gateway).await?;
        let name = gateway.map_or(NO_GATEWAY, Gateway::name).to_owned();
        let bind = key.clone().map(|key| Idempotency { keep: false, ..key });
        let command = Command::StartPayment { booking: id, gateway: name, return_url: return_url.to_owned() };
        let started = self.store.execute(self.step(command, bind)).await?;
        if started.replayed {
            return still_open(started);
        }
        let (attempt, page) = self.page_for(gateway, &started).await?;
        let command = Command::OpenCheckout(OpenCheckout { booking: id, attempt, page });
        still_open(self.store.execute(self.step(command, key)).await?)
    }

    /// The gateway to pay by; none is needed where there is nothing to pay.
    async fn gateway_to_pay(&self, id: BookingId, name: Option<&str>) -> Result<Option<&dyn Gateway>, StoreError> {
        match self.chosen_gateway(name) {
            Err(Refusal::NoGateway) if self.booking(id).await?.price.total.is_zero() => Ok(None),
            chosen => Ok(Some(chosen?)),
        }
    }

    /// The page of the attempt that was started: made at the provider unless it is known, or there
    /// is nothing to pay.
    async fn page_for(
        &self,
        gateway: Option<&dyn Gateway>,
        started: &Done,
    ) -> Result<(u16, Option<Checkout>), StoreError> {
        let no = started.outcome.effect.attempt();
        let booking = started.outcome.booking.as_ref();
        let attempt = booking.zip(no).and_then(|(booking, no)| booking.attempt(no));
        let (Some(booking), Some(attempt)) = (booking, attempt) else {
            return Err(StoreError::Bug("a payment start answered no attempt".into()));
        };
        if attempt.checkout_url.is_some() || attempt.status == AttemptStatus::Succeeded {
            return Ok((attempt.id.no, None));
        }
        let gateway = gateway.ok_or(Refusal::NoGateway)?;
        let request = CreatePayment {
            attempt: attempt.id,
            amount: attempt.amount,
            description: format!("Booking {}", booking.reference),
            page_ends_at: attempt.checkout_ends_at,
            return_url: attempt.return_url.clone(),
        };
        let no_answer = |_| Refusal::GatewayUnavailable { gateway: gateway.name().to_owned() };
        let page = gateway.create(&request).await.map_err(no_answer)?;
        Ok((attempt.id.no, Some(page)))
    }

    /// Takes available seats off sale, all or none. Seats that were blocked already stay so.
    ///
    /// # Errors
    /// As for [`BoxOffice::hold`].
    pub async fn block(&self, request: BlockRequest, key: Option<Idempotency>) -> Result<Done, StoreError> {
        if let Some(done) = self.answer(key.as_ref()).await? {
            return Ok(done);
        }
        let command = Command::Block(self.seats_to_block(request).await?);
        self.store.execute(self.step(command, key)).await
    }

    /// Puts blocked seats back on sale. Seats that were not blocked stay as they are.
    ///
    /// # Errors
    /// As for [`BoxOffice::hold`].
    pub async fn unblock(&self, request: BlockRequest) -> Result<Done, StoreError> {
        let command = Command::Unblock(self.seats_to_block(request).await?);
        self.store.execute(self.step(command, None)).await
    }

    async fn seats_to_block(&self, request: BlockRequest) -> Result<Block, StoreError> {
        let show = self.show(request.show).await?;
        let seats = layout::choose(&show.layout, &request.seats, u16::MAX)?;
        let (layout, note) = (show.layout.pin(), Some(request.note));
        Ok(Block { show: show.no, seats, layout, until: request.until, note })
    }

    /// Takes in a provider's webhook. `Ok` means: durably handled, or handled before.
    ///
    /// # Errors
    /// [`WebhookError`]; after `Store` the provider must deliver again.
    pub async fn webhook(&self, gateway: &str, webhook: &Webhook<'_>) -> Result<(), WebhookError> {
        let gateway = self.gateway(gateway).ok_or(WebhookError::UnknownGateway)?;
        let news = gateway.verify(webhook)?;
        for payment in news.payments {
            self.settle(gateway.name(), payment).await?;
        }
        Ok(())
    }

    /// Asks the provider at once about a booking's undecided attempts, whose buyer has come back:
    /// the return page's road.
    ///
    /// # Errors
    /// As the store has them. A provider that does not answer is no error: a job asks again.
    pub async fn ask_now(&self, id: BookingId) -> Result<Booking, StoreError> {
        let done = self.store.execute(Command::BuyerReturned { booking: id }.into()).await?;
        let booking = done.outcome.booking.ok_or(Refusal::NotFound("booking"))?;
        for attempt in booking.attempts.iter().filter(|a| a.status != AttemptStatus::Succeeded) {
            let Some(gateway) = self.gateway(&attempt.gateway) else { continue };
            for payment in gateway.look_up(attempt.id).await.unwrap_or_default() {
                self.settle(gateway.name(), payment).await?;
            }
        }
        self.booking(id).await
    }

    /// Settles what is known of one payment. Money that names no attempt of ours is recorded for
    /// staff and not touched.
    ///
    /// # Errors
    /// A fault or bug as the store has it.
    pub async fn settle(&self, gateway: &str, payment: Payment) -> Result<Option<Done>, StoreError> {
        let known = self.store.payment(gateway.to_owned(), payment.payment_id.clone()).await?;
        if let Some(attempt) = known.or(payment.attempt) {
            let command = Command::Settle(Settle {
                booking: attempt.booking,
                gateway: gateway.to_owned(),
                attempt: attempt.no,
                payment_id: Some(payment.payment_id.clone()),
                news: payment.news.clone(),
            });
            match self.store.execute(command.into()).await {
                Err(StoreError::Refused(Refusal::NotFound(_))) => {}
                done => return done.map(Some),
            }
        }
        if let PaymentNews::Captured(amount) = payment.news {
            let seen_at = self.store.now();
            let (gateway, payment_id) = (gateway.to_owned(), payment.payment_id);
            self.store.record_orphan(Orphan { gateway, payment_id, amount, seen_at }).await?;
        }
        Ok(None)
    }

    /// Notes that an attempt has nothing new to tell, so that it is asked about again later.
    pub(crate) async fn note(&self, attempt: PartId, gateway: &str, news: PaymentNews) -> Result<Done, StoreError> {
        let command = Command::Settle(Settle {
            booking: attempt.booking,
            gateway: gateway.to_owned(),
            attempt: attempt.no,
            payment_id: None,
            news,
        });
        self.store.execute(command.into()).await
    }

    /// The answer that was given to this request before.
    async fn answer(&self, key: Option<&Idempotency>) -> Result<Option<Done>, StoreError> {
        match key {
            Some(key) => self.store.answer(key.clone()).await,
            None => Ok(None),
        }
    }

    async fn show(&self, id: ShowId) -> Result<Arc<Show>, StoreError> {
        self.store.show(id).await?.ok_or_else(|| Refusal::NotFound("show").into())
    }

    fn chosen_gateway(&self, name: Option<&str>) -> Result<&dyn Gateway, Refusal> {
        match name {
            Some(name) => self.gateways.get(name).map(|g| &**g).ok_or_else(|| {
                let known: Vec<&str> = self.gateway_names().collect();
                let detail = format!("No gateway `{name}`. Allowed here: {}.", known.join(", "));
                Refusal::InvalidRequest(vec![FieldError::new("/gateway", detail)])
            }),
            None if self.gateways.len() > 1 => {
                let known: Vec<&str> = self.gateway_names().collect();
                let detail = format!("Several gateways are allowed; choose one of {}.", known.join(", "));
                Err(Refusal::InvalidRequest(vec![FieldError::new("/gateway", detail)]))
            }
            None => self.gateways.values().next().map(|g| &**g).ok_or(Refusal::NoGateway),
        }
    }

    fn random(&self) -> [u8; 6] {
        let mut bytes = [0; 6];
        self.entropy.fill(&mut bytes);
        bytes
    }
}

/// What a written code is known by.
fn promo_key(written: &str) -> Result<CatalogueId, Refusal> {
    promo::normalised(written).ok_or(Refusal::PromoCodeInvalid("there is no such code"))
}

/// Whether a booking takes no more payments, so that open pages must be closed.
pub(crate) fn has_ended(booking: &Booking, now: Timestamp) -> bool {
    booking.status_at(now) != BookingStatus::PendingPayment
}

/// Seats chosen from a map of another layout version are not the seats of this one.
fn same_layout(show: &Show, chosen_in: Option<u32>) -> Result<(), Refusal> {
    let current = show.layout.version();
    if chosen_in.is_none_or(|version| version == current) { Ok(()) } else { Err(Refusal::LayoutChanged { current }) }
}

/// Nobody is sent to a page whose booking ended while the provider made it.
fn still_open(done: Done) -> Result<Done, StoreError> {
    if !matches!(done.outcome.effect, Effect::CheckoutTooLate { .. }) {
        return Ok(done);
    }
    let status = done.outcome.booking.map(|booking| booking.status_at(done.outcome.at));
    let ended = status.and_then(Refusal::for_status);
    Err(ended.unwrap_or(Refusal::HoldExpired(HoldOver::TooLittleTime)).into())
}

/// Looks the asked seats up in the show's layout.
fn seats_of(show: &Show, asked: &SeatsAsked) -> Result<Seats, Refusal> {
    match asked {
        SeatsAsked::These(asks) => {
            known_types(show, asks)?;
            let names: Vec<SeatAsk> = asks.iter().map(|a| a.seat.clone()).collect();
            let seats = layout::choose(&show.layout, &names, show.spec.max_seats)?;
            let of_ask = |ask: &AskedSeat| ask.ticket_type.clone().unwrap_or_else(|| STANDARD.to_owned());
            let pick = |(seat, ask)| SeatPick { seat, ticket_type: of_ask(ask) };
            let picks: Vec<SeatPick> = seats.into_iter().zip(asks).map(pick).collect();
            sold_so(show, &picks)?;
            Ok(Seats::These(picks))
        }
        SeatsAsked::Best { count: 0, .. } => Err(Refusal::NoSeats),
        SeatsAsked::Best { count, .. } if *count > show.spec.max_seats => {
            Err(Refusal::TooManySeats { max: show.spec.max_seats })
        }
        SeatsAsked::Best { count, category } => {
            let category = category.as_deref().map(|name| category_no(show, name)).transpose()?;
            Ok(Seats::Best { count: *count, category })
        }
    }
}

/// Every ticket type that is asked for is sold for this show.
fn known_types(show: &Show, asks: &[AskedSeat]) -> Result<(), Refusal> {
    let unknown = |(n, ask): (usize, &AskedSeat)| {
        let name = ask.ticket_type.as_deref().filter(|t| *t != STANDARD && show.prices.sold_type(t).is_none())?;
        let known: Vec<&str> = show.prices.types.iter().map(|t| t.id.as_str()).collect();
        let detail = format!("No ticket type `{name}` is sold for this show. Known here: {}.", known.join(", "));
        Some(FieldError::new(format!("/seats/{n}/ticket_type"), detail))
    };
    let errors: Vec<FieldError> = asks.iter().enumerate().filter_map(unknown).collect();
    if errors.is_empty() { Ok(()) } else { Err(Refusal::InvalidRequest(errors)) }
}

/// Every seat's category has a price for the ticket type that is asked for it. Without a standard
/// price the seat is not for sale at all, which is not said here.
fn sold_so(show: &Show, picks: &[SeatPick]) -> Result<(), Refusal> {
    let prices = &show.prices.list.prices;
    let unpriced = |(n, pick): (usize, &SeatPick)| {
        let category = &show.layout.category_of(show.layout.seat(pick.seat)?).name;
        let sold = pick.ticket_type == STANDARD || prices.get(category, &pick.ticket_type).is_some();
        let detail = format!("There are no `{}` tickets in {category}.", pick.ticket_type);
        (!sold).then(|| FieldError::new(format!("/seats/{n}/ticket_type"), detail))
    };
    let errors: Vec<FieldError> = picks.iter().enumerate().filter_map(unpriced).collect();
    if errors.is_empty() { Ok(()) } else { Err(Refusal::InvalidRequest(errors)) }
}

fn category_no(show: &Show, name: &str) -> Result<u16, Refusal> {
    let mut numbered = show.layout.categories().iter().zip(0_u16..);
    numbered.find(|(c, _)| c.key == name || c.name == name).map(|(_, no)| no).ok_or_else(|| {
        let known: Vec<&str> = show.layout.categories().iter().map(|c| c.name.as_str()).collect();
        let detail = format!("No category `{name}`. This hall has: {}.", known.join(", "));
        Refusal::InvalidRequest(vec![FieldError::new("/best/category", detail)])
    })
}
