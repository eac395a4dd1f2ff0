//! Conditions on one place or resource: that it satisfies a clause, and that a grant opens it.

use super::super::spell::{Range, exact, ranges};
use super::source::{IN_LISTED, MAX_WRITTEN, in_window, listed};
use super::text::{ID_AT, In, Part, Sql, write_sql};
use crate::fhir::{ResourceType, json};
use crate::search::{Clause, Kind, Slot};
use crate::smart::{Opening, Reach, is_directory};

/// What conditions are about.
#[derive(Debug, Clone, Copy)]
pub enum Row {
    /// A row `r` of the table of resources.
    Resource,
    /// A place of that name, of a resource of that type.
    Place {
        /// What SQL calls it.
        name: &'static str,
        /// Its type.
        kind: ResourceType,
        /// Whether it stands in the lane of its own facts: else that lane is looked up.
        in_own_lane: bool,
    },
}

/// The lane of a row's facts.
#[derive(Debug, Clone, Copy)]
pub struct Lane(pub Row);

impl Part for Lane {
    fn put(self, sql: &mut Sql) {
        match self.0 {
            Row::Resource => write_sql!(sql, "r.patient"),
            Row::Place { name, in_own_lane: true, .. } => write_sql!(sql, name, ".lane"),
            // A patient is in a lane of that patient's own.
            Row::Place { name, kind: ResourceType::Patient, .. } => {
                write_sql!(sql, "substr(", name, ".rank, ", ID_AT, ")");
            }
            Row::Place { name, kind, .. } => looked_up("o.patient", name, kind, sql),
        }
    }
}

/// A row's rank.
struct RankOf(Row);

impl Part for RankOf {
    fn put(self, sql: &mut Sql) {
        match self.0 {
            Row::Resource => write_sql!(sql, "r.rank"),
            Row::Place { name, .. } => write_sql!(sql, name, ".rank"),
        }
    }
}

/// The patients that a row belongs to, where they are several: a JSON array, or null.
#[derive(Clone, Copy)]
struct Owners(Row);

impl Part for Owners {
    fn put(self, sql: &mut Sql) {
        match self.0 {
            Row::Resource => write_sql!(sql, "r.owners"),
            Row::Place { name, kind, .. } => looked_up("o.owners", name, kind, sql),
        }
    }
}

/// Writes a column of the resource `o` that is of that type and at that place.
pub fn looked_up(column: &str, place: &str, kind: ResourceType, sql: &mut Sql) {
    write_sql!(sql, "(SELECT ", column, " FROM resource o WHERE o.type = '", kind);
    write_sql!(sql, "' AND o.id = substr(", place, ".rank, ", ID_AT, "))");
}

/// Writes that a row of that type satisfies a clause: that there is a fact for it.
pub fn satisfies(clause: &Clause, row: Row, kind: ResourceType, sql: &mut Sql) {
    let exact: Option<Vec<_>> = clause.any.iter().map(exact).collect();
    if clause.param.kind == Kind::Id {
        let ids = sql.list(exact.iter().flatten());
        return write_sql!(sql, "substr(", RankOf(row), ", ", ID_AT, ")", In(ids));
    }
    let slot = if clause.param.clinical { Slot::everything(kind) } else { clause.param.slot };
    let ranges: Vec<_> = match exact {
        None if !clause.param.clinical => clause.any.iter().flat_map(|criterion| ranges(criterion, "")).collect(),
        Some(_) | None => Vec::new(),
    };
    // A range of all resources of a type is looked through once, not for each row again.
    let is_once = !ranges.is_empty() && is_directory(kind);
    if is_once {
        write_sql!(sql, RankOf(row), " IN (SELECT f.rank FROM ");
    } else {
        write_sql!(sql, "EXISTS (SELECT 1 FROM ");
    }
    if ranges.len() > MAX_WRITTEN {
        let list: Vec<_> = ranges.iter().map(|range| listed("", range)).collect();
        let list = sql.bind(&json(&list));
        write_sql!(sql, "json_each(", list, ") j CROSS JOIN ");
    }
    write_sql!(sql, "fact f WHERE f.lane = ");
    if is_once {
        write_sql!(sql, "''");
    } else {
        write_sql!(sql, Lane(row));
    }
    write_sql!(sql, " AND f.slot = ", slot, " AND ");
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
    write_sql!(sql, " AND f.rank = ", RankOf(row), ")");
}

