//! Conditions: chronic conditions, short illnesses, and reasons for hospital stays. Codes are of SNOMED CT and
//! ICD-10-CM; frequencies and ages are rough guesses.

use super::elements::{Code, icd10, snomed};
use super::formulary::*;
use super::laboratory::{self as lab, Panel};

/// A condition that lasts, and is followed up.
pub(super) struct Chronic {
    pub(super) code: Code,
    pub(super) icd: Code,
    /// The age from which it begins.
    pub(super) from: i64,
    /// The percentage of patients who have it by the age of seventy-five.
    pub(super) percent: u32,
    /// The months between two visits for it.
    pub(super) months: i64,
    pub(super) drugs: &'static [&'static Drug],
    pub(super) panels: &'static [&'static Panel],
    pub(super) goal: &'static str,
    /// The finding that is aimed at, where there is a code for it.
    pub(super) aim: Option<Code>,
    pub(super) advice: &'static [Code],
}

const EXERCISE: Code = snomed("229065009", "Exercise therapy");
const DIET: Code = snomed("11816003", "Diet education");
const STRESS: Code = snomed("226060000", "Stress management");
const INHALER: Code = snomed("406070005", "Inhaler technique education");

pub(super) const CHRONIC: &[Chronic] = &[
    Chronic {
        code: snomed("59621000", "Essential hypertension"),
        icd: icd10("I10", "Essential (primary) hypertension"),
        from: 30,
        percent: 45,
        months: 6,
        drugs: &[&LISINOPRIL, &AMLODIPINE],
        panels: &[&lab::METABOLIC],
        goal: "Blood pressure below 130/80 mm[Hg]",
        aim: Some(snomed("2004005", "Normal blood pressure")),
        advice: &[EXERCISE, DIET],
    },
    Chronic {
        code: snomed("44054006", "Type 2 diabetes mellitus"),
        icd: icd10("E11.9", "Type 2 diabetes mellitus without complications"),
        from: 35,
        percent: 18,
        months: 4,
        drugs: &[&METFORMIN],
        panels: &[&lab::A1C, &lab::METABOLIC],
        goal: "Hemoglobin A1c below 7.0 %",
        aim: Some(snomed("43664005", "Normal weight")),
        advice: &[DIET, EXERCISE],
    },
    Chronic {
        code: snomed("55822004", "Hyperlipidemia"),
        icd: icd10("E78.5", "Hyperlipidemia, unspecified"),
        from: 30,
        percent: 35,
        months: 12,
        drugs: &[&ATORVASTATIN],
        panels: &[&lab::LIPIDS],
        goal: "LDL cholesterol below 100 mg/dL",
        aim: Some(snomed("43664005", "Normal weight")),
        advice: &[DIET, EXERCISE],
    },
    Chronic {
        code: snomed("195967001", "Asthma"),
        icd: icd10("J45.909", "Unspecified asthma, uncomplicated"),
        from: 3,
        percent: 10,
        months: 12,
        drugs: &[&ALBUTEROL, &FLUTICASONE],
        panels: &[],
        goal: "No nights woken by asthma",
        aim: None,
        advice: &[INHALER],
    },
    Chronic {
        code: snomed("66344007", "Recurrent major depression"),
        icd: icd10("F33.1", "Major depressive disorder, recurrent, moderate"),
        from: 16,
        percent: 14,
        months: 6,
        drugs: &[&SERTRALINE],
        panels: &[],
        goal: "PHQ-9 total score below 5",
        aim: None,
        advice: &[STRESS, EXERCISE],
    },
    Chronic {
        code: snomed("40930008", "Hypothyroidism"),
        icd: icd10("E03.9", "Hypothyroidism, unspecified"),
        from: 25,
        percent: 8,
        months: 12,
        drugs: &[&LEVOTHYROXINE],
        panels: &[&lab::THYROID],
        goal: "TSH within its range",
        aim: None,
        advice: &[],
    },
    Chronic {
        code: snomed("13645005", "Chronic obstructive lung disease"),
        icd: icd10("J44.9", "Chronic obstructive pulmonary disease, unspecified"),
        from: 50,
        percent: 10,
        months: 6,
        drugs: &[&FLUTICASONE],
        panels: &[&lab::CBC],
        goal: "Walk six minutes without a rest",
        aim: None,
        advice: &[INHALER, EXERCISE],
    },
    Chronic {
        code: snomed("49436004", "Atrial fibrillation"),
        icd: icd10("I48.91", "Unspecified atrial fibrillation"),
        from: 55,
        percent: 12,
        months: 6,
        drugs: &[&APIXABAN],
        panels: &[&lab::CBC],
        goal: "No bleeding, no stroke",
        aim: None,
        advice: &[],
    },
    Chronic {
        code: snomed("433144002", "Chronic kidney disease stage 3"),
        icd: icd10("N18.30", "Chronic kidney disease, stage 3 unspecified"),
        from: 55,
        percent: 12,
        months: 6,
        drugs: &[],
        panels: &[&lab::KIDNEY],
        goal: "eGFR stable above 45 mL/min/1.73 m2",
        aim: None,
        advice: &[DIET],
    },
    Chronic {
        code: snomed("235595009", "Gastroesophageal reflux disease"),
        icd: icd10("K21.9", "Gastro-esophageal reflux disease without esophagitis"),
        from: 20,
        percent: 15,
        months: 12,
        drugs: &[&OMEPRAZOLE],
        panels: &[],
        goal: "Sleep through without heartburn",
        aim: None,
        advice: &[DIET],
    },
    Chronic {
        code: snomed("239873007", "Osteoarthritis of knee"),
        icd: icd10("M17.9", "Osteoarthritis of knee, unspecified"),
        from: 45,
        percent: 22,
        months: 12,
        drugs: &[&NAPROXEN],
        panels: &[],
        goal: "Climb stairs with pain of 3 at most",
        aim: None,
        advice: &[EXERCISE],
    },
    Chronic {
        code: snomed("37796009", "Migraine"),
        icd: icd10("G43.909", "Migraine, unspecified, not intractable, without status migrainosus"),
        from: 14,
        percent: 12,
        months: 12,
        drugs: &[&IBUPROFEN],
        panels: &[],
        goal: "Fewer than two attacks a month",
        aim: None,
        advice: &[STRESS],
    },
    Chronic {
        code: snomed("367498001", "Seasonal allergic rhinitis"),
        icd: icd10("J30.2", "Other seasonal allergic rhinitis"),
        from: 5,
        percent: 14,
        months: 24,
        drugs: &[&LORATADINE],
        panels: &[],
        goal: "Sleep through the spring",
        aim: None,
        advice: &[],
    },
];

