//! Parameters of type token (<https://hl7.org/fhir/R4/search.html#token>), over CodeableConcept, Coding, `code` and
//! Identifier.
//!
//! A fact is a system and a code. Codes are compared without regard to ASCII case, systems and identifiers exactly.

use serde_json::Value;

use super::escape::{split, unescape};
use super::{IndexKey, KeyMatch, Kind, bad, text_of};
use crate::fhir::{Issue, Language, ResourceType, quoted};
use crate::search::{Criterion, Fact, Param};

/// The end of a system that is an index key, a control character that no code contains.
pub const UNIT: char = '\u{1f}';

/// A comparison with a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenCriterion {
    /// The code, in any system or in none.
    Code(String),
    /// The code in that system, or without a system if it is empty.
    Coded {
        /// The system, exactly.
        system: String,
        /// The code, in lower case except for identifiers.
        code: String,
    },
    /// Any code of that system.
    System(String),
}

impl TokenCriterion {
    /// Returns whether a token satisfies it.
    pub(in crate::search) fn holds(&self, in_system: &str, of_code: &str) -> bool {
        match self {
            Self::Code(code) => code == of_code,
            Self::Coded { system, code } => system == in_system && code == of_code,
            Self::System(system) => system == in_system,
        }
    }

    /// The index key of the tokens that satisfy it.
    pub(in crate::search) fn key(&self) -> KeyMatch {
        match self {
            Self::Code(code) => KeyMatch::of(code.clone()),
            Self::Coded { system, code } => KeyMatch { value: code.clone(), rest: Some(system.clone()) },
            Self::System(system) => KeyMatch::of(format!("{system}{UNIT}")),
        }
    }

    /// Describes it in English, by a verb and an object.
    pub(in crate::search) fn words(&self) -> (&'static str, String) {
        let object = match self {
            Self::Code(code) => code.clone(),
            Self::Coded { system, code } if system.is_empty() => format!("{code} of no system"),
            Self::Coded { system, code } => format!("{code} of {system}"),
            Self::System(system) => format!("any code of {system}"),
        };
        ("is", object)
    }

    /// Describes it without a code system that has a code, by a verb and an object.
    pub(in crate::search) fn in_short(&self, language: Language) -> (&'static str, String) {
        let object = match self {
            Self::Code(code) | Self::Coded { code, .. } => code.clone(),
            Self::System(system) => format!("{} {system}", language.of(["any code of", "cualquier código de"])),
        };
        (language.of(["is", "es"]), object)
    }
}

/// Adds the codings of a CodeableConcept, or the element itself if it is a Coding. `text` is not searched.
pub(super) fn facts_of_codings(element: &Value, add: &mut dyn FnMut(Fact)) {
    let listed = element.get("coding").and_then(Value::as_array);
    for coding in listed.map_or(std::slice::from_ref(element), Vec::as_slice) {
        coded(text_of(coding, "system"), text_of(coding, "code").map(str::to_ascii_lowercase), add);
    }
}

/// Adds the code of an element of type `code`, in the system that its binding implies.
pub(super) fn facts_of_code(element: &Value, system: &str, add: &mut dyn FnMut(Fact)) {
    if let Some(code) = element.as_str() {
        add(Fact::Token { system: system.to_owned(), code: code.to_ascii_lowercase() });
    }
}

/// Adds the system and the value of an Identifier.
pub(super) fn facts_of_identifier(element: &Value, add: &mut dyn FnMut(Fact)) {
    coded(text_of(element, "system"), text_of(element, "value").map(str::to_owned), add);
}

/// Adds a code, a system, or both. A search for `system|` finds a system alone.
fn coded(system: Option<&str>, code: Option<String>, add: &mut dyn FnMut(Fact)) {
    if system.is_some() || code.is_some() {
        add(Fact::Token { system: system.unwrap_or_default().to_owned(), code: code.unwrap_or_default() });
    }
}

/// The index keys of a token: its code, with the system as the rest, and its system. If the system is implied, the code
/// alone is the key.
pub(super) fn keys(kind: Kind, system: &str, code: &str) -> Vec<IndexKey> {
    if matches!(kind, Kind::Code(_)) {
        return vec![IndexKey::of(code.to_owned())];
    }
    let of_system = (!system.is_empty()).then(|| format!("{system}{UNIT}"));
    let coded = (!code.is_empty()).then(|| IndexKey { value: code.to_owned(), rest: system.to_owned() });
    coded.into_iter().chain(of_system.map(IndexKey::of)).collect()
}

/// FHIR's code for a code that the contract misspells: it lists `recurrance` where FHIR has `recurrence`. Apps that
/// follow the contract send that spelling, so it finds FHIR's code too (decision 11).
fn corrected(param: &Param, code: &str) -> Option<&'static str> {
    let is_clinical_status = param.on == ResourceType::Condition && param.name == "clinical-status";
    (is_clinical_status && code == "recurrance").then_some("recurrence")
}

