//! `boxoffice staff reopen-sales`: sells again after a restore.

use boxoffice::action::COMMAND_LINE;
use boxoffice::sales::{Sales, reopen};
use boxoffice::store::{Store, StoreError};
use serde_json::json;

/// # Errors
/// Payments that were open at the restore have not been answered for, and that is not overridden; or the store cannot
/// answer.
pub async fn run(store: &dyn Store, force: bool, as_json: bool) -> anyhow::Result<()> {
    let was = match reopen(store, force, COMMAND_LINE).await {
        Ok(was) => was,
        Err(StoreError::Refused(refusal)) => anyhow::bail!("{refusal} (--force)"),
        Err(error @ (StoreError::Fault(_) | StoreError::Bug(_))) => return Err(error.into()),
    };
    let orphans = store.orphans().await?;
    let Sales::Closed { since } = was.sales else {
        return told(as_json, &json!({ "reopened": false }), "Sales are open.");
    };
    if !as_json {
        for orphan in &orphans {
            println!("orphan  {} {} of {}, seen {}", orphan.gateway, orphan.payment_id, orphan.amount, orphan.seen_at);
        }
    }
    let said = json!({ "reopened": true, "unanswered": was.unanswered, "orphans": orphans.len() });
    let words = format!(
        "Sales are open again; they were closed since {since}. Payments not answered for: {}. Payments that belong to no \
         booking: {}.",
        was.unanswered,
        orphans.len()
    );
    told(as_json, &said, &words)
}

fn told(as_json: bool, value: &serde_json::Value, words: &str) -> anyhow::Result<()> {
    if as_json {
        println!("{value}");
    } else {
        println!("{words}");
    }
    Ok(())
}
