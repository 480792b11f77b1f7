// The scanner's page. It asks the server about each ticket. Where no answer comes it checks the
// ticket itself against the list it keeps, and sends its scans later. A scan is kept for good
// before anything is shown, so that neither a reload nor a dead battery loses one.
"use strict";

const page = document.getElementById("door");
const { screen: SCREEN, gate: GATE } = page.dataset;
const form = document.getElementById("scan");
const field = document.getElementById("code");

const ANSWER_WITHIN_MS = 4000;
const LIST_EVERY_MS = 120000;
const LIST_GOOD_FOR_MS = 24 * 60 * 60 * 1000;
const SEND_EVERY_MS = 10000;
const SEND_AT_ONCE = 200;

// What is kept: scans to send, tickets seen on this device, the list and what else is remembered.

let database = null;

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("boxoffice-door", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("queue", { keyPath: "nonce" });
      request.result.createObjectStore("seen", { keyPath: "ticket" });
      request.result.createObjectStore("kept");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// Runs `work` in one transaction and answers what it put into `out.value`, once it is on the disk.
function within(mode, work) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(["queue", "seen", "kept"], mode, { durability: "strict" });
    const out = {};
    transaction.oncomplete = () => resolve(out.value);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
    work((name) => transaction.objectStore(name), out);
  });
}

function read(name, key) {
  return within("readonly", (store, out) => {
    store(name).get(key).onsuccess = (event) => { out.value = event.target.result; };
  });
}

function keep(key, value) {
  return within("readwrite", (store) => store("kept").put(value, key));
}

function waiting(count) {
  return within("readonly", (store, out) => {
    store("queue").getAll(null, count).onsuccess = (event) => { out.value = event.target.result; };
  });
}

// Keeps a scan to be sent, unless its ticket was seen on this device before: then that is answered.
function enqueue(scan, ticket) {
  return within("readwrite", (store, out) => {
    const queue = () => store("queue").put(scan);
    if (!ticket) { queue(); return; }
    store("seen").get(ticket).onsuccess = (event) => {
      out.value = event.target.result;
      if (out.value) return;
      store("seen").put({ ticket, at: scan.at });
      queue();
    };
  });
}

// A code: base 32 of version, key, booking, number, serial, three texts, signature.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function bytesOf(text) {
  const letters = text.replace(/\s/g, "").toUpperCase();
  const bytes = [];
  let bits = 0, value = 0;
  for (const letter of letters) {
    const at = LETTERS.indexOf(letter);
    if (at < 0) return null;
    value = ((value << 5) | at) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return letters.length ? new Uint8Array(bytes) : null;
}

function base64(bytes) {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

function fromBase64(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
}

function ticketOf(code) {
  const bytes = code.length <= 2000 ? bytesOf(code) : null;
  if (!bytes || bytes.length < 89 || bytes[0] !== 1) return null;
  const signed = bytes.slice(0, -64);
  const texts = [];
  let at = 22;
  for (let n = 0; n < 3; n++) {
    const end = at + 1 + signed[at];
    if (!(end <= signed.length)) return null;
    texts.push(new TextDecoder().decode(signed.slice(at + 1, end)));
    at = end;
  }
  if (at !== signed.length) return null;
  const [show, seat, type] = texts;
  return {
    key: bytes[1],
    // As the list names it: the booking without the show's number, and the ticket's number.
    id: base64(bytes.slice(6, 20)),
    serial: bytes[20] * 256 + bytes[21],
    show, seat, type, signed,
    signature: bytes.slice(-64),
  };
}

// What is told.

function say(kind, word, big, ...lines) {
  return { kind, word, big: big || "", lines: lines.filter(Boolean) };
}

const clock = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });

const VOID = {
  cancelled: "Cancelled", refunded: "Refunded", reissued: "Replaced", dispute_lost: "Void", payment_disputed: "Call staff",
};

