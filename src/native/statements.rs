//! Statements of the core: runs them on a database file in one transaction, or writes them as SQL text.

use rusqlite::{Connection, Row, params_from_iter};

use super::Failure;
use super::export::literal;
use database::{MAX_STATEMENT_LENGTH, Statement};

/// Returns the statements as SQL text, one per line, with the values as literals.
///
/// # Errors
/// If a statement is longer than D1 accepts, or refers to a value that it does not have.
pub fn sql_text(statements: &[Statement]) -> Result<String, Failure> {
    let mut all = String::new();
    for statement in statements {
        let text = bound(statement)?;
        if text.len() > MAX_STATEMENT_LENGTH {
            return Err(Failure(format!("a statement has {} bytes, and D1 takes {MAX_STATEMENT_LENGTH}", text.len())));
        }
        all.push_str(&text);
        all.push_str(";\n");
    }
    Ok(all)
}

/// Returns the text of a statement with its values in place of `?1`, `?2` and so on. Question marks inside values and
/// inside quotes in the text are not replaced. SQLite's own expansion needs the tables, cuts a text at a NUL, and
/// writes texts that wrangler refuses.
fn bound(Statement { text, binds }: &Statement) -> Result<String, Failure> {
    let mut whole = String::with_capacity(text.len());
    for (at, part) in text.split('\'').enumerate() {
        if at > 0 {
            whole.push('\'');
        }
        // Parts inside and outside of quotes alternate.
        if at % 2 == 1 {
            whole.push_str(part);
            continue;
        }
        let mut pieces = part.split('?');
        whole.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let digits = piece.len() - piece.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, rest) = piece.split_at(digits);
            let value = number.parse::<usize>().ok().and_then(|number| binds.get(number.checked_sub(1)?));
            let value = value.ok_or_else(|| Failure(format!("a statement has no value ?{number}: {text}")))?;
            whole.push_str(&literal(value));
            whole.push_str(rest);
        }
    }
    Ok(whole)
}

/// Runs the statements in one transaction.
///
/// # Errors
/// If the database does not accept one of them. In this case, nothing has changed.
pub fn run(connection: &mut Connection, statements: &[Statement]) -> Result<(), Failure> {
    for_each_row(connection, statements, &mut |_| Ok(()))
}

/// Runs the statements in one transaction, and calls `take` with each row that they return.
///
/// # Errors
/// As for [`run`], and those of `take`.
pub(super) fn for_each_row(
    connection: &mut Connection,
    statements: &[Statement],
    take: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<()>,
) -> Result<(), Failure> {
    let transaction = connection.transaction()?;
    for Statement { text, binds } in statements {
        let mut statement = transaction.prepare(text)?;
        let mut rows = statement.query(params_from_iter(binds))?;
        while let Some(row) = rows.next()? {
            take(row)?;
        }
    }
    Ok(transaction.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(text: &str, binds: &[&str]) -> Statement {
        Statement { text: text.to_owned(), binds: binds.iter().map(|bind| (*bind).to_owned()).collect() }
    }

    #[test]
    fn values_are_put_in_once_and_never_read_again() {
        let with = |text, binds: &[&str]| sql_text(&[statement(text, binds)]).unwrap();
        assert_eq!(
            with("SELECT ?1, ?2", &["?2", "x'; DROP TABLE users; --"]),
            "SELECT '?2', 'x''; DROP TABLE users; --';\n"
        );
        assert_eq!(with("SELECT '?1', ?1", &["a"]), "SELECT '?1', 'a';\n");
        assert_eq!(with("SELECT 'it''s ?1', ?1", &["a"]), "SELECT 'it''s ?1', 'a';\n");
        let twelve: Vec<_> = (1..=12).map(|at| format!("v{at}")).collect();
        let twelve: Vec<_> = twelve.iter().map(String::as_str).collect();
        assert_eq!(with("SELECT ?1, ?12", &twelve), "SELECT 'v1', 'v12';\n");
        for text in ["SELECT ?2", "SELECT ?0", "SELECT ?"] {
            assert!(sql_text(&[statement(text, &["a"])]).is_err(), "{text}");
        }
        assert!(sql_text(&[statement("SELECT ?1", &["a".repeat(MAX_STATEMENT_LENGTH).as_str()])]).is_err());
    }
}
