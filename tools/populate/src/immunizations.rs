//! Vaccines by their codes of CVX, and the ages at which they are given.

use chrono::Datelike;
use serde_json::json;

use super::chart::{Chart, Scene};
use super::elements::{Code, System, code, status, to, with};

const fn cvx(number: &'static str, display: &'static str) -> Code {
    code(System::Cvx, number, display)
}

/// A vaccine, and from which day to which day of life it is given.
const SCHEDULE: &[(Code, i64, i64)] = &[
    (cvx("08", "Hep B, adolescent or pediatric"), 25, 70),
    (cvx("119", "rotavirus, monovalent"), 55, 130),
    (cvx("20", "DTaP"), 55, 200),
    (cvx("48", "Hib (PRP-T)"), 55, 130),
    (cvx("133", "Pneumococcal conjugate PCV 13"), 55, 200),
    (cvx("10", "IPV"), 55, 130),
    (cvx("03", "MMR"), 360, 370),
    (cvx("21", "varicella"), 360, 370),
    (cvx("83", "Hep A, ped/adol, 2 dose"), 360, 560),
    (cvx("20", "DTaP"), 450, 460),
    (cvx("10", "IPV"), 4 * 365, 5 * 365),
    (cvx("03", "MMR"), 4 * 365, 5 * 365),
    (cvx("165", "HPV9"), 11 * 365, 13 * 365),
    (cvx("114", "meningococcal MCV4P"), 11 * 365, 12 * 365),
    (cvx("115", "Tdap"), 11 * 365, 12 * 365),
    (cvx("187", "zoster recombinant"), 50 * 365, 51 * 365 + 200),
    (cvx("33", "pneumococcal polysaccharide PPV23"), 66 * 365, 67 * 365),
];

/// Writes what is due at a check-up: what the schedule says, and for many also vaccines against influenza, tetanus and
/// COVID-19.
pub(super) fn write(chart: &mut Chart<'_>, scene: &mut Scene) {
    let days = (scene.start.day - chart.birth).num_days();
    for (vaccine, from, until) in SCHEDULE {
        if (*from..=*until).contains(&days) {
            give(chart, scene, vaccine);
        }
    }
    if days > 180 && chart.sheet.random.chance(55) {
        give(chart, scene, &cvx("140", "Influenza, split virus, trivalent, PF"));
    }
    if days > 18 * 365 && chart.sheet.random.chance(12) {
        give(chart, scene, &cvx("113", "Td (adult), 5 Lf tetanus toxoid, preservative free, adsorbed"));
    }
    if days > 12 * 365 && scene.start.day.year() >= 2021 && chart.sheet.random.chance(30) {
        give(chart, scene, &cvx("208", "COVID-19, mRNA, LNP-S, PF, 30 mcg/0.3 mL dose"));
    }
}

fn give(chart: &mut Chart<'_>, scene: &mut Scene, vaccine: &Code) {
    let refused = chart.sheet.random.chance(3);
    let body = json!({
        "status": if refused { "not-done" } else { "completed" },
        "vaccineCode": vaccine.concept(),
        "patient": chart.subject(),
        "encounter": to(&scene.encounter),
        "occurrenceDateTime": scene.start.text(),
        "primarySource": true
    });
    let body = if refused {
        with(body, json!({"statusReason": status("v3-ActReason", "PATOBJ")}))
    } else {
        let lot = chart.sheet.random.digits(6);
        with(body, json!({"lotNumber": format!("L{lot}"), "performer": [{"actor": scene.practitioner.to()}]}))
    };
    chart.add(scene, "Immunization", "us-core-immunization", body);
}
