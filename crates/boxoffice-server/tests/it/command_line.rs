//! The program itself: exit codes, and failures of one line that say what to do.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use tempfile::TempDir;

use crate::program::{FIXTURES, Serving, boxoffice, fails, run, succeeds};

#[test]
fn wrong_usage_ends_with_2_and_help_with_0() {
    let folder = TempDir::new().expect("a folder");
    for arguments in [vec![], vec!["nonsense"], vec!["import"], vec!["serve", "--listen", "here"], vec!["staff", "add"]]
    {
        assert_eq!(run(folder.path(), &arguments).status.code(), Some(2), "{arguments:?}");
    }
    let output =
        boxoffice(folder.path()).arg("serve").env("BOXOFFICE_LISTEN", "here").output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("BOXOFFICE_LISTEN"), "{output:?}");
    for arguments in [["--help"], ["--version"]] {
        assert_eq!(run(folder.path(), &arguments).status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn failures_say_in_one_line_what_and_what_to_do() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    std::fs::write(path.join("bad.toml"), "listen = 8080\n").expect("a file");
    succeeds(path, &["import", &format!("{FIXTURES}/standard.toml")]);
    let long = "x".repeat(81);
    let cases: [(&[&str], &str); 11] = [
        (&["staff", "add", "--role", "scanner", "--name", " "], "1 to 80 characters"),
        (&["staff", "add", "--role", "scanner", "--name", &long], "1 to 80 characters"),
        (&["staff", "add", "--role", "scanner", "--name", "a\nb"], "1 to 80 characters"),
        (&["serve", "--log-level", "loud,,="], "write one such as info or warn,boxoffice_server=debug\n"),
        (&["audit", "--store", "postgresql"], "--store sqlite:PATH"),
        (&["audit", "--store", "sqlite:"], "write sqlite:PATH"),
        (&["import", "missing.toml"], "check the path"),
        (&["audit", "--config", "missing.toml"], "check the path given with --config"),
        (&["audit", "--config", "bad.toml"], "bad.toml:1: listen:"),
        (&["ticket", "verify", "NONSENSE"], "scan the whole code again"),
        (&["serve", "--test-clock", "--listen", "0.0.0.0:0"], "use --listen 127.0.0.1:0"),
    ];
    for (arguments, hint) in cases {
        let said = fails(path, arguments);
        assert!(said.contains(hint), "{arguments:?} says {said:?}, without {hint:?}");
    }
    assert!(fails(path, &["staff", "revoke", "none"]).contains("staff list"));
}

#[test]
fn catalogues_import_as_they_are_and_twice_changes_nothing() {
    let folder = TempDir::new().expect("a folder");
    let files = ["standard.toml", "chain.toml"].map(|name| format!("{FIXTURES}/{name}"));
    let import = ["import", &files[0], &files[1]];
    assert!(succeeds(folder.path(), &[&import[..], &["--dry-run"]].concat()).contains("Would be"));
    let first = succeeds(folder.path(), &import);
    assert!(first.contains(" 0 changed, 0 unchanged"), "{first}");
    let second = succeeds(folder.path(), &import);
    assert!(second.starts_with("Imported: 0 added, 0 changed,"), "{second}");
    succeeds(folder.path(), &["audit"]);
}

/// Over the store that it came from an export changes nothing, and an empty store becomes the same.
#[test]
fn an_export_is_imported_as_it_was() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let files = ["standard.toml", "chain.toml", "plans/halls.toml"].map(|name| format!("{FIXTURES}/{name}"));
    succeeds(path, &["import", &files[0], &files[1], &files[2]]);
    let said = succeeds(path, &["export", "out"]);
    assert!(said.starts_with("Exported ") && said.contains("boxoffice import out/*.toml"), "{said}");
    let names = ["theatres", "movies", "prices", "shows"];
    let of = |folder: &str| names.map(|name| format!("{folder}/{name}.toml"));
    let text = |folder: &str| of(folder).map(|name| std::fs::read_to_string(path.join(name)).expect("a file"));
    let import = |store: &str| {
        let files = of("out");
        succeeds(path, &["--store", store, "import", &files[0], &files[1], &files[2], &files[3]])
    };
    let again = import("sqlite:boxoffice.db");
    assert!(again.starts_with("Imported: 0 added, 0 changed,"), "{again}");
    let other = import("sqlite:other.db");
    assert!(other.contains(" 0 changed, 0 unchanged"), "{other}");
    succeeds(path, &["--store", "sqlite:other.db", "export", "out2", "--json"]);
    assert_eq!(text("out"), text("out2"));
    let twice = fails(path, &["export", "out"]);
    assert!(twice.contains("there is something in out already"), "{twice}");
    let nowhere = fails(path, &["export", "not/there/out"]);
    assert!(nowhere.contains("cannot write not/there/out"), "{nowhere}");
    let left = std::fs::read_dir(path).expect("the folder").filter_map(Result::ok);
    let partial = left.filter(|entry| entry.file_name().to_string_lossy().contains("partial")).count();
    assert_eq!(partial, 0, "nothing is left half done");
}

