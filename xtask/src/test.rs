//! The test command: says in one line what is missing on this machine, then runs every stage a
//! change must pass, and stops at the first that fails.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::stage::{Stages, cargo, succeed};
use crate::{schemathesis, tidy};

/// What the tests look at printed tickets and the scanner's page with, and mount disks with: the program, how it is asked
/// whether it is there, and where it comes from.
const TOOLS: [(&str, &str, &str); 9] = [
    ("pdftoppm", "-v", "pdftoppm (Debian's package poppler-utils)"),
    ("pdftotext", "-v", "pdftotext (Debian's package poppler-utils)"),
    ("zbarimg", "--version", "zbarimg (Debian's package zbar-tools)"),
    ("curl", "--version", "curl (Debian's package of that name)"),
    ("chromium", "--version", "chromium (Debian's package of that name)"),
    ("mkfs.ext4", "-V", "mkfs.ext4 (Debian's package e2fsprogs)"),
    ("lsattr", "-V", "chattr (Debian's package e2fsprogs)"),
    ("mount", "--version", "mount (Debian's package of that name)"),
    ("setpriv", "--version", "setpriv (Debian's package util-linux)"),
];

/// Runs all stages.
///
/// # Errors
/// If a tool is missing or a stage fails; the text names it.
pub(crate) fn run(root: &Path) -> Result<()> {
    needs(root)?;
    let mut stages = Stages::default();
    stages.run("format", || {
        succeed(cargo(root).args(["fmt", "--all", "--check"]))?;
        succeed(cargo(root).args(["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]))
    })?;
    stages.run("tidy", || tidy::run(root))?;
    stages.run("lints", || {
        succeed(cargo(root).args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    })?;
    stages.run("documentation", || {
        let mut doc = cargo(root);
        doc.args(["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
        // Private items are documented too, so links to them lead somewhere.
        succeed(doc.env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links"))
    })?;
    stages.run("tests", || succeed(cargo(root).args(["test", "--workspace"])))?;
    stages.run("schemathesis", || schemathesis::run(root))?;
    println!("{}", stages.summary());
    Ok(())
}

/// The tools the stages call. All are looked for before anything runs, so that one line names all
/// that is missing and nothing is ever left out in silence.
fn needs(root: &Path) -> Result<()> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut missing = Vec::new();
    if !answers(cargo(root).args(["fmt", "--version"])) {
        missing.push("rustfmt (rustup component add rustfmt)");
    }
    if !answers(cargo(root).args(["clippy", "--version"])) {
        missing.push("clippy (rustup component add clippy)");
    }
    if !answers(Command::new(compiler).arg("--version")) {
        missing.push("a C compiler for the bundled SQLite (install gcc or clang, or set CC)");
    }
    if !answers(Command::new("python3").args(["-c", "import venv, ensurepip"])) {
        missing.push("python3 with venv (Debian's package python3-venv)");
    }
    for (program, version, package) in TOOLS {
        if !answers(Command::new(program).arg(version)) {
            missing.push(package);
        }
    }
    if !missing.is_empty() {
        bail!("missing: {}", missing.join("; "));
    }
    Ok(())
}

fn answers(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
