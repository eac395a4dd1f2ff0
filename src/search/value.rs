//! The values of search parameters: escapes, prefixes, `system|code`, and the criteria that each compiles into
//! (decisions 6 and 9 to 12).

use super::criterion::Criterion;
use super::fold::fold;
use super::param::{Kind, Param};
use crate::fhir::{Id, Issue, IssueCode, Reference, ResourceType, Span, quoted};

/// What a parameter's modifier asks of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modifier {
    /// None was given.
    Plain,
    /// `:contains`
    Contains,
    /// `:exact`
    Exact,
}

/// Spellings of the contract that stand for another code as well: parameter, as the contract spells it, as FHIR does
/// (decision 11).
const SPELLINGS: &[(ResourceType, &str, &str, &str)] =
    &[(ResourceType::Condition, "clinical-status", "recurrance", "recurrence")];

/// The criteria that one value of a parameter stands for; none where it can match nothing.
///
/// # Errors
/// Where the value is not of the parameter's form.
pub fn criteria(param: &Param, modifier: Modifier, raw: &str, base: &str) -> Result<Vec<Criterion>, Issue> {
    if raw.is_empty() {
        return Err(Issue::error(IssueCode::Structure, format!("A value of \"{}\" is empty.", param.name)));
    }
    match param.kind {
        Kind::Id => id(raw),
        Kind::Token | Kind::Code(_) | Kind::Identifier => token(param, raw),
        Kind::Date => date(raw),
        Kind::Text => Ok(text(modifier, &unescape(raw))),
        Kind::Reference(targets) => reference(param, targets, &unescape(raw), base),
        Kind::Canonical => Ok(vec![Criterion::Refers(unescape(raw))]),
    }
}

fn bad(text: String, form: &str) -> Issue {
    Issue::error(IssueCode::Value, text).hint(form)
}

fn id(raw: &str) -> Result<Vec<Criterion>, Issue> {
    let id =
        Id::parse(raw).ok_or_else(|| bad(format!("{} is not an id.", quoted(raw)), "1 to 64 of A-Z a-z 0-9 - ."))?;
    Ok(vec![Criterion::Id(id)])
}

fn token(param: &Param, raw: &str) -> Result<Vec<Criterion>, Issue> {
    const FORMS: &str =
        "code, system|code, |code or system|; a comma, bar, dollar or backslash inside is escaped by \\";
    let parts: Vec<_> = split(raw, '|').into_iter().map(unescape).collect();
    let (system, code) = match &parts[..] {
        [code] => (None, code.as_str()),
        [system, code] if !(system.is_empty() && code.is_empty()) => (Some(system.as_str()), code.as_str()),
        _ => return Err(bad(format!("{} is not a token.", quoted(raw)), FORMS)),
    };
    let folded = if param.kind == Kind::Identifier { code.to_owned() } else { code.to_ascii_lowercase() };
    let also =
        SPELLINGS.iter().find(|row| row.0 == param.on && row.1 == param.name && row.2 == folded).map(|row| row.3);
    let codes = std::iter::once(folded).chain(also.map(str::to_owned));
    Ok(match (param.kind, system) {
        (Kind::Code(implied), Some(system)) if system != implied => Vec::new(),
        (Kind::Code(_), Some(_)) if code.is_empty() => vec![Criterion::Present],
        (Kind::Code(_), _) | (_, None) => codes.map(Criterion::Code).collect(),
        (_, Some(system)) if code.is_empty() => vec![Criterion::System(system.to_owned())],
        (_, Some(system)) => codes.map(|code| Criterion::Coded { system: system.to_owned(), code }).collect(),
    })
}