/// An illness or injury that passes.
pub(super) struct Acute {
    pub(super) code: Code,
    pub(super) icd: Code,
    /// The ages at which it comes.
    pub(super) ages: (i64, i64),
    /// The number of days that it lasts.
    pub(super) days: i64,
    pub(super) drug: Option<&'static Drug>,
    pub(super) procedure: Option<Code>,
    /// True if a chest X-ray is taken.
    pub(super) image: bool,
}

const fn acute(code: Code, icd: Code, ages: (i64, i64), days: i64, drug: Option<&'static Drug>) -> Acute {
    Acute { code, icd, ages, days, drug, procedure: None, image: false }
}

pub(super) const ACUTE: &[Acute] = &[
    acute(
        snomed("444814009", "Viral sinusitis"),
        icd10("J01.90", "Acute sinusitis, unspecified"),
        (4, 99),
        14,
        Some(&ACETAMINOPHEN),
    ),
    acute(
        snomed("195662009", "Acute viral pharyngitis"),
        icd10("J02.9", "Acute pharyngitis, unspecified"),
        (2, 99),
        10,
        Some(&ACETAMINOPHEN),
    ),
    Acute {
        procedure: Some(snomed("117015009", "Throat culture")),
        ..acute(
            snomed("43878008", "Streptococcal sore throat"),
            icd10("J02.0", "Streptococcal pharyngitis"),
            (3, 40),
            12,
            Some(&AMOXICILLIN),
        )
    },
    acute(
        snomed("65363002", "Otitis media"),
        icd10("H66.90", "Otitis media, unspecified, unspecified ear"),
        (0, 10),
        14,
        Some(&AMOXICILLIN),
    ),
    Acute {
        image: true,
        ..acute(
            snomed("10509002", "Acute bronchitis"),
            icd10("J20.9", "Acute bronchitis, unspecified"),
            (1, 99),
            18,
            Some(&ACETAMINOPHEN),
        )
    },
    acute(
        snomed("6142004", "Influenza"),
        icd10("J11.1", "Influenza due to unidentified influenza virus with other respiratory manifestations"),
        (1, 99),
        9,
        None,
    ),
    acute(snomed("840539006", "COVID-19"), icd10("U07.1", "COVID-19"), (1, 99), 16, None),
    acute(
        snomed("68226007", "Acute cystitis"),
        icd10("N30.00", "Acute cystitis without hematuria"),
        (16, 99),
        7,
        Some(&NITROFURANTOIN),
    ),
    Acute {
        procedure: Some(snomed("288086009", "Suture open wound")),
        ..acute(
            snomed("284549007", "Laceration of hand"),
            icd10("S61.419A", "Laceration without foreign body of unspecified hand, initial encounter"),
            (4, 90),
            15,
            None,
        )
    },
    acute(
        snomed("44465007", "Sprain of ankle"),
        icd10("S93.409A", "Sprain of unspecified ligament of unspecified ankle, initial encounter"),
        (6, 80),
        21,
        Some(&IBUPROFEN),
    ),
    Acute {
        procedure: Some(snomed("274474001", "Bone immobilization")),
        ..acute(
            snomed("65966004", "Fracture of forearm"),
            icd10("S52.90XA", "Unspecified fracture of unspecified forearm, initial encounter for closed fracture"),
            (5, 90),
            60,
            Some(&IBUPROFEN),
        )
    },
    acute(
        snomed("40275004", "Contact dermatitis"),
        icd10("L25.9", "Unspecified contact dermatitis, unspecified cause"),
        (0, 99),
        20,
        None,
    ),
    acute(
        snomed("279039007", "Low back pain"),
        icd10("M54.50", "Low back pain, unspecified"),
        (20, 90),
        40,
        Some(&NAPROXEN),
    ),
];

