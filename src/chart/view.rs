//! A chart as the engine searches it. Each clause is evaluated once for each distinct value, not once for each row, and
//! lazily, up to the requested row.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::iter::Peekable;
use std::rc::Rc;

use super::ChartError;
use super::body_ref::BodyRef;
use super::entry::Entry;
use super::open::{Chart, Entries};
use crate::evaluate::InRecord;
use crate::evaluate::{Candidate, is_in_same_record};
use collections::order::set_of;
use fhir::{Frame, Id, Reference, ResourceType};
use search::kind::StoredFact;
use search::sorting::codes_of_text;
use search::{Clause, Criterion, MISSING, Param, SortRule, meets};
use smart::Owner;

/// A chart, and the data on its rows for one search.
#[derive(Debug)]
pub struct View<'a> {
    chart: &'a Chart,
    evaluated: Vec<ClauseRows<'a>>,
    /// The codes of the rows for each rule of the order.
    sort_codes: Vec<(SortRule, Vec<Option<Rc<str>>>)>,
    /// The values of the parameter by which the search groups its matches, for each row.
    values: OnceCell<Vec<Vec<Rc<str>>>>,
}

impl<'a> View<'a> {
    /// Returns the view of a chart for a search with these clauses and in this order ([`search::Query::sort_keys`]).
    /// The clauses are those of the query and of its access rules; others are evaluated anew for each row. The order of
    /// rules by names is known after [`Self::read_names`].
    pub fn new(chart: &'a Chart, clauses: impl Iterator<Item = &'a Clause>, sort: &[SortRule]) -> Self {
        let of_type = clauses.filter(|clause| clause.param.base == chart.resource_type());
        Self {
            chart,
            evaluated: of_type.map(|clause| ClauseRows::new(chart, clause)).collect(),
            sort_codes: sort.iter().map(|rule| (*rule, sort_codes(chart, rule))).collect(),
            values: OnceCell::new(),
        }
    }

    /// Reads the names of people from all texts, for the rules that sort by names. All pages must have been read.
    ///
    /// # Errors
    /// If a text is missing or damaged.
    pub fn read_names(&mut self) -> Result<(), ChartError> {
        let chart = self.chart;
        for (rule, codes) in self.sort_codes.iter_mut().filter(|(rule, _)| rule.is_by_name()) {
            let code = |row| {
                let text = BodyRef::of_chart(chart, row, String::new(), "")?;
                let text = std::str::from_utf8(text.bytes()).map_err(|_| ChartError::new("a text is not UTF-8"))?;
                let code = codes_of_text(&[*rule], text).map_err(|_| ChartError::new("a text is not JSON"))?;
                Ok(Some(code.into()))
            };
            *codes = chart.rows().map(code).collect::<Result<_, ChartError>>()?;
        }
        Ok(())
    }

    /// Returns the rows, in the default order.
    pub fn rows<'v>(&'v self) -> impl Iterator<Item = ChartRow<'v, 'a>> {
        self.chart.rows().map(move |row| ChartRow { view: self, row })
    }

    /// Returns the type of the resources.
    pub const fn resource_type(&self) -> ResourceType {
        self.chart.resource_type()
    }

    /// Returns the values of a reference, each with the rows that have it.
    pub fn references<'v>(&'v self, param: &Param) -> impl Iterator<Item = (String, Vec<ChartRow<'v, 'a>>)> {
        self.chart.entries_of(param).filter_map(move |entry| {
            let rows = entry.rows().map(|row| ChartRow { view: self, row }).collect();
            Some((entry.value.fact()?.reference()?.to_owned(), rows))
        })
    }

    /// Returns the rows with a value that satisfies a clause, without duplicates.
    pub fn with<'v>(&'v self, clause: &Clause) -> impl Iterator<Item = ChartRow<'v, 'a>> + use<'v, 'a> {
        let entries = self.chart.entries_of(clause.param);
        let is_one = |entry: &Entry<'_>| entry.value.clone().fact().is_some_and(|fact| meets(&clause.any, &fact));
        let rows = set_of(entries.filter(is_one).flat_map(|entry| entry.rows()));
        rows.into_iter().map(|row| ChartRow { view: self, row })
    }

    /// Returns the row of a resource.
    pub fn find<'v>(&'v self, reference: &Reference) -> Option<ChartRow<'v, 'a>> {
        let row =
            (self.chart.resource_type() == reference.resource_type).then(|| self.chart.find(reference.id.as_str()))?;
        row.map(|row| ChartRow { view: self, row })
    }
}

/// A row of a chart.
#[derive(Debug, Clone, Copy)]
pub struct ChartRow<'v, 'a> {
    view: &'v View<'a>,
    /// The number.
    pub row: u32,
}

