//! The tables of the records as loads use them: rows to look up, and changes of rows. Both are plain values, so that
//! the code that decides on changes works with any database, and names none.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::LazyLock;

use base16ct::lower::encode_string;

use super::chart_table::{IN_HEADS, chart_keys, chart_of, compartment_keys, is_of_head};
use crate::shards::numbers_of;
use database::Statement;
use fhir::{Id, Reference, ResourceType};
use search::ParamId;

/// The most bytes of rows that share a statement. D1 accepts at most 2,000,000 bytes in a bind.
const MAX_SHARED: usize = 500_000;

/// The size in bytes from which a row has a statement of its own.
const SMALL: usize = 50_000;

/// A value in a column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// No value.
    Null,
    /// A number.
    Integer(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// A row: the values of all columns, in the order of [`Table::columns`].
pub type Row = Vec<Value>;

impl Value {
    /// Returns the number, if the value is one.
    pub const fn integer(&self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(*number) } else { None }
    }

    /// Returns the text, if the value is one.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the bytes, if the value has any.
    pub fn bytes(&self) -> Option<&[u8]> {
        if let Self::Blob(bytes) = self { Some(bytes) } else { None }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<ParamId> for Value {
    fn from(id: ParamId) -> Self {
        Self::Integer(id.number().into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Numbers.
    Integer,
    /// Texts.
    Text,
    /// Bytes.
    Blob,
}

/// A table of the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// The resources of the types that are searched without a patient.
    Resource,
    /// The searchable values.
    Fact,
    /// The references that includes follow.
    Link,
    /// Other names of resources.
    Alias,
    /// The dependencies between resources.
    Dependent,
    /// The times at which resources were deleted, at their sources and on this server.
    Deleted,
    /// The compartments of names.
    Locator,
    /// The compartments.
    Compartment,
    /// The rows of charts.
    Chart,
}

impl Table {
    const ALL: [Self; 9] = [
        Self::Resource,
        Self::Fact,
        Self::Link,
        Self::Alias,
        Self::Dependent,
        Self::Deleted,
        Self::Locator,
        Self::Compartment,
        Self::Chart,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Fact => "fact",
            Self::Link => "link",
            Self::Alias => "alias",
            Self::Dependent => "dependent",
            Self::Deleted => "deleted",
            Self::Locator => "locator",
            Self::Compartment => "compartment",
            Self::Chart => "chart",
        }
    }

    /// Returns the columns, beginning with those of the key.
    pub const fn columns(self) -> &'static [(&'static str, ColumnType)] {
        use ColumnType::{Blob, Integer, Text};
        match self {
            Self::Resource => &[
                ("type", Text),
                ("id", Text),
                ("patient", Text),
                ("owners", Text),
                ("sort", Text),
                ("params", Text),
                ("version", Text),
                ("modified", Text),
                ("digest", Text),
                ("body", Text),
            ],
            Self::Fact => &[("param", Integer), ("value", Text), ("sort", Text), ("rest", Text)],
            Self::Link => &[("id", Text), ("param", Integer), ("target", Text)],
            Self::Alias => &[("name", Text), ("target", Text)],
            Self::Dependent => &[("target", Text), ("source", Text)],
            Self::Deleted => &[("reference", Text), ("deleted_at", Integer), ("changed_at", Integer)],
            Self::Locator => &[("hash", Integer), ("n", Integer)],
            Self::Compartment => &[("n", Integer), ("id", Text), ("version", Integer)],
            Self::Chart => &[("k", Integer), ("data", Blob)],
        }
    }

    /// Returns the columns of the key.
    pub fn key(self) -> &'static [(&'static str, ColumnType)] {
        let length = match self {
            Self::Fact => 4,
            Self::Link => 3,
            Self::Resource | Self::Alias | Self::Dependent | Self::Locator => 2,
            Self::Deleted | Self::Compartment | Self::Chart => 1,
        };
        self.columns().split_at(length).0
    }

    /// Returns the names of the columns, separated by commas.
    fn column_names(self) -> &'static str {
        static NAMES: LazyLock<HashMap<Table, String>> = LazyLock::new(|| {
            let names = |table: Table| table.columns().iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            Table::ALL.into_iter().map(|table| (table, names(table))).collect()
        });
        NAMES.get(&self).map_or("", |names| names)
    }

    /// Returns the name in an attached database, or in the only one if `schema` is empty.
    fn qualified(self, schema: &str) -> String {
        if schema.is_empty() { self.name().to_owned() } else { format!("{schema}.{}", self.name()) }
    }

    /// Returns the start of a statement that inserts or replaces rows.
    fn insert(self, schema: &str) -> String {
        format!("INSERT OR REPLACE INTO {} ({})", self.qualified(schema), self.column_names())
    }

    /// Returns the statement that deletes the rows with these values in some columns.
    fn delete<'v>(self, schema: &str, values: impl Iterator<Item = (&'static str, &'v Value)>) -> Statement {
        let (names, values): (Vec<_>, Vec<_>) = values.unzip();
        let conditions: Vec<_> = (1..).zip(names).map(|(at, name)| format!("{name} = ?{at}")).collect();
        let text = format!("DELETE FROM {} WHERE {}", self.qualified(schema), conditions.join(" AND "));
        Statement { text, binds: values.into_iter().filter_map(bind).collect() }
    }
}

