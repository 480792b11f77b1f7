//! What is told from the books: sales by business day, and the close of a day. Every amount is a
//! sum of what the ledger has, so that a report and the ledger agree to the minor unit.

pub mod day;
pub mod sales;

#[cfg(test)]
mod tests;
