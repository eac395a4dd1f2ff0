//! Content negotiation, of formats and of languages, and the `Prefer` header.

use super::form::{FormPairs, essence};
use super::problem::Problem;
use super::reply::Reply;
use fhir::{BodyPiece, Issue, IssueCode, Language, indent, splice};
use search::Handling;

/// The names of JSON in `_format` and `Accept`.
const JSON_TYPES: [&str; 5] =
    ["application/fhir+json", "application/json", "application/json+fhir", "text/json", "json"];

/// Checks that the caller accepts JSON of FHIR 4.0. `_format` has precedence over `Accept`
/// (<https://hl7.org/fhir/R4/http.html#mime-type>).
///
/// # Errors
/// If the caller only accepts another format or version, or if `_format` is empty.
pub fn require_json(parameters: &FormPairs, accept: Option<&str>) -> Result<(), Problem> {
    if let Some((_, format)) = parameters.iter().find(|(name, _)| name == "_format") {
        if format.is_empty() {
            let issue = Issue::error(IssueCode::Structure, "\"_format\" has no value.").about("_format");
            return Err(Problem::from(issue));
        }
        return if is_json(format) { Ok(()) } else { Err(Problem::NotAcceptable) };
    }
    // Only a FHIR format other than JSON excludes JSON. HTML, which browsers request, and malformed types do not.
    let is_other = |named: &str| {
        named.ends_with("xml") && !named.contains("html") || named.ends_with("turtle") || named.ends_with("ttl")
    };
    let mut types = accept.unwrap_or_default().split(',').filter(|part| !part.trim_ascii().is_empty()).peekable();
    let is_ours = |part: &str| !is_other(essence(part)) && is_our_version(part) && quality(part) != Some(0);
    let is_taken = types.peek().is_none() || types.any(is_ours);
    if is_taken { Ok(()) } else { Err(Problem::NotAcceptable) }
}

fn is_json(format: &str) -> bool {
    // An unencoded plus sign is decoded to a blank.
    is_json_type(&essence(format).replace(' ', "+")) && is_our_version(format)
}

/// Returns whether a media type without its parameters is a name of JSON.
pub fn is_json_type(name: &str) -> bool {
    JSON_TYPES.iter().any(|json| json.eq_ignore_ascii_case(name))
}

/// Returns whether a media type is of FHIR 4.0, or has no version
/// (<https://hl7.org/fhir/R4/http.html#version-parameter>).
fn is_our_version(media_type: &str) -> bool {
    let parameters = media_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let mut versions = parameters.filter(|(name, _)| name.trim_ascii().eq_ignore_ascii_case("fhirVersion"));
    versions.all(|(_, version)| matches!(version.trim_ascii().trim_matches('"'), "4.0" | "4.0.1"))
}

/// Returns the language of pages that `Accept-Language` prefers (RFC 9110, section 12.5.4): the one with the highest
/// quality, and among equal ones the first. A range stands for its language, since the pages do not depend on the
/// region (RFC 4647, section 3.4). `*` stands for languages that are not named. Malformed parts are ignored.
pub fn language(accepted: &str) -> Option<Language> {
    let ranges = accepted.split(',').filter_map(|part| Some((essence(part), quality(part)?)));
    let ranges: Vec<_> = ranges.collect();
    let quality_of = |language: Language| {
        let named = ranges.iter().enumerate().filter(|(_, (range, _))| Language::parse(range) == Some(language));
        // A language has the quality of its best region.
        let named = named.map(|(at, (_, quality))| (*quality, std::cmp::Reverse(at))).max();
        let others = || Some((ranges.iter().find(|(range, _)| *range == "*")?.1, std::cmp::Reverse(ranges.len())));
        named.or_else(others).filter(|(quality, _)| *quality > 0)
    };
    // `max_by_key` returns the last of equal elements, so English is preferred for `*`.
    let all = Language::ALL.into_iter().rev();
    all.filter_map(|language| Some((quality_of(language)?, language)))
        .max_by_key(|(quality, _)| *quality)
        .map(|(_, language)| language)
}

