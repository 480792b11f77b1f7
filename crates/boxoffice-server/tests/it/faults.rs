//! A disk that fills up or can only be read, in the middle of selling, and what may be wrong at the start. The disks are
//! real: a small one in memory, and one of ext4 in a file, which the test mounts.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cinema::until;
use crate::program::{FIXTURES, Serving, boxoffice, fails, succeeds};

/// A disk that is taken out at the end.
struct Disk {
    at: PathBuf,
}

/// # Panics
/// If the tool is missing or not allowed: these tests need the right to mount (root, or CAP_SYS_ADMIN), and ext4's mkfs.
fn tool(name: &str, arguments: &[&str]) {
    let done = Command::new(name).args(arguments).output();
    let done = done.unwrap_or_else(|error| panic!("{name}: {error}; this test needs it"));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{name} {arguments:?}: {said}; this test must be allowed to mount a disk");
}

impl Disk {
    fn in_memory(at: PathBuf) -> Self {
        std::fs::create_dir(&at).expect("a folder");
        tool("mount", &["-t", "tmpfs", "-o", "size=32m", "tmpfs", &at.to_string_lossy()]);
        Self { at }
    }

    fn ext4(image: &Path, at: PathBuf) -> Self {
        if !image.exists() {
            std::fs::File::create_new(image).and_then(|file| file.set_len(64 << 20)).expect("an image");
            tool("mkfs.ext4", &["-q", &image.to_string_lossy()]);
            std::fs::create_dir(&at).expect("a folder");
        }
        tool("mount", &["-o", "loop", &image.to_string_lossy(), &at.to_string_lossy()]);
        Self { at }
    }

    /// From now on it can only be read, as after an error of the disk, whoever has files on it open.
    fn fail(&self) {
        tool("mount", &["-o", "remount,abort", &self.at.to_string_lossy()]);
    }

    fn store(&self) -> String {
        format!("sqlite:{}", self.at.join("boxoffice.db").display())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // The test may have taken it out itself.
        let _ = Command::new("umount").arg("-l").arg(&self.at).output();
    }
}

/// Buyers who hold pairs and let them go, and what they were answered.
struct Crowd<'a> {
    url: String,
    client: reqwest::Client,
    done: &'a AtomicBool,
    held: Mutex<Vec<(String, String)>>,
    busy: AtomicUsize,
}

impl<'a> Crowd<'a> {
    fn new(server: &Serving, done: &'a AtomicBool) -> Self {
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        Self { url: server.url(), client, done, held: Mutex::default(), busy: AtomicUsize::new(0) }
    }

    fn count(&self) -> usize {
        self.held.lock().expect("the list").len()
    }

    async fn ready(&self) -> u16 {
        self.client.get(format!("{}/readyz", self.url)).send().await.expect("an answer").status().as_u16()
    }

    async fn come(&self) {
        join_all((0..16).map(|caller| self.buy(caller))).await;
    }

    async fn buy(&self, caller: usize) {
        for turn in 0_usize.. {
            if self.done.load(Ordering::SeqCst) {
                break;
            }
            let pair = (caller * 7 + turn) % 60;
            let (row, seat) = ("ABCDEFGHJK".chars().nth(pair / 6).expect("a row"), pair % 6 * 2 + 1);
            let seats = [format!("{row}{seat}"), format!("{row}{}", seat + 1)];
            let body = json!({ "show": "show-1", "seats": seats, "metadata": { "padding": "x".repeat(400) } });
            let sent = self.client.post(format!("{}/api/v1/bookings", self.url)).json(&body).send().await;
            let answer = sent.expect("an answer, whatever the disk does");
            match answer.status().as_u16() {
                201 => self.let_go(answer.json().await.expect("a booking")).await,
                409 => {}
                503 => drop(self.busy.fetch_add(1, Ordering::SeqCst)),
                other => panic!("{other}: {}", answer.text().await.unwrap_or_default()),
            }
        }
    }

    async fn let_go(&self, booking: Value) {
        let text = |member: &str| booking[member].as_str().expect(member).to_owned();
        let (id, token) = (text("id"), text("token"));
        self.held.lock().expect("the list").push((id.clone(), token.clone()));
        let cancel = self.client.post(format!("{}/api/v1/bookings/{id}/cancel", self.url)).bearer_auth(token);
        let status = cancel.json(&json!({})).send().await.expect("an answer").status().as_u16();
        assert!([200, 503].contains(&status), "{status}");
    }

