//! A mail server on a socket of its own that does as a test tells it, and keeps what it took.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// What it does otherwise than taking every letter.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// The answer to a recipient.
    pub recipient: Option<&'static str>,
    /// The answer to a letter that has files.
    pub attachments: Option<&'static str>,
    /// It takes connections and never says a word.
    pub silent: bool,
    /// It takes so many letters and hangs up before it says so.
    pub hang_up_after: usize,
}

#[derive(Debug, Default)]
struct Shared {
    faults: Mutex<Faults>,
    letters: Mutex<Vec<Vec<u8>>>,
    connections: AtomicUsize,
}

#[derive(Debug)]
pub struct Sink {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    running: Option<tokio::task::JoinHandle<()>>,
}

impl Sink {
    pub async fn start() -> Self {
        let mut sink = Self { address: ([127, 0, 0, 1], 0).into(), shared: Arc::default(), running: None };
        sink.up().await;
        sink
    }

    pub async fn up(&mut self) {
        let listener = TcpListener::bind(self.address).await.expect("an address");
        self.address = listener.local_addr().expect("an address");
        let shared = self.shared.clone();
        self.running = Some(tokio::spawn(async move {
            let mut talks = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.expect("a connection");
                shared.connections.fetch_add(1, Ordering::SeqCst);
                talks.spawn(talk(stream, shared.clone()));
            }
        }));
    }

    /// Stops listening and hangs up on everybody.
    pub async fn down(&mut self) {
        if let Some(running) = self.running.take() {
            running.abort();
            let _ = running.await;
        }
    }

    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    pub fn fails(&self, faults: Faults) {
        *self.shared.faults.lock() = faults;
    }

    /// The letters that it took, as they came.
    pub fn letters(&self) -> Vec<Vec<u8>> {
        self.shared.letters.lock().clone()
    }

    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }
}

async fn talk(stream: TcpStream, shared: Arc<Shared>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    if shared.faults.lock().silent {
        std::future::pending::<()>().await;
    }
    say(&mut stream, "220 sink ESMTP").await?;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let faults = shared.faults.lock().clone();
        match line.trim_end().get(..4).unwrap_or_default().to_ascii_uppercase().as_str() {
            "EHLO" => say(&mut stream, "250-sink\r\n250-8BITMIME\r\n250 SMTPUTF8").await?,
            "RCPT" => say(&mut stream, faults.recipient.unwrap_or("250 yes")).await?,
            "DATA" => {
                say(&mut stream, "354 go on").await?;
                let letter = read_letter(&mut stream).await?;
                let has_files = String::from_utf8_lossy(&letter).contains("Content-Disposition: attachment");
                if let Some(refusal) = faults.attachments.filter(|_| has_files) {
                    say(&mut stream, refusal).await?;
                    continue;
                }
                shared.letters.lock().push(letter);
                if faults.hang_up_after > 0 {
                    shared.faults.lock().hang_up_after -= 1;
                    return Ok(());
                }
                say(&mut stream, "250 taken").await?;
            }
            "QUIT" => return say(&mut stream, "221 bye").await,
            _ => say(&mut stream, "250 yes").await?,
        }
    }
}

async fn say(stream: &mut BufReader<TcpStream>, line: &str) -> std::io::Result<()> {
    stream.get_mut().write_all(format!("{line}\r\n").as_bytes()).await
}

/// Up to the lone dot, with the dots that the sender doubled taken out again.
async fn read_letter(stream: &mut BufReader<TcpStream>) -> std::io::Result<Vec<u8>> {
    let mut letter = Vec::new();
    loop {
        let mut line = Vec::new();
        if stream.read_until(b'\n', &mut line).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        match line.as_slice() {
            b".\r\n" => return Ok(letter),
            [b'.', rest @ ..] => letter.extend_from_slice(rest),
            whole => letter.extend_from_slice(whole),
        }
    }
}
