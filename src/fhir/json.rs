//! The text of a resource in another shape: compact, indented (`_pretty`), or with some values changed. All other text
//! keeps its spelling: the digits of a number (`1.0`, `1.2E+2`), the escapes of a string, the order of members.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// The most members of an object. A resource has fewer values in all.
const MAX_MEMBERS: usize = 200_000;

/// The members of a JSON object in order, each value as its original text.
#[derive(Debug)]
pub struct Elements<'a>(pub Vec<(Cow<'a, str>, &'a RawValue)>);

/// A member occurs twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicateMember;

impl<'a> Elements<'a> {
    /// Splits an object into its members, one level deep.
    ///
    /// # Errors
    /// If the text is not a JSON object.
    pub fn of(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Returns the text of the member with this name.
    ///
    /// # Errors
    /// If there are two such members.
    pub fn only(&self, name: &str) -> Result<Option<&'a str>, DuplicateMember> {
        let mut found = self.0.iter().filter(|(member, _)| member == name).map(|(_, value)| value.get());
        let first = found.next();
        if found.next().is_some() { Err(DuplicateMember) } else { Ok(first) }
    }

    /// Returns the members with the texts of their values.
    fn texts(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, value)| (&**name, value.get()))
    }

    /// Returns the text of the first member with this name.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(member, _)| member == name).map(|(_, value)| value.get())
    }
}

impl<'de> Deserialize<'de> for Elements<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Elements<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    if members.len() == MAX_MEMBERS {
                        return Err(A::Error::custom("too many members"));
                    }
                    members.push((name, value));
                }
                Ok(Elements(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}

/// The name of a member, borrowed if it has no escapes.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// Calls `action` with each text that is the value of a member `reference`, at any depth of a JSON text. Escapes are
/// decoded, also in names.
///
/// # Errors
/// If the text is not JSON.
pub fn for_each_reference(text: &[u8], action: &mut dyn FnMut(&str)) -> Result<(), serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    References { is_reference: false, action }.deserialize(&mut reader)?;
    reader.end()
}

/// A traversal of a value.
struct References<'a> {
    /// True if the value belongs to a member `reference`.
    is_reference: bool,
    action: &'a mut dyn FnMut(&str),
}

impl<'de> DeserializeSeed<'de> for References<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for References<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if self.is_reference {
            (self.action)(text);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(References { is_reference: false, action: &mut *self.action })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(Name(name)) = members.next_key()? {
            let is_reference = name == "reference";
            members.next_value_seed(References { is_reference, action: &mut *self.action })?;
        }
        Ok(())
    }
}

/// The deepest nesting that is traversed. serde_json, which has already parsed every text, stops at 128.
const MAX_DEPTH: usize = 200;

/// Returns the text without white space between its tokens. The text must be JSON.
pub fn compact(text: &str) -> Cow<'_, str> {
    let mut quoted = false;
    let mut escaped = false;
    let mut is_token = move |c: char| {
        let blank = !quoted && matches!(c, ' ' | '\n' | '\r' | '\t');
        quoted ^= c == '"' && !escaped;
        escaped = quoted && c == '\\' && !escaped;
        !blank
    };
    if text.chars().all(&mut is_token.clone()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| is_token(*c)).collect())
}

/// Returns the text with indentation (`_pretty=true`). Text that is not JSON is returned unchanged.
pub fn indent(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    write_indented(text, 0, &mut out);
    out
}

fn write_indented(text: &str, depth: usize, out: &mut String) {
    let text = text.trim();
    let line = |depth: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    if depth < MAX_DEPTH
        && let Ok(Elements(members)) = Elements::of(text)
        && !members.is_empty()
    {
        let mut separator = '{';
        for (name, value) in members {
            out.push(separator);
            separator = ',';
            line(depth + 1, out);
            write_text(&name, out);
            out.push_str(": ");
            write_indented(value.get(), depth + 1, out);
        }
        line(depth, out);
        out.push('}');
    } else if depth < MAX_DEPTH
        && let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text)
        && !items.is_empty()
    {
        let mut separator = '[';
        for item in items {
            out.push(separator);
            separator = ',';
            line(depth + 1, out);
            write_indented(item.get(), depth + 1, out);
        }
        line(depth, out);
        out.push(']');
    } else {
        out.push_str(text);
    }
}

/// Returns the value as text. Values that also occur in `text` at the same position keep their spelling.
pub fn respell(value: &Value, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    write_respelled(value, text, 0, &mut out);
    out
}

