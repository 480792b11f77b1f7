//! Runs the fuzz targets in `fuzz/`, two at a time, each for so many minutes, and says what each came
//! to. What they find that is new is kept in `fuzz/target/found`; `--keep` merges it, minimised, into `fuzz/corpus`,
//! which the tests replay.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::stage::{cargo, succeed};

const TARGETS: [&str; 8] =
    ["seat_sketch", "seat_grid", "seat_plan", "catalogue", "seat_ask", "ticket_code", "webhook", "idempotency_key"];
const AT_A_TIME: usize = 2;
/// Bytes of one input: enough for a whole catalogue, and what a target looks at in well under a second.
const MAX_INPUT_BYTES: usize = 4_096;

/// What is asked for on the command line.
pub(crate) struct Wish {
    pub(crate) minutes: u64,
    pub(crate) target: Option<String>,
    pub(crate) keep: bool,
}

/// Builds the targets and runs them.
///
/// # Errors
/// If there is no such target, `cargo-fuzz` is missing, or a target found a mistake; the text names it.
pub(crate) fn run(root: &Path, wish: &Wish) -> Result<()> {
    let targets: Vec<&str> =
        TARGETS.into_iter().filter(|target| wish.target.as_deref().is_none_or(|one| one == *target)).collect();
    if targets.is_empty() {
        bail!("there is no such target; there are {}", TARGETS.join(", "));
    }
    build(root)?;
    let programs = programs(root)?;
    let waiting = Mutex::new(targets.iter().rev().copied().collect::<Vec<_>>());
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(target) = pop(&waiting) {
                    if let Err(error) = fuzz(root, &programs, target, wish) {
                        println!("{target}: {error:#}");
                        failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(target);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if failed.is_empty() { Ok(()) } else { bail!("{} failed; fuzz/artifacts has the inputs", failed.join(", ")) }
}

fn pop(waiting: &Mutex<Vec<&'static str>>) -> Option<&'static str> {
    waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop()
}

/// Without a sanitizer, so that the stable toolchain can build it: there is no unsafe code to watch.
fn build(root: &Path) -> Result<()> {
    succeed(cargo(root).args(["fuzz", "build", "--sanitizer", "none", "--features", "server"]))
        .context("cannot build the targets; they need cargo-fuzz (cargo install cargo-fuzz) and a C++ compiler")
}

/// The folder of the built targets.
fn programs(root: &Path) -> Result<PathBuf> {
    let told = Command::new("rustc").arg("-vV").output().context("cannot ask rustc for this machine's name")?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let host = told.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not name this machine")?;
    Ok(root.join("fuzz/target").join(host).join("release"))
}

fn fuzz(root: &Path, programs: &Path, target: &str, wish: &Wish) -> Result<()> {
    let kept = root.join("fuzz/corpus").join(target);
    let found = root.join("fuzz/target/found").join(target);
    let artifacts = root.join("fuzz/artifacts").join(target);
    for folder in [&kept, &found, &artifacts] {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let program = || {
        let mut program = Command::new(programs.join(target));
        program.arg(format!("-artifact_prefix={}/", artifacts.display()));
        program.arg(format!("-max_len={MAX_INPUT_BYTES}"));
        program
    };
    let mut run = program();
    run.args([format!("-max_total_time={}", 60 * wish.minutes), "-timeout=10".to_owned()]).args([&found, &kept]);
    watch(target, &mut run)?;
    if wish.keep {
        watch(target, program().arg("-merge=1").args([&kept, &found]))?;
    }
    Ok(())
}

/// Runs a target to its end and prints where it stands once a minute.
fn watch(target: &str, program: &mut Command) -> Result<()> {
    const PAUSE: Duration = Duration::from_secs(60);
    let mut child = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().context("cannot be started")?;
    let output = child.stderr.take().context("has no output")?;
    let (began, mut told) = (Instant::now(), Instant::now());
    let mut last = String::new();
    let mut tail: Vec<String> = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        if line.starts_with('#') {
            last.clone_from(&line);
        }
        tail.push(line);
        if tail.len() > 60 {
            tail.remove(0);
        }
        if told.elapsed() >= PAUSE {
            told = Instant::now();
            println!("{target}: {} s: {last}", began.elapsed().as_secs());
        }
    }
    if child.wait()?.success() {
        println!("{target}: done after {} s: {last}", began.elapsed().as_secs());
        return Ok(());
    }
    bail!("found a mistake:\n{}", tail.join("\n"))
}
