//! How facts are kept as rows of text, and how criteria ask for them: what is stored and what is asked meet in this file.
//!
//! A row says: in this compartment, under this parameter id and value, there is the resource of that sort key. A compartment is a patient's id, or
//! empty for what is asked without a patient. The key is (compartment, parameter id, value, sort key), so that everything of one value stands
//! in the order of the answer.
//!
//! What lasts longer than a day is kept apart, and longer than a month once more ([`Length`]), so that a search for "ends
//! after" needs to look only so much further back than it asks: a resource with a long clinical date stands a second time
//! in a compartment of its length, `<compartment>~` or `<compartment>~~`, and the value of any other long time begins with `~` or `~~`.

use std::collections::BTreeSet;

use crate::fhir::{Id, Micros, ResourceType, Span};
use crate::search::{
    Criterion, Fact, Kind, Pair, PairForm, Param, ParamId, UNIT, fold, newest_first, oldest_first, pairs,
    provenance_target, word_starts,
};

use super::date_cover;
use super::indexed::IndexedResource;

/// Between the two values of a pair.
const PAIR: char = '\u{1e}';
/// Before the text of a string as it is written, before a tail of it as it compares, and before the beginning of a tail.
const WRITTEN: char = '=';
const FOLDED: char = '~';
const BEGINNING: char = '^';
/// The longest beginning that is a value of its own, in characters: what is asked for is as a rule a short word, and what
/// many names begin with is then read in order.
const LONGEST_BEGINNING: usize = 10;
/// Behind any value: no text has this character twice.
const END: &str = "\u{10ffff}\u{10ffff}";
/// Behind any id: ids are of letters, digits, `-` and `.`.
const AFTER_IDS: char = '~';
/// A day.
pub const DAY: Micros = 24 * 60 * 60 * 1_000_000;
const MONTH: Micros = 32 * DAY;

/// How long a time lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// A day at most.
    Short,
    /// A month at most.
    Middle,
    /// Longer.
    Long,
}

impl Length {
    /// From the shortest to the longest.
    pub const ALL: [Self; 3] = [Self::Short, Self::Middle, Self::Long];

    /// The length of a time.
    #[must_use]
    pub const fn of(span: &Span) -> Self {
        let length = span.until.saturating_sub(span.from);
        if length <= DAY {
            Self::Short
        } else if length <= MONTH {
            Self::Middle
        } else {
            Self::Long
        }
    }

    /// What stands behind a compartment, and before a time, of that length.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Short => "",
            Self::Middle => "~",
            Self::Long => "~~",
        }
    }

    /// The earliest start of what ends after that time.
    const fn back_from(self, after: Micros) -> Option<Micros> {
        match self {
            Self::Short => Some(after.saturating_sub(DAY)),
            Self::Middle => Some(after.saturating_sub(MONTH)),
            Self::Long => None,
        }
    }
}

/// A fact, as a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FactRow {
    /// The patient, empty, or either with `~` behind it.
    pub compartment: String,
    /// What was found.
    pub param_id: ParamId,
    /// Its value.
    pub value: String,
    /// The resource's place.
    pub sort_key: String,
    /// When the fact's own time ends, where its value begins with a time; else when the clinical date ends, if there is one.
    pub ends_at: Option<Micros>,
}

/// A reference that an include may follow, as a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkRow {
    /// The parameter.
    pub param_id: ParamId,
    /// `Type/id`.
    pub target: String,
}

/// The compartment of a resource: its patient's, or the common one.
#[must_use]
pub fn compartment(indexed: &IndexedResource) -> &str {
    indexed.owner.sole().map_or("", Id::as_str)
}

