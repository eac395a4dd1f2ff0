//! Conditions on a candidate or a resource: that it satisfies a clause, or that a grant opens it.

use super::super::encoding::sort_key_at;
use super::source::write_facts_in;
use super::text::{ID_AT, InList, Sql, SqlPart, write_sql};
use chart::evaluate::{AccessList, AccessLists};
use fhir::{Id, Micros, ResourceType, json};
use search::kind::{DateWindow, IndexForm, KeyMatch, KeyRange, Lookup};
use search::sort_key::{UNDATED, oldest_first};
use search::{Clause, Criterion, Param};
use smart::{AccessRule, PatientSet, is_directory};
use std::collections::BTreeSet;

/// The most windows of one clause that are written out. A longer list is bound, which costs a row for each window.
const MAX_WRITTEN: usize = 6;

/// The row to which conditions apply.
#[derive(Debug, Clone, Copy)]
pub enum RowRef {
    /// A row `r` of the table of resources.
    Resource,
    /// A candidate, a row of the source of a search.
    Candidate {
        /// The name of the candidate in SQL.
        name: &'static str,
        resource_type: ResourceType,
    },
}

struct SortKeyOf(RowRef);

impl SqlPart for SortKeyOf {
    fn put(self, sql: &mut Sql) {
        match self.0 {
            RowRef::Resource => write_sql!(sql, "r.sort"),
            RowRef::Candidate { name, .. } => write_sql!(sql, name, ".sort"),
        }
    }
}

