//! `boxoffice audit`: proves that the books are right, and prints each proof with its count and
//! where the ledger's accounts stand.

use anyhow::bail;
use boxoffice::audit::{AuditReport, audit};
use serde_json::{Value, json};

use super::block_on;
use crate::config::Config;
use crate::stores;

/// # Errors
/// Something in the books is broken, or the store cannot answer.
pub fn run(config: &Config, as_json: bool) -> anyhow::Result<()> {
    let store = stores::open_filled(&config.store)?;
    let report = block_on(async { Ok(audit(&*store).await?) })?;
    if as_json {
        println!("{}", view(&report));
    } else {
        print(&report);
    }
    if report.is_clean() {
        return Ok(());
    }
    let broken: usize = report.checks.iter().map(|check| check.broken.len()).sum();
    bail!("the audit found {broken} broken; see the lines above, and stop selling until they are understood")
}

fn print(report: &AuditReport) {
    for check in &report.checks {
        let verdict = if check.broken.is_empty() { "ok    " } else { "BROKEN" };
        println!("{verdict}  {} ({})", check.name, check.count);
        for line in &check.broken {
            println!("        {line}");
        }
    }
    for (account, amount) in report.balances.iter() {
        println!("stands  {account:24} {amount:>16}", account = account.to_string(), amount = amount.to_string());
    }
    for orphan in &report.orphans {
        println!("orphan  {} {} of {}, seen {}", orphan.gateway, orphan.payment_id, orphan.amount, orphan.seen_at);
    }
}

fn view(report: &AuditReport) -> Value {
    let checks: Vec<Value> = report
        .checks
        .iter()
        .map(|check| json!({ "name": check.name, "count": check.count, "broken": check.broken }))
        .collect();
    let balances: Vec<Value> =
        report.balances.iter().map(|(account, amount)| json!({ "account": account, "balance": amount })).collect();
    let orphans: Vec<Value> = report
        .orphans
        .iter()
        .map(|orphan| {
            json!({
                "gateway": orphan.gateway,
                "payment_id": orphan.payment_id,
                "amount": orphan.amount,
                "seen_at": orphan.seen_at.to_string(),
            })
        })
        .collect();
    json!({ "clean": report.is_clean(), "checks": checks, "balances": balances, "orphans": orphans })
}
