// A made-up chart with adverse events, imaging studies, pictures, and documents of the patient and of another person.

import { PIXEL } from './document-files.mjs';

const subject = { reference: 'Patient/ada' };
const concept = (text) => ({ text });
const base64 = (content) => Buffer.from(content).toString('base64');
const DCM = 'http://dicom.nema.org/resources/ontology/DCM';
const SNOMED = 'http://snomed.info/sct';

/// A PDF of one page, which the viewer of a browser shows.
export const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 55>>stream
BT /F1 24 Tf 20 200 Td (Discharge letter) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`;

export const PATIENT = {
  resourceType: 'Patient',
  id: 'ada',
  name: [{ family: 'Lovelace', given: ['Ada'] }],
  gender: 'female',
  birthDate: '1985-12-10',
};

const adverseEvent = (id, name, more) => ({ resourceType: 'AdverseEvent', id, subject, event: concept(name), ...more });

export const EVENTS = [
  adverseEvent('shock', 'Anaphylactic shock', {
    actuality: 'actual',
    date: '2024-05-06',
    seriousness: { coding: [{ code: 'SeriousIsLifeThreatening' }] },
    severity: { coding: [{ code: 'severe' }] },
    outcome: { coding: [{ code: 'resolved' }] },
    suspectEntity: [
      { instance: { reference: 'MedicationStatement/amox' }, causality: [{ assessment: concept('probable') }] },
    ],
    resultingCondition: [{ display: 'Hypoxia' }],
    recorder: { display: 'Dr. Mary Somerville' },
  }),
  adverseEvent('mix-up', 'Wrong strength was prepared', {
    actuality: 'potential',
    date: '2025-01-02',
    seriousness: { coding: [{ code: 'Serious' }] },
    suspectEntity: [{ instance: { reference: '#potassium' } }],
    contained: [{ resourceType: 'Substance', id: 'potassium', code: concept('Potassium chloride') }],
  }),
  adverseEvent('rash', 'Rash', { actuality: 'actual', date: '2025-03-04', severity: { coding: [{ code: 'mild' }] } }),
];

export const AMOXICILLIN = {
  resourceType: 'MedicationStatement',
  id: 'amox',
  subject,
  status: 'completed',
  medicationCodeableConcept: concept('Amoxicillin 500 mg'),
  effectivePeriod: { start: '2024-05-06', end: '2024-05-06' },
};

export const STUDY = {
  resourceType: 'ImagingStudy',
  id: 'knees',
  subject,
  status: 'available',
  started: '2025-08-08',
  description: 'MRI of both knees',
  modality: [{ system: DCM, code: 'MR' }],
  numberOfSeries: 2,
  numberOfInstances: 148,
  reasonCode: [concept('Pain after a fall')],
  series: [
    { bodySite: { display: 'Knee' }, laterality: { system: SNOMED, code: '7771000', display: 'Left' } },
    { bodySite: { display: 'Knee' }, laterality: { system: SNOMED, code: '24028007', display: 'Right' } },
  ],
};

export const REPORTS = [
  {
    resourceType: 'DiagnosticReport',
    id: 'mri',
    subject,
    status: 'final',
    code: concept('MRI report'),
    effectiveDateTime: '2025-08-09',
    conclusion: 'Torn meniscus of the left knee.',
    imagingStudy: [{ reference: 'ImagingStudy/knees' }],
    media: [{ comment: 'The tear, sagittal', link: { reference: 'Media/tear' } }, { link: { reference: 'Media/none' } }],
    result: [{ reference: '#effusion' }],
    contained: [
      {
        resourceType: 'Observation',
        id: 'effusion',
        status: 'final',
        code: concept('Effusion'),
        valueString: 'Small',
      },
    ],
  },
];

const media = (id, more) => ({ resourceType: 'Media', id, subject, status: 'completed', ...more });
export const MEDIA = [
  media('tear', { createdDateTime: '2025-08-08', content: { contentType: 'image/png', data: PIXEL } }),
  media('wound', {
    createdDateTime: '2025-09-09',
    bodySite: concept('Left heel'),
    note: [{ text: 'Wound at day 3, clean' }],
    content: { contentType: 'image/png', url: '#b', title: 'Wound' },
    contained: [{ resourceType: 'Binary', id: 'b', contentType: 'image/png', data: PIXEL }],
  }),
  media('video', { createdDateTime: '2025-09-10', content: { contentType: 'video/mp4', url: 'Binary/video', title: 'Gait' } }),
];

export const documentOf = (name, attachment, more = {}) => ({
  resourceType: 'DocumentReference',
  id: name.replaceAll(' ', '-'),
  status: 'current',
  type: concept(name),
  subject,
  date: '2026-03-05T10:00:00Z',
  content: [{ attachment }],
  ...more,
});

/// The content of an attachment within its record.
export const inside = (contentType, content) => ({
  contained: [{ resourceType: 'Binary', id: 'x', contentType, data: base64(content) }],
});