fn write_respelled(value: &Value, text: &str, depth: usize, out: &mut String) {
    match value {
        Value::Object(members) if depth < MAX_DEPTH => {
            let old = Elements::of(text).unwrap_or(Elements(Vec::new()));
            out.push('{');
            for (name, value) in members {
                write_name(name, out);
                match old.get(name) {
                    Some(text) => write_respelled(value, text, depth + 1, out),
                    None => out.push_str(&value.to_string()),
                }
            }
            out.push('}');
        }
        Value::Array(items) if depth < MAX_DEPTH => {
            let old = serde_json::from_str::<Vec<&RawValue>>(text).unwrap_or_default();
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                match old.get(at) {
                    Some(text) => write_respelled(item, text.get(), depth + 1, out),
                    None => out.push_str(&item.to_string()),
                }
            }
            out.push(']');
        }
        Value::Number(_) | Value::Bool(_) | Value::Null | Value::Object(_) | Value::Array(_) => {
            out.push_str(text.trim());
        }
        Value::String(new) => match serde_json::from_str::<Cow<str>>(text) {
            Ok(old) if old == new.as_str() => out.push_str(text.trim()),
            Ok(_) | Err(_) => write_text(new, out),
        },
    }
}

/// Returns the value as JSON text. `T` must be a type that always serializes: texts, numbers, or lists of them.
#[allow(clippy::panic, reason = "the type of the value decides whether it serializes")]
pub fn json<T: Serialize + ?Sized>(value: &T) -> String {
    let Ok(text) = serde_json::to_string(value) else { panic!("a value that does not always serialize") };
    text
}

/// Returns the value in postcard format. `T` must be a type that always serializes: texts, numbers, or lists.
#[allow(clippy::panic, reason = "the type of the value decides whether it serializes")]
pub fn to_postcard<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let Ok(bytes) = postcard::to_allocvec(value) else { panic!("a value that does not always serialize") };
    bytes
}

/// Parses JSON that is part of this program, or that it has written and kept in memory. JSON from a store may be
/// damaged, so it must be parsed by a function that returns errors.
#[allow(clippy::panic, reason = "the text does not come from outside")]
pub fn read_own<T: DeserializeOwned>(text: &str) -> T {
    let Ok(read) = serde_json::from_str(text) else { panic!("a text that this program has not written") };
    read
}

/// Appends the name of a member to an open object.
pub(super) fn write_name(name: &str, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    write_text(name, out);
    out.push(':');
}

/// Appends the text as a JSON string.
pub fn write_text(text: &str, out: &mut String) {
    out.push_str(&json(text));
}

/// Returns a JSON array of the texts.
pub fn texts<T: AsRef<str>>(all: impl IntoIterator<Item = T>) -> String {
    let all: Vec<_> = all.into_iter().map(|text| json(text.as_ref())).collect();
    format!("[{}]", all.join(","))
}

/// Returns the resource with these members added to its `meta`, after the existing ones. Everything else keeps its
/// spelling. A resource without `meta` gets one after its id.
///
/// # Errors
/// If the text, or its `meta`, is not a JSON object.
pub fn with_meta(text: &str, members: &[(&str, &str)]) -> Result<String, serde_json::Error> {
    let elements = Elements::of(text)?;
    let old = elements.get("meta").map(Elements::of).transpose()?;
    let added: Vec<_> = members.iter().map(|(name, value)| (*name, json(*value))).collect();
    let added = added.iter().map(|(name, value)| (*name, value.as_str()));
    let meta = written(old.iter().flat_map(Elements::texts).chain(added));
    let with = |(name, value)| match name {
        "meta" => [Some((name, meta.as_str())), None],
        "id" if old.is_none() => [Some((name, value)), Some(("meta", meta.as_str()))],
        _ => [Some((name, value)), None],
    };
    Ok(written(elements.texts().flat_map(with).flatten()))
}

/// Returns the resource without these members of its `meta`, and without a `meta` that has no other members. Everything
/// else keeps its spelling. This undoes [`with_meta`].
///
/// # Errors
/// If the text, or its `meta`, is not a JSON object.
pub fn without_meta(text: &str, members: &[&str]) -> Result<String, serde_json::Error> {
    let mut elements = Elements::of(text)?;
    let mut meta = elements.get("meta").map(Elements::of).transpose()?.unwrap_or(Elements(Vec::new()));
    meta.0.retain(|(name, _)| !members.contains(&&**name));
    let meta_text = written(meta.texts());
    let meta_raw: &RawValue = serde_json::from_str(&meta_text)?;
    elements.0.retain(|(name, _)| name != "meta" || !meta.0.is_empty());
    for (_, value) in elements.0.iter_mut().filter(|(name, _)| name == "meta") {
        *value = meta_raw;
    }
    Ok(written(elements.texts()))
}

