//! Observations of a visit: vital signs, social history, and screening.

use serde_json::{Value, json};

use super::chart::{Chart, Scene};
use super::directory::QUESTIONNAIRE;
use super::elements::{Code, draw, loinc, quantity, snomed, status, to, with};

const VITAL_SIGNS: &str = "vital-signs";

/// Writes an observation of a category, with its value and whatever else it has.
fn observe(
    chart: &mut Chart<'_>,
    scene: &mut Scene,
    profile: &str,
    categories: &[Value],
    code: &Value,
    value: Value,
) -> String {
    let body = json!({
        "status": "final",
        "category": categories,
        "code": code,
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "effectiveDateTime": scene.start.plus(5).text(),
        "performer": [to(&scene.practitioner.reference)]
    });
    chart.add(scene, "Observation", profile, with(body, value))
}

fn vital(chart: &mut Chart<'_>, scene: &mut Scene, profile: &str, code: &Code, value: &Value) {
    let categories = [category(VITAL_SIGNS, "Vital Signs")];
    observe(chart, scene, profile, &categories, &code.concept(), json!({"valueQuantity": value}));
}

fn category(code: &str, display: &str) -> Value {
    json!({"coding": [{
        "system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": code, "display": display
    }]})
}

/// The usual height in cm and weight in kg at an age in days.
fn growth(days: i64, is_female: bool) -> (f64, f64) {
    const CURVE: [(i64, f64, f64); 8] = [
        (0, 50.0, 3.4),
        (183, 67.0, 7.6),
        (365, 75.0, 9.6),
        (730, 87.0, 12.2),
        (5 * 365, 109.0, 18.4),
        (10 * 365, 138.0, 32.0),
        (14 * 365, 163.0, 50.0),
        (19 * 365, 170.0, 68.0),
    ];
    let mut usual = (170.0, 72.0);
    for pair in CURVE.windows(2) {
        if let [(from, height, weight), (until, taller, heavier)] = pair
            && (*from..*until).contains(&days)
        {
            #[allow(clippy::cast_precision_loss, reason = "days of a life are few")]
            let part = (days - from) as f64 / (until - from) as f64;
            usual = (height + part * (taller - height), weight + part * (heavier - weight));
        }
    }
    if is_female && days > 13 * 365 { (usual.0 * 0.94, usual.1 * 0.9) } else { usual }
}

/// The set of measurements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything, and for children what their growth charts need.
    CheckUp,
    /// Weight, pressure and pulse.
    FollowUp,
    /// Temperature and oxygen too, but not the height.
    Illness,
}

