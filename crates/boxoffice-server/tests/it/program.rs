//! The program as a process, with its own folder to work in.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

pub const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");

pub fn boxoffice(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boxoffice"));
    command.current_dir(folder).env_remove("BOXOFFICE_STORE").env_remove("BOXOFFICE_CONFIG");
    command
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    boxoffice(folder).args(arguments).output().expect("the program runs")
}

#[track_caller]
pub fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a text")
}

/// The one line that a failure says.
#[track_caller]
pub fn fails(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).expect("a text");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    said
}

/// A server that is told to stop at the end.
pub struct Serving {
    child: Child,
    out: BufReader<ChildStdout>,
    pub address: String,
}

impl Serving {
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::start_logging(folder, arguments, Stdio::null())
    }

    /// As [`Serving::start`], with its log.
    pub fn start_logging(folder: &Path, arguments: &[&str], log: Stdio) -> Self {
        let mut command = boxoffice(folder);
        command.arg("serve").args(arguments).stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().expect("the program starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        out.read_line(&mut line).expect("its first line");
        let address = line.trim().strip_prefix("listening on http://").expect("its address").to_owned();
        Self { child, out, address }
    }

    /// The next line that it says.
    pub fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("a line");
        line
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sends SIGTERM.
    pub fn tell_to_stop(&self) {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().expect("kill runs");
        assert!(told.success());
    }

    /// Sends SIGTERM and waits; whether it ended well.
    pub fn stop(mut self) -> bool {
        self.tell_to_stop();
        self.child.wait().expect("an end").success()
    }
}

impl Drop for Serving {
    /// One that was not told to stop is killed, so that a test that failed leaves no process behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