/// The rows of a resource's facts.
#[must_use]
pub fn fact_rows(indexed: &IndexedResource) -> Vec<FactRow> {
    let mut rows = Vec::new();
    let compartment = compartment(indexed);
    let clinical = indexed.clinical();
    let ends_at = clinical.map(|span| span.until);
    let length = clinical.as_ref().map_or(Length::Short, Length::of);
    let mut add = |compartment: &str, param_id: ParamId, value: &str, ends_at: Option<Micros>| {
        for mark in BTreeSet::from([Length::Short.mark(), length.mark()]) {
            let (compartment, sort_key) = ([compartment, mark].concat(), indexed.sort_key.as_str().to_owned());
            rows.push(FactRow { compartment, param_id, value: value.to_owned(), sort_key, ends_at });
        }
    };
    add(compartment, ParamId::everything(indexed.kind), "", ends_at);
    // What is about several patients' resources is found beside each of them.
    let target = provenance_target().map(|param| param.id);
    for (param, fact) in indexed.facts.iter().filter(|(param, _)| is_kept(param)) {
        for (value, own) in spelled(param, fact) {
            add(compartment, param.id, &value, own.or(ends_at));
            if param.identifying {
                add("", param.id, &value, own.or(ends_at));
            }
            if Some(param.id) == target && compartment.is_empty() {
                for patient in indexed.owner.patients() {
                    add(patient.as_str(), param.id, &value, own.or(ends_at));
                }
            }
        }
    }
    for pair in pairs(indexed.kind) {
        // A patient's own record has one Patient: its pairs are for searches among all.
        let compartment = if indexed.kind == ResourceType::Patient { "" } else { compartment };
        for one in indexed.facts_of(pair.first) {
            for other in indexed.facts_of(pair.second) {
                for (value, own) in spelled_pair(pair, one, other) {
                    add(compartment, pair.param_id, &value, own.or(ends_at));
                }
            }
        }
    }
    rows.sort();
    rows.dedup();
    rows
}

/// The rows of what a resource's includable references point to.
#[must_use]
pub fn link_rows(indexed: &IndexedResource) -> Vec<LinkRow> {
    indexed.links.iter().map(|(param, target)| LinkRow { param_id: param.id, target: target.to_string() }).collect()
}

/// Whether the facts of a parameter are rows of their own: not where the key already says them, as the id, the patient
/// and the clinical date.
fn is_kept(param: &Param) -> bool {
    !(param.clinical || param.name == "patient" || param.kind == Kind::Id)
}

/// The values under which a fact is kept, and the end of its own time. Every form in which a query may ask is a value, so
/// that each is found by equality.
fn spelled(param: &Param, fact: &Fact) -> Vec<(String, Option<Micros>)> {
    let plain = |value: String| (value, None);
    match fact {
        Fact::Id(id) => vec![plain(id.to_string())],
        Fact::Token { code, .. } if matches!(param.kind, Kind::Code(_)) => vec![plain(code.clone())],
        Fact::Token { system, code } => {
            let of_system = (!system.is_empty()).then(|| plain(format!("{system}{UNIT}")));
            let coded = [plain(code.clone()), plain(format!("{system}{UNIT}{code}"))];
            coded.into_iter().filter(|_| !code.is_empty()).chain(of_system).collect()
        }
        Fact::Span(span) => {
            vec![(format!("{}{}", Length::of(span).mark(), oldest_first(Some(span.from))), Some(span.until))]
        }
        Fact::Text { folded, written } => word_starts(folded)
            .flat_map(|tail| {
                beginnings(tail).map(|beginning| format!("{BEGINNING}{beginning}")).chain([format!("{FOLDED}{tail}")])
            })
            .chain([format!("{WRITTEN}{written}")])
            .map(plain)
            .collect(),
        Fact::Reference(target) => vec![plain(target.clone())],
    }
}

/// The beginnings of a tail that are values of their own, from the shortest.
fn beginnings(tail: &str) -> impl Iterator<Item = &str> {
    let ends = tail.char_indices().map(|(at, c)| at + c.len_utf8()).take(LONGEST_BEGINNING);
    ends.filter_map(|end| tail.get(..end))
}

/// The values under which a pair of facts is kept, as [`spelled`].
fn spelled_pair(pair: &Pair, one: &Fact, other: &Fact) -> Vec<(String, Option<Micros>)> {
    let each_with_each = |ones: Vec<(String, Option<Micros>)>, others: Vec<(String, Option<Micros>)>| {
        let with = |(one, _): &(String, Option<Micros>)| {
            let with_one = |(other, own): &(String, Option<Micros>)| (paired(one, other), *own);
            others.iter().map(with_one).collect::<Vec<_>>()
        };
        ones.iter().flat_map(with).collect()
    };
    match (pair.form, one, other) {
        (PairForm::Years, _, Fact::Span(date)) => {
            let ones = if pair.first == pair.second { vec![(String::new(), None)] } else { asked_for(pair.first, one) };
            each_with_each(ones, date_cover::keys(date).into_iter().map(|key| (key, None)).collect())
        }
        (PairForm::Beginnings, Fact::Text { folded: one, .. }, Fact::Text { folded: other, .. }) => {
            let tails = word_starts(one).flat_map(|one| word_starts(other).map(move |other| (one, other)));
            let equally_long = |(one, other)| {
                let ones = beginnings(one).zip(beginnings(other));
                ones.map(|(one, other)| (paired(one, other), None)).collect::<Vec<_>>()
            };
            tails.flat_map(equally_long).collect()
        }
        (PairForm::Values, _, _) => each_with_each(asked_for(pair.first, one), asked_for(pair.second, other)),
        (PairForm::Years | PairForm::Beginnings, _, _) => Vec::new(),
    }
}

