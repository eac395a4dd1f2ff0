//! The source of the candidates of a search. One clause, or a pair of clauses, is the driver, and clauses on the
//! clinical date bound it. The remaining clauses become conditions.
//!
//! Exact values are read as streams, which are in the order of the answer. Several streams are merged: SQLite merges
//! `UNION ALL … ORDER BY` row by row, so that a page of n matches over k streams reads n + k rows, however long the
//! streams are. D1 allows five terms in a compound, so that compounds are nested in groups of five.
//!
//! A third clause of a search across all patients is a condition, which costs a row for each match of the driving pair.
//! The driver is chosen by the parameters and the lengths of words, not by counts of stored rows: reading counts would
//! take another trip, and keeping them a write for every value of a load.

use super::super::encoding::{DateCover, IndexKeys, LAST_SORT_KEY, PairCondition, cover, paired, sort_key_at};
use super::text::{Bound, Sql, SqlPart, write_sql};
use crate::fhir::{Id, Micros, OPEN_END, OPEN_START, json};
use crate::search::kind::date::{DateWindow, Length, earlier};
use crate::search::kind::{KeyRange, StringCriterion, TokenCriterion};
use crate::search::{Clause, Criterion, Kind, Pair, PairForm, Param, ParamId, Query, pairs};
use crate::smart::{Permitted, is_directory};

/// The most terms of a compound SELECT in D1.
const TERMS: usize = 5;
/// The most values of a pair that are read as streams. With a clinical date each may be three streams, and a statement
/// has at most 100,000 bytes. If a pair has more, one parameter is the driver, of which the parser admits no more
/// values.
const MAX_VALUES: usize = TERMS * TERMS * TERMS;
/// The most windows to which the clauses on one date are multiplied.
const MAX_WINDOWS: usize = 64;
/// The most ranges or windows of one clause that are written out. More are bound as a list, which costs a row each.
pub const MAX_WRITTEN: usize = 6;
/// The condition that the fact `f` is in the range `j` of a list ([`listed`]).
pub const IN_LISTED: &str = "f.value >= j.value ->> 1 AND f.value < j.value ->> 2 \
    AND (j.value ->> 3 IS NULL OR f.ends > j.value ->> 3) AND (j.value ->> 4 IS NULL OR f.ends <= j.value ->> 4) \
    AND (j.value ->> 5 IS NULL OR instr(f.value, j.value ->> 5) > 0)";

/// The source of the candidates of one search.
#[derive(Debug)]
pub struct CandidateSource<'a> {
    query: &'a Query,
    find: Find,
    used: Vec<usize>,
}

#[derive(Debug)]
enum Find {
    Nothing,
    /// `unsure` has the clauses with which the rows of unsure keys have to be compared. Other rows satisfy them.
    Values {
        param_id: ParamId,
        values: Vec<IndexKeys>,
        unsure: Vec<usize>,
    },
    Ranges {
        param_id: ParamId,
        ranges: Vec<KeyRange>,
        own_till: bool,
    },
    Ids(Vec<String>),
}

impl<'a> CandidateSource<'a> {
    /// The source of a search.
    pub fn of(ask: &'a Permitted<Query>) -> Self {
        let query = ask.question();
        let (find, used) =
            if query.all.iter().any(Clause::is_impossible) { (Find::Nothing, Vec::new()) } else { driver(query) };
        Self { query, find, used }
    }

    /// Returns whether all candidates satisfy the clause with that index.
    pub fn answers(&self, clause: usize) -> bool {
        self.used.contains(&clause)
    }

    /// Returns whether all candidates except those with `s.sure` = 0 satisfy the clause with that index.
    pub fn answers_where_sure(&self, clause: usize) -> bool {
        matches!(&self.find, Find::Values { unsure, .. } if unsure.contains(&clause))
    }

    /// Returns whether its candidates are in the default order.
    pub const fn is_ordered(&self) -> bool {
        matches!(self.find, Find::Values { .. })
    }

