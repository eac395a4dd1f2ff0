//! Measurements of a request, of a message of the queue, and of a task of the cron trigger. A runtime makes them, and
//! each becomes a point of Analytics Engine.
//!
//! All texts of a measurement are `&'static str`, so that none can come from a request or a record.

use fhir::ResourceType;
use store::Cost;

/// The properties of an answered call that are measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AnsweredCall {
    /// The name of its route. It is empty if no route matches.
    pub route: &'static str,
    /// The resource type of a search or a read.
    pub resource_type: Option<ResourceType>,
    /// The reason of a refusal, as in the audit log.
    pub refusal: Option<&'static str>,
    /// The status of the answer.
    pub status: u16,
    /// The cost of reading the records.
    pub cost: Cost,
}

impl AnsweredCall {
    const fn status_class(&self) -> &'static str {
        match self.status / 100 {
            1 => "1xx",
            2 => "2xx",
            3 => "3xx",
            4 => "4xx",
            _ => "5xx",
        }
    }

    /// Returns the rows, or the values of a key-value store, that were read.
    const fn rows(&self) -> u64 {
        match self.cost {
            Cost::Free => 0,
            Cost::D1 { rows_read, .. } => rows_read,
            Cost::Kv { reads } => reads,
        }
    }
}

/// The measurement of a request, a message or a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measurement {
    /// A request that was answered.
    Request {
        /// The call.
        call: AnsweredCall,
        /// The milliseconds from the request to the answer.
        milliseconds: u64,
        /// The length of the answer: bytes, and for texts of rows UTF-16 code units.
        bytes: u64,
    },
    /// A message of the queue of jobs that was handled.
    Message {
        /// The outcome: `loaded`, `exported`, `divided`, `nothing`, `failed`, or `dead`.
        outcome: &'static str,
        /// The milliseconds that it took.
        milliseconds: u64,
        /// The milliseconds from sending to handling it.
        lag: u64,
        /// The resources that were stored or deleted.
        resources: u64,
    },
    /// A task of the cron trigger that has ended.
    Task {
        /// The name: `purge`, `resume` or `reindex`.
        name: &'static str,
        /// The outcome: `done`, `behind` if the next run has to continue, or `failed`.
        outcome: &'static str,
        /// The milliseconds that it took.
        milliseconds: u64,
    },
}

/// A point of Analytics Engine (<https://developers.cloudflare.com/analytics/analytics-engine/get-started/>).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// `index1`, by which points are sampled: the route, the queue, or the task.
    pub index: &'static str,
    /// `blob1` to `blob4`: the kind of measurement, the outcome, the resource type, the reason of a refusal.
    pub texts: [&'static str; 4],
    /// `double1` to `double6`: milliseconds, rows, bytes, milliseconds of lag, resources, bytes of memory.
    pub numbers: [f64; 6],
}

impl Measurement {
    /// Returns the point of the measurement, for a module with this number of bytes of memory.
    pub fn point(&self, memory: u64) -> Point {
        let (index, texts, [milliseconds, rows, bytes, lag, resources]) = match *self {
            Self::Request { call, milliseconds, bytes } => {
                let route = if call.route.is_empty() { "none" } else { call.route };
                let resource_type = call.resource_type.map_or("", ResourceType::name);
                let texts = ["request", call.status_class(), resource_type, call.refusal.unwrap_or_default()];
                (route, texts, [milliseconds, call.rows(), bytes, 0, 0])
            }
            Self::Message { outcome, milliseconds, lag, resources } => {
                ("queue", ["message", outcome, "", ""], [milliseconds, 0, 0, lag, resources])
            }
            Self::Task { name, outcome, milliseconds } => (name, ["task", outcome, "", ""], [milliseconds, 0, 0, 0, 0]),
        };
        let numbers = [milliseconds, rows, bytes, lag, resources, memory];
        Point { index, texts, numbers: numbers.map(|number| number as f64) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_has_its_numbers_and_texts_at_fixed_positions() {
        let call = AnsweredCall {
            route: "/{type}",
            resource_type: Some(ResourceType::Observation),
            refusal: None,
            status: 200,
            cost: Cost::D1 { rows_read: 7, trips: 1 },
        };
        let point = Measurement::Request { call, milliseconds: 12, bytes: 900 }.point(65_536);
        assert_eq!((point.index, point.texts), ("/{type}", ["request", "2xx", "Observation", ""]));
        assert_eq!(point.numbers, [12.0, 7.0, 900.0, 0.0, 0.0, 65_536.0]);
        let refused = AnsweredCall { refusal: Some("revoked"), status: 401, ..AnsweredCall::default() };
        let point = Measurement::Request { call: refused, milliseconds: 0, bytes: 0 }.point(0);
        assert_eq!((point.index, point.texts), ("none", ["request", "4xx", "", "revoked"]));
        let message = Measurement::Message { outcome: "loaded", milliseconds: 5, lag: 1_500, resources: 3 }.point(1);
        assert_eq!((message.texts[1], message.numbers), ("loaded", [5.0, 0.0, 0.0, 1_500.0, 3.0, 1.0]));
        let task = Measurement::Task { name: "purge", outcome: "behind", milliseconds: 9 }.point(0);
        assert_eq!((task.index, task.texts[1]), ("purge", "behind"));
    }
}
