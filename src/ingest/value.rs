//! Reads the text of a resource into a value, within limits: the memory for a resource depends more on the number of
//! its values than on its length. A member that occurs twice is refused, because some readers use the first and others
//! the last (<https://hl7.org/fhir/R4/json.html>: names are unique).

use std::collections::BTreeSet;

use memchr::memchr2;
use serde_json::Value;

use super::splitter::MAX_INLINE_LENGTH;
use fhir::may_be_document;

/// The most values of a resource: members, items, and those inside them.
const MAX_VALUES: usize = 200_000;
/// The most References of a resource. Each is looked up when the resource is loaded.
const MAX_REFERENCES: usize = 10_000;
/// The deepest nesting of a resource.
const MAX_DEPTH: usize = 64;

/// Parses a value.
///
/// # Errors
/// If it is not JSON, a member occurs twice, or there are too many or too deep values. The reason is for people.
pub fn read(text: &str) -> Result<Value, String> {
    check(text)?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Checks the limits for a text that may be JSON. Only its punctuation and the names of members are examined.
fn check(text: &str) -> Result<(), String> {
    // The names of the members of each open list or object.
    let mut open: Vec<BTreeSet<String>> = Vec::new();
    let (mut values, mut references, mut at) = (1, 0, 0);
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'"' => {
                let end = end_of_string(text, at);
                let string = text.get(at..end).unwrap_or_default();
                let rest = text.get(end..).unwrap_or_default().trim_start_matches([' ', '\n', '\r', '\t']);
                if rest.starts_with(':') {
                    let name = name_in(string)?;
                    references += usize::from(name == "reference");
                    if let Some(names) = open.last_mut()
                        && !names.insert(name)
                    {
                        return Err(format!("the member {:?} comes twice", name_in(string)?));
                    }
                }
                at = end;
                continue;
            }
            b'{' | b'[' => {
                values += 1;
                open.push(BTreeSet::new());
            }
            b'}' | b']' => drop(open.pop()),
            b',' => values += 1,
            _ => {}
        }
        at += 1;
        let (count, most, what) = match (open.len(), references) {
            (depth, _) if depth > MAX_DEPTH => return Err(format!("it is nested more than {MAX_DEPTH} deep")),
            (_, references) if references > MAX_REFERENCES => (references, MAX_REFERENCES, "references"),
            _ => (values, MAX_VALUES, "values"),
        };
        if count > most {
            return Err(format!("it has more than {most} {what}"));
        }
    }
    Ok(())
}

fn name_in(string: &str) -> Result<String, String> {
    match string.strip_prefix('"').and_then(|string| string.strip_suffix('"')) {
        Some(name) if !name.contains('\\') => Ok(name.to_owned()),
        Some(_) | None => serde_json::from_str(string).map_err(|error| error.to_string()),
    }
}

fn end_of_string(text: &str, begin: usize) -> usize {
    let mut at = begin + 1;
    while let Some(found) = text.as_bytes().get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += found;
        if text.as_bytes().get(at) == Some(&b'"') {
            return at + 1;
        }
        // The byte after a backslash is escaped.
        at += 2;
    }
    text.len()
}

/// The maximum length of a stored resource, in bytes. D1 allows 2,000,000 in a value and in a row, and a query adds the
/// address and the mode to the text within the database.
pub const MAX_BODY: usize = 2_000_000 - 2_000;

/// Returns the fault of a resource that is too long, not counting white space.
pub(super) fn too_long(text: &str) -> String {
    let kept = longest_document(text);
    let because = match kept > MAX_INLINE_LENGTH {
        true => format!(
            ", {kept} of them in a value of \"data\" that is not base64, or for which there is no bucket of documents"
        ),
        false => String::new(),
    };
    format!("it has {} bytes without its documents{because}; there may be {MAX_BODY}", text.len())
}

/// Returns the length of the longest value in a text that might become a document, in bytes.
fn longest_document(text: &str) -> usize {
    let (mut longest, mut name) = (0, "");
    for part in text.split("\":\"") {
        if may_be_document(name.as_bytes()) {
            longest = longest.max(part.find('"').unwrap_or_default());
        }
        name = part.rsplit('"').next().unwrap_or_default();
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns arbitrary JSON values of limited depth.
    fn values() -> impl Strategy<Value = Value> {
        let number = prop_oneof![any::<i64>().prop_map(Value::from), any::<f64>().prop_map(Value::from)];
        let leaf =
            prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number, ".*".prop_map(Value::from)];
        leaf.prop_recursive(4, 64, 8, |inner| {
            let members = prop::collection::vec((".{0,3}", inner.clone()), 0..8);
            prop_oneof![
                prop::collection::vec(inner, 0..8).prop_map(Value::from),
                members.prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_value_is_read_as_by_serde_json(value in values()) {
            let text = value.to_string();
            let expected: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(read(&text).unwrap(), expected);
        }
    }

    fn why(text: &str) -> String {
        read(text).unwrap_err()
    }

    #[test]
    fn wr07_a_member_that_comes_twice_is_refused_wherever_it_is() {
        let twice = r#"{"a":[{"b":1,"\u0062":1}]}"#;
        assert_eq!(why(twice), "the member \"b\" comes twice");
        for good in [r#"{"a":{"b":1},"b":1}"#, r#"{"a":"{\"b\":1,","b":[{"a":1},{"a":1}]}"#, r#"["a","a"]"#] {
            assert!(read(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn wr03_the_number_of_values_and_their_depth_are_limited() {
        let zeros = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
        assert!(read(&zeros(MAX_VALUES - 1)).is_ok());
        assert!(why(&zeros(MAX_VALUES)).contains("more than 200000 values"));
        let references = |count: usize| format!("[{}0]", "{\"reference\":\"Patient/a\"},".repeat(count));
        assert!(read(&references(MAX_REFERENCES)).is_ok());
        assert!(why(&references(MAX_REFERENCES + 1)).contains("more than 10000 references"));
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(read(&nested(MAX_DEPTH)).is_ok());
        assert!(why(&nested(MAX_DEPTH + 1)).contains("more than 64 deep"));
    }

    #[test]
    fn a_text_is_one_value() {
        assert!(why("{} {}").contains("trailing"));
        assert!(why("{").contains("EOF"));
    }
}
