//! The pages that people see, without JavaScript.

use axum::Router;

use crate::app::AppState;

pub mod assets;
pub mod shell;
pub mod text;

pub fn router() -> Router<AppState> {
    assets::router()
}
