//! The scanner's page in a real browser: with a network, without one, and after a reload without one.

use boxoffice_server::auth::Role;

use crate::chromium::Chromium;
use crate::cinema::Kind;

/// Whether the result says this word and is of this kind.
fn shows(kind: &str, word: &str) -> String {
    format!(
        "document.querySelector('#result.{kind}:not(.busy) .result-word')?.textContent === '{word}' \
         && !!document.querySelector('#result .shape')"
    )
}

fn waiting(count: usize) -> String {
    format!("document.getElementById('state')?.dataset.waiting === '{count}'")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_phone_at_the_door_loses_no_scan() {
    let mut cinema = crate::door::with_halls(Kind::Sqlite).await;
    let (held, codes) = cinema.sold("show-1", &["F7", "F8", "F9"]).await;
    let (cancelled, void) = cinema.sold("show-1", &["A1"]).await;
    cinema.cancel(&cancelled).await.expect(200);
    let other_hall = cinema.sold("show-2", &["B1"]).await.1;
    cinema.open_doors().await;
    let key = cinema.key(Role::Scanner).await;
    let phone = Chromium::start();
    phone.go(&format!("{}/staff", cinema.url));
    phone.until("!!document.getElementById('key')").await;
    phone.eval(&format!(
        "document.getElementById('key').value = '{key}'; document.getElementById('key').form.requestSubmit()"
    ));
    phone.until("document.body?.textContent.includes('Signed in as')").await;
    phone.go(&format!("{}/staff/door/choose", cinema.url));
    phone.until("!!document.getElementById('screen')").await;
    phone.eval("document.getElementById('screen').value = 'markt-1'; document.querySelector('form').requestSubmit()");
    phone.until("document.getElementById('door')?.dataset.prepared === 'yes'").await;
    phone.until("document.getElementById('state').dataset.list === 'yes'").await;
    assert_eq!(phone.eval("document.getElementById('camera-row').hidden || !!window.BarcodeDetector"), true);

    // With a network.
    phone.type_line(&codes[0]);
    phone.until(&shows("good", "Admitted")).await;
    assert_eq!(phone.eval("document.querySelector('.result-big').textContent"), "F7");
    phone.type_line(&codes[0]);
    phone.until(&shows("used", "Already used")).await;
    assert_eq!(cinema.tickets(&held).await[0]["status"], "admitted");

    // Without one.
    cinema.stop().await;
    phone.type_line(&codes[1].to_lowercase());
    phone.until(&shows("good", "Admitted")).await;
    phone.until(&waiting(1)).await;
    for (code, kind, word) in [
        (&codes[1], "used", "Already used"),
        (&codes[0], "used", "Already used"),
        (&void[0], "bad", "Cancelled"),
        (&other_hall[0], "bad", "Another show"),
        (&"nonsense".to_owned(), "bad", "Not a ticket"),
    ] {
        phone.type_line(code);
        phone.until(&shows(kind, word)).await;
    }
    // A letter within the signature.
    let at = codes[2].len() - 30;
    let letter = if &codes[2][at..=at] == "A" { "B" } else { "A" };
    phone.type_line(&format!("{}{letter}{}", &codes[2][..at], &codes[2][at + 1..]));
    phone.until(&shows("bad", "Not a ticket")).await;
    phone.until(&waiting(1)).await;

    // The page is opened again, still without one: it opens, and nothing is lost.
    phone.eval("document.getElementById('door').dataset.old = 'yes'");
    phone.call("Page.reload", serde_json::json!({}));
    phone
        .until(
            "document.getElementById('door')?.dataset.ready === 'yes' && !document.getElementById('door').dataset.old",
        )
        .await;
    phone.until(&waiting(1)).await;
    phone.type_line(&codes[1]);
    phone.until(&shows("used", "Already used")).await;
    phone.type_line(&codes[2]);
    phone.until(&shows("good", "Admitted")).await;
    phone.until(&waiting(2)).await;

    // The network is back.
    cinema.start_again().await;
    phone.eval("window.dispatchEvent(new Event('online'))");
    phone.until(&waiting(0)).await;
    let tickets = cinema.tickets(&held).await;
    assert!(tickets.iter().all(|ticket| ticket["status"] == "admitted"), "{tickets:?}");
    let conflicts = cinema.get_as(&key, "/api/v1/admissions/conflicts?show=show-1").await.expect(200);
    assert_eq!((&conflicts["items"], &conflicts["not_checked"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert_eq!(phone.eval("document.getElementById('clash').hidden"), true);
    drop(phone);
    cinema.close().await;
}
