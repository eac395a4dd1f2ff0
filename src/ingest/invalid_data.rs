//! Values of `data` that cannot become documents. The splitter replaces each by a text that says why, and the resource
//! is refused or stored without the value.

use std::fmt::{Display, Formatter};

use serde_json::{Map, Value, json};

use fhir::{MAX_DOCUMENT_LENGTH, may_be_document};

/// The beginning of the texts that replace invalid values. No mark of a document begins so.
const BEGINNING: &str = "~!";
/// The extension that says why an element has no value (<https://hl7.org/fhir/R4/extension-data-absent-reason.html>).
const DATA_ABSENT_REASON: &str = "http://hl7.org/fhir/StructureDefinition/data-absent-reason";

/// The reason why a value of `data` is invalid. It is displayed as the text that replaces the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidData {
    /// The value is neither base64 nor SampledData.
    Sign,
    /// The value begins as base64 but continues otherwise.
    Form,
    /// The value has this number of bytes, which is more than [`MAX_DOCUMENT_LENGTH`].
    Length(u64),
}

impl Display for InvalidData {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(BEGINNING)?;
        match self {
            Self::Sign => f.write_str("sign"),
            Self::Form => f.write_str("form"),
            Self::Length(length) => write!(f, "length.{length}"),
        }
    }
}

impl InvalidData {
    /// Parses the text that replaces a value.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix(BEGINNING)? {
            "sign" => Some(Self::Sign),
            "form" => Some(Self::Form),
            other => other.strip_prefix("length.")?.parse().ok().map(Self::Length),
        }
    }

    /// Returns the reason, as shown to people. `element` is the path of the value.
    pub fn why(self, element: &str) -> String {
        match self {
            Self::Sign => format!("{element} begins with ~, which neither base64 nor SampledData does"),
            Self::Form => format!("{element} is longer than 4 MiB and not base64"),
            Self::Length(length) => {
                format!(
                    "{element} has {length} bytes and a document at most {MAX_DOCUMENT_LENGTH}, so it is left out of \
                     the resource"
                )
            }
        }
    }
}

/// Takes an invalid value: the path of its element, the object that has it, and the name of the member there.
type Take<'t> = dyn FnMut(&Path<'_>, &mut Map<String, Value>, &str, InvalidData) + 't;

/// The path of a value in a resource. It is written only for an invalid value, since names may be long.
enum Path<'p> {
    Root,
    Member(&'p Self, &'p str),
    Item(&'p Self, usize),
}

impl Display for Path<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Member(Self::Root, name) => f.write_str(name),
            Self::Member(of, name) => write!(f, "{of}.{name}"),
            Self::Item(of, at) => write!(f, "{of}[{at}]"),
        }
    }
}

/// Returns the reason for which a resource is refused, if one of its values of `data` is invalid.
pub(super) fn refusal(resource: &mut Value, text: &str) -> Option<String> {
    let mut why = None;
    for_each_invalid(resource, text, &mut |element, _, _, invalid| {
        if !matches!(invalid, InvalidData::Length(_)) {
            why.get_or_insert_with(|| invalid.why(&element.to_string()));
        }
    });
    why
}

/// Removes the values of `data` that are too long from a resource, and writes there why they are absent. Returns a
/// fault for each.
pub(super) fn omit_documents(resource: &mut Value, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for_each_invalid(resource, text, &mut |element, members, name, invalid| {
        if matches!(invalid, InvalidData::Length(_)) {
            members.shift_remove(name);
            // R4 does not have this value, and the source has it: the system was not capable of supporting it.
            let reason = json!({"url": DATA_ABSENT_REASON, "valueCode": "unsupported"});
            let beside = members.entry(format!("_{name}")).or_insert_with(|| json!({}));
            if !beside.is_object() {
                *beside = json!({});
            }
            match beside.get_mut("extension").and_then(Value::as_array_mut) {
                Some(extensions) => extensions.push(reason),
                None => beside["extension"] = json!([reason]),
            }
            faults.push(invalid.why(&element.to_string()));
        }
    });
    faults
}

fn for_each_invalid(resource: &mut Value, text: &str, take: &mut Take<'_>) {
    // The splitter writes these texts without escapes. Only the position in the resource tells what they are.
    if text.contains(&format!("\"{BEGINNING}")) {
        walk(resource, &Path::Root, take);
    }
}

fn walk(value: &mut Value, path: &Path<'_>, take: &mut Take<'_>) {
    match value {
        Value::Array(items) => {
            items.iter_mut().enumerate().for_each(|(at, item)| walk(item, &Path::Item(path, at), take));
        }
        Value::Object(members) => {
            let invalid = |(name, value): (&String, &Value)| {
                let invalid = value.as_str().filter(|_| may_be_document(name.as_bytes())).and_then(InvalidData::parse);
                invalid.map(|invalid| (name.clone(), invalid))
            };
            for (name, invalid) in members.iter().filter_map(invalid).collect::<Vec<_>>() {
                take(&Path::Member(path, &name), members, &name, invalid);
            }
            members.iter_mut().for_each(|(name, member)| walk(member, &Path::Member(path, name), take));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fhir::Document;

    #[test]
    fn a_text_that_replaces_a_value_is_read_as_it_was_written() {
        for invalid in [InvalidData::Sign, InvalidData::Form, InvalidData::Length(52_428_801)] {
            assert_eq!(InvalidData::parse(&invalid.to_string()), Some(invalid));
            assert_eq!(Document::parse(&invalid.to_string()), None);
        }
        for other in ["", "~", "~!", "~!other", "~!length", "~!length.", "~!length.x", "sign"] {
            assert_eq!(InvalidData::parse(other), None, "{other}");
        }
    }

    #[test]
    fn only_the_value_of_a_document_is_one() {
        let refused = |text: &str| refusal(&mut serde_json::from_str(text).unwrap(), text);
        assert_eq!(
            refused(r#"{"content":[{},{"attachment":{"data":"~!form"}}]}"#).as_deref(),
            Some("content[1].attachment.data is longer than 4 MiB and not base64")
        );
        assert!(refused(r#"{"d\u0061ta":"~!sign"}"#).is_some());
        for text in [r#"{"title":"~!form"}"#, r#"{"data":["~!form"]}"#, r#"{"x":{"name":"data","value":"~!sign"}}"#] {
            assert_eq!(refused(text), None, "{text}");
        }
    }

    #[test]
    fn a_document_that_is_too_long_leaves_what_is_beside_it() {
        let text = r#"{"attachment":{"contentType":"application/pdf","data":"~!length.60000000","size":60000000,
            "_data":{"extension":[{"url":"x"}]}},"data":"~!length.70000000","_data":{"id":"d"},"title":"~!length.1"}"#;
        let mut resource: Value = serde_json::from_str(text).unwrap();
        let faults = omit_documents(&mut resource, text);
        assert!(faults.len() == 2 && faults[0].starts_with("data has 70000000 bytes and a document at most 52428800"));
        assert!(faults[1].starts_with("attachment.data has 60000000 bytes"), "{faults:?}");
        let reason = json!({"url": DATA_ABSENT_REASON, "valueCode": "unsupported"});
        assert_eq!(
            resource,
            json!({"attachment": {"contentType": "application/pdf", "size": 60000000,
                "_data": {"extension": [{"url": "x"}, reason]}}, "title": "~!length.1", "_data": {"id": "d", "extension": [reason]}})
        );
        assert_eq!(refusal(&mut resource, text), None);
    }
}
