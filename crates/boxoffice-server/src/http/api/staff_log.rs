//! `GET /admin/actions`: what staff did, oldest first.

use axum::Json;
use axum::extract::State;
use boxoffice::action::{Action, ActionFilter};
use boxoffice::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::http::caller::Caller;
use crate::http::extract::Params;
use crate::http::paging::{self, List, Page};
use crate::http::problem::Problem;

const ACTIONS: List = List("actions");

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// The id of a staff key, or `command-line`.
    by: Option<String>,
    /// The id of a booking.
    booking: Option<String>,
    /// At or after.
    from: Option<String>,
    /// Before.
    to: Option<String>,
    /// How many things at most; 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 100)]
    limit: Option<usize>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

/// Something that somebody of the staff did.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Action)]
struct ActionView {
    /// In the order in which they happened.
    no: u64,
    #[schema(format = DateTime)]
    at: String,
    /// The id of the staff key, or `command-line`.
    by: String,
    /// A word such as `refund`, `cancel_show` or `import`.
    what: String,
    booking: Option<String>,
    /// The show, or whatever else it was done to.
    subject: String,
}

/// What staff did
///
/// Oldest first. It names keys and things of the cinema, and no customer.
#[utoipa::path(
    get,
    path = "/admin/actions",
    operation_id = "list_actions",
    tag = "staff: reports",
    security(("staff_key" = [])),
    params(ListParams),
    responses((status = 200, description = "A page of actions.", body = Page<ActionView>)),
    extensions(("x-problems" = json!(["forbidden", "not-found"])))
)]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Params(params): Params<ListParams>,
) -> Result<Json<Page<ActionView>>, Problem> {
    caller.must_manage_all()?;
    let limit = paging::limit(params.limit)?;
    let booking = params.booking.as_deref().map(|id| id.parse().map_err(|_| Problem::not_found("booking")));
    let after = params.cursor.as_deref().map(|cursor| ACTIONS.key(cursor)?.parse().map_err(|_| paging::bad_cursor()));
    let filter = ActionFilter {
        by: params.by,
        booking: booking.transpose()?,
        from: instant("/from", params.from.as_deref())?,
        to: instant("/to", params.to.as_deref())?,
        after: after.transpose()?,
        limit: limit + 1,
    };
    let actions = state.store().actions(filter).await?;
    Ok(Json(ACTIONS.cut(actions, limit, |action| action.no.to_string()).map(view)))
}

fn instant(pointer: &str, text: Option<&str>) -> Result<Option<Timestamp>, Problem> {
    // A plus sign that was not escaped arrives as a blank.
    let parsed = text.map(|text| text.replace(' ', "+").parse()).transpose();
    parsed.map_err(|e: boxoffice::time::BadTime| Problem::invalid(pointer, format!("{}: {e}.", &pointer[1..])))
}

fn view(action: Action) -> ActionView {
    ActionView {
        no: action.no,
        at: action.at.to_string(),
        by: action.deed.by,
        what: action.deed.what,
        booking: action.deed.booking.map(|id| id.to_string()),
        subject: action.deed.subject,
    }
}
