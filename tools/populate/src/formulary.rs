//! Medications by their codes of RxNorm.

use serde_json::{Value, json};

use super::elements::{Code, System, code, quantity};

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

    /// The members that name it in an order.
    pub(super) fn medication(&self) -> Value {
        if self.is_listed {
            json!({"medicationReference": {"reference": format!("Medication/{}", self.id()), "display": self.code.display}})
        } else {
            json!({"medicationCodeableConcept": self.code.concept()})
        }
    }

    /// The dosage instructions of an order.
    pub(super) fn dosage(&self) -> Value {
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

    /// The quantity that is taken in so many days.
    pub(super) fn quantity(&self, days: u32) -> Value {
        quantity(self.dose * f64::from(self.times_a_day * days), 0, self.unit, self.ucum)
    }
}