/// The database that has a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardKey {
    /// The directory, which is also the first shard.
    Directory,
    /// The shard of the compartment with this number.
    Compartment(i64),
}

/// Rows that a load looks up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// The row of this resource.
    Resource(Reference),
    /// The aliases with this name.
    Alias(String),
    /// The resources that depend on the resource with this reference or name.
    Dependent(String),
    /// The time at which a resource was deleted.
    Deleted(Reference),
    /// The compartments of the names with this hash.
    Locator(i64),
    /// The compartment with this id, in the directory.
    Compartment(String),
    /// The compartment with this number, in the shard that has its charts.
    Charts(i64),
    /// The compartment with the greatest number in a bucket, in the directory.
    Last(u32),
    /// All rows of a chart.
    Chart(i64, ResourceType),
    /// The heads of all charts of a compartment.
    Heads(i64),
}

impl Lookup {
    /// Returns the table.
    pub const fn table(&self) -> Table {
        match self {
            Self::Resource(_) => Table::Resource,
            Self::Alias(_) => Table::Alias,
            Self::Dependent(_) => Table::Dependent,
            Self::Deleted(_) => Table::Deleted,
            Self::Locator(_) => Table::Locator,
            Self::Compartment(_) | Self::Charts(_) | Self::Last(_) => Table::Compartment,
            Self::Chart(..) | Self::Heads(_) => Table::Chart,
        }
    }

    /// Returns the database that has the rows.
    pub const fn shard_key(&self) -> ShardKey {
        match self {
            Self::Charts(n) | Self::Chart(n, _) | Self::Heads(n) => ShardKey::Compartment(*n),
            Self::Resource(_)
            | Self::Alias(_)
            | Self::Dependent(_)
            | Self::Deleted(_)
            | Self::Locator(_)
            | Self::Compartment(_)
            | Self::Last(_) => ShardKey::Directory,
        }
    }

