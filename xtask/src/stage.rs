//! Runs programs in named stages, says how long each took, and which one failed.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// What has run so far.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    done: Vec<(&'static str, Duration)>,
}

impl Stages {
    /// Runs one stage.
    ///
    /// # Errors
    /// With the stage's name, if it fails.
    pub(crate) fn run(&mut self, name: &'static str, stage: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("==> {name}");
        let started = Instant::now();
        let result = stage();
        let took = started.elapsed();
        result.with_context(|| format!("FAILED in stage `{name}` after {:.1} s", took.as_secs_f64()))?;
        println!("==> {name}: passed in {:.1} s", took.as_secs_f64());
        self.done.push((name, took));
        Ok(())
    }

    /// One line: all stages with their times.
    pub(crate) fn summary(&self) -> String {
        let total: Duration = self.done.iter().map(|(_, took)| *took).sum();
        let each: Vec<String> =
            self.done.iter().map(|(name, took)| format!("{name} {:.1} s", took.as_secs_f64())).collect();
        format!("{} stages passed in {:.1} s: {}", self.done.len(), total.as_secs_f64(), each.join(", "))
    }
}

/// The cargo that runs this program, in the workspace's root.
pub(crate) fn cargo(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(root);
    command
}

/// Runs a program to its end; its output goes straight to the terminal.
///
/// # Errors
/// If it cannot be started or ends with another code than 0.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    if !status.success() {
        let words: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
        bail!("`cargo {}` ended with {status}", words.join(" "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_its_stage_and_the_summary_every_one_that_passed() {
        let mut stages = Stages::default();
        stages.run("format", || Ok(())).expect("it passes");
        let failed = stages.run("lints", || bail!("a warning")).expect_err("it fails");
        let text = format!("{failed:#}");
        assert!(text.contains("stage `lints`") && text.contains("a warning"), "{text}");
        assert!(stages.summary().starts_with("1 stages passed") && stages.summary().contains("format"));
    }
}
