//! Medications by their codes of RxNorm, and what is written when one is prescribed.

use serde_json::{Value, json};

use super::calendar::{Moment, plus_days};
use super::chart::{Chart, Scene};
use super::elements::{Code, System, code, quantity, status, to, with};

/// A medication, and how it is taken.
#[derive(Clone, Copy)]
pub(super) struct Drug {
    pub(super) code: Code,
    unit: &'static str,
    ucum: &'static str,
    dose: f64,
    times_a_day: u32,
    directions: &'static str,
    /// True if prescriptions refer to a Medication of the directory instead of giving its code.
    pub(super) is_listed: bool,
}

const fn tablet(rxnorm: &'static str, display: &'static str, times_a_day: u32, directions: &'static str) -> Drug {
    let code = code(System::RxNorm, rxnorm, display);
    Drug { code, unit: "tablet", ucum: "{tbl}", dose: 1.0, times_a_day, directions, is_listed: false }
}

const fn puffs(rxnorm: &'static str, display: &'static str, times_a_day: u32, directions: &'static str) -> Drug {
    Drug { unit: "puff", ucum: "{puff}", dose: 2.0, ..tablet(rxnorm, display, times_a_day, directions) }
}

const fn listed(drug: Drug) -> Drug {
    Drug { is_listed: true, ..drug }
}

pub(super) static LISINOPRIL: Drug =
    listed(tablet("314076", "lisinopril 10 MG Oral Tablet", 1, "Take one tablet by mouth every morning"));
pub(super) static AMLODIPINE: Drug =
    tablet("197361", "amlodipine 5 MG Oral Tablet", 1, "Take one tablet by mouth once a day");
pub(super) static METFORMIN: Drug = listed(tablet(
    "861007",
    "metformin hydrochloride 500 MG Oral Tablet",
    2,
    "Take one tablet by mouth twice a day, with meals",
));
pub(super) static ATORVASTATIN: Drug =
    tablet("617310", "atorvastatin 20 MG Oral Tablet", 1, "Take one tablet by mouth at bedtime");
pub(super) static SERTRALINE: Drug =
    tablet("312941", "sertraline 50 MG Oral Tablet", 1, "Take one tablet by mouth once a day");
pub(super) static LEVOTHYROXINE: Drug = tablet(
    "966222",
    "levothyroxine sodium 0.075 MG Oral Tablet",
    1,
    "Take one tablet by mouth in the morning, half an hour before breakfast",
);
pub(super) static APIXABAN: Drug =
    listed(tablet("1364445", "apixaban 5 MG Oral Tablet", 2, "Take one tablet by mouth twice a day"));
pub(super) static OMEPRAZOLE: Drug = Drug {
    unit: "capsule",
    ucum: "{capsule}",
    ..tablet("198051", "omeprazole 20 MG Delayed Release Oral Capsule", 1, "Take one capsule by mouth before breakfast")
};
pub(super) static NAPROXEN: Drug =
    tablet("849574", "naproxen sodium 220 MG Oral Tablet", 2, "Take one tablet by mouth twice a day, with food");
pub(super) static IBUPROFEN: Drug =
    tablet("310965", "ibuprofen 200 MG Oral Tablet", 3, "Take one tablet by mouth up to three times a day, for pain");
pub(super) static ACETAMINOPHEN: Drug = tablet(
    "313782",
    "acetaminophen 325 MG Oral Tablet",
    4,
    "Take one tablet by mouth every six hours, for fever or pain",
);
pub(super) static LORATADINE: Drug =
    tablet("311372", "loratadine 10 MG Oral Tablet", 1, "Take one tablet by mouth once a day");
pub(super) static NITROFURANTOIN: Drug = Drug {
    unit: "mL",
    ucum: "mL",
    dose: 20.0,
    ..tablet("311989", "nitrofurantoin 5 MG/ML Oral Suspension", 2, "Take 20 mL by mouth twice a day for five days")
};
pub(super) static AMOXICILLIN: Drug = Drug {
    unit: "mL",
    ucum: "mL",
    dose: 5.0,
    ..tablet("308189", "amoxicillin 80 MG/ML Oral Suspension", 2, "Take 5 mL by mouth twice a day for ten days")
};
pub(super) static ALBUTEROL: Drug = puffs(
    "745679",
    "200 ACTUAT albuterol 0.09 MG/ACTUAT Metered Dose Inhaler",
    4,
    "Inhale two puffs every four to six hours, when short of breath",
);
pub(super) static FLUTICASONE: Drug = listed(puffs(
    "895994",
    "120 ACTUAT fluticasone propionate 0.044 MG/ACTUAT Metered Dose Inhaler",
    2,
    "Inhale two puffs twice a day, and rinse the mouth",
));

