//! Schemas of what the core has types for: money, texts, and words with a fixed list. The core knows
//! nothing of documents; that these say the same as its own types is tested by every recorded answer.

use std::collections::BTreeMap;

use utoipa::ToSchema;

/// An amount of money in the currency's smallest unit: `{"amount": 1370, "currency": "EUR"}` is 13.70 €.
/// How many decimals a currency has is ISO 4217's word: JPY 0, EUR 2, KWD 3.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "amount": 1370, "currency": "EUR" }))]
pub struct Money {
    pub amount: i64,
    /// ISO 4217.
    #[schema(pattern = "^[A-Z]{3}$")]
    pub currency: String,
}

/// A public text: one string, or one by language with the language's tag as its name.
#[derive(Debug, ToSchema)]
#[schema(example = "Hall 1")]
#[serde(untagged)]
pub enum Text {
    Plain(String),
    ByLanguage(BTreeMap<String, String>),
}

/// Whether seats of the show can be bought on the web now.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShowStatus {
    OnSale,
    SoldOut,
    Closed,
    Cancelled,
}

/// How a seat stands at the instant of the answer. A hold that has ended reads `available`.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatStatus {
    Available,
    Held,
    Booked,
    Blocked,
}

/// What a seat is beside an ordinary one.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SeatFeature {
    Wheelchair,
    Companion,
    LoveSeat,
}

/// How a booking stands. One that was not paid before its deadline reads `expired`.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BookingStatus {
    PendingPayment,
    Confirmed,
    Cancelled,
    Expired,
}

/// Through which door a booking came.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    Web,
    Counter,
}

/// What a line of a price is.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PriceLineKind {
    Ticket,
    Fee,
    Discount,
    Tax,
}

/// How a payment stands. `processing`: its buyer came back, and the provider has not told yet.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    Started,
    Processing,
    Declined,
    Abandoned,
    Succeeded,
}

/// How the buyer's bank stands to a payment.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisputeStatus {
    Open,
    Won,
    Lost,
}

/// What is wrong with a payment.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentFlag {
    /// The provider took another amount than was asked for.
    AmountMismatch,
}

/// How a refund stands. `unknown`: the provider was asked and has not answered; it is asked again.
/// `failed`: the provider refused for good, and staff owe it.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    Requested,
    Unknown,
    Succeeded,
    Failed,
}

/// Why money goes back.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefundReason {
    Cancelled,
    Late,
    BookingCancelled,
    ShowCancelled,
    AlreadyPaid,
    AmountMismatch,
    ShowMoved,
    Staff,
    Goodwill,
    Exchanged,
    ExchangeOff,
}

/// How a ticket stands.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TicketStatus {
    Valid,
    Admitted,
    Void,
}

/// Why a ticket lets nobody in.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VoidReason {
    Cancelled,
    Refunded,
    Reissued,
    DisputeLost,
}

/// How a notice to a customer stands. `withheld`: there is no address to send it to.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeStatus {
    Due,
    Sent,
    Failed,
    Withheld,
}

/// What a customer is told.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    Tickets,
    TicketsReplaced,
    Cancelled,
    Refunded,
    ShowMoved,
    ShowCancelled,
}

/// What becomes of the money of a show's bookings: `all` goes back now with its fees, `later` leaves
/// the bookings as they are until staff choose again, `none` gives nothing back by itself.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefundChoice {
    All,
    Later,
    None,
}

/// What became of a scan that a device brought in. `already-recorded`: it was brought in before.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScanStatus {
    Admitted,
    Conflict,
    Void,
    WrongShow,
    Unknown,
    AlreadyRecorded,
}

/// The problem that a door would have shown for a scan.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScanReason {
    AlreadyAdmitted,
    TicketVoid,
    WrongShow,
    UnknownTicket,
}

/// The age from which a film may be seen in a country.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "label": "FSK 12", "min_age": 12 }))]
pub struct Certificate {
    pub label: String,
    /// In years.
    pub min_age: Option<u8>,
}

/// A line of a price.
#[derive(Debug, ToSchema)]
pub struct PriceLine {
    #[schema(inline)]
    pub kind: PriceLineKind,
    pub label: String,
    pub quantity: u32,
    pub amount: Money,
}

/// Who booked.
#[derive(Debug, ToSchema)]
pub struct Customer {
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// A language tag.
    pub locale: Option<String>,
}

/// Sales of one business day, film, screen, ticket type and currency.
#[derive(Debug, ToSchema)]
pub struct SalesRow {
    #[schema(format = Date)]
    pub business_day: String,
    pub theatre: String,
    pub movie: String,
    pub title: String,
    pub screen: String,
    pub ticket_type: String,
    /// Tickets that were issued, whatever became of them.
    pub sold: u32,
    /// Of them, tickets that are void: cancelled, refunded, lost to a dispute.
    pub refunded: u32,
    /// Of them, tickets that let somebody in.
    pub admitted: u32,
    pub money: Takings,
}

/// What tickets brought: `gross` is `net` + `fees` + `tax` + `charges`.
#[derive(Debug, ToSchema)]
pub struct Takings {
    pub gross: Money,
    /// Tickets without their tax.
    pub net: Money,
    /// Fees without their tax.
    pub fees: Money,
    /// In tickets and fees.
    pub tax: Money,
    /// What was kept of the face of cancelled tickets.
    pub charges: Money,
    /// What was given back on tickets that stand; it is not off `gross`.
    pub goodwill: Money,
}
