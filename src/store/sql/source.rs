//! The source of the candidates of a search. One clause is the driver, and clauses on the clinical date limit the
//! range. The remaining clauses become conditions (`permit.rs`).
//!
//! Keys are read as streams, which are in the order of the answer. Several streams are merged: SQLite merges a
//! `UNION ALL … ORDER BY` row by row, so that a page of n matches over k streams reads n + k rows, however long they
//! are. D1 allows five terms in a compound SELECT, so that they are nested in groups of five. A range of keys is read
//! as a whole and sorted.
//!
//! The driver is chosen by its criteria ([`Breadth`]), not by counts of stored rows: reading counts would take another
//! trip, and maintaining them a write for each value of a load.

use super::super::encoding::{LAST_SORT_KEY, sort_key_at};
use super::text::{Bound, Sql, SqlPart, write_sql};
use fhir::{Id, Micros, OPEN_END, OPEN_START, json};
use search::kind::{Breadth, DateWindow, IndexForm, KeyMatch, KeyRange, Length, Lookup};
use search::{Clause, Criterion, Param, ParamId, Query};
use smart::{Permitted, is_directory};

/// The most terms of a compound SELECT in D1.
const TERMS: usize = 5;
/// The most windows that result from combining the clauses on one date.
const MAX_WINDOWS: usize = 64;
/// The condition that the fact `f` is in the range `j` of a list ([`listed`]).
const IN_LISTED: &str = "f.value >= j.value ->> 0 AND f.value < j.value ->> 1 \
    AND (j.value ->> 2 IS NULL OR f.rest > j.value ->> 2) AND (j.value ->> 3 IS NULL OR f.rest <= j.value ->> 3) \
    AND (j.value ->> 4 IS NULL OR instr(substr(f.value, 2), j.value ->> 4) > 0)";

/// The source of the candidates of one search.
#[derive(Debug)]
pub struct CandidateSource<'a> {
    query: &'a Query,
    find: AccessPath,
    used: Vec<usize>,
}

#[derive(Debug)]
enum AccessPath {
    Nothing,
    Streams { param_id: ParamId, keys: Vec<Lookup> },
    Ranges { param_id: ParamId, ranges: Vec<KeyRange> },
    Ids(Vec<String>),
}

impl<'a> CandidateSource<'a> {
    /// Returns the source for a search.
    pub fn of(permitted: &'a Permitted<Query>) -> Self {
        let query = permitted.request();
        let (find, used) =
            if query.all.iter().any(Clause::is_impossible) { (AccessPath::Nothing, Vec::new()) } else { driver(query) };
        Self { query, find, used }
    }

    /// Returns the source that consists of the resources with these ids.
    pub fn of_ids(permitted: &'a Permitted<Query>, ids: Vec<String>) -> Self {
        Self { query: permitted.request(), find: AccessPath::Ids(ids), used: Vec::new() }
    }

    /// Returns whether all candidates satisfy the clause with that index.
    pub fn answers(&self, clause: usize) -> bool {
        self.used.contains(&clause)
    }

    /// Returns whether the candidates are in the default order.
    pub const fn is_ordered(&self) -> bool {
        matches!(self.find, AccessPath::Streams { .. })
    }

    /// Writes `SELECT sort …`. An ordered source begins after the sort key `after`. For a source of ids, `key` is the
    /// index of each id.
    pub fn write(&self, after: Option<&str>, sql: &mut Sql) {
        match &self.find {
            AccessPath::Nothing => write_sql!(sql, "SELECT '' AS sort WHERE 0"),
            AccessPath::Streams { param_id, keys } => self.write_streams(*param_id, keys, after, sql),
            AccessPath::Ranges { param_id, ranges } => write_facts_in(*param_id, ranges, sql),
            AccessPath::Ids(ids) => {
                let ids = sql.list(ids);
                write_sql!(sql, "SELECT r.sort, i.key FROM json_each(", ids, ") i CROSS JOIN resource r ");
                write_sql!(sql, "WHERE r.type = '", self.query.resource_type, "' AND r.id = i.value");
            }
        }
    }

