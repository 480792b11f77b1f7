//! The commands of the README do what it says.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::Serving;

const README: &str = include_str!("../../../../README.md");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The shell blocks, with `cargo run --` as the program that this test has, and the address as that of its server.
fn commands(address: &str) -> Vec<String> {
    let blocks = README.split("```sh\n").skip(1).map(|rest| rest.split("```").next().expect("a block"));
    let joined = blocks.map(|block| block.replace("\\\n", " "));
    let lines: Vec<String> = joined.flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let own = env!("CARGO_BIN_EXE_boxoffice");
    let here = |line: &String| line.replace("cargo run --", own).replace("127.0.0.1:8080", address);
    lines.iter().map(here).collect()
}

fn shell(folder: &Path, line: &str) -> String {
    let output = Command::new("sh").args(["-ec", line]).current_dir(folder).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {said}");
    String::from_utf8(output.stdout).expect("a text")
}

#[test]
fn the_first_steps_work_as_they_are_written() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    std::os::unix::fs::symlink(format!("{ROOT}/fixtures"), path.join("fixtures")).expect("the fixtures");
    let imported = commands("").into_iter().find(|line| line.contains(" import ")).expect("an import");
    shell(path, &imported);
    let server = Serving::start(path, &["--listen", "127.0.0.1:0"]);
    let mut held = Vec::new();
    let mut run = Vec::new();
    for line in commands(&server.address) {
        // What runs until it is stopped has been started above; the test command is what runs this.
        if line.contains(" serve") || line.contains("xtask") || line.trim().is_empty() {
            continue;
        }
        let said = shell(path, &line);
        if line.starts_with("curl ") {
            held.push(serde_json::from_str::<Value>(&said).expect("an answer in JSON"));
        }
        run.push(line);
    }
    assert!(run.len() >= 6, "{run:#?}");
    assert_eq!(held.len(), 1);
    let booking = &held[0];
    assert_eq!(booking["status"], "pending_payment", "{booking}");
    assert_eq!(booking["seats"].as_array().map(Vec::len), Some(2), "{booking}");
    assert!(booking["token"].is_string() && booking["expires_at"].is_string() && booking["price"].is_object());
    assert!(server.stop());
}
