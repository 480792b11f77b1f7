//! `boxoffice staff`: makes, lists and revokes keys and accounts.

use std::collections::HashMap;

use anyhow::{anyhow, bail};
use boxoffice::action::{ActionFilter, COMMAND_LINE, Deed};
use boxoffice::id::{BookingId, CatalogueId};
use boxoffice::store::Store;
use boxoffice::time::Timestamp;
use serde_json::json;

use super::block_on;
use crate::auth::staff::{self, Revoked, StaffKey};
use crate::auth::{NewKey, account, uses};
use crate::cli::{Expiry, StaffAddArgs, StaffCommand};
use crate::config::Config;
use crate::entropy::OsEntropy;
use crate::stores;

/// # Errors
/// The store cannot answer, there is no such key, or what is to be made cannot be.
pub fn run(config: &Config, command: &StaffCommand) -> anyhow::Result<()> {
    if let StaffCommand::Add(args) = command {
        check_name(&args.name)?;
    }
    stores::warn_if_not_kept(&config.store);
    let store = stores::open_filled(&config.store)?;
    block_on(async {
        match command {
            StaffCommand::Add(args) => add(&*store, args).await,
            StaffCommand::ReopenSales { force, json } => super::reopening::run(&*store, *force, *json).await,
            StaffCommand::List { json } => list(&*store, *json).await,
            StaffCommand::Password { login, password_stdin, json } => {
                set_password(&*store, login, *password_stdin, *json).await
            }
            StaffCommand::Log { by, booking, json } => log(&*store, by.clone(), *booking, *json).await,
            StaffCommand::Revoke { id, json } => revoke(&*store, id, *json).await,
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

async fn add(store: &dyn Store, args: &StaffAddArgs) -> anyhow::Result<()> {
    let (screen, theatre) = bound(store, args.screen.as_deref(), args.theatre.as_deref()).await?;
    let expires_at = args.expires.map(|expires| end(expires, store.now())).transpose()?;
    let new = NewKey { name: args.name.clone(), role: args.role, screen, theatre, expires_at };
    let (name, role) = (&args.name, args.role.as_str());
    let Some(login) = &args.login else {
        let (id, key) = staff::add(store, &OsEntropy, new).await?;
        note(store, "add_key", &id).await?;
        if args.json {
            println!("{}", json!({ "id": id, "key": key }));
        } else {
            println!("Key {id} for {name} ({role}), shown this once:\n{key}");
        }
        return Ok(());
    };
    let chosen = Chosen::read(args.password_stdin)?;
    let id = account::add(store, &OsEntropy, new, login, &chosen.password).await?;
    note(store, "add_account", &id).await?;
    if args.json {
        println!("{}", json!({ "id": id, "login": login, "password": chosen.to_show() }));
        return Ok(());
    }
    println!("Account {id} for {name} ({role}): sign in at /staff as {login}");
    chosen.show();
    Ok(())
}

/// # Errors
/// It lies in the past.
fn end(expires: Expiry, now: Timestamp) -> anyhow::Result<Timestamp> {
    let at = match expires {
        Expiry::At(at) => at,
        Expiry::In(span) => now + span,
    };
    if at <= now {
        bail!("--expires {at} is over already; it is {now} now");
    }
    Ok(at)
}

/// A password, and whether it was made here, so that somebody has to be told.
struct Chosen {
    password: String,
    made: bool,
}

impl Chosen {
    /// # Errors
    /// Standard input cannot be read.
    fn read(from_stdin: bool) -> anyhow::Result<Self> {
        if !from_stdin {
            return Ok(Self { password: account::new_password(&OsEntropy), made: true });
        }
        let mut line = String::new();
        std::io::stdin().read_line(&mut line)?;
        Ok(Self { password: line.trim_end_matches(['\r', '\n']).to_owned(), made: false })
    }

    fn to_show(&self) -> Option<&str> {
        self.made.then_some(self.password.as_str())
    }

    fn show(&self) {
        if let Some(password) = self.to_show() {
            println!("Its password, shown this once:\n{password}");
        }
    }
}

async fn set_password(store: &dyn Store, login: &str, from_stdin: bool, as_json: bool) -> anyhow::Result<()> {
    let chosen = Chosen::read(from_stdin)?;
    let id = account::set_password(store, &OsEntropy, login, &chosen.password).await?;
    note(store, "set_password", &id).await?;
    if as_json {
        println!("{}", json!({ "id": id, "login": login, "password": chosen.to_show() }));
        return Ok(());
    }
    println!("Account {id} ({login}) has a new password, and is signed out everywhere.");
    chosen.show();
    Ok(())
}

async fn revoke(store: &dyn Store, id: &str, as_json: bool) -> anyhow::Result<()> {
    let Some(revoked) = staff::revoke(store, id).await? else {
        bail!("there is no key {id}; `boxoffice staff list` shows all");
    };
    note(store, "revoke", id).await?;
    if as_json {
        println!("{}", json!({ "id": id, "revoked": true }));
        return Ok(());
    }
    match revoked {
        Revoked::Now => println!("Key {id} is revoked."),
        Revoked::Before(at) => println!("Key {id} was revoked before, at {at}."),
    }
    Ok(())
}

/// Writes into the staff's log what was done here.
async fn note(store: &dyn Store, what: &str, key: &str) -> anyhow::Result<()> {
    let deed =
        Deed { by: COMMAND_LINE.to_owned(), what: what.to_owned(), booking: None, subject: format!("key {key}") };
    Ok(store.note(deed).await?)
}

/// Actions that are read at a time.
const PAGE: usize = 1_000;

async fn log(store: &dyn Store, by: Option<String>, booking: Option<BookingId>, as_json: bool) -> anyhow::Result<()> {
    let mut filter = ActionFilter { by, booking, limit: PAGE, ..ActionFilter::default() };
    loop {
        let page = store.actions(filter.clone()).await?;
        for action in &page {
            let booking = action.deed.booking.map(|id| id.to_string());
            let Deed { by, what, subject, .. } = &action.deed;
            if as_json {
                let at = action.at.to_string();
                println!("{}", json!({ "at": at, "by": by, "what": what, "booking": booking, "subject": subject }));
            } else {
                println!("{}  {by:12}  {what:14}  {}  {subject}", action.at, booking.unwrap_or_default());
            }
        }
        filter.after = page.last().map(|action| action.no);
        if page.len() < PAGE {
            return Ok(());
        }
    }
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
    let (keys, uses) = (staff::list(store).await?, uses::all(store).await?);
    if as_json {
        let items: Vec<_> = keys.iter().map(|key| item(key, &uses)).collect();
        println!("{}", json!({ "items": items }));
        return Ok(());
    }
    let now = store.now();
    for key in &keys {
        println!("{}", line(key, uses.get(&key.id), now));
    }
    if keys.is_empty() {
        println!("There are no keys; make one with `boxoffice staff add --name NAME --role ROLE`.");
    }
    Ok(())
}

fn item(key: &StaffKey, uses: &HashMap<String, Timestamp>) -> serde_json::Value {
    let text = |at: Timestamp| at.to_string();
    json!({
        "id": key.id,
        "name": key.name,
        "role": key.role.as_str(),
        "login": key.password().map(|password| password.login.as_str()),
        "screen": key.screen,
        "theatre": key.theatre,
        "made_at": text(key.made_at),
        "expires_at": key.expires_at.map(text),
        "last_used_at": uses.get(&key.id).copied().map(text),
        "revoked_at": key.revoked_at.map(text),
    })
}

fn line(key: &StaffKey, used_at: Option<&Timestamp>, now: Timestamp) -> String {
    let state = match (key.revoked_at, key.expires_at) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(at)) if now.is_before(at) => format!("in force until {at}"),
        (None, Some(at)) => format!("ended {at}"),
        (None, None) => "in force".to_owned(),
    };
    let used = used_at.map_or("never used".to_owned(), |at| format!("used {at}"));
    let login = key.password().map(|password| format!("  login {}", password.login)).unwrap_or_default();
    let place = key.screen.as_ref().map(|id| format!("  screen {id}"));
    let place = place.or_else(|| key.theatre.as_ref().map(|id| format!("  theatre {id}"))).unwrap_or_default();
    format!("{}  {:8}  {}{login}{place}  {state}, {used}", key.id, key.role.as_str(), key.name)
}
