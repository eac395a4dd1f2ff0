//! Parameters of type token (<https://hl7.org/fhir/R4/search.html#token>). They are all of one kind, which reads
//! elements of several forms.
//!
//! Codes are compared without regard to ASCII case, systems and identifiers exactly, phone numbers by their digits.

use serde_json::Value;

use super::breadth::Breadth;
use super::element::{malformed, text_of};
use super::escape::{split, unescape};
use super::form::{Comparisons, ParamKind, RawValue};
use super::index::IndexKey;
use super::modifier::Modifier;
use super::reference::target;
use super::token::{Token, TokenCriterion};
use crate::carrier::is_of_binary;
use crate::fold::fold;
use fhir::{Issue, ResourceType, quoted};

/// The kind of parameters of type token, except `_id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokens {
    /// The form of the elements.
    pub form: Form,
    /// The system that the binding of elements of type `code` implies. Empty if no system is known.
    pub system: &'static str,
}

/// The form of the elements of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A CodeableConcept or Coding.
    Concept,
    /// A CodeableConcept or Coding, or in its place a boolean or a uri, which counts as a code without a system.
    Mixed,
    /// An element of type `code`.
    Code,
    /// An Identifier.
    Identifier,
    /// An Identifier, by its type and its value.
    OfType,
    /// An Attachment, by the address of the Binary that has its content.
    Attachment,
    /// A Reference, by the identifier that it has, or by its address as a code without a system.
    Party,
    /// A ContactPoint.
    Contact,
    /// A string, uri or id, which is compared as a whole.
    Word,
    /// A boolean.
    Boolean,
    /// An element that may be false. Any other value counts as true, and a missing element as false.
    Existence,
}

/// The systems of `true` and `false`: the one in the text of R4, and the one that R4 publishes
/// (<https://hl7.org/fhir/R4/search.html#token>).
const SPECIAL_VALUES: [&str; 2] =
    ["http://hl7.org/fhir/special-values", "http://terminology.hl7.org/CodeSystem/special-values"];
/// The systems of a ContactPoint whose values are phone numbers.
const PHONES: [&str; 4] = ["phone", "fax", "pager", "sms"];

impl Tokens {
    pub(super) fn name(self) -> &'static str {
        match self.form {
            Form::Concept | Form::Mixed => "Token",
            Form::Code => "Code",
            Form::Identifier | Form::OfType => "Identifier",
            Form::Attachment => "Attachment",
            Form::Party => "Reference",
            Form::Contact => "Contact",
            Form::Word => "Word",
            Form::Boolean | Form::Existence => "Boolean",
        }
    }

    pub(super) fn value_of_none(self) -> Option<Token> {
        (self.form == Form::Existence).then(|| Token { system: String::new(), code: false.to_string() })
    }

    pub(super) fn modifiers(self) -> &'static [Modifier] {
        match self.form {
            Form::Identifier => &[Modifier::Missing, Modifier::Not, Modifier::OfType, Modifier::Text],
            Form::Concept | Form::Mixed => &[Modifier::Missing, Modifier::Not, Modifier::Text],
            Form::Code
            | Form::Attachment
            | Form::Party
            | Form::OfType
            | Form::Contact
            | Form::Word
            | Form::Boolean
            | Form::Existence => &[Modifier::Missing, Modifier::Not],
        }
    }

    pub(super) fn breadth(self) -> Breadth {
        match self.form {
            Form::Code | Form::Boolean | Form::Existence => Breadth::CommonCode,
            Form::Identifier | Form::Attachment | Form::Party | Form::OfType | Form::Contact => Breadth::Identifier,
            Form::Concept | Form::Mixed | Form::Word => Breadth::Code,
        }
    }

    pub(super) fn gives_names(self) -> bool {
        matches!(self.form, Form::Identifier | Form::Attachment | Form::Party)
    }

    pub(super) fn implied_system(self) -> Option<&'static str> {
        Some(self.system).filter(|system| !system.is_empty())
    }
}

impl ParamKind for Tokens {
    type Value = Token;
    type Comparison = TokenCriterion;