/// The values of a fact that one clause of a pair asks for: all, but for the whole tails of a text.
fn asked_for(param: &Param, fact: &Fact) -> Vec<(String, Option<Micros>)> {
    let is_tail = |value: &str| matches!(fact, Fact::Text { .. }) && value.starts_with(FOLDED);
    spelled(param, fact).into_iter().filter(|(value, _)| !is_tail(value)).collect()
}

/// The value of a pair.
#[must_use]
pub fn paired(first: &str, second: &str) -> String {
    format!("{first}{PAIR}{second}")
}

/// The value that a criterion asks for, where it asks for one.
#[must_use]
pub fn exact(criterion: &Criterion) -> Option<String> {
    match criterion {
        Criterion::Id(id) => Some(id.to_string()),
        Criterion::Code(code) => Some(code.clone()),
        Criterion::Coded { system, code } => Some(format!("{system}{UNIT}{code}")),
        Criterion::System(system) => Some(format!("{system}{UNIT}")),
        Criterion::Refers(target) => Some(target.clone()),
        Criterion::Is(written) => Some(format!("{WRITTEN}{written}")),
        Criterion::Begins(text) if text.chars().nth(LONGEST_BEGINNING).is_none() => Some(format!("{BEGINNING}{text}")),
        Criterion::Begins(_)
        | Criterion::Present
        | Criterion::Contains(_)
        | Criterion::Within(_)
        | Criterion::StartsBefore(_)
        | Criterion::StartsFrom(_)
        | Criterion::EndsAfter(_)
        | Criterion::EndsBy(_) => None,
    }
}

/// What a criterion asks of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairCondition {
    /// A value that its facts are kept under in a pair.
    pub value: String,
    /// Whether all that have the value satisfy the criterion.
    pub whole: bool,
}

/// What a criterion asks of a pair of that form, where it asks for one value.
#[must_use]
pub fn half(criterion: &Criterion, form: PairForm) -> Option<PairCondition> {
    let (text, whole) = match (criterion, form) {
        (Criterion::Begins(text), _) => (text.clone(), true),
        (Criterion::Is(written), PairForm::Beginnings) => (fold(written), false),
        (_, _) => return exact(criterion).map(|value| PairCondition { value, whole: true }),
    };
    let beginning = beginnings(&text).last()?;
    let whole = whole && beginning == text;
    let value = if form == PairForm::Beginnings { beginning.to_owned() } else { format!("{BEGINNING}{beginning}") };
    Some(PairCondition { value, whole })
}

impl PairCondition {
    /// The two, cut to the length of the shorter. Nothing where the longer by itself says more, by experience: three letters
    /// find less than one and one.
    #[must_use]
    pub fn equally_long(&self, other: &Self) -> Option<(Self, Self)> {
        let (one, two) = (self.value.chars().count(), other.value.chars().count());
        let length = one.min(two);
        (one.max(two) < 3 * length).then(|| (self.beginning(length), other.beginning(length)))
    }

    fn beginning(&self, length: usize) -> Self {
        let end = self.value.char_indices().nth(length).map_or(self.value.len(), |(at, _)| at);
        let value = self.value.get(..end).unwrap_or_default().to_owned();
        Self { whole: self.whole && end == self.value.len(), value }
    }
}

/// Values of facts that stand in the order of the answer, or are put into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexKeys {
    /// One value.
    One(String),
    /// One value, whose facts may or may not be what is asked for.
    Unsure(String),
    /// Those from the first and before the second.
    Between(String, String),
}

impl IndexKeys {
    /// The same in a pair, behind the value of its first half.
    #[must_use]
    pub fn behind(&self, first: &str) -> Self {
        match self {
            Self::One(value) => Self::One(paired(first, value)),
            Self::Unsure(value) => Self::Unsure(paired(first, value)),
            Self::Between(from, until) => Self::Between(paired(first, from), paired(first, until)),
        }
    }
}

/// Values between two, and what else a row must satisfy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The first value.
    pub from: String,
    /// The first value behind.
    pub until: String,
    /// The row's time must end later than this.
    pub after: Option<Micros>,
    /// The row's time must end by this.
    pub by: Option<Micros>,
    /// A text that must stand in the value.
    pub part: Option<String>,
}

