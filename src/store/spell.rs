//! How facts are kept as rows of text, and how criteria ask for them: what is stored and what is asked meet in this file.
//!
//! A row says: in this lane, under this slot and value, there is the resource of that rank. A lane is a patient's id, or
//! empty for what is asked without a patient. The key is (lane, slot, value, rank), so that everything of one value stands
//! in the order of the answer.
//!
//! What lasts longer than a day is kept apart, and longer than a month once more ([`Length`]), so that a search for "ends
//! after" needs to look only so much further back than it asks: a resource with a long clinical date stands a second time
//! in a lane of its length, `<lane>~` or `<lane>~~`, and the value of any other long time begins with `~` or `~~`.

use crate::fhir::{Id, Micros, Span};
use crate::search::{
    Criterion, Fact, Kind, Pair, Param, Slot, UNIT, newest_first, oldest_first, pairs, provenance_target, word_starts,
};
use crate::smart::Owner;

use super::settled::Settled;

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
const DAY: Micros = 24 * 60 * 60 * 1_000_000;
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

    const fn of(span: &Span) -> Self {
        let length = span.until.saturating_sub(span.from);
        if length <= DAY {
            Self::Short
        } else if length <= MONTH {
            Self::Middle
        } else {
            Self::Long
        }
    }

    /// What stands behind a lane, and before a time, of that length.
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
    pub lane: String,
    /// What was found.
    pub slot: Slot,
    /// Its value.
    pub value: String,
    /// The resource's place.
    pub rank: String,
    /// When the fact's own time ends, where its value begins with a time; else when the clinical date ends, if there is one.
    pub till: Option<Micros>,
}

/// A reference that an include may follow, as a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkRow {
    /// The parameter.
    pub slot: Slot,
    /// `Type/id`.
    pub target: String,
}

/// The lane of a resource: its patient's, or the common one.
#[must_use]
pub fn lane(settled: &Settled) -> &str {
    settled.owner.sole().map_or("", Id::as_str)
}

/// The rows of a resource's facts.
#[must_use]
pub fn fact_rows(settled: &Settled) -> Vec<FactRow> {
    let mut rows = Vec::new();
    let lane = lane(settled).to_owned();
    let clinical = settled.clinical();
    let till = clinical.map(|span| span.until);
    let length = clinical.as_ref().map_or(Length::Short, Length::of);
    // What is about several patients' resources is found beside each of them.
    let target = provenance_target().map_or(Slot::everything(settled.kind), |param| param.slot);
    let mut add = |slot: Slot, value: String, till: Option<Micros>, common: bool| {
        let row = FactRow { lane: lane.clone(), slot, value, rank: settled.rank.as_str().to_owned(), till };
        if length != Length::Short {
            rows.push(FactRow { lane: format!("{lane}{}", length.mark()), ..row.clone() });
        }
        if common && !lane.is_empty() {
            rows.push(FactRow { lane: String::new(), ..row.clone() });
        }
        if let Owner::Patients(patients) = &settled.owner
            && slot == target
            && lane.is_empty()
        {
            rows.extend(patients.iter().map(|patient| FactRow { lane: patient.to_string(), ..row.clone() }));
        }
        rows.push(row);
    };
    add(Slot::everything(settled.kind), String::new(), till, false);
    for (param, fact) in settled.facts.iter().filter(|(param, _)| is_kept(param)) {
        for (value, own) in spelled(param, fact) {
            add(param.slot, value, own.or(till), param.identifying);
        }
    }
    for Pair { first, second, slot } in pairs(settled.kind).iter().copied() {
        for (one, _) in settled.facts_of(first).flat_map(|fact| spelled(first, fact)) {
            for (other, own) in settled.facts_of(second).flat_map(|fact| spelled(second, fact)) {
                add(slot, paired(&one, &other), own.or(till), false);
            }
        }
    }
    rows.sort();
    rows.dedup();
    rows
}

/// The rows of what a resource's includable references point to.
#[must_use]
pub fn link_rows(settled: &Settled) -> Vec<LinkRow> {
    settled.links.iter().map(|(param, target)| LinkRow { slot: param.slot, target: target.to_string() }).collect()
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
            .flat_map(|tail| beginnings(tail).chain([format!("{FOLDED}{tail}")]))
            .chain([format!("{WRITTEN}{written}")])
            .map(plain)
            .collect(),
        Fact::Reference(target) => vec![plain(target.clone())],
    }
}

/// The beginnings of a tail that are values of their own.
fn beginnings(tail: &str) -> impl Iterator<Item = String> {
    let ends = tail.char_indices().map(|(at, c)| at + c.len_utf8()).take(LONGEST_BEGINNING);
    ends.filter_map(|end| tail.get(..end)).map(|beginning| format!("{BEGINNING}{beginning}"))
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
pub struct Window {
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
pub fn window(criterion: &Criterion) -> Option<Window> {
    let any = Window::default();
    match criterion {
        Criterion::Present => Some(any),
        Criterion::Within(span) => {
            Some(Window { from: Some(span.from), before: Some(span.until), by: Some(span.until), ..any })
        }
        Criterion::StartsBefore(time) => Some(Window { before: Some(*time), ..any }),
        Criterion::StartsFrom(time) => Some(Window { from: Some(*time), ..any }),
        Criterion::EndsAfter(time) => Some(Window { after: Some(*time), ..any }),
        Criterion::EndsBy(time) => Some(Window { before: Some(*time), by: Some(*time), ..any }),
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

impl Window {
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

/// The rank behind all that start at that time or later, and before all that start earlier.
#[must_use]
pub fn rank_at(start: Micros) -> String {
    let mut rank = newest_first(Some(start));
    rank.push(AFTER_IDS);
    rank
}

/// The rank behind all.
pub const LAST_RANK: &str = "~";
