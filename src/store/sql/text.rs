//! What statements are written of.

use super::Statement;
use crate::fhir::json;
use crate::search::Rank;

/// Where in a rank its id begins, as SQL counts.
pub const ID_AT: usize = Rank::ID_AT + 1;

/// What is bound to a statement, gathered while its text is written.
#[derive(Debug, Default)]
pub struct Binds(Vec<String>);

/// Values that are bound each by itself. D1 takes a hundred binds: the last one is a list of all that are more.
const SINGLE_BINDS: usize = 99;

impl Binds {
    /// Binds the value and returns its name in the text.
    pub fn bind(&mut self, value: &str) -> String {
        let at = self.0.iter().position(|bound| bound == value).unwrap_or_else(|| {
            self.0.push(value.to_owned());
            self.0.len() - 1
        });
        match at.checked_sub(SINGLE_BINDS) {
            None => format!("?{}", at + 1),
            Some(at) => format!("(?{} ->> {at})", SINGLE_BINDS + 1),
        }
    }

    /// Binds a number too large for some runtimes.
    pub fn number(&mut self, value: i64) -> String {
        format!("CAST({} AS INTEGER)", self.bind(&value.to_string()))
    }

    /// The statement of that text.
    pub fn with(self, text: String) -> Statement {
        let mut binds = self.0;
        if binds.len() > SINGLE_BINDS {
            let more = json(&binds.split_off(SINGLE_BINDS));
            binds.push(more);
        }
        Statement { text, binds }
    }
}

/// The conditions, all or any of which must hold. Two and two are joined, then two and two of these: D1 takes an expression
/// that is a hundred deep at most.
pub fn joined(mut conditions: Vec<String>, by: &str) -> String {
    while conditions.len() > 1 {
        let pair = |pair: &[String]| match pair {
            [one, other] => format!("({one} {by} {other})"),
            rest => rest.concat(),
        };
        conditions = conditions.chunks(2).map(pair).collect();
    }
    conditions.pop().unwrap_or_default()
}