    /// Returns whether the column `ends` of its candidates is the end of the clinical date.
    pub const fn has_clinical_till(&self) -> bool {
        !matches!(self.find, Find::Ranges { own_till: true, .. })
    }

    /// Returns whether the compartment of a candidate is that of its own facts, and not the common one.
    pub const fn is_own_compartment(&self) -> bool {
        is_directory(self.query.on) || matches!(self.find, Find::Ids(_))
    }

    /// Writes `SELECT sort, comp, ends …`. If the source is ordered, it begins behind the sort key `after`.
    pub fn write(&self, after: Option<&str>, sql: &mut Sql) {
        match &self.find {
            Find::Nothing => write_sql!(sql, "SELECT '' AS sort, '' AS comp, 0 AS ends WHERE 0"),
            Find::Values { param_id, values, unsure } => {
                let columns = if unsure.is_empty() { "" } else { ", sure" };
                self.streams(*param_id, values, columns, after, sql);
            }
            Find::Ranges { param_id, ranges, .. } => self.gathered(*param_id, ranges, sql),
            Find::Ids(ids) => {
                let ids = sql.list(ids);
                write_sql!(sql, "SELECT r.sort, r.patient AS comp, r.ends FROM json_each(", ids);
                write_sql!(sql, ") i CROSS JOIN resource r WHERE r.type = '", self.query.on, "' AND r.id = i.value");
            }
        }
    }

    fn streams(
        &self,
        param_id: ParamId,
        values: &[IndexKeys],
        columns: &'static str,
        after: Option<&str>,
        sql: &mut Sql,
    ) {
        let stretches = Bounds::of(self.query).stretches(after);
        let mut streams = Vec::with_capacity(stretches.len() * values.len());
        // The texts of all streams are in one flat list, to keep the statement short.
        let mut asked = Vec::with_capacity(4 * stretches.len() * values.len());
        for Stretch { length, behind, before } in &stretches {
            for keys in values {
                let (value, until) = match keys {
                    IndexKeys::One(value) | IndexKeys::Unsure(value) => (value, None),
                    IndexKeys::Between(from, until) => (from, Some(until)),
                };
                let is_sure = !matches!(keys, IndexKeys::Unsure(_));
                streams.push(KeyStream { at: asked.len(), is_range: until.is_some(), is_sure });
                asked.extend_from_slice(&[length.mark(), value, behind, before]);
                asked.extend(until.map(String::as_str));
            }
        }
        let list = sql.list(asked);
        merged(&streams, param_id, list, columns, sql);
        // A compound has its own ORDER BY.
        if streams.len() == 1 {
            write_sql!(sql, " ORDER BY sort");
        }
    }

    fn gathered(&self, param_id: ParamId, ranges: &[KeyRange], sql: &mut Sql) {
        let list: Vec<_> = ranges.iter().map(listed).collect();
        let list = sql.bind(&json(&list));
        write_sql!(sql, "SELECT f.sort, f.comp, f.ends FROM json_each(", list, ") j CROSS JOIN fact f ");
        write_sql!(sql, "WHERE f.comp = j.value ->> 0 AND f.param = ", param_id, " AND ", IN_LISTED);
    }
}

/// A range of a compartment, as an item of a list.
pub fn listed(range: &KeyRange) -> serde_json::Value {
    serde_json::json!(["", range.from, range.until, range.after, range.by, range.part])
}

/// Rows in the order of the answer, of one value or of a range of values.
#[derive(Clone, Copy)]
struct KeyStream {
    /// The index of its texts in the bound list: compartment, value, the sort keys between which it lies, and the end
    /// of a range.
    at: usize,
    is_range: bool,
    is_sure: bool,
}

/// An item of a bound list.
struct Item(Bound, usize);