/// The halls of `fixtures/plans` are looked at before they are imported.
#[test]
fn a_dry_run_draws_halls_from_plans_of_their_own() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let halls = format!("{FIXTURES}/plans/halls.toml");
    let drawn = succeeds(path, &["import", &halls, "--dry-run"]);
    for words in [
        "grid: 22 seats, 2 wheelchair spaces",
        "  D  L L L   L L=L   D1 … D6",
        "studio: 20 seats, 2 wheelchair spaces",
        "  1            P+P+  P P     1-1 … 1-4",
        "Would be 2 added",
    ] {
        assert!(drawn.contains(words), "{words:?} in:\n{drawn}");
    }
    assert!(succeeds(path, &["import", &halls]).starts_with("Imported: 2 added"));
    let again = succeeds(path, &["import", &halls, "--dry-run"]);
    assert_eq!(again.trim_end(), "Would be 0 added, 0 changed, 2 unchanged.", "nothing new to look at");
    std::fs::write(path.join("a.toml"), "[[layouts]]\nid = \"a\"\nfile = \"none.csv\"\n").expect("a file");
    let said = fails(path, &["import", "a.toml"]);
    assert!(said.contains("a layout names it as its `file`: cannot read none.csv; check the path"), "{said}");
}

#[test]
fn case_097_a_thing_is_deleted_unless_it_is_in_use() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    succeeds(path, &["import", &format!("{FIXTURES}/standard.toml")]);
    let delete = |kind, id| ["catalogue", "delete", kind, id];
    let said = fails(path, &delete("movies", "night-train"));
    assert!(said.contains("in use (shows: 1); cancel its shows"), "{said}");
    for (kind, id, hint) in [
        ("movies", "none", "check its id"),
        ("films", "night-train", "theatres, layouts, screens, movies"),
        ("programmes", "week", "catalogue delete shows"),
    ] {
        let said = fails(path, &delete(kind, id));
        assert!(said.contains(hint), "{said}");
    }
    assert!(succeeds(path, &delete("shows", "show-1")).contains("brings it back"));
    let said = succeeds(path, &["catalogue", "delete", "movies", "night-train", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(said, serde_json::json!({ "kind": "movies", "id": "night-train", "deleted": true }));
    assert!(fails(path, &delete("movies", "night-train")).contains("check its id"));
}

#[test]
fn a_key_of_the_staff_is_shown_once() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let made = succeeds(path, &["staff", "add", "--name", "Door", "--role", "scanner", "--json"]);
    let made: serde_json::Value = serde_json::from_str(&made).expect("JSON");
    let (id, key) = (made["id"].as_str().expect("an id"), made["key"].as_str().expect("a key"));
    assert!(key.starts_with(&format!("bo_live_{id}_")));
    let listed = succeeds(path, &["staff", "list", "--json"]);
    assert!(listed.contains(id) && !listed.contains(key.rsplit('_').next().expect("a secret")));
    assert!(succeeds(path, &["staff", "revoke", id]).contains("is revoked"));
    assert!(succeeds(path, &["staff", "revoke", id]).contains("was revoked before"));
    assert!(succeeds(path, &["staff", "list"]).contains("revoked"));
}

