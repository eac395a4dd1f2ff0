//! The counts of an isolate, and their text in the format of Prometheus
//! (<https://prometheus.io/docs/instrumenting/exposition_formats/>).

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::measurement::{Measurement, route_name, type_name};

#[derive(Debug)]
struct Counter {
    name: &'static str,
    help: &'static str,
    labels: [&'static str; 3],
}

/// A family of histograms, with at most one label.
#[derive(Debug)]
struct Distribution {
    name: &'static str,
    help: &'static str,
    label: &'static str,
    /// The upper ends of all buckets except the last.
    ends: [u64; ENDS],
    /// The number of counted units in one unit of the name.
    scale: u64,
}

/// The number of buckets without the last one.
const ENDS: usize = 8;

const REQUESTS: usize = 0;
const REFUSALS: usize = 1;
const MESSAGES: usize = 2;
const RESOURCES: usize = 3;
const TASKS: usize = 4;
const COUNTERS: [Counter; 5] = [
    Counter {
        name: "edgechart_requests_total",
        help: "Requests that were answered.",
        labels: ["route", "type", "status"],
    },
    Counter { name: "edgechart_refusals_total", help: "Refusals, by reason.", labels: ["route", "reason", ""] },
    Counter { name: "edgechart_messages_total", help: "Messages of jobs.", labels: ["outcome", "", ""] },
    Counter { name: "edgechart_resources_total", help: "Resources that jobs have changed.", labels: ["", "", ""] },
    Counter { name: "edgechart_tasks_total", help: "Tasks of the cron trigger.", labels: ["task", "outcome", ""] },
];

const LATENCY: usize = 0;
const ROWS: usize = 1;
const BYTES: usize = 2;
const LAG: usize = 3;
const MILLISECONDS: [u64; ENDS] = [5, 10, 25, 50, 100, 250, 1_000, 5_000];
const DISTRIBUTIONS: [Distribution; 4] = [
    Distribution {
        name: "edgechart_request_duration_seconds",
        help: "Time from request to answer.",
        label: "route",
        ends: MILLISECONDS,
        scale: 1_000,
    },
    Distribution {
        name: "edgechart_rows_read",
        help: "Rows, or values of KV, that a request read.",
        label: "route",
        ends: [1, 10, 30, 100, 300, 1_000, 10_000, 100_000],
        scale: 1,
    },
    Distribution {
        name: "edgechart_response_bytes",
        help: "Length of answers.",
        label: "route",
        ends: [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24],
        scale: 1,
    },
    Distribution {
        name: "edgechart_message_lag_seconds",
        help: "Time from the sending of a message until it was handled.",
        label: "",
        ends: [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 86_400_000],
        scale: 1_000,
    },
];

#[derive(Debug, Default)]
struct Histogram {
    /// The counts of the buckets, each without the smaller buckets.
    buckets: [u64; ENDS],
    count: u64,
    sum: u64,
}

#[derive(Debug, Default)]
struct Counts {
    counters: [BTreeMap<[&'static str; 3], u64>; COUNTERS.len()],
    histograms: [BTreeMap<&'static str, Histogram>; DISTRIBUTIONS.len()],
}

/// The counts of an isolate since it started.
#[derive(Debug)]
pub struct Metrics {
    /// The random name of the isolate.
    isolate: String,
    /// The time at which the isolate started, in seconds since 1970.
    started: i64,
    /// The size of the module's memory, in bytes.
    memory: Cell<u64>,
    counts: RefCell<Counts>,
}

impl Counts {
    fn count(&mut self, family: usize, labels: [&'static str; 3], by: u64) {
        if let Some(counters) = self.counters.get_mut(family) {
            *counters.entry(labels).or_default() += by;
        }
    }

    fn measure(&mut self, family: usize, label: &'static str, value: u64) {
        let Some((histograms, row)) = self.histograms.get_mut(family).zip(DISTRIBUTIONS.get(family)) else {
            return;
        };
        let histogram = histograms.entry(label).or_default();
        if let Some(bucket) =
            row.ends.iter().zip(&mut histogram.buckets).find_map(|(end, n)| (value <= *end).then_some(n))
        {
            *bucket += 1;
        }
        histogram.count += 1;
        histogram.sum += value;
    }
}

impl Metrics {
    /// Creates the counts of an isolate that starts. All are zero.
    #[must_use]
    pub fn new(isolate: String, started: i64) -> Self {
        Self { isolate, started, memory: Cell::default(), counts: RefCell::default() }
    }

    /// Sets the current size of the module's memory, in bytes. It never shrinks.
    pub fn set_memory(&self, bytes: u64) {
        self.memory.set(bytes);
    }

    /// Counts a measurement.
    pub fn count(&self, measurement: &Measurement) {
        let mut counts = self.counts.borrow_mut();
        match *measurement {
            Measurement::Request { call, milliseconds, bytes } => {
                let route = route_name(call.route);
                counts.count(REQUESTS, [route, type_name(call.resource_type), call.status_class()], 1);
                if let Some(reason) = call.refusal {
                    counts.count(REFUSALS, [route, reason, ""], 1);
                }
                counts.measure(LATENCY, route, milliseconds);
                counts.measure(ROWS, route, call.rows());
                counts.measure(BYTES, route, bytes);
            }
            Measurement::Message { outcome, lag, resources, .. } => {
                counts.count(MESSAGES, [outcome, "", ""], 1);
                counts.count(RESOURCES, [""; 3], resources);
                counts.measure(LAG, "", lag);
            }
            Measurement::Task { name, outcome, .. } => counts.count(TASKS, [name, outcome, ""], 1),
        }
    }

    /// Returns the counts in the format of Prometheus. `gauges` are the gauges of the deployment, with their help.
    pub fn text(&self, gauges: &[(&str, &str, u64)]) -> String {
        let mut text = Exposition { text: String::new(), isolate: &self.isolate };
        text.family("edgechart_isolate_start_time_seconds", "gauge", "Start of the isolate, since 1970.");
        text.line("edgechart_isolate_start_time_seconds", "", &[], &self.started.to_string());
        text.family("edgechart_isolate_memory_bytes", "gauge", "Memory of the module of the isolate.");
        text.line("edgechart_isolate_memory_bytes", "", &[], &self.memory.get().to_string());
        let counts = self.counts.borrow();
        for (Counter { name, help, labels }, counters) in COUNTERS.iter().zip(&counts.counters) {
            text.family(name, "counter", help);
            for (values, count) in counters {
                let pairs: Vec<_> = labels.iter().zip(values).map(|(label, value)| (*label, *value)).collect();
                text.line(name, "", &pairs, &count.to_string());
            }
        }
        for (row, histograms) in DISTRIBUTIONS.iter().zip(&counts.histograms) {
            text.family(row.name, "histogram", row.help);
            let scaled = |value: u64| (value as f64 / row.scale as f64).to_string();
            for (value, Histogram { buckets, count, sum }) in histograms {
                let (label, mut below) = ((row.label, *value), 0);
                for (end, bucket) in row.ends.iter().zip(buckets) {
                    below += bucket;
                    text.line(row.name, "_bucket", &[label, ("le", &scaled(*end))], &below.to_string());
                }
                text.line(row.name, "_bucket", &[label, ("le", "+Inf")], &count.to_string());
                text.line(row.name, "_sum", &[label], &scaled(*sum));
                text.line(row.name, "_count", &[label], &count.to_string());
            }
        }
        for (name, help, value) in gauges {
            text.family(name, "gauge", help);
            text.text.push_str(&format!("{name} {value}\n"));
        }
        text.text
    }
}

/// A text in the format of Prometheus. No label and no value contains a character that needs escaping.
struct Exposition<'a> {
    text: String,
    isolate: &'a str,
}

impl Exposition<'_> {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        self.text.push_str(&format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
    }

    /// Writes a line of this isolate. Labels without a name are left out.
    fn line(&mut self, name: &str, suffix: &str, labels: &[(&str, &str)], value: &str) {
        self.text.push_str(&format!("{name}{suffix}{{isolate=\"{}\"", self.isolate));
        for (label, of) in labels.iter().filter(|(label, _)| !label.is_empty()) {
            self.text.push_str(&format!(",{label}=\"{of}\""));
        }
        self.text.push_str(&format!("}} {value}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnsweredCall;
    use fhir::ResourceType;
    use store::Cost;

    #[test]
    fn counts_and_histograms_are_written_as_prometheus_reads_them() {
        let metrics = Metrics::new("i".to_owned(), 1_800_000_000);
        let call = AnsweredCall {
            route: "/{type}",
            resource_type: Some(ResourceType::Patient),
            refusal: None,
            status: 200,
            cost: Cost::D1 { rows_read: 11, trips: 1 },
        };
        for milliseconds in [4, 30, 9_000] {
            metrics.count(&Measurement::Request { call, milliseconds, bytes: 2_000 });
        }
        let refused = AnsweredCall { refusal: Some("no_token"), status: 401, ..AnsweredCall::default() };
        metrics.count(&Measurement::Request { call: refused, milliseconds: 0, bytes: 1 });
        metrics.count(&Measurement::Message { outcome: "loaded", milliseconds: 1, lag: 2_500, resources: 6 });
        metrics.count(&Measurement::Task { name: "purge", outcome: "behind", milliseconds: 1 });
        metrics.set_memory(131_072);
        let text = metrics.text(&[("edgechart_jobs_waiting", "Jobs.", 3)]);
        for line in [
            "edgechart_isolate_start_time_seconds{isolate=\"i\"} 1800000000",
            "edgechart_isolate_memory_bytes{isolate=\"i\"} 131072",
            "# TYPE edgechart_requests_total counter",
            "edgechart_requests_total{isolate=\"i\",route=\"/{type}\",type=\"Patient\",status=\"2xx\"} 3",
            "edgechart_requests_total{isolate=\"i\",route=\"none\",type=\"\",status=\"4xx\"} 1",
            "edgechart_refusals_total{isolate=\"i\",route=\"none\",reason=\"no_token\"} 1",
            "edgechart_request_duration_seconds_bucket{isolate=\"i\",route=\"/{type}\",le=\"0.005\"} 1",
            "edgechart_request_duration_seconds_bucket{isolate=\"i\",route=\"/{type}\",le=\"0.05\"} 2",
            "edgechart_request_duration_seconds_bucket{isolate=\"i\",route=\"/{type}\",le=\"5\"} 2",
            "edgechart_request_duration_seconds_bucket{isolate=\"i\",route=\"/{type}\",le=\"+Inf\"} 3",
            "edgechart_request_duration_seconds_sum{isolate=\"i\",route=\"/{type}\"} 9.034",
            "edgechart_rows_read_sum{isolate=\"i\",route=\"/{type}\"} 33",
            "edgechart_response_bytes_count{isolate=\"i\",route=\"/{type}\"} 3",
            "edgechart_message_lag_seconds_sum{isolate=\"i\"} 2.5",
            "edgechart_resources_total{isolate=\"i\"} 6",
            "edgechart_tasks_total{isolate=\"i\",task=\"purge\",outcome=\"behind\"} 1",
            "edgechart_jobs_waiting 3",
        ] {
            assert!(text.lines().any(|own| own == line), "{line} is not in\n{text}");
        }
        let families = text.lines().filter(|line| line.starts_with("# TYPE")).count();
        assert_eq!(families, 2 + COUNTERS.len() + DISTRIBUTIONS.len() + 1);
        assert!(text.ends_with('\n'));
    }
}