    /// Adds the codings of a CodeableConcept, or the element itself. The text of a concept is not searched.
    fn values(&self, element: &Value, add: &mut dyn FnMut(Token)) {
        let mut add_code = |system: &str, code: String| add(Token { system: system.to_owned(), code });
        match (self.form, element) {
            (Form::Concept | Form::Mixed, Value::Object(_)) => {
                let listed = element.get("coding").and_then(Value::as_array);
                for coding in listed.map_or(std::slice::from_ref(element), Vec::as_slice) {
                    let code = text_of(coding, "code").map(str::to_ascii_lowercase);
                    Token::of(text_of(coding, "system"), code).into_iter().for_each(&mut *add);
                }
            }
            (Form::Identifier, Value::Object(_)) => {
                let value = text_of(element, "value").map(str::to_owned);
                Token::of(text_of(element, "system"), value).into_iter().for_each(add);
            }
            (Form::Attachment, Value::Object(_)) => {
                let address = text_of(element, "url").filter(|address| is_of_binary(address));
                address.into_iter().for_each(|address| add_code("", address.to_owned()));
            }
            (Form::Party, Value::Object(_)) => {
                // A party, or a characteristic of a Group that its members have.
                let has_it = element.get("exclude") != Some(&Value::Bool(true));
                let element = element.get("valueReference").filter(|_| has_it).unwrap_or(element);
                target(element).into_iter().for_each(|address| add_code("", address));
                // Without a system, an identifier could pass for an address.
                if let Some(identifier) = element.get("identifier")
                    && let (Some(system), Some(value)) = (text_of(identifier, "system"), text_of(identifier, "value"))
                {
                    add_code(system, value.to_owned());
                }
            }
            (Form::OfType, Value::Object(_)) => {
                let types = element.get("type").and_then(|of| of.get("coding")).and_then(Value::as_array);
                for coding in types.into_iter().flatten() {
                    if let (Some(code), Some(value)) = (text_of(coding, "code"), text_of(element, "value")) {
                        add_code(text_of(coding, "system").unwrap_or_default(), typed(code, value));
                    }
                }
            }
            (Form::Contact, Value::Object(_)) => {
                let is_phone = text_of(element, "system").is_some_and(|system| PHONES.contains(&system));
                let code = text_of(element, "value").and_then(if is_phone { phone } else { folded });
                code.into_iter().for_each(|code| add_code("", code));
            }
            (Form::Mixed, Value::Bool(is)) => {
                ["", SPECIAL_VALUES[0], SPECIAL_VALUES[1]].iter().for_each(|system| add_code(system, is.to_string()));
            }
            (Form::Boolean | Form::Existence, Value::Bool(is)) => add_code("", is.to_string()),
            (Form::Existence, Value::String(_)) => add_code("", true.to_string()),
            (Form::Code, Value::String(code)) => add_code(self.system, code.to_ascii_lowercase()),
            (Form::Word | Form::Mixed, Value::String(word)) if !word.is_empty() => {
                add_code("", word.to_ascii_lowercase());
            }
            _ => {}
        }
    }

    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<TokenCriterion>, Issue> {
        if self.form == Form::OfType {
            return of_type(value.text);
        }
        let (system, code) = parts(value.text)?;
        let of_codes = |codes: Vec<String>| codes.into_iter().map(TokenCriterion::Code).collect();
        Ok(match (self.form, system) {
            (Form::Boolean | Form::Existence, system) => return truth(system.as_deref(), &code),
            (Form::Contact | Form::Word, Some(_)) => {
                return Err(malformed(
                    format!("\"{}\" has no systems, as in {}.", value.param, quoted(value.text)),
                    "a value; a comma, bar, dollar or backslash inside is escaped by \\",
                ));
            }
            (Form::Contact, None) => {
                Comparisons::OneOf(of_codes([phone(&code), folded(&code)].into_iter().flatten().collect()))
            }
            (Form::Word, None) => Comparisons::OneOf(of_codes(vec![code.to_ascii_lowercase()])),
            // A code always has a system, even if the system is unknown.
            (Form::Code, Some(system)) if system.is_empty() || self.implied_system().is_some_and(|of| of != system) => {
                Comparisons::OneOf(Vec::new())
            }
            (Form::Code, Some(_)) if code.is_empty() => Comparisons::AnyValue,
            (Form::Code, _) => Comparisons::OneOf(of_codes(codes(value, code.to_ascii_lowercase()))),
            (Form::Identifier | Form::Attachment | Form::Party | Form::OfType, system) => {
                Comparisons::OneOf(coded(system, &code, vec![code.clone()]))
            }
            (Form::Concept | Form::Mixed, system) => {
                Comparisons::OneOf(coded(system, &code, codes(value, code.to_ascii_lowercase())))
            }
        })
    }

    /// Returns only the code where the system is implied or absent, or where a search always names both.
    fn keys(&self, token: &Token) -> Vec<IndexKey> {
        match self.form {
            Form::Concept | Form::Mixed | Form::Identifier | Form::Attachment | Form::Party => token.keys(),
            Form::OfType => vec![IndexKey { value: token.code.clone(), rest: token.system.clone() }],
            Form::Code | Form::Contact | Form::Word | Form::Boolean | Form::Existence => {
                vec![IndexKey::of(token.code.clone())]
            }
        }
    }
}

/// Parses a value into its system and its code: `code`, `system|code`, `|code` or `system|`.
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

/// Parses the value of `:of-type`: the type of an identifier and its value.
///
/// # Errors
/// If one of the three parts is missing. An empty system counts as missing.
fn of_type(raw: &str) -> Result<Comparisons<TokenCriterion>, Issue> {
    let parts: Vec<String> = split(raw, '|').into_iter().map(unescape).collect();
    match parts.as_slice() {
        [system, code, value] if !(code.is_empty() || value.is_empty()) => {
            Ok(Comparisons::OneOf(vec![TokenCriterion::Coded { system: system.clone(), code: typed(code, value) }]))
        }
        _ => Err(malformed(format!("{} has no type and value.", quoted(raw)), "system|code|value")),
    }
}

