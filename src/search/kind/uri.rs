//! Parameters of type uri (<https://hl7.org/fhir/R4/search.html#uri>). Addresses are compared exactly. `:below` and
//! `:above` compare whole segments of their paths.

use serde_json::Value;

use super::element::{MAX_LENGTH, malformed};
use super::escape::unescape;
use super::form::{Comparison, Comparisons, ParamKind, Phrase, RawValue};
use super::index::{IndexKey, KeyMatch, KeyRange, Lookup};
use super::modifier::Modifier;
use super::reference::Target;
use fhir::{Issue, quoted};

/// The characters at which a segment of an address ends.
const BORDERS: [char; 4] = ['/', '?', '#', '|'];
/// The most addresses that `:above` tries for one value.
const MAX_ABOVE: usize = 40;

/// The kind of parameters of type uri. An address is also found without the part that begins with one of these
/// characters: the version of a canonical address, or a fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uris(pub &'static str);

impl ParamKind for Uris {
    type Value = Target;
    type Comparison = UriCriterion;

    fn values(&self, element: &Value, add: &mut dyn FnMut(Target)) {
        element.as_str().filter(|address| !address.is_empty()).map(|address| Target(address.to_owned())).map(add);
    }

    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<UriCriterion>, Issue> {
        let exactly = |address: &str| UriCriterion::Is { address: address.to_owned(), until: "" };
        Ok(Comparisons::OneOf(match value.modifier {
            Some(Modifier::Below) => vec![below(value)?],
            Some(Modifier::Above) => above(&address_of(value)?)?.into_iter().map(exactly).collect(),
            _ => vec![UriCriterion::Is { address: unescape(value.text), until: self.0 }],
        }))
    }

    /// Returns the key of the address, and that of its short form with the remainder as the rest.
    fn keys(&self, Target(address): &Target) -> Vec<IndexKey> {
        let short = address.split_once(|c| self.0.contains(c));
        let short = short.map(|(value, rest)| IndexKey { value: value.to_owned(), rest: rest.to_owned() });
        std::iter::once(IndexKey::of(address.clone())).chain(short).collect()
    }
}

/// Returns the address of a value of `:below` or `:above`.
///
/// # Errors
/// If it is a URN, which has no segments.
fn address_of(value: &RawValue<'_>) -> Result<String, Issue> {
    let address = unescape(value.text);
    if address.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("urn:")) {
        return Err(malformed(format!("Nothing is above or below {}.", quoted(&address)), "an address that is no URN"));
    }
    Ok(address)
}

/// Returns the comparison with the addresses below that of a value.
///
/// # Errors
/// If it is a URN.
pub fn below(value: &RawValue<'_>) -> Result<UriCriterion, Issue> {
    address_of(value).map(UriCriterion::Below)
}

/// Returns an address and the addresses that it is below.
fn above(address: &str) -> Result<Vec<&str>, Issue> {
    let starts = address.char_indices().skip(1).filter_map(|(at, _)| address.split_at_checked(at));
    let above: Vec<&str> = starts.filter(|(start, rest)| is_border(start, rest)).map(|(start, _)| start).collect();
    if above.len() >= MAX_ABOVE || address.len() > MAX_LENGTH {
        return Err(malformed(format!("{} has too many segments.", quoted(address)), "a shorter address"));
    }
    Ok(above.into_iter().chain([address]).collect())
}

/// Returns whether a segment ends between the beginning of an address and its rest. In a version, which begins with a
/// bar, a dot ends a segment too.
fn is_border(start: &str, rest: &str) -> bool {
    rest.is_empty()
        || rest.starts_with(BORDERS)
        || start.ends_with(['/', '?', '#'])
        || (rest.starts_with('.') && start.contains('|'))
}

/// A comparison with an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UriCriterion {
    /// The address, optionally followed by a part that begins with one of some characters.
    Is {
        /// The address.
        address: String,
        /// The characters.
        until: &'static str,
    },
    /// The address, or one that begins with it and has the end of a segment there.
    Below(String),
}

