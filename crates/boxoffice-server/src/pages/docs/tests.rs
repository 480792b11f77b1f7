//! Tests of how the document is read: nothing of it is left out.

use std::collections::BTreeSet;

use super::{CONTENT, DOCUMENT, Page, Template as _, members, words};
use crate::pages::shell::Shell;

fn html() -> String {
    let shell = Shell { css: String::new(), icon: String::new(), demo: false };
    Page { shell, base: "http://localhost", about: &CONTENT }.render().expect("a page")
}

#[test]
fn every_operation_and_every_shape_has_its_place() {
    let told: usize = members(&DOCUMENT.json["paths"]).map(|(_, item)| members(item).count()).sum();
    let shown: Vec<_> = CONTENT.groups.iter().flat_map(|group| &group.operations).collect();
    assert_eq!(shown.len(), told);
    let html = html();
    for operation in shown {
        assert!(html.contains(&format!("id=\"{}\"", operation.id)), "{}", operation.id);
        assert!(!operation.examples.is_empty() || operation.path.contains("webhooks"), "{}", operation.id);
        assert!(!operation.answers.is_empty(), "{}", operation.id);
    }
}

#[test]
fn every_link_within_the_page_leads_somewhere_and_no_anchor_stands_twice() {
    let html = html();
    let after = |mark: &'static str| html.split(mark).skip(1).filter_map(|rest| rest.split('"').next());
    let anchors: Vec<&str> = after(" id=\"").collect();
    let distinct: BTreeSet<&str> = anchors.iter().copied().collect();
    assert_eq!(anchors.len(), distinct.len());
    for link in after("href=\"#") {
        assert!(distinct.contains(link), "#{link}");
    }
}

#[test]
fn words_are_read_as_they_are_marked() {
    let read = words("Send `a` as **the** key.");
    let marks: Vec<_> = read.iter().map(|words| (words.text.as_str(), words.code, words.strong)).collect();
    let expected = [
        ("Send ", false, false),
        ("a", true, false),
        (" as ", false, false),
        ("the", false, true),
        (" key.", false, false),
    ];
    assert_eq!(marks, expected);
}
