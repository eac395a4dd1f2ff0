//! A permitted question as SQL. Nothing here decides: FHIR's meaning is in the criteria, permission in the openings.
//!
//! A search is a source of places in order (`source.rs`), the conditions that are left (`permit.rs`), and a limit. Bodies
//! are fetched for the page alone, by key, and come framed as entries.

use super::Statement;
use super::permit::{self, Row};
use super::source::{Source, in_window};
use super::text::{Binds, ID_AT, joined};
use crate::fhir::{Frame, Reference, json};
use crate::search::{Include, Query, Rank, SortKey, Total, UNDATED};
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
    let counted = query.count_only || query.total == Total::Accurate;
    Lowered {
        page: (!query.count_only).then(|| search.page()),
        count: counted.then(|| search.count()),
        includes: if query.count_only {
            Vec::new()
        } else {
            ask.include_groups().filter_map(|group| search.included(&group)).collect()
        },
    }
}

/// A read by id: `entry`, `version`, `modified`.
#[must_use]
pub fn lower_read(ask: &Permitted<Reference>) -> Statement {
    let mut binds = Binds::default();
    let Reference { kind, id } = ask.ask();
    let id = binds.bind(id.as_str());
    let opened = and(permit::opened(ask.openings(), *kind, &Row::resource(), None, &mut binds));
    binds.with(format!(
        "SELECT r.body AS entry, r.version, r.modified FROM resource r WHERE r.type = '{kind}' AND r.id = {id}{opened}"
    ))
}

fn and(condition: Option<String>) -> String {
    condition.map(|condition| format!(" AND {condition}")).unwrap_or_default()
}

fn framed(frame: &Frame, binds: &mut Binds) -> String {
    let (open, middle, close) = (binds.bind(&frame.open), binds.bind(frame.middle), binds.bind(frame.close));
    format!("{open} || r.id || {middle} || r.body || {close}")
}

struct Search<'a> {
    ask: &'a Permitted<Query>,
    query: &'a Query,
    source: Source<'a>,
    base: &'a str,
    after: Option<&'a str>,
}

