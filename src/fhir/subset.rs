//! A part of a resource: some of its elements (`_elements`), or a summary of it (`_summary`).
//! <https://hl7.org/fhir/R4/search.html#elements>, <https://hl7.org/fhir/R4/search.html#summary>
//!
//! Elements that identify the resource, change its meaning, or are mandatory in R4 are always kept. An element that is
//! kept has all its extensions: a mandatory one may consist only of extensions, such as a reason why data is absent.
//! Everything that is kept has its original spelling.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde_json::Value;
use serde_json::value::RawValue;

use super::ResourceType;
use super::json::{Elements, write_name};
use super::tables::{columns, lines, words};

/// The requested part of resources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Subset {
    /// The whole resource.
    #[default]
    Whole,
    /// The elements with these names. A choice of types is named without a type, `value`, or with a type,
    /// `valueQuantity`.
    Elements(Vec<String>),
    /// The elements that are marked in their definitions as part of a summary.
    Summary,
    /// The narrative.
    Text,
    /// Everything except the narrative.
    Data,
}

impl Subset {
    /// Returns the subset that a value of `_summary` names.
    pub fn of_summary(value: &str) -> Option<Self> {
        match value {
            "true" => Some(Self::Summary),
            "text" => Some(Self::Text),
            "data" => Some(Self::Data),
            "false" => Some(Self::Whole),
            _ => None,
        }
    }

    /// Returns a text that is unique to the subset.
    pub fn label(&self) -> Cow<'static, str> {
        match self {
            Self::Whole => "whole".into(),
            Self::Elements(names) => format!("elements {}", names.join(",")).into(),
            Self::Summary => "summary".into(),
            Self::Text => "text".into(),
            Self::Data => "data".into(),
        }
    }

    /// Returns whether the subset leaves nothing out of a match.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        *self == Self::Whole
    }

    /// Returns whether the subset leaves nothing out of an included resource. `_elements` applies only to matches.
    #[must_use]
    pub const fn includes_whole(&self) -> bool {
        matches!(self, Self::Whole | Self::Elements(_))
    }

    /// Returns the subset of a resource, tagged SUBSETTED.
    ///
    /// # Errors
    /// If the text, or its `meta`, is not a JSON object.
    pub fn cut(&self, resource_type: ResourceType, text: &str) -> Result<String, serde_json::Error> {
        let elements = Elements::of(text)?;
        let summary = summary_of(resource_type);
        let essential = || resource_type.essential().iter().copied();
        // An element with a name of its own is not a choice: `statusDate` is not a typed `status`.
        let is_own = |name: &str| words(summary.kept).chain(essential()).any(|element| element == name);
        let keeps = |name: &str| match self {
            Self::Whole => true,
            Self::Elements(wanted) => wanted.iter().any(|element| {
                let is_choice = || is_choice(name, element) && elements.get(element).is_none() && !is_own(name);
                element == name || is_choice()
            }),
            Self::Summary => words(summary.kept).any(|element| is_element(name, element)),
            Self::Text => name == "text",
            Self::Data => name != "text",
        };
        let is_essential = |name: &str| ALWAYS.contains(&name) || essential().any(|element| is_element(name, element));
        let left_out: Vec<&str> = words(summary.left_out).filter(|_| *self == Self::Summary).collect();
        let mut out = String::with_capacity(text.len());
        out.push('{');
        let mut tagged = Some(tagged(elements.get("meta"))?);
        for (name, value) in &elements.0 {
            let plain = plain(name);
            if plain == "meta" || !(is_essential(plain) || keeps(plain)) {
                continue;
            }
            if let Some(value) = without(value.get(), &below(&left_out, plain)) {
                write_member(name, &value, &mut out);
            }
            if name == "id" {
                tagged.take().into_iter().for_each(|meta| write_member("meta", &meta, &mut out));
            }
        }
        tagged.into_iter().for_each(|meta| write_member("meta", &meta, &mut out));
        out.push('}');
        Ok(out)
    }
}

/// The elements of a type in a summary, from `src/fhir/tables/summary.tsv`.
#[derive(Clone, Copy, Default)]
struct Summary {
    /// The elements of the summary, besides those that are always kept.
    kept: &'static str,
    /// The paths of parts of these elements that are left out.
    left_out: &'static str,
}

/// The summaries of all types, in alphabetical order.
static SUMMARIES: LazyLock<Vec<(&str, Summary)>> = LazyLock::new(|| {
    let row = |line| {
        let [name, kept, left_out, ..] = columns(line);
        (name, Summary { kept, left_out })
    };
    lines(include_str!("tables/summary.tsv")).map(row).collect()
});

fn summary_of(resource_type: ResourceType) -> Summary {
    let at = SUMMARIES.binary_search_by(|(name, _)| (*name).cmp(resource_type.name()));
    at.ok().and_then(|at| SUMMARIES.get(at)).map(|(_, summary)| *summary).unwrap_or_default()
}

/// The elements that are kept for every type.
const ALWAYS: [&str; 5] = ["resourceType", "id", "meta", "implicitRules", "modifierExtension"];

/// Returns the name of the element that a member of an object concerns: `_birthDate` has the extensions of `birthDate`.
fn plain(member: &str) -> &str {
    member.strip_prefix('_').unwrap_or(member)
}

