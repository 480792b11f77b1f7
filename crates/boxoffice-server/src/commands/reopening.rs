//! `boxoffice staff reopen-sales`: sells again after a restore.

use anyhow::bail;
use boxoffice::sales::Sales;
use boxoffice::store::Store;
use serde_json::json;

/// # Errors
/// Payments that were open at the restore have not been answered for, and that is not overridden; or the store cannot
/// answer.
pub async fn run(store: &dyn Store, force: bool, as_json: bool) -> anyhow::Result<()> {
    let state = store.sales().await?;
    let orphans = store.orphans().await?;
    let Sales::Closed { since } = state.sales else {
        return told(as_json, &json!({ "reopened": false }), "Sales are open.");
    };
    if state.unanswered > 0 && !force {
        bail!(
            "{} payments that were open at the restore have not been answered for by their provider; let the server run \
             until they are, or say --force and look at them by hand",
            state.unanswered
        );
    }
    store.set_sales(Sales::Open).await?;
    if !as_json {
        for orphan in &orphans {
            println!("orphan  {} {} of {}, seen {}", orphan.gateway, orphan.payment_id, orphan.amount, orphan.seen_at);
        }
    }
    let said = json!({ "reopened": true, "unanswered": state.unanswered, "orphans": orphans.len() });
    let words = format!(
        "Sales are open again; they were closed since {since}. Payments not answered for: {}. Payments that belong to no \
         booking: {}.",
        state.unanswered,
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