fn within(range: &Range, sql: &mut Sql) {
    let (from, until) = (sql.bind(&range.from), sql.bind(&range.until));
    write_sql!(sql, "(f.value >= ", from, " AND f.value < ", until);
    for (condition, time) in [(" AND f.till > ", range.after), (" AND f.till <= ", range.by)] {
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

/// Whether the openings open all rows. `sole` is the one patient whom they belong to, where that is known.
pub fn is_whole(openings: &[Opening], sole: Option<&str>) -> bool {
    openings.iter().any(|opening| {
        opening.only.is_empty()
            && match &opening.reach {
                Reach::All => true,
                Reach::One(patient) => sole == Some(patient.as_str()),
                Reach::Roster(_) => false,
            }
    })
}

/// Writes that one of the openings opens the row, of which not all are opened ([`is_whole`]): what is bound for nothing, D1
/// refuses.
pub fn opened(openings: &[Opening], kind: ResourceType, row: Row, sole: Option<&str>, sql: &mut Sql) {
    debug_assert!(!is_directory(kind) || openings.iter().all(|opening| opening.reach == Reach::All));
    if openings.is_empty() {
        write_sql!(sql, "0");
    }
    sql.join(openings, "OR", &mut |sql, Opening { reach, only }| {
        write_sql!(sql, "(");
        let mut and = "";
        match reach {
            Reach::All => {}
            Reach::One(patient) if sole == Some(patient.as_str()) => {}
            Reach::One(patient) => {
                owner(row, sole, sql);
                let patient = sql.bind(patient.as_str());
                write_sql!(sql, " = ", patient);
                and = " AND ";
            }
            Reach::Roster(user) => {
                on_roster(user, row, sole, sql);
                and = " AND ";
            }
        }
        if !only.is_empty() {
            write_sql!(sql, and);
            sql.join(only, "AND", &mut |sql, clause| satisfies(clause, row, kind, sql));
        }
        write_sql!(sql, ")");
    });
}

/// The one patient that the row belongs to. The long lane of a patient is that patient's too.
fn owner(row: Row, sole: Option<&str>, sql: &mut Sql) {
    match sole {
        Some(patient) => {
            let patient = sql.bind(patient);
            write_sql!(sql, patient);
        }
        None => write_sql!(sql, "rtrim(", Lane(row), ", '~')"),
    }
}

/// That a user may see the row: as one who may see all, which is asked once, or as one who may see each patient that it
/// belongs to.
fn on_roster(user: &str, row: Row, sole: Option<&str>, sql: &mut Sql) {
    let user = sql.bind(user);
    let listed = "EXISTS (SELECT 1 FROM access a WHERE a.user = ";
    write_sql!(sql, "(", listed, user, " AND a.patient = '*') OR ", listed, user, " AND a.patient = nullif(");
    owner(row, sole, sql);
    write_sql!(sql, ", ''))");
    // A patient belongs to one.
    if sole.is_none() && !matches!(row, Row::Place { kind: ResourceType::Patient, .. }) {
        let owners = Owners(row);
        write_sql!(sql, " OR (", owners, " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(", owners, ") o ");
        write_sql!(
            sql,
            "WHERE NOT EXISTS (SELECT 1 FROM access a WHERE a.user = ",
            user,
            " AND a.patient = o.value)))"
        );
    }
    write_sql!(sql, ")");
}
