//! What is printed: tickets, and the list of who sits where for a door without power. Here is what all of it
//! shares: fonts, shaping, fitting text into frames, and drawing.

use boxoffice::time::Timestamp;
use krilla::error::KrillaError;
use krilla::metadata::DateTime;
use tokio::sync::Semaphore;
use tokio::task::JoinError;

pub mod door_list;
mod fit;
mod fonts;
mod pen;
mod shape;
pub mod ticket;

/// Files that are drawn at the same time: each takes a processor and some megabytes, while seats are sold.
static ROOM: Semaphore = Semaphore::const_new(2);

/// Why a file was not drawn. Both are bugs.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    #[error("a font cannot be embedded: {0:?}")]
    Font(KrillaError),
    #[error("the drawing ended: {0}")]
    Ended(#[from] JoinError),
}

/// Draws off the threads that answer: fonts are cut to size for each file.
///
/// # Errors
/// [`DrawError`].
pub async fn drawn(draw: impl FnOnce() -> Result<Vec<u8>, KrillaError> + Send + 'static) -> Result<Vec<u8>, DrawError> {
    // Nobody closes the room; were it closed, files would be drawn without one.
    let _room = ROOM.acquire().await.ok();
    tokio::task::spawn_blocking(draw).await?.map_err(DrawError::Font)
}

/// An instant as PDF writes it, in UTC.
fn date_time(at: Timestamp) -> DateTime {
    let utc = at.to_jiff().to_zoned_datetime(jiff::tz::TimeZone::UTC);
    let part = |part: i8| part.unsigned_abs();
    DateTime::new(utc.year().unsigned_abs())
        .month(part(utc.month()))
        .day(part(utc.day()))
        .hour(part(utc.hour()))
        .minute(part(utc.minute()))
        .second(part(utc.second()))
        .utc_offset_hour(0)
}
