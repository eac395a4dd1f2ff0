//! Populations of patients who never lived, for measuring at size: the same seed gives the same bytes, everywhere.
//!
//! A population is a stream of NDJSON: first the directory that all share, then one chart after another, each in the
//! order of its visits. Every reference leads to an earlier line. A chart depends on the seed and on its number alone,
//! so the stream of a small population is the beginning of that of a larger one, and only one chart is in memory at a
//! time.
//!
//! The terms are real, from LOINC, SNOMED CT, RxNorm, CVX and ICD-10-CM; how often things happen is a rough guess.

mod calendar;
mod care;
mod chart;
mod conditions;
mod directory;
mod documents;
mod elements;
mod formulary;
mod immunizations;
mod laboratory;
mod life;
mod names;
mod observations;
mod prescriptions;
mod random;
mod visit;

use std::io::{self, Write};

use serde_json::json;

use chart::{Chart, patient_id};
use directory::Directory;
use elements::{Sheet, to};
use random::Random;

/// A population to write.
///
/// ```
/// # use populate::Population;
/// let mut lines = Vec::new();
/// Population { patients: 1, seed: 1 }.write(&mut lines)?;
/// assert!(lines.starts_with(b"{\"resourceType\":"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Population {
    /// The number of patients.
    pub patients: u64,
    /// Populations of different seeds have nobody in common.
    pub seed: u64,
}

impl Population {
    /// Writes the population as NDJSON, with one resource on a line.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sheet = Sheet::new(Random::new(self.seed, 0));
        let directory = directory::write(&mut sheet);
        out.write_all(sheet.text.as_bytes())?;
        for number in 0..self.patients {
            out.write_all(write_chart(&directory, self.seed, number).as_bytes())?;
        }
        out.flush()
    }
}

/// The chart of the patient of that number.
fn write_chart(directory: &Directory, seed: u64, number: u64) -> String {
    let mut chart = Chart::begin(directory, seed, number);
    let (mut problems, visits) = life::draw(&mut chart);
    for (at, visit) in visits.into_iter().enumerate() {
        visit::write(&mut chart, visit, &mut problems, at == 0);
    }
    write_household(&mut chart, seed, number);
    chart.sheet.text
}

/// Some patients of an odd number share a household with the one before.
fn write_household(chart: &mut Chart<'_>, seed: u64, number: u64) {
    if number.is_multiple_of(2) || !chart.sheet.random.chance(20) {
        return;
    }
    let other = format!("Patient/{}", patient_id(seed, number - 1));
    let at = chart.known();
    let body = json!({
        "active": true,
        "type": "person",
        "actual": true,
        "name": format!("Household of {}", chart.patient.name),
        "quantity": 2,
        "member": [{"entity": chart.patient.to()}, {"entity": to(&other)}]
    });
    chart.sheet.add("Group", "Group", at, body);
}
