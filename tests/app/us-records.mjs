// A made-up chart of one patient with forms of systems and devices in the United States: orders for life-sustaining
// treatment, a list that names missing records, an allergy in an extension, fills of a pharmacy network.

import { person } from './own-files.mjs';

const subject = { reference: 'Patient/p' };
const LOINC = 'http://loinc.org';
const SNOMED = 'http://snomed.info/sct';
const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const DEVICES = 'urn:iso:std:iso:11073:10101';
const coded = (system, code, display) => ({ coding: [{ system, code, ...(display ? { display } : {}) }] });
const VITAL = [coded('http://terminology.hl7.org/CodeSystem/observation-category', 'vital-signs')];
const quantity = (value, unit) => ({ value, unit, system: 'http://unitsofmeasure.org', code: unit });
const measured = (id, code, value, unit, time) => ({
  resourceType: 'Observation',
  id,
  subject,
  status: 'final',
  category: VITAL,
  code,
  effectiveDateTime: time,
  valueQuantity: quantity(value, unit),
});
const exposure = (substance, risk) => ({
  url: 'http://hl7.org/fhir/StructureDefinition/allergyintolerance-substanceExposureRisk',
  extension: [
    { url: 'substance', valueCodeableConcept: coded(SNOMED, '1', substance) },
    { url: 'exposureRisk', valueCodeableConcept: coded('http://hl7.org/fhir/exposure-risk', risk) },
  ],
});

/// Advance directives as an order, an answer and a problem. None is a Consent.
export const DIRECTIVES = [
  person('p', 'Wishes'),
  {
    resourceType: 'ServiceRequest',
    id: 'cpr',
    subject,
    status: 'active',
    intent: 'order',
    doNotPerform: true,
    authoredOn: '2025-04-04',
    code: coded(SNOMED, '89666000', 'Cardiopulmonary resuscitation'),
  },
  {
    resourceType: 'Observation',
    id: 'will',
    subject,
    status: 'final',
    effectiveDateTime: '2024-02-02',
    code: coded(LOINC, '75787-2', 'Request for intubation'),
    valueCodeableConcept: coded(LOINC, 'LA32-8', 'No'),
  },
  {
    resourceType: 'Condition',
    id: 'z66',
    subject,
    recordedDate: '2023-03-03',
    clinicalStatus: coded('http://terminology.hl7.org/CodeSystem/condition-clinical', 'active'),
    code: coded('http://hl7.org/fhir/sid/icd-10-cm', 'Z66', 'Do not resuscitate status'),
  },
];

export const US_CHART = [
  person('p', 'States'),
  {
    resourceType: 'MedicationDispense',
    id: 'fill',
    subject,
    status: 'completed',
    medicationCodeableConcept: {
      coding: [
        { system: RXNORM, code: '847232' },
        { system: RXNORM, code: '274783', display: 'insulin glargine' },
        { system: RXNORM, code: '847230', display: 'insulin glargine 100 UNT/ML Pen Injector' },
      ],
    },
    whenHandedOver: '2025-01-07',
    daysSupply: { value: 90 },
  },
  {
    resourceType: 'List',
    id: 'home',
    subject,
    status: 'current',
    mode: 'snapshot',
    title: 'Home medicines',
    code: coded(LOINC, '10160-0'),
    date: '2025-02-01',
    entry: [
      { item: { reference: 'MedicationStatement/gone', display: 'sertraline 25 MG Oral Tablet' } },
      { item: { display: 'furosemide 20 MG Oral Tablet' } },
      { item: { reference: 'MedicationDispense/fill', display: 'Lantus' } },
      { deleted: true, item: { display: 'warfarin' } },
    ],
  },
  {
    resourceType: 'AllergyIntolerance',
    id: 'nut',
    patient: subject,
    extension: [exposure('Peanut', 'no-known-reaction-risk')],
  },
  {
    resourceType: 'AllergyIntolerance',
    id: 'tex',
    patient: subject,
    extension: [exposure('Latex', 'known-reaction-risk')],
  },
  measured('flow', coded(LOINC, '3151-8', 'Inhaled oxygen flow rate'), 3, 'L/min', '2025-01-01T08:00:00Z'),
  measured('sat', coded(DEVICES, '150456', 'MDC_PULS_OXIM_SAT_O2'), 97, '%', '2025-01-01T08:00:00Z'),
  {
    resourceType: 'Device',
    id: 'pump',
    patient: subject,
    deviceName: [{ name: 'Wound pump', type: 'user-friendly-name' }],
  },
  {
    resourceType: 'Device',
    id: 'hip',
    patient: subject,
    udiCarrier: [{ deviceIdentifier: '1' }],
    type: coded(SNOMED, '2', 'Hip joint'),
  },
];

/// A payer's records of a patient: only bills.
export const PAYER_CHART = [
  person('p', 'Payer'),
  {
    resourceType: 'ExplanationOfBenefit',
    id: 'eob',
    status: 'active',
    type: coded('http://terminology.hl7.org/CodeSystem/claim-type', 'pharmacy', 'Pharmacy'),
    use: 'claim',
    patient: subject,
    created: '2025-01-01',
    outcome: 'complete',
    item: [{ sequence: 1, productOrService: coded('http://hl7.org/fhir/sid/ndc', '0777-3105-02', 'Prozac 20 MG') }],
  },
];
