//! The use of the Patient Access API in a year, from the audit log (42 CFR 422.119 and its likes): for how many
//! patients apps received records, and for how many more than once.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::audit::{Line, LoggedPatients, lines_in};

/// The counts that are so small that they could identify people, except 0.
const SMALL: std::ops::RangeInclusive<usize> = 1..=10;

/// The meaning of the counts. The rule leaves it open what a transfer is.
const DEFINITION: &str = "A transfer is a day (UTC) on which an app got records of the patient in the context of its \
    token, for a signed-in user: at least one read, search or summary with status 200 and records of that patient. Neither 304 \
    nor an empty Bundle is one. Several days or several apps are several transfers.";

/// The transfers of a year.
#[derive(Debug)]
pub struct Usage {
    year: String,
    except: Vec<String>,
    /// The apps and days of each patient.
    transfers: BTreeMap<String, BTreeSet<(String, String)>>,
}

impl Usage {
    /// Returns no transfers, for a year. Those to the clients `except` are not counted.
    pub fn new(year: u16, except: Vec<String>) -> Self {
        Self { year: format!("{year:04}-"), except, transfers: BTreeMap::new() }
    }

    /// Adds the transfers in a line of a log.
    pub fn add(&mut self, line: &str) {
        for Line { time, event, status, client, user, context, patients, .. } in lines_in(line) {
            let (Some(client), Some(patient), Some(LoggedPatients::Listed(patients))) = (client, context, patients)
            else {
                continue;
            };
            let is_answer = status == 200 && matches!(event.as_str(), "read" | "search" | "summary" | "agent");
            let discloses = is_answer && patients.contains(&patient);
            let is_counted = user.is_some() && time.starts_with(&self.year) && !self.except.contains(&client);
            if let (true, Some((day, _))) = (discloses && is_counted, time.split_once('T')) {
                self.transfers.entry(patient).or_default().insert((client, day.to_owned()));
            }
        }
    }

    /// Returns the counts, without any name or id. `small` has the names of those below 11.
    pub fn report(&self) -> Value {
        let repeated = self.transfers.values().filter(|transfers| transfers.len() > 1).count();
        let counts = [("patients", self.transfers.len()), ("patients_more_than_once", repeated)];
        let small: Vec<_> = counts.iter().filter(|(_, count)| SMALL.contains(count)).map(|(name, _)| *name).collect();
        let [(first, all), (second, repeated)] = counts;
        let year = self.year.trim_end_matches('-');
        json!({"year": year, first: all, second: repeated, "small": small, "definition": DEFINITION})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(client: &str, day: &str, changes: &Value) -> String {
        let mut line = json!({
            "audit": api::AUDIT, "event_id": "e", "status": 200, "time": format!("{day}T08:00:00.000Z"), "request": "r",
            "event": "search", "client": client, "user": "amara", "context": "a", "patients": ["a"],
        });
        line.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        line.to_string()
    }

    fn counts(lines: &[String]) -> (Value, Value) {
        let mut usage = Usage::new(2026, vec!["own-portal".to_owned()]);
        lines.iter().for_each(|line| usage.add(line));
        let report = usage.report();
        (report["patients"].clone(), report["patients_more_than_once"].clone())
    }

    #[test]
    fn transfers_are_counted_by_app_and_day() {
        let (one, same) = (json!({}), json!({"event": "read"}));
        for (lines, expected) in [
            (vec![line("app", "2026-01-01", &one), line("app", "2026-12-31", &one)], (1, 1)),
            (vec![line("app", "2026-01-01", &one), line("other", "2026-01-01", &one)], (1, 1)),
            (vec![line("app", "2026-01-01", &same); 50], (1, 0)),
            (vec![line("app", "2026-01-01", &json!({"event": "summary"}))], (1, 0)),
            (vec![line("app", "2026-01-01", &json!({"event": "agent"}))], (1, 0)),
            (
                vec![
                    line("app", "2026-01-01", &one),
                    line("app", "2026-01-01", &json!({"context": "b", "patients": ["b"]})),
                ],
                (2, 0),
            ),
            (vec![line("app", "2025-12-31", &one), line("own-portal", "2026-01-01", &one)], (0, 0)),
        ] {
            assert_eq!(counts(&lines), (expected.0.into(), expected.1.into()), "{lines:?}");
        }
    }

    #[test]
    fn an_answer_without_records_of_the_patient_is_no_transfer() {
        for changes in [
            json!({"status": 304}),
            json!({"status": 404}),
            json!({"patients": null}),
            json!({"patients": ["b"]}),
            json!({"patients": {"count": 30, "sha256": "x"}}),
            json!({"event": "export"}),
            json!({"user": null}),
            json!({"context": null}),
        ] {
            assert_eq!(counts(&[line("app", "2026-01-01", &changes)]), (0.into(), 0.into()), "{changes}");
        }
    }

    #[test]
    fn the_report_has_no_ids_and_does_not_depend_on_the_order() {
        let mut lines: Vec<_> = (0..30)
            .map(|n| {
                let patient = format!("secret-{}", n % 12);
                line(
                    "secret-app",
                    &format!("2026-02-{:02}", n + 1),
                    &json!({"context": patient, "patients": [patient]}),
                )
            })
            .collect();
        let report = |lines: &[String]| {
            let mut usage = Usage::new(2026, Vec::new());
            lines.iter().for_each(|line| usage.add(line));
            usage.report()
        };
        let first = report(&lines);
        lines.reverse();
        assert_eq!(report(&lines), first);
        assert!(!first.to_string().contains("secret") && !first.to_string().contains("amara"), "{first}");
        assert_eq!((&first["patients"], &first["small"]), (&12.into(), &json!([])));
        assert_eq!(report(&lines[..1])["small"], json!(["patients"]));
    }
}
