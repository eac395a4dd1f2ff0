//! Facts about the resource types that a patient's record may hold, from R4 4.0.1 and US Core 6.1.0.
//! Written by `tools/definitions.mjs`: not to be edited.

use super::definition::{Definition, define};

/// The version of US Core that the profiles are of.
pub const US_CORE: &str = "6.1.0";

/// The types in alphabetical order, each with the elements that name its patient and those that no subset leaves out.
pub(super) const TYPES: &[Definition] = &[
    define("Account", &["subject"], &["status"]),
    define("AdverseEvent", &[], &["actuality", "subject"]),
    define("AllergyIntolerance", &["patient"], &["clinicalStatus", "verificationStatus", "patient"])
        .profiles(&["us-core-allergyintolerance"])
        .with_provenance(),
    define("Appointment", &["participant.actor"], &["status", "participant"]),
    define("AppointmentResponse", &["actor"], &["appointment", "participantStatus"]),
    define("AuditEvent", &["agent.who", "entity.what"], &["type", "recorded", "agent", "source"]),
    define("Basic", &["subject"], &["code"]),
    define("Binary", &[], &["contentType"]),
    define("BodyStructure", &["patient"], &["active", "patient"]).attachments(&["image"]),
    define("CarePlan", &["subject"], &["status", "intent", "subject"])
        .profiles(&["us-core-careplan"])
        .with_provenance(),
    define("CareTeam", &["subject"], &["status"]).profiles(&["us-core-careteam"]).with_provenance(),
    define("ChargeItem", &["subject"], &["status", "code", "subject"]),
    define(
        "Claim",
        &["patient"],
        &["status", "type", "use", "patient", "created", "provider", "priority", "insurance"],
    ),
    define("ClaimResponse", &["patient"], &["status", "type", "use", "patient", "created", "insurer", "outcome"])
        .attachments(&["form"]),
    define("ClinicalImpression", &["subject"], &["status", "subject"]),
    define("Communication", &["subject"], &["status"]),
    define("CommunicationRequest", &["subject"], &["status", "doNotPerform"]),
    define("Composition", &["subject"], &["status", "type", "date", "author", "title"]),
    define("Condition", &["subject"], &["clinicalStatus", "verificationStatus", "subject"])
        .profiles(&["us-core-condition-encounter-diagnosis", "us-core-condition-problems-health-concerns"])
        .with_provenance(),
    define("Consent", &["patient"], &["status", "scope", "category"]),
    define("Coverage", &["beneficiary"], &["status", "beneficiary", "payor"])
        .profiles(&["us-core-coverage"])
        .with_provenance(),
    define("CoverageEligibilityRequest", &["patient"], &["status", "purpose", "patient", "created", "insurer"]),
    define(
        "CoverageEligibilityResponse",
        &["patient"],
        &["status", "purpose", "patient", "created", "request", "outcome", "insurer"],
    ),
    define("DetectedIssue", &["patient"], &["status"]),
    define("Device", &["patient"], &["status"]).profiles(&["us-core-implantable-device"]).with_provenance(),
    define("DeviceRequest", &["subject"], &["status", "intent", "code[x]", "subject"]),
    define("DeviceUseStatement", &["subject"], &["status", "subject", "device"]),
    define("DiagnosticReport", &["subject"], &["status", "code"])
        .attachments(&["presentedForm"])
        .profiles(&["us-core-diagnosticreport-lab", "us-core-diagnosticreport-note"])
        .with_provenance(),
    define("DocumentManifest", &["subject"], &["status", "content"]),
    define("DocumentReference", &["subject"], &["status", "content"])
        .attachments(&["content.attachment"])
        .profiles(&["us-core-documentreference"])
        .with_provenance(),
    define("Encounter", &["subject"], &["status", "class"]).profiles(&["us-core-encounter"]).with_provenance(),
    define("Endpoint", &[], &["status", "connectionType", "payloadType", "address"]),
    define("EnrollmentRequest", &["candidate"], &["status"]),
    define("EpisodeOfCare", &["patient"], &["status", "patient"]),
    define(
        "ExplanationOfBenefit",
        &["patient"],
        &["status", "type", "use", "patient", "created", "insurer", "provider", "outcome", "insurance"],
    )
    .attachments(&["form"]),
    define("FamilyMemberHistory", &["patient"], &["status", "patient", "relationship"]),
    define("Flag", &["subject"], &["status", "code", "subject"]),
    define("Goal", &["subject"], &["lifecycleStatus", "description", "subject"])
        .profiles(&["us-core-goal"])
        .with_provenance(),
    define("Group", &[], &["type", "actual"]),
    define("HealthcareService", &[], &["active"]).attachments(&["photo"]),
    define("ImagingStudy", &["subject"], &["status", "subject"]),
    define("Immunization", &["patient"], &["status", "vaccineCode", "patient", "occurrence[x]", "isSubpotent"])
        .profiles(&["us-core-immunization"])
        .with_provenance(),
    define(
        "ImmunizationEvaluation",
        &["patient"],
        &["status", "patient", "targetDisease", "immunizationEvent", "doseStatus"],
    ),
    define("ImmunizationRecommendation", &["patient"], &["patient", "date", "recommendation"]),
    define("Invoice", &["subject"], &["status"]),
    define("List", &["subject"], &["status", "mode"]),
    define("Location", &[], &["status"]).profiles(&["us-core-location"]),
    define("MeasureReport", &["subject"], &["status", "type", "measure", "period", "improvementNotation"]),
    define("Media", &["subject"], &["status", "content"]).attachments(&["content"]),
    define("Medication", &[], &["status"]).profiles(&["us-core-medication"]),
    define("MedicationAdministration", &["subject"], &["status", "medication[x]", "subject", "effective[x]"]),
    define("MedicationDispense", &["subject"], &["status", "medication[x]"])
        .profiles(&["us-core-medicationdispense"])
        .with_provenance(),
    define("MedicationRequest", &["subject"], &["status", "intent", "doNotPerform", "medication[x]", "subject"])
        .profiles(&["us-core-medicationrequest"])
        .with_provenance(),
    define("MedicationStatement", &["subject"], &["status", "medication[x]", "subject"]),
    define("MolecularSequence", &["patient"], &["coordinateSystem"]),
    define("NutritionOrder", &["patient"], &["status", "intent", "patient", "dateTime"]),
    define("Observation", &["subject"], &["status", "code"])
        .profiles(&[
            "head-occipital-frontal-circumference-percentile",
            "pediatric-bmi-for-age",
            "pediatric-weight-for-height",
            "us-core-blood-pressure",
            "us-core-bmi",
            "us-core-body-height",
            "us-core-body-temperature",
            "us-core-body-weight",
            "us-core-head-circumference",
            "us-core-heart-rate",
            "us-core-observation-clinical-result",
            "us-core-observation-lab",
            "us-core-observation-occupation",
            "us-core-observation-pregnancyintent",
            "us-core-observation-pregnancystatus",
            "us-core-observation-screening-assessment",
            "us-core-observation-sexual-orientation",
            "us-core-pulse-oximetry",
            "us-core-respiratory-rate",
            "us-core-simple-observation",
            "us-core-smokingstatus",
            "us-core-vital-signs",
        ])
        .with_provenance(),
    define("Organization", &[], &["active"]).profiles(&["us-core-organization"]),
    define("Patient", &[], &["active", "deceased[x]", "link"])
        .attachments(&["photo"])
        .profiles(&["us-core-patient"])
        .with_provenance(),
    define("Person", &["link.target"], &["active"]).attachments(&["photo"]),
    define("Practitioner", &[], &[]).attachments(&["photo"]).profiles(&["us-core-practitioner"]),
    define("PractitionerRole", &[], &[]).profiles(&["us-core-practitionerrole"]),
    define("Procedure", &["subject"], &["status", "subject"]).profiles(&["us-core-procedure"]).with_provenance(),
    define("Provenance", &["target"], &["target", "recorded", "agent"]).profiles(&["us-core-provenance"]),
    define("Questionnaire", &[], &["status"]),
    define("QuestionnaireResponse", &["subject"], &["status"])
        .profiles(&["us-core-questionnaireresponse"])
        .with_provenance(),
    define("RelatedPerson", &["patient"], &["active", "patient"])
        .attachments(&["photo"])
        .profiles(&["us-core-relatedperson"])
        .with_provenance(),
    define("RequestGroup", &["subject"], &["status", "intent"]),
    define("ResearchSubject", &["individual"], &["status", "study", "individual"]),
    define("RiskAssessment", &["subject"], &["status", "subject"]),
    define("Schedule", &[], &["active", "actor"]),
    define("ServiceRequest", &["subject"], &["status", "intent", "doNotPerform", "subject"])
        .profiles(&["us-core-servicerequest"])
        .with_provenance(),
    define("Specimen", &["subject"], &["status"]).profiles(&["us-core-specimen"]),
    define("SupplyDelivery", &["patient"], &["status"]),
    define("SupplyRequest", &[], &["status", "item[x]", "quantity"]),
    define("ValueSet", &[], &["status"]),
    define(
        "VisionPrescription",
        &["patient"],
        &["status", "created", "patient", "dateWritten", "prescriber", "lensSpecification"],
    ),
];
