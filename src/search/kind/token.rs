//! The values of parameters of type token, and the comparison with them. A value is a system and a code.

use super::breadth::Breadth;
use super::element::MAX_LENGTH;
use super::form::{Comparison, FactValue, Phrase};
use super::index::{IndexKey, KeyMatch, Lookup, NameValue};
use crate::sort_value::SortValue;
use crate::words::Texts;

/// The end of a system that is an index key: a control character that no code contains.
const UNIT: char = '\u{1f}';

/// A code and its system, either of which may be empty. Codes are compared exactly, since `tokens.rs` has folded them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The code system, or the identifier's namespace.
    pub system: String,
    /// The code, or the identifier's value.
    pub code: String,
}

impl Token {
    /// Returns the token of a code, a system, or both. A search for `system|` finds a token with only a system.
    pub(super) fn of(system: Option<&str>, code: Option<String>) -> Option<Self> {
        (system.is_some() || code.is_some())
            .then(|| Self { system: system.unwrap_or_default().to_owned(), code: code.unwrap_or_default() })
    }

    /// Returns two keys: the code with the system as the rest, and the system.
    pub(super) fn keys(&self) -> Vec<IndexKey> {
        let Self { system, code } = self;
        let of_system = (!system.is_empty()).then(|| format!("{system}{UNIT}"));
        let coded = (!code.is_empty()).then(|| IndexKey { value: code.clone(), rest: system.clone() });
        coded.into_iter().chain(of_system.map(IndexKey::of)).collect()
    }
}

impl FactValue for Token {
    fn text(&self) -> String {
        format!("{}{UNIT}{}", self.system, self.code)
    }

    /// Returns the code followed by its system.
    fn sort_value(&self) -> SortValue {
        SortValue::of_parts(&self.code, &self.system)
    }

    fn is_short(&self) -> bool {
        self.system.len() <= MAX_LENGTH && self.code.len() <= MAX_LENGTH
    }

    fn is_separable(&self) -> bool {
        !self.system.contains(UNIT) && !self.code.contains(UNIT)
    }
}

/// A comparison with a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenCriterion {
    /// The code, in any system or in none.
    Code(String),
    /// The code in that system. An empty system means a code without a system.
    Coded {
        /// The system, exactly.
        system: String,
        /// The code, in lower case except for identifiers.
        code: String,
    },
    /// Any code in that system.
    System(String),
}

impl TokenCriterion {
    /// Returns the name of the resources that have such a token.
    pub(super) fn name(&self) -> NameValue<'_> {
        match self {
            Self::Code(code) | Self::Coded { code, .. } => NameValue::Value(code),
            Self::System(system) => NameValue::System(system),
        }
    }
}

impl Comparison for TokenCriterion {
    type Value = Token;

    fn holds(&self, token: &Token) -> bool {
        match self {
            Self::Code(code) => *code == token.code,
            Self::Coded { system, code } => *system == token.system && *code == token.code,
            Self::System(system) => *system == token.system,
        }
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Key(match self {
            Self::Code(code) => KeyMatch::of(code.clone()),
            Self::Coded { system, code } => KeyMatch { value: code.clone(), rest: Some(system.clone()) },
            Self::System(system) => KeyMatch::of(format!("{system}{UNIT}")),
        }))
    }

    fn breadth(&self) -> Option<Breadth> {
        matches!(self, Self::System(_)).then_some(Breadth::CommonCode)
    }

    fn words(&self) -> Phrase {
        let object = match self {
            Self::Code(code) => code.clone(),
            Self::Coded { system, code } if system.is_empty() => format!("{code} of no system"),
            Self::Coded { system, code } => format!("{code} of {system}"),
            Self::System(system) => format!("any code of {system}"),
        };
        ("is", object)
    }

    /// Leaves out a code system if there is a code.
    fn in_short(&self, texts: &Texts) -> Phrase {
        let object = match self {
            Self::Code(code) | Self::Coded { code, .. } => code.clone(),
            Self::System(system) => format!("{} {system}", texts.any_code_of),
        };
        (texts.is, object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_system_is_a_system_of_its_own() {
        let coded = |system: &str| TokenCriterion::Coded { system: system.into(), code: "a".into() };
        let token = |system: &str| Token { system: system.into(), code: "a".into() };
        assert!(coded("").holds(&token("")) && !coded("s").holds(&token("")));
        assert!(TokenCriterion::Code("a".into()).holds(&token("")));
        assert!(!coded("").holds(&token("s")));
    }
}
