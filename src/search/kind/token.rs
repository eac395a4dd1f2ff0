//! Parameters of type token (<https://hl7.org/fhir/R4/search.html#token>), over CodeableConcept, Coding, `code` and
//! Identifier.
//!
//! A fact is a system and a code. Codes are compared without regard to ASCII case, systems and identifiers exactly.

use serde_json::Value;

use super::breadth::Breadth;
use super::element::{LONGEST, malformed, text_of};
use super::escape::{split, unescape};
use super::form::{Comparison, Comparisons, FactValue, ParamKind, Phrase, RawValue};
use super::index::{IndexKey, KeyMatch, Lookup, NameValue};
use super::modifier::Modifier;
use crate::fhir::{Issue, Language, ResourceType, quoted};
use crate::search::sort_value::SortValue;

/// The end of a system that is an index key, a control character that no code contains.
const UNIT: char = '\u{1f}';
/// The modifiers of all tokens.
const MODIFIERS: &[Modifier] = &[Modifier::Missing, Modifier::Not];

/// The kind of parameters over a CodeableConcept or Coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concepts;

/// The kind of parameters over an element of type `code`, with the system that its binding implies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codes(pub &'static str);

/// The kind of parameters over an Identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identifiers;

impl ParamKind for Concepts {
    type Value = Token;
    type Comparison = TokenCriterion;

    fn name(&self) -> &'static str {
        "Token"
    }

    fn fhir_type(&self) -> &'static str {
        "token"
    }

    /// The codings of a CodeableConcept, or the element itself if it is a Coding. `text` is not searched.
    fn values(&self, element: &Value, add: &mut dyn FnMut(Token)) {
        let listed = element.get("coding").and_then(Value::as_array);
        for coding in listed.map_or(std::slice::from_ref(element), Vec::as_slice) {
            let code = text_of(coding, "code").map(str::to_ascii_lowercase);
            Token::of(text_of(coding, "system"), code).into_iter().for_each(&mut *add);
        }
    }

    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<TokenCriterion>, Issue> {
        let (system, code) = parts(value.text)?;
        Ok(Comparisons::OneOf(coded(system, &code, codes(value, code.to_ascii_lowercase()))))
    }

    fn modifiers(&self) -> &'static [Modifier] {
        MODIFIERS
    }

    fn keys(&self, token: &Token) -> Vec<IndexKey> {
        token.keys()
    }

    fn is_coded(&self) -> bool {
        true
    }
}

impl ParamKind for Codes {
    type Value = Token;
    type Comparison = TokenCriterion;

    fn name(&self) -> &'static str {
        "Code"
    }

    fn fhir_type(&self) -> &'static str {
        "token"
    }

    fn values(&self, element: &Value, add: &mut dyn FnMut(Token)) {
        if let Some(code) = element.as_str() {
            add(Token { system: self.0.to_owned(), code: code.to_ascii_lowercase() });
        }
    }

    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<TokenCriterion>, Issue> {
        let (system, code) = parts(value.text)?;
        Ok(match system {
            Some(system) if system != self.0 => Comparisons::OneOf(Vec::new()),
            Some(_) if code.is_empty() => Comparisons::AnyValue,
            Some(_) | None => {
                let codes = codes(value, code.to_ascii_lowercase());
                Comparisons::OneOf(codes.into_iter().map(TokenCriterion::Code).collect())
            }
        })
    }

    /// The code alone, since the system is implied.
    fn modifiers(&self) -> &'static [Modifier] {
        MODIFIERS
    }

    fn keys(&self, token: &Token) -> Vec<IndexKey> {
        vec![IndexKey::of(token.code.clone())]
    }

    fn breadth(&self) -> Breadth {
        Breadth::CommonCode
    }

    fn is_coded(&self) -> bool {
        true
    }

    fn implied_system(&self) -> Option<&'static str> {
        Some(self.0)
    }
}

impl ParamKind for Identifiers {
    type Value = Token;
    type Comparison = TokenCriterion;

    fn name(&self) -> &'static str {
        "Identifier"
    }

    fn fhir_type(&self) -> &'static str {
        "token"
    }

    fn values(&self, element: &Value, add: &mut dyn FnMut(Token)) {
        let value = text_of(element, "value").map(str::to_owned);
        Token::of(text_of(element, "system"), value).into_iter().for_each(add);
    }

    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<TokenCriterion>, Issue> {
        let (system, code) = parts(value.text)?;
        Ok(Comparisons::OneOf(coded(system, &code, codes(value, code.clone()))))
    }

    fn modifiers(&self) -> &'static [Modifier] {
        MODIFIERS
    }

    fn keys(&self, token: &Token) -> Vec<IndexKey> {
        token.keys()
    }

    fn breadth(&self) -> Breadth {
        Breadth::Identifier
    }

    fn gives_names(&self) -> bool {
        true
    }
}