impl SqlPart for Item {
    fn put(self, sql: &mut Sql) {
        write_sql!(sql, self.0, " ->> ", self.1);
    }
}

/// Writes the streams of a parameter id as one SELECT in the order of sort keys, with `columns` after the usual ones.
fn merged(streams: &[KeyStream], param_id: ParamId, list: Bound, columns: &'static str, sql: &mut Sql) {
    if let [KeyStream { at, is_range, is_sure }] = *streams {
        let item = |place| Item(list, at + place);
        write_sql!(sql, "SELECT sort, comp, ends");
        if !columns.is_empty() {
            write_sql!(sql, ", ", usize::from(is_sure), " AS sure");
        }
        write_sql!(sql, " FROM fact WHERE comp = ", item(0), " AND param = ", param_id);
        write_sql!(sql, if is_range { " AND value >= " } else { " AND value = " }, item(1));
        if is_range {
            write_sql!(sql, " AND value < ", item(4));
        }
        return write_sql!(sql, " AND sort > ", item(2), " AND sort < ", item(3));
    }
    let mut width = 1;
    while width * TERMS < streams.len() {
        width *= TERMS;
    }
    let mut before = "";
    for part in streams.chunks(width) {
        if before.is_empty() {
            write_sql!(sql, "SELECT sort, comp, ends", columns, " FROM (");
        }
        write_sql!(sql, before);
        merged(part, param_id, list, columns, sql);
        before = " UNION ALL ";
    }
    write_sql!(sql, " ORDER BY sort)");
}

/// The clauses of a query that may be drivers, with their indexes.
type Clauses<'a> = [(usize, &'a Clause)];

/// Chooses the driver, and returns it with the clauses that all its rows satisfy.
fn driver(query: &Query) -> (Find, Vec<usize>) {
    let common = !is_directory(query.on);
    let usable = |clause: &Clause| !clause.negated && !clause.param.clinical && (!common || clause.param.identifying);
    let mut clauses = Vec::new();
    for (at, clause) in query.all.iter().enumerate() {
        if usable(clause) {
            clauses.push((at, clause));
        }
    }
    if let Some((at, ids)) = clauses.iter().find_map(|(at, clause)| Some((*at, clause.ids()?))) {
        return (Find::Ids(ids.into_iter().map(Id::to_string).collect()), vec![at]);
    }
    let of_kind = |kind: Kind| clauses.iter().find(|(_, clause)| clause.param.kind == kind);
    let is_broad = |clause: &Clause| {
        clause.any.iter().any(|criterion| matches!(criterion, Criterion::Token(TokenCriterion::System(_))))
    };
    if let Some(place) = of_kind(Kind::Identifier).filter(|(_, clause)| !is_broad(clause)) {
        return one(*place, &clauses);
    }
    if let Some(found) = paired_up(query, &clauses) {
        return found;
    }
    // A range may hold most rows.
    let is_last = |clause: &Clause| values(&clause.any).is_none();
    let first = clauses.iter().min_by_key(|(_, clause)| (is_last(clause), is_broad(clause), breadth(clause)));
    match first {
        Some(place) => one(*place, &clauses),
        None => (in_order(ParamId::everything(query.on), vec![IndexKeys::One(String::new())]), Vec::new()),
    }
}

/// A clause as the driver, or, for a date, all clauses on it.
fn one((at, clause): (usize, &Clause), clauses: &Clauses<'_>) -> (Find, Vec<usize>) {
    let param_id = clause.param.id;
    if clause.param.kind == Kind::Date {
        let (windows, used) = times(clause.param, clauses);
        return (Find::Ranges { param_id, ranges: spread(&windows, ""), own_till: true }, used);
    }
    let find = match values(&clause.any) {
        Some(values) => in_order(param_id, values.into_iter().map(IndexKeys::One).collect()),
        None => {
            let ranges = clause.any.iter().flat_map(|criterion| criterion.ranges("")).collect();
            Find::Ranges { param_id, ranges, own_till: false }
        }
    };
    (find, vec![at])
}