async function signedWith(key, ticket) {
  if (!globalThis.crypto || !crypto.subtle) return null;
  try {
    const imported = await crypto.subtle.importKey("raw", fromBase64(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, ticket.signature, ticket.signed);
  } catch {
    return null;
  }
}

// What can be said of a ticket without the server: by its signature and the list.
async function judge(ticket, list, now) {
  const ask = (why) => say("ask", "Not checked", ticket.seat, why, "Let in by your own judgement; it is looked at later.");
  const bad = (word, ...lines) => say("bad", word, "", ...lines, "Seat " + ticket.seat);
  if (!list) return ask("This device has no list yet.");
  const key = list.keys[ticket.key];
  if (!key) return ask("The ticket is signed with a newer key.");
  const signed = await signedWith(key, ticket);
  if (signed === null) return ask("This browser cannot check signatures.");
  if (!signed) return say("bad", "Not a ticket", "", "The signature is wrong.");
  if (now - list.made_at_ms >= LIST_GOOD_FOR_MS) return ask("The list on this device is too old.");
  const show = list.shows.find((one) => one.id === ticket.show);
  if (!show) return bad("Another show", ticket.show);
  if (show.cancelled) return bad("Show cancelled");
  for (const [reason, tickets] of Object.entries(show.void)) {
    if (tickets.includes(ticket.id)) return bad(VOID[reason] || "Void");
  }
  const newest = show.reissued[ticket.id] || 1;
  if (ticket.serial < newest) return bad("Replaced");
  if (ticket.serial > newest) return ask("The ticket is newer than the list on this device.");
  if (now < show.opens_ms) return bad("Too early", "Doors open at " + clock(show.opens_ms) + ".");
  if (now >= show.closes_ms) return bad("Another show", show.movie + ", " + show.local.replace("T", " "));
  return say("good", "Admitted", ticket.seat, ticket.type, show.movie + ", " + show.local.slice(11), "checked on this device");
}

// The server's answer; null: none came, or one that says nothing about the ticket.
async function ask(code, nonce) {
  if (!navigator.onLine) return null;
  try {
    const answer = await post("/staff/door/admit", { code, nonce, screen: SCREEN, gate: GATE }, ANSWER_WITHIN_MS);
    if (answer.ok) return await answer.json();
    if (answer.status === 401 || answer.status === 429 || answer.status >= 500) return null;
    const problem = await answer.json();
    return say("bad", "Not possible", "", problem.detail);
  } catch {
    return null;
  }
}

function post(address, body, within) {
  return fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(within),
  });
}

// Decides alone. What lets somebody in, or leaves it to the staff, is kept before it is told.
async function alone(code, nonce, at) {
  const ticket = ticketOf(code);
  if (!ticket) return say("bad", "Not a ticket", "", "Scan the whole code again.");
  if (!database) return say("ask", "Not checked", ticket.seat, "There is no network, and this browser keeps nothing.");
  const list = await read("kept", "list " + SCREEN);
  const now = Date.parse(at) - ((await read("kept", "ahead")) || 0);
  const result = await judge(ticket, list, now);
  if (result.kind !== "good" && result.kind !== "ask") return result;
  const before = await enqueue({ nonce, code: code.trim(), at, gate: GATE, screen: SCREEN }, ticket.id + " " + ticket.serial);
  if (before) return say("used", "Already used", clock(before.at), "on this device", "Seat " + ticket.seat);
  return result;
}

// One ticket after the other, in the order they were scanned.
let last = Promise.resolve();

function scanned(code) {
  const nonce = random();
  const at = new Date().toISOString();
  last = last.then(async () => {
    document.getElementById("result").classList.add("busy");
    let result = await ask(code, nonce);
    const ticket = result && database && ticketOf(code);
    if (!result) result = await alone(code, nonce, at);
    else if (ticket && (result.kind === "good" || result.kind === "used")) {
      await within("readwrite", (store) => store("seen").put({ ticket: ticket.id + " " + ticket.serial, at }));
    }
    show(result);
    await tell();
    send();
  }).catch((error) => show(say("ask", "Not checked", "", "This device could not keep the scan: " + error)));
  return last;
}

function show(result) {
  const section = document.getElementById("result");
  section.className = "result " + result.kind;
  const shape = page.querySelector('[data-shape="' + result.kind + '"]').content.cloneNode(true);
  const parts = [shape, part("p", "result-word", result.word)];
  if (result.big) parts.push(part("p", "result-big", result.big));
  const lines = part("ul", "result-lines", "");
  lines.append(...result.lines.map((line) => part("li", "", line)));
  section.replaceChildren(...parts, lines);
  if (navigator.vibrate) navigator.vibrate(result.kind === "good" ? 60 : [160, 80, 160]);
}

function part(name, kind, text) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.dir = "auto";
  element.textContent = text;
  return element;
}

function random() {
  return base64(crypto.getRandomValues(new Uint8Array(15)));
}

// Sending what waits, and renewing the list.

let sending = false;
let signedOut = false;

async function send() {
  if (sending || !database || !navigator.onLine) return;
  sending = true;
  try {
    for (let scans = await waiting(SEND_AT_ONCE); scans.length; scans = await waiting(SEND_AT_ONCE)) {
      const device = await read("kept", "device");
      const answer = await post("/staff/door/batch", { device, device_time: new Date().toISOString(), scans }, 30000);
      signedOut = answer.status === 401;
      if (!answer.ok) break;
      const { items } = await answer.json();
      await sent(items);
    }
  } catch {
    // Tried again soon.
  } finally {
    sending = false;
    await tell();
  }
}

