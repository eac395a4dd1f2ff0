//! Lowering permitted questions to SQL. FHIR's meaning is in the criteria, and permission in the access rules; nothing
//! is decided here.
//!
//! A search consists of a source of candidates in order (`source.rs`), the remaining conditions (`permit.rs`), and a
//! limit. Bodies are read by key, for the page alone, and written as entries.

use super::Statement;
use super::permit::{CompartmentOf, RowRef, is_whole, looked_up, opened, satisfies};
use super::source::{CandidateSource, in_window};
use super::text::{ID_AT, In, Sql, write_sql};
use crate::fhir::{Frame, Id, Reference, ResourceType};
use crate::search::{Clause, Include, Query, SortKey, SortRule, Total, UNDATED};
use crate::smart::{AccessRule, PatientSet, Permitted, is_directory};

/// The owner of a resource `o`: a JSON array, or the one patient.
const OWNER: &str = "coalesce(o.owners, o.patient)";

/// The statements of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lowered<'a> {
    /// `place`, `entry`: the matches of the page, and one more if there is one.
    pub page: Option<Statement>,
    /// The owners of the matches.
    pub owner: RowOwner<'a>,
    /// `total`: the number of matches.
    pub count: Option<Statement>,
    /// The includes of the page, one statement for each followed parameter.
    pub includes: Vec<Included<'a>>,
}

/// The resources that one parameter includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Included<'a> {
    /// `entry`, null if the grant does not open it.
    pub statement: Statement,
    /// The owners of the resources.
    pub owner: RowOwner<'a>,
}

/// The owners of the rows of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOwner<'a> {
    /// None, because the rows are outside of every compartment.
    None,
    /// This patient, according to the query or the grant.
    Patient(&'a Id),
    /// The patients whose ids are in the column `owner`.
    Column,
}

impl<'a> RowOwner<'a> {
    /// The owners of resources of a type that these access rules open.
    fn of(kind: ResourceType, rules: &'a [AccessRule]) -> Self {
        if is_directory(kind) {
            return Self::None;
        }
        // All patient scopes are for the patient of the token.
        match rules {
            [AccessRule { patients: PatientSet::One(patient), .. }, others @ ..]
                if others.iter().all(|other| matches!(other.patients, PatientSet::One(_))) =>
            {
                Self::Patient(patient)
            }
            _ => Self::Column,
        }
    }
}

/// Lowers a search whose entries have URLs below `base` and whose page begins after the position `after`.
#[must_use]
pub fn lower<'a>(ask: &'a Permitted<Query>, base: &'a str, after: Option<&'a str>) -> Lowered<'a> {
    let query = ask.question();
    let search = Search { ask, query, source: CandidateSource::of(ask), base, after };
    let (paged, counted) = (!query.count_only, query.count_only || query.total == Total::Accurate);
    let mut includes = Vec::new();
    if paged {
        for group in ask.include_groups() {
            includes.extend(search.included(&group));
        }
    }
    let owner = search.owner();
    Lowered {
        page: if paged { Some(search.page(owner)) } else { None },
        owner,
        count: if counted { Some(search.count()) } else { None },
        includes,
    }
}

/// Lowers a read by id to a statement for `entry`, `version` and `modified`, with the owner of the resource.
#[must_use]
pub fn lower_read(ask: &Permitted<Reference>) -> (Statement, RowOwner<'_>) {
    let mut sql = Sql::new();
    let Reference { kind, id } = ask.question();
    let owner = if *kind == ResourceType::Patient { RowOwner::Patient(id) } else { RowOwner::of(*kind, ask.rules()) };
    let id = sql.bind(id.as_str());
    write_sql!(&mut sql, "SELECT r.body AS entry, r.version, r.modified");
    if owner == RowOwner::Column {
        write_sql!(&mut sql, ", coalesce(r.owners, r.patient) AS owner");
    }
    write_sql!(&mut sql, " FROM resource r WHERE r.type = '", *kind, "' AND r.id = ", id);
    and_opened(ask.rules(), *kind, &mut sql);
    (sql.finish(), owner)
}