const fn in_order(param_id: ParamId, values: Vec<IndexKeys>) -> Find {
    Find::Values { param_id, values, unsure: Vec::new() }
}

/// The narrowest pair of clauses that can be the driver.
fn paired_up(query: &Query, clauses: &Clauses<'_>) -> Option<(Find, Vec<usize>)> {
    let of = |param: &Param| clauses.iter().find(|(_, clause)| clause.param == param).copied();
    let mut narrowest = None;
    for pair in pairs(query.on) {
        let (Some(first), Some(second)) = (of(pair.first), of(pair.second)) else { continue };
        // A date with itself is the last choice.
        let (one, other) = (breadth(first.1), breadth(second.1));
        let breadth = (pair.first == pair.second, one.0 + other.0, one.1 + other.1);
        if narrowest.as_ref().is_some_and(|(other, _)| *other <= breadth) {
            continue;
        }
        let found = match pair.form {
            PairForm::Values => both(pair, first, second, clauses),
            PairForm::Years => by_years(pair, first, clauses),
            PairForm::Beginnings => beginnings(pair, first, second),
        };
        if let Some(found) = found {
            narrowest = Some((breadth, found));
        }
    }
    narrowest.map(|(_, found)| found)
}

/// A pair of values.
fn both(
    pair: &Pair,
    (at, first): (usize, &Clause),
    (second_at, second): (usize, &Clause),
    clauses: &Clauses<'_>,
) -> Option<(Find, Vec<usize>)> {
    let param_id = pair.param_id;
    if second.param.kind == Kind::Date {
        let firsts = values(&first.any)?;
        let (windows, used) = times(second.param, clauses);
        let ranges = firsts.iter().flat_map(|one| spread(&windows, &paired(one, ""))).collect();
        return Some((Find::Ranges { param_id, ranges, own_till: true }, used.into_iter().chain([at]).collect()));
    }
    let firsts = halves(first, pair.form)?;
    // With a range for the second clause, the first one alone is read in order.
    let seconds = halves(second, pair.form)?;
    let mut values = Vec::with_capacity(firsts.len() * seconds.len());
    for one in &firsts {
        for other in &seconds {
            values.push(IndexKeys::One(paired(&one.value, &other.value)));
        }
    }
    let mut used = Vec::new();
    for (at, halves) in [(at, &firsts), (second_at, &seconds)] {
        if are_whole(halves) {
            used.push(at);
        }
    }
    (values.len() <= MAX_VALUES).then_some((in_order(param_id, values), used))
}

/// A date by the index of its years, after a value of another parameter or alone.
fn by_years(pair: &Pair, (at, first): (usize, &Clause), clauses: &Clauses<'_>) -> Option<(Find, Vec<usize>)> {
    let (windows, dates) = times(pair.second, clauses);
    let DateCover { keys, exact } = cover(&windows);
    let (mut firsts, mut used) = (vec![PairCondition { value: String::new(), whole: false }], Vec::new());
    if pair.first != pair.second {
        firsts = halves(first, pair.form)?;
        if are_whole(&firsts) {
            used.push(at);
        }
    }
    let mut values = Vec::with_capacity(firsts.len() * keys.len());
    for one in &firsts {
        for keys in &keys {
            values.push(keys.behind(&one.value));
        }
    }
    let unsure = if exact { dates } else { Vec::new() };
    (values.len() <= MAX_VALUES).then_some((Find::Values { param_id: pair.param_id, values, unsure }, used))
}

