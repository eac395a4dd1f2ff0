//! A visit: its Encounter, what is done and found at it, and the Provenance that signs it all.

use serde_json::{Value, json};

use super::calendar::{Moment, plus_days};
use super::chart::{Chart, Scene};
use super::conditions::{Acute, Stay};
use super::elements::{Code, Named, snomed, status, to, with};
use super::life::{Problem, Reason, Visit};
use super::observations::Extent;
use super::{care, documents, formulary, immunizations, laboratory, observations, prescriptions};

/// Writes a visit.
pub(super) fn write(chart: &mut Chart<'_>, visit: Visit, problems: &mut [Problem], is_first: bool) {
    let mut scene = encounter(chart, visit, problems);
    if is_first {
        care::allergies(chart, &mut scene);
    }
    match visit.reason {
        Reason::CheckUp => check_up(chart, &mut scene),
        Reason::Illness(acute) => illness(chart, &mut scene, acute),
        Reason::Onset(number) => {
            if let Some(problem) = problems.get_mut(number) {
                onset(chart, &mut scene, problem);
            }
        }
        Reason::FollowUp(number, is_last) => {
            if let Some(problem) = problems.get(number) {
                follow_up(chart, &mut scene, problem, is_last);
            }
        }
        Reason::Stay(stay) => in_hospital(chart, &mut scene, stay),
    }
    sign(chart, &scene);
}

fn encounter(chart: &mut Chart<'_>, visit: Visit, problems: &[Problem]) -> Scene {
    let start = visit.at;
    let stay = match visit.reason {
        Reason::Stay(stay) => Some(stay),
        Reason::CheckUp | Reason::Illness(_) | Reason::Onset(_) | Reason::FollowUp(..) => None,
    };
    let directory = chart.directory;
    let practice = if stay.is_some() { chart.sheet.random.pick(&directory.hospitals) } else { chart.practice };
    let staff = u32::try_from(practice.practitioners.len()).unwrap_or(1);
    let doctor = if stay.is_none() && chart.sheet.random.chance(85) {
        chart.doctor
    } else {
        chart.sheet.random.below(staff) as usize
    };
    let nobody = || practice.organization.clone();
    let practitioner = practice.practitioners.get(doctor).cloned().unwrap_or_else(nobody);
    let role = practice.roles.get(doctor).cloned().unwrap_or_else(nobody);
    let end = match stay {
        Some(stay) => Moment { day: plus_days(start.day, stay.nights), minute: 660 },
        None => start.plus(15 + 15 * chart.sheet.random.below(3)),
    };
    let (class, kind) = match visit.reason {
        Reason::Stay(_) => (("IMP", "inpatient encounter"), snomed("32485007", "Hospital admission")),
        Reason::CheckUp if chart.age(start.day) < 18 => {
            (("AMB", "ambulatory"), snomed("410620009", "Well child visit"))
        }
        Reason::CheckUp => (("AMB", "ambulatory"), snomed("185349003", "Encounter for check up")),
        Reason::Illness(_) => (("AMB", "ambulatory"), snomed("185345009", "Encounter for symptom")),
        Reason::Onset(_) | Reason::FollowUp(..) => (("AMB", "ambulatory"), snomed("390906007", "Follow-up encounter")),
    };
    let period = json!({"start": start.text(), "end": end.text()});
    let number = chart.sheet.random.digits(10);
    let body = json!({
        "identifier": [{"use": "official", "system": "https://records.example.org/visit-number", "value": number}],
        "status": "finished",
        "class": {"system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": class.0, "display": class.1},
        "type": [kind.concept()],
        "subject": chart.subject(),
        "participant": [{
            "type": [{"coding": [{
                "system": "http://terminology.hl7.org/CodeSystem/v3-ParticipationType", "code": "PPRF",
                "display": "primary performer"
            }]}],
            "period": period,
            "individual": practitioner.to()
        }],
        "period": period,
        "location": [{"location": practice.location.to()}],
        "serviceProvider": practice.organization.to()
    });
    let body = with(body, reason(visit.reason, problems));
    let body = match stay {
        Some(_) => {
            let gone =
                if chart.sheet.random.chance(85) { ("home", "Home") } else { ("snf", "Skilled nursing facility") };
            with(
                body,
                json!({"hospitalization": {"dischargeDisposition": {"coding": [{
                    "system": "http://terminology.hl7.org/CodeSystem/discharge-disposition", "code": gone.0, "display": gone.1
                }]}}}),
            )
        }
        None => body,
    };
    let mut scene = Scene {
        encounter: String::new(),
        start,
        end,
        practitioner,
        role,
        organization: practice.organization.clone(),
        is_inpatient: stay.is_some(),
        written: Vec::new(),
    };
    scene.encounter = chart.add(&mut scene, "Encounter", "us-core-encounter", body);
    scene
}