    /// Returns the condition of the rows `t`, with values at `?1` and `?2`.
    const fn condition(&self) -> &'static str {
        match self {
            Self::Resource(_) => "t.type = ?1 AND t.id = ?2",
            Self::Alias(_) => "t.name = ?1",
            Self::Dependent(_) => "t.target = ?1",
            Self::Deleted(_) => "t.reference = ?1",
            Self::Locator(_) => "t.hash = ?1",
            Self::Compartment(_) => "t.id = ?1",
            Self::Charts(_) => "t.n = ?1 AND t.version <> 0",
            Self::Last(_) => "t.n = (SELECT max(c.n) FROM compartment c WHERE c.n BETWEEN ?1 AND ?2)",
            Self::Chart(..) => "t.k BETWEEN ?1 AND ?2",
            Self::Heads(_) => IN_HEADS,
        }
    }

    fn values(&self) -> Vec<Value> {
        let range = |(first, last): (i64, i64)| vec![first.into(), last.into()];
        match self {
            Self::Resource(Reference { resource_type, id }) => vec![resource_type.name().into(), id.as_str().into()],
            Self::Alias(name) => vec![name.as_str().into()],
            Self::Dependent(target) => vec![target.as_str().into()],
            Self::Deleted(reference) => vec![reference.to_string().into()],
            Self::Locator(hash) => vec![(*hash).into()],
            Self::Compartment(id) => vec![id.as_str().into()],
            Self::Charts(n) => vec![(*n).into()],
            Self::Last(bucket) => range(numbers_of(*bucket)),
            Self::Chart(n, resource_type) => range(chart_keys(*n, *resource_type)),
            Self::Heads(n) => range(compartment_keys(*n, *n)),
        }
    }

    /// Returns the statement for the rows in an attached database, or in the only one if `schema` is empty. The columns
    /// are in their usual order.
    pub fn statement(&self, schema: &str) -> Statement {
        let table = self.table();
        let (columns, from) = (table.column_names(), table.qualified(schema));
        let text = format!("SELECT {columns} FROM {from} t WHERE {}", self.condition());
        Statement { text, binds: self.values().iter().filter_map(bind).collect() }
    }

    /// Returns the statements for the rows of several lookups in one database, each with the positions of its lookups.
    /// The column `at` of a row is the index in these positions. Numbers are texts, and bytes are hexadecimal digits.
    pub fn statements(lookups: &[Self]) -> Vec<(Statement, Vec<usize>)> {
        let mut groups: Vec<(&'static str, Vec<usize>)> = Vec::new();
        for (at, lookup) in lookups.iter().enumerate() {
            match groups.iter_mut().find(|(condition, _)| *condition == lookup.condition()) {
                Some((_, positions)) => positions.push(at),
                None => groups.push((lookup.condition(), vec![at])),
            }
        }
        let mut statements = Vec::new();
        for (condition, positions) in groups {
            let of_group: Vec<&Self> = positions.iter().filter_map(|at| lookups.get(*at)).collect();
            let Some(table) = of_group.first().map(|lookup| lookup.table()) else { continue };
            let condition = condition.replace("?1", "(l.value ->> 0)").replace("?2", "(l.value ->> 1)");
            let column = |(name, of): &(&str, ColumnType)| match of {
                // D1 rounds large numbers, and returns bytes as an array of numbers.
                ColumnType::Integer => format!("CAST(t.{name} AS TEXT) AS {name}"),
                ColumnType::Text => format!("t.{name} AS {name}"),
                ColumnType::Blob => format!("hex(t.{name}) AS {name}"),
            };
            let columns: Vec<_> = table.columns().iter().map(column).collect();
            let text = format!(
                "SELECT l.key AS at, {} FROM json_each(?1) l CROSS JOIN {} t WHERE {condition}",
                columns.join(", "),
                table.name()
            );
            let values: Vec<_> = of_group.iter().map(|lookup| json(&lookup.values())).collect();
            let mut positions = positions.into_iter();
            for (count, values) in join_rows(&values) {
                let statement = Statement { text: text.clone(), binds: vec![values] };
                statements.push((statement, positions.by_ref().take(count).collect()));
            }
        }
        statements
    }

    /// Returns the lookups that find a row of a table.
    pub fn of(table: Table, row: &[Value]) -> Vec<Self> {
        let text = |at: usize| row.get(at).and_then(Value::text);
        let number = |at: usize| row.get(at).and_then(Value::integer);
        let found = match table {
            Table::Resource => {
                let resource_type = text(0).and_then(ResourceType::parse);
                resource_type
                    .zip(text(1).and_then(Id::parse))
                    .map(|(resource_type, id)| Self::Resource(Reference { resource_type, id }))
            }
            Table::Alias => text(0).map(|name| Self::Alias(name.to_owned())),
            Table::Dependent => text(0).map(|target| Self::Dependent(target.to_owned())),
            Table::Deleted => text(0).and_then(Reference::parse).map(Self::Deleted),
            Table::Locator => number(0).map(Self::Locator),
            Table::Compartment => {
                let of_id = text(1).map(|id| Self::Compartment(id.to_owned()));
                let of_charts = number(0).filter(|_| number(2) != Some(0)).map(Self::Charts);
                return of_id.into_iter().chain(of_charts).collect();
            }
            Table::Chart => {
                let chart = number(0).and_then(chart_of);
                let of_head = chart.filter(|_| number(0).is_some_and(is_of_head)).map(|(n, _)| Self::Heads(n));
                let of_chart = chart.map(|(n, resource_type)| Self::Chart(n, resource_type));
                return of_chart.into_iter().chain(of_head).collect();
            }
            Table::Fact | Table::Link => None,
        };
        found.into_iter().collect()
    }
}

