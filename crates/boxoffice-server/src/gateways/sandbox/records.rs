//! The sandbox's own tables, kept as documents of the store and changed by compare-and-set.

use std::sync::Arc;

use boxoffice::booking::DisputeStatus;
use boxoffice::money::Money;
use boxoffice::store::{Store, StoreError};
use boxoffice::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::event::EventView;
use super::payment::{SandboxPayment, status};

const PAYMENTS: &str = "sandbox_payment";

/// How often a lost compare-and-set is tried again before the store counts as too busy.
const TRIES: usize = 400;

#[derive(Debug)]
pub(super) struct Records {
    store: Arc<dyn Store>,
}

/// A payment as the test routes list it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PaymentView {
    pub id: String,
    /// The attempt's id.
    pub reference: String,
    pub amount: Money,
    /// `pending`, `declined`, `ended` or `captured`.
    pub status: &'static str,
    pub captured: Option<Money>,
    /// `open`, `won` or `lost`.
    pub dispute: Option<DisputeStatus>,
    pub closed: bool,
    pub declined: bool,
    pub ends_at: String,
    pub events: Vec<EventView>,
}

/// A refund as the test routes list it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefundView {
    pub id: String,
    /// The id of our refund.
    pub reference: String,
    pub payment: String,
    pub amount: Money,
    pub made_at: String,
}

impl Records {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.store.now()
    }

    pub(super) async fn payment(&self, id: &str) -> Result<Option<SandboxPayment>, StoreError> {
        self.read_document(PAYMENTS, id).await
    }

    /// Writes a new payment. False: it was there already.
    pub(super) async fn create(&self, payment: &SandboxPayment) -> Result<bool, StoreError> {
        self.store.put_document(PAYMENTS, payment.id.clone(), 0, to_json(payment)?).await
    }

    /// Changes a payment if it exists, and answers it as written with what the change said.
    pub(super) async fn update<T>(
        &self,
        id: &str,
        change: impl Fn(&mut SandboxPayment, Timestamp) -> T,
    ) -> Result<Option<(SandboxPayment, T)>, StoreError> {
        for _ in 0..TRIES {
            let Some(document) = self.store.document(PAYMENTS, id.to_owned()).await? else { return Ok(None) };
            let was: SandboxPayment = from_json(&document.body)?;
            let mut payment = was.clone();
            let said = change(&mut payment, self.now());
            if payment == was
                || self.store.put_document(PAYMENTS, id.to_owned(), document.version, to_json(&payment)?).await?
            {
                return Ok(Some((payment, said)));
            }
        }
        Err(too_busy())
    }

    pub(super) async fn all(&self) -> Result<Vec<SandboxPayment>, StoreError> {
        let rows = self.store.documents(PAYMENTS).await?;
        rows.iter().map(|(_, document)| from_json(&document.body)).collect()
    }

    pub(super) async fn payments(&self) -> Result<Vec<PaymentView>, StoreError> {
        let now = self.now();
        let view = |p: SandboxPayment| PaymentView {
            status: status(&p.news(now)),
            events: p.events.iter().map(EventView::from).collect(),
            ends_at: p.ends_at.to_string(),
            id: p.id,
            reference: p.reference,
            amount: p.amount,
            captured: p.captured,
            dispute: p.dispute,
            closed: p.closed,
            declined: p.declined,
        };
        Ok(self.all().await?.into_iter().map(view).collect())
    }

    pub(super) async fn refunds(&self) -> Result<Vec<RefundView>, StoreError> {
        let mut views = Vec::new();
        for payment in self.all().await? {
            views.extend(payment.refunds.iter().map(|r| RefundView {
                id: r.id.clone(),
                reference: r.key.clone(),
                payment: payment.id.clone(),
                amount: r.amount,
                made_at: r.made_at.to_string(),
            }));
        }
        Ok(views)
    }

    pub(super) async fn read_document<T: DeserializeOwned>(
        &self,
        kind: &'static str,
        key: &str,
    ) -> Result<Option<T>, StoreError> {
        self.store.document(kind, key.to_owned()).await?.map(|d| from_json(&d.body)).transpose()
    }

    /// Changes a document that starts out as its default.
    pub(super) async fn change_document<T: Serialize + DeserializeOwned + Default, R>(
        &self,
        kind: &'static str,
        key: &str,
        change: impl Fn(&mut T) -> R,
    ) -> Result<R, StoreError> {
        for _ in 0..TRIES {
            let document = self.store.document(kind, key.to_owned()).await?;
            let version = document.as_ref().map_or(0, |d| d.version);
            let mut value: T = document.map(|d| from_json(&d.body)).transpose()?.unwrap_or_default();
            let said = change(&mut value);
            if self.store.put_document(kind, key.to_owned(), version, to_json(&value)?).await? {
                return Ok(said);
            }
        }
        Err(too_busy())
    }
}

fn too_busy() -> StoreError {
    StoreError::Fault("the sandbox's record is being changed by too many at once".to_owned())
}

fn to_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|e| StoreError::Bug(format!("a sandbox record cannot be written: {e}")))
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|e| StoreError::Bug(format!("a sandbox record cannot be read: {e}")))
}
