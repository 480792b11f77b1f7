//! `cargo xtask kill`: buyers use the real server while it is killed with `kill -9`, again and
//! again. After each restart the audit must find nothing broken, and every answer that a buyer
//! got before the kill must still hold.

use std::path::Path;
use std::sync::mpsc::channel;

use anyhow::{Context, Result, bail, ensure};
use serde_json::json;

use crate::client::Client;
use crate::program::Program;

mod buyer;
mod ledger;

use ledger::Ledger;

const BUYERS: u32 = 8;
/// The kill comes after this many answers, drawn anew each time.
const ANSWERS: std::ops::Range<u32> = 10..120;

/// Longer than a hold: seats whose answer the kill swallowed, so that nobody knows of them, are free
/// again in the next round.
const HOLD_S: u32 = 3_600;

/// Kills the server `times` times.
///
/// # Errors
/// If an audit fails, an answer does not hold, or the program does not run.
pub(crate) fn run(root: &Path, times: u32, seed: u64, release: bool) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot make a folder for the store")?;
    let program = Program::build(root, folder.path(), release)?;
    program.run(["import", &root.join("fixtures/standard.toml").to_string_lossy()]).context("the import failed")?;
    println!("seed {seed}: {BUYERS} buyers, {times} kills");
    match rounds(&program, times, seed) {
        Ok(summary) => {
            println!("{summary}");
            Ok(())
        }
        Err(error) => {
            let kept = folder.keep();
            bail!("{error:#}\nstore and log are kept in {}; the seed was {seed}", kept.display())
        }
    }
}

fn rounds(program: &Program, times: u32, seed: u64) -> Result<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut ledger = Ledger::default();
    for kill in 1..=times {
        let answers = load_and_kill(program, &mut ledger, &mut random)?;
        program.run(["audit"]).with_context(|| format!("after kill {kill} the audit failed"))?;
        let mut server = program.serve(&["--test-clock"])?;
        let client = Client::new(&server.address);
        let checked = ledger.check(&client).with_context(|| format!("after kill {kill} an answer does not hold"))?;
        ledger.give_back_seats(&client);
        let moved = client.post("/test/clock", None, &json!({ "advance_s": HOLD_S }));
        ensure!(moved.is_some_and(|answer| answer.status == 200), "the test clock does not move");
        server.kill()?;
        println!("kill {kill}: after {answers} answers; audit clean; {checked} bookings as they were answered");
    }
    Ok(format!("{times} kills, {}: every audit clean, no answer lost", ledger.summary()))
}

/// Lets buyers loose on a new server, and kills it in the middle of what they do.
fn load_and_kill(program: &Program, ledger: &mut Ledger, random: &mut fastrand::Rng) -> Result<u32> {
    let mut server = program.serve(&["--test-clock"])?;
    let enough = random.u32(ANSWERS);
    let mut answers = 0;
    std::thread::scope(|scope| {
        let (tell, told) = channel();
        for _ in 0..BUYERS {
            let buyer = buyer::Buyer::new(&server.address, random.fork(), tell.clone());
            scope.spawn(move || buyer.shop_until_killed());
        }
        drop(tell);
        let mut killed = Ok(());
        for note in told {
            answers += u32::from(note.is_answer());
            ledger.write(note);
            if answers == enough {
                killed = server.kill();
            }
        }
        killed
    })?;
    ensure!(answers >= enough, "the buyers gave up after {answers} answers, before the kill");
    Ok(answers)
}
