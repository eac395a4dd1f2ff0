//! The encoding of two facts of a resource as one, for the [`Pair`]s of parameters that are searched by together: both
//! keys with a separator between them.

use super::date_cover;
use crate::search::kind::string::{beginning_key, beginnings, is_tail};
use crate::search::kind::{IndexKey, StringCriterion, index_keys};
use crate::search::{Criterion, Fact, Pair, PairForm, Param, fold, word_starts};

/// The separator of the two keys of a pair.
const SEPARATOR: char = '\u{1e}';

/// The key of a pair.
#[must_use]
pub fn paired(first: &str, second: &str) -> String {
    format!("{first}{SEPARATOR}{second}")
}

/// The keys under which a pair of facts is stored.
pub(super) fn pair_keys(pair: &Pair, one: &Fact, other: &Fact) -> Vec<IndexKey> {
    match (pair.form, one, other) {
        (PairForm::Years, _, Fact::Span(date)) => {
            let alone = pair.first == pair.second;
            let ones = if alone { vec![IndexKey::of(String::new())] } else { asked_for(pair.first, one) };
            let years: Vec<_> = date_cover::keys(date).into_iter().map(IndexKey::of).collect();
            each_with_each(&ones, &years)
        }
        (PairForm::Beginnings, Fact::String { folded: one, .. }, Fact::String { folded: other, .. }) => {
            let tails = word_starts(one).flat_map(|one| word_starts(other).map(move |other| (one, other)));
            let equally_long = |(one, other)| {
                let ones = beginnings(one).zip(beginnings(other));
                ones.map(|(one, other)| IndexKey::of(paired(one, other))).collect::<Vec<_>>()
            };
            tails.flat_map(equally_long).collect()
        }
        (PairForm::Values, _, _) => each_with_each(&asked_for(pair.first, one), &asked_for(pair.second, other)),
        (PairForm::Years | PairForm::Beginnings, _, _) => Vec::new(),
    }
}

fn each_with_each(ones: &[IndexKey], others: &[IndexKey]) -> Vec<IndexKey> {
    let with = |one: &IndexKey| {
        let pair = |other: &IndexKey| IndexKey { value: paired(&one.value, &other.value), ends_at: other.ends_at };
        others.iter().map(pair).collect::<Vec<_>>()
    };
    ones.iter().flat_map(with).collect()
}

/// The keys of a fact that occur in pairs: all, except those of the whole tails of a string.
fn asked_for(param: &Param, fact: &Fact) -> Vec<IndexKey> {
    let is_tail = |key: &IndexKey| matches!(fact, Fact::String { .. }) && is_tail(&key.value);
    index_keys(param, fact).into_iter().filter(|key| !is_tail(key)).collect()
}

/// The half of a pair's key that a criterion looks up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairCondition {
    /// The key.
    pub value: String,
    /// True if every fact with that key satisfies the criterion.
    pub whole: bool,
}

impl PairCondition {
    /// The condition of a criterion on a pair of that form, if the criterion has one key.
    #[must_use]
    pub fn of(criterion: &Criterion, form: PairForm) -> Option<Self> {
        let (text, whole) = match (criterion, form) {
            (Criterion::String(StringCriterion::Begins(text)), _) => (text.clone(), true),
            (Criterion::String(StringCriterion::Is(written)), PairForm::Beginnings) => (fold(written), false),
            (_, _) => return criterion.key().map(|value| Self { value, whole: true }),
        };
        let beginning = beginnings(&text).last()?;
        let whole = whole && beginning == text;
        let value = if form == PairForm::Beginnings { beginning.to_owned() } else { beginning_key(beginning) };
        Some(Self { value, whole })
    }

    /// Cuts both to the length of the shorter one. Returns `None` if the longer one is at least three times as long,
    /// because it then usually finds fewer rows alone.
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

/// Keys to look up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexKeys {
    /// One key, whose rows are in the order of the answer.
    One(String),
    /// One key, of whose rows each has to be compared with the clause.
    Unsure(String),
    /// The keys from the first up to the second, exclusive, whose rows have to be sorted.
    Between(String, String),
}

impl IndexKeys {
    /// The same keys as second halves of pairs with this first half.
    #[must_use]
    pub fn behind(&self, first: &str) -> Self {
        match self {
            Self::One(value) => Self::One(paired(first, value)),
            Self::Unsure(value) => Self::Unsure(paired(first, value)),
            Self::Between(from, until) => Self::Between(paired(first, from), paired(first, until)),
        }
    }
}
