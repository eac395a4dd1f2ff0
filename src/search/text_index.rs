//! The texts of resources, to find records by the words that people read in them. It is not a search of FHIR: it has no
//! parameters, and is for records that somebody already holds.

use serde_json::Value;

use super::fold::{fold, word_starts};

/// The longest part of a text that is looked at, in bytes.
const LONGEST: usize = 4_000;
/// Elements without words for people: addresses, machine values, and documents.
const SILENT: [&str; 17] = [
    "resourceType",
    "id",
    "meta",
    "div",
    "system",
    "reference",
    "url",
    "data",
    "contentType",
    "hash",
    "extension",
    "modifierExtension",
    "instantiatesCanonical",
    "instantiatesUri",
    "version",
    "userSelected",
    "use",
];
/// Elements that say what a resource is about.
const TITLES: [&str; 7] = ["code", "medicationCodeableConcept", "vaccineCode", "type", "title", "description", "name"];

/// The texts of many resources.
#[derive(Debug, Default)]
pub struct TextIndex {
    resources: Vec<Texts>,
}

/// The texts of a resource.
#[derive(Debug)]
struct Texts {
    /// `Type/id`.
    address: String,
    all: Vec<Text>,
}

/// A text of a resource.
#[derive(Debug)]
struct Text {
    /// The element of the resource that it is in.
    element: String,
    written: String,
    folded: String,
}

/// A resource that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding<'a> {
    /// `Type/id`.
    pub address: &'a str,
    /// The element with the first of the words.
    pub element: &'a str,
    /// The text of the element, or the beginning of a long one.
    pub text: &'a str,
}

impl TextIndex {
    /// Adds a resource. One without type or id is left out.
    pub fn add(&mut self, resource: &Value) {
        let text = |name: &str| resource.get(name).and_then(Value::as_str);
        let (Some(resource_type), Some(id), Some(members)) = (text("resourceType"), text("id"), resource.as_object())
        else {
            return;
        };
        let mut all = Vec::new();
        for (element, value) in members.iter().filter(|(name, _)| !SILENT.contains(&name.as_str())) {
            collect(element, value, &mut all);
        }
        self.resources.push(Texts { address: format!("{resource_type}/{id}"), all });
    }

    /// The resources that have all of these words, or words that begin with them, in any order and in any of their
    /// texts: as searches compare them ([`fold`]). Resources that are named so come before those that only mention it,
    /// and otherwise in the order in which they were added. There are `most` at most.
    #[must_use]
    pub fn find(&self, words: &str, most: usize) -> Vec<Finding<'_>> {
        // A word may be several when it is folded (`4548-4`), which follow one another then.
        let folded: Vec<_> = words.split_whitespace().map(fold).filter(|word| !word.is_empty()).collect();
        let words: Vec<_> = folded.iter().map(String::as_str).collect();
        let Some(first) = words.first() else { return Vec::new() };
        let found = self.resources.iter().filter_map(|of| of.finding(&words, first));
        let (named, mentioning): (Vec<_>, Vec<_>) = found.partition(|(_, is_named)| *is_named);
        named.into_iter().chain(mentioning).map(|(finding, _)| finding).take(most).collect()
    }
}

impl Texts {
    /// The finding, and whether the resource is named by all words.
    fn finding(&self, words: &[&str], first: &str) -> Option<(Finding<'_>, bool)> {
        let holds = |word: &&str| self.all.iter().any(|text| text.has(word));
        if !words.iter().all(holds) {
            return None;
        }
        let named = |word: &&str| self.titles().any(|text| text.has(word));
        let first_found = self.titles().chain(&self.all).find(|text| text.has(first))?;
        let finding = Finding { address: &self.address, element: &first_found.element, text: &first_found.written };
        Some((finding, words.iter().all(named)))
    }

    fn titles(&self) -> impl Iterator<Item = &Text> {
        self.all.iter().filter(|text| TITLES.contains(&text.element.as_str()))
    }
}

impl Text {
    fn has(&self, word: &str) -> bool {
        self.folded.contains(word) && word_starts(&self.folded).any(|tail| tail.starts_with(word))
    }
}

/// Adds the texts of a value. A quantity is one text, number and unit.
fn collect(element: &str, value: &Value, all: &mut Vec<Text>) {
    match value {
        Value::String(text) => all.push(Text::of(element, text)),
        Value::Array(items) => items.iter().for_each(|item| collect(element, item, all)),
        Value::Object(members) => {
            if let Some(number) = members.get("value").filter(|number| number.is_number()) {
                let unit = members.get("unit").or(members.get("code")).and_then(Value::as_str).unwrap_or_default();
                all.push(Text::of(element, format!("{number} {unit}").trim_end()));
                return;
            }
            for (_, inner) in members.iter().filter(|(name, _)| !SILENT.contains(&name.as_str())) {
                collect(element, inner, all);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl Text {
    fn of(element: &str, text: &str) -> Self {
        let end = (0..=LONGEST.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        let written = text.get(..end).unwrap_or_default();
        Self { element: element.to_owned(), written: written.to_owned(), folded: fold(written) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn index() -> TextIndex {
        let mut index = TextIndex::default();
        for resource in [
            json!({"resourceType": "Condition", "id": "c", "code": {"text": "Diabetes"}, "note": [{"text": "Metformin helps."}]}),
            json!({"resourceType": "MedicationRequest", "id": "m",
                "medicationCodeableConcept": {"coding": [{"system": "http://rx", "code": "860975", "display": "Métformin 500 MG"}]},
                "subject": {"reference": "Patient/metformin"}}),
            json!({"resourceType": "Observation", "id": "o", "code": {"text": "Hemoglobin A1c"},
                "valueQuantity": {"value": 7.2, "unit": "%", "system": "http://unitsofmeasure.org", "code": "%"},
                "effectiveDateTime": "2026-05-12"}),
            json!({"resourceType": "Observation", "id": "without"}),
            json!({"id": "no type", "code": {"text": "Diabetes"}}),
        ] {
            index.add(&resource);
        }
        index
    }

    #[test]
    fn names_codes_values_dates_and_notes_are_found_by_the_beginning_of_their_words() {
        let index = index();
        let found = |words: &str| index.find(words, 9).iter().map(|one| one.address.to_owned()).collect::<Vec<_>>();
        assert_eq!(found("metformin"), ["MedicationRequest/m", "Condition/c"], "what is named so comes first");
        assert_eq!(found("METF 500"), ["MedicationRequest/m"]);
        assert_eq!(found("860975"), ["MedicationRequest/m"]);
        assert_eq!(found("a1c 7.2"), ["Observation/o"]);
        assert_eq!(found("2026-05"), ["Observation/o"]);
        assert_eq!(found("helps diab"), ["Condition/c"]);
        for none in ["", "  ", "etformin", "diabetes insulin", "unitsofmeasure", "Patient"] {
            assert!(found(none).is_empty(), "{none}");
        }
        assert_eq!(index.find("metformin", 1).len(), 1);
        let note = index.find("helps", 1);
        assert_eq!((note[0].element, note[0].text), ("note", "Metformin helps."));
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let mut index = TextIndex::default();
        let text = format!("{}ü end", "x".repeat(LONGEST - 1));
        index.add(&json!({"resourceType": "Condition", "id": "c", "note": [{"text": text}]}));
        assert!(index.find("end", 1).is_empty());
        assert_eq!(index.find("xxx", 1)[0].text.len(), LONGEST - 1);
    }
}