/// The reason of a visit, if it was known before.
fn reason(reason: Reason, problems: &[Problem]) -> Value {
    match reason {
        Reason::CheckUp | Reason::Onset(_) => json!({}),
        Reason::Illness(acute) => json!({"reasonCode": [acute.code.concept()]}),
        Reason::Stay(stay) => json!({"reasonCode": [stay.code.concept()]}),
        Reason::FollowUp(number, _) => match problems.get(number).and_then(|problem| problem.condition.as_deref()) {
            Some(condition) => json!({"reasonReference": [to(condition)]}),
            None => json!({}),
        },
    }
}

fn check_up(chart: &mut Chart<'_>, scene: &mut Scene) {
    let age = chart.age(scene.start.day);
    observations::vital_signs(chart, scene, Extent::CheckUp);
    observations::social_history(chart, scene);
    if age >= 12 && chart.sheet.random.chance(35) {
        observations::screening(chart, scene);
    }
    immunizations::write(chart, scene);
    if age >= 20 && chart.sheet.random.chance(18) {
        laboratory::report(chart, scene, &laboratory::METABOLIC, None);
    }
    if age >= 20 && chart.sheet.random.chance(18) {
        laboratory::report(chart, scene, &laboratory::LIPIDS, None);
    }
    if chart.sheet.random.chance(8) {
        laboratory::report(chart, scene, &laboratory::CBC, None);
    }
    if chart.sheet.random.chance(40) {
        procedure(chart, scene, &snomed("430193006", "Medication reconciliation"), None, None);
    }
    if age >= 12 && chart.sheet.random.chance(40) {
        procedure(chart, scene, &snomed("171207006", "Depression screening"), None, None);
    }
    if (45..76).contains(&age) && chart.sheet.random.chance(10) {
        procedure(chart, scene, &snomed("73761001", "Colonoscopy"), None, None);
    }
    if chart.is_female && (40..76).contains(&age) && chart.sheet.random.chance(35) {
        procedure(chart, scene, &snomed("71651007", "Mammography"), None, None);
    }
    if chart.sheet.random.chance(50) {
        documents::note(chart, scene, "11506-3", "Progress note", "Check-up");
    }
}

fn illness(chart: &mut Chart<'_>, scene: &mut Scene, acute: &Acute) {
    observations::vital_signs(chart, scene, Extent::Illness);
    let over = plus_days(scene.start.day, acute.days);
    let condition = care::diagnosis(chart, scene, &acute.code, &acute.icd, (over < chart.end).then_some(over));
    if let Some(code) = &acute.procedure {
        procedure(chart, scene, code, Some(&condition), None);
    }
    if acute.image && chart.sheet.random.chance(60) {
        documents::chest_image(chart, scene, &condition);
    }
    if acute.ages.0 == 16 {
        laboratory::report(chart, scene, &laboratory::URINALYSIS, Some(&condition));
    }
    if let Some(drug) = acute.drug {
        let days = u32::try_from(acute.days.min(10)).unwrap_or(10);
        prescriptions::prescribe(chart, scene, drug, days, &condition, over >= chart.end);
    }
    if chart.sheet.random.chance(60) {
        documents::note(chart, scene, "11506-3", "Progress note", acute.code.display);
    }
}

fn onset(chart: &mut Chart<'_>, scene: &mut Scene, problem: &mut Problem) {
    observations::vital_signs(chart, scene, Extent::FollowUp);
    let condition = care::problem(chart, scene, problem);
    for panel in problem.of.panels {
        laboratory::report(chart, scene, panel, Some(&condition));
    }
    for drug in problem.of.drugs {
        prescriptions::prescribe(chart, scene, drug, 30, &condition, false);
    }
    care::plan(chart, scene, problem, &condition);
    documents::note(chart, scene, "34117-2", "History and physical note", problem.of.code.display);
    problem.condition = Some(condition);
}