    /// Whatever was answered with a booking has one in this server's store.
    async fn look_up(&self, server: &Serving) {
        let held = self.held.lock().expect("the list").clone();
        for (id, token) in &held {
            let booking = self.client.get(format!("{}/api/v1/bookings/{id}", server.url())).bearer_auth(token);
            assert_eq!(booking.send().await.expect("an answer").status(), 200, "what was answered is there");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_under_load_answers_503_and_the_server_goes_on_by_itself() {
    let folder = TempDir::new().expect("a folder");
    let disk = Disk::in_memory(folder.path().join("disk"));
    let store = disk.store();
    succeeds(folder.path(), &["import", "--store", &store, &format!("{FIXTURES}/standard.toml")]);
    let arguments = ["--test-clock", "--listen", "127.0.0.1:0", "--store", &store];
    let server = Serving::start(folder.path(), &arguments);
    let done = AtomicBool::new(false);
    let crowd = Crowd::new(&server, &done);
    let story = async {
        for _ in 0..3 {
            let before = crowd.count();
            until(async || crowd.count() > before + 20).await;
            let filler = disk.at.join("filler");
            // Written until no byte goes in any more.
            let zeros = std::fs::File::open("/dev/zero").and_then(|mut zeros| {
                let mut file = std::fs::File::create(&filler)?;
                std::io::copy(&mut zeros, &mut file)
            });
            assert!(zeros.is_err(), "the disk is full");
            let (busy, ready) = (crowd.busy.load(Ordering::SeqCst), async || crowd.ready().await);
            until(async || crowd.busy.load(Ordering::SeqCst) > busy + 20).await;
            until(async || ready().await == 503).await;
            std::fs::remove_file(&filler).expect("space again");
            let before = crowd.count();
            until(async || crowd.count() > before + 20).await;
            until(async || ready().await == 200).await;
        }
        done.store(true, Ordering::SeqCst);
    };
    tokio::join!(crowd.come(), story);
    crowd.look_up(&server).await;
    assert!(server.stop());
    succeeds(folder.path(), &["audit", "--store", &store]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_becomes_read_only_under_load_loses_nothing_that_was_answered() {
    let folder = TempDir::new().expect("a folder");
    let (image, at) = (folder.path().join("image"), folder.path().join("disk"));
    let disk = Disk::ext4(&image, at.clone());
    let store = disk.store();
    succeeds(folder.path(), &["import", "--store", &store, &format!("{FIXTURES}/standard.toml")]);
    let arguments = ["--test-clock", "--listen", "127.0.0.1:0", "--store", &store];
    let server = Serving::start(folder.path(), &arguments);
    let done = AtomicBool::new(false);
    let crowd = Crowd::new(&server, &done);
    let story = async {
        until(async || crowd.count() > 20).await;
        disk.fail();
        until(async || crowd.busy.load(Ordering::SeqCst) > 100).await;
        until(async || crowd.ready().await == 503).await;
        done.store(true, Ordering::SeqCst);
    };
    tokio::join!(crowd.come(), story);
    assert!(server.stop());
    tool("umount", &[&at.to_string_lossy()]);
    let _again = Disk::ext4(&image, at);
    let server = Serving::start(folder.path(), &arguments);
    crowd.look_up(&server).await;
    assert!(server.stop());
    succeeds(folder.path(), &["audit", "--store", &store]);
}

/// Linux writes to no disk that failed before it was taken out, so here the file and its log can only be read. Not the
/// log's index: that is mapped into memory, and the system would end a process that writes there.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_can_only_be_read_under_load_is_written_again_without_a_restart() {
    let folder = TempDir::new().expect("a folder");
    let disk = Disk::ext4(&folder.path().join("image"), folder.path().join("disk"));
    let store = disk.store();
    succeeds(folder.path(), &["import", "--store", &store, &format!("{FIXTURES}/standard.toml")]);
    let server = Serving::start(folder.path(), &["--test-clock", "--listen", "127.0.0.1:0", "--store", &store]);
    let done = AtomicBool::new(false);
    let crowd = Crowd::new(&server, &done);
    let files = ["", "-wal"].map(|end| disk.at.join(format!("boxoffice.db{end}")).display().to_string());
    let change = |how| tool("chattr", &[how, &files[0], &files[1]]);
    let story = async {
        for _ in 0..3 {
            let before = crowd.count();
            until(async || crowd.count() > before + 20).await;
            change("+i");
            let busy = crowd.busy.load(Ordering::SeqCst);
            until(async || crowd.busy.load(Ordering::SeqCst) > busy + 20).await;
            until(async || crowd.ready().await == 503).await;
            change("-i");
            let before = crowd.count();
            until(async || crowd.count() > before + 20).await;
            until(async || crowd.ready().await == 200).await;
        }
        done.store(true, Ordering::SeqCst);
    };
    tokio::join!(crowd.come(), story);
    crowd.look_up(&server).await;
    assert!(server.stop());
    succeeds(folder.path(), &["audit", "--store", &store]);
}

/// The one line that a server says which may not do all that its user may: root obeys the file's mode then.
fn fails_by_mode(folder: &Path, store: &str) -> String {
    let program = boxoffice(folder);
    let caps = ["--bounding-set=-dac_override,-dac_read_search", "--"];
    let mut command = Command::new("setpriv");
    command.args(caps).arg(program.get_program()).args(["serve", "--listen", "127.0.0.1:0", "--store", store]);
    let output = command.current_dir(folder).stdout(Stdio::null()).output().expect("setpriv (util-linux) runs");
    let said = String::from_utf8(output.stderr).expect("a text");
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    said
}

#[test]
fn what_is_wrong_with_the_store_at_the_start_is_one_line() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let mode = |name: &str, mode| {
        std::fs::set_permissions(path.join(name), std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    let rubbish = "this is no database, and long enough to be read as one".repeat(40);
    std::fs::write(path.join("rubbish.db"), &rubbish).expect("a file");
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["audit"], &["staff", "list"]] {
        let said = fails(path, &[command, &["--store", "sqlite:rubbish.db"]].concat());
        assert!(said.contains("rubbish.db is not a Boxoffice store and was left as it is"), "{said}");
        assert_eq!(std::fs::read_to_string(path.join("rubbish.db")).expect("the file"), rubbish);
    }
    let said = fails(path, &["serve", "--store", "sqlite:nowhere/b.db", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("check that its folder is there and writable"), "{said}");
    succeeds(path, &["import", "--store", "sqlite:good.db", &format!("{FIXTURES}/standard.toml")]);
    mode("good.db", 0o400);
    let before = std::fs::read(path.join("good.db")).expect("the store");
    let said = fails_by_mode(path, "sqlite:good.db");
    assert!(said.contains("good.db can only be read; check its owner and mode"), "{said}");
    assert!(before == std::fs::read(path.join("good.db")).expect("the store"), "it is as it was");
    mode("good.db", 0o600);
    std::fs::create_dir(path.join("closed")).expect("a folder");
    mode("closed", 0o500);
    let said = fails_by_mode(path, "sqlite:closed/b.db");
    assert!(said.contains("check that its folder is there and writable"), "{said}");
    mode("closed", 0o700);
}

#[test]
fn a_configuration_is_checked_and_shown_without_secrets() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let write = |text: &str| std::fs::write(path.join("b.toml"), text).expect("a file");
    let check = ["config", "check", "--config", "b.toml"];
    write("[mail]\nsmtp = \"smtp://user:secret@mail.example.org:587\"\nfrom = \"Kino <k@example.org>\"\n");
    let shown = succeeds(path, &check);
    assert!(shown.contains("store = \"sqlite:boxoffice.db\"") && shown.contains("mail.example.org:587"), "{shown}");
    assert!(!shown.contains("secret") && !shown.contains("user:"), "{shown}");
    for (text, says) in [
        ("listen = 8080\n", "b.toml:1: listen:"),
        ("store = \"sqlite:missing/b.db\"\n", "store: there is no folder missing"),
        ("store = \"postgres://here\"\n", "sqlite:PATH"),
        ("listen = \"127.0.0.1:1\"\nmetrics_listen = \"127.0.0.1:1\"\n", "an address of their own"),
    ] {
        write(text);
        let said = fails(path, &check);
        assert!(said.contains(says), "{text}: {said}");
    }
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/boxoffice.toml");
    let shown = succeeds(path, &["config", "check", "--config", example, "--store", "sqlite:b.db"]);
    assert!(shown.contains("store = \"sqlite:b.db\""), "{shown}");
}
