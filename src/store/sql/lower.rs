//! A permitted question as SQL. Nothing here decides: FHIR's meaning is in the criteria, permission in the openings.
//!
//! A search is a source of places in order (`source.rs`), the conditions that are left (`permit.rs`), and a limit. Bodies
//! are fetched for the page alone, by key, and come framed as entries.

use super::Statement;
use super::permit::{Lane, Row, is_whole, opened, satisfies};
use super::source::{Source, in_window};
use super::text::{ID_AT, In, Sql, write_sql};
use crate::fhir::{Frame, Reference, ResourceType};
use crate::search::{Clause, Include, Query, Rank, SortKey, Total, UNDATED};
use crate::smart::{Opening, Permitted};

/// The statements of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lowered {
    /// `place`, `entry`: the page, and one match more where there is one.
    pub page: Option<Statement>,
    /// `total`: the number of matches.
    pub count: Option<Statement>,
    /// `entry`: what the page includes, one statement for each parameter that is followed.
    pub includes: Vec<Statement>,
}

/// A search, whose entries are addressed under `base` and whose page begins behind the place `after`.
#[must_use]
pub fn lower(ask: &Permitted<Query>, base: &str, after: Option<&str>) -> Lowered {
    let query = ask.ask();
    let search = Search { ask, query, source: Source::of(ask), base, after };
    let (paged, counted) = (!query.count_only, query.count_only || query.total == Total::Accurate);
    let mut includes = Vec::new();
    if paged {
        for group in ask.include_groups() {
            includes.extend(search.included(&group));
        }
    }
    Lowered {
        page: if paged { Some(search.page()) } else { None },
        count: if counted { Some(search.count()) } else { None },
        includes,
    }
}

/// A read by id: `entry`, `version`, `modified`.
#[must_use]
pub fn lower_read(ask: &Permitted<Reference>) -> Statement {
    let mut sql = Sql::new();
    let Reference { kind, id } = ask.ask();
    let id = sql.bind(id.as_str());
    write_sql!(&mut sql, "SELECT r.body AS entry, r.version, r.modified FROM resource r WHERE r.type = '", *kind);
    write_sql!(&mut sql, "' AND r.id = ", id);
    and_opened(ask.openings(), *kind, &mut sql);
    sql.finish()
}