/// Vital signs.
pub(super) fn vital_signs(chart: &mut Chart<'_>, scene: &mut Scene, extent: Extent) {
    let is_ill = extent == Extent::Illness;
    let is_full = extent == Extent::CheckUp;
    let days = (scene.start.day - chart.birth).num_days();
    let age = chart.age(scene.start.day);
    let (height, weight) = growth(days, chart.is_female);
    #[allow(clippy::cast_precision_loss, reason = "hundredths")]
    let (stature, girth) = (chart.stature as f64 / 100.0, if age < 18 { 1.0 } else { chart.weight as f64 / 100.0 });
    let random = &mut chart.sheet.random;
    let height = tenths(height * stature);
    let weight = tenths(weight * stature * girth * draw(random, 0.97, 1.03, 2));
    let bmi = tenths(weight / (height / 100.0 * (height / 100.0)));
    if is_full {
        vital(chart, scene, "us-core-body-height", &loinc("8302-2", "Body height"), &quantity(height, 1, "cm", "cm"));
    }
    vital(chart, scene, "us-core-body-weight", &loinc("29463-7", "Body weight"), &quantity(weight, 1, "kg", "kg"));
    if age >= 2 && is_full {
        let code = loinc("39156-5", "Body mass index (BMI) [Ratio]");
        vital(chart, scene, "us-core-bmi", &code, &quantity(bmi, 1, "kg/m2", "kg/m2"));
    }
    if is_full {
        percentiles(chart, scene, days);
    }
    if age >= 3 {
        blood_pressure(chart, scene);
    }
    let heart = if age < 3 { (95.0, 140.0) } else { (58.0, 98.0) };
    let heart = draw(&mut chart.sheet.random, heart.0, heart.1, 0);
    vital(chart, scene, "us-core-heart-rate", &loinc("8867-4", "Heart rate"), &quantity(heart, 0, "/min", "/min"));
    if extent == Extent::FollowUp {
        return;
    }
    let breath = draw(&mut chart.sheet.random, 12.0, if age < 3 { 32.0 } else { 18.0 }, 0);
    vital(
        chart,
        scene,
        "us-core-respiratory-rate",
        &loinc("9279-1", "Respiratory rate"),
        &quantity(breath, 0, "/min", "/min"),
    );
    if is_ill {
        let heat = draw(&mut chart.sheet.random, 36.6, 39.6, 1);
        vital(
            chart,
            scene,
            "us-core-body-temperature",
            &loinc("8310-5", "Body temperature"),
            &quantity(heat, 1, "Cel", "Cel"),
        );
        oxygen(chart, scene);
    }
    if is_ill || chart.sheet.random.chance(40) {
        pain(chart, scene, is_ill);
    }
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// The values of the growth charts of children.
fn percentiles(chart: &mut Chart<'_>, scene: &mut Scene, days: i64) {
    let percent = quantity(draw(&mut chart.sheet.random, 3.0, 97.0, 0), 0, "%", "%");
    if days < 3 * 365 {
        let around = draw(&mut chart.sheet.random, 34.0, 50.0, 1);
        let code = loinc("9843-4", "Head Occipital-frontal circumference");
        vital(chart, scene, "us-core-head-circumference", &code, &quantity(around, 1, "cm", "cm"));
        let code = loinc("77606-2", "Weight-for-length Per age and sex");
        vital(chart, scene, "pediatric-weight-for-height", &code, &percent);
    } else if days < 20 * 365 {
        let code = loinc("59576-9", "Body mass index (BMI) [Percentile] Per age and sex");
        vital(chart, scene, "pediatric-bmi-for-age", &code, &percent);
    }
}

fn blood_pressure(chart: &mut Chart<'_>, scene: &mut Scene) {
    let random = &mut chart.sheet.random;
    let (systolic, diastolic) = (draw(random, 98.0, 152.0, 0), draw(random, 58.0, 94.0, 0));
    let part = |code: Code, value: f64| json!({"code": code.concept(), "valueQuantity": quantity(value, 0, "mm[Hg]", "mm[Hg]")});
    let code = loinc("85354-9", "Blood pressure panel with all children optional").concept();
    let categories = [category(VITAL_SIGNS, "Vital Signs")];
    observe(
        chart,
        scene,
        "us-core-blood-pressure",
        &categories,
        &code,
        json!({"component": [
            part(loinc("8480-6", "Systolic blood pressure"), systolic),
            part(loinc("8462-4", "Diastolic blood pressure"), diastolic)
        ]}),
    );
}

fn oxygen(chart: &mut Chart<'_>, scene: &mut Scene) {
    let value = quantity(draw(&mut chart.sheet.random, 91.0, 99.0, 0), 0, "%", "%");
    let code = loinc("59408-5", "Oxygen saturation in Arterial blood by Pulse oximetry");
    let code = code.also(&loinc("2708-6", "Oxygen saturation in Arterial blood"));
    let categories = [category(VITAL_SIGNS, "Vital Signs")];
    observe(chart, scene, "us-core-pulse-oximetry", &categories, &code, json!({"valueQuantity": value}));
}

fn pain(chart: &mut Chart<'_>, scene: &mut Scene, is_ill: bool) {
    let score = draw(&mut chart.sheet.random, 0.0, if is_ill { 8.0 } else { 3.0 }, 0);
    let code = loinc("72514-3", "Pain severity - 0-10 verbal numeric rating [Score] - Reported").concept();
    let categories = [category("survey", "Survey")];
    let value = json!({"valueQuantity": quantity(score, 0, "{score}", "{score}")});
    observe(chart, scene, "us-core-simple-observation", &categories, &code, value);
}

/// Tobacco, and whether somebody is pregnant.
pub(super) fn social_history(chart: &mut Chart<'_>, scene: &mut Scene) {
    const SMOKING: [Code; 3] = [
        snomed("266919005", "Never smoked tobacco"),
        snomed("8517006", "Ex-smoker"),
        snomed("449868002", "Smokes tobacco daily"),
    ];
    let age = chart.age(scene.start.day);
    let social = || [category("social-history", "Social History")];
    if age >= 12 {
        let habit = chart.sheet.random.pick(&SMOKING).concept();
        let code = loinc("72166-2", "Tobacco smoking status").concept();
        observe(chart, scene, "us-core-smokingstatus", &social(), &code, json!({"valueCodeableConcept": habit}));
    }
    if chart.is_female && (15..50).contains(&age) {
        let state = snomed("60001007", "Not pregnant").concept();
        let code = loinc("82810-3", "Pregnancy status").concept();
        observe(
            chart,
            scene,
            "us-core-observation-pregnancystatus",
            &social(),
            &code,
            json!({"valueCodeableConcept": state}),
        );
    }
}

/// Questions about the patient's circumstances: the answers, and the panel that has them as members. Some were asked on
/// a form.
pub(super) fn screening(chart: &mut Chart<'_>, scene: &mut Scene) {
    const QUESTIONS: [(Code, [Code; 2]); 3] = [
        (
            loinc(
                "93030-5",
                "Has lack of transportation kept you from medical appointments, meetings, work, or from getting things needed for daily living",
            ),
            [loinc("LA32-8", "No"), loinc("LA33-6", "Yes")],
        ),
        (loinc("93038-8", "Stress level"), [loinc("LA6568-5", "Not at all"), loinc("LA13909-9", "Somewhat")]),
        (
            loinc("88122-7", "(I/We) worried whether (my/our) food would run out before (I/we) got money to buy more"),
            [loinc("LA28398-7", "Never true"), loinc("LA6729-3", "Sometimes true")],
        ),
    ];
    let form = chart.sheet.random.chance(40).then(|| questionnaire(chart, scene));
    let categories = || {
        vec![
            category("survey", "Survey"),
            json!({"coding": [{
                "system": "http://hl7.org/fhir/us/core/CodeSystem/us-core-category", "code": "sdoh", "display": "SDOH"
            }]}),
        ]
    };
    let profile = "us-core-observation-screening-assessment";
    let mut members = Vec::new();
    for (question, [usual, other]) in &QUESTIONS {
        let answer = if chart.sheet.random.chance(85) { usual } else { other };
        let mut value = json!({"valueCodeableConcept": answer.concept()});
        if let Some(form) = &form {
            value = with(value, json!({"derivedFrom": [to(form)]}));
        }
        members.push(to(&observe(chart, scene, profile, &categories(), &question.concept(), value)));
    }
    let panel =
        loinc("93025-5", "Protocol for Responding to and Assessing Patients' Assets, Risks, and Experiences [PRAPARE]");
    observe(chart, scene, profile, &categories(), &panel.concept(), json!({"hasMember": members}));
}

fn questionnaire(chart: &mut Chart<'_>, scene: &mut Scene) -> String {
    let random = &mut chart.sheet.random;
    let (number, pain) = (random.digits(8), draw(random, 0.0, 6.0, 1));
    let slept = *random.pick(&["Well", "Badly"]);
    let topic = *random.pick(&["My sleep.", "The new tablets.", "Nothing in particular.", "The results of last time."]);
    let state = if random.chance(90) { "completed" } else { "amended" };
    chart.add(scene, "QuestionnaireResponse", "us-core-questionnaireresponse", json!({
        "identifier": {"system": "https://records.example.org/form", "value": number},
        "questionnaire": format!("{QUESTIONNAIRE}|2"),
        "status": state,
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "authored": scene.start.text(),
        "author": scene.practitioner.to(),
        "item": [
            {"linkId": "pain", "text": "How strong is your pain, from 0 to 10?", "answer": [{"valueDecimal": pain}]},
            {"linkId": "sleep", "text": "How did you sleep?", "answer": [{"valueString": slept}]},
            {"linkId": "ask", "text": "What would you like to talk about?", "answer": [{"valueString": topic}]}
        ]
    }))
}

/// A finding of an image or a tracing, in words.
pub(super) fn finding(chart: &mut Chart<'_>, scene: &mut Scene, code: &Code, text: &str) -> String {
    let categories = [status("observation-category", "imaging")];
    let profile = "us-core-observation-clinical-result";
    observe(chart, scene, profile, &categories, &code.concept(), json!({"valueString": text}))
}
