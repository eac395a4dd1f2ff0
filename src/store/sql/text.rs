//! What statements are written with. A statement grows at its end, part by part: a search writes one for each request, and
//! would pay for texts that are made to be copied into others.

use super::Statement;
use crate::fhir::{ResourceType, texts};
use crate::search::ParamId;

/// Where in a sort key its id begins, as SQL counts.
pub const ID_AT: &str = "16";

/// A statement while it is written.
#[derive(Debug, Default)]
pub struct Sql {
    text: String,
    binds: Vec<String>,
}

/// A part of a statement.
pub trait SqlPart {
    /// Writes it.
    fn put(self, sql: &mut Sql);
}

/// Writes the parts, one after the other.
macro_rules! write_sql {
    ($sql:expr, $($part:expr),+ $(,)?) => {{
        let sql: &mut $crate::store::sql::text::Sql = $sql;
        $($crate::store::sql::text::SqlPart::put($part, sql);)+
    }};
}
pub(super) use write_sql;

impl SqlPart for &str {
    fn put(self, sql: &mut Sql) {
        sql.text.push_str(self);
    }
}

impl SqlPart for usize {
    fn put(self, sql: &mut Sql) {
        if self > 9 {
            (self / 10).put(sql);
        }
        sql.text.push(char::from(b'0' + (self % 10) as u8));
    }
}

impl SqlPart for ResourceType {
    fn put(self, sql: &mut Sql) {
        self.name().put(sql);
    }
}

impl SqlPart for ParamId {
    fn put(self, sql: &mut Sql) {
        usize::from(self.number()).put(sql);
    }
}

/// A value that is bound, by its place; it may be named many times.
#[derive(Debug, Clone, Copy)]
pub struct Bound(usize);

/// Values that are bound each by itself. D1 takes a hundred binds: the last one is a list of all that are more.
const SINGLE_BINDS: usize = 99;

impl SqlPart for Bound {
    fn put(self, sql: &mut Sql) {
        match self.0.checked_sub(SINGLE_BINDS) {
            None => write_sql!(sql, "?", self.0 + 1),
            Some(at) => write_sql!(sql, "(?", SINGLE_BINDS + 1, " ->> ", at, ")"),
        }
    }
}

/// A bound number, too large for some runtimes to be one on the way.
#[derive(Debug, Clone, Copy)]
pub struct Number(Bound);

impl SqlPart for Number {
    fn put(self, sql: &mut Sql) {
        write_sql!(sql, "CAST(", self.0, " AS INTEGER)");
    }
}

/// That what stands before it is in a list that is bound.
#[derive(Debug, Clone, Copy)]
pub struct In(pub Bound);

impl SqlPart for In {
    fn put(self, sql: &mut Sql) {
        write_sql!(sql, " IN (SELECT value FROM json_each(", self.0, "))");
    }
}

impl Sql {
    /// One that nothing is written of.
    pub fn new() -> Self {
        // Most are not longer, and text that grows is copied.
        Self { text: String::with_capacity(1024), binds: Vec::new() }
    }

    /// Binds the value.
    pub fn bind(&mut self, value: &str) -> Bound {
        Bound(self.binds.iter().position(|bound| bound == value).unwrap_or_else(|| {
            self.binds.push(value.to_owned());
            self.binds.len() - 1
        }))
    }

    /// Binds the values as a list, for [`In`] and for `json_each`.
    pub fn list<T: AsRef<str>>(&mut self, values: impl IntoIterator<Item = T>) -> Bound {
        self.bind(&texts(values))
    }

    /// Binds the number.
    pub fn number(&mut self, value: i64) -> Number {
        Number(self.bind(&value.to_string()))
    }

    /// Writes the conditions, all or any of which must hold, each as `one` does. Half and half are joined, and in each half
    /// the same: D1 takes an expression that is a hundred deep at most.
    pub fn join<T>(&mut self, conditions: &[T], by: &str, one: &mut dyn FnMut(&mut Self, &T)) {
        match conditions {
            [] => {}
            [only] => one(self, only),
            several => {
                let (left, right) = several.split_at(several.len().div_ceil(2));
                write_sql!(self, "(");
                self.join(left, by, one);
                write_sql!(self, " ", by, " ");
                self.join(right, by, one);
                write_sql!(self, ")");
            }
        }
    }

    /// The statement.
    pub fn finish(self) -> Statement {
        let Self { text, mut binds } = self;
        if binds.len() > SINGLE_BINDS {
            let more = texts(binds.split_off(SINGLE_BINDS));
            binds.push(more);
        }
        Statement { text, binds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SortKey;

    #[test]
    fn an_id_begins_where_ranks_say() {
        assert_eq!(ID_AT, (SortKey::ID_AT + 1).to_string());
    }

    #[test]
    fn what_is_bound_beyond_ninety_nine_is_in_a_list() {
        let mut sql = Sql::new();
        for value in 0..101 {
            let bound = sql.bind(&value.to_string());
            write_sql!(&mut sql, bound, " ");
        }
        let again = sql.bind("0");
        write_sql!(&mut sql, again);
        let Statement { text, binds } = sql.finish();
        assert!(text.ends_with(" ?99 (?100 ->> 0) (?100 ->> 1) ?1"), "{text}");
        assert_eq!((binds.len(), binds.last().map(String::as_str)), (100, Some(r#"["99","100"]"#)));
    }

    #[test]
    fn many_conditions_are_not_deep() {
        let mut sql = Sql::new();
        sql.join(&[1, 2, 3, 4, 5], "AND", &mut |sql, number: &usize| write_sql!(sql, *number));
        assert_eq!(sql.finish().text, "(((1 AND 2) AND 3) AND (4 AND 5))");
    }
}