/// A stay in a hospital.
pub(super) struct Stay {
    pub(super) code: Code,
    pub(super) icd: Code,
    pub(super) ages: (i64, i64),
    pub(super) nights: i64,
    pub(super) procedure: Option<Code>,
    /// The implant: its type, its name, and its manufacturer.
    pub(super) implant: Option<(Code, &'static str)>,
}

const fn stay(
    code: Code,
    icd: Code,
    ages: (i64, i64),
    nights: i64,
    procedure: Option<Code>,
    implant: Option<(Code, &'static str)>,
) -> Stay {
    Stay { code, icd, ages, nights, procedure, implant }
}

pub(super) const STAYS: &[Stay] = &[
    stay(
        snomed("74400008", "Appendicitis"),
        icd10("K35.80", "Unspecified acute appendicitis"),
        (8, 50),
        2,
        Some(snomed("80146002", "Appendectomy")),
        None,
    ),
    stay(
        snomed("22298006", "Myocardial infarction"),
        icd10("I21.9", "Acute myocardial infarction, unspecified"),
        (50, 95),
        5,
        Some(snomed("415070008", "Percutaneous coronary intervention")),
        Some((snomed("705643001", "Coronary artery stent"), "Drug-eluting stent, 3.0 mm by 18 mm")),
    ),
    stay(
        snomed("36083008", "Sick sinus syndrome"),
        icd10("I49.5", "Sick sinus syndrome"),
        (60, 95),
        2,
        Some(snomed("307280005", "Implantation of cardiac pacemaker")),
        Some((snomed("14106009", "Cardiac pacemaker"), "Pacemaker, dual chamber")),
    ),
    stay(
        snomed("239872002", "Osteoarthritis of hip"),
        icd10("M16.9", "Osteoarthritis of hip, unspecified"),
        (55, 90),
        3,
        Some(snomed("52734007", "Total replacement of hip")),
        Some((snomed("304120007", "Total hip replacement prosthesis"), "Hip prosthesis, ceramic on polyethylene")),
    ),
    stay(snomed("233604007", "Pneumonia"), icd10("J18.9", "Pneumonia, unspecified organism"), (0, 99), 4, None, None),
    stay(
        snomed("42343007", "Congestive heart failure"),
        icd10("I50.9", "Heart failure, unspecified"),
        (60, 99),
        6,
        Some(snomed("433236007", "Transthoracic echocardiography")),
        None,
    ),
];

/// Allergens, each with its reaction and its category.
pub(super) const ALLERGIES: &[(Code, Code, &str)] = &[
    (snomed("91936005", "Allergy to penicillin"), snomed("247472004", "Hives"), "medication"),
    (snomed("91935009", "Allergy to peanut"), snomed("39579001", "Anaphylaxis"), "food"),
    (snomed("91930004", "Allergy to egg protein"), snomed("271807003", "Eruption of skin"), "food"),
    (snomed("300916003", "Latex allergy"), snomed("418290006", "Itching"), "environment"),
    (snomed("232350006", "House dust mite allergy"), snomed("76067001", "Sneezing"), "environment"),
    (snomed("300913006", "Shellfish allergy"), snomed("422587007", "Nausea"), "food"),
];
