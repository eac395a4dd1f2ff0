// The requirements of docs/contract.md, as data: the elements that it names beyond US Core's must-support, and every
// named value that exists in R4.

/** [profile, elements that must appear somewhere in it] */
export const alsoSupported = [
  ['us_core_servicerequest', 'occurrenceDateTime occurrencePeriod requester reasonCode reasonReference'],
  ['us_core_diagnosticreport_note', 'media media.link media.link→media presentedForm.url result encounter issued'],
  ['us_core_condition_problems_health_concerns', 'encounter'],
  [
    'us_core_procedure',
    'performed[x] performedPeriod focalDevice focalDevice.manipulated→implantable-device basedOn→servicerequest',
  ],
  [
    'us_core_documentreference',
    'content.attachment.data content.attachment.url content.attachment.contentType content.format ' +
      'custodian→organization',
  ],
  ['us_core_observation_screening_assessment', 'dataAbsentReason hasMember derivedFrom'],
  ['us_core_simple_observation', 'effective[x] value[x] performer'],
  [
    'us_core_medicationrequest',
    'medicationCodeableConcept medicationReference contained dosageInstruction.doseAndRate.dose[x]',
  ],
  [
    'us_core_medicationdispense',
    'medicationReference→medication medicationCodeableConcept performer.actor→practitioner',
  ],
  ['us_core_careteam', 'participant.member→patient'],
  [
    'us_core_practitioner',
    'active identifier.system identifier.value address.line address.city address.state address.postalCode ' +
      'address.country',
  ],
  ['us_core_practitionerrole', 'endpoint location telecom'],
  ['us_core_careplan', 'period'],
  ['us_core_provenance', 'activity agent.who agent.onBehalfOf→organization'],
  ['us_core_patient', 'deceasedDateTime name.suffix maritalStatus'],
];

/** [type, path, values]: each value must occur at least once. */
export const namedValues = [
  ['ServiceRequest', 'status', 'draft active completed'],
  ['ServiceRequest', 'intent', 'proposal plan order'],
  ['CarePlan', 'status', 'active draft completed'],
  ['CarePlan', 'category.coding.code', 'assess-plan'],
  ['Condition', 'clinicalStatus.coding.code', 'active recurrence remission resolved inactive'],
  [
    'Condition',
    'verificationStatus.coding.code',
    'unconfirmed provisional differential confirmed refuted entered-in-error',
  ],
  [
    'Condition',
    'category.coding.code',
    'problem-list-item health-concern encounter-diagnosis sdoh functional-status disability-status cognitive-status',
  ],
  ['Procedure', 'status', 'completed'],
  ['DiagnosticReport', 'status', 'preliminary final amended corrected partial'],
  ['DiagnosticReport', 'category.coding.code', 'LP29708-2 LP7839-6 LP29684-5 LAB'],
  ['DocumentReference', 'status', 'current superseded'],
  ['DocumentReference', 'type.coding.code', '11488-4 18842-5 34117-2 28570-0 11506-3 18748-4 11502-2 11526-1 34133-9'],
  ['DocumentReference', 'content.format.code', 'urn:hl7-org:sdwg:ccda-structuredBody:2.1'],
  ['DocumentReference', 'category.coding.code', 'clinical-note'],
  ['Observation', 'status', 'final preliminary entered-in-error cancelled'],
  [
    'Observation',
    'category.coding.code',
    'exam survey vital-signs laboratory social-history imaging procedure activity ' +
      'sdoh functional-status disability-status cognitive-status',
  ],
  ['MedicationRequest', 'status', 'active completed stopped on-hold cancelled draft'],
  ['MedicationRequest', 'intent', 'order plan'],
  ['MedicationRequest', 'category.coding.code', 'community inpatient discharge'],
  ['MedicationDispense', 'status', 'completed in-progress cancelled'],
  ['MedicationDispense', 'type.coding.code', 'FF RF'],
  ['CareTeam', 'status', 'active proposed suspended inactive'],
  ['Immunization', 'status', 'completed not-done entered-in-error'],
  ['AllergyIntolerance', 'clinicalStatus.coding.code', 'active inactive resolved'],
  ['AllergyIntolerance', 'verificationStatus.coding.code', 'unconfirmed confirmed entered-in-error'],
  ['AllergyIntolerance', 'code.coding.code', '1631000175102 716186003'],
  ['Observation', 'code.coding.system', 'http://loinc.org'],
  ['Immunization', 'vaccineCode.coding.system', 'http://hl7.org/fhir/sid/cvx http://hl7.org/fhir/sid/ndc'],
];

/** The types that are among the targets of Provenance. */
export const signedTypes = `
  AllergyIntolerance CarePlan CareTeam Condition Coverage Device DiagnosticReport DocumentReference Encounter Goal
  Immunization MedicationDispense MedicationRequest Observation Patient Procedure QuestionnaireResponse RelatedPerson
  ServiceRequest`
  .trim()
  .split(/\s+/);

/** Types without a US Core profile that the sample must also contain. */
export const plainTypes = [
  ...['Endpoint', 'Media', 'Questionnaire', 'Group', 'Binary'],
  ...['MedicationStatement', 'DeviceUseStatement', 'Flag', 'Consent', 'Composition'],
];