// Only what the server has named is forgotten here.
async function sent(items) {
  const clashes = items.filter((item) => ["conflict", "void", "wrong-show", "unknown"].includes(item.status)).length;
  await within("readwrite", (store) => {
    for (const item of items) store("queue").delete(item.nonce);
    store("kept").get("clashes").onsuccess = (event) => store("kept").put((event.target.result || 0) + clashes, "clashes");
  });
}

async function renew() {
  if (!database || !navigator.onLine) return;
  try {
    const address = "/staff/door/bundle?screen=" + encodeURIComponent(SCREEN);
    const answer = await fetch(address, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(15000) });
    signedOut = answer.status === 401;
    if (!answer.ok) return;
    const list = await answer.json();
    await keep("ahead", Date.now() - list.made_at_ms);
    await keep("list " + SCREEN, list);
  } catch {
    // The one that is kept stays.
  }
}

async function tell() {
  if (!database) return;
  const [list, scans, clashes, ahead] = await Promise.all([
    read("kept", "list " + SCREEN), waiting(), read("kept", "clashes"), read("kept", "ahead"),
  ]);
  const line = document.getElementById("state");
  const parts = [navigator.onLine ? "Online" : "Offline"];
  if (signedOut) parts[0] = "Signed out: open Staff and sign in again";
  if (scans.length) parts.push(scans.length === 1 ? "1 scan waits to be sent" : scans.length + " scans wait to be sent");
  parts.push(list ? "list of " + clock(list.made_at_ms + (ahead || 0)) : "no list yet");
  line.textContent = parts.join(" · ");
  line.classList.toggle("off", signedOut || !navigator.onLine || scans.length > 0);
  line.dataset.waiting = scans.length;
  line.dataset.list = list ? "yes" : "no";
  const clash = document.getElementById("clash");
  clash.hidden = !clashes;
  clash.textContent = (clashes === 1 ? "1 scan" : clashes + " scans") + " of this device did not fit: used at another door, void, or unknown. A manager sees which.";
}

// The camera, where the browser reads codes by itself.

let stream = null;

async function film() {
  const video = document.getElementById("video");
  if (stream) {
    stream.getTracks().forEach((track) => track.stop());
    stream = null;
    video.hidden = true;
    return;
  }
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch {
    show(say("ask", "No camera", "", "The browser does not let this page use it."));
    return;
  }
  video.srcObject = stream;
  video.hidden = false;
  await video.play();
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  let before = "", until = 0;
  while (stream) {
    const [found] = await detector.detect(video).catch(() => []);
    const fresh = found && (found.rawValue !== before || Date.now() >= until);
    if (fresh) {
      await scanned(found.rawValue);
      before = found.rawValue;
      until = Date.now() + 4000;
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

async function offerCamera() {
  if (!globalThis.BarcodeDetector || !navigator.mediaDevices) return;
  const formats = await BarcodeDetector.getSupportedFormats().catch(() => []);
  if (!formats.includes("qr_code")) return;
  document.getElementById("camera-row").hidden = false;
  document.getElementById("camera").addEventListener("click", film);
}

// So that the page opens without a network, too.
async function prepare() {
  if (!navigator.serviceWorker || !globalThis.caches) return;
  await navigator.serviceWorker.register("/staff/door/worker.js", { scope: "/staff/door" });
  await navigator.serviceWorker.ready;
  const files = [...document.querySelectorAll('link[rel="stylesheet"], link[rel="icon"], script[src]')];
  const cache = await caches.open("door");
  const fresh = await fetch("/staff/door", { headers: { accept: "text/html" } });
  if (fresh.ok && !fresh.redirected) await cache.put("/staff/door", fresh);
  await Promise.all(files.map((file) => cache.add(file.src || file.href)));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const code = field.value;
  field.value = "";
  field.focus();
  if (code.trim()) scanned(code);
});

// A reader types where the cursor is: it is always here.
document.addEventListener("click", (event) => {
  if (!event.target.closest("a, button, input, select")) field.focus();
});
document.addEventListener("keydown", (event) => {
  const typing = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (typing && document.activeElement !== field) field.focus();
});
addEventListener("online", () => { send(); renew().then(tell); });
addEventListener("offline", () => tell());

async function begin() {
  offerCamera();
  try {
    database = await open();
    if (!(await read("kept", "device"))) await keep("device", "phone " + random().slice(0, 6));
  } catch {
    document.getElementById("state").textContent = "This browser keeps nothing: it works only with a network.";
    return;
  }
  if (navigator.storage && navigator.storage.persist) navigator.storage.persist();
  await renew();
  await tell();
  await send();
  page.dataset.ready = "yes";
  setInterval(send, SEND_EVERY_MS);
  setInterval(() => renew().then(tell), LIST_EVERY_MS);
  await prepare().catch(() => {});
  page.dataset.prepared = "yes";
}

begin();