/// The ranges of values that a criterion asks for: it holds for a fact that has a value in one of them. For a pair,
/// `prefix` is the first value and what stands behind it.
#[must_use]
pub fn ranges(criterion: &Criterion, prefix: &str) -> Vec<Range> {
    let between = |from: &str, until: &str| Range {
        from: format!("{prefix}{from}"),
        until: format!("{prefix}{until}"),
        after: None,
        by: None,
        part: None,
    };
    match criterion {
        Criterion::Present => vec![between("", END)],
        Criterion::Begins(text) => vec![between(&format!("{FOLDED}{text}"), &format!("{FOLDED}{text}{END}"))],
        Criterion::Contains(text) => {
            vec![Range { part: Some(text.clone()), ..between(&FOLDED.to_string(), &format!("{FOLDED}{END}")) }]
        }
        Criterion::Within(_)
        | Criterion::StartsBefore(_)
        | Criterion::StartsFrom(_)
        | Criterion::EndsAfter(_)
        | Criterion::EndsBy(_) => window(criterion).map(|window| window.ranges(prefix)).unwrap_or_default(),
        Criterion::Id(_)
        | Criterion::Code(_)
        | Criterion::Coded { .. }
        | Criterion::System(_)
        | Criterion::Refers(_)
        | Criterion::Is(_) => {
            let value = exact(criterion).unwrap_or_default();
            vec![between(&value, &format!("{value}\u{1}"))]
        }
    }
}

/// What a criterion on a date asks of a time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DateWindow {
    /// The earliest start, inclusive.
    pub from: Option<Micros>,
    /// The latest start, exclusive.
    pub before: Option<Micros>,
    /// The time must end later than this.
    pub after: Option<Micros>,
    /// The time must end by this.
    pub by: Option<Micros>,
}

/// The window of a criterion on a date; nothing where no time can satisfy it.
#[must_use]
pub fn window(criterion: &Criterion) -> Option<DateWindow> {
    let any = DateWindow::default();
    match criterion {
        Criterion::Present => Some(any),
        Criterion::Within(span) => {
            Some(DateWindow { from: Some(span.from), before: Some(span.until), by: Some(span.until), ..any })
        }
        Criterion::StartsBefore(time) => Some(DateWindow { before: Some(*time), ..any }),
        Criterion::StartsFrom(time) => Some(DateWindow { from: Some(*time), ..any }),
        Criterion::EndsAfter(time) => Some(DateWindow { after: Some(*time), ..any }),
        Criterion::EndsBy(time) => Some(DateWindow { before: Some(*time), by: Some(*time), ..any }),
        Criterion::Id(_)
        | Criterion::Code(_)
        | Criterion::Coded { .. }
        | Criterion::System(_)
        | Criterion::Refers(_)
        | Criterion::Begins(_)
        | Criterion::Contains(_)
        | Criterion::Is(_) => None,
    }
}

/// The earlier of two times, of which none may be said.
#[must_use]
pub fn earlier(one: Option<Micros>, other: Option<Micros>) -> Option<Micros> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl DateWindow {
    /// The window of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            from: self.from.max(other.from),
            before: earlier(self.before, other.before),
            after: self.after.max(other.after),
            by: earlier(self.by, other.by),
        }
    }

    /// Whether no time satisfies it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let crossed = |low: Option<Micros>, high: Option<Micros>| low.zip(high).is_some_and(|(low, high)| low >= high);
        crossed(self.from, self.before) || crossed(self.after, self.by)
    }

    /// The earliest start that it admits of what lasts so long.
    #[must_use]
    pub fn from(&self, length: Length) -> Option<Micros> {
        self.from.max(self.after.and_then(|after| length.back_from(after)))
    }

    /// The values that it admits, by their lengths.
    #[must_use]
    pub fn ranges(&self, prefix: &str) -> Vec<Range> {
        let bound = |length: Length, time: Option<Micros>, open: &str| match time {
            Some(time) => format!("{prefix}{}{}", length.mark(), oldest_first(Some(time))),
            None => format!("{prefix}{}{open}", length.mark()),
        };
        // Codes of times are of hexadecimal digits, all of which come before `~`.
        let part = |length: Length| Range {
            from: bound(length, self.from(length), ""),
            until: bound(length, self.before, "~"),
            after: self.after,
            by: self.by,
            part: None,
        };
        Length::ALL.map(part).into()
    }
}

/// The sort key behind all that start at that time or later, and before all that start earlier.
#[must_use]
pub fn sort_key_at(start: Micros) -> String {
    let mut sort_key = newest_first(Some(start));
    sort_key.push(AFTER_IDS);
    sort_key
}

/// The sort key behind all.
pub const LAST_RANK: &str = "~";