/// The prefixes by R4's words for ranges (<https://hl7.org/fhir/R4/search.html#prefix>), this once.
fn date(raw: &str) -> Result<Vec<Criterion>, Issue> {
    const FORMS: &str = "YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm[:ss[.fff]][Z|+hh:mm|-hh:mm], after eq, ne, gt, lt, ge, le, sa, eb or nothing";
    let prefixed = raw.get(..2).filter(|start| start.bytes().all(|byte| byte.is_ascii_lowercase()));
    let (prefix, written) = match prefixed {
        Some(prefix) => (prefix, raw.get(2..).unwrap_or_default()),
        None => ("eq", raw),
    };
    // A plus sign that was not encoded arrives as a blank; no date has a blank.
    let span =
        Span::parse(&written.replace(' ', "+")).ok_or_else(|| bad(format!("{} is not a date.", quoted(raw)), FORMS))?;
    Ok(match prefix {
        "eq" => vec![Criterion::Within(span)],
        "ne" => vec![Criterion::StartsBefore(span.from), Criterion::EndsAfter(span.until)],
        "gt" => vec![Criterion::EndsAfter(span.until)],
        "lt" => vec![Criterion::StartsBefore(span.from)],
        "ge" => vec![Criterion::EndsAfter(span.until), Criterion::Within(span)],
        "le" => vec![Criterion::StartsBefore(span.from), Criterion::Within(span)],
        "sa" => vec![Criterion::StartsFrom(span.until)],
        "eb" => vec![Criterion::EndsBy(span.from)],
        other => return Err(bad(format!("\"{other}\" is not a prefix that dates take here."), FORMS)),
    })
}

fn text(modifier: Modifier, text: &str) -> Vec<Criterion> {
    // Of accents alone nothing is left to compare; an empty text would begin every word.
    let folded = Some(fold(text)).filter(|folded| !folded.is_empty());
    let criterion = match modifier {
        Modifier::Plain => folded.map(Criterion::Begins),
        Modifier::Contains => folded.map(Criterion::Contains),
        Modifier::Exact => Some(Criterion::Is(text.to_owned())),
    };
    criterion.into_iter().collect()
}

fn reference(param: &Param, targets: &[ResourceType], text: &str, base: &str) -> Result<Vec<Criterion>, Issue> {
    let local = text.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
    let path = local.unwrap_or(text);
    if let Some(id) = Id::parse(path) {
        return Ok(targets.iter().map(|kind| Criterion::Refers(Reference::join(*kind, &id))).collect());
    }
    if local.is_none() && (text.contains("://") || text.starts_with("urn:")) {
        return Ok(vec![Criterion::Refers(Reference::unversioned(text).to_owned())]);
    }
    let names: Vec<_> = targets.iter().map(|kind| kind.name()).collect();
    match Reference::parse(path) {
        Some(reference) if targets.contains(&reference.kind) => Ok(vec![Criterion::Refers(reference.to_string())]),
        _ => Err(bad(
            format!("{} is not a reference that \"{}\" can have.", quoted(path), param.name),
            &format!("an id, or Type/id with one of: {}", names.join(", ")),
        )),
    }
}

/// Splits at each `separator` that no backslash escapes. The parts keep their escapes.
pub fn split(text: &str, separator: char) -> Vec<&str> {
    if !text.contains('\\') {
        return text.split(separator).collect();
    }
    let mut escaped = false;
    text.split(move |c| {
        let here = c == separator && !escaped;
        escaped = c == '\\' && !escaped;
        here
    })
    .collect()
}

