//! Records of a prescription: the order, and each time that it is dispensed.

use serde_json::json;

use super::calendar::{Moment, plus_days};
use super::chart::{Chart, Scene};
use super::elements::{quantity, status, to, with};
use super::formulary::Drug;

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