/// Writes that the resource `r` is opened too.
fn and_opened(openings: &[Opening], kind: ResourceType, sql: &mut Sql) {
    if !is_whole(openings, None) {
        write_sql!(sql, " AND ");
        opened(openings, kind, Row::Resource, None, sql);
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
    source: Source<'a>,
    base: &'a str,
    after: Option<&'a str>,
}

/// What a place must satisfy beside its source.
enum Condition<'a> {
    /// A clause on the clinical date.
    Window(&'a Clause),
    /// Another clause.
    Fact(&'a Clause),
    /// One of the openings.
    Opened,
    /// That it stands in one of the lanes itself.
    InLanes,
    /// That it lies behind this rank.
    After(&'a str),
}

impl Search<'_> {
    fn page(&self) -> Statement {
        let mut sql = Sql::new();
        write_sql!(&mut sql, "SELECT h.place, (SELECT ");
        framed(&Frame::matched(self.base, self.query.on), &mut sql);
        write_sql!(&mut sql, " FROM resource r WHERE r.type = '", self.query.on);
        write_sql!(&mut sql, "' AND r.id = substr(h.rank, ", ID_AT, ")) AS entry FROM (");
        self.places(self.query.count + 1, &mut sql);
        write_sql!(&mut sql, ") h");
        sql.finish()
    }

    fn count(&self) -> Statement {
        let mut sql = Sql::new();
        write_sql!(&mut sql, "SELECT count(*) AS total FROM (SELECT DISTINCT s.rank FROM ");
        self.hits(None, &mut sql);
        write_sql!(&mut sql, ")");
        sql.finish()
    }

    /// What one parameter includes, each resource once, by its reference.
    fn included(&self, group: &[&(Include, Vec<Opening>)]) -> Option<Statement> {
        let (first, _) = group.first()?;
        let (param, kind) = (first.param, self.query.on);
        let mut sql = Sql::new();
        write_sql!(&mut sql, "SELECT CASE substr(i.target, 1, instr(i.target, '/') - 1)");
        // One that is not opened is null. A subquery by key reads one row; a join would read two.
        for (include, openings) in group {
            let brought = include.brings(kind);
            write_sql!(&mut sql, " WHEN '", brought, "' THEN (SELECT ");
            framed(&Frame::included(self.base, brought), &mut sql);
            write_sql!(&mut sql, " FROM resource r WHERE r.type = '", brought);
            write_sql!(&mut sql, "' AND r.id = substr(i.target, ", brought.name().len() + 2, ")");
            and_opened(openings, brought, &mut sql);
            write_sql!(&mut sql, ")");
        }
        write_sql!(&mut sql, " END AS entry FROM (SELECT DISTINCT ");
        // The page itself, without the match that only says that there are more.
        let places = |sql: &mut Sql| self.places(self.query.count, sql);
        if param.on == kind {
            write_sql!(&mut sql, "l.target FROM (");
            places(&mut sql);
            write_sql!(&mut sql, ") h CROSS JOIN link l WHERE l.type = '", kind);
            write_sql!(&mut sql, "' AND l.id = substr(h.rank, ", ID_AT, ") AND l.slot = ", param.slot);
        } else {
            write_sql!(&mut sql, "'", param.on, "/' || substr(f.rank, ", ID_AT, ") AS target FROM (");
            places(&mut sql);
            write_sql!(&mut sql, ") h CROSS JOIN fact f WHERE f.lane = rtrim(", Lane(self.row("h")), ", '~')");
            write_sql!(&mut sql, " AND f.slot = ", param.slot);
            write_sql!(&mut sql, " AND f.value = '", kind, "/' || substr(h.rank, ", ID_AT, ")");
        }
        write_sql!(&mut sql, ") i ORDER BY i.target");
        Some(sql.finish())
    }

    /// Writes `place`, `rank`, `lane` of at most `limit` matches behind the place `after`, in order.
    fn places(&self, limit: usize, sql: &mut Sql) {
        if !self.query.sort.is_empty() {
            return self.sorted(limit, sql);
        }
        write_sql!(sql, "SELECT DISTINCT s.rank AS place, s.rank, s.lane FROM ");
        self.hits(self.after, sql);
        write_sql!(sql, if self.source.is_ordered() { "" } else { " ORDER BY s.rank" }, " LIMIT ", limit);
    }

    /// The same in an order of the query's own: all matches are gathered and sorted.
    fn sorted(&self, limit: usize, sql: &mut Sql) {
        let (keys, descending) = self.query.sort_keys();
        let width = keys.len() * Rank::ID_AT;
        write_sql!(sql, "SELECT p.place, p.rank, p.lane FROM (SELECT ");
        for key in keys {
            self.sort_code(key, sql);
            write_sql!(sql, " || ");
        }
        write_sql!(
            sql,
            "substr(m.rank, ",
            ID_AT,
            ") AS place, m.rank, m.lane FROM (SELECT DISTINCT s.rank, s.lane FROM "
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

    /// Writes the code of one sort key, as the engine writes it: the row keeps that of the earliest and of the latest start.
    fn sort_code(&self, key: SortKey, sql: &mut Sql) {
        let path = sql.bind(&format!("$.\"{}\"[{}]", key.param.slot.number(), u8::from(key.descending)));
        let undated = sql.bind(UNDATED);
        write_sql!(sql, "coalesce((SELECT r.starts ->> ", path, " FROM resource r WHERE r.type = '", self.query.on);
        write_sql!(sql, "' AND r.id = substr(m.rank, ", ID_AT, ")), ", undated, ")");
    }

    /// Writes `(<source>) s WHERE <conditions>`: the places that match, in the order of the source.
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
            Condition::Window(clause) => in_window(clause, "s", sql),
            Condition::Fact(clause) => satisfies(clause, row, self.query.on, sql),
            Condition::Opened => opened(self.ask.openings(), self.query.on, row, self.source.sole_patient(), sql),
            Condition::InLanes => {
                let lanes = sql.list(self.source.lanes());
                write_sql!(sql, Lane(row), In(lanes));
            }
            Condition::After(after) => {
                let after = sql.bind(after);
                write_sql!(sql, "s.rank > ", after);
            }
        });
    }

    fn conditions<'c>(&'c self, after: Option<&'c str>) -> Vec<Condition<'c>> {
        let mut conditions = Vec::new();
        for (at, clause) in self.query.all.iter().enumerate() {
            if clause.param.clinical && self.source.has_clinical_till() {
                conditions.push(Condition::Window(clause));
            } else if !self.source.answers(at) {
                conditions.push(Condition::Fact(clause));
            }
        }
        if !is_whole(self.ask.openings(), self.source.sole_patient()) {
            conditions.push(Condition::Opened);
        }
        if self.source.is_beside() && self.query.patients.is_some() {
            conditions.push(Condition::InLanes);
        }
        if let Some(after) = after.filter(|_| !self.source.is_ordered()) {
            conditions.push(Condition::After(after));
        }
        conditions
    }

    /// A place of the search. It stands in the lane of its own facts, but where it was found in the common lane.
    fn row(&self, name: &'static str) -> Row {
        Row::Place { name, kind: self.query.on, in_own_lane: self.source.is_own_lane() }
    }
}