/// The system and the code of a value: `code`, `system|code`, `|code` or `system|`.
///
/// # Errors
/// If the value has none of these forms.
fn parts(raw: &str) -> Result<(Option<String>, String), Issue> {
    const FORMS: &str =
        "code, system|code, |code or system|; a comma, bar, dollar or backslash inside is escaped by \\";
    let mut parts = split(raw, '|').into_iter().map(unescape);
    match (parts.next().unwrap_or_default(), parts.next(), parts.next()) {
        (code, None, None) => Ok((None, code)),
        (system, Some(code), None) if !(system.is_empty() && code.is_empty()) => Ok((Some(system), code)),
        _ => Err(malformed(format!("{} is not a token.", quoted(raw)), FORMS)),
    }
}

/// The codes that a code of a query stands for. FHIR's code is added to one that the contract misspells: it lists
/// `recurrance` where FHIR has `recurrence`. Apps that follow the contract send that spelling, so it finds FHIR's code
/// too (decision 11).
fn codes(value: &RawValue<'_>, code: String) -> Vec<String> {
    let is_clinical_status = value.on == ResourceType::Condition && value.param == "clinical-status";
    let corrected = (is_clinical_status && code == "recurrance").then(|| "recurrence".to_owned());
    std::iter::once(code).chain(corrected).collect()
}

/// The comparisons with these codes in a system, if one is given, or with all codes of a system if the code is empty.
fn coded(system: Option<String>, code: &str, codes: Vec<String>) -> Vec<TokenCriterion> {
    match system {
        None => codes.into_iter().map(TokenCriterion::Code).collect(),
        Some(system) if code.is_empty() => vec![TokenCriterion::System(system)],
        Some(system) => codes.into_iter().map(|code| TokenCriterion::Coded { system: system.clone(), code }).collect(),
    }
}

/// A code and its system, either of which may be empty. The code is in ASCII lower case, except for identifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The code system, or the identifier's namespace.
    pub system: String,
    /// The code, or the identifier's value.
    pub code: String,
}

impl Token {
    /// A code, a system, or both. A search for `system|` finds a system alone.
    fn of(system: Option<&str>, code: Option<String>) -> Option<Self> {
        (system.is_some() || code.is_some())
            .then(|| Self { system: system.unwrap_or_default().to_owned(), code: code.unwrap_or_default() })
    }

    /// Its code, with the system as the rest, and its system.
    fn keys(&self) -> Vec<IndexKey> {
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

    /// The code, then its system.
    fn sort_value(&self) -> SortValue {
        SortValue::of_parts(&self.code, &self.system)
    }

    fn is_short(&self) -> bool {
        self.system.len() <= LONGEST && self.code.len() <= LONGEST
    }

    fn is_separable(&self) -> bool {
        !self.system.contains(UNIT) && !self.code.contains(UNIT)
    }

    fn names(&self) -> Vec<NameValue<'_>> {
        vec![NameValue::Value(&self.code), NameValue::System(&self.system)]
    }
}

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

    fn name(&self) -> Option<NameValue<'_>> {
        Some(match self {
            Self::Code(code) | Self::Coded { code, .. } => NameValue::Value(code),
            Self::System(system) => NameValue::System(system),
        })
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

    /// Leaves out a code system that has a code.
    fn in_short(&self, language: Language) -> Phrase {
        let object = match self {
            Self::Code(code) | Self::Coded { code, .. } => code.clone(),
            Self::System(system) => format!("{} {system}", language.of(["any code of", "cualquier código de"])),
        };
        (language.of(["is", "es"]), object)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{found, parsed};
    use super::*;
    use crate::search::kind::Criterion;
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
        assert_eq!(found(T::Condition, &condition), ["_id=c", "code=S|a54.4† m73", "code=|b", "_present=|category"]);
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
        let token = |system: &str| Token { system: system.into(), code: "a".into() };
        assert!(coded("").holds(&token("")) && !coded("s").holds(&token("")));
        assert!(TokenCriterion::Code("a".into()).holds(&token("")));
        assert!(!coded("").holds(&token("s")));
    }
}