impl<'a> ChartRow<'_, 'a> {
    /// Returns the reference to the resource.
    pub fn reference(self) -> Option<Reference> {
        Some(Reference { resource_type: self.resource_type(), id: Id::parse(self.id())? })
    }

    /// Returns the values of a reference.
    pub fn references(self, param: &Param) -> Vec<String> {
        let own = self.chart().entries_of(param).filter(|entry| entry.rows().any(|row| row == self.row));
        own.filter_map(|entry| Some(entry.value.fact()?.reference()?.to_owned())).collect()
    }

    /// Returns whether the row has a value that satisfies a clause.
    #[must_use]
    pub fn has(self, clause: &Clause) -> bool {
        self.view.with(clause).any(|other| other.row == self.row)
    }

    /// Returns the chart.
    pub const fn chart(&self) -> &'a Chart {
        self.view.chart
    }

    /// Returns the text as an entry of a searchset. The page of the row must have been read.
    ///
    /// # Errors
    /// If the page is missing or damaged.
    pub fn entry(self, frame: &Frame) -> Result<BodyRef, ChartError> {
        self.body([&frame.open, self.id(), frame.middle].concat(), frame.close)
    }

    /// Returns the text, with a text before and after it. The page of the row must have been read.
    ///
    /// # Errors
    /// If the page is missing or damaged.
    pub fn body(self, before: String, after: &'static str) -> Result<BodyRef, ChartError> {
        BodyRef::of_chart(self.chart(), self.row, before, after)
    }
}

impl<'v> Candidate<'v> for ChartRow<'v, '_> {
    fn resource_type(self) -> ResourceType {
        self.view.chart.resource_type()
    }

    fn id(self) -> &'v str {
        self.view.chart.id(self.row)
    }

    fn sort_key(self) -> &'v str {
        self.view.chart.sort_key(self.row)
    }

    fn owner(self) -> &'v Owner {
        self.view.chart.owner(self.row)
    }

    fn values(self, param: &'static Param) -> Vec<Rc<str>> {
        let values = self.view.values.get_or_init(|| values(self.view.chart, param));
        values.get(self.row as usize).cloned().unwrap_or_default()
    }

    fn satisfies(self, clause: &'v Clause) -> bool {
        let known = self.view.evaluated.iter().find(|known| std::ptr::eq(known.clause, clause));
        known.map_or_else(|| ClauseRows::new(self.view.chart, clause).has(self.row), |known| known.has(self.row))
    }

    fn add_sort_code(self, rule: &SortRule, to: &mut String) {
        let codes = self.view.sort_codes.iter().find(|(other, _)| other == rule).map(|(_, codes)| codes);
        to.push_str(codes.and_then(|codes| codes.get(self.row as usize)?.as_deref()).unwrap_or(MISSING));
    }
}

/// Returns, for each row, the resources that it refers to by the parameters that `followed` returns for its type.
pub fn links(
    rows: &[ChartRow<'_, '_>],
    followed: impl Fn(ResourceType) -> Vec<&'static Param>,
) -> Vec<Vec<(&'static Param, Reference)>> {
    let mut links = vec![Vec::new(); rows.len()];
    let mut charts: Vec<&Chart> = Vec::new();
    for row in rows {
        if charts.iter().any(|chart| std::ptr::eq(*chart, row.chart())) {
            continue;
        }
        charts.push(row.chart());
        let followed = followed(row.resource_type());
        if followed.is_empty() {
            continue;
        }
        let of_chart = rows.iter().enumerate().filter(|(_, other)| std::ptr::eq(other.chart(), row.chart()));
        let wanted: HashMap<u32, usize> = of_chart.map(|(at, other)| (other.row, at)).collect();
        for param in followed {
            for entry in row.chart().entries_of(param) {
                let from: Vec<usize> = entry.rows().filter_map(|row| wanted.get(&row).copied()).collect();
                if from.is_empty() {
                    continue;
                }
                let fact = entry.value.fact();
                let Some(target) = fact.as_ref().and_then(|fact| Reference::parse(fact.reference()?)) else { continue };
                for at in from {
                    if let Some(links) = links.get_mut(at) {
                        links.push((param, target.clone()));
                    }
                }
            }
        }
    }
    links
}

/// Returns the rows of `views` that refer by a parameter to one of these resources and are in the same record.
pub fn referring_rows<'v, 'a>(views: &'v [View<'a>], param: &Param, targets: &[InRecord]) -> Vec<ChartRow<'v, 'a>> {
    let targets: Vec<_> = targets.iter().map(|(reference, patient)| (reference.to_string(), patient)).collect();
    let stored = targets.iter().map(|(name, patient)| (StoredFact::of_reference(name), patient.as_ref()));
    let targets: HashMap<StoredFact<'_>, Option<&Id>> = stored.collect();
    let mut found = Vec::new();
    for view in views.iter().filter(|view| view.chart.resource_type() == param.base) {
        for entry in view.chart.entries_of(param) {
            let Some(patient) = targets.get(&entry.value) else { continue };
            let rows = entry.rows().map(|row| ChartRow { view, row });
            found.extend(rows.filter(|row| is_in_same_record(row.owner(), *patient)));
        }
    }
    found
}

