//! What the search parameters find in a resource, normalised once, when it is loaded. The stores keep facts; what a query
//! compares with them is a [`super::Criterion`].

use serde_json::Value;

use super::fold::fold;
use super::include::includes;
use super::param::{Kind, Param};
use super::registry::params_of;
use crate::fhir::{Id, Reference, ResourceType, Span, each};

/// One value that a parameter finds in a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// The logical id.
    Id(Id),
    /// A code in a system; one of them is empty where there is none. The code is in ASCII lower case, but for identifiers.
    Token {
        /// The code system, or the identifier's namespace.
        system: String,
        /// The code, or the identifier's value.
        code: String,
    },
    /// A time.
    Span(Span),
    /// A string.
    Text {
        /// As it compares.
        folded: String,
        /// As it stands in the resource.
        written: String,
    },
    /// A reference: `Type/id`, or an address outside of this server.
    Reference(String),
}

/// The facts of one resource.
pub type Facts = Vec<(&'static Param, Fact)>;

/// The longest string that is searched, in bytes of its folded form. FHIR allows a megabyte; a name that long would be
/// kept once for each of its words.
const LONGEST_TEXT: usize = 2_000;

/// A control character that no code and no system has: stores put it between the two.
pub const UNIT: char = '\u{1f}';

/// The facts of a resource, in the order of the registry. A chained parameter looks into what `target` gives for a
/// reference. Elements that are not of their parameter's form carry no fact, and nothing inside `contained` does.
#[must_use]
pub fn facts(kind: ResourceType, resource: &Value, target: &dyn Fn(&Reference) -> Option<Value>) -> Facts {
    let mut found = Facts::new();
    for param in params_of(kind).filter(|param| !is_excepted(param, resource)) {
        let mut add = |fact| {
            if let Fact::Token { system, code } = &fact
                && (system.contains(UNIT) || code.contains(UNIT))
            {
                return;
            }
            let fact = (param, fact);
            if !found.contains(&fact) {
                found.push(fact);
            }
        };
        match param.via {
            None => read(param, resource, &mut add),
            // What is of another type than the chain leads to has nothing to say: its scope was never asked for.
            Some((reference, to)) => each(resource, reference, &mut |element| {
                let follow = |text: String| target(&Reference::parse(&text).filter(|found| found.kind == to)?);
                if let Some(chained) = reference_of(element).and_then(follow) {
                    read(param, &chained, &mut add);
                }
            }),
        }
    }
    found
}

/// The resources that a resource's includable parameters point to.
#[must_use]
pub fn links(kind: ResourceType, resource: &Value) -> Vec<(&'static Param, Reference)> {
    let mut found = Vec::new();
    for include in includes(kind) {
        for path in include.param.paths {
            each(resource, path, &mut |element| {
                let target = reference_of(element).and_then(|text| Reference::parse(&text));
                if let Some(target) = target.filter(|target| target.kind == include.to) {
                    let link = (include.param, target);
                    if !found.contains(&link) {
                        found.push(link);
                    }
                }
            });
        }
    }
    found
}

fn is_excepted(param: &Param, resource: &Value) -> bool {
    let Some((path, code)) = param.unless else { return false };
    let mut excepted = false;
    each(resource, path, &mut |element| excepted |= element.as_str() == Some(code));
    excepted
}

fn read(param: &Param, resource: &Value, add: &mut dyn FnMut(Fact)) {
    for path in param.paths {
        each(resource, path, &mut |element| match param.kind {
            Kind::Id => element.as_str().and_then(Id::parse).map(Fact::Id).into_iter().for_each(&mut *add),
            Kind::Token => codings(element, add),
            Kind::Code(system) => {
                if let Some(code) = element.as_str() {
                    add(token(system, &code.to_ascii_lowercase()));
                }
            }
            Kind::Identifier => {
                coded(text_of(element, "system"), text_of(element, "value").map(str::to_owned), add);
            }
            Kind::Date => Span::of_element(element).map(Fact::Span).into_iter().for_each(&mut *add),
            Kind::Text => {
                if let Some(written) = element.as_str().filter(|written| !written.is_empty()) {
                    add(Fact::Text { folded: cut(fold(written)), written: cut(written.to_owned()) });
                }
            }
            Kind::Reference(_) => reference_of(element).map(Fact::Reference).into_iter().for_each(&mut *add),
            Kind::Canonical => {
                if let Some(address) = element.as_str() {
                    add(Fact::Reference(address.to_owned()));
                    if let Some((unversioned, _)) = address.split_once('|') {
                        add(Fact::Reference(unversioned.to_owned()));
                    }
                }
            }
        });
    }
}

/// The codings of a CodeableConcept, or the one that the element is. Text alone is no code.
fn codings(element: &Value, add: &mut dyn FnMut(Fact)) {
    let listed = element.get("coding").and_then(Value::as_array);
    for coding in listed.map_or(std::slice::from_ref(element), Vec::as_slice) {
        coded(text_of(coding, "system"), text_of(coding, "code").map(str::to_ascii_lowercase), add);
    }
}

/// A code, a system, or both; a system alone is found by `system|`.
fn coded(system: Option<&str>, code: Option<String>, add: &mut dyn FnMut(Fact)) {
    if system.is_some() || code.is_some() {
        add(token(system.unwrap_or_default(), &code.unwrap_or_default()));
    }
}

fn token(system: &str, code: &str) -> Fact {
    Fact::Token { system: system.to_owned(), code: code.to_owned() }
}

fn text_of<'a>(element: &'a Value, name: &str) -> Option<&'a str> {
    element.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The literal reference of a Reference element, without its version. One into `contained` leads nowhere.
