// A made-up chart with contradictory allergies, alerts, a family, wishes, and types without a section.

const SNOMED = 'http://snomed.info/sct';

const subject = { reference: 'Patient/cert' };
const concept = (text, code, system = SNOMED) => ({ text, ...(code ? { coding: [{ system, code }] } : {}) });
const allergy = (id, more) => ({ resourceType: 'AllergyIntolerance', id, patient: subject, ...more });

export const CERTAIN_CHART = [
  { resourceType: 'Patient', id: 'cert', name: [{ family: 'Quill', given: ['Vera'] }], birthDate: '1961-03-02' },
  allergy('latex', {
    clinicalStatus: { coding: [{ code: 'active' }] },
    verificationStatus: { coding: [{ code: 'unconfirmed' }] },
    criticality: 'high',
    category: ['environment'],
    type: 'allergy',
    onsetString: 'in childhood',
    asserter: { display: 'The patient’s mother' },
    reaction: [
      {
        substance: concept('Latex glove'),
        manifestation: [concept('Urticaria')],
        severity: 'severe',
        exposureRoute: concept('Skin contact'),
      },
    ],
  }),
  allergy('venom', {
    code: concept('Bee venom'),
    reaction: [{ manifestation: [concept('Dizziness')], severity: 'severe' }],
  }),
  allergy('nuts', { code: concept('Hazelnut'), category: ['food'], recordedDate: '2024-05-01' }),
  allergy('none', { code: concept('None', '716186003'), recordedDate: '2019-02-03' }),
  allergy('no-drug', { code: concept('NKDA', '409137002'), recordedDate: '2020-02-03' }),
  allergy('egg', { code: concept('Egg'), verificationStatus: { coding: [{ code: 'refuted' }] } }),
  {
    resourceType: 'Flag',
    id: 'fall',
    subject,
    status: 'active',
    category: [concept('Safety')],
    code: concept('High risk of falls'),
    period: { start: '2025-01-01' },
  },
  { resourceType: 'Flag', id: 'mrsa', subject, status: 'inactive', code: concept('MRSA carrier') },
  {
    resourceType: 'FamilyMemberHistory',
    id: 'mother',
    patient: subject,
    status: 'partial',
    relationship: concept('mother'),
    deceasedAge: { value: 61, unit: 'years' },
    condition: [
      { code: concept('Breast cancer'), onsetAge: { value: 42, unit: 'years' }, contributedToDeath: true },
      { code: concept('Asthma') },
    ],
  },
  {
    resourceType: 'Consent',
    id: 'dnr',
    patient: subject,
    status: 'active',
    scope: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/consentscope', code: 'adr' }] },
    category: [{ ...concept('Do not resuscitate'), coding: [{ code: 'dnr' }] }],
    dateTime: '2025-05-05',
    policyRule: concept('State law'),
  },
  {
    resourceType: 'NutritionOrder',
    id: 'diet',
    patient: subject,
    status: 'active',
    intent: 'order',
    dateTime: '2025-06-06',
    oralDiet: { type: [concept('Dysphagia diet')], fluidConsistencyType: [concept('Honey thick liquid')] },
    excludeFoodModifier: [concept('Nuts')],
  },
  {
    resourceType: 'RiskAssessment',
    id: 'risk',
    subject,
    status: 'preliminary',
    occurrenceDateTime: '2025-07-07',
    prediction: [{ outcome: concept('Heart attack'), probabilityDecimal: 0.02 }],
  },
  {
    resourceType: 'ImagingStudy',
    id: 'ct',
    subject,
    status: 'available',
    started: '2025-08-08',
    description: 'CT of the chest',
    modality: [{ system: 'http://dicom.nema.org/resources/ontology/DCM', code: 'CT' }],
  },
  {
    resourceType: 'Claim',
    id: 'claim',
    patient: subject,
    status: 'active',
    use: 'claim',
    created: '2025-09-09',
    type: concept('Institutional'),
    insurance: [],
  },
];
