//! `boxoffice catalogue`: deletes a thing that nothing refers to.

use anyhow::{anyhow, bail};
use boxoffice::catalogue::delete::{Kind, Thing};
use boxoffice::refusal::Refusal;
use boxoffice::store::StoreError;
use serde_json::json;

use super::block_on;
use crate::config::Config;
use crate::stores;

/// # Errors
/// There is no such thing, something refers to it, or the store cannot answer.
pub fn delete(config: &Config, table: &str, id: &str, as_json: bool) -> anyhow::Result<()> {
    let kind = kind(table)?;
    let missing = || anyhow!("there is nothing called `{id}` in {table}; check its id");
    let thing = Thing::named(kind, id).ok_or_else(missing)?;
    let store = stores::open_filled(&config.store)?;
    block_on(async {
        let no_such = |error: &StoreError| matches!(error, StoreError::Refused(Refusal::NotFound(_)));
        store.delete(thing).await.map_err(|error| if no_such(&error) { missing() } else { error.into() })
    })?;
    if as_json {
        println!("{}", json!({ "kind": table, "id": id, "deleted": true }));
    } else {
        println!("Deleted {id} from {table}. A catalogue file that still has it brings it back when it is imported.");
    }
    Ok(())
}

fn kind(table: &str) -> anyhow::Result<Kind> {
    let Some(kind) = Kind::named(table) else {
        if table == "programmes" {
            bail!(
                "a programme is kept as its shows; delete those: `boxoffice catalogue delete shows PROGRAMME/DATE/TIME`"
            );
        }
        bail!("there is no kind `{table}`; write one of {}", Kind::ALL.map(Kind::as_str).join(", "));
    };
    Ok(kind)
}
