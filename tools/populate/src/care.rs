//! Records that outlast a visit: allergies, diagnoses, problems, plans, goals, teams, and implants.

use serde_json::{Value, json};

use super::calendar::{Day, plus_days};
use super::chart::{Chart, Scene};
use super::conditions::ALLERGIES;
use super::elements::{Code, Named, snomed, status, to, with};
use super::life::Problem;

/// Writes the allergies that are asked for at the first visit, or that there are none.
pub(super) fn allergies(chart: &mut Chart<'_>, scene: &mut Scene) {
    if chart.sheet.random.chance(60) {
        let none = snomed("716186003", "No known allergy");
        allergy(chart, scene, &none, None);
        return;
    }
    for (code, reaction, category) in ALLERGIES {
        if chart.sheet.random.chance(25) {
            allergy(chart, scene, code, Some((reaction, category)));
        }
    }
}

fn allergy(chart: &mut Chart<'_>, scene: &mut Scene, code: &Code, reacts: Option<(&Code, &str)>) {
    let roll = chart.sheet.random.below(100);
    let clinical = match roll {
        0..85 => "active",
        85..95 => "inactive",
        _ => "resolved",
    };
    let clinical = if reacts.is_none() { "active" } else { clinical };
    let verified = if reacts.is_some() && roll.is_multiple_of(10) { "unconfirmed" } else { "confirmed" };
    let body = json!({
        "clinicalStatus": status("allergyintolerance-clinical", clinical),
        "verificationStatus": status("allergyintolerance-verification", verified),
        "code": code.concept(),
        "patient": chart.subject(),
        "recordedDate": scene.start.text(),
        "recorder": scene.practitioner.to()
    });
    let body = match reacts {
        Some((reaction, category)) => with(
            body,
            json!({
                "type": "allergy",
                "category": [category],
                "criticality": if roll.is_multiple_of(3) { "high" } else { "low" },
                "onsetDateTime": chart.birth.max(plus_days(scene.start.day, -420)).to_string(),
                "reaction": [{"manifestation": [reaction.concept()], "severity": if roll.is_multiple_of(4) { "severe" } else { "mild" }}]
            }),
        ),
        None => body,
    };
    chart.add(scene, "AllergyIntolerance", "us-core-allergyintolerance", body);
}

/// Writes the diagnosis of a visit, which is over on that day.
pub(super) fn diagnosis(
    chart: &mut Chart<'_>,
    scene: &mut Scene,
    code: &Code,
    icd: &Code,
    over: Option<Day>,
) -> String {
    let onset = plus_days(scene.start.day, -i64::from(chart.sheet.random.below(4))).max(chart.birth);
    let body = condition(chart, scene, code, icd, "encounter-diagnosis", over);
    let body = with(body, json!({"onsetDateTime": onset.to_string(), "recordedDate": scene.start.text()}));
    chart.add(scene, "Condition", "us-core-condition-encounter-diagnosis", body)
}

/// Writes a problem that was found at a visit.
pub(super) fn problem(chart: &mut Chart<'_>, scene: &mut Scene, problem: &Problem) -> String {
    let category = if chart.sheet.random.chance(90) { "problem-list-item" } else { "health-concern" };
    let body = condition(chart, scene, &problem.of.code, &problem.of.icd, category, problem.abated);
    let body = with(
        body,
        json!({
            "extension": [{
                "url": "http://hl7.org/fhir/StructureDefinition/condition-assertedDate", "valueDateTime": scene.start.text()
            }],
            "onsetDateTime": problem.onset.to_string(),
            "recordedDate": scene.start.text()
        }),
    );
    chart.add(scene, "Condition", "us-core-condition-problems-health-concerns", body)
}

fn condition(
    chart: &mut Chart<'_>,
    scene: &Scene,
    code: &Code,
    icd: &Code,
    category: &str,
    over: Option<Day>,
) -> Value {
    let clinical = match (over, chart.sheet.random.below(10)) {
        (Some(_), 0) => "inactive",
        (Some(_), 1) => "remission",
        (Some(_), _) => "resolved",
        (None, 0) => "recurrence",
        (None, _) => "active",
    };
    let verified = if chart.sheet.random.chance(4) { "provisional" } else { "confirmed" };
    let body = json!({
        "clinicalStatus": status("condition-clinical", clinical),
        "verificationStatus": status("condition-ver-status", verified),
        "category": [status("condition-category", category)],
        "code": code.also(icd),
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "recorder": scene.practitioner.to()
    });
    match over {
        Some(day) => with(body, json!({"abatementDateTime": day.to_string()})),
        None => body,
    }
}

