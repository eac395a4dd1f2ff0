//! Writing of statements. A statement is appended part by part, because intermediate texts would slow down each search.

use database::Statement;
use fhir::{ResourceType, texts};
use search::ParamId;

/// The position of the id in a sort key, counted from one as in SQL.
pub const ID_AT: &str = "16";

/// A statement that is being written.
#[derive(Debug, Default)]
pub struct Sql {
    text: String,
    binds: Vec<String>,
}

/// A part of a statement.
pub trait SqlPart {
    /// Appends the part.
    fn put(self, sql: &mut Sql);
}

/// Appends the parts in order.
macro_rules! write_sql {
    ($sql:expr, $($part:expr),+ $(,)?) => {{
        let sql: &mut $crate::sql::text::Sql = $sql;
        $($crate::sql::text::SqlPart::put($part, sql);)+
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

impl SqlPart for u32 {
    fn put(self, sql: &mut Sql) {
        (self as usize).put(sql);
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

/// The position of a bound value, which may be used several times.
#[derive(Debug, Clone, Copy)]
pub struct Bound(usize);

/// The most values that are bound separately. D1 accepts a hundred binds, the last of which is a list of the rest.
const SINGLE_BINDS: usize = 99;

impl SqlPart for Bound {
    fn put(self, sql: &mut Sql) {
        match self.0.checked_sub(SINGLE_BINDS) {
            None => write_sql!(sql, "?", self.0 + 1),
            Some(at) => write_sql!(sql, "(?", SINGLE_BINDS + 1, " ->> ", at, ")"),
        }
    }
}

/// A bound number. It is bound as text, because some runtimes would round it.
#[derive(Debug, Clone, Copy)]
pub struct Number(Bound);

impl SqlPart for Number {
    fn put(self, sql: &mut Sql) {
        write_sql!(sql, "CAST(", self.0, " AS INTEGER)");
    }
}

/// The condition that the expression before it is in a bound list.
#[derive(Debug, Clone, Copy)]
pub struct InList(pub Bound);

impl SqlPart for InList {
    fn put(self, sql: &mut Sql) {
        write_sql!(sql, " IN (SELECT value FROM json_each(", self.0, "))");
    }
}

impl Sql {
    /// Creates an empty statement.
    pub fn new() -> Self {
        // Most statements fit into this capacity, so that the text is not copied as it grows.
        Self { text: String::with_capacity(1024), binds: Vec::new() }
    }

    pub fn bind(&mut self, value: &str) -> Bound {
        Bound(self.binds.iter().position(|bound| bound == value).unwrap_or_else(|| {
            self.binds.push(value.to_owned());
            self.binds.len() - 1
        }))
    }

    /// Binds the values as a list, for [`InList`] and for `json_each`.
    pub fn list<T: AsRef<str>>(&mut self, values: impl IntoIterator<Item = T>) -> Bound {
        self.bind(&texts(values))
    }

    /// Binds the number.
    pub fn number(&mut self, value: i64) -> Number {
        Number(self.bind(&value.to_string()))
    }

    /// Appends the conditions that `one` writes, joined by `by` (AND or OR). They are joined as a balanced tree,
    /// because D1 accepts expressions with a depth of at most 100.
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
    use search::SortKey;

    #[test]
    fn the_offset_of_ids_is_that_of_sort_keys() {
        assert_eq!(ID_AT, (SortKey::ID_AT + 1).to_string());
    }

    #[test]
    fn values_beyond_ninety_nine_are_bound_as_a_list() {
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