#[derive(Debug)]
struct ClauseRows<'a> {
    clause: &'a Clause,
    /// The rows with a value that satisfies the clause.
    any: ComparedRows<'a>,
    /// The rows with a value that satisfies each of several conditions ([`Clause::conjunctions`]).
    all: Vec<Vec<ComparedRows<'a>>>,
}

/// The rows with a value that satisfies one of several conditions, as far as they have been compared, and the values
/// that have not yet been compared, with the criteria of their conditions.
#[derive(Debug)]
struct ComparedRows<'a>(RefCell<(Bits, Vec<RemainingValues<'a>>)>);

/// The criteria of a condition, and the values of a column of its parameter that have not yet been compared with them.
type RemainingValues<'a> = (&'a [Criterion], Peekable<Entries<'a>>);

impl<'a> ClauseRows<'a> {
    fn new(chart: &'a Chart, clause: &'a Clause) -> Self {
        let mut rows = Bits::none(chart);
        if clause.param.kind.is_id() {
            let ids = set_of(clause.any.iter().filter_map(Criterion::as_id).map(Id::as_str));
            let is_any = clause.any.iter().any(Criterion::is_presence);
            chart.rows().filter(|row| is_any || ids.contains(chart.id(*row))).for_each(|row| rows.set(row));
        }
        let any = ComparedRows::new(chart, rows, clause.parts());
        let none = || Bits::none(chart);
        let all = clause
            .conjunctions()
            .map(|all| all.map(|one| ComparedRows::new(chart, none(), std::iter::once(one))).collect());
        Self { clause, any, all: all.collect() }
    }

    /// Returns whether a row satisfies the clause.
    fn has(&self, row: u32) -> bool {
        let has_all = |all: &Vec<ComparedRows<'_>>| all.iter().all(|one| one.has(row));
        (self.any.has(row) || self.all.iter().any(has_all)) != self.clause.negated
    }
}

impl<'a> ComparedRows<'a> {
    /// Returns the rows that satisfy one of these conditions, in addition to `rows`.
    fn new(chart: &'a Chart, rows: Bits, conditions: impl Iterator<Item = (&'static Param, &'a [Criterion])>) -> Self {
        let columns = conditions.flat_map(|(param, any)| param.columns.iter().map(move |column| (any, *column)));
        let uncompared = columns.map(|(any, column)| (any, chart.entries(column).peekable())).collect();
        Self(RefCell::new((rows, uncompared)))
    }

    /// Returns whether a row satisfies one of the conditions.
    fn has(&self, row: u32) -> bool {
        let (rows, uncompared) = &mut *self.0.borrow_mut();
        for (any, rest) in uncompared {
            while let Some(entry) = rest.next_if(|entry| entry.rows().next().is_none_or(|first| first <= row)) {
                let with = entry.rows();
                if entry.value.fact().is_some_and(|fact| meets(any, &fact)) {
                    with.for_each(|row| rows.set(row));
                }
            }
        }
        rows.has(row)
    }
}

/// Returns the first code of each row for a rule.
fn sort_codes(chart: &Chart, rule: &SortRule) -> Vec<Option<Rc<str>>> {
    let mut codes: Vec<Option<Rc<str>>> = vec![None; chart.rows().len()];
    if rule.is_by_name() {
        return codes;
    }
    for entry in chart.entries_of(rule.param) {
        let with = entry.rows();
        let Some(fact) = entry.value.fact() else { continue };
        let code: Rc<str> = rule.code(std::iter::once(&fact)).into();
        for row in with {
            if let Some(first) = codes.get_mut(row as usize)
                && first.as_ref().is_none_or(|first| *first > code)
            {
                *first = Some(Rc::clone(&code));
            }
        }
    }
    codes
}

/// Returns the values of a parameter for each row, as texts.
fn values(chart: &Chart, param: &Param) -> Vec<Vec<Rc<str>>> {
    let mut values = vec![Vec::new(); chart.rows().len()];
    for entry in chart.entries_of(param) {
        let rows = entry.rows();
        let Some(text) = entry.value.fact().map(|fact| Rc::from(fact.text())) else { continue };
        for row in rows {
            if let Some(of_row) = values.get_mut(row as usize) {
                of_row.push(Rc::clone(&text));
            }
        }
    }
    values
}

/// A set of rows.
#[derive(Debug, Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn none(chart: &Chart) -> Self {
        Self(vec![0; chart.rows().len().div_ceil(64)])
    }

    fn set(&mut self, row: u32) {
        if let Some(word) = self.0.get_mut(row as usize / 64) {
            *word |= 1 << (row % 64);
        }
    }

    fn has(&self, row: u32) -> bool {
        self.0.get(row as usize / 64).is_some_and(|word| word & (1 << (row % 64)) != 0)
    }
}