/// Writes who cares for a problem, what is aimed at, and the plan.
pub(super) fn plan(chart: &mut Chart<'_>, scene: &mut Scene, problem: &Problem, condition: &str) {
    let is_over = problem.abated.is_some() || chart.died;
    let until = problem.abated.or_else(|| chart.died.then_some(chart.end));
    let period = match until {
        Some(day) => json!({"start": scene.start.text(), "end": day.to_string()}),
        None => json!({"start": scene.start.text()}),
    };
    let team = team(chart, scene, &problem.of.code, condition, &period, is_over);
    let due = plus_days(scene.start.day, 365);
    let state = if is_over { "completed" } else { "active" };
    let text = json!({"text": problem.of.goal});
    let description = match &problem.of.aim {
        Some(aim) => with(aim.concept(), text),
        None => text,
    };
    let goal = chart.add(
        scene,
        "Goal",
        "us-core-goal",
        json!({
            "lifecycleStatus": state,
            "description": description,
            "subject": chart.subject(),
            "startDate": scene.start.day.to_string(),
            "target": [{"dueDate": due.to_string()}],
            "addresses": [to(condition)]
        }),
    );
    let advice: Vec<_> = problem.of.advice.iter().map(|code| format!("<li>{}</li>", code.display)).collect();
    let list = if advice.is_empty() { String::new() } else { format!("<ul>{}</ul>", advice.concat()) };
    let title = format!("Care plan for {}", problem.of.code.display.to_lowercase());
    let activity: Vec<_> = problem.of.advice.iter().map(|code| {
        json!({"detail": {"code": code.concept(), "status": if is_over { "completed" } else { "in-progress" }}})
    }).collect();
    let body = json!({
        "text": {
            "status": "generated",
            "div": format!(
                "<div xmlns=\"http://www.w3.org/1999/xhtml\"><p>{title}: {}</p>{list}</div>",
                problem.of.goal.replace('<', "&lt;")
            )
        },
        "status": state,
        "intent": if chart.sheet.random.chance(80) { "plan" } else { "order" },
        "category": [{"coding": [{
            "system": "http://hl7.org/fhir/us/core/CodeSystem/careplan-category", "code": "assess-plan",
            "display": "Assessment and Plan of Treatment"
        }]}],
        "title": title,
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "period": period,
        "author": scene.practitioner.to(),
        "careTeam": [to(&team)],
        "addresses": [to(condition)],
        "goal": [to(&goal)]
    });
    let body = if activity.is_empty() { body } else { with(body, json!({"activity": activity})) };
    chart.add(scene, "CarePlan", "us-core-careplan", body);
}

fn team(chart: &mut Chart<'_>, scene: &mut Scene, of: &Code, condition: &str, period: &Value, is_over: bool) -> String {
    let member = |code: &str, display: &'static str, who: &Named| json!({"role": [{"coding": [{"system": "http://snomed.info/sct", "code": code, "display": display}]}], "member": who.to()});
    let mut participants = vec![
        member("453231000124104", "Primary care provider", &scene.role),
        member("116154003", "Patient", &chart.patient),
    ];
    if let Some(doctor) = chart.usual_doctor() {
        participants.push(member("446050000", "Primary care physician", doctor));
    }
    if let Some(relative) = &chart.relative {
        participants.push(member("133932002", "Caregiver", relative));
    }
    chart.add(
        scene,
        "CareTeam",
        "us-core-careteam",
        json!({
            "status": if is_over { "inactive" } else { "active" },
            "name": format!("Care team for {}", of.display.to_lowercase()),
            "subject": chart.subject(),
            "encounter": to(&scene.encounter),
            "period": period,
            "participant": participants,
            "reasonReference": [to(condition)],
            "managingOrganization": [scene.organization.to()]
        }),
    )
}

/// Writes a device that is implanted, with its unique device identifier.
pub(super) fn implant(chart: &mut Chart<'_>, scene: &mut Scene, kind: &Code, name: &str) -> String {
    let random = &mut chart.sheet.random;
    let (device, lot, serial) = (random.digits(14), random.digits(6), random.digits(8));
    let made = plus_days(scene.start.day, -random.between(30, 300));
    let good = plus_days(made, 5 * 365);
    chart.add(
        scene,
        "Device",
        "us-core-implantable-device",
        json!({
            "udiCarrier": [{
                "deviceIdentifier": device,
                "issuer": "http://hl7.org/fhir/NamingSystem/gs1-di",
                "jurisdiction": "http://hl7.org/fhir/NamingSystem/fda-udi",
                "carrierHRF": format!(
                    "(01){device}(11){}(17){}(10){lot}(21){serial}", made.format("%y%m%d"), good.format("%y%m%d")
                ),
                "entryType": "barcode"
            }],
            "status": "active",
            "distinctIdentifier": device,
            "manufacturer": "Bluefinch Medical",
            "manufactureDate": made.to_string(),
            "expirationDate": good.to_string(),
            "lotNumber": lot,
            "serialNumber": serial,
            "deviceName": [{"name": name, "type": "user-friendly-name"}],
            "type": kind.concept(),
            "patient": chart.subject()
        }),
    )
}
