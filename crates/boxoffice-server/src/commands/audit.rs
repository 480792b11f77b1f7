//! `boxoffice audit`: proves that the books are right, and prints each proof with its count.

use anyhow::bail;
use boxoffice::audit::audit;

use super::block_on;
use crate::config::Config;
use crate::stores;

/// # Errors
/// Something in the books is broken, or the store cannot answer.
pub fn run(config: &Config) -> anyhow::Result<()> {
    let store = stores::open_filled(&config.store)?;
    let report = block_on(async { Ok(audit(&*store).await?) })?;
    for check in &report.checks {
        let verdict = if check.broken.is_empty() { "ok    " } else { "BROKEN" };
        println!("{verdict}  {} ({})", check.name, check.count);
        for line in &check.broken {
            println!("        {line}");
        }
    }
    for orphan in &report.orphans {
        println!("orphan  {} {} of {}, seen {}", orphan.gateway, orphan.payment_id, orphan.amount, orphan.seen_at);
    }
    if report.is_clean() {
        return Ok(());
    }
    let broken: usize = report.checks.iter().map(|check| check.broken.len()).sum();
    bail!("the audit found {broken} broken; see the lines above, and stop selling until they are understood")
}