impl Search<'_> {
    fn page(&self) -> Statement {
        let mut binds = Binds::default();
        let places = self.places(self.query.count + 1, &mut binds);
        let frame = framed(&Frame::matched(self.base, self.query.on), &mut binds);
        let kind = self.query.on;
        binds.with(format!(
            "SELECT h.place, (SELECT {frame} FROM resource r WHERE r.type = '{kind}' AND r.id = substr(h.rank, {ID_AT})) \
             AS entry FROM ({places}) h"
        ))
    }

    fn count(&self) -> Statement {
        let mut binds = Binds::default();
        let hits = self.hits(None, &mut binds);
        binds.with(format!("SELECT count(*) AS total FROM (SELECT DISTINCT s.rank FROM {hits})"))
    }

    /// What one parameter includes, each resource once, by its reference.
    fn included(&self, group: &[&(Include, Vec<Opening>)]) -> Option<Statement> {
        let (first, _) = group.first()?;
        let mut binds = Binds::default();
        // The page itself, without the match that only says that there are more.
        let places = self.places(self.query.count, &mut binds);
        let (kind, slot) = (self.query.on, first.param.slot.number());
        let targets = if first.param.on == kind {
            format!(
                "SELECT DISTINCT l.target FROM ({places}) h CROSS JOIN link l \
                 WHERE l.type = '{kind}' AND l.id = substr(h.rank, {ID_AT}) AND l.slot = {slot}"
            )
        } else {
            let lane = self.own_lane("h");
            format!(
                "SELECT DISTINCT '{}/' || substr(f.rank, {ID_AT}) AS target FROM ({places}) h CROSS JOIN fact f \
                 WHERE f.lane = rtrim({lane}, '~') AND f.slot = {slot} AND f.value = '{kind}/' || substr(h.rank, {ID_AT})",
                first.param.on
            )
        };
        // One that is not opened is null. A subquery by key reads one row; a join would read two.
        let mut entries = String::new();
        for (include, openings) in group {
            let brought = include.brings(kind);
            let opened = and(permit::opened(openings, brought, &Row::resource(), None, &mut binds));
            let frame = framed(&Frame::included(self.base, brought), &mut binds);
            entries.push_str(&format!(
                " WHEN '{brought}' THEN (SELECT {frame} FROM resource r \
                 WHERE r.type = '{brought}' AND r.id = substr(i.target, {}){opened})",
                brought.name().len() + 2
            ));
        }
        Some(binds.with(format!(
            "SELECT CASE substr(i.target, 1, instr(i.target, '/') - 1){entries} END AS entry FROM ({targets}) i \
             ORDER BY i.target"
        )))
    }

    /// `place`, `rank`, `lane` of at most `limit` matches behind the place `after`, in order.
    fn places(&self, limit: usize, binds: &mut Binds) -> String {
        if !self.query.sort.is_empty() {
            return self.sorted(limit, binds);
        }
        let hits = self.hits(self.after, binds);
        let order = if self.source.is_ordered() { "" } else { " ORDER BY s.rank" };
        format!("SELECT DISTINCT s.rank AS place, s.rank, s.lane FROM {hits}{order} LIMIT {limit}")
    }

    /// The same in an order of the query's own: all matches are gathered and sorted.
    fn sorted(&self, limit: usize, binds: &mut Binds) -> String {
        let (keys, descending) = self.query.sort_keys();
        let hits = self.hits(None, binds);
        let codes: String = keys.iter().map(|key| self.sort_code(*key, binds) + " || ").collect();
        let width = keys.len() * Rank::ID_AT;
        let (key, id) = (format!("substr(p.place, 1, {width})"), format!("substr(p.place, {})", width + 1));
        let behind = self.after.map(|after| {
            let (after_key, after_id) = after.split_at_checked(width).unwrap_or((after, ""));
            let (after_key, after_id) = (binds.bind(after_key), binds.bind(after_id));
            let than = if descending { '<' } else { '>' };
            format!(" WHERE {key} > {after_key} OR ({key} = {after_key} AND {id} {than} {after_id})")
        });
        format!(
            "SELECT p.place, p.rank, p.lane FROM (SELECT {codes}substr(m.rank, {ID_AT}) AS place, m.rank, m.lane \
             FROM (SELECT DISTINCT s.rank, s.lane FROM {hits}) m) p{} ORDER BY {key}, {id}{} LIMIT {limit}",
            behind.unwrap_or_default(),
            if descending { " DESC" } else { "" }
        )
    }

    /// The code of one sort key, as the engine writes it: the row keeps that of the earliest and of the latest start.
    fn sort_code(&self, key: SortKey, binds: &mut Binds) -> String {
        let path = binds.bind(&format!("$.\"{}\"[{}]", key.param.slot.number(), u8::from(key.descending)));
        let (kind, undated) = (self.query.on, binds.bind(UNDATED));
        format!(
            "coalesce((SELECT r.starts ->> {path} FROM resource r WHERE r.type = '{kind}' \
             AND r.id = substr(m.rank, {ID_AT})), {undated})"
        )
    }

    /// `(<source>) s WHERE <conditions>`: the places that match, in the order of the source.
    fn hits(&self, after: Option<&str>, binds: &mut Binds) -> String {
        let source = self.source.text(after, binds);
        let row = Row::place("s", self.own_lane("s"), self.query.on);
        let mut conditions: Vec<String> = Vec::new();
        for (at, clause) in self.query.all.iter().enumerate() {
            if clause.param.clinical && self.source.has_clinical_till() {
                conditions.push(in_window(clause, "s", binds));
            } else if !self.source.answers(at) {
                conditions.push(permit::satisfies(clause, &row, self.query.on, binds));
            }
        }
        let sole = self.source.sole_patient();
        conditions.extend(permit::opened(self.ask.openings(), self.query.on, &row, sole, binds));
        if self.source.is_beside() && self.query.patients.is_some() {
            let lanes = binds.bind(&json(self.source.lanes()));
            conditions.push(format!("{} IN (SELECT value FROM json_each({lanes}))", row.lane));
        }
        if let Some(after) = after.filter(|_| !self.source.is_ordered()) {
            conditions.push(format!("s.rank > {}", binds.bind(after)));
        }
        if conditions.is_empty() {
            format!("({source}) s")
        } else {
            format!("({source}) s WHERE {}", joined(conditions, "AND"))
        }
    }

    /// The lane that a place's own facts stand in: the one it was found in, but where that was the common lane.
    fn own_lane(&self, place: &str) -> String {
        if self.source.is_own_lane() {
            return format!("{place}.lane");
        }
        let kind = self.query.on;
        format!("(SELECT o.patient FROM resource o WHERE o.type = '{kind}' AND o.id = substr({place}.rank, {ID_AT}))")
    }
}
