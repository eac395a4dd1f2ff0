// A made-up document with forms that systems of several countries write: the dose of a whole plan in an extension, an
// examination in SNOMED CT, a history and a recommendation as observations, a form that names an allergy, a culture
// with two organisms, a result that is a local code, and an ended prescription in a section without a title.

const subject = { reference: 'Patient/ada' };
const LOINC = 'http://loinc.org';
const SNOMED = 'http://snomed.info/sct';
const concept = (system, code, display) => ({ coding: [{ system, code, ...(display && { display }) }] });
const to = (...ids) => ids.map((reference) => ({ reference }));
const observation = (id, code, more) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  subject,
  code,
  effectiveDateTime: '2026-02-03T08:00:00Z',
  ...more,
});
const lab = (id, code, more) =>
  observation(id, code, {
    category: [concept('http://terminology.hl7.org/CodeSystem/observation-category', 'laboratory')],
    ...more,
  });
const members = (...ids) => ({ hasMember: to(...ids.map((id) => `Observation/${id}`)) });
const response = (id, drug, code) =>
  lab(id, { text: drug }, { valueQuantity: { value: 4, unit: 'mg/L' }, interpretation: [{ coding: [{ code }] }] });
const part = (code, value, unit) => ({ code: concept(SNOMED, code), valueQuantity: { value, unit } });
const section = (code, ...entries) => ({ ...(code && { code: concept(LOINC, code) }), entry: to(...entries) });

/// The records, the document first.
export const ABROAD = [
  {
    resourceType: 'Composition',
    id: 'report',
    status: 'final',
    type: concept(LOINC, '53576-5'),
    title: 'Relazione finale',
    date: '2026-02-04T09:00:00Z',
    subject,
    section: [
      section('11329-0', 'Observation/history'),
      section('80615-8', 'Observation/advice'),
      section(undefined, 'MedicationRequest/over', 'Observation/local'),
    ],
  },
  {
    resourceType: 'MedicationRequest',
    id: 'plan',
    status: 'active',
    intent: 'order',
    subject,
    authoredOn: '2026-02-01',
    medicationCodeableConcept: { text: 'Metexat Tbl 10mg' },
    extension: [
      {
        url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-MedicationRequest.renderedDosageInstruction',
        valueMarkdown: 'alle 8 Tage: je 1 Stück',
      },
    ],
    dosageInstruction: [
      {
        timing: { repeat: { frequency: 1, period: 8, periodUnit: 'd' } },
        doseAndRate: [{ doseQuantity: { unit: 'Stück', code: '{Stueck}' } }],
      },
    ],
  },
  observation('history', concept(LOINC, '11329-0', 'History general'), { valueString: 'Scompenso cardiaco HFrEF' }),
  observation('advice', concept(LOINC, '80615-8', 'Recommended follow-up'), { valueString: 'Eco tra 3 mesi' }),
  observation('examination', concept(SNOMED, '363788007', 'Examination observable'), {
    component: [part('271649006', 164, 'mmHg'), part('271650006', 97, 'mmHg'), part('78564009', 78, 'bpm')],
  }),
  {
    resourceType: 'QuestionnaireResponse',
    id: 'form',
    status: 'completed',
    subject,
    authored: '2026-02-02',
    item: [
      {
        linkId: 'a',
        text: 'Medication allergies?',
        answer: [{ valueCoding: { system: SNOMED, code: '373066001', display: 'Yes' } }],
      },
      {
        linkId: 'b',
        text: 'If so, which?',
        answer: [{ valueCoding: { system: SNOMED, code: '91931000', display: 'Allergy to erythromycin' } }],
      },
    ],
  },
  lab('culture', { text: 'Emocoltura' }, members('staph', 'kleb')),
  lab('staph', { text: 'Organism' }, { valueCodeableConcept: { text: 'Staphylococcus aureus' }, ...members('s1') }),
  lab('kleb', { text: 'Organism' }, { valueCodeableConcept: { text: 'Klebsiella oxytoca' }, ...members('k1') }),
  response('s1', 'Gentamicin', 'S'),
  response('k1', 'Gentamicin', 'R'),
  {
    resourceType: 'DiagnosticReport',
    id: 'micro',
    status: 'final',
    subject,
    code: { text: 'Emocoltura' },
    effectiveDateTime: '2026-02-03',
    result: to('Observation/culture'),
  },
  lab(
    'local',
    { text: 'Sorologia' },
    { valueCodeableConcept: concept('http://saude.example/CodeSystem/BRResultado', '3') },
  ),
  {
    resourceType: 'MedicationRequest',
    id: 'over',
    status: 'completed',
    intent: 'order',
    subject,
    authoredOn: '2022-03-04',
    medicationCodeableConcept: { text: 'Dipirona' },
  },
];