/// Appends the condition that the rules open the resource `r`.
fn and_opened(rules: &[AccessRule], kind: ResourceType, sql: &mut Sql) {
    if !is_whole(rules, None) {
        write_sql!(sql, " AND ");
        opened(rules, kind, RowRef::Resource, None, sql);
    }
}

/// Writes the resource `r` as an entry.
fn framed(frame: &Frame, sql: &mut Sql) {
    let (open, middle, close) = (sql.bind(&frame.open), sql.bind(frame.middle), sql.bind(frame.close));
    write_sql!(sql, open, " || r.id || ", middle, " || r.body || ", close);
}

struct Search<'a> {
    ask: &'a Permitted<Query>,
    query: &'a Query,
    source: CandidateSource<'a>,
    base: &'a str,
    after: Option<&'a str>,
}

/// A condition on candidates, beside the source.
enum Condition<'a> {
    /// A clause on the clinical date.
    DateWindow(&'a Clause),
    /// Another clause.
    Fact(&'a Clause),
    /// A clause that candidates with unsure keys may not satisfy.
    Unsure(&'a Clause),
    /// One of the access rules.
    Opened,
    /// The compartment is one of those of the search.
    InCompartments,
    /// The sort key is behind this one.
    After(&'a str),
}

impl<'a> Search<'a> {
    /// The owners of the matches.
    fn owner(&self) -> RowOwner<'a> {
        match (self.source.sole_patient(), self.query.patients.as_deref()) {
            (Some(_), Some([patient])) => RowOwner::Patient(patient),
            _ => RowOwner::of(self.query.on, self.ask.rules()),
        }
    }

    fn page(&self, owner: RowOwner<'_>) -> Statement {
        let mut sql = Sql::new();
        write_sql!(&mut sql, "SELECT h.place, (SELECT ");
        framed(&Frame::matched(self.base, self.query.on), &mut sql);
        write_sql!(&mut sql, " FROM resource r WHERE r.type = '", self.query.on);
        write_sql!(&mut sql, "' AND r.id = substr(h.sort, ", ID_AT, ")) AS entry");
        if owner == RowOwner::Column {
            self.owner_column(&mut sql);
        }
        write_sql!(&mut sql, " FROM (");
        self.places(self.query.count + 1, &mut sql);
        write_sql!(&mut sql, ") h");
        sql.finish()
    }

    /// Writes the column `owner` of the candidate `h`. The owner is looked up if it follows neither from the id nor
    /// from the compartment, as in the common one.
    fn owner_column(&self, sql: &mut Sql) {
        let kind = self.query.on;
        write_sql!(sql, ", ");
        if kind == ResourceType::Patient {
            write_sql!(sql, "substr(h.sort, ", ID_AT, ")");
        } else {
            let own_compartment = self.source.is_own_compartment();
            write_sql!(sql, if own_compartment { "CASE h.comp WHEN '' THEN " } else { "" });
            looked_up(OWNER, "h", kind, sql);
            write_sql!(sql, if own_compartment { " ELSE h.comp END" } else { "" });
        }
        write_sql!(sql, " AS owner");
    }

    fn count(&self) -> Statement {
        let mut sql = Sql::new();
        write_sql!(&mut sql, "SELECT count(*) AS total FROM (SELECT DISTINCT s.sort FROM ");
        self.hits(None, &mut sql);
        write_sql!(&mut sql, ")");
        sql.finish()
    }

    /// The statement for the resources that one parameter includes, each once, in the order of references.
    fn included(&self, group: &[&'a (Include, Vec<AccessRule>)]) -> Option<Included<'a>> {
        let (first, _) = group.first()?;
        let (param, kind) = (first.param, self.query.on);
        let mut owner = None;
        for (include, rules) in group {
            let own = RowOwner::of(include.added_type(kind), rules);
            // The owner that all have in common, or the column.
            owner = Some(if owner.is_none_or(|other| other == own) { own } else { RowOwner::Column });
        }
        let owner = owner?;
        let mut sql = Sql::new();
        write_sql!(&mut sql, "SELECT CASE substr(i.target, 1, instr(i.target, '/') - 1)");
        // A resource that is not opened is null. A subquery by key reads one row; a join would read two.
        for (include, rules) in group {
            let brought = include.added_type(kind);
            write_sql!(&mut sql, " WHEN '", brought, "' THEN (SELECT ");
            framed(&Frame::included(self.base, brought), &mut sql);
            write_sql!(&mut sql, " FROM resource r WHERE r.type = '", brought);
            write_sql!(&mut sql, "' AND r.id = substr(i.target, ", brought.name().len() + 2, ")");
            and_opened(rules, brought, &mut sql);
            write_sql!(&mut sql, ")");
        }
        write_sql!(&mut sql, " END AS entry");
        if owner == RowOwner::Column {
            write_sql!(&mut sql, ", (SELECT ", OWNER, " FROM resource o ");
            write_sql!(&mut sql, "WHERE o.type = substr(i.target, 1, instr(i.target, '/') - 1) ");
            write_sql!(&mut sql, "AND o.id = substr(i.target, instr(i.target, '/') + 1)) AS owner");
        }
        write_sql!(&mut sql, " FROM (SELECT DISTINCT ");
        // The matches of the page, without the further one that tells that there are more.
        let places = |sql: &mut Sql| self.places(self.query.count, sql);
        if param.on == kind {
            write_sql!(&mut sql, "l.target FROM (");
            places(&mut sql);
            write_sql!(&mut sql, ") h CROSS JOIN link l WHERE l.type = '", kind);
            write_sql!(&mut sql, "' AND l.id = substr(h.sort, ", ID_AT, ") AND l.param = ", param.id);
        } else {
            write_sql!(&mut sql, "'", param.on, "/' || substr(f.sort, ", ID_AT, ") AS target FROM (");
            places(&mut sql);
            write_sql!(&mut sql, ") h CROSS JOIN fact f WHERE f.comp = rtrim(", CompartmentOf(self.row("h")), ", '~')");
            write_sql!(&mut sql, " AND f.param = ", param.id);
            write_sql!(&mut sql, " AND f.value = '", kind, "/' || substr(h.sort, ", ID_AT, ")");
        }
        write_sql!(&mut sql, ") i ORDER BY i.target");
        Some(Included { statement: sql.finish(), owner })
    }

    /// Writes the position, sort key and compartment of at most `limit` matches after the position `after`, in order.
    fn places(&self, limit: usize, sql: &mut Sql) {
        if !self.query.sort.is_empty() {
            return self.sorted(limit, sql);
        }
        write_sql!(sql, "SELECT DISTINCT s.sort AS place, s.sort, s.comp FROM ");
        self.hits(self.after, sql);
        write_sql!(sql, if self.source.is_ordered() { "" } else { " ORDER BY s.sort" }, " LIMIT ", limit);
    }

    /// The same with `_sort`: all matches are gathered and sorted.
    fn sorted(&self, limit: usize, sql: &mut Sql) {
        let (keys, descending) = self.query.sort_keys();
        let width = keys.len() * SortKey::ID_AT;
        write_sql!(sql, "SELECT p.place, p.sort, p.comp FROM (SELECT ");
        for key in keys {
            self.sort_code(key, sql);
            write_sql!(sql, " || ");
        }
        write_sql!(
            sql,
            "substr(m.sort, ",
            ID_AT,
            ") AS place, m.sort, m.comp FROM (SELECT DISTINCT s.sort, s.comp FROM "
        );
        self.hits(None, sql);
        write_sql!(sql, ") m) p");
        if let Some(after) = self.after {
            let (after_key, after_id) = after.split_at_checked(width).unwrap_or((after, ""));
            let (after_key, after_id) = (sql.bind(after_key), sql.bind(after_id));
            write_sql!(sql, " WHERE substr(p.place, 1, ", width, ") > ", after_key);
            write_sql!(sql, " OR (substr(p.place, 1, ", width, ") = ", after_key, " AND substr(p.place, ", width + 1);
            write_sql!(sql, if descending { ") < " } else { ") > " }, after_id, ")");
        }
        write_sql!(sql, " ORDER BY substr(p.place, 1, ", width, "), substr(p.place, ", width + 1, ")");
        write_sql!(sql, if descending { " DESC" } else { "" }, " LIMIT ", limit);
    }

    /// Writes the coded time of one sort rule. Rows hold those of the earliest and of the latest start.
    fn sort_code(&self, key: SortRule, sql: &mut Sql) {
        let path = sql.bind(&format!("$.\"{}\"[{}]", key.param.id.number(), u8::from(key.descending)));
        let undated = sql.bind(UNDATED);
        write_sql!(sql, "coalesce((SELECT r.starts ->> ", path, " FROM resource r WHERE r.type = '", self.query.on);
        write_sql!(sql, "' AND r.id = substr(m.sort, ", ID_AT, ")), ", undated, ")");
    }

    /// Writes `(<source>) s WHERE <conditions>`: the matches, in the order of the source.
    fn hits(&self, after: Option<&str>, sql: &mut Sql) {
        write_sql!(sql, "(");
        self.source.write(after, sql);
        write_sql!(sql, ") s");
        let conditions = self.conditions(after);
        if conditions.is_empty() {
            return;
        }
        write_sql!(sql, " WHERE ");
        let row = self.row("s");
        sql.join(&conditions, "AND", &mut |sql, condition| match condition {
            Condition::DateWindow(clause) => {
                write_sql!(sql, if clause.negated { "NOT " } else { "" });
                in_window(clause, "s", sql);
            }
            Condition::Fact(clause) => satisfies(clause, row, self.query.on, sql),
            Condition::Unsure(clause) => {
                write_sql!(sql, "(s.sure OR ");
                satisfies(clause, row, self.query.on, sql);
                write_sql!(sql, ")");
            }
            Condition::Opened => opened(self.ask.rules(), self.query.on, row, self.source.sole_patient(), sql),
            Condition::InCompartments => {
                let compartments = sql.list(self.source.compartments());
                write_sql!(sql, CompartmentOf(row), In(compartments));
            }
            Condition::After(after) => {
                let after = sql.bind(after);
                write_sql!(sql, "s.sort > ", after);
            }
        });
    }

    fn conditions<'c>(&'c self, after: Option<&'c str>) -> Vec<Condition<'c>> {
        let mut conditions = Vec::new();
        for (at, clause) in self.query.all.iter().enumerate() {
            if clause.param.clinical && self.source.has_clinical_till() {
                conditions.push(Condition::DateWindow(clause));
            } else if self.source.answers_where_sure(at) {
                conditions.push(Condition::Unsure(clause));
            } else if !self.source.answers(at) {
                conditions.push(Condition::Fact(clause));
            }
        }
        if !is_whole(self.ask.rules(), self.source.sole_patient()) {
            conditions.push(Condition::Opened);
        }
        if self.source.is_beside() && self.query.patients.is_some() {
            conditions.push(Condition::InCompartments);
        }
        if let Some(after) = after.filter(|_| !self.source.is_ordered()) {
            conditions.push(Condition::After(after));
        }
        conditions
    }

    /// A candidate of the search, by its name in SQL.
    fn row(&self, name: &'static str) -> RowRef {
        RowRef::Place { name, kind: self.query.on, in_own_compartment: self.source.is_own_compartment() }
    }
}