impl Comparison for UriCriterion {
    type Value = Target;

    fn holds(&self, Target(target): &Target) -> bool {
        match self {
            Self::Is { address, until } => {
                target == address || target.split_once(|c| until.contains(c)).is_some_and(|(start, _)| start == address)
            }
            Self::Below(address) => target.strip_prefix(address.as_str()).is_some_and(|rest| is_border(address, rest)),
        }
    }

    fn words(&self) -> Phrase {
        match self {
            Self::Is { address, .. } => ("is", address.clone()),
            Self::Below(address) => ("is at or below", address.clone()),
        }
    }

    fn lookups(&self) -> Vec<Lookup> {
        match self {
            Self::Is { address, until: "" } => {
                vec![Lookup::Key(KeyMatch { value: address.clone(), rest: Some(String::new()) })]
            }
            Self::Is { address, .. } => vec![Lookup::Key(KeyMatch::of(address.clone()))],
            Self::Below(address) if is_border(address, "x") => vec![Lookup::Range(KeyRange::from(address.clone()))],
            Self::Below(address) => {
                let behind = BORDERS.into_iter().chain(address.contains('|').then_some('.'));
                let ranges = behind.map(|border| Lookup::Range(KeyRange::from(format!("{address}{border}"))));
                std::iter::once(Lookup::Key(KeyMatch::of(address.clone()))).chain(ranges).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::{Criterion, Kind};

    fn holds(until: &'static str, modifier: Option<Modifier>, wanted: &str, address: &str) -> bool {
        let (resource_type, base) = (fhir::ResourceType::ValueSet, "");
        let value = RawValue { resource_type, param: "url", modifier, text: wanted, base, now: 0 };
        let kind = Kind::uri(until);
        let fact = Target(address.to_owned()).into();
        let criteria = kind.criteria(&value).unwrap();
        let found = criteria.iter().any(|criterion| criterion.holds(&fact));
        let keys = kind.index_keys([&fact].into_iter());
        let mut lookups = criteria.iter().flat_map(Criterion::lookups);
        let looked_up = lookups.any(|lookup| keys.iter().any(|key| lookup.finds(key)));
        assert_eq!(looked_up, found, "the index finds the same of {wanted} and {address}");
        found
    }

    #[test]
    fn addresses_are_equal_as_a_whole() {
        assert!(holds("", None, "http://a/b", "http://a/b"));
        for other in ["http://A/b", "http://a/b/", "http://a/b|1", "http://a/b#c"] {
            assert!(!holds("", None, "http://a/b", other), "{other}");
        }
        assert!(holds("|", None, "http://a/b", "http://a/b|1") && holds("|", None, "http://a/b|1", "http://a/b|1"));
        assert!(!holds("|", None, "http://a/b|1", "http://a/b") && !holds("|", None, "http://a/b|1", "http://a/b|1.0"));
        assert!(holds("#", None, "http://a/b", "http://a/b#c") && !holds("#", None, "http://a/b#d", "http://a/b#c"));
    }

    #[test]
    fn segments_are_below_and_above_others() {
        let below = |wanted, address| {
            let is_below = holds("|", Some(Modifier::Below), wanted, address);
            assert_eq!(holds("|", Some(Modifier::Above), address, wanted), is_below, "{wanted} {address}");
            is_below
        };
        for (wanted, address) in [
            ("http://a/b", "http://a/b"),
            ("http://a/b", "http://a/b/c"),
            ("http://a/b/", "http://a/b/c"),
            ("http://a/b", "http://a/b|1"),
            ("http://a/b|1", "http://a/b|1.2"),
            ("http://a", "http://a?b#c"),
        ] {
            assert!(below(wanted, address), "{wanted} {address}");
        }
        for (wanted, address) in
            [("http://a/b", "http://a/bc"), ("http://a/b.", "http://a/b"), ("http://a/b|1", "http://a/b|12")]
        {
            assert!(!below(wanted, address), "{wanted} {address}");
        }
    }
}