    fn write_streams(&self, param_id: ParamId, keys: &[Lookup], after: Option<&str>, sql: &mut Sql) {
        let (behind, before) = bounds(self.query, after);
        // The texts of all streams are in one flat list, to keep the statement short.
        let mut texts = vec![behind, before];
        let mut streams = Vec::with_capacity(keys.len());
        for lookup in keys {
            let at = texts.len();
            streams.push(KeyStream { at, lookup });
            match lookup {
                Lookup::Key(key) => texts.extend([key.value.clone()].into_iter().chain(key.rest.clone())),
                Lookup::Range(range) => {
                    texts.extend([range.from.clone(), range.until.clone()].into_iter().chain(range.part.clone()));
                }
            }
        }
        let list = sql.list(texts);
        write_merged(&streams, param_id, list, sql);
        // A compound has its own ORDER BY.
        if streams.len() == 1 {
            write_sql!(sql, " ORDER BY sort");
        }
    }
}

/// Writes a SELECT of the sort keys of the facts in one of several ranges.
pub fn write_facts_in(param_id: ParamId, ranges: &[KeyRange], sql: &mut Sql) {
    let listed = |range: &KeyRange| serde_json::json!([range.from, range.until, range.after, range.by, range.part]);
    let list = sql.bind(&json(&ranges.iter().map(listed).collect::<Vec<_>>()));
    write_sql!(sql, "SELECT f.sort FROM json_each(", list, ") j CROSS JOIN fact f ");
    write_sql!(sql, "WHERE f.param = ", param_id, " AND ", IN_LISTED);
}

/// Rows in the order of the answer.
#[derive(Clone, Copy)]
struct KeyStream<'a> {
    /// The index of the stream's texts in the bound list. Its first two texts are the bounds of all rows' sort keys.
    at: usize,
    lookup: &'a Lookup,
}

struct Item(Bound, usize);

impl SqlPart for Item {
    fn put(self, sql: &mut Sql) {
        write_sql!(sql, self.0, " ->> ", self.1);
    }
}

