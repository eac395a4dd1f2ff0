//! Conditions on a candidate or a resource: it satisfies a clause, or a grant opens it.

use super::source::{IN_LISTED, MAX_WRITTEN, in_window, listed};
use super::text::{ID_AT, In, Sql, SqlPart, write_sql};
use crate::fhir::Id;
use crate::fhir::{ResourceType, json};
use crate::search::kind::KeyRange;
use crate::search::{Clause, Criterion, Kind, ParamId};
use crate::smart::{AccessRule, PatientSet, is_directory};
use crate::store::evaluate::{AccessList, AccessLists};
use std::collections::BTreeSet;

/// The row to which conditions apply.
#[derive(Debug, Clone, Copy)]
pub enum RowRef {
    /// A row `r` of the table of resources.
    Resource,
    /// A candidate, a row of the source of a search.
    Place {
        /// Its name in SQL.
        name: &'static str,
        /// The type of the resource.
        kind: ResourceType,
        /// True if its compartment is that of its own facts. Otherwise that compartment is looked up.
        in_own_compartment: bool,
    },
}

/// The compartment of a row's facts.
#[derive(Debug, Clone, Copy)]
pub struct CompartmentOf(pub RowRef);

impl SqlPart for CompartmentOf {
    fn put(self, sql: &mut Sql) {
        match self.0 {
            RowRef::Resource => write_sql!(sql, "r.patient"),
            RowRef::Place { name, in_own_compartment: true, .. } => write_sql!(sql, name, ".comp"),
            // A Patient is in its own compartment.
            RowRef::Place { name, kind: ResourceType::Patient, .. } => {
                write_sql!(sql, "substr(", name, ".sort, ", ID_AT, ")");
            }
            RowRef::Place { name, kind, .. } => looked_up("o.patient", name, kind, sql),
        }
    }
}

/// The sort key of a row.
struct SortKeyOf(RowRef);

impl SqlPart for SortKeyOf {
    fn put(self, sql: &mut Sql) {
        match self.0 {
            RowRef::Resource => write_sql!(sql, "r.sort"),
            RowRef::Place { name, .. } => write_sql!(sql, name, ".sort"),
        }
    }
}

/// The patients to whom a row belongs, as a JSON array if they are several, else null.
#[derive(Clone, Copy)]
struct Owners(RowRef);

impl SqlPart for Owners {
    fn put(self, sql: &mut Sql) {
        match self.0 {
            RowRef::Resource => write_sql!(sql, "r.owners"),
            RowRef::Place { name, kind, .. } => looked_up("o.owners", name, kind, sql),
        }
    }
}

/// Writes a subquery for a column of the resource `o` of that type at a candidate.
pub fn looked_up(column: &str, place: &str, kind: ResourceType, sql: &mut Sql) {
    write_sql!(sql, "(SELECT ", column, " FROM resource o WHERE o.type = '", kind);
    write_sql!(sql, "' AND o.id = substr(", place, ".sort, ", ID_AT, "))");
}

/// Writes the condition that a row of that type satisfies a clause: there is a fact that does, or, for a negated
/// clause, none.
pub fn satisfies(clause: &Clause, row: RowRef, kind: ResourceType, sql: &mut Sql) {
    let exact: Option<Vec<_>> = clause.any.iter().map(Criterion::key).collect();
    write_sql!(sql, if clause.negated { "NOT " } else { "" });
    if clause.param.kind == Kind::Id {
        if clause.any.contains(&Criterion::Present) {
            return write_sql!(sql, "1");
        }
        let ids = sql.list(exact.iter().flatten());
        return write_sql!(sql, "substr(", SortKeyOf(row), ", ", ID_AT, ")", In(ids));
    }
    let param_id = if clause.param.clinical { ParamId::everything(kind) } else { clause.param.id };
    let ranges: Vec<_> = match exact {
        None if !clause.param.clinical => clause.any.iter().flat_map(|criterion| criterion.ranges("")).collect(),
        Some(_) | None => Vec::new(),
    };
    // A range over all resources of a type is read once, not again for each row.
    let is_once = !ranges.is_empty() && is_directory(kind);
    if is_once {
        write_sql!(sql, SortKeyOf(row), " IN (SELECT f.sort FROM ");
    } else {
        write_sql!(sql, "EXISTS (SELECT 1 FROM ");
    }
    if ranges.len() > MAX_WRITTEN {
        let list: Vec<_> = ranges.iter().map(listed).collect();
        let list = sql.bind(&json(&list));
        write_sql!(sql, "json_each(", list, ") j CROSS JOIN ");
    }
    write_sql!(sql, "fact f WHERE f.comp = ");
    if is_once {
        write_sql!(sql, "''");
    } else {
        write_sql!(sql, CompartmentOf(row));
    }
    write_sql!(sql, " AND f.param = ", param_id, " AND ");
    match exact.as_deref() {
        _ if clause.param.clinical => in_window(clause, "f", sql),
        Some([value]) => {
            let value = sql.bind(value);
            write_sql!(sql, "f.value = ", value);
        }
        Some(values) => {
            let values = sql.list(values);
            write_sql!(sql, "f.value", In(values));
        }
        None if ranges.len() > MAX_WRITTEN => write_sql!(sql, IN_LISTED),
        None => sql.join(&ranges, "OR", &mut |sql, range| within(range, sql)),
    }
    if is_once {
        return write_sql!(sql, ")");
    }
    write_sql!(sql, " AND f.sort = ", SortKeyOf(row), ")");
}

