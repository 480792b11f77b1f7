//! Small documents: written only over the version that was read.

use pollster::block_on;

use super::Check;
use crate::store::Document;
use crate::testkit::world::{Failure, World, race, same};

pub(super) const CHECKS: &[Check] = &[
    Check::new("documents_are_written_over_the_read_version_only", compare_and_set),
    Check::race("documents_have_one_writer_at_a_time", one_winner),
];

fn compare_and_set(w: World<'_>) -> Result<(), Failure> {
    let put =
        |key: &str, expected, body: &str| block_on(w.store.put_document("kind", key.into(), expected, body.into()));
    same("over nothing, as if it stood at 1", put("b", 1, "x")?, false)?;
    same("over nothing", put("b", 0, "one")?, true)?;
    same("over nothing again", put("b", 0, "x")?, false)?;
    same("over version 1", put("b", 1, "two")?, true)?;
    same("over version 1 again", put("b", 1, "x")?, false)?;
    same("another key", put("a", 0, "other")?, true)?;
    let document = |version, body: &str| Document { version, body: body.into() };
    same("read", block_on(w.store.document("kind", "b".into()))?, Some(document(2, "two")))?;
    same("another kind", block_on(w.store.document("other", "b".into()))?, None)?;
    let all = vec![("a".to_owned(), document(1, "other")), ("b".to_owned(), document(2, "two"))];
    same("all of the kind", block_on(w.store.documents("kind"))?, all)
}

fn one_winner(w: World<'_>) -> Result<(), Failure> {
    let rounds = race(4, 50, |round, thread| {
        block_on(w.store.put_document("kind", "key".into(), round as u64, format!("{thread}")))
    });
    let wins = |round: Vec<Result<bool, _>>| round.into_iter().collect::<Result<Vec<_>, _>>();
    for round in rounds {
        same("winners", wins(round)?.iter().filter(|won| **won).count(), 1)?;
    }
    same("version", block_on(w.store.document("kind", "key".into()))?.map(|d| d.version), Some(50))
}
