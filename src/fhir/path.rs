//! The traversals of a resource's JSON: along dotted element paths, in the syntax of the search registry, and of all
//! objects.
//!
//! `name.family` leads to every family of every name. `extension(<url>)` leads to the extensions with that url,
//! `telecom[system=email]` to the elements whose member has that value, and `subject[Patient]` to the references to
//! that type. Arrays are flattened at every step. Only a path that names `contained` leads to contained resources.

use serde_json::{Map, Value};

/// Calls `action` with each value to which `path` leads from `value`.
///
/// ```
/// let patient = serde_json::json!({"name": [{"given": ["Ann", "Bea"]}, {"given": ["Cleo"]}]});
/// let mut given = Vec::new();
/// fhir::for_each_value(&patient, "name.given", &mut |name| given.push(name.as_str().unwrap()));
/// assert_eq!(given, ["Ann", "Bea", "Cleo"]);
/// ```
pub fn for_each_value<'a>(value: &'a Value, path: &str, action: &mut dyn FnMut(&'a Value)) {
    if let Value::Array(items) = value {
        items.iter().for_each(|item| for_each_value(item, path, action));
    } else if path.is_empty() {
        action(value);
    } else if let Some((url, rest)) = path.strip_prefix("extension(").and_then(|tail| tail.split_once(')')) {
        let named = |extension: &&Value| extension.get("url").and_then(Value::as_str) == Some(url);
        let extensions = value.get("extension").and_then(Value::as_array).into_iter().flatten();
        extensions.filter(named).for_each(|extension| for_each_value(extension, rest.trim_start_matches('.'), action));
    } else {
        let (step, rest) = path.split_once('.').unwrap_or((path, ""));
        let (name, condition) = step.split_once('[').unwrap_or((step, ""));
        let Some(member) = value.get(name) else { return };
        let condition = condition.trim_end_matches(']');
        if condition.is_empty() {
            return for_each_value(member, rest, action);
        }
        for_each_value(member, "", &mut |element| {
            if is_met(condition, element) {
                for_each_value(element, rest, action);
            }
        });
    }
}

/// Calls `action` with each object in a value, at any depth.
pub fn for_each_object(value: &Value, action: &mut dyn FnMut(&Map<String, Value>)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| for_each_object(item, action)),
        Value::Object(members) => {
            action(members);
            members.values().for_each(|member| for_each_object(member, action));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Calls `action` with the text of each Reference in a value, at any depth.
pub fn for_each_reference_mut(value: &mut Value, action: &mut dyn FnMut(&mut String)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| for_each_reference_mut(item, action)),
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get_mut("reference") {
                action(text);
            }
            members.values_mut().for_each(|member| for_each_reference_mut(member, action));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns whether a member of an element has a value, or a reference is to a type. If its address does not name a
/// type, its `type` does.
fn is_met(condition: &str, element: &Value) -> bool {
    let text = |name: &str| element.get(name).and_then(Value::as_str);
    if let Some((name, wanted)) = condition.split_once('=') {
        return text(name) == Some(wanted);
    }
    let address = text("reference").map(|address| address.split("/_history/").next().unwrap_or(address));
    let named = address.and_then(|address| address.rsplit('/').nth(1));
    let is_type = |name: &&str| name.starts_with(|first: char| first.is_ascii_uppercase());
    named.filter(is_type).or_else(|| text("type")) == Some(condition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reached(value: &Value, path: &str) -> Vec<String> {
        let mut found = Vec::new();
        for_each_value(value, path, &mut |v| found.push(v.to_string()));
        found
    }

    #[test]
    fn arrays_are_flattened_at_every_step() {
        let care_team = json!({"participant": [{"role": [{"a": 1}, {"a": 2}]}, {}, {"role": [{"a": 3}]}]});
        assert_eq!(reached(&care_team, "participant.role.a"), ["1", "2", "3"]);
        assert_eq!(reached(&care_team, "participant.member"), Vec::<String>::new());
    }

    #[test]
    fn elements_are_chosen_by_the_value_of_a_member() {
        let library = json!({"relatedArtifact": [
            {"type": "depends-on", "resource": ["a", "b"]}, {"type": "successor", "resource": "c"}, {"resource": "d"},
        ]});
        assert_eq!(reached(&library, "relatedArtifact[type=depends-on].resource"), ["\"a\"", "\"b\""]);
        assert_eq!(reached(&library, "relatedArtifact[type=successor].resource"), ["\"c\""]);
        assert_eq!(reached(&library, "relatedArtifact[type=predecessor].resource"), Vec::<String>::new());
    }

    #[test]
    fn references_are_chosen_by_their_type() {
        let observation = json!({"performer": [
            {"reference": "Patient/a", "id": "1"}, {"reference": "https://x/Patient/a/_history/1", "id": "2"},
            {"type": "Patient", "id": "3"}, {"reference": "Group/a", "type": "Patient"}, {"display": "x"},
            {"reference": "#a", "type": "Patient", "id": "4"},
        ]});
        assert_eq!(reached(&observation, "performer[Patient].id"), ["\"1\"", "\"2\"", "\"3\"", "\"4\""]);
    }

    #[test]
    fn an_extension_is_chosen_by_its_url_even_with_dots_in_it() {
        let condition = json!({"extension": [
            {"url": "http://x.org/other", "valueDateTime": "1999"},
            {"url": "http://x.org/asserted", "valueDateTime": "2020"},
        ]});
        assert_eq!(reached(&condition, "extension(http://x.org/asserted).valueDateTime"), ["\"2020\""]);
        assert_eq!(reached(&json!({}), "extension(http://x.org/asserted).valueDateTime"), Vec::<String>::new());
    }
}