/// Returns the object with these members.
fn written<'t>(members: impl Iterator<Item = (&'t str, &'t str)>) -> String {
    let mut out = String::from("{");
    for (name, value) in members {
        write_name(name, &mut out);
        out.push_str(value);
    }
    out.push('}');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digits_escapes_and_order_survive_indenting() {
        let text = r#"{"b":1.0,"a":[1.2E+2, -0.40,{}],"c":{},"d":[],"é":"\u00a0\n"}"#;
        let indented = indent(text);
        assert_eq!(
            indented,
            "{\n  \"b\": 1.0,\n  \"a\": [\n    1.2E+2,\n    -0.40,\n    {}\n  ],\n  \"c\": {},\n  \"d\": [],\n  \"é\": \"\\u00a0\\n\"\n}"
        );
        assert_eq!(indent("no json"), "no json");
        assert_eq!(indent(&"[".repeat(100_000)).len(), 100_000);
    }

    #[test]
    fn references_are_read_whatever_their_spelling() {
        let found = |text: &str| {
            let mut found = Vec::new();
            let read = for_each_reference(text.as_bytes(), &mut |text| found.push(text.to_owned()));
            read.map(|()| found)
        };
        let text = r#"{"a":[1,-2,0.5,true,null,{ "reference" : "A\/1" }],"\u0072eferenc\u0065":"B\u002f2","b":"reference",
            "c":"\"reference\":\"C/3\"","reference":["D/4",{"reference":{"x":"E/5","reference":"F/\u0036"}}]}"#;
        assert_eq!(found(text).unwrap(), ["A/1", "B/2", "F/6"]);
        for text in ["", "{", r#"{"reference":"A/1"} x"#, r#"{"reference":"A/1}"#] {
            assert!(found(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_text_is_written_as_serde_writes_it(text in any::<String>(), plain in "[ -~é]{0,20}") {
            for text in [&text, &plain] {
                let mut out = String::from("x");
                write_text(text, &mut out);
                prop_assert_eq!(&out, &format!("x{}", serde_json::to_string(text).unwrap()));
            }
            let all = [text.as_str(), &plain];
            prop_assert_eq!(texts(all), serde_json::to_string(&all).unwrap());
        }
    }

    #[test]
    fn an_empty_list_is_an_empty_array() {
        assert_eq!(texts::<&str>([]), "[]");
    }

    #[test]
    fn compacting_touches_no_string() {
        let text = " {\n \"a b\" : [ 1.0 , \"x \\\" y\\\\\" ] }\r\n";
        assert_eq!(compact(text), "{\"a b\":[1.0,\"x \\\" y\\\\\"]}");
        assert!(matches!(compact("{\"a b\":1.0}"), Cow::Borrowed(_)));
    }

    #[test]
    fn respelling_keeps_the_spelling_of_unchanged_values() {
        let text = r#"{ "n": 1.2E+2, "s": "\u00e9", "r": {"reference": "urn:x", "n": [1.0, 2.50]}, "u": "old" }"#;
        let mut value: Value = serde_json::from_str(text).unwrap();
        value["r"]["reference"] = "Patient/a".into();
        value["u"] = "new".into();
        value["r"]["added"] = true.into();
        assert_eq!(
            respell(&value, text),
            r#"{"n":1.2E+2,"s":"\u00e9","r":{"reference":"Patient/a","n":[1.0,2.50],"added":true},"u":"new"}"#
        );
    }

    #[test]
    fn members_of_meta_are_added_and_the_rest_keeps_its_spelling() {
        let members = [("versionId", "v"), ("lastUpdated", "t")];
        for (text, expected) in [
            (
                r#"{"resourceType":"Patient","id":"a","n":1.0}"#,
                r#"{"resourceType":"Patient","id":"a","meta":{"versionId":"v","lastUpdated":"t"},"n":1.0}"#,
            ),
            (
                r#"{"meta":{"tag":[1.0]},"id":"\u0061","x":"\u00e9"}"#,
                r#"{"meta":{"tag":[1.0],"versionId":"v","lastUpdated":"t"},"id":"\u0061","x":"\u00e9"}"#,
            ),
            (r#"{"meta":{},"id":"a"}"#, r#"{"meta":{"versionId":"v","lastUpdated":"t"},"id":"a"}"#),
        ] {
            assert_eq!(with_meta(text, &members).unwrap(), expected);
        }
        assert!(with_meta(r#"{"id":"a","meta":5}"#, &members).is_err());
    }
}
