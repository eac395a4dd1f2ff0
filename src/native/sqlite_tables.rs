//! The tables of a database file, for a load. Facts and the resources of charts are gathered in temporary tables and
//! inserted in the order of their keys, so that a load of any size takes little memory.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::Failure;
use super::shards::{AttachedShards, schema};
use database::Statement;
use fhir::{Id, ResourceType};
use ingest::writer::{GatheredChart, ResourceEdit, Tables};
use store::sql::{Change, Lookup, Row, ShardKey, Table, Value};

/// The tables of a database with its attached shards.
pub struct SqliteTables<C> {
    connection: C,
    pub(super) shards: AttachedShards,
    /// The compartment and the type number of the gathered chart that was taken last.
    last_taken: (i64, u8),
    /// The first fault. The results of later lookups and changes are meaningless.
    failure: RefCell<Option<Failure>>,
}

impl<C: Borrow<Connection>> SqliteTables<C> {
    /// Returns the tables of a connection.
    pub fn of(connection: C) -> Result<Self, Failure> {
        let shards = AttachedShards::of(connection.borrow())?;
        // A table without rowids would put all but the first bytes of a resource on a page of its own.
        connection.borrow().execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS gathered (param INTEGER, value TEXT, sort TEXT, rest TEXT); \
             CREATE TEMP TABLE IF NOT EXISTS gathered_resource \
             (n INTEGER, type INTEGER, id TEXT, data BLOB, PRIMARY KEY (n, type, id));",
        )?;
        Ok(Self { connection, shards, last_taken: (0, 0), failure: RefCell::default() })
    }

    pub fn connection(&self) -> &Connection {
        self.connection.borrow()
    }

    /// Removes the temporary tables, and returns the connection.
    ///
    /// # Errors
    /// If the database does not answer.
    pub fn finish(self) -> Result<C, Failure> {
        self.connection().execute_batch("DROP TABLE temp.gathered; DROP TABLE temp.gathered_resource")?;
        Ok(self.connection)
    }

    /// Returns the first fault since the last call, if there was one.
    ///
    /// # Errors
    /// The fault, if there was one.
    pub fn check(&self) -> Result<(), Failure> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Inserts the gathered facts.
    ///
    /// # Errors
    /// If the database does not accept them.
    pub fn insert_facts(&mut self) -> Result<(), Failure> {
        let insert = "INSERT OR REPLACE INTO main.fact (param, value, sort, rest) \
             SELECT param, value, sort, rest FROM temp.gathered ORDER BY param, value, sort, rest; \
             DELETE FROM temp.gathered";
        Ok(self.connection().execute_batch(insert)?)
    }

    fn note<R>(&self, result: Result<R, Failure>) -> Option<R> {
        let keep = |failure| _ = self.failure.borrow_mut().get_or_insert(failure);
        result.map_err(keep).ok()
    }

    fn shard(&self, key: ShardKey) -> usize {
        match key {
            ShardKey::Directory => 0,
            ShardKey::Compartment(n) => self.shards.shard(n),
        }
    }

    fn look_up(&self, lookup: &Lookup) -> Result<Vec<Row>, Failure> {
        let Statement { text, binds } = lookup.statement(schema(self.shard(lookup.shard_key())));
        let mut statement = self.connection().prepare_cached(&text)?;
        let mut rows = statement.query(params_from_iter(&binds))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(values(row, lookup.table())?);
        }
        Ok(found)
    }

    fn make(&mut self, change: &Change) -> Result<(), Failure> {
        let shard = self.shard(change.shard_key());
        if let Change::Put(Table::Fact, row) = change {
            let mut insert = self.connection().prepare_cached("INSERT INTO temp.gathered VALUES (?1, ?2, ?3, ?4)")?;
            insert.execute(params_from_iter(row.iter().map(bound)))?;
            return Ok(());
        }
        if let Change::List { n, .. } = change
            && self.shards.shard(*n) == 0
        {
            // The first shard already lists its compartments, with their versions.
            return Ok(());
        }
        if matches!(change, Change::Delete(Table::Fact, _) | Change::DeleteAll(Table::Fact, _)) {
            let Statement { text, binds } = change.statement("temp");
            let text = text.replace("temp.fact", "temp.gathered");
            self.connection().prepare_cached(&text)?.execute(params_from_iter(&binds))?;
        }
        let Statement { text, binds } = change.statement(schema(shard));
        self.connection().prepare_cached(&text)?.execute(params_from_iter(&binds))?;
        Ok(())
    }

    fn keep(&self, ResourceEdit { n, resource_type, id, data }: &ResourceEdit) -> Result<(), Failure> {
        let text = "INSERT OR REPLACE INTO temp.gathered_resource VALUES (?1, ?2, ?3, ?4)";
        let mut insert = self.connection().prepare_cached(text)?;
        insert.execute(params![n, resource_type.number(), id.as_str(), data.as_deref()])?;
        Ok(())
    }

    fn take(&mut self) -> Result<Option<GatheredChart>, Failure> {
        let connection = self.connection.borrow();
        let next = "SELECT n, type FROM temp.gathered_resource WHERE (n, type) > (?1, ?2) ORDER BY n, type LIMIT 1";
        let next: Option<(i64, u8)> = connection
            .prepare_cached(next)?
            .query_row(self.last_taken, |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        self.last_taken = next.unwrap_or_default();
        let Some((n, number)) = next else {
            connection.execute_batch("DELETE FROM temp.gathered_resource")?;
            return Ok(None);
        };
        let resource_type = ResourceType::numbered(number);
        let resource_type = resource_type.ok_or_else(|| Failure(format!("{number} is the number of no type")))?;
        let text = "SELECT id, data FROM temp.gathered_resource WHERE n = ?1 AND type = ?2";
        let mut statement = connection.prepare_cached(text)?;
        let mut rows = statement.query(params![n, number])?;
        let mut resources = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let id: String = row.get(0)?;
            let id = Id::parse(&id).ok_or_else(|| Failure(format!("{id} is no id")))?;
            resources.insert(id, row.get::<_, Option<Vec<u8>>>(1)?.map(Into::into));
        }
        Ok(Some(GatheredChart { n, resource_type, resources }))
    }
}

impl<C: Borrow<Connection>> Tables for SqliteTables<C> {
    fn rows(&self, lookup: &Lookup) -> Vec<Row> {
        self.note(self.look_up(lookup)).unwrap_or_default()
    }

    fn change(&mut self, change: Change) {
        let made = self.make(&change);
        self.note(made);
    }

    fn gather(&mut self, gathered: ResourceEdit) {
        self.note(self.keep(&gathered));
    }

    fn next_gathered(&mut self) -> Option<GatheredChart> {
        let next = self.take();
        self.note(next).flatten()
    }
}

/// Returns the values of a row that has the columns of a table.
fn values(row: &rusqlite::Row<'_>, table: Table) -> Result<Row, Failure> {
    let value = |at: usize| {
        Ok(match row.get_ref(at)? {
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Text(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
            ValueRef::Null | ValueRef::Real(_) => Value::Null,
        })
    };
    (0..table.columns().len()).map(value).collect()
}

fn bound(value: &Value) -> ToSqlOutput<'_> {
    ToSqlOutput::Borrowed(match value {
        Value::Null => ValueRef::Null,
        Value::Integer(number) => ValueRef::Integer(*number),
        Value::Text(text) => ValueRef::Text(text.as_bytes()),
        Value::Blob(bytes) => ValueRef::Blob(bytes),
    })
}
