// A long record of a patient of the sample: visits over decades with their results, prescriptions and notes, a stay in
// hospital with hundreds of results, and a day of hundreds of results without a visit.

import { CATEGORY } from './own-files.mjs';

const PATIENT = 'amara-okafor';
const FIRST_YEAR = 1992;
const VISITS = 200;
const STAY = 90;
const subject = { reference: `Patient/${PATIENT}` };

const coded = (system, code, display) => ({ coding: [{ system, code, display }] });
const loinc = (code, display) => coded('http://loinc.org', code, display);
const category = (code) => [coded(CATEGORY, code, code)];
const amount = (value, unit) => ({ value, unit, system: 'http://unitsofmeasure.org', code: unit });

const result = (id, effectiveDateTime, of, code, valueQuantity, more = {}) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: category(of),
  code,
  subject,
  effectiveDateTime,
  valueQuantity,
  ...more,
});
const glucose = (id, at, n, more) =>
  result(
    id,
    at,
    'laboratory',
    loinc('2345-7', 'Glucose [Mass/volume] in Serum or Plasma'),
    amount(90 + (n % 40), 'mg/dL'),
    {
      referenceRange: [{ low: amount(70, 'mg/dL'), high: amount(100, 'mg/dL') }],
      ...more,
    },
  );

function* visit(n) {
  const day = `${FIRST_YEAR + Math.floor(n / 6)}-${String((n % 6) * 2 + 1).padStart(2, '0')}-15`;
  const at = `${day}T09:00:00Z`;
  const id = `long-${n}`;
  const here = { encounter: { reference: `Encounter/${id}` } };
  yield {
    resourceType: 'Encounter',
    id,
    status: 'finished',
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB', display: 'ambulatory' },
    type: [coded('http://snomed.info/sct', '185349003', `Check-up ${n}`)],
    subject,
    period: { start: at, end: `${day}T09:30:00Z` },
    reasonCode: [{ text: n % 2 ? 'Cough' : 'Hypertension' }],
  };
  yield result(`${id}-w`, at, 'vital-signs', loinc('29463-7', 'Body weight'), amount(70 + (n % 9), 'kg'), here);
  yield result(`${id}-h`, at, 'vital-signs', loinc('8867-4', 'Heart rate'), amount(60 + (n % 30), '/min'), here);
  for (const k of [1, 2, 3]) yield glucose(`${id}-g${k}`, `${day}T1${k}:00:00Z`, n + k, here);
  yield {
    resourceType: 'MedicationRequest',
    id: `${id}-m`,
    status: n % 4 ? 'active' : 'stopped',
    intent: 'order',
    medicationCodeableConcept: { text: `Medicine ${n % 5}` },
    subject,
    authoredOn: at,
    ...here,
  };
  yield {
    resourceType: 'DocumentReference',
    id: `${id}-d`,
    status: 'current',
    type: loinc('11506-3', 'Progress note'),
    subject,
    date: at,
    content: [{ attachment: { contentType: 'text/plain', data: 'V2VsbC4=' } }],
    context: { encounter: [{ reference: `Encounter/${id}` }] },
  };
  yield {
    resourceType: 'Condition',
    id: `${id}-c`,
    clinicalStatus: coded('http://terminology.hl7.org/CodeSystem/condition-clinical', 'active', 'Active'),
    verificationStatus: coded('http://terminology.hl7.org/CodeSystem/condition-ver-status', 'confirmed', 'Confirmed'),
    category: [coded('http://terminology.hl7.org/CodeSystem/condition-category', 'encounter-diagnosis', 'Diagnosis')],
    code: { text: `Complaint ${n % 7}` },
    subject,
    recordedDate: day,
    ...here,
  };
  yield {
    resourceType: 'Procedure',
    id: `${id}-p`,
    status: 'completed',
    code: coded('http://snomed.info/sct', '5880005', 'Physical examination'),
    subject,
    performedDateTime: at,
    ...here,
  };
}

function* records() {
  for (let n = 0; n < VISITS; n++) yield* visit(n);
  const stay = { encounter: { reference: `Encounter/long-${STAY}` } };
  for (let n = 0; n < 300; n++) {
    yield glucose(`stay-${n}`, `2007-01-${15 + Math.floor(n / 30)}T${10 + (n % 12)}:00:00Z`, n, stay);
    yield glucose(`day-${n}`, '2015-08-08', n);
  }
}

/// Returns the record as NDJSON, and the number of its resources.
export function longRecord() {
  const lines = [...records()].map((one) => JSON.stringify(one));
  return { text: lines.join('\n'), count: lines.length };
}

/// Returns `count` results of one patient as NDJSON.
export function longObservations(patient, count) {
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      ...result(
        `many-${i}`,
        new Date(Date.UTC(1990, 0, 1) + i * 43_200_000).toISOString(),
        'laboratory',
        loinc('4548-4', 'Hemoglobin A1c/Hemoglobin.total in Blood'),
        amount(4 + (i % 80) / 10, '%'),
        { referenceRange: [{ low: amount(4, '%'), high: amount(5.6, '%') }] },
      ),
      subject: { reference: `Patient/${patient}` },
    }),
  );
  return `${lines.join('\n')}\n`;
}