/// Two strings by the beginnings of their words.
fn beginnings(pair: &Pair, first: (usize, &Clause), second: (usize, &Clause)) -> Option<(Find, Vec<usize>)> {
    let (firsts, seconds) = (halves(first.1, pair.form)?, halves(second.1, pair.form)?);
    let (mut values, mut whole) = (Vec::new(), (true, true));
    for one in &firsts {
        for other in &seconds {
            let (one, other) = one.equally_long(other)?;
            values.push(IndexKeys::One(paired(&one.value, &other.value)));
            whole = (whole.0 && one.whole, whole.1 && other.whole);
        }
    }
    let mut used = Vec::new();
    if whole.0 {
        used.push(first.0);
    }
    if whole.1 {
        used.push(second.0);
    }
    (values.len() <= MAX_VALUES).then_some((in_order(pair.param_id, values), used))
}

/// The conditions of a clause on its half of a pair, if each criterion has one value.
fn halves(clause: &Clause, form: PairForm) -> Option<Vec<PairCondition>> {
    let mut halves = Vec::with_capacity(clause.any.len());
    for criterion in &clause.any {
        halves.push(PairCondition::of(criterion, form)?);
    }
    Some(halves)
}

fn are_whole(halves: &[PairCondition]) -> bool {
    halves.iter().all(|half| half.whole)
}

/// The windows of the clauses on a date, and these clauses. They are all clauses on it if a resource has only one such
/// date.
fn times(param: &Param, clauses: &Clauses<'_>) -> (Vec<DateWindow>, Vec<usize>) {
    let (mut windows, mut used) = (vec![DateWindow::default()], Vec::new());
    for (at, clause) in clauses.iter().filter(|(_, clause)| clause.param == param) {
        let others: Vec<_> = clause.any.iter().filter_map(Criterion::window).collect();
        if !used.is_empty() && (param.repeats || windows.len() * others.len() > MAX_WINDOWS) {
            break;
        }
        let both = windows.iter().flat_map(|one| others.iter().map(|other| one.and(other)));
        windows = both.filter(|window| !window.is_empty()).collect();
        used.push(*at);
    }
    (windows, used)
}

fn spread(windows: &[DateWindow], prefix: &str) -> Vec<KeyRange> {
    let all = windows.iter().flat_map(|window| window.ranges(prefix));
    all.filter(|range| range.from < range.until).collect()
}

/// The keys of the criteria of a clause, if each criterion has one.
fn values(any: &[Criterion]) -> Option<Vec<String>> {
    let mut values = Vec::with_capacity(any.len());
    for criterion in any {
        values.push(criterion.key()?);
    }
    Some(values)
}

/// An estimate of the number of rows that one value of a clause finds. A longer beginning of a word finds fewer.
fn breadth(clause: &Clause) -> (usize, usize) {
    let param = clause.param;
    let kind = match param.kind {
        Kind::Id | Kind::Identifier => 0,
        Kind::Reference(_) | Kind::Canonical => 1,
        Kind::String | Kind::Date => 2,
        Kind::Token => match param.name.as_bytes() {
            b"category" | b"class" | b"clinical-status" => 4,
            _ => 3,
        },
        Kind::Code(_) => 5,
    };
    let length = |criterion: &Criterion| match criterion {
        Criterion::String(StringCriterion::Begins(text) | StringCriterion::Is(text)) => text.len(),
        Criterion::String(StringCriterion::Contains(_))
        | Criterion::Present
        | Criterion::Id(_)
        | Criterion::Token(_)
        | Criterion::Date(_)
        | Criterion::Refers(_) => 0,
    };
    let length = clause.any.iter().map(length).min().unwrap_or_default();
    (kind, usize::from(u8::MAX).saturating_sub(length))
}

/// The bounds that the clauses on the clinical date set for the start of a resource.
#[derive(Default)]
struct Bounds {
    /// It starts before this.
    before: Option<Micros>,
    /// It starts then or later, by its length.
    from: [Option<Micros>; Length::ALL.len()],
}

/// A part of a compartment, between two sort keys.
struct Stretch {
    length: Length,
    behind: String,
    before: String,
}

