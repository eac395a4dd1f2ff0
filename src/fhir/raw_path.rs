//! Traverses the text of a resource by element paths, as [`super::for_each_value`] traverses its value. A number in a
//! [`serde_json::Value`] is binary, so its digits may differ from those that were written.

use serde_json::value::RawValue;

use super::json::Elements;

/// Calls `action` with the text of each value to which `path` leads from the JSON value in `text`. Arrays are flattened
/// at every step. A path has only names of members, separated by dots.
///
/// ```
/// let observation = r#"{"component": [{"valueQuantity": {"value": 1.0}}, {"valueQuantity": {"value": 1e-2}}]}"#;
/// let mut numbers = Vec::new();
/// fhir::for_each_text(observation, "component.valueQuantity.value", &mut |text| numbers.push(text));
/// assert_eq!(numbers, ["1.0", "1e-2"]);
/// ```
pub fn for_each_text<'a>(text: &'a str, path: &str, action: &mut dyn FnMut(&'a str)) {
    if text.starts_with('[') {
        if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) {
            items.iter().for_each(|item| for_each_text(item.get(), path, action));
        }
    } else if path.is_empty() {
        action(text);
    } else if text.starts_with('{') {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        // If several members have that name, the last one counts, as in a parsed value.
        let last = |members: Elements<'a>| members.0.into_iter().rfind(|(member, _)| member == name);
        if let Some((_, member)) = Elements::of(text).ok().and_then(last) {
            for_each_text(member.get(), rest, action);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_each_value;
    use proptest::collection::{btree_map, vec};
    use proptest::prelude::*;
    use serde_json::Value;

    fn reached<'a>(text: &'a str, path: &str) -> Vec<&'a str> {
        let mut found = Vec::new();
        for_each_text(text, path, &mut |text| found.push(text));
        found
    }

    #[test]
    fn numbers_are_found_as_they_are_written() {
        let text = r#"{ "a" : [ {"b": 1.00}, [{"b": [1E+2, 3]}], {"c": 4}, {"b": {"c": "d"}} ], "e": null }"#;
        assert_eq!(reached(text, "a.b"), ["1.00", "1E+2", "3", r#"{"c": "d"}"#]);
        assert_eq!(reached(text, "e"), ["null"]);
        assert_eq!(reached(r#"{"a": 1, "a": 2}"#, "a"), ["2"]);
        for path in ["f", "a.d", "e.f", "a.c.f"] {
            assert!(reached(text, path).is_empty(), "{path}");
        }
        for text in ["", "{", "[", "[1", "nonsense"] {
            assert!(reached(text, "a").is_empty(), "{text}");
        }
    }

    /// Returns a JSON value with members `a` and `b`.
    fn value() -> impl Strategy<Value = Value> {
        let leaf = (0..9_u8).prop_map(Value::from);
        leaf.prop_recursive(4, 24, 4, |inner| {
            let list = vec(inner.clone(), 0..4).prop_map(Value::from);
            let object =
                btree_map("[ab]", inner, 0..3).prop_map(|members| Value::Object(members.into_iter().collect()));
            prop_oneof![list, object]
        })
    }

    proptest! {
        #[test]
        fn it_is_the_walk_through_values(value in value()) {
            let text = value.to_string();
            for path in ["a", "a.b", "b", "b.a.a"] {
                let mut values = Vec::new();
                for_each_value(&value, path, &mut |value| values.push(value.to_string()));
                prop_assert_eq!(reached(&text, path), values);
            }
        }
    }
}