/// Writes the streams of a parameter id as one SELECT in the order of sort keys.
fn write_merged(streams: &[KeyStream<'_>], param_id: ParamId, list: Bound, sql: &mut Sql) {
    if let [KeyStream { at, lookup }] = *streams {
        // A resource may have several keys in a range.
        let distinct = if matches!(lookup, Lookup::Range(_)) { "DISTINCT " } else { "" };
        write_sql!(sql, "SELECT ", distinct, "sort FROM fact WHERE param = ", param_id);
        match lookup {
            Lookup::Key(key) => {
                write_sql!(sql, " AND value = ", Item(list, at));
                if key.rest.is_some() {
                    write_sql!(sql, " AND rest = ", Item(list, at + 1));
                }
            }
            Lookup::Range(range) => {
                write_sql!(sql, " AND value >= ", Item(list, at), " AND value < ", Item(list, at + 1));
                if range.part.is_some() {
                    write_sql!(sql, " AND instr(substr(value, 2), ", Item(list, at + 2), ") > 0");
                }
            }
        }
        return write_sql!(sql, " AND sort > ", Item(list, 0), " AND sort < ", Item(list, 1));
    }
    let mut width = 1;
    while width * TERMS < streams.len() {
        width *= TERMS;
    }
    let mut before = "SELECT sort FROM (";
    for part in streams.chunks(width) {
        write_sql!(sql, before);
        write_merged(part, param_id, list, sql);
        before = " UNION ALL ";
    }
    write_sql!(sql, " ORDER BY sort)");
}

/// Chooses the driver. Returns it with the indexes of the clauses that all its rows satisfy.
fn driver(query: &Query) -> (AccessPath, Vec<usize>) {
    let may_begin = |clause: &Clause| {
        let is_about_values = !clause.negated && clause.also.is_none() && !clause.param.clinical;
        is_about_values && (clause.param.identifying || is_directory(query.resource_type))
    };
    let clauses: Vec<(usize, &Clause)> = query.all.iter().enumerate().filter(|(_, clause)| may_begin(clause)).collect();
    if let Some((at, ids)) = clauses.iter().find_map(|(at, clause)| Some((*at, clause.ids()?))) {
        return (AccessPath::Ids(ids.into_iter().map(Id::to_string).collect()), vec![at]);
    }
    let mut narrowest: Option<Driver> = None;
    for (at, clause) in &clauses {
        let found = match clause.param.kind.index_form() {
            IndexForm::Time => Some(times(clause.param, &clauses)),
            IndexForm::Id | IndexForm::Keys => streams(*at, clause),
        };
        if let Some(found) = found
            && narrowest.as_ref().is_none_or(|narrowest| found.0 < narrowest.0)
        {
            narrowest = Some(found);
        }
    }
    match narrowest {
        Some((_, find, used)) => (find, used),
        None => {
            let all = Lookup::Key(KeyMatch::of(String::new()));
            (AccessPath::Streams { param_id: ParamId::everything(query.resource_type), keys: vec![all] }, Vec::new())
        }
    }
}

/// A driver, with its breadth and the indexes of the clauses that all its rows satisfy.
type Driver = (Breadth, AccessPath, Vec<usize>);

/// Returns the clause with that index as the driver, if its index keys can be read.
fn streams(at: usize, clause: &Clause) -> Option<Driver> {
    let mut keys = Vec::with_capacity(clause.any.len());
    let mut broadest = Breadth::Identifier;
    for criterion in &clause.any {
        let lookups = criterion.lookups();
        if lookups.is_empty() {
            return None;
        }
        broadest = broadest.max(clause.param.kind.breadth(criterion));
        keys.extend(lookups);
    }
    let param_id = clause.param.id;
    // A stream ignores the rest of its keys.
    let find = if keys.iter().any(bounds_rest) {
        let range = |lookup| if let Lookup::Range(range) = lookup { Some(range) } else { None };
        AccessPath::Ranges { param_id, ranges: keys.into_iter().filter_map(range).collect() }
    } else {
        AccessPath::Streams { param_id, keys }
    };
    Some((broadest, find, vec![at]))
}

/// Returns whether a lookup is a range that also limits the rest of its keys, as for numbers. All lookups of a clause
/// with such a range are ranges.
const fn bounds_rest(lookup: &Lookup) -> bool {
    matches!(lookup, Lookup::Range(range) if range.after.is_some() || range.by.is_some())
}

/// Returns the clauses on a date as the driver: all of them, unless their combination has too many windows.
fn times(param: &Param, clauses: &[(usize, &Clause)]) -> Driver {
    let (mut windows, mut used) = (vec![DateWindow::default()], Vec::new());
    for (at, clause) in clauses.iter().filter(|(_, clause)| clause.param == param) {
        let others: Vec<_> = clause.any.iter().filter_map(Criterion::window).collect();
        if !used.is_empty() && windows.len() * others.len() > MAX_WINDOWS {
            break;
        }
        let both = windows.iter().flat_map(|one| others.iter().map(|other| one.and(other)));
        windows = both.filter(|window| !window.is_empty()).collect();
        used.push(*at);
    }
    let lengths = windows.iter().map(|window| window.length().unwrap_or(OPEN_END));
    let breadth = Breadth::of_time(lengths.fold(0, Micros::saturating_add));
    let mut ranges: Vec<_> = windows.iter().flat_map(DateWindow::ranges).collect();
    ranges.retain(|range| range.from < range.until);
    (breadth, AccessPath::Ranges { param_id: param.id, ranges }, used)
}

/// Returns the range of sort keys to which the clauses on the clinical date and the sort key `after` limit the
/// candidates. Clinical dates of types with rows are at most a day long.
fn bounds(query: &Query, after: Option<&str>) -> (String, String) {
    let (mut behind, mut until) = (after.unwrap_or_default().to_owned(), LAST_SORT_KEY.to_owned());
    for clause in query.all.iter().filter(|clause| clause.param.clinical && !clause.negated) {
        let windows: Vec<DateWindow> = clause.any.iter().filter_map(Criterion::window).collect();
        // With one open window, the whole range is open.
        let before = windows.iter().map(|window| window.before.unwrap_or(OPEN_END)).max();
        if let Some(time) = before.filter(|time| *time < OPEN_END) {
            behind = behind.max(sort_key_at(time));
        }
        let from = windows.iter().map(|window| window.from(Length::Short).unwrap_or(OPEN_START)).min();
        if let Some(time) = from.filter(|time| *time > OPEN_START) {
            until = until.min(sort_key_at(time));
        }
    }
    (behind, until)
}