/// Returns the remainders of the paths that lead into an element.
fn below<'a>(paths: &[&'a str], name: &str) -> Vec<&'a str> {
    paths.iter().filter_map(|path| path.strip_prefix(name)?.strip_prefix('.')).collect()
}

/// Returns a value without the elements at these paths. `None` if nothing else is left.
fn without<'a>(text: &'a str, left_out: &[&str]) -> Option<Cow<'a, str>> {
    if left_out.is_empty() {
        return Some(Cow::Borrowed(text));
    }
    let mut out = String::with_capacity(text.len());
    let close = if let Ok(Elements(members)) = Elements::of(text) {
        out.push('{');
        for (name, value) in &members {
            let plain = plain(name);
            if !left_out.contains(&plain)
                && let Some(value) = without(value.get(), &below(left_out, plain))
            {
                write_member(name, &value, &mut out);
            }
        }
        '}'
    } else if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) {
        out.push('[');
        for item in items {
            if let Some(item) = without(item.get(), left_out) {
                out.push_str(if out.len() > 1 { "," } else { "" });
                out.push_str(&item);
            }
        }
        ']'
    } else {
        return Some(Cow::Borrowed(text));
    };
    let is_empty = out.len() == 1;
    out.push(close);
    (!is_empty).then_some(Cow::Owned(out))
}

/// Appends a member to an open object.
fn write_member(name: &str, value: &str, out: &mut String) {
    write_name(name, out);
    out.push_str(value);
}

/// The types of the choice elements of R4, as at the end of their names.
const CHOICES: [&str; 34] = [
    "Address",
    "Age",
    "Annotation",
    "Attachment",
    "Base64Binary",
    "Boolean",
    "Canonical",
    "CodeableConcept",
    "Coding",
    "ContactPoint",
    "Count",
    "Date",
    "DateTime",
    "Decimal",
    "Distance",
    "Duration",
    "HumanName",
    "Identifier",
    "Instant",
    "Integer",
    "Markdown",
    "Money",
    "Period",
    "PositiveInt",
    "Quantity",
    "Range",
    "Ratio",
    "Reference",
    "SampledData",
    "String",
    "Time",
    "Timing",
    "UnsignedInt",
    "Uri",
];

/// Returns whether `name` is the choice element `element` with a type, such as `valueQuantity` for `value`.
fn is_choice(name: &str, element: &str) -> bool {
    name.strip_prefix(element).is_some_and(|of| CHOICES.contains(&of))
}

/// Returns whether `name` is the element. `medication[x]` matches `medicationCodeableConcept`. Any other element only
/// matches its own name.
fn is_element(name: &str, element: &str) -> bool {
    element.strip_suffix("[x]").map_or(name == element, |choice| is_choice(name, choice))
}

/// Returns the text of `meta` with the tag SUBSETTED, once.
fn tagged(meta: Option<&str>) -> Result<String, serde_json::Error> {
    const SYSTEM: &str = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue";
    let mut meta: Value = serde_json::from_str(meta.unwrap_or("{}"))?;
    if let Some(members) = meta.as_object_mut() {
        let tags = members.entry("tag").or_insert_with(|| Value::Array(Vec::new()));
        let is_tag = |tag: &Value| tag["system"] == SYSTEM && tag["code"] == "SUBSETTED";
        if let Some(tags) = tags.as_array_mut().filter(|tags| !tags.iter().any(is_tag)) {
            tags.push(serde_json::json!({"system": SYSTEM, "code": "SUBSETTED"}));
        }
    }
    serde_json::to_string(&meta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResourceType as T;

    const TAG: &str = r#"{"system":"http://terminology.hl7.org/CodeSystem/v3-ObservationValue","code":"SUBSETTED"}"#;

    fn elements(names: &[&str]) -> Subset {
        Subset::Elements(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn a_subset_has_nothing_else_and_is_tagged_once() {
        let doctor = r#"{"resourceType":"Practitioner","id":"a","text":{},"active":true,"name":[],"contained":[]}"#;
        let text = Subset::Text.cut(T::Practitioner, doctor).unwrap();
        assert_eq!(text, format!(r#"{{"resourceType":"Practitioner","id":"a","meta":{{"tag":[{TAG}]}},"text":{{}}}}"#));
        let plain = elements(&[]).cut(T::Patient, r#"{"resourceType":"Patient","id":"a","name":[]}"#).unwrap();
        assert_eq!(plain, format!(r#"{{"resourceType":"Patient","id":"a","meta":{{"tag":[{TAG}]}}}}"#));
        assert_eq!(elements(&[]).cut(T::Patient, &plain).unwrap(), plain);
        let odd = r#"{"meta":{"tag":[{"code":"SUBSETTED"}]},"id":"a"}"#;
        assert_eq!(Subset::Data.cut(T::Patient, odd).unwrap().matches("SUBSETTED").count(), 2, "of another system");
        assert!(elements(&[]).cut(T::Patient, "5").is_err());
    }

    #[test]
    fn every_type_has_a_summary() {
        assert!(T::all().map(T::name).eq(SUMMARIES.iter().map(|(name, _)| *name)));
    }
}
