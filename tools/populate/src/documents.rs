//! Notes, reports in words, images, and the files behind them.

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};

use super::chart::{Chart, Scene};
use super::conditions::Stay;
use super::elements::{loinc, snomed, to, with};
use super::observations;

const SENTENCES: &[&str] = &[
    "Feels well, works full time, sleeps seven hours.",
    "Reports some tiredness towards the end of the week.",
    "No chest pain, no shortness of breath, no swelling of the legs.",
    "Appetite is good; weight has been stable since the last visit.",
    "Heart: regular rhythm, no murmurs. Lungs: clear on both sides.",
    "Abdomen: soft, not tender. Skin: warm and dry, no rash.",
    "Medicines were gone through together; the list is up to date.",
    "Talked about walking for half an hour on most days of the week.",
    "Knows when to call, and whom.",
    "Results of the last tests were explained, and questions answered.",
    "Lives with family; there is help at home if it is needed.",
    "Blood pressure is measured at home and written down.",
];

/// A text of so many sentences about the visit.
fn prose(chart: &mut Chart<'_>, scene: &Scene, title: &str, sentences: u32) -> String {
    let mut text = format!(
        "{title}\n{}\n{}, born {}\nSeen by {} at {}\n\n",
        scene.start.day, chart.patient.name, chart.birth, scene.practitioner.name, scene.organization.name
    );
    for _ in 0..sentences {
        let sentence = *chart.sheet.random.pick(SENTENCES);
        text.push_str(sentence);
        text.push('\n');
    }
    text
}

fn document(chart: &mut Chart<'_>, scene: &mut Scene, code: (&str, &str), attachment: &Value) -> String {
    let number = chart.sheet.random.uuid();
    let state = if chart.sheet.random.chance(4) { "superseded" } else { "current" };
    let body = json!({
        "identifier": [{"system": "https://records.example.org/document", "value": number}],
        "status": state,
        "type": {
            "coding": [{"system": "http://loinc.org", "code": code.0, "display": code.1}],
            "text": code.1
        },
        "category": [{"coding": [{
            "system": "http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category", "code": "clinical-note",
            "display": "Clinical Note"
        }]}],
        "subject": chart.subject(),
        "date": scene.end.plus(20).text(),
        "author": [scene.practitioner.to()],
        "custodian": scene.organization.to(),
        "content": [{
            "attachment": attachment,
            "format": {
                "system": "http://ihe.net/fhir/ihe.formatcode.fhir/CodeSystem/formatcode",
                "code": "urn:ihe:iti:xds:2017:mimeTypeSufficient",
                "display": "mimeType Sufficient"
            }
        }],
        "context": {
            "encounter": [to(&scene.encounter)],
            "period": {"start": scene.start.text(), "end": scene.end.text()}
        }
    });
    chart.add(scene, "DocumentReference", "us-core-documentreference", body)
}

/// A note with its text inside.
pub(super) fn note(chart: &mut Chart<'_>, scene: &mut Scene, code: &str, display: &str, title: &str) {
    let sentences = 5 + chart.sheet.random.below(8);
    let text = prose(chart, scene, title, sentences);
    let attachment = json!({
        "contentType": "text/plain; charset=utf-8", "data": Base64::encode_string(text.as_bytes()), "title": title
    });
    document(chart, scene, (code, display), &attachment);
}

/// A discharge summary, kept as a file: in the store of documents, and as a Binary.
pub(super) fn discharge_summary(chart: &mut Chart<'_>, scene: &mut Scene, stay: &Stay) {
    let title = format!("Discharge summary: {}", stay.code.display);
    let text = prose(chart, scene, &title, 18);
    let body = json!({
        "contentType": "text/plain; charset=utf-8",
        "securityContext": chart.subject(),
        "data": Base64::encode_string(text.as_bytes())
    });
    let file = chart.add_unsigned(scene, "Binary", "Binary", body);
    let attachment = json!({
        "contentType": "text/plain; charset=utf-8", "url": format!("{file}.txt"), "size": text.len(), "title": title
    });
    document(chart, scene, ("18842-5", "Discharge summary"), &attachment);
}

/// A chest X-ray: the order, the image, the finding, and the report, which is a document too.
pub(super) fn chest_image(chart: &mut Chart<'_>, scene: &mut Scene, condition: &str) {
    let code = loinc("36643-5", "XR Chest 2 Views");
    let order = json!({
        "status": "completed",
        "intent": "order",
        "category": [snomed("363679005", "Imaging").concept()],
        "code": code.concept(),
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "occurrenceDateTime": scene.start.plus(20).text(),
        "authoredOn": scene.start.text(),
        "requester": scene.practitioner.to(),
        "reasonReference": [to(condition)]
    });
    let order = chart.add(scene, "ServiceRequest", "us-core-servicerequest", order);
    let image = chart.sheet.random.uuid();
    let taken = scene.start.plus(20).text();
    let media = json!({
        "basedOn": [to(&order)],
        "status": "completed",
        "type": {"coding": [{
            "system": "http://terminology.hl7.org/CodeSystem/media-type", "code": "image", "display": "Image"
        }]},
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "createdDateTime": taken,
        "content": {"contentType": "image/png", "url": format!("images/{image}.png"), "title": "Chest, from the front"}
    });
    let media = chart.add_unsigned(scene, "Media", "Media", media);
    let text = *chart.sheet.random.pick(&["No acute findings.", "Thickened bronchial walls; no infiltrate."]);
    let finding =
        observations::finding(chart, scene, &loinc("18782-3", "Radiology Study observation (narrative)"), text);
    let form = json!({"contentType": "text/plain; charset=utf-8", "url": format!("reports/{image}.txt")});
    document(chart, scene, ("18748-4", "Diagnostic imaging study"), &form);
    let body = json!({
        "basedOn": [to(&order)],
        "status": "final",
        "category": [{"coding": [{"system": "http://loinc.org", "code": "LP29684-5", "display": "Radiology"}]}],
        "code": code.concept(),
        "subject": chart.subject(),
        "encounter": to(&scene.encounter),
        "effectiveDateTime": taken,
        "issued": scene.end.plus(60).text(),
        "performer": [scene.practitioner.to(), scene.organization.to()],
        "result": [to(&finding)]
    });
    let body = with(
        body,
        json!({
            "media": [{"link": to(&media)}],
            "conclusion": text,
            "presentedForm": [form]
        }),
    );
    chart.add(scene, "DiagnosticReport", "us-core-diagnosticreport-note", body);
}