/// The medications that the directory lists.
pub(super) static FORMULARY: [&Drug; 4] = [&LISINOPRIL, &METFORMIN, &APIXABAN, &FLUTICASONE];

impl Drug {
    /// The id of its Medication.
    pub(super) fn id(&self) -> String {
        format!("rxnorm-{}", self.code.code)
    }

    fn medication(&self) -> Value {
        if self.is_listed {
            json!({"medicationReference": {"reference": format!("Medication/{}", self.id()), "display": self.code.display}})
        } else {
            json!({"medicationCodeableConcept": self.code.concept()})
        }
    }

    fn dosage(&self) -> Value {
        json!([{
            "sequence": 1,
            "text": self.directions,
            "timing": {"repeat": {"frequency": self.times_a_day, "period": 1, "periodUnit": "d"}},
            "doseAndRate": [{
                "type": {"coding": [{
                    "system": "http://terminology.hl7.org/CodeSystem/dose-rate-type", "code": "ordered", "display": "Ordered"
                }]},
                "doseQuantity": quantity(self.dose, 0, self.unit, self.ucum)
            }]
        }])
    }

    fn quantity(&self, days: u32) -> Value {
        quantity(self.dose * f64::from(self.times_a_day * days), 0, self.unit, self.ucum)
    }
}

/// Prescribes a drug at a visit, for so many days and for that condition, and has it dispensed.
pub(super) fn prescribe(
    chart: &mut Chart<'_>,
    scene: &mut Scene,
    drug: &Drug,
    days: u32,
    reason: &str,
    is_current: bool,
) {
    let roll = chart.sheet.random.below(100);
    let state = match (is_current, roll) {
        (_, 0..3) => "cancelled",
        (_, 3..6) => "stopped",
        (true, 6..9) => "on-hold",
        (true, _) => "active",
        (false, _) => "completed",
    };
    let category = if scene.is_inpatient { "inpatient" } else { "community" };
    let refills = if days >= 90 { 3 } else { 0 };
    let order = json!({
        "status": state,
        "intent": if roll == 99 { "plan" } else { "order" },
        "category": [status("medicationrequest-category", category)],
        "reportedBoolean": false,
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "authoredOn": scene.start.text(),
        "requester": scene.practitioner.to(),
        "reasonReference": [to(reason)],
        "dosageInstruction": drug.dosage(),
        "dispenseRequest": {
            "numberOfRepeatsAllowed": refills,
            "quantity": drug.quantity(days),
            "expectedSupplyDuration": quantity(f64::from(days), 0, "days", "d")
        }
    });
    let request = chart.add(scene, "MedicationRequest", "us-core-medicationrequest", with(order, drug.medication()));
    if state == "cancelled" {
        return;
    }
    for fill in 0..if days >= 90 { 1 + chart.sheet.random.below(2) } else { 1 } {
        let handed = Moment { day: plus_days(scene.start.day, i64::from(fill * days)), minute: scene.start.minute }
            .plus(30 + chart.sheet.random.below(240));
        if handed.day > chart.end {
            return;
        }
        let kind = if fill == 0 { ("FF", "First Fill") } else { ("RF", "Refill") };
        let pharmacy = chart.directory.pharmacy(&mut chart.sheet.random);
        let dispense = json!({
            "status": if chart.sheet.random.chance(2) { "in-progress" } else { "completed" },
            "subject": chart.subject(),
            "context": to(&scene.encounter),
            "performer": [{"actor": pharmacy.to()}],
            "authorizingPrescription": [to(&request)],
            "type": {"coding": [{
                "system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": kind.0, "display": kind.1
            }]},
            "quantity": drug.quantity(days),
            "daysSupply": quantity(f64::from(days), 0, "days", "d"),
            "whenPrepared": scene.start.text(),
            "whenHandedOver": handed.text(),
            "dosageInstruction": drug.dosage()
        });
        chart.add(scene, "MedicationDispense", "us-core-medicationdispense", with(dispense, drug.medication()));
    }
}
