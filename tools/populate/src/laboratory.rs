//! Panels of laboratory tests, by their codes of LOINC, with the ranges that a laboratory prints.

use serde_json::{Value, json};

use super::chart::{Chart, Scene};
use super::elements::{Code, draw, loinc, quantity, snomed, status, to, with};

/// A test with a number as its result, and the range of healthy people.
pub(super) struct Test {
    code: Code,
    unit: &'static str,
    ucum: &'static str,
    low: f64,
    high: f64,
    places: u32,
}

const fn test(code: Code, ucum: &'static str, low: f64, high: f64, places: u32) -> Test {
    Test { code, unit: ucum, ucum, low, high, places }
}

/// Tests that are ordered and reported together.
pub(super) struct Panel {
    code: Code,
    specimen: Code,
    tests: &'static [Test],
    /// Tests whose result is one of two words.
    words: &'static [(Code, Code, Code)],
}

const BLOOD: Code = snomed("119297000", "Blood specimen");
const URINE: Code = snomed("122575003", "Urine specimen");
const NEGATIVE: Code = snomed("260385009", "Negative");
const POSITIVE: Code = snomed("10828004", "Positive");

pub(super) static METABOLIC: Panel = Panel {
    code: loinc("51990-0", "Basic metabolic panel - Blood"),
    specimen: BLOOD,
    tests: &[
        test(loinc("2339-0", "Glucose [Mass/volume] in Blood"), "mg/dL", 65.0, 99.0, 0),
        test(loinc("6299-2", "Urea nitrogen [Mass/volume] in Blood"), "mg/dL", 7.0, 20.0, 0),
        test(loinc("38483-4", "Creatinine [Mass/volume] in Blood"), "mg/dL", 0.6, 1.2, 2),
        test(loinc("49765-1", "Calcium [Mass/volume] in Blood"), "mg/dL", 8.5, 10.2, 1),
        test(loinc("2947-0", "Sodium [Moles/volume] in Blood"), "mmol/L", 136.0, 144.0, 0),
        test(loinc("6298-4", "Potassium [Moles/volume] in Blood"), "mmol/L", 3.7, 5.2, 1),
        test(loinc("2069-3", "Chloride [Moles/volume] in Blood"), "mmol/L", 101.0, 111.0, 0),
        test(loinc("20565-8", "Carbon dioxide, total [Moles/volume] in Blood"), "mmol/L", 20.0, 29.0, 0),
    ],
    words: &[],
};

pub(super) static LIPIDS: Panel = Panel {
    code: loinc("57698-3", "Lipid panel with direct LDL - Serum or Plasma"),
    specimen: BLOOD,
    tests: &[
        test(loinc("2093-3", "Cholesterol [Mass/volume] in Serum or Plasma"), "mg/dL", 120.0, 200.0, 0),
        test(loinc("2571-8", "Triglyceride [Mass/volume] in Serum or Plasma"), "mg/dL", 50.0, 150.0, 0),
        test(
            loinc("18262-6", "Cholesterol in LDL [Mass/volume] in Serum or Plasma by Direct assay"),
            "mg/dL",
            50.0,
            100.0,
            0,
        ),
        test(loinc("2085-9", "Cholesterol in HDL [Mass/volume] in Serum or Plasma"), "mg/dL", 40.0, 75.0, 0),
    ],
    words: &[],
};

pub(super) static CBC: Panel = Panel {
    code: loinc("58410-2", "CBC panel - Blood by Automated count"),
    specimen: BLOOD,
    tests: &[
        test(loinc("6690-2", "Leukocytes [#/volume] in Blood by Automated count"), "10*3/uL", 4.5, 11.0, 1),
        test(loinc("789-8", "Erythrocytes [#/volume] in Blood by Automated count"), "10*6/uL", 3.9, 5.7, 2),
        test(loinc("718-7", "Hemoglobin [Mass/volume] in Blood"), "g/dL", 12.0, 17.0, 1),
        test(loinc("4544-3", "Hematocrit [Volume Fraction] of Blood by Automated count"), "%", 36.0, 50.0, 1),
        test(loinc("787-2", "MCV [Entitic volume] by Automated count"), "fL", 80.0, 100.0, 1),
        test(loinc("785-6", "MCH [Entitic mass] by Automated count"), "pg", 27.0, 33.0, 1),
        test(loinc("786-4", "MCHC [Mass/volume] by Automated count"), "g/dL", 32.0, 36.0, 1),
        test(loinc("777-3", "Platelets [#/volume] in Blood by Automated count"), "10*3/uL", 150.0, 450.0, 0),
    ],
    words: &[],
};

pub(super) static A1C: Panel = Panel {
    code: loinc("4548-4", "Hemoglobin A1c/Hemoglobin.total in Blood"),
    specimen: BLOOD,
    tests: &[test(loinc("4548-4", "Hemoglobin A1c/Hemoglobin.total in Blood"), "%", 4.8, 6.4, 1)],
    words: &[],
};

pub(super) static THYROID: Panel = Panel {
    code: loinc("3016-3", "Thyrotropin [Units/volume] in Serum or Plasma"),
    specimen: BLOOD,
    tests: &[test(loinc("3016-3", "Thyrotropin [Units/volume] in Serum or Plasma"), "m[IU]/L", 0.4, 4.5, 2)],
    words: &[],
};