/// Returns the quality of a part of a list, in thousandths (RFC 9110, section 12.4.2). `None` if it is malformed.
pub fn quality(part: &str) -> Option<u16> {
    let weights = part.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let Some((_, weight)) = weights.into_iter().find(|(name, _)| name.trim_ascii().eq_ignore_ascii_case("q")) else {
        return Some(1_000);
    };
    let (whole, fraction) = weight.trim_ascii().split_once('.').unwrap_or((weight.trim_ascii(), ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: u16 = format!("{fraction:0<3}").parse().ok()?;
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(1_000),
        _ => None,
    }
}

/// Returns the value of `Prefer: handling=` (<https://hl7.org/fhir/R4/search.html#errors>). The first of several such
/// preferences counts, a value may be quoted, and an unknown value is ignored (RFC 7240, section 2).
pub fn handling(prefer: Option<&str>) -> Option<Handling> {
    let prefer = prefer?;
    let preferences = prefer.split([',', ';']).filter_map(|part| part.split_once('='));
    let mut handlings = preferences.filter(|(name, _)| name.trim().eq_ignore_ascii_case("handling"));
    let value = handlings.next().map(|(_, value)| value.trim().trim_matches('"').to_ascii_lowercase());
    match value.as_deref() {
        Some("strict") => Some(Handling::Strict),
        Some("lenient") => Some(Handling::Lenient),
        Some(_) | None => None,
    }
}

/// Adds a `Preference-Applied` header, if lenient handling was preferred.
pub fn with_preference<B>(reply: Reply<B>, prefer: Option<Handling>) -> Reply<B> {
    if prefer == Some(Handling::Lenient) { reply.with("Preference-Applied", "handling=lenient") } else { reply }
}

/// Returns whether `If-None-Match` contains the tag, by weak comparison (RFC 9110, sections 8.8.3.2 and 13.1.2).
#[must_use]
pub fn is_known(if_none_match: Option<&str>, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let mut known = if_none_match.unwrap_or_default().split(',').map(str::trim);
    known.any(|other| other == "*" || opaque(other) == opaque(tag))
}

/// Returns the body with `_pretty` applied. This parses stored texts.
pub fn with_pretty<B: Into<String>>(reply: Reply<B>, parameters: &FormPairs) -> Reply<B> {
    if !parameters.iter().any(|(name, value)| name == "_pretty" && value == "true") {
        return reply;
    }
    let body = vec![BodyPiece::Text(indent(&splice(reply.body)))];
    Reply { body, ..reply }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_the_highest_quality_is_chosen() {
        let [english, spanish] = Language::ALL.map(Some);
        for (accepted, chosen) in [
            ("es", spanish),
            ("es-MX,es;q=0.9,en-US;q=0.8,en;q=0.7", spanish),
            ("en-US,en;q=0.9,es;q=0.8", english),
            ("es;q=0.1,en", english),
            ("en;q=0.1 , ES-419 ; Q=0.123", spanish),
            ("es,en", spanish),
            ("en,es", english),
            ("fr, de;q=0.9, es;q=0.1", spanish),
            ("*", english),
            ("es;q=0.5, *", english),
            ("es, *;q=0.5", spanish),
            ("en;q=0, *", spanish),
            ("es;q=0, *", english),
            ("es;q=0.000,en;q=0.001", english),
            ("es-MX;q=0, es", spanish),
            ("fr, *;q=0", None),
            ("es;q=0", None),
            ("fr", None),
            ("", None),
            (" , ;q=1, es", spanish),
            // Malformed parts are ignored.
            ("es;q=2, en;q=0.1", english),
            ("es;q=0.1234, en;q=0.1", english),
            ("es;q=1.001, en;q=0.1", english),
            ("es;q=, en;q=0.1", english),
            ("es;q=-1, en;q=0.1", english),
            ("es;q=1e0, en;q=0.1", english),
            ("es_MX, en;q=0.1", english),
            ("es;level, en;q=0.1", spanish),
            ("é\u{0}=;,;==, es;q=0.2", spanish),
        ] {
            assert_eq!(language(accepted), chosen, "{accepted}");
        }
    }

    #[test]
    fn a_tag_is_found_in_a_list_weak_or_strong() {
        for known in ["W/\"1\"", "\"1\"", "\"0\" , W/\"1\"", "*"] {
            assert!(is_known(Some(known), "W/\"1\""), "{known}");
        }
        for other in [None, Some(""), Some("1"), Some("W/\"11\"")] {
            assert!(!is_known(other, "W/\"1\""), "{other:?}");
        }
    }
}