/// Parses a value: `code`, `system|code`, `|code` or `system|`. Without a criterion, nothing can match.
///
/// # Errors
/// If the value has none of these forms.
pub(super) fn parse(param: &Param, raw: &str) -> Result<Vec<Criterion>, Issue> {
    const FORMS: &str =
        "code, system|code, |code or system|; a comma, bar, dollar or backslash inside is escaped by \\";
    let parts: Vec<_> = split(raw, '|').into_iter().map(unescape).collect();
    let (system, code) = match &parts[..] {
        [code] => (None, code.as_str()),
        [system, code] if !(system.is_empty() && code.is_empty()) => (Some(system.as_str()), code.as_str()),
        _ => return Err(bad(format!("{} is not a token.", quoted(raw)), FORMS)),
    };
    let folded = if param.kind == Kind::Identifier { code.to_owned() } else { code.to_ascii_lowercase() };
    let corrected = corrected(param, &folded);
    let codes = std::iter::once(folded).chain(corrected.map(str::to_owned));
    let criteria: Vec<TokenCriterion> = match (param.kind, system) {
        (Kind::Code(implied), Some(system)) if system != implied => Vec::new(),
        (Kind::Code(_), Some(_)) if code.is_empty() => return Ok(vec![Criterion::Present]),
        (Kind::Code(_), _) | (_, None) => codes.map(TokenCriterion::Code).collect(),
        (_, Some(system)) if code.is_empty() => vec![TokenCriterion::System(system.to_owned())],
        (_, Some(system)) => codes.map(|code| TokenCriterion::Coded { system: system.to_owned(), code }).collect(),
    };
    Ok(criteria.into_iter().map(Criterion::Token).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{found, parsed};
    use super::*;
    use ResourceType as T;
    use serde_json::json;

    fn code(code: &str) -> Criterion {
        Criterion::Token(TokenCriterion::Code(code.into()))
    }

    #[test]
    fn a_token_has_four_forms() {
        let coded = |system: &str, code: &str| {
            Criterion::Token(TokenCriterion::Coded { system: system.into(), code: code.into() })
        };
        for (raw, criterion) in [
            ("ABC", code("abc")),
            ("http://S|ABC", coded("http://S", "abc")),
            ("|ABC", coded("", "abc")),
            ("http://S|", Criterion::Token(TokenCriterion::System("http://S".into()))),
            (r"a\|b", code("a|b")),
            (r"s\|1|a\,b\\c\$", coded("s|1", r"a,b\c$")),
            ("µmol/L", code("µmol/l")),
        ] {
            assert_eq!(parsed(T::Observation, "code", raw), Ok(vec![criterion]), "{raw}");
        }
        for bad in ["", "|", "a|b|c"] {
            assert!(parsed(T::Observation, "code", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn code_elements_have_an_implied_system() {
        let status = |raw: &str| parsed(T::Observation, "status", raw).unwrap();
        assert_eq!(status("final"), [code("final")]);
        assert_eq!(status("http://hl7.org/fhir/observation-status|FINAL"), [code("final")]);
        assert_eq!(status("http://hl7.org/fhir/observation-status|"), [Criterion::Present]);
        assert_eq!(status("|final"), []);
        assert_eq!(status("http://other|final"), []);
    }

    #[test]
    fn identifiers_keep_their_case() {
        assert_eq!(parsed(T::Patient, "identifier", "Ab"), Ok(vec![code("Ab")]));
    }

    #[test]
    fn the_misspelt_code_of_the_contract_finds_the_code_of_fhir() {
        let codes = parsed(T::Condition, "clinical-status", "recurrance").unwrap();
        assert_eq!(codes, [code("recurrance"), code("recurrence")]);
        assert_eq!(parsed(T::Condition, "clinical-status", "recurrence").unwrap().len(), 1);
    }

    #[test]
    fn codes_are_folded_and_systems_are_not() {
        let condition = json!({"id": "c", "code": {"coding": [{"system": "S", "code": "A54.4† M73"}, {"code": "B"}, {"display": "x"}], "text": "t"}, "category": [{"text": "only"}]});
        assert_eq!(found(T::Condition, &condition), ["_id=c", "code=S|a54.4† m73", "code=|b"]);
    }

    #[test]
    fn code_elements_carry_the_system_of_their_binding() {
        let facts = found(T::Procedure, &json!({"status": "completed"}));
        assert_eq!(facts, ["status=http://hl7.org/fhir/event-status|completed"]);
    }

    #[test]
    fn identifiers_are_exact_and_may_lack_a_system() {
        let patient = json!({"identifier": [{"system": "S", "value": "Ab 1"}, {"value": "X"}, {"system": "only"}]});
        assert_eq!(found(T::Patient, &patient), ["identifier=S|Ab 1", "identifier=|X", "identifier=only|"]);
    }

    #[test]
    fn no_system_is_a_system_of_its_own() {
        let coded = |system: &str| TokenCriterion::Coded { system: system.into(), code: "a".into() };
        assert!(coded("").holds("", "a") && !coded("s").holds("", "a"));
        assert!(TokenCriterion::Code("a".into()).holds("", "a"));
        assert!(!coded("").holds("s", "a"));
    }
}