/// Returns the code of an identifier of a type, which is compared without regard to ASCII case, and its value.
fn typed(code: &str, value: &str) -> String {
    format!("{}|{value}", code.to_ascii_lowercase())
}

/// Returns the comparisons with a boolean. `true` and `false` have two systems.
///
/// # Errors
/// If the code is another word.
fn truth(system: Option<&str>, code: &str) -> Result<Comparisons<TokenCriterion>, Issue> {
    match (system, code) {
        (Some(system), _) if !(system.is_empty() || SPECIAL_VALUES.contains(&system)) => {
            Ok(Comparisons::OneOf(Vec::new()))
        }
        (Some(_), "") => Ok(Comparisons::AnyValue),
        (_, "true" | "false") => Ok(Comparisons::OneOf(vec![TokenCriterion::Code(code.to_owned())])),
        _ => Err(malformed(format!("{} is neither true nor false.", quoted(code)), "true or false")),
    }
}

/// Returns a phone number by its digits, as a URI, so that it equals no other contact. `None` if it has no digits.
fn phone(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
    (!digits.is_empty()).then(|| format!("tel:{digits}"))
}

/// Returns a contact of any other kind, folded like a string.
fn folded(text: &str) -> Option<String> {
    Some(fold(text)).filter(|text| !text.is_empty())
}

/// Returns the codes that a code of a query stands for. The contract misspells a code: it lists `recurrance` where FHIR
/// has `recurrence`. Apps that follow the contract send that spelling, so it also finds FHIR's code.
fn codes(value: &RawValue<'_>, code: String) -> Vec<String> {
    let is_clinical_status = value.resource_type == ResourceType::Condition && value.param == "clinical-status";
    let corrected = (is_clinical_status && code == "recurrance").then(|| "recurrence".to_owned());
    std::iter::once(code).chain(corrected).collect()
}

/// Returns the comparisons with these codes in the given system, if any, or with all codes of a system if `code` is
/// empty.
fn coded(system: Option<String>, code: &str, codes: Vec<String>) -> Vec<TokenCriterion> {
    match system {
        None => codes.into_iter().map(TokenCriterion::Code).collect(),
        Some(system) if code.is_empty() => vec![TokenCriterion::System(system)],
        Some(system) => codes.into_iter().map(|code| TokenCriterion::Coded { system: system.clone(), code }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::parsed;
    use super::*;
    use crate::kind::Criterion;
    use ResourceType as T;
    use serde_json::json;

    #[test]
    fn every_form_of_an_element_has_its_own_values() {
        let values = |form, element: &Value| {
            let mut found = Vec::new();
            Tokens { form, system: "" }
                .values(element, &mut |Token { system, code }| found.push(format!("{system}|{code}")));
            found
        };
        let typed = json!({"type": {"coding": [{"system": "http://T", "code": "MR"}, {"code": "x"}]}, "value": "Ab|1"});
        let contact = |system: &str, value: &str| json!({"system": system, "value": value});
        for (form, element, expected) in [
            (Form::Boolean, json!(false), &["|false"][..]),
            (Form::Boolean, json!("2020"), &[]),
            (Form::Existence, json!("2020"), &["|true"]),
            (Form::Word, json!("V 1.0"), &["|v 1.0"]),
            (Form::Word, json!(""), &[]),
            (Form::Contact, contact("sms", "+1 (555) 010-9999"), &["|tel:+15550109999"]),
            (Form::Contact, contact("email", "Ann@X.org"), &["|ann@x.org"]),
            (Form::Contact, contact("phone", "none"), &[]),
            (Form::Mixed, json!({"coding": [{"code": "A"}]}), &["|a"]),
            (Form::Mixed, json!("http://X"), &["|http://x"]),
            (
                Form::Mixed,
                json!(true),
                &[
                    "|true",
                    "http://hl7.org/fhir/special-values|true",
                    "http://terminology.hl7.org/CodeSystem/special-values|true",
                ],
            ),
            (Form::Concept, json!("A"), &[]),
            (Form::OfType, typed, &["http://T|mr|Ab|1", "|x|Ab|1"]),
            (Form::OfType, json!({"type": {"text": "t"}, "value": "1"}), &[]),
        ] {
            assert_eq!(values(form, &element), expected, "{element}");
        }
    }

    #[test]
    fn a_code_of_a_system_that_is_not_known_is_found_with_any_system() {
        let language = |raw: &str| parsed(T::DocumentReference, "language", raw).unwrap();
        assert_eq!(language("urn:ietf:bcp:47|EN"), language("en"));
        assert_eq!((language("|en"), language("urn:ietf:bcp:47|")), (vec![], vec![Criterion::Present]));
    }
}
