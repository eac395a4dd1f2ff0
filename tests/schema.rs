//! Compares the tables with `docs/storage.md`, which names each table and each column.

use native::tables;
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

#[test]
fn a_local_database_has_the_tables_of_all_migrations() {
    let schema_of = |database: &Connection| {
        let mut select = database.prepare("SELECT sql FROM sqlite_schema ORDER BY name").unwrap();
        let rows = select.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect::<Vec<Option<String>>>()
    };
    let mut files: Vec<_> = std::fs::read_dir("migrations").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "sql"));
    files.sort();
    let migrated = Connection::open_in_memory().unwrap();
    files.iter().for_each(|file| migrated.execute_batch(&std::fs::read_to_string(file).unwrap()).unwrap());
    assert_eq!(schema_of(&tables(Connection::open_in_memory().unwrap()).unwrap()), schema_of(&migrated));
}