/// A column of the resource of a row, other than its id.
#[derive(Clone, Copy)]
struct ColumnOf(&'static str, RowRef);

impl SqlPart for ColumnOf {
    fn put(self, sql: &mut Sql) {
        match self.1 {
            RowRef::Resource => write_sql!(sql, "r.", self.0),
            RowRef::Candidate { name, resource_type } => write_lookup(self.0, name, resource_type, sql),
        }
    }
}

/// Writes a nested SELECT for an expression over the resource of a candidate of that type.
pub fn write_lookup(expression: &str, candidate: &str, resource_type: ResourceType, sql: &mut Sql) {
    write_sql!(sql, "(SELECT ", expression, " FROM resource o WHERE o.type = '", resource_type);
    write_sql!(sql, "' AND o.id = substr(", candidate, ".sort, ", ID_AT, "))");
}

/// A condition for a part of a clause. At least one of its alternatives must hold.
enum Alternative<'a> {
    /// The resource has a value of the parameter.
    Known,
    /// The fact has one of these keys. Either all of the keys have a rest, or none has.
    Keys(Vec<&'a KeyMatch>),
    /// The fact has a key in one of these ranges.
    Ranges(&'a [KeyRange]),
}

/// Writes the condition that a row of that type satisfies a clause: a fact does or, for a negated clause, none does.
pub fn write_clause(clause: &Clause, row: RowRef, sql: &mut Sql) {
    write_sql!(sql, if clause.negated { "NOT " } else { "" });
    let parts: Vec<_> = clause.parts().map(|(param, any)| Part { param, any }).collect();
    sql.join(&parts, "OR", &mut |sql, part| match part.param.kind.index_form() {
        IndexForm::Id if part.any.iter().any(Criterion::is_presence) => write_sql!(sql, "1"),
        IndexForm::Id => {
            let ids = sql.list(part.any.iter().filter_map(Criterion::as_id).map(Id::as_str));
            write_sql!(sql, "substr(", SortKeyOf(row), ", ", ID_AT, ")", InList(ids));
        }
        IndexForm::Time => write_in_time(*part, row, sql),
        // The row has the patient. A clause on the patient can only be about presence.
        IndexForm::Keys if part.param.name == "patient" => write_sql!(sql, ColumnOf("patient", row), " <> ''"),
        IndexForm::Keys => write_has_fact(*part, row, sql),
    });
}

/// A parameter of a clause, with the criteria of which a value must satisfy one.
#[derive(Clone, Copy)]
struct Part<'a> {
    param: &'static Param,
    any: &'a [Criterion],
}

/// Writes the condition that a row has a fact that satisfies a part of a clause, other than one on ids or dates.
fn write_has_fact(part: Part<'_>, row: RowRef, sql: &mut Sql) {
    let (mut keys, mut ranges) = (Vec::new(), Vec::new());
    for lookup in part.any.iter().flat_map(Criterion::lookups) {
        match lookup {
            Lookup::Key(key) => keys.push(key),
            Lookup::Range(range) => ranges.push(range),
        }
    }
    let (whole, by_value): (Vec<_>, Vec<_>) = keys.iter().partition(|key| key.rest.is_some());
    let mut alternatives = Vec::new();
    if part.any.iter().any(Criterion::is_presence) {
        alternatives.push(Alternative::Known);
    }
    alternatives.extend([whole, by_value].into_iter().filter(|keys| !keys.is_empty()).map(Alternative::Keys));
    if !ranges.is_empty() {
        alternatives.push(Alternative::Ranges(&ranges));
    }
    if alternatives.is_empty() {
        write_sql!(sql, "0");
    }
    sql.join(&alternatives, "OR", &mut |sql, alternative| match alternative {
        Alternative::Known => {
            write_with_params(row, sql, &mut |sql, params| write_sql!(sql, Known(params, part.param)));
        }
        Alternative::Keys(keys) => write_has_key(part.param, keys, row, sql),
        // A range over all resources of a type is read once, not again for each row. The unary plus keeps SQLite from
        // looking up candidates by the range.
        Alternative::Ranges(ranges) => {
            write_sql!(sql, "+", SortKeyOf(row), " IN (");
            write_facts_in(part.param.id, ranges, sql);
            write_sql!(sql, ")");
        }
    });
}

/// Writes the condition that a row has one of these keys. Either all of the keys have a rest, or none has.
fn write_has_key(param: &Param, keys: &[&KeyMatch], row: RowRef, sql: &mut Sql) {
    const REST: &str = "f.value || char(31) || f.rest";
    write_sql!(sql, "EXISTS (SELECT 1 FROM fact f WHERE f.param = ", param.id, " AND f.value");
    if let [key] = keys {
        let value = sql.bind(&key.value);
        write_sql!(sql, " = ", value);
        if let Some(rest) = &key.rest {
            let rest = sql.bind(rest);
            write_sql!(sql, " AND f.rest = ", rest);
        }
    } else {
        let values = sql.list(keys.iter().map(|key| &key.value));
        write_sql!(sql, InList(values));
        let whole = keys.iter().filter_map(|key| Some(format!("{}\u{1f}{}", key.value, key.rest.as_ref()?)));
        let whole: Vec<_> = whole.collect();
        if !whole.is_empty() {
            let whole = sql.list(whole);
            write_sql!(sql, " AND ", REST, InList(whole));
        }
    }
    write_sql!(sql, " AND f.sort = ", SortKeyOf(row), ")");
}

/// The array of a parameter in the column `params` of the resource with that name. Null if there is no value.
struct Known<'a>(&'static str, &'a Param);

impl SqlPart for Known<'_> {
    fn put(self, sql: &mut Sql) {
        write_sql!(sql, self.0, ".params -> '$.\"", self.1.id, "\"' IS NOT NULL");
    }
}

/// A code of a date in the same array: 0 for its start, 2 for its end.
#[derive(Clone, Copy)]
struct TimeCode<'a>(&'static str, &'a Param, usize);

impl SqlPart for TimeCode<'_> {
    fn put(self, sql: &mut Sql) {
        write_sql!(sql, self.0, ".params ->> '$.\"", self.1.id, "\"[", self.2, "]'");
    }
}

