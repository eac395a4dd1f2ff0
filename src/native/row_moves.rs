//! Moves the rows of types between shards while a server answers from them, as `moves.rs` moves buckets: the rows are
//! copied, the map names the new shard, and later the rows are deleted from the old shard.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, TransactionBehavior};

use super::Failure;
use super::export::{SqlFiles, literal_of};
use super::moves::{Movable, move_all};
use super::shards::{AttachedShards, schema};
use super::sqlite_tables::values;
use fhir::{DigestOfParts, ResourceType};
use search::{ParamId, stored_ids};
use store::names::has_own_rows;
use store::shards::ShardMap;
use store::sql::{Table, Value};

/// The number of rows that a statement of a remote database deletes. D1 stops a statement after thirty seconds.
const SLICE: usize = 10_000;

/// The rows of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowStatus {
    /// The type.
    pub resource_type: ResourceType,
    /// The shard that the map assigns to the type.
    pub shard: usize,
    /// The number of resources in that shard.
    pub resources: u64,
    /// The number of bytes of their texts.
    pub bytes: u64,
    /// The other shards that still or already have rows of the type.
    pub others: Vec<usize>,
}

/// Returns the state of each type that has rows in a database or is assigned to a further shard by the map.
pub fn row_status(database: &Connection) -> Result<Vec<RowStatus>, Failure> {
    let shards = AttachedShards::of(database)?;
    let mut all = Vec::new();
    for resource_type in types_with_rows() {
        let shard = shards.map().shard_of_rows(resource_type);
        let text =
            format!("SELECT count(*), total(octet_length(body)) FROM {}.resource WHERE type = ?1", schema(shard));
        let (resources, bytes): (i64, f64) =
            database.prepare_cached(&text)?.query_row([resource_type.name()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut others = Vec::new();
        for other in (0..shards.count()).filter(|other| *other != shard) {
            if has_rows(database, other, resource_type)? {
                others.push(other);
            }
        }
        if shard > 0 || resources > 0 || !others.is_empty() {
            let (resources, bytes) = (resources.unsigned_abs(), bytes as u64);
            all.push(RowStatus { resource_type, shard, resources, bytes, others });
        }
    }
    Ok(all)
}

/// Copies the rows of types to a shard, compares the copies with the originals, and enters the shard into the map. Each
/// type is copied in a separate transaction. Rows that a load changes meanwhile are copied again when the map is
/// changed. Every change is also written to the `journal`, if there is one, as SQL. Returns the number of moved types.
///
/// # Errors
/// If a type has no rows, a database does not accept the changes, or a copy differs.
pub fn move_rows(
    database: &mut Connection,
    types: &[ResourceType],
    to: usize,
    journal: Option<&mut SqlFiles>,
) -> Result<usize, Failure> {
    let shards = AttachedShards::of(database)?;
    if let Some(other) = types.iter().find(|resource_type| !has_own_rows(**resource_type)) {
        return Err(Failure(format!("{other} has no rows: its resources are in charts, which move by buckets")));
    }
    move_all(database, &shards, types, to, |_| true, ShardMap::with_rows, journal)
}

impl Movable for ResourceType {
    fn shard(self, map: &ShardMap) -> usize {
        map.shard_of_rows(self)
    }

    fn copy(
        self,
        database: &Connection,
        from: usize,
        to: usize,
        journal: Option<&mut SqlFiles>,
    ) -> Result<(), Failure> {
        copy(database, from, to, self, journal)
    }

    fn is_same(self, database: &Connection, one: usize, other: usize) -> Result<bool, Failure> {
        Ok(digest(database, one, self)? == digest(database, other, self)?)
    }
}

/// Deletes rows from the shards to which the map does not assign their types. No server may still use an older map.
/// Returns the number of types that were deleted from a shard.
///
/// # Errors
/// If a database does not accept the changes.
pub fn delete_moved_rows(database: &mut Connection, mut journal: Option<&mut SqlFiles>) -> Result<usize, Failure> {
    let shards = AttachedShards::of(database)?;
    let mut deleted = 0;
    for resource_type in types_with_rows() {
        for shard in (0..shards.count()).filter(|shard| *shard != shards.map().shard_of_rows(resource_type)) {
            let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if has_rows(&transaction, shard, resource_type)? {
                delete(&transaction, shard, resource_type, journal.as_deref_mut())?;
                deleted += 1;
            }
            transaction.commit()?;
        }
    }
    Ok(deleted)
}

fn types_with_rows() -> impl Iterator<Item = ResourceType> {
    ResourceType::served().iter().copied().filter(|resource_type| has_own_rows(*resource_type))
}

/// Some rows of a type: the rows of a table that satisfy a condition. An index of the table has the columns of `order`,
/// after the column of the condition if the condition names one value.
struct Part {
    table: Table,
    condition: String,
    order: &'static [&'static str],
}

impl Part {
    /// Returns the parts that together are the rows of a type.
    fn of(resource_type: ResourceType) -> Vec<Self> {
        let numbers: Vec<_> = stored_ids(resource_type).iter().map(|id| id.number().to_string()).collect();
        let resources = format!("type = '{resource_type}'");
        let links = format!("param IN ({})", numbers.join(", "));
        let mut parts = vec![
            Self { table: Table::Resource, condition: resources, order: &["id"] },
            Self { table: Table::Link, condition: links, order: &["id", "param", "target"] },
        ];
        parts.extend(numbers.iter().map(|number| Self {
            table: Table::Fact,
            condition: format!("param = {number}"),
            order: &["value", "sort", "rest"],
        }));
        parts
    }

    /// Returns the statement that selects the rows of the part in a database, with all columns, in order.
    fn select(&self, schema: &str) -> String {
        let Self { table, condition, order } = self;
        let (columns, order) = (self.columns(), order.join(", "));
        format!("SELECT {columns} FROM {schema}.{} WHERE {condition} ORDER BY {order}", table.name())
    }

    fn columns(&self) -> String {
        self.table.columns().iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// Calls `each` with the rows of the part in a database, in order.
    fn for_each(
        &self,
        database: &Connection,
        schema: &str,
        mut each: impl FnMut(&[Value]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut statement = database.prepare_cached(&self.select(schema))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            each(&values(row, self.table)?)?;
        }
        Ok(())
    }

    /// Writes statements that delete the rows of the part, even rows that this database lacks. Each deletes a slice.
    fn write_deletion(&self, database: &Connection, schema: &str, journal: &mut SqlFiles) -> Result<(), Failure> {
        let Self { table, condition, order } = self;
        let delete = format!("DELETE FROM {} WHERE {condition}", table.name());
        let key = order.join(", ");
        let (mut count, mut behind) = (0, String::new());
        self.for_each(database, schema, |row| {
            count += 1;
            if count % SLICE != 0 {
                return Ok(());
            }
            let columns = table.columns().iter().zip(row).filter(|((name, _), _)| order.contains(name));
            let last = columns.map(|(_, value)| literal_of(value)).collect::<Vec<_>>().join(", ");
            journal.statement(&format!("{delete}{behind} AND ({key}) <= ({last})"))?;
            behind = format!(" AND ({key}) > ({last})");
            Ok(())
        })?;
        journal.statement(&format!("{delete}{behind}"))
    }
}

/// Copies the rows of a type from one shard to another, and compares the copy with the original.
fn copy(
    database: &Connection,
    from: usize,
    to: usize,
    resource_type: ResourceType,
    mut journal: Option<&mut SqlFiles>,
) -> Result<(), Failure> {
    check_numbers(database, from)?;
    delete(database, to, resource_type, journal.as_deref_mut())?;
    let (source, target) = (schema(from), schema(to));
    for part in Part::of(resource_type) {
        let (name, columns) = (part.table.name(), part.columns());
        database.execute_batch(&format!("INSERT INTO {target}.{name} ({columns}) {}", part.select(source)))?;
    }
    if digest(database, from, resource_type)? != digest(database, to, resource_type)? {
        return Err(Failure(format!("the copy of {resource_type} in shard {to} differs from that in shard {from}")));
    }
    let Some(journal) = journal else { return Ok(()) };
    let journal = journal.of_shard(to)?;
    let mut parts = Part::of(resource_type).into_iter();
    parts.try_for_each(|part| part.for_each(database, source, |row| journal.put(part.table, row)))
}

fn delete(
    database: &Connection,
    shard: usize,
    resource_type: ResourceType,
    journal: Option<&mut SqlFiles>,
) -> Result<(), Failure> {
    let (schema, parts) = (schema(shard), Part::of(resource_type));
    if let Some(journal) = journal {
        let journal = journal.of_shard(shard)?;
        parts.iter().try_for_each(|part| part.write_deletion(database, schema, journal))?;
    }
    parts.iter().try_for_each(|Part { table, condition, .. }| {
        Ok(database.execute_batch(&format!("DELETE FROM {schema}.{} WHERE {condition}", table.name()))?)
    })
}

fn has_rows(database: &Connection, shard: usize, resource_type: ResourceType) -> Result<bool, Failure> {
    let text = format!("SELECT EXISTS (SELECT 1 FROM {}.resource WHERE type = ?1)", schema(shard));
    Ok(database.prepare_cached(&text)?.query_row([resource_type.name()], |row| row.get(0))?)
}

/// Fails if a database has facts of unknown parameters, since these may belong to any type.
fn check_numbers(database: &Connection, shard: usize) -> Result<(), Failure> {
    // Finds the next number by the key of the table, without reading the facts of each number.
    let text = format!(
        "WITH RECURSIVE p (n) AS (SELECT min(param) FROM {0}.fact UNION ALL \
         SELECT (SELECT min(f.param) FROM {0}.fact f WHERE f.param > p.n) FROM p WHERE p.n IS NOT NULL) \
         SELECT n FROM p WHERE n IS NOT NULL",
        schema(shard)
    );
    let mut statement = database.prepare_cached(&text)?;
    let numbers: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    match numbers.into_iter().find(|number| ParamId::type_numbered(*number).is_none()) {
        Some(number) => {
            Err(Failure(format!("shard {shard} has facts of parameter {number}, which a later version knows")))
        }
        None => Ok(()),
    }
}

fn digest(database: &Connection, shard: usize, resource_type: ResourceType) -> Result<(u64, [u8; 32]), Failure> {
    let (mut count, mut digest) = (0, DigestOfParts::default());
    for part in Part::of(resource_type) {
        let mut statement = database.prepare_cached(&part.select(schema(shard)))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for at in 0..part.table.columns().len() {
                match row.get_ref(at)? {
                    ValueRef::Integer(number) => digest.add(number.to_be_bytes()),
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) => digest.add(bytes),
                    ValueRef::Null | ValueRef::Real(_) => digest.add([0xff]),
                };
            }
            count += 1;
        }
    }
    Ok((count, digest.bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlite::tables;

    #[test]
    fn a_deletion_is_written_in_slices_that_leave_nothing_of_the_type_and_all_of_others() {
        let database = tables(Connection::open_in_memory().unwrap()).unwrap();
        let [own, other] =
            [ResourceType::Patient, ResourceType::Practitioner].map(|of| ParamId::everything(of).number());
        let text = format!(
            "WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 25000) \
             INSERT INTO fact SELECT p.value, 'it''s ' || i.n % 7, 's' || i.n, '' FROM i, json_each('[{own}, {other}]') p"
        );
        database.execute_batch(&text).unwrap();
        let folder = std::env::temp_dir().join(format!("edgechart-slices-{}", std::process::id()));
        let mut journal = SqlFiles::new(&folder).unwrap();
        for part in Part::of(ResourceType::Patient) {
            part.write_deletion(&database, "main", &mut journal).unwrap();
        }
        let files = journal.finish().unwrap();
        let texts: Vec<_> = files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
        std::fs::remove_dir_all(&folder).unwrap();
        let statements = texts.iter().flat_map(|text| text.split(";\n")).filter(|statement| !statement.is_empty());
        let deleted: Vec<_> = statements.map(|statement| database.execute(statement, []).unwrap()).collect();
        assert_eq!(deleted.iter().filter(|count| **count > 0).collect::<Vec<_>>(), [&SLICE, &SLICE, &5_000]);
        let left = "SELECT count(*), min(param), max(param) FROM fact";
        let left: (i64, u16, u16) =
            database.query_row(left, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        assert_eq!(left, (25_000, other, other));
    }
}
