//! `boxoffice staff`: makes, lists and revokes keys.

use anyhow::{anyhow, bail};
use boxoffice::id::CatalogueId;
use boxoffice::store::Store;
use serde_json::json;

use super::block_on;
use crate::auth::NewKey;
use crate::auth::staff::{self, Revoked};
use crate::cli::StaffCommand;
use crate::config::Config;
use crate::entropy::OsEntropy;
use crate::stores;

/// # Errors
/// The store cannot answer, or there is no such key.
pub fn run(config: &Config, command: &StaffCommand) -> anyhow::Result<()> {
    if let StaffCommand::Add { name, .. } = command {
        check_name(name)?;
    }
    stores::warn_if_not_kept(&config.store);
    let store = stores::open_filled(&config.store)?;
    block_on(async {
        match command {
            StaffCommand::Add { name, role, screen, theatre, json } => {
                let (screen, theatre) = bound(&*store, screen.as_deref(), theatre.as_deref()).await?;
                let new = NewKey { name: name.clone(), role: *role, screen, theatre };
                let (id, key) = staff::add(&*store, &OsEntropy, new).await?;
                if *json {
                    println!("{}", json!({ "id": id, "key": key }));
                } else {
                    println!("Key {id} for {name} ({}), shown this once:\n{key}", role.as_str());
                }
                Ok(())
            }
            StaffCommand::List { json } => list(&*store, *json).await,
            StaffCommand::Revoke { id, json } => {
                let Some(revoked) = staff::revoke(&*store, id).await? else {
                    bail!("there is no key {id}; `boxoffice staff list` shows all");
                };
                if *json {
                    println!("{}", json!({ "id": id, "revoked": true }));
                    return Ok(());
                }
                match revoked {
                    Revoked::Now => println!("Key {id} is revoked."),
                    Revoked::Before(at) => println!("Key {id} was revoked before, at {at}."),
                }
                Ok(())
            }
        }
    })
}

const NAME_MAX: usize = 80;

/// # Errors
/// The name does not show whose key it is, or would spoil a list.
fn check_name(name: &str) -> anyhow::Result<()> {
    if name.trim().is_empty() || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        bail!("a key's name is one line of 1 to {NAME_MAX} characters; write --name with who will use it");
    }
    Ok(())
}

/// The screen or theatre that a key is for.
///
/// # Errors
/// The catalogue has none of this id; the key would let nobody in.
async fn bound(
    store: &dyn Store,
    screen: Option<&str>,
    theatre: Option<&str>,
) -> anyhow::Result<(Option<CatalogueId>, Option<CatalogueId>)> {
    let catalogue = store.catalogue().await?;
    let known = |what: &str, id: Option<&str>, has: &dyn Fn(&CatalogueId) -> bool| {
        let Some(id) = id else { return Ok(None) };
        let known = CatalogueId::new(id).ok().filter(|id| has(id));
        known.map(Some).ok_or_else(|| anyhow!("there is no {what} `{id}`; import the catalogue first"))
    };
    let screen = known("screen", screen, &|id| catalogue.screens.contains_key(id))?;
    let theatre = known("theatre", theatre, &|id| catalogue.theatres.contains_key(id))?;
    Ok((screen, theatre))
}

async fn list(store: &dyn Store, as_json: bool) -> anyhow::Result<()> {
    let keys = staff::list(store).await?;
    if as_json {
        let item = |key: &staff::StaffKey| {
            json!({
                "id": key.id,
                "name": key.name,
                "role": key.role.as_str(),
                "screen": key.screen,
                "theatre": key.theatre,
                "made_at": key.made_at.to_string(),
                "revoked_at": key.revoked_at.map(|at| at.to_string()),
            })
        };
        println!("{}", json!({ "items": keys.iter().map(item).collect::<Vec<_>>() }));
        return Ok(());
    }
    for key in &keys {
        let state = key.revoked_at.map_or("in force".to_owned(), |at| format!("revoked {at}"));
        let place = key.screen.as_ref().map(|id| format!("  screen {id}"));
        let place = place.or_else(|| key.theatre.as_ref().map(|id| format!("  theatre {id}"))).unwrap_or_default();
        println!("{}  {:8}  {}{place}  {state}", key.id, key.role.as_str(), key.name);
    }
    if keys.is_empty() {
        println!("There are no keys; make one with `boxoffice staff add --name NAME --role ROLE`.");
    }
    Ok(())
}