/// A change of the tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Inserts a row, or replaces the row with the same key.
    Put(Table, Row),
    /// Inserts or replaces the row of a resource. Fails if the digest is not `before`, because then somebody else has
    /// stored the resource in the meantime.
    Resource {
        /// The row.
        row: Row,
        /// The digest before. `None` if there was no row.
        before: Option<String>,
    },
    /// Deletes the row with this key.
    Delete(Table, Vec<Value>),
    /// Deletes the rows with these values in some columns. Only values at the beginning of the key limit the rows that
    /// are read.
    DeleteAll(Table, Vec<(&'static str, Value)>),
    /// Lists a compartment in the directory if its charts are in another shard. A compartment of the first shard is
    /// listed together with its version.
    List {
        /// The number of the compartment.
        n: i64,
        /// The id.
        id: String,
    },
    /// Inserts a compartment in the shard of its charts. Fails if it has a version there.
    Compartment {
        /// The number of the compartment.
        n: i64,
        /// The id.
        id: String,
        /// The version, which is not 0.
        version: i64,
    },
    /// Replaces the version of a compartment. Fails if the version is not `before`, because then somebody else has
    /// changed the charts.
    Version {
        /// The number of the compartment.
        n: i64,
        /// The version before.
        before: i64,
        /// The version after.
        after: i64,
    },
}

impl Change {
    /// Returns the database that has the row.
    pub fn shard_key(&self) -> ShardKey {
        match self {
            Self::Put(Table::Chart, row) | Self::Delete(Table::Chart, row) => {
                let key = row.first().and_then(Value::integer).and_then(chart_of);
                key.map_or(ShardKey::Directory, |(n, _)| ShardKey::Compartment(n))
            }
            Self::Compartment { n, .. } | Self::Version { n, .. } => ShardKey::Compartment(*n),
            Self::Put(..) | Self::Delete(..) | Self::Resource { .. } | Self::DeleteAll(..) | Self::List { .. } => {
                ShardKey::Directory
            }
        }
    }

    /// Returns the statement for an attached database, or for the only one if `schema` is empty.
    pub fn statement(&self, schema: &str) -> Statement {
        match self {
            Self::Put(table, row) => with_values(table.insert(schema), row),
            Self::Resource { row, before: None } => {
                with_values(Table::Resource.insert(schema).replacen("INSERT OR REPLACE", "INSERT", 1), row)
            }
            // A digest must not be null.
            Self::Resource { row, before: Some(before) } => {
                let mut text = format!("UPDATE {} SET ", Table::Resource.qualified(schema));
                let mut binds = vec![before.clone()];
                for (at, ((name, _), value)) in Table::Resource.columns().iter().zip(row).enumerate() {
                    text.push_str(if at > 0 { ", " } else { "" });
                    text.push_str(name);
                    text.push_str(if *name == "digest" { " = CASE digest WHEN ?1 THEN " } else { " = " });
                    write_value(value, &mut text, &mut binds);
                    text.push_str(if *name == "digest" { " END" } else { "" });
                }
                text.push_str(" WHERE type = ?2 AND id = ?3");
                Statement { text, binds }
            }
            Self::Delete(table, key) => table.delete(schema, table.key().iter().map(|(name, _)| *name).zip(key)),
            Self::DeleteAll(table, values) => table.delete(schema, values.iter().map(|(name, value)| (*name, value))),
            Self::List { n, id } => Statement {
                text: format!(
                    "INSERT INTO {} (n, id, version) VALUES (?1, ?2, 0)",
                    Table::Compartment.qualified(schema)
                ),
                binds: vec![n.to_string(), id.clone()],
            },
            // A version must not be null.
            Self::Compartment { n, id, version } => Statement {
                text: format!(
                    "INSERT INTO {} AS c (n, id, version) VALUES (?1, ?2, ?3) \
                     ON CONFLICT (n) DO UPDATE SET version = CASE c.version WHEN 0 THEN excluded.version END",
                    Table::Compartment.qualified(schema)
                ),
                binds: vec![n.to_string(), id.clone(), version.to_string()],
            },
            Self::Version { n, before, after } => Statement {
                text: format!(
                    "UPDATE {} SET version = CASE version WHEN CAST(?2 AS INTEGER) THEN ?3 END WHERE n = ?1",
                    Table::Compartment.qualified(schema)
                ),
                binds: vec![n.to_string(), before.to_string(), after.to_string()],
            },
        }
    }

    /// Returns the statements for changes of one database, in their order within each table. Tables follow one another,
    /// since rows of different tables are independent. Successive small rows share a statement.
    pub fn statements(changes: &[&Self]) -> Vec<Statement> {
        let mut statements = Vec::new();
        for table in Table::ALL {
            let of_table: Vec<_> = changes.iter().copied().filter(|change| change.table() == table).collect();
            for group in of_table.chunk_by(|one, other| one.is_shared() && other.is_shared()) {
                match group {
                    [Self::Put(..), _, ..] => statements.extend(Self::shared_statements(table, group)),
                    _ => statements.extend(group.iter().map(|change| change.statement(""))),
                }
            }
        }
        statements
    }

    /// Returns the statements that put small rows into a table.
    fn shared_statements(table: Table, puts: &[&Self]) -> impl Iterator<Item = Statement> {
        let rows: Vec<_> = puts.iter().filter_map(|change| change.row()).map(json).collect();
        let column = |(at, (_, of)): (usize, &(&str, ColumnType))| match of {
            ColumnType::Integer | ColumnType::Text => format!("value ->> {at}"),
            ColumnType::Blob => format!("unhex(value ->> {at})"),
        };
        let columns: Vec<_> = table.columns().iter().enumerate().map(column).collect();
        let text = format!("{} SELECT {} FROM json_each(?1)", table.insert(""), columns.join(", "));
        join_rows(&rows).into_iter().map(move |(_, rows)| Statement { text: text.clone(), binds: vec![rows] })
    }

    const fn table(&self) -> Table {
        match self {
            Self::Put(table, _) | Self::Delete(table, _) | Self::DeleteAll(table, _) => *table,
            Self::Resource { .. } => Table::Resource,
            Self::List { .. } | Self::Compartment { .. } | Self::Version { .. } => Table::Compartment,
        }
    }

    /// Returns whether the change may share a statement with others.
    fn is_shared(&self) -> bool {
        matches!(self, Self::Put(_, row) if size(row) < SMALL)
    }

    /// Returns whether the change affects how resources are found: compartments, names, and dependents. The deletion of
    /// a name that no longer leads to a resource is the only exception.
    #[must_use]
    pub const fn is_of_names(&self) -> bool {
        match self {
            Self::List { .. } => true,
            Self::Put(table, _) => matches!(table, Table::Alias | Table::Dependent | Table::Deleted | Table::Locator),
            Self::Delete(table, _) | Self::DeleteAll(table, _) => matches!(table, Table::Alias | Table::Dependent),
            Self::Resource { .. } | Self::Compartment { .. } | Self::Version { .. } => false,
        }
    }

    const fn row(&self) -> Option<&Row> {
        if let Self::Put(_, row) = self { Some(row) } else { None }
    }
}

/// Returns the statement that inserts a row. `text` is its beginning.
fn with_values(mut text: String, row: &Row) -> Statement {
    let mut binds = Vec::with_capacity(row.len());
    text.push_str(" VALUES (");
    for (at, value) in row.iter().enumerate() {
        text.push_str(if at > 0 { ", " } else { "" });
        write_value(value, &mut text, &mut binds);
    }
    text.push(')');
    Statement { text, binds }
}

/// Writes a value into a statement, as a bind or as null.
fn write_value(value: &Value, text: &mut String, binds: &mut Vec<String>) {
    binds.extend(bind(value));
    let at = binds.len();
    // Writing to a text cannot fail.
    let _ = match value {
        Value::Null => write!(text, "NULL"),
        Value::Blob(_) => write!(text, "unhex(?{at})"),
        Value::Integer(_) | Value::Text(_) => write!(text, "?{at}"),
    };
}

/// Returns the text of a bound value. SQLite converts it to the type of the column. Bytes are hexadecimal digits.
fn bind(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Integer(number) => Some(number.to_string()),
        Value::Text(text) => Some(text.clone()),
        Value::Blob(bytes) => Some(encode_string(bytes)),
    }
}