fn reference_of(element: &Value) -> Option<String> {
    let text = text_of(element, "reference").filter(|text| !text.starts_with('#'))?;
    Some(Reference::unversioned(text).to_owned())
}

fn cut(mut text: String) -> String {
    let mut at = LONGEST_TEXT.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    text.truncate(at);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(kind: ResourceType, resource: &Value) -> Vec<String> {
        let encoding = |(param, fact): &(&Param, Fact)| match fact {
            Fact::Id(id) => format!("{}={id}", param.name),
            Fact::Token { system, code } => format!("{}={system}|{code}", param.name),
            Fact::Span(span) => format!("{}={}..{}", param.name, span.from, span.until),
            Fact::Text { folded, .. } => format!("{}={folded}", param.name),
            Fact::Reference(text) => format!("{}={text}", param.name),
        };
        facts(kind, resource, &|_| None).iter().map(encoding).collect()
    }

    #[test]
    fn codes_fold_and_systems_do_not() {
        let condition = json!({"id": "c", "code": {"coding": [{"system": "S", "code": "A54.4† M73"}, {"code": "B"}, {"display": "x"}], "text": "t"}, "category": [{"text": "only"}]});
        assert_eq!(found(ResourceType::Condition, &condition), ["_id=c", "code=S|a54.4† m73", "code=|b"]);
    }

    #[test]
    fn code_elements_carry_the_system_of_their_binding() {
        let facts = found(ResourceType::Procedure, &json!({"status": "completed"}));
        assert_eq!(facts, ["status=http://hl7.org/fhir/event-status|completed"]);
    }

    #[test]
    fn identifiers_are_exact_and_may_lack_a_system() {
        let patient = json!({"identifier": [{"system": "S", "value": "Ab 1"}, {"value": "X"}, {"system": "only"}]});
        assert_eq!(found(ResourceType::Patient, &patient), ["identifier=S|Ab 1", "identifier=|X", "identifier=only|"]);
    }

    #[test]
    fn an_allergy_entered_in_error_has_no_clinical_status() {
        let status = json!({"coding": [{"code": "active"}]});
        let wrong = json!({"clinicalStatus": status, "verificationStatus": {"coding": [{"code": "entered-in-error"}]}});
        assert_eq!(found(ResourceType::AllergyIntolerance, &wrong), Vec::<String>::new());
        assert_eq!(
            found(ResourceType::AllergyIntolerance, &json!({"clinicalStatus": status})),
            ["clinical-status=|active"]
        );
    }

    #[test]
    fn contained_resources_and_references_into_them_have_no_facts() {
        let request = json!({"contained": [{"resourceType": "Medication", "id": "m", "status": "active"}], "medicationReference": {"reference": "#m"}, "subject": {"reference": "Patient/p/_history/2"}});
        assert_eq!(found(ResourceType::MedicationRequest, &request), ["patient=Patient/p"]);
    }

    #[test]
    fn a_chain_reads_the_target() {
        let role = json!({"practitioner": {"reference": "Practitioner/p"}});
        let target = |reference: &Reference| {
            (reference.id.as_str() == "p")
                .then(|| json!({"name": [{"family": "Páez"}], "identifier": [{"value": "7"}]}))
        };
        let facts = facts(ResourceType::PractitionerRole, &role, &target);
        let names: Vec<_> = facts.iter().map(|(param, _)| param.name).collect();
        assert_eq!(names, ["practitioner", "practitioner.identifier", "practitioner.name"]);
    }

    #[test]
    fn a_chain_leads_to_its_own_type_alone() {
        let role = json!({"practitioner": {"reference": "Patient/p"}});
        let facts = facts(ResourceType::PractitionerRole, &role, &|_| Some(json!({"name": [{"family": "Páez"}]})));
        assert_eq!(facts.iter().map(|(param, _)| param.name).collect::<Vec<_>>(), ["practitioner"]);
    }

    #[test]
    fn a_canonical_is_found_with_and_without_its_version() {
        let response = json!({"questionnaire": "http://x/q|2"});
        assert_eq!(
            found(ResourceType::QuestionnaireResponse, &response),
            ["questionnaire=http://x/q|2", "questionnaire=http://x/q"]
        );
    }

    #[test]
    fn elements_of_another_shape_are_passed_over() {
        let odd = json!({"status": 7, "code": "text", "effectiveDateTime": {"a": 1}, "category": [[null], 3, {"coding": {}}], "subject": "x"});
        assert_eq!(found(ResourceType::Observation, &odd), Vec::<String>::new());
    }

    #[test]
    fn a_very_long_name_is_cut_at_a_character() {
        let long = "é".repeat(10) + &"ф".repeat(2000);
        let patient = json!({"name": [{"family": long}]});
        let facts = facts(ResourceType::Patient, &patient, &|_| None);
        assert!(
            facts.iter().all(|(_, fact)| matches!(fact, Fact::Text { folded, .. } if folded.len() <= LONGEST_TEXT))
        );
    }
}