fn within(range: &KeyRange, sql: &mut Sql) {
    let (from, until) = (sql.bind(&range.from), sql.bind(&range.until));
    write_sql!(sql, "(f.value >= ", from, " AND f.value < ", until);
    for (condition, time) in [(" AND f.ends > ", range.after), (" AND f.ends <= ", range.by)] {
        if let Some(time) = time {
            let time = sql.number(time);
            write_sql!(sql, condition, time);
        }
    }
    if let Some(part) = &range.part {
        let part = sql.bind(part);
        write_sql!(sql, " AND instr(f.value, ", part, ") > 0");
    }
    write_sql!(sql, ")");
}

/// The patients whom an access rule reaches.
enum Reach<'a> {
    All,
    One(&'a Id),
    These(&'a BTreeSet<Id>),
}

impl<'a> Reach<'a> {
    fn of(rule: &'a AccessRule, access_lists: &'a AccessLists) -> Self {
        const NOBODY: &BTreeSet<Id> = &BTreeSet::new();
        match &rule.patients {
            PatientSet::All => Self::All,
            PatientSet::One(patient) => Self::One(patient),
            PatientSet::AccessList(user) => match access_lists.get(user).map(AsRef::as_ref) {
                Some(AccessList::All) => Self::All,
                Some(AccessList::These(patients)) => Self::These(patients),
                None => Self::These(NOBODY),
            },
        }
    }
}

/// Returns whether the access rules open all rows.
pub fn is_whole(rules: &[AccessRule], access_lists: &AccessLists) -> bool {
    rules.iter().any(|rule| rule.only.is_empty() && matches!(Reach::of(rule, access_lists), Reach::All))
}

/// Writes the condition that one of the access rules opens the row. It must not be called if they open all rows
/// ([`is_whole`]), because D1 refuses values that are bound and not used.
pub fn opened(rules: &[AccessRule], access_lists: &AccessLists, kind: ResourceType, row: RowRef, sql: &mut Sql) {
    debug_assert!(!is_directory(kind) || rules.iter().all(|rule| rule.patients == PatientSet::All));
    if rules.is_empty() {
        write_sql!(sql, "0");
    }
    sql.join(rules, "OR", &mut |sql, rule| {
        write_sql!(sql, "(");
        let mut and = " AND ";
        match Reach::of(rule, access_lists) {
            Reach::All => and = "",
            Reach::One(patient) => {
                owner(row, sql);
                let patient = sql.bind(patient.as_str());
                write_sql!(sql, " = ", patient);
            }
            Reach::These(patients) => among(patients, row, sql),
        }
        if !rule.only.is_empty() {
            write_sql!(sql, and);
            sql.join(&rule.only, "AND", &mut |sql, clause| satisfies(clause, row, kind, sql));
        }
        write_sql!(sql, ")");
    });
}

/// Writes the one patient to whom the row belongs. The compartments for longer times belong to the same patient.
fn owner(row: RowRef, sql: &mut Sql) {
    write_sql!(sql, "rtrim(", CompartmentOf(row), ", '~')");
}

/// Writes the condition that each patient to whom the row belongs is among these, and that there is one.
fn among(patients: &BTreeSet<Id>, row: RowRef, sql: &mut Sql) {
    let patients = sql.list(patients.iter().map(Id::as_str));
    write_sql!(sql, "(");
    owner(row, sql);
    write_sql!(sql, In(patients));
    // A Patient belongs to one patient.
    if !matches!(row, RowRef::Place { kind: ResourceType::Patient, .. }) {
        let owners = Owners(row);
        write_sql!(sql, " OR (", owners, " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(", owners, ") o ");
        write_sql!(sql, "WHERE o.value NOT", In(patients), "))");
    }
    write_sql!(sql, ")");
}