#[test]
fn keys_end_accounts_have_passwords_and_all_of_it_is_logged() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let json = |text: String| -> serde_json::Value { serde_json::from_str(&text).expect("JSON") };
    fn add<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["staff", "add", "--name", "Ada", "--role", "manager"][..], more].concat()
    }
    let key = json(succeeds(path, &add(&["--expires", "90d", "--json"])));
    assert!(key["key"].is_string(), "{key}");
    for (wrong, hint) in [("2020-01-01T00:00:00Z", "over already"), ("0d", "90d"), ("soon", "90d")] {
        let output = run(path, &add(&["--expires", wrong]));
        assert!(String::from_utf8_lossy(&output.stderr).contains(hint), "{wrong}: {output:?}");
    }
    let account = json(succeeds(path, &add(&["--login", "ada", "--json"])));
    let password = account["password"].as_str().expect("a password");
    assert!(password.len() >= 20 && account.get("key").is_none(), "{account}");
    assert!(fails(path, &add(&["--login", "ada"])).contains("is taken"));
    assert!(fails(path, &add(&["--login", "A B"])).contains("small letters"));
    let again = json(succeeds(path, &["staff", "password", "ada", "--json"]));
    assert!(again["id"] == account["id"] && again["password"] != account["password"]);
    assert!(fails(path, &["staff", "password", "bob"]).contains("staff list"));
    let listed = succeeds(path, &["staff", "list"]);
    assert!(
        listed.contains("login ada") && listed.contains("in force until") && listed.contains("never used"),
        "{listed}"
    );
    assert!(!listed.contains(password));
    succeeds(path, &["staff", "revoke", account["id"].as_str().expect("an id")]);
    let log = succeeds(path, &["staff", "log"]);
    let what: Vec<&str> = log.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert_eq!(what, ["add_key", "add_account", "set_password", "revoke"], "{log}");
    let erased = succeeds(path, &["privacy", "erase", "--email", "ada@example.org"]);
    assert_eq!(erased, "Bookings in which nobody is named any more: 0\n");
    assert_eq!(run(path, &["privacy", "erase"]).status.code(), Some(2));
}

#[test]
fn one_server_per_file_and_port_and_commands_work_beside_it() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let serving = Serving::start(path, &["--listen", "127.0.0.1:0"]);
    assert!(fails(path, &["serve", "--listen", "127.0.0.1:0"]).contains("another server is serving"));
    let taken = fails(path, &["serve", "--store", "memory:", "--listen", &serving.address]);
    assert!(taken.contains("choose another with --listen"), "{taken}");
    succeeds(path, &["import", &format!("{FIXTURES}/standard.toml")]);
    succeeds(path, &["audit"]);
    assert!(serving.stop(), "SIGTERM ends it well");
    assert!(Serving::start(path, &["--listen", "127.0.0.1:0"]).stop(), "and it starts again");
}

#[test]
fn the_demo_fills_an_empty_store_only() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    let demo = ["--demo", "--listen", "127.0.0.1:0"];
    assert!(Serving::start(path, &demo).stop());
    assert!(Serving::start(path, &demo).stop(), "its own store is good to start again");
    succeeds(path, &["audit"]);
    let own = TempDir::new().expect("a folder");
    succeeds(own.path(), &["import", &format!("{FIXTURES}/standard.toml")]);
    let arguments = [&["serve"][..], &demo].concat();
    assert!(fails(own.path(), &arguments).contains("start without --demo"));
}