pub(super) static KIDNEY: Panel = Panel {
    code: loinc("24362-6", "Renal function 2000 panel - Serum or Plasma"),
    specimen: BLOOD,
    tests: &[
        test(loinc("38483-4", "Creatinine [Mass/volume] in Blood"), "mg/dL", 0.6, 1.2, 2),
        test(loinc("33914-3", "Glomerular filtration rate/1.73 sq M.predicted"), "mL/min/{1.73_m2}", 45.0, 90.0, 0),
        test(loinc("1751-7", "Albumin [Mass/volume] in Serum or Plasma"), "g/dL", 3.5, 5.0, 1),
    ],
    words: &[],
};

pub(super) static URINALYSIS: Panel = Panel {
    code: loinc("24356-8", "Urinalysis complete panel - Urine"),
    specimen: URINE,
    tests: &[
        test(loinc("5803-2", "pH of Urine by Test strip"), "[pH]", 5.0, 8.0, 1),
        test(loinc("5811-5", "Specific gravity of Urine by Test strip"), "{nominal}", 1.005, 1.03, 3),
    ],
    words: &[
        (loinc("5792-7", "Glucose [Mass/volume] in Urine by Test strip"), NEGATIVE, POSITIVE),
        (loinc("5804-0", "Protein [Mass/volume] in Urine by Test strip"), NEGATIVE, POSITIVE),
        (loinc("5802-4", "Nitrite [Presence] in Urine by Test strip"), NEGATIVE, POSITIVE),
    ],
};

/// Orders a panel, and writes its specimen, its results and its report.
pub(super) fn report(chart: &mut Chart<'_>, scene: &mut Scene, panel: &Panel, reason: Option<&str>) {
    let drawn = scene.start.plus(10);
    let order = json!({
        "status": "completed",
        "intent": "order",
        "category": [snomed("108252007", "Laboratory procedure").concept()],
        "code": panel.code.concept(),
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "occurrenceDateTime": drawn.text(),
        "authoredOn": scene.start.text(),
        "requester": scene.practitioner.to()
    });
    let order = match reason {
        Some(condition) => with(order, json!({"reasonReference": [to(condition)]})),
        None => order,
    };
    let order = chart.add(scene, "ServiceRequest", "us-core-servicerequest", order);
    let accession = format!("{}-{}", drawn.day.format("%Y%m%d"), chart.sheet.random.digits(5));
    let specimen = chart.add_unsigned(
        scene,
        "Specimen",
        "us-core-specimen",
        json!({
            "accessionIdentifier": {"system": "https://laboratory.example.org/accession", "value": accession},
            "status": "available",
            "type": panel.specimen.concept(),
            "subject": chart.subject(),
            "collection": {"collectedDateTime": drawn.text()}
        }),
    );
    let mut results = Vec::new();
    for test in panel.tests {
        let value = measure(chart, test);
        results.push(result(chart, scene, &order, &specimen, &test.code, value));
    }
    for (code, usual, other) in panel.words {
        let found = if chart.sheet.random.chance(90) { usual } else { other };
        let value = json!({"valueCodeableConcept": found.concept()});
        results.push(result(chart, scene, &order, &specimen, code, value));
    }
    let issued = scene.end.plus(180);
    let laboratory = chart.directory.laboratory.clone();
    let state = if chart.sheet.random.chance(3) { "amended" } else { "final" };
    chart.add(scene, "DiagnosticReport", "us-core-diagnosticreport-lab", json!({
        "basedOn": [to(&order)],
        "status": state,
        "category": [{"coding": [{
            "system": "http://terminology.hl7.org/CodeSystem/v2-0074", "code": "LAB", "display": "Laboratory"
        }]}],
        "code": panel.code.concept(),
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "effectiveDateTime": drawn.text(),
        "issued": issued.text(),
        "performer": [laboratory.to(), scene.practitioner.to()],
        "specimen": [to(&specimen)],
        "result": results.iter().map(|(reference, name)| json!({"reference": reference, "display": name})).collect::<Vec<_>>()
    }));
}

/// A result of that test: most are within the range.
fn measure(chart: &mut Chart<'_>, Test { unit, ucum, low, high, places, .. }: &Test) -> Value {
    let random = &mut chart.sheet.random;
    let (value, flag, meaning) = match random.below(100) {
        0..82 => (draw(random, *low, *high, *places), "N", "Normal"),
        82..95 => (draw(random, high * 1.01, high * 1.4, *places), "H", "High"),
        _ => (draw(random, low * 0.7, low * 0.98, *places), "L", "Low"),
    };
    // Rounding may bring it back to the edge of the range.
    let (flag, meaning) = if (*low..=*high).contains(&value) { ("N", "Normal") } else { (flag, meaning) };
    json!({
        "valueQuantity": quantity(value, *places, unit, ucum),
        "interpretation": [{"coding": [{
            "system": "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation", "code": flag, "display": meaning
        }]}],
        "referenceRange": [{
            "low": quantity(*low, *places, unit, ucum),
            "high": quantity(*high, *places, unit, ucum),
            "text": format!("{low} to {high} {unit}")
        }]
    })
}

fn result(
    chart: &mut Chart<'_>,
    scene: &mut Scene,
    order: &str,
    specimen: &str,
    code: &Code,
    value: Value,
) -> (String, &'static str) {
    let laboratory = chart.directory.laboratory.clone();
    let head = json!({
        "basedOn": [to(order)],
        "status": if chart.sheet.random.chance(2) { "preliminary" } else { "final" },
        "category": [status("observation-category", "laboratory")],
        "code": code.concept(),
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "effectiveDateTime": scene.start.plus(10).text(),
        "issued": scene.end.plus(180).text(),
        "performer": [laboratory.to()],
        "specimen": to(specimen)
    });
    let body = with(head, value);
    (chart.add(scene, "Observation", "us-core-observation-lab", body), code.display)
}
