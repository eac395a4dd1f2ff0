//! The only walker over the JSON of a resource: dotted element paths, as the search registry writes them.
//!
//! `name.family` reaches every family of every name. `extension(<url>)` reaches the extensions of that url, and
//! `telecom[system=email]` the elements whose member has that value. Arrays are flattened at every step. Contained
//! resources are reached only by a path that names `contained`.

use serde_json::Value;

/// Calls `action` with each value that `path` reaches from `value`.
///
/// ```
/// let patient = serde_json::json!({"name": [{"given": ["Ann", "Bea"]}, {"given": ["Cleo"]}]});
/// let mut given = Vec::new();
/// edgechart::fhir::for_each_value(&patient, "name.given", &mut |name| given.push(name.as_str().unwrap()));
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
        match condition.trim_end_matches(']').split_once('=') {
            None => for_each_value(member, rest, action),
            Some((name, wanted)) => for_each_value(member, "", &mut |element| {
                if element.get(name).and_then(Value::as_str) == Some(wanted) {
                    for_each_value(element, rest, action);
                }
            }),
        }
    }
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
    fn an_extension_is_chosen_by_its_url_even_with_dots_in_it() {
        let condition = json!({"extension": [
            {"url": "http://x.org/other", "valueDateTime": "1999"},
            {"url": "http://x.org/asserted", "valueDateTime": "2020"},
        ]});
        assert_eq!(reached(&condition, "extension(http://x.org/asserted).valueDateTime"), ["\"2020\""]);
        assert_eq!(reached(&json!({}), "extension(http://x.org/asserted).valueDateTime"), Vec::<String>::new());
    }
}
