//! A real browser, driven over its debugging pipe: messages of JSON, each ended by a zero byte.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use parking_lot::Mutex;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cinema::until;

/// One page in a browser of its own, which ends with it.
pub struct Chromium {
    child: Child,
    pipe: Mutex<Pipe>,
    session: String,
    _folder: TempDir,
}

struct Pipe {
    to: File,
    from: BufReader<File>,
    id: u64,
}

/// The browser reads what it shall do at file 3 and answers at file 4.
const START: &str = r#"exec chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --user-data-dir="$1/profile" --remote-debugging-pipe about:blank 3<"$1/in" 4>"$1/out""#;

impl Chromium {
    pub fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let [to, from] = ["in", "out"].map(|name| folder.path().join(name));
        let made = Command::new("mkfifo").args([&to, &from]).status().expect("mkfifo");
        assert!(made.success());
        let mut sh = Command::new("sh");
        sh.args(["-c", START, "sh"]).arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = sh.spawn().expect("a shell");
        let to = File::options().write(true).open(to).expect("the browser's input");
        let from = BufReader::new(File::open(from).expect("the browser's output"));
        let mut pipe = Pipe { to, from, id: 0 };
        let page = pipe.call("", "Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = pipe.call("", "Target.attachToTarget", target);
        let session = attached["sessionId"].as_str().expect("a session").to_owned();
        pipe.call(&session, "Page.enable", json!({}));
        Self { child, pipe: Mutex::new(pipe), session, _folder: folder }
    }

    pub fn call(&self, method: &str, params: Value) -> Value {
        tokio::task::block_in_place(|| self.pipe.lock().call(&self.session, method, params))
    }

    pub fn go(&self, address: &str) {
        let went = self.call("Page.navigate", json!({ "url": address }));
        assert_eq!(went.get("errorText"), None, "{address}: {went}");
    }

    /// What an expression of the page's script comes to; null while the page is changing.
    pub fn eval(&self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        self.call("Runtime.evaluate", params)["result"]["value"].clone()
    }

    /// Waits until the expression is true.
    pub async fn until(&self, expression: &str) {
        let asked = until(async || self.eval(expression) == true);
        asked.await;
    }

    /// Types as a keyboard-wedge reader does: the text and Enter, wherever the cursor is.
    pub fn type_line(&self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
        for kind in ["rawKeyDown", "char", "keyUp"] {
            let key =
                json!({ "type": kind, "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13 });
            self.call("Input.dispatchKeyEvent", key);
        }
    }
}

impl Pipe {
    fn call(&mut self, session: &str, method: &str, params: Value) -> Value {
        self.id += 1;
        let mut message = json!({ "id": self.id, "method": method, "params": params });
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("a browser that listens");
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).expect("a browser that answers");
            assert_eq!(bytes.pop(), Some(0), "the browser has ended; is chromium installed?");
            let answer: Value = serde_json::from_slice(&bytes).expect("JSON");
            if answer["id"] == self.id {
                assert_eq!(answer.get("error"), None, "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