impl Bounds {
    fn of(query: &Query) -> Self {
        let mut bounds = Self::default();
        for clause in query.all.iter().filter(|clause| clause.param.clinical && !clause.negated) {
            let windows: Vec<DateWindow> = clause.any.iter().filter_map(Criterion::window).collect();
            // One open window makes the clause open.
            let before = windows.iter().map(|window| window.before.unwrap_or(OPEN_END)).max();
            bounds.before = earlier(bounds.before, before.filter(|time| *time < OPEN_END));
            for (bound, length) in bounds.from.iter_mut().zip(Length::ALL) {
                let from = windows.iter().map(|window| window.from(length).unwrap_or(OPEN_START)).min();
                *bound = (*bound).max(from.filter(|time| *time > OPEN_START));
            }
        }
        bounds
    }

    /// The parts of compartments to read: down to the earliest start of short times from the plain compartment, and
    /// from there on from the compartments of longer times.
    fn stretches(&self, after: Option<&str>) -> Vec<Stretch> {
        let sort_key = |time: Option<Micros>| time.map_or_else(|| LAST_SORT_KEY.to_owned(), sort_key_at);
        let start = self.before.map(sort_key_at).unwrap_or_default().max(after.unwrap_or_default().to_owned());
        let [short, middle, long] = self.from;
        let mut stretches = vec![Stretch { length: Length::Short, behind: start.clone(), before: sort_key(short) }];
        if short.is_none() {
            return stretches;
        }
        let start = start.max(sort_key(short));
        for (length, from) in [(Length::Middle, middle), (Length::Long, long)] {
            let before = sort_key(from);
            if start < before {
                stretches.push(Stretch { length, behind: start.clone(), before });
            }
        }
        stretches
    }
}

/// Writes the condition that the clinical date of a candidate satisfies a clause.
pub fn in_window(clause: &Clause, place: &str, sql: &mut Sql) {
    let windows: Vec<_> = clause.any.iter().filter_map(Criterion::window).collect();
    if windows.is_empty() {
        return write_sql!(sql, "0");
    }
    write_sql!(sql, "(", place, ".ends IS NOT NULL AND ");
    if windows.len() <= MAX_WRITTEN {
        sql.join(&windows, "OR", &mut |sql, window| one_window(window, place, sql));
    } else {
        one_of_windows(&windows, place, sql);
    }
    write_sql!(sql, ")");
}

fn one_window(window: &DateWindow, place: &str, sql: &mut Sql) {
    let mut before = "(";
    for (than, time) in [(".sort < ", window.from), (".sort > ", window.before)] {
        if let Some(time) = time {
            let sort_key = sql.bind(&sort_key_at(time));
            write_sql!(sql, before, place, than, sort_key);
            before = " AND ";
        }
    }
    for (than, time) in [(".ends > ", window.after), (".ends <= ", window.by)] {
        if let Some(time) = time {
            let time = sql.number(time);
            write_sql!(sql, before, place, than, time);
            before = " AND ";
        }
    }
    write_sql!(sql, if before == "(" { "1" } else { ")" });
}

fn one_of_windows(windows: &[DateWindow], place: &str, sql: &mut Sql) {
    let sort_key = |time: Option<Micros>| time.map(sort_key_at);
    let item = |window: &DateWindow| {
        serde_json::json!([sort_key(window.from), sort_key(window.before), window.after, window.by])
    };
    let list = sql.bind(&json(&windows.iter().map(item).collect::<Vec<_>>()));
    write_sql!(sql, "EXISTS (SELECT 1 FROM json_each(", list, ") w WHERE ");
    for (at, than) in [".sort <", ".sort >", ".ends >", ".ends <="].into_iter().enumerate() {
        write_sql!(sql, if at == 0 { "" } else { " AND " });
        write_sql!(sql, "(w.value ->> ", at, " IS NULL OR ", place, than, " w.value ->> ", at, ")");
    }
    write_sql!(sql, ")");
}
