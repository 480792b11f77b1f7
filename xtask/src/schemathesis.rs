//! `cargo xtask schemathesis`: requests made from the API's own document, right ones and wrong ones, against the
//! real server: no error of ours, no answer that is not documented, nothing wrong taken, nothing right refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::client::Client;
use crate::program::Program;

mod seeds;

/// What is asked for each operation by chance, beside the examples and the edges of every schema.
const MAX_EXAMPLES: &str = "50";
const SEED: &str = "1";
/// The reason stands in `schemathesis.toml`.
const NOT_ASKED: &str = "ignored_auth";

/// After it nothing is sold any more, so that it is asked last.
const LAST: &str = "cancel_show";

/// Runs it as buyers of some bookings, who are anybody else elsewhere, and with an admin's key.
///
/// # Errors
/// If something is found, or the tool cannot be had.
pub(crate) fn run(root: &Path) -> Result<()> {
    let tool = tool(root)?;
    let folder = tempfile::tempdir().context("cannot make a folder for the store")?;
    let program = Program::build(root, folder.path(), false)?;
    program.run(["import", &root.join("fixtures/standard.toml").display().to_string()])?;
    let added = program.run(["staff", "add", "--name", "schemathesis", "--role", "admin", "--json"])?;
    let added: Value = serde_json::from_str(&added).context("the key cannot be read")?;
    let key = added["key"].as_str().context("no key was printed")?;
    let server = program.serve(&["--test-clock"])?;
    let at = json!({ "set": "2027-06-10T18:00:00Z", "freeze": true });
    let client = Client::new(&server.address);
    let set = client.post("/test/clock", None, &at);
    ensure!(set.is_some_and(|answer| answer.status == 200), "the clock cannot be set");
    let common = std::fs::read_to_string(root.join("xtask/schemathesis.toml"))?;
    let config = folder.path().join("config.toml");
    let mut asked = String::new();
    let rounds = [
        ("as buyers and anybody", None, ["--exclude-operation-id", LAST]),
        ("with an admin's key", Some(key), ["--exclude-operation-id", LAST]),
        ("with an admin's key, the end of a show", Some(key), ["--include-operation-id", LAST]),
    ];
    for (round, proof, operations) in rounds {
        println!("--> {round}");
        std::fs::write(&config, format!("{common}{}", seeds::config(&client, proof.is_none())?))?;
        let before = std::fs::read_to_string(program.log())?.len();
        let mut ask = Command::new(&tool);
        ask.current_dir(folder.path()).arg("--config-file").arg(&config);
        ask.args(["run", &format!("{}/openapi.json", server.address), "--checks", "all", "--seed", SEED]);
        ask.args(["--exclude-checks", NOT_ASKED]);
        ask.args(["--max-examples", MAX_EXAMPLES, "--generation-database", "none", "--continue-on-failure"]);
        ask.args(operations);
        if let Some(key) = proof {
            ask.args(["--header", &format!("Authorization: Bearer {key}")]);
        }
        let status = ask.status().context("cannot start Schemathesis")?;
        ensure!(status.success(), "Schemathesis found something; it says above how to ask it again");
        asked += &std::fs::read_to_string(program.log())?[before..];
    }
    seeds::check_reached(&asked)
}

/// The tool, in an environment of its own under `target`, made when it is missing or another version is wanted.
fn tool(root: &Path) -> Result<PathBuf> {
    let folder = root.join("target/schemathesis");
    let wanted = std::fs::read_to_string(root.join("xtask/schemathesis.txt"))?;
    let stamp = folder.join("installed.txt");
    let program = folder.join("bin/st");
    let done = |command: &mut Command| command.status().is_ok_and(|status| status.success());
    // In a folder that was moved its programs no longer start.
    let starts = || done(Command::new(&program).arg("--version").stdout(Stdio::null()));
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && starts() {
        return Ok(program);
    }
    if !done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder)) {
        bail!("missing: python3 with venv (Debian's package python3-venv)");
    }
    let mut install = Command::new(folder.join("bin/pip"));
    install.args(["install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    if !done(install.arg(root.join("xtask/schemathesis.txt"))) {
        bail!(
            "missing: Schemathesis, which pip cannot install from xtask/schemathesis.txt; is a package index in reach?"
        );
    }
    std::fs::write(stamp, wanted)?;
    Ok(program)
}
