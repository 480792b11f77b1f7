//! Tests of the configuration: what is read, and how each mistake names its key.

use super::Config;

#[test]
fn what_is_wrong_in_a_file_is_named_with_line_and_key() {
    let cases = [
        ("store = \"memory:\"\nlisten = 8080\n", "c.toml:2: listen: "),
        ("\n\nport = 8080\n", "c.toml:3: port: unknown field `port`"),
        ("[log]\nformat = \"xml\"\n", "c.toml:2: log.format: unknown variant `xml`"),
        ("[log]\ncolour = true\n", "c.toml:2: log.colour: unknown field `colour`"),
        ("workers = -1\n", "c.toml:1: workers: "),
        ("store = \n", "c.toml:1: "),
    ];
    for (text, expected) in cases {
        let error = Config::parse("c.toml", text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text:?} says {error:?}, not {expected:?}");
        assert!(!error.contains('\n'), "{error:?} is more than one line");
    }
}

#[test]
fn values_that_cannot_be_are_refused() {
    let cases = [
        ("workers = 0", "workers: "),
        ("public_url = \"tickets.example.org\"", "public_url: "),
        ("public_url = \"https://tickets.example.org/\"", "public_url: "),
        ("[log]\nlevel = \"loud,,=\"", "log.level: "),
    ];
    for (text, expected) in cases {
        let config = Config::parse("c.toml", text).expect(text);
        let error = config.check().expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text:?} says {error:?}, not {expected:?}");
    }
}

#[test]
fn an_empty_file_is_the_default() {
    assert_eq!(Config::parse("c.toml", "").expect("an empty file"), Config::default());
}
