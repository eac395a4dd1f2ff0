//! The age of a form of a resource, by which loads that keep what is newer decide.

use std::cmp::Ordering;

use serde_json::Value;

use crate::fhir::{Micros, Span};

/// The age of a form of a resource: `meta.lastUpdated`, and where that is equal, `meta.versionId` as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age {
    updated: Micros,
    version: Option<u64>,
}

impl Age {
    /// The age of a resource. Without a valid `meta.lastUpdated` it is as new as `now`.
    #[must_use]
    pub fn of(resource: &Value, now: Micros) -> Self {
        let meta = |name| resource.get("meta").and_then(|meta| meta.get(name));
        let updated = meta("lastUpdated").and_then(Span::of_element).and_then(|span| span.starts());
        let version = meta("versionId").and_then(Value::as_str).and_then(|version| version.parse().ok());
        Self { updated: updated.unwrap_or(now), version }
    }

    /// The age of a deletion. It is newer than a form of the same time.
    #[must_use]
    pub const fn of_deletion(time: Micros) -> Self {
        Self { updated: time, version: Some(u64::MAX) }
    }

    /// Returns whether this is older than another one. Versions that are not numbers are equal.
    #[must_use]
    pub fn is_before(self, other: Self) -> bool {
        match self.updated.cmp(&other.updated) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => self.version.zip(other.version).is_some_and(|(own, other)| own < other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_time_decides_and_then_the_version() {
        let age = |meta: Value| Age::of(&json!({"meta": meta}), 1_000_000);
        let order = [
            age(json!({"lastUpdated": "1969-12-31T23:59:59Z", "versionId": "9"})),
            age(json!({"lastUpdated": "1970-01-01T00:00:00Z", "versionId": "9"})),
            age(json!({"lastUpdated": "1970-01-01T01:00:00+01:00", "versionId": "10"})),
            age(json!({})),
            age(json!({"lastUpdated": "1970-01-01T00:00:02Z"})),
        ];
        for (at, one) in order.iter().enumerate() {
            for (other_at, other) in order.iter().enumerate() {
                assert_eq!(one.is_before(*other), at < other_at, "{one:?} {other:?}");
            }
        }
        let [two, letter] = ["2", "a"].map(|version| age(json!({"versionId": version, "lastUpdated": "1970"})));
        assert!(!two.is_before(letter) && !letter.is_before(two));
        assert_eq!(age(json!({"lastUpdated": "yesterday"})), age(json!({})));
        assert_eq!(Age::of(&json!({"meta": 7}), 1_000_000), age(json!({})));
        assert!(age(json!({"versionId": "9", "lastUpdated": "1970-01-01"})).is_before(Age::of_deletion(0)));
        assert!(Age::of_deletion(0).is_before(age(json!({}))));
    }
}
