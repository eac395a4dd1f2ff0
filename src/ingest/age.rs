//! The age of a form of a resource, by which loads that keep newer forms decide.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use fhir::{Micros, Span};

/// The most that the clock of a source may be ahead: 5 minutes.
const AHEAD: Micros = 5 * 60 * 1_000_000;

/// The version of a resource whose version is not a number.
const NO_NUMBER: u64 = 0;

/// The age of a form of a resource: `meta.lastUpdated` and, if that is equal, `meta.versionId` as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Age {
    updated: Micros,
    /// [`NO_NUMBER`] if the version is not a number.
    version: u64,
}

/// The time that a source states for a resource or a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceTime<'a> {
    /// There is no time.
    Nothing,
    /// A time that is not in the future.
    Time(Micros),
    /// A text that is not a time.
    NoTime(&'a str),
    /// A time in the future. If it were accepted, nothing could replace the resource until then.
    Future(&'a str),
}

impl<'a> SourceTime<'a> {
    /// Parses a time. `clock` is the current time.
    pub fn read(text: Option<&'a str>, clock: Micros) -> Self {
        let Some(text) = text else { return Self::Nothing };
        match Span::parse(text).map(|span| span.from) {
            None => Self::NoTime(text),
            Some(time) if time > clock.saturating_add(AHEAD) => Self::Future(text),
            Some(time) => Self::Time(time),
        }
    }

    /// Returns the time of the last update that a resource states.
    pub fn of_resource(resource: &'a Value, clock: Micros) -> Self {
        resource.get("meta").map_or(Self::Nothing, |meta| Self::of_meta(meta, clock))
    }

    fn of_meta(meta: &'a Value, clock: Micros) -> Self {
        match meta.get("lastUpdated") {
            None => Self::Nothing,
            Some(Value::String(text)) => Self::read(Some(text), clock),
            Some(_) => Self::NoTime("no text"),
        }
    }

    /// Returns the time, if it is valid and not in the future.
    pub const fn time(self) -> Option<Micros> {
        match self {
            Self::Time(time) => Some(time),
            Self::Nothing | Self::NoTime(_) | Self::Future(_) => None,
        }
    }

    /// Returns a description of the fault, with the name of the element.
    #[must_use]
    pub fn fault(self, element: &str) -> Option<String> {
        match self {
            Self::Nothing | Self::Time(_) => None,
            Self::NoTime(text) => Some(format!("{element} is no time: {text:?}. It counts as that of the load")),
            Self::Future(text) => Some(format!("{element} is in the future: {text}. It counts as that of the load")),
        }
    }
}

/// The member `meta` of a resource.
#[derive(Deserialize)]
pub(super) struct MetaOnly {
    /// The member, or null.
    #[serde(default)]
    pub meta: Value,
}

impl Age {
    /// Returns the age of a resource. Without a valid `meta.lastUpdated` at the time `clock`, it is as new as `now`.
    pub fn of(resource: &Value, now: Micros, clock: Micros) -> Self {
        Self::of_meta(resource.get("meta").unwrap_or(&Value::Null), now, clock)
    }

    /// Returns the age of a resource with this text. Only `meta` is kept in memory. `None` if it is not JSON.
    pub fn of_text(text: &str, now: Micros, clock: Micros) -> Option<Self> {
        let resource: MetaOnly = serde_json::from_str(text).ok()?;
        Some(Self::of_meta(&resource.meta, now, clock))
    }

    fn of_meta(meta: &Value, now: Micros, clock: Micros) -> Self {
        let version = meta.get("versionId").and_then(Value::as_str);
        let version = version.and_then(|version| version.parse().ok()).unwrap_or(NO_NUMBER);
        Self { updated: SourceTime::of_meta(meta, clock).time().unwrap_or(now), version }
    }

    /// Returns the age of a deletion. A deletion is newer than a form with the same time.
    pub const fn of_deletion(time: Micros) -> Self {
        Self { updated: time, version: u64::MAX }
    }

    /// Returns whether this is older than another one. Versions that are not numbers are equal.
    #[must_use]
    pub fn is_before(self, other: Self) -> bool {
        match self.updated.cmp(&other.updated) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => ![self.version, other.version].contains(&NO_NUMBER) && self.version < other.version,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_time_decides_and_then_the_version() {
        let age = |meta: Value| Age::of(&json!({"meta": meta}), 1_000_000, 1_000_000);
        let order = [
            age(json!({"lastUpdated": "1969-12-31T23:59:59Z", "versionId": "9"})),
            age(json!({"lastUpdated": "1970-01-01T00:00:00Z", "versionId": "9"})),
            age(json!({"lastUpdated": "1970-01-01T01:00:00+01:00", "versionId": "10"})),
            age(json!({"lastUpdated": "1970-01-01T00:00:01Z"})),
            age(json!({"lastUpdated": "1970-01-01T00:05:01Z"})),
        ];
        for (at, one) in order.iter().enumerate() {
            for (other_at, other) in order.iter().enumerate() {
                assert_eq!(one.is_before(*other), at < other_at, "{one:?} {other:?}");
            }
        }
        let [two, letter] = ["2", "a"].map(|version| age(json!({"versionId": version, "lastUpdated": "1970"})));
        assert!(!two.is_before(letter) && !letter.is_before(two));
        for uncounted in
            [json!({"lastUpdated": "yesterday"}), json!({"lastUpdated": 7}), json!({"lastUpdated": "9998"})]
        {
            assert_eq!(age(uncounted), age(json!({})));
        }
        assert_eq!(Age::of(&json!({"meta": 7}), 1_000_000, 1_000_000), age(json!({})));
        assert!(age(json!({"versionId": "9", "lastUpdated": "1970-01-01"})).is_before(Age::of_deletion(0)));
        assert!(Age::of_deletion(0).is_before(age(json!({}))));
    }

    #[test]
    fn a_time_that_does_not_count_is_a_fault() {
        let fault = |text: &str| SourceTime::read(Some(text), 0).fault("it");
        assert_eq!(fault("1970-01-01T00:05:00Z"), None);
        assert_eq!(
            fault("1970-01-01T00:05:01Z").as_deref(),
            Some("it is in the future: 1970-01-01T00:05:01Z. It counts as that of the load")
        );
        assert_eq!(fault("x").as_deref(), Some("it is no time: \"x\". It counts as that of the load"));
        assert_eq!(SourceTime::read(None, 0).fault("it"), None);
        assert_eq!(SourceTime::read(Some("9999-12-31T23:59:59.999999Z"), Micros::MAX).fault("it"), None);
    }
}
