//! `application/x-www-form-urlencoded`: query strings and bodies of POST requests. Operations may have a resource.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::Value;

use super::call::Call;
use fhir::{Issue, IssueCode};

/// Decoded names and values, in order.
pub type FormPairs = Vec<(String, String)>;

/// The characters that are encoded. RFC 3986 allows all others in a query, and they make links more readable.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':').remove(b',').remove(b'/');

/// Decodes a form. Percent signs that do not begin an escape, and escapes that are not UTF-8, are refused.
///
/// # Errors
/// If the text is not well formed.
pub fn decode(text: &str) -> Result<FormPairs, Issue> {
    let mut form = FormPairs::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = part(name)?;
        let value = part(value).map_err(|issue| issue.about(name.clone()))?;
        form.push((name, value));
    }
    Ok(form)
}

fn part(text: &str) -> Result<String, Issue> {
    let refused = || {
        Issue::error(IssueCode::Structure, "The request has a percent sign that encodes nothing.")
            .hint("a percent sign itself is written %25")
    };
    let escapes = text.split('%').skip(1);
    if !escapes.map(|rest| rest.get(..2)).all(|hex| hex.is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))) {
        return Err(refused());
    }
    let text = text.replace('+', " ");
    let bytes = percent_decode_str(&text).decode_utf8().map(std::borrow::Cow::into_owned);
    bytes.map_err(|_| {
        Issue::error(IssueCode::Structure, "The request has percent escapes that are not UTF-8.")
            .hint("the bytes of UTF-8 are escaped each: é is written %C3%A9")
    })
}

/// Encodes a form.
pub fn encode<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut form = String::new();
    for (name, value) in pairs {
        form.push_str(if form.is_empty() { "" } else { "&" });
        form.extend(utf8_percent_encode(name, ENCODED));
        form.push('=');
        form.extend(utf8_percent_encode(value, ENCODED));
    }
    form
}

/// Returns a media type without its parameters (RFC 9110, section 8.3.1).
pub fn essence(media_type: &str) -> &str {
    media_type.split_once(';').map_or(media_type, |(essence, _)| essence).trim_ascii()
}

/// Returns whether the `Content-Type` of a call is that of a form.
pub fn is_form(call: &Call<'_>) -> bool {
    let content_type = call.header("Content-Type").unwrap_or_default();
    essence(&content_type).eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// Returns whether the body of a call is JSON, by its media type.
pub fn is_json(call: &Call<'_>) -> bool {
    let content_type = call.header("Content-Type").unwrap_or_default();
    let essence = essence(&content_type);
    ["application/fhir+json", "application/json"].iter().any(|json| essence.eq_ignore_ascii_case(json))
}

/// Returns the value in a body. `None` if it is not JSON, or a member occurs twice.
pub fn json_in(body: &[u8]) -> Option<Value> {
    ingest::read_json(std::str::from_utf8(body).ok()?).ok()
}

/// Returns the parameters in a Parameters resource (<https://hl7.org/fhir/R4/parameters.html>) with primitive values,
/// literal references, and Codings, which become tokens. `None` if the text is not such a resource, or has other
/// values.
pub fn parameters_of(text: &str) -> Option<FormPairs> {
    let resource = json_in(text.as_bytes())?;
    if resource.get("resourceType")?.as_str()? != "Parameters" {
        return None;
    }
    let parameters = resource.get("parameter").map_or(Some(&[][..]), |list| list.as_array().map(Vec::as_slice))?;
    let pair = |parameter: &Value| {
        let members = parameter.as_object()?;
        let value = match members.iter().find(|(name, _)| name.starts_with("value"))? {
            (_, Value::String(text)) => text.clone(),
            (_, value @ (Value::Bool(_) | Value::Number(_))) => value.to_string(),
            (name, Value::Object(coding)) if name == "valueCoding" => {
                let of = |name| coding.get(name).and_then(Value::as_str).map(escaped);
                let code = of("code")?;
                of("system").map_or_else(|| code.clone(), |system| [&system, "|", &code].concat())
            }
            // A logical reference has no address, and stands here as it is.
            (name, value @ Value::Object(reference)) if name == "valueReference" => {
                reference.get("reference").and_then(Value::as_str).map_or_else(|| value.to_string(), str::to_owned)
            }
            (_, Value::Null | Value::Array(_) | Value::Object(_)) => return None,
        };
        Some((members.get("name")?.as_str()?.to_owned(), value))
    };
    parameters.iter().map(pair).collect()
}

/// Returns a text as a part of a search value (<https://hl7.org/fhir/R4/search.html#escaping>).
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| ",|$\\".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_a_resource_are_those_with_plain_values() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let named = |list: &str| parameters_of(&format!(r#"{{"resourceType": "Parameters", "parameter": [{list}]}}"#));
        let all = r#"{"name": "_type", "valueCode": "Patient"}, {"name": "_count", "valueInteger": 5}, {"name": "x", "valueBoolean": true}"#;
        assert_eq!(named(all), Some(vec![pair("_type", "Patient"), pair("_count", "5"), pair("x", "true")]));
        let coding = r#"{"name": "type", "valueCoding": {"system": "http://loinc.org", "code": "a,b"}}"#;
        assert_eq!(named(coding), Some(vec![pair("type", "http://loinc.org|a\\,b")]));
        let reference =
            r#"{"name": "p", "valueReference": {"reference": "Patient/a"}}, {"name": "p", "valueReference": {}}"#;
        assert_eq!(named(reference), Some(vec![pair("p", "Patient/a"), pair("p", "{}")]));
        assert_eq!(parameters_of(r#"{"resourceType": "Parameters"}"#), Some(Vec::new()));
        for odd in [r#"{"name": "x"}"#, r#"{"valueString": "x"}"#, r#"{"name": "x", "valuePeriod": {}}"#, "1"] {
            assert_eq!(named(odd), None, "{odd}");
        }
        for odd in ["", "[]", r#"{"resourceType": "Patient"}"#, r#"{"resourceType": "Parameters", "parameter": {}}"#] {
            assert_eq!(parameters_of(odd), None, "{odd}");
        }
        assert_eq!(parameters_of(r#"{"resourceType": "Parameters", "parameter": [], "parameter": []}"#), None);
    }

    fn decoded(text: &str) -> Option<Vec<(String, String)>> {
        decode(text).ok()
    }

    #[test]
    fn names_and_values_are_decoded_once() {
        let pair = |name: &str, value: &str| Some(vec![(name.to_owned(), value.to_owned())]);
        assert_eq!(decoded("code=a%7Cb%2Cc"), pair("code", "a|b,c"));
        assert_eq!(decoded("name=A+B%2B"), pair("name", "A B+"));
        assert_eq!(decoded("a=b=c"), pair("a", "b=c"));
        assert_eq!(decoded("a"), pair("a", ""));
        assert_eq!(decoded("a=%2541"), pair("a", "%41"));
        assert_eq!(decoded("&&"), Some(vec![]));
    }

    #[test]
    fn broken_escapes_are_refused() {
        for bad in ["a=%", "a=%z", "a=%zz", "a=%4", "%=a", "a=%ff", "a=%c0%80", "a=%ed%a0%80", "a=%é1"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }

    #[test]
    fn encoded_pairs_decode_to_themselves() {
        let pairs = [("code", "http://x|a,b \u{1f600}&=%+#"), ("name", "é")];
        let text = encode(pairs);
        let owned: Vec<_> = pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        assert_eq!(decoded(&text), Some(owned));
        assert!(text.starts_with("code=http://x%7Ca,b%20"), "{text}");
    }
}