fn follow_up(chart: &mut Chart<'_>, scene: &mut Scene, problem: &Problem, is_last: bool) {
    observations::vital_signs(chart, scene, Extent::FollowUp);
    let Some(condition) = problem.condition.clone() else { return };
    for panel in problem.of.panels {
        if chart.sheet.random.chance(35) {
            laboratory::report(chart, scene, panel, Some(&condition));
        }
    }
    for drug in problem.of.drugs {
        prescriptions::prescribe(chart, scene, drug, 90, &condition, is_last && problem.abated.is_none());
    }
    if chart.sheet.random.chance(50) {
        procedure(chart, scene, &snomed("430193006", "Medication reconciliation"), Some(&condition), None);
    }
    if chart.sheet.random.chance(60) {
        documents::note(chart, scene, "11506-3", "Progress note", problem.of.code.display);
    }
}

fn in_hospital(chart: &mut Chart<'_>, scene: &mut Scene, stay: &Stay) {
    observations::vital_signs(chart, scene, Extent::Illness);
    let condition = care::diagnosis(chart, scene, &stay.code, &stay.icd, Some(scene.end.day));
    laboratory::report(chart, scene, &laboratory::CBC, Some(&condition));
    laboratory::report(chart, scene, &laboratory::METABOLIC, Some(&condition));
    let device = stay.implant.as_ref().map(|(kind, name)| care::implant(chart, scene, kind, name));
    if let Some(code) = &stay.procedure {
        procedure(chart, scene, code, Some(&condition), device.as_deref());
    }
    prescriptions::prescribe(chart, scene, &formulary::ACETAMINOPHEN, 10, &condition, false);
    documents::discharge_summary(chart, scene, stay);
}

/// Writes a procedure. It takes as long as the visit, or, in a hospital, two hours of the first day.
fn procedure(chart: &mut Chart<'_>, scene: &mut Scene, code: &Code, reason: Option<&str>, device: Option<&str>) {
    let (start, end) =
        if scene.is_inpatient { (scene.start.plus(90), scene.start.plus(210)) } else { (scene.start, scene.end) };
    let performed = if chart.sheet.random.chance(30) && !scene.is_inpatient {
        json!({"performedDateTime": start.text()})
    } else {
        json!({"performedPeriod": {"start": start.text(), "end": end.text()}})
    };
    let state = if chart.sheet.random.chance(2) { "not-done" } else { "completed" };
    let body = json!({
        "status": state,
        "code": code.concept(),
        "subject": chart.subject(),
        "encounter": to(&scene.encounter)
    });
    let mut body = with(body, performed);
    body = with(body, json!({"performer": [{"actor": scene.practitioner.to()}]}));
    if let Some(reason) = reason {
        body = with(body, json!({"reasonReference": [to(reason)]}));
    }
    if let Some(device) = device {
        let action = snomed("129338007", "Implantation").concept();
        body = with(body, json!({"focalDevice": [{"action": action, "manipulated": to(device)}]}));
    }
    chart.add(scene, "Procedure", "us-core-procedure", body);
}

/// Signs what was written at a visit.
fn sign(chart: &mut Chart<'_>, scene: &Scene) {
    let agent =
        |kind: Value, who: &Named| json!({"type": kind, "who": who.to(), "onBehalfOf": scene.organization.to()});
    let transmitter = json!({"coding": [{
        "system": "http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type",
        "code": "transmitter",
        "display": "Transmitter"
    }]});
    let body = json!({
        "target": scene.written.iter().map(|reference| to(reference)).collect::<Vec<_>>(),
        "recorded": scene.end.plus(30).text(),
        "activity": {"coding": [{
            "system": "http://terminology.hl7.org/CodeSystem/v3-DataOperation", "code": "CREATE", "display": "create"
        }]},
        "agent": [
            agent(status("provenance-participant-type", "author"), &scene.practitioner),
            agent(transmitter, &scene.organization)
        ]
    });
    chart.add_unsigned(scene, "Provenance", "us-core-provenance", body);
}