#[test]
fn a_store_whose_clock_was_set_is_not_sold_from() {
    for change in [r#"{"advance_s":3600}"#, r#"{"advance_s":60,"freeze":true}"#] {
        let folder = TempDir::new().expect("a folder");
        let test_mode = ["--test-clock", "--listen", "127.0.0.1:0"];
        let serving = Serving::start(folder.path(), &test_mode);
        let mut stream = TcpStream::connect(&serving.address).expect("a connection");
        let length = change.len();
        let head = format!("POST /test/clock HTTP/1.1\r\nhost: h\r\nconnection: close\r\ncontent-length: {length}\r\n");
        write!(stream, "{head}\r\n{change}").expect("it is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        assert!(serving.stop());
        let said = fails(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
        assert!(said.contains("start with --test-clock") && said.matches("Z").count() >= 2, "{said}");
        assert!(Serving::start(folder.path(), &test_mode).stop(), "test mode goes on");
    }
}

#[test]
fn an_empty_store_and_one_that_is_not_kept_are_said() {
    let folder = TempDir::new().expect("a folder");
    let catalogue = format!("{FIXTURES}/standard.toml");
    let said = |arguments: &[&str]| {
        let output = run(folder.path(), arguments);
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).expect("a text")
    };
    assert_eq!(said(&["audit", "--store", "sqlite:typo.db"]), "made a new, empty store at typo.db\n");
    assert_eq!(said(&["audit", "--store", "sqlite:typo.db"]), "");
    assert_eq!(said(&["staff", "list", "--store", "sqlite:other.db"]), "made a new, empty store at other.db\n");
    assert_eq!(said(&["import", &catalogue]), "", "an import is how a store is made");
    for arguments in [&["import", &catalogue][..], &["staff", "list"]] {
        let said = said(&[arguments, &["--store", "memory:"]].concat());
        assert!(said.contains("nothing is kept") && said.lines().count() == 1, "{said}");
    }
}

/// Every rule with whether it fired, then what it comes to.
#[test]
fn a_price_is_explained() {
    let folder = TempDir::new().expect("a folder");
    let chain = format!("{FIXTURES}/chain.toml");
    succeeds(folder.path(), &["import", &chain]);
    let explain = ["price", "explain", "galaxy-camp-1-fri-18", "--seat", "F7"];
    let told = succeeds(folder.path(), &explain);
    for words in [
        "Show galaxy-camp-1-fri-18, seat F7: Classic, standard",
        "0 of 120 seats sold",
        "fired  card       weekend      Classic, standard: 220.00 INR",
        "-      card       tuesday      a card before it matched",
        "fired  fee        convenience  +20.00 INR, 18% tax in it",
        "240.00 INR  total",
    ] {
        assert!(told.contains(words), "{words:?} in:\n{told}");
    }
    // Staff may write the seat as it comes.
    let again = succeeds(folder.path(), &["price", "explain", "galaxy-camp-1-fri-18", "--seat", "f 07"]);
    let timeless = |text: &str| text.lines().filter(|line| !line.starts_with("Bought")).collect::<Vec<_>>().join("\n");
    assert_eq!(timeless(&again), timeless(&told));
    let json = succeeds(folder.path(), &[explain.as_slice(), &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["face"]["amount"], &json["price"]["total"]["amount"]), (&22_000.into(), &24_000.into()));
    let fired = json["rules"].as_array().expect("rules").iter().filter(|rule| rule["fired"] == true).count();
    assert_eq!(fired, 3, "{json}");
    for (arguments, said) in [
        (vec!["price", "explain", "nowhere", "--seat", "F7"], "there is no show `nowhere`"),
        (vec!["price", "explain", "galaxy-camp-1-fri-18", "--seat", "Z9"], "no seat called `Z9`"),
        (
            [explain.as_slice(), &["--type", "child"]].concat(),
            "no ticket type `child` is sold for this show; it has standard",
        ),
        ([explain.as_slice(), &["--code", "SUMMER"]].concat(), "there is no promo code `SUMMER`"),
    ] {
        let line = fails(folder.path(), &arguments);
        assert!(line.contains(said), "{line}");
    }
}
