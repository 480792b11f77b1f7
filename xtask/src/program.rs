//! The real program as a process of its own: built, started on a store, asked to audit it, killed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::stage::cargo;

/// The built program and the folder that its store and log lie in.
#[derive(Debug)]
pub(crate) struct Program {
    executable: PathBuf,
    folder: PathBuf,
}

/// A server that runs, and is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    /// Such as `http://127.0.0.1:43210`.
    pub(crate) address: String,
    /// From the start of the process to the line that says it listens.
    pub(crate) ready_after: Duration,
}

impl Program {
    /// Builds the program; its stores and logs go into `folder`.
    ///
    /// # Errors
    /// If it does not build.
    pub(crate) fn build(root: &Path, folder: &Path, release: bool) -> Result<Self> {
        let mut build = cargo(root);
        build.args(["build", "--package", "boxoffice-server", "--message-format", "json-render-diagnostics"]);
        build.args(release.then_some("--release"));
        let output = build.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
        if !output.status.success() {
            bail!("the program does not build");
        }
        let lines = output.stdout.split(|byte| *byte == b'\n');
        let mut messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        let executable = messages.find_map(|m| m["executable"].as_str().map(PathBuf::from));
        let executable = executable.context("cargo named no program that it built")?;
        Ok(Self { executable, folder: folder.to_path_buf() })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.arg("--store").arg(format!("sqlite:{}", self.folder.join("boxoffice.db").display()));
        command
    }

    /// Runs a command to its end and answers what it printed.
    ///
    /// # Errors
    /// If it ends with another code than 0, with its own words.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Result<String> {
        let output = self.command().args(words).output().context("cannot start the program")?;
        if !output.status.success() {
            let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
            bail!("{}: {}\n{}", output.status, said(&output.stderr), said(&output.stdout));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Starts a server on a free port of this machine and waits until it says that it listens.
    ///
    /// # Errors
    /// If it ends before it listens; its log is in the folder.
    pub(crate) fn serve(&self, options: &[&str]) -> Result<Server> {
        let log = File::options().create(true).append(true).open(self.log())?;
        let started = Instant::now();
        let mut command = self.command();
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(options);
        let mut process = command.stdout(Stdio::piped()).stderr(log).spawn().context("cannot start the program")?;
        let output = process.stdout.take().context("the server has no output")?;
        let mut lines = BufReader::new(output).lines();
        let address = lines.find_map(|line| line.ok()?.strip_prefix("listening on ").map(str::to_owned));
        let ready_after = started.elapsed();
        let server = Server { process, address: address.unwrap_or_default(), ready_after };
        if server.address.is_empty() {
            bail!("the server ended before it listened; its log is {}", self.log().display());
        }
        Ok(server)
    }

    /// Where the server's log goes.
    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join("server.log")
    }
}

impl Server {
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Ends the process at once, as `kill -9` does: it gets no say.
    ///
    /// # Errors
    /// If the system does not let us.
    pub(crate) fn kill(&mut self) -> Result<()> {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Ended already, or nobody is left to tell.
        drop(self.kill());
    }
}