/// Takes the backslash from `\,` `\|` `\$` `\\`; any other backslash is one.
fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next @ (',' | '|' | '$' | '\\')) if c == '\\' => {
                out.push(*next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{facts, named};
    use ResourceType as T;

    const BASE: &str = "https://here/fhir/r4";

    fn of(on: T, name: &str, raw: &str) -> Result<Vec<Criterion>, Issue> {
        criteria(named(on, name).unwrap(), Modifier::Plain, raw, BASE)
    }

    #[test]
    fn a_token_has_four_forms() {
        let coded = |system: &str, code: &str| Criterion::Coded { system: system.into(), code: code.into() };
        for (raw, criterion) in [
            ("ABC", Criterion::Code("abc".into())),
            ("http://S|ABC", coded("http://S", "abc")),
            ("|ABC", coded("", "abc")),
            ("http://S|", Criterion::System("http://S".into())),
            (r"a\|b", Criterion::Code("a|b".into())),
            (r"s\|1|a\,b\\c\$", coded("s|1", r"a,b\c$")),
            ("µmol/L", Criterion::Code("µmol/l".into())),
        ] {
            assert_eq!(of(T::Observation, "code", raw), Ok(vec![criterion]), "{raw}");
        }
        for bad in ["", "|", "a|b|c"] {
            assert!(of(T::Observation, "code", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn code_elements_know_their_system() {
        let status = |raw: &str| of(T::Observation, "status", raw).unwrap();
        assert_eq!(status("final"), [Criterion::Code("final".into())]);
        assert_eq!(status("http://hl7.org/fhir/observation-status|FINAL"), [Criterion::Code("final".into())]);
        assert_eq!(status("http://hl7.org/fhir/observation-status|"), [Criterion::Present]);
        assert_eq!(status("|final"), []);
        assert_eq!(status("http://other|final"), []);
    }

    #[test]
    fn identifiers_keep_their_case() {
        assert_eq!(of(T::Patient, "identifier", "Ab"), Ok(vec![Criterion::Code("Ab".into())]));
    }

    #[test]
    fn the_spelling_of_the_contract_finds_what_fhir_spells() {
        let codes = of(T::Condition, "clinical-status", "recurrance").unwrap();
        assert_eq!(codes, [Criterion::Code("recurrance".into()), Criterion::Code("recurrence".into())]);
        assert_eq!(of(T::Condition, "clinical-status", "recurrence").unwrap().len(), 1);
    }

    #[test]
    fn references_are_the_same_as_id_as_type_and_id_and_under_our_base() {
        let alice = vec![Criterion::Refers("Encounter/a".into())];
        for raw in ["a", "Encounter/a", "https://here/fhir/r4/Encounter/a", "Encounter/a/_history/1"] {
            assert_eq!(of(T::Condition, "encounter", raw), Ok(alice.clone()), "{raw}");
        }
        for foreign in ["https://evil/fhir/r4/Encounter/a", "https://here/fhir/r4x/Encounter/a"] {
            assert_eq!(of(T::Condition, "encounter", foreign), Ok(vec![Criterion::Refers(foreign.into())]));
        }
        for bad in ["Patient/a", "Encounter/", "Foo/a", "a b", "https://here/fhir/r4/", "#a"] {
            assert!(of(T::Condition, "encounter", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn comparators_follow_r4_on_ranges() {
        let holds = |raw: &str, element: serde_json::Value| {
            let found = facts(T::CarePlan, &serde_json::json!({"period": element}), &|_| None);
            let criteria = of(T::CarePlan, "date", raw).unwrap();
            found.iter().any(|(_, fact)| criteria.iter().any(|criterion| criterion.holds(fact)))
        };
        let year = || serde_json::json!({"start": "2020", "end": "2020"});
        let open = || serde_json::json!({"start": "2020-06-01"});
        for (raw, in_year, in_open) in [
            ("2020", true, false),
            ("eq2020-06", false, false),
            ("ne2020", false, true),
            ("gt2019", true, true),
            ("gt2020", false, true),
            ("gt2020-06", true, true),
            ("ge2020", true, true),
            ("ge2021", false, true),
            ("lt2020", false, false),
            ("lt2020-06", true, false),
            ("lt2021", true, true),
            ("le2020", true, false),
            ("le2020-06-01", true, false),
            ("sa2019", true, true),
            ("sa2020-06", false, false),
            ("eb2021", true, false),
            ("eb2020-12-31", false, false),
        ] {
            assert_eq!(holds(raw, year()), in_year, "{raw} of the year 2020");
            assert_eq!(holds(raw, open()), in_open, "{raw} of June 2020 onwards");
        }
    }

    #[test]
    fn an_unencoded_plus_in_a_date_is_a_plus() {
        assert_eq!(
            of(T::Observation, "date", "ge2024-01-01T00:00:00 05:00"),
            of(T::Observation, "date", "ge2024-01-01T00:00:00+05:00")
        );
    }

    #[test]
    fn bad_dates_are_refused() {
        let long = "9".repeat(5000);
        for raw in [
            "2024-13-01",
            "2024-02-30",
            "24-1-1",
            "ge",
            "gegt2024",
            "now",
            "ap2024",
            "GE2024",
            "é2024",
            "g",
            long.as_str(),
        ] {
            assert!(of(T::Observation, "date", raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn splitting_minds_escapes() {
        assert_eq!(split(r"a,b\,c,,\\,d", ','), ["a", r"b\,c", "", r"\\", "d"]);
        assert_eq!(split("", ','), [""]);
        assert_eq!(unescape(r"a\b\"), r"a\b\");
    }
}
