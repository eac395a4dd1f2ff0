// The further requirements of versions of US Core after 6.1.0, as far as a resource can satisfy both: must-support
// elements and the "additional USCDI requirements", in the form of us-core.mjs.

/** Profiles that 6.1.0 does not have. */
export const laterProfiles = [
  {
    profile: 'us_core_average_blood_pressure',
    since: '7.0.0',
    must: `
      status category category:VSCat.coding code.coding.code=96607-7 subject→patient effectivePeriod performer component
      component.valueQuantity component.dataAbsentReason component:meanSystolic.code component:meanSystolic.value[x]
      component:meanSystolic.dataAbsentReason component:meanDiastolic.code component:meanDiastolic.value[x]
      component:meanDiastolic.dataAbsentReason`,
    mandatory: `
      status category category.coding category.coding.system category.coding.code code effective[x] component
      component.code component.value[x].value component.value[x].unit component.value[x].system
      component.value[x].code`,
    single: 'category:VSCat component:meanSystolic component:meanDiastolic',
    bound: 'status=observation-status component.value.comparator=quantity-comparator',
  },
  {
    profile: 'us_core_treatment_intervention_preference',
    since: '7.0.0',
    must: `
      status category category:treatmentPreference code.coding.code=75773-2 subject→patient effectiveDateTime performer
      valueString valueCodeableConcept`,
    mandatory: 'status code subject component.code',
    bound: 'status=observation-status',
  },
  {
    profile: 'us_core_care_experience_preference',
    since: '7.0.0',
    must: `
      status category category:careExperiencePreference code.coding.code=95541-9 subject→patient effectiveDateTime
      performer valueString valueCodeableConcept`,
    mandatory: 'status code subject component.code',
    bound: 'status=observation-status',
  },
  {
    profile: 'us_core_adi_documentreference',
    type: 'DocumentReference',
    since: '8.0.0',
    must: `
      extension:authenticationTime identifier status type category category:adi subject→patient date
      author→practitioner authenticator→practitioner content content.attachment content.attachment.contentType
      content.attachment.data content.format`,
    mandatory: 'status type category subject relatesTo.code relatesTo.target content content.attachment',
    bound: 'status=document-reference-status docStatus=composition-status content.attachment.contentType=mimetypes',
  },
  {
    profile: 'us_core_observation_adi_documentation',
    since: '8.0.0',
    must: `
      extension:supportingInfo.value[x]→adi-documentreference status category category:adiDocumentation
      code.coding.code=45473-6 subject→patient issued performer→practitioner value[x]`,
    mandatory: 'status code subject component.code extension:supportingInfo.url extension:supportingInfo.value[x]',
    bound: 'status=observation-status value=yes-no-unknown',
  },
].map((profile) => ({ type: 'Observation', ...profile }));

/** [version, profile that 6.1.0 has, elements] */
export const laterElements = [
  ['7.0.0', 'us_core_condition_encounter_diagnosis', 'clinicalStatus verificationStatus onsetDateTime'],
  ['7.0.0', 'us_core_condition_problems_health_concerns', 'meta.lastUpdated'],
  ['7.0.0', 'us_core_diagnosticreport_lab', 'meta.lastUpdated encounter→encounter'],
  ['7.0.0', 'us_core_encounter', 'meta.lastUpdated location.location→location'],
  ['7.0.0', 'us_core_immunization', 'encounter→encounter location→location'],
  ['7.0.0', 'us_core_location', 'identifier type'],
  ['7.0.0', 'us_core_medicationdispense', 'context→encounter performer.actor→practitioner'],
  ['7.0.0', 'us_core_medicationrequest', 'extension:medicationAdherence'],
  ['7.0.0', 'us_core_observation_clinical_result', 'encounter→encounter'],
  ['7.0.0', 'us_core_observation_lab', 'meta.lastUpdated encounter→encounter interpretation referenceRange'],
  ['7.0.0', 'us_core_observation_screening_assessment', 'category:activity category:SocialHistory'],
  ['7.0.0', 'us_core_patient', 'extension:genderIdentity'],
  ['7.0.0', 'us_core_procedure', 'encounter→encounter reasonCode reasonReference'],
  ['7.0.0', 'us_core_servicerequest', 'encounter→encounter'],
  // A smoking status in 7.0.0. The profile of 6.1.0 allows only a CodeableConcept, so the general profile is used here.
  ['7.0.0', 'us_core_simple_observation', 'code.coding.code=401201003 valueQuantity.code={PackYears}'],
  ['7.0.0', 'us_core_specimen', 'identifier accessionIdentifier collection collection.bodySite condition'],
  ['8.0.0', 'us_core_careplan', 'contributor→practitioner'],
  ['8.0.0', 'us_core_condition_encounter_diagnosis', 'recorder→practitioner'],
  ['8.0.0', 'us_core_condition_problems_health_concerns', 'recorder→practitioner'],
  ['8.0.0', 'us_core_diagnosticreport_lab', 'resultsInterpreter→practitioner'],
  ['8.0.0', 'us_core_diagnosticreport_note', 'resultsInterpreter→practitioner'],
  ['8.0.0', 'us_core_documentreference', 'type.coding.code=11504-8 type.coding.code=34111-5'],
  ['8.0.0', 'us_core_encounter', 'extension:interpreterNeeded'],
  ['8.0.0', 'us_core_goal', 'expressedBy→practitioner'],
  ['8.0.0', 'us_core_immunization', 'lotNumber performer.actor→practitioner'],
  ['8.0.0', 'us_core_location', 'type.coding.system type.coding.code'],
  ['8.0.0', 'us_core_medicationdispense', 'dosageInstruction.route'],
  ['8.0.0', 'us_core_medicationrequest', 'dosageInstruction.route'],
  ['8.0.0', 'us_core_patient', 'extension:interpreterNeeded'],
  ['8.0.0', 'us_core_procedure', 'performer.actor→practitioner'],
  ['8.0.0', 'us_core_servicerequest', 'code.text'],
  ['8.0.0', 'us_core_observation_lab', 'code.text'],
  ...[
    ...['us_core_observation_lab', 'us_core_observation_clinical_result', 'us_core_observation_occupation'],
    ...['us_core_observation_pregnancyintent', 'us_core_observation_pregnancystatus'],
    ...['us_core_observation_sexual_orientation', 'us_core_smokingstatus', 'us_core_blood_pressure', 'us_core_bmi'],
    ...['us_core_body_height', 'us_core_body_temperature', 'us_core_body_weight', 'us_core_head_circumference'],
    ...['us_core_heart_rate', 'us_core_pulse_oximetry', 'us_core_respiratory_rate'],
    ...['head_occipital_frontal_circumference_percentile', 'pediatric_bmi_for_age', 'pediatric_weight_for_height'],
  ].map((profile) => ['8.0.0', profile, 'performer']),
];

/**
 * [version, profile, category system, elements]: if the kit knows only some of the categories, it looks for all
 * elements of the profile among the resources with these categories, whatever profile they name.
 */
export const laterSearches = [
  [
    '8.0.0',
    'us_core_simple_observation',
    'http://hl7.org/fhir/us/core/CodeSystem/us-core-category',
    `
      status category code subject→patient effectiveDateTime performer→practitioner valueQuantity valueCodeableConcept
      valueString valueBoolean derivedFrom`,
  ],
];