/// Writes a condition on the resource of a row. The condition gets the resource's name in SQL.
fn write_with_params(row: RowRef, sql: &mut Sql, condition: &mut dyn FnMut(&mut Sql, &'static str)) {
    match row {
        RowRef::Resource => condition(sql, "r"),
        RowRef::Candidate { name, resource_type } => {
            write_sql!(sql, "EXISTS (SELECT 1 FROM resource o WHERE o.type = '", resource_type);
            write_sql!(sql, "' AND o.id = substr(", name, ".sort, ", ID_AT, ") AND ");
            condition(sql, "o");
            write_sql!(sql, ")");
        }
    }
}

/// Writes the condition that the date of a row satisfies a part of a clause. The start of the clinical date is in the
/// sort key; any other time is in the row of the resource.
fn write_in_time(part: Part<'_>, row: RowRef, sql: &mut Sql) {
    let windows: Vec<_> = part.any.iter().filter_map(Criterion::window).collect();
    if windows.is_empty() {
        return write_sql!(sql, "0");
    }
    if part.param.clinical && windows.iter().all(|window| window.after.is_none() && window.by.is_none()) {
        write_sql!(sql, "(", SortKeyOf(row), " < '", UNDATED, "' AND ");
        sql.join(&windows, "OR", &mut |sql, window| write_starts_in(window, row, sql));
        return write_sql!(sql, ")");
    }
    write_with_params(row, sql, &mut |sql, name| {
        let [start, end] = [0, 2].map(|code| TimeCode(name, part.param, code));
        write_sql!(sql, "(", start, " IS NOT NULL AND ");
        if windows.len() <= MAX_WRITTEN {
            sql.join(&windows, "OR", &mut |sql, window| write_in_window(window, start, end, sql));
        } else {
            write_in_windows(&windows, start, end, sql);
        }
        write_sql!(sql, ")");
    });
}

/// Returns the comparisons of a start and an end with a window: the operator, and the coded time if it is bounded.
fn comparisons(window: &DateWindow) -> [(&'static str, Option<String>); 4] {
    let code = |time: Option<Micros>| time.map(|time| oldest_first(Some(time)));
    let DateWindow { from, before, after, by } = *window;
    [(" >= ", code(from)), (" < ", code(before)), (" > ", code(after)), (" <= ", code(by))]
}

fn write_in_window(window: &DateWindow, start: TimeCode<'_>, end: TimeCode<'_>, sql: &mut Sql) {
    let comparisons = comparisons(window).into_iter().zip([start, start, end, end]);
    let comparisons: Vec<_> = comparisons.filter_map(|((than, code), time)| Some((time, than, code?))).collect();
    if comparisons.is_empty() {
        write_sql!(sql, "1");
    }
    sql.join(&comparisons, "AND", &mut |sql, (time, than, code)| {
        let code = sql.bind(code);
        write_sql!(sql, *time, *than, code);
    });
}

fn write_in_windows(windows: &[DateWindow], start: TimeCode<'_>, end: TimeCode<'_>, sql: &mut Sql) {
    let codes: Vec<_> = windows.iter().map(|window| comparisons(window).map(|(_, code)| code)).collect();
    let list = sql.bind(&json(&codes));
    write_sql!(sql, "EXISTS (SELECT 1 FROM json_each(", list, ") w WHERE ");
    for (at, ((than, _), time)) in comparisons(&DateWindow::default()).iter().zip([start, start, end, end]).enumerate()
    {
        write_sql!(sql, if at == 0 { "" } else { " AND " });
        write_sql!(sql, "(w.value ->> ", at, " IS NULL OR ", time, *than, "w.value ->> ", at, ")");
    }
    write_sql!(sql, ")");
}

/// Writes the condition that the time in the sort key of a row is in a window.
fn write_starts_in(window: &DateWindow, row: RowRef, sql: &mut Sql) {
    let mut before = "(";
    for (than, time) in [(" < ", window.from), (" > ", window.before)] {
        if let Some(time) = time {
            let sort_key = sql.bind(&sort_key_at(time));
            write_sql!(sql, before, SortKeyOf(row), than, sort_key);
            before = " AND ";
        }
    }
    write_sql!(sql, if before == "(" { "1" } else { ")" });
}

/// The patients whom an access rule reaches.
enum RulePatients<'a> {
    All,
    One(&'a Id),
    These(&'a BTreeSet<Id>),
    AllBut(&'a BTreeSet<Id>),
}

impl<'a> RulePatients<'a> {
    fn of(rule: &'a AccessRule, access_lists: &'a AccessLists) -> Self {
        const NONE: &BTreeSet<Id> = &BTreeSet::new();
        match &rule.patients {
            PatientSet::All => Self::All,
            PatientSet::One(patient) => Self::One(patient),
            PatientSet::AccessList(name) => match access_lists.get(name).map(AsRef::as_ref) {
                Some(AccessList::All) => Self::All,
                Some(AccessList::These(patients)) => Self::These(patients),
                Some(AccessList::AllBut(others)) => Self::AllBut(others),
                None => Self::These(NONE),
            },
            // Rows are of the directory or of patients' records: no such rule is for their types.
            PatientSet::Nobody => Self::These(NONE),
        }
    }
}

/// Returns whether the access rules open all rows.
pub fn opens_all(rules: &[AccessRule], access_lists: &AccessLists) -> bool {
    rules.iter().any(|rule| rule.only.is_empty() && matches!(RulePatients::of(rule, access_lists), RulePatients::All))
}

/// Writes the condition that one of the access rules opens the row. It must not be called if they open all rows
/// ([`opens_all`]), because D1 refuses unused binds.
pub fn write_opened(
    rules: &[AccessRule],
    access_lists: &AccessLists,
    resource_type: ResourceType,
    row: RowRef,
    sql: &mut Sql,
) {
    debug_assert!(!is_directory(resource_type) || rules.iter().all(|rule| rule.patients == PatientSet::All));
    if rules.is_empty() {
        write_sql!(sql, "0");
    }
    sql.join(rules, "OR", &mut |sql, rule| {
        write_sql!(sql, "(");
        let mut and = " AND ";
        match RulePatients::of(rule, access_lists) {
            RulePatients::All => and = "",
            RulePatients::One(patient) => {
                write_owner(row, sql);
                let patient = sql.bind(patient.as_str());
                write_sql!(sql, " = ", patient);
            }
            RulePatients::These(patients) => write_among(patients, row, sql),
            RulePatients::AllBut(others) => write_outside(others, row, sql),
        }
        if !rule.only.is_empty() {
            write_sql!(sql, and);
            sql.join(&rule.only, "AND", &mut |sql, clause| write_clause(clause, row, sql));
        }
        write_sql!(sql, ")");
    });
}

/// Writes the one patient to whom the row belongs. A Patient belongs to itself.
fn write_owner(row: RowRef, sql: &mut Sql) {
    match row {
        RowRef::Candidate { name, resource_type: ResourceType::Patient } => {
            write_sql!(sql, "substr(", name, ".sort, ", ID_AT, ")");
        }
        RowRef::Resource | RowRef::Candidate { .. } => write_sql!(sql, ColumnOf("patient", row)),
    }
}

/// Writes the condition that a row belongs to no patient of this set.
fn write_outside(others: &BTreeSet<Id>, row: RowRef, sql: &mut Sql) {
    let others = sql.list(others.iter().map(Id::as_str));
    write_sql!(sql, "(");
    write_owner(row, sql);
    write_sql!(sql, " IS NULL OR ");
    write_owner(row, sql);
    write_sql!(sql, " NOT", InList(others), ")");
    // A Patient belongs to one patient.
    if !matches!(row, RowRef::Candidate { resource_type: ResourceType::Patient, .. }) {
        let owners = ColumnOf("owners", row);
        write_sql!(sql, " AND (", owners, " IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(", owners, ") o ");
        write_sql!(sql, "WHERE o.value", InList(others), "))");
    }
}

/// Writes the condition that a row belongs to at least one patient, and to none outside this set.
fn write_among(patients: &BTreeSet<Id>, row: RowRef, sql: &mut Sql) {
    let patients = sql.list(patients.iter().map(Id::as_str));
    write_sql!(sql, "(");
    write_owner(row, sql);
    write_sql!(sql, InList(patients));
    // A Patient belongs to one patient.
    if !matches!(row, RowRef::Candidate { resource_type: ResourceType::Patient, .. }) {
        let owners = ColumnOf("owners", row);
        write_sql!(sql, " OR (", owners, " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(", owners, ") o ");
        write_sql!(sql, "WHERE o.value NOT", InList(patients), "))");
    }
    write_sql!(sql, ")");
}