/// Returns the size of the texts and blobs of a row, in bytes.
fn size(row: &Row) -> usize {
    let size = |value: &Value| match value {
        Value::Null | Value::Integer(_) => 0,
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
    };
    row.iter().map(size).sum()
}

fn json(row: &Row) -> String {
    let value = |value: &Value| match value {
        Value::Null => serde_json::Value::Null,
        Value::Integer(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::Blob(bytes) => encode_string(bytes).into(),
    };
    row.iter().map(value).collect::<serde_json::Value>().to_string()
}

/// Joins rows into JSON arrays of a size that can be bound. Each has the number of its rows.
fn join_rows(rows: &[String]) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    for row in rows {
        match all.last_mut().filter(|(_, text)| text.len() + row.len() < MAX_SHARED) {
            Some((count, text)) => {
                *count += 1;
                text.push(',');
                text.push_str(row);
            }
            None => all.push((1, format!("[{row}"))),
        }
    }
    all.iter_mut().for_each(|(_, text)| text.push(']'));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_of_one_form_share_a_statement() {
        let lookups = [Lookup::Locator(7), Lookup::Alias("a".to_owned()), Lookup::Locator(-8)];
        let [(locators, of_locators), (aliases, of_aliases)] = &Lookup::statements(&lookups)[..] else { panic!() };
        assert_eq!((&of_locators[..], &of_aliases[..]), (&[0, 2][..], &[1][..]));
        assert_eq!(
            (&locators.binds[..], &aliases.binds[..]),
            (&["[[7],[-8]]".to_owned()][..], &[r#"[["a"]]"#.to_owned()][..])
        );
        assert!(locators.text.ends_with("CROSS JOIN locator t WHERE t.hash = (l.value ->> 0)"), "{}", locators.text);
    }

    #[test]
    fn rows_of_a_table_share_a_statement_and_keep_their_order() {
        let alias = |name: &str| vec![name.into(), "Patient/a".into()];
        let locator = |hash: i64| Change::Put(Table::Locator, vec![hash.into(), 1.into()]);
        let changes = [
            Change::Put(Table::Alias, alias("a")),
            locator(1),
            Change::Put(Table::Alias, alias("b")),
            locator(2),
            Change::Delete(Table::Alias, alias("a")),
            locator(3),
            Change::Put(Table::Alias, alias("c")),
        ];
        let statements = Change::statements(&changes.iter().collect::<Vec<_>>());
        let binds: Vec<_> = statements.iter().map(|statement| statement.binds[0].as_str()).collect();
        let aliases = [r#"[["a","Patient/a"],["b","Patient/a"]]"#, "a", "c"];
        assert_eq!(binds, [&aliases[..], &["[[1,1],[2,1],[3,1]]"]].concat());
        assert!(statements[1].text.starts_with("DELETE FROM alias"));
    }

    #[test]
    fn rows_that_share_a_statement_fit_into_a_bind() {
        let row = format!("[\"{}\"]", "x".repeat(1_000));
        let all = join_rows(&vec![row; 1_200]);
        assert_eq!(all.iter().map(|(count, _)| count).sum::<usize>(), 1_200);
        assert!(all.len() == 3 && all.iter().all(|(_, text)| text.len() <= MAX_SHARED + 2), "{}", all.len());
        assert!(all.iter().all(|(_, text)| serde_json::from_str::<Vec<[String; 1]>>(text).is_ok()));
    }

    #[test]
    fn a_change_without_a_value_binds_the_others() {
        let row = vec![Value::Integer(5), Value::Null, Value::Blob(vec![1, 255])];
        let Statement { text, binds } = Change::Put(Table::Compartment, row).statement("shard_1");
        let insert = "INSERT OR REPLACE INTO shard_1.compartment (n, id, version) VALUES (?1, NULL, unhex(?2))";
        assert_eq!((text.as_str(), &binds[..]), (insert, &["5".to_owned(), "01ff".to_owned()][..]));
    }
}
