//! The tables, held against `docs/storage.md`, which names each of them and each of their columns.

use edgechart::native::tables;
use rusqlite::Connection;

const FILE: &str = "docs/storage.md";

#[test]
fn the_storage_document_names_every_table_and_column() {
    let text = std::fs::read_to_string(FILE).unwrap();
    let database = tables(Connection::open_in_memory().unwrap()).unwrap();
    let columns = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'";
    let mut statement = database.prepare(columns).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    let columns: Vec<_> = rows.map(Result::unwrap).collect();
    assert!(columns.len() > 70, "{} columns", columns.len());
    let missing: Vec<_> = columns
        .iter()
        .filter(|(table, column)| {
            let named = |name: &str| text.contains(&format!("`{name}`"));
            let in_key = text.contains(&format!("({column}, ")) || text.contains(&format!(", {column})"));
            !named(table) || !(named(column) || in_key || text.contains(&format!(", {column}, ")))
        })
        .collect();
    assert!(missing.is_empty(), "{FILE} does not name {missing:?}");
}
