//! Takes notices that are due to the courier and notes what became of them. It works beside the
//! [jobs](crate::jobs) and not among them: a mail server that does not answer holds up no refund.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};
use parking_lot::Mutex;

use crate::booking::{Booking, Notice, NoticeKind, NoticeStatus, TicketStatus};
use crate::command::{Command, NoticeAnswer, NoticeAnswered};
use crate::courier::{Courier, Delivery, Letter};
use crate::id::NoticeId;
use crate::service::BoxOffice;
use crate::store::StoreError;
use crate::turns::Turns;

/// Letters that one tick has under way at the same time.
const AT_ONCE: usize = 16;

/// One value per process, shared by whoever works.
#[derive(Debug)]
pub struct Postman {
    office: BoxOffice,
    courier: Option<Arc<dyn Courier>>,
    turns: Mutex<Turns<NoticeId>>,
    /// Answers the store could not note yet: the letter is not sent again for that.
    unnoted: Mutex<BTreeMap<NoticeId, NoticeAnswer>>,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PostReport {
    /// Notices that were worked on.
    pub notices: usize,
    pub sent: usize,
    /// Steps the store could not do now; they come again.
    pub faults: usize,
}

impl PostReport {
    fn plus(self, other: Self) -> Self {
        Self { notices: self.notices + other.notices, sent: self.sent + other.sent, faults: self.faults + other.faults }
    }
}

impl Postman {
    /// Without a courier every notice is withheld.
    #[must_use]
    pub fn new(office: BoxOffice, courier: Option<Arc<dyn Courier>>) -> Self {
        Self { office, courier, turns: Mutex::default(), unnoted: Mutex::default() }
    }

    /// Works on at most `limit` notices that are due now, and ends when that is done.
    ///
    /// # Errors
    /// [`StoreError::Fault`] if the store cannot say what is due.
    pub async fn tick(&self, limit: usize) -> Result<PostReport, StoreError> {
        let due = self.take(limit).await?;
        let reports = stream::iter(due).map(|id| self.work(id)).buffer_unordered(AT_ONCE);
        Ok(reports.fold(PostReport::default(), async |sum, report| sum.plus(report)).await)
    }

    /// Takes notices that are due, longest due first: each is to be given to [`Postman::work`].
    ///
    /// # Errors
    /// [`StoreError::Fault`] if the store cannot say what is due.
    pub async fn take(&self, limit: usize) -> Result<Vec<NoticeId>, StoreError> {
        let passed_over = self.turns.lock().passed_over();
        let due = self.office.store().notices_due(limit.saturating_add(passed_over)).await?;
        let now = self.office.store().now();
        Ok(self.turns.lock().take(due, limit, now))
    }

    /// Sends one notice that was taken.
    pub async fn work(&self, id: NoticeId) -> PostReport {
        let mut report = PostReport { notices: 1, ..PostReport::default() };
        let known = self.unnoted.lock().remove(&id);
        let answer = match known {
            Some(answer) => Ok(Some(answer)),
            None => self.carry(id).await,
        };
        match answer {
            Ok(Some(answer)) => {
                report.sent += usize::from(answer == NoticeAnswer::Sent);
                report.faults += usize::from(!self.note(id, answer).await);
            }
            Ok(None) => {}
            Err(_) => report.faults += 1,
        }
        let now = self.office.store().now();
        self.turns.lock().put_back(id, report.faults > 0, now);
        report
    }

    /// Hands a notice to the courier. `None`: it is not due any more.
    async fn carry(&self, id: NoticeId) -> Result<Option<NoticeAnswer>, StoreError> {
        let booking = self.office.booking(id.booking).await?;
        let due = booking.notice(id.no).filter(|notice| notice.status == NoticeStatus::Due);
        let Some(notice) = due.cloned() else { return Ok(None) };
        let Some(courier) = self.courier.as_ref().filter(|_| is_worth_sending(&booking, &notice)) else {
            return Ok(Some(NoticeAnswer::Withheld));
        };
        let show = self.office.store().show_by_no(id.booking.show()).await?;
        let show = show.ok_or_else(|| StoreError::Bug(format!("the show of booking {} is gone", id.booking)))?;
        let delivery = courier.deliver(&Letter { notice, booking, show }).await;
        Ok(Some(match delivery {
            Ok(Delivery::Sent) => NoticeAnswer::Sent,
            Ok(Delivery::Refused { why }) => NoticeAnswer::Refused { why },
            Ok(Delivery::Later { why }) => NoticeAnswer::Later { why },
            Err(fault) => NoticeAnswer::Later { why: fault.to_string() },
        }))
    }

    /// Whether it is noted; if not, the answer is kept until it is.
    async fn note(&self, id: NoticeId, answer: NoticeAnswer) -> bool {
        let command = Command::NoticeAnswered(NoticeAnswered { notice: id, answer: answer.clone() });
        let noted = self.office.store().execute(command.into()).await.is_ok();
        if !noted {
            self.unnoted.lock().insert(id, answer);
        }
        noted
    }
}

/// Nobody to send it to, or tickets that are void by now: a letter that would only confuse.
fn is_worth_sending(booking: &Booking, notice: &Notice) -> bool {
    let any_ticket = booking.tickets.iter().any(|ticket| ticket.status != TicketStatus::Void);
    let still_true = match notice.kind {
        NoticeKind::Tickets | NoticeKind::TicketsReplaced => any_ticket,
        NoticeKind::Cancelled
        | NoticeKind::Refunded { .. }
        | NoticeKind::ShowMoved { .. }
        | NoticeKind::ShowCancelled => true,
    };
    still_true && booking.customer.email.is_some()
}
