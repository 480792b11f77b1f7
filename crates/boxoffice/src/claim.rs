//! Who has a seat of a show. A seat without a claim row is free; so is one whose hold's deadline
//! is at or before now, with no job running.

use serde::{Deserialize, Serialize};

use crate::id::{BookingId, SeatNo, ShowNo};
use crate::money::Percent;
use crate::time::Timestamp;

/// The one claim on one seat of one show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// Alive while now is before `until`.
    Held {
        booking: BookingId,
        until: Timestamp,
    },
    Sold {
        booking: BookingId,
    },
    /// Taken off sale by staff, for good or while now is before `until`.
    Blocked {
        until: Option<Timestamp>,
    },
}

impl Claim {
    #[must_use]
    pub fn booking(&self) -> Option<BookingId> {
        match self {
            Self::Held { booking, .. } | Self::Sold { booking } => Some(*booking),
            Self::Blocked { .. } => None,
        }
    }

    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        match self {
            Self::Held { until, .. } | Self::Blocked { until: Some(until) } => now.is_before(*until),
            Self::Sold { .. } | Self::Blocked { until: None } => true,
        }
    }
}

/// What everybody sees of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatStatus {
    Available,
    Held,
    Booked,
    Blocked,
}

impl SeatStatus {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::Held => "held",
            Self::Booked => "booked",
            Self::Blocked => "blocked",
        }
    }
}

#[must_use]
pub fn status(claim: Option<&Claim>, now: Timestamp) -> SeatStatus {
    match claim.filter(|claim| claim.is_live(now)) {
        None => SeatStatus::Available,
        Some(Claim::Held { .. }) => SeatStatus::Held,
        Some(Claim::Sold { .. }) => SeatStatus::Booked,
        Some(Claim::Blocked { .. }) => SeatStatus::Blocked,
    }
}

/// All claims of one show, by seat, and the sequence of its last committed change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowSeats {
    pub show: ShowNo,
    /// Rises with every committed change.
    pub version: u64,
    pub claims: Vec<Option<Claim>>,
}

impl ShowSeats {
    #[must_use]
    pub fn empty(show: ShowNo, seats: usize) -> Self {
        Self { show, version: 0, claims: vec![None; seats] }
    }

    #[must_use]
    pub fn claim(&self, seat: SeatNo) -> Option<&Claim> {
        self.claims.get(seat.index()).and_then(Option::as_ref)
    }

    #[must_use]
    pub fn status(&self, seat: SeatNo, now: Timestamp) -> SeatStatus {
        status(self.claim(seat), now)
    }

    #[must_use]
    pub fn is_free(&self, seat: SeatNo, now: Timestamp) -> bool {
        // A number that is no seat of the hall is nobody's to take.
        self.claims.get(seat.index()).is_some_and(|claim| claim.is_none_or(|claim| !claim.is_live(now)))
    }

    #[must_use]
    pub fn seats_left(&self, now: Timestamp) -> usize {
        self.claims.iter().filter(|c| c.is_none_or(|c| !c.is_live(now))).count()
    }

    #[must_use]
    pub fn occupancy(&self, now: Timestamp) -> Occupancy {
        let count = |status| {
            let claims = self.claims.iter().filter(|claim| self::status(claim.as_ref(), now) == status);
            u32::try_from(claims.count()).unwrap_or(u32::MAX)
        };
        let all = u32::try_from(self.claims.len()).unwrap_or(u32::MAX);
        Occupancy { sold: count(SeatStatus::Booked), sellable: all - count(SeatStatus::Blocked) }
    }

    /// Holds and blocks whose deadline has passed but whose rows nobody has tidied yet.
    #[must_use]
    pub fn lapsed(&self, now: Timestamp) -> usize {
        self.claims.iter().flatten().filter(|c| !c.is_live(now)).count()
    }

    /// The next instant at which a seat turns free by itself.
    #[must_use]
    pub fn next_lapse(&self, now: Timestamp) -> Option<Timestamp> {
        let deadline = |claim: &Claim| match claim {
            Claim::Held { until, .. } | Claim::Blocked { until: Some(until) } if now.is_before(*until) => Some(*until),
            Claim::Held { .. } | Claim::Sold { .. } | Claim::Blocked { .. } => None,
        };
        self.claims.iter().flatten().filter_map(deadline).min()
    }
}

/// How full a show is, as prices see it: a hold is no sale, and a blocked seat is no seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occupancy {
    pub sold: u32,
    /// Seats that are not blocked.
    pub sellable: u32,
}

impl Occupancy {
    /// Whether at least this much is sold. A show without seats to sell has reached nothing.
    #[must_use]
    pub fn reaches(self, percent: Percent) -> bool {
        self.sellable > 0 && percent.is_reached_by(self.sold, self.sellable)
    }
}

/// One change of one claim, guarded by the claim that the decision saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimChange {
    pub seat: SeatNo,
    pub was: Option<Claim>,
    pub becomes: Option<Claim>,
}
