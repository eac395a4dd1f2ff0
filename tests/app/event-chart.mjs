// A made-up chart with adverse events, an imaging study with its report, and pictures.

import { PIXEL } from './document-files.mjs';
import { person } from './own-files.mjs';

const subject = { reference: 'Patient/ada' };
const concept = (text) => ({ text });
const DCM = 'http://dicom.nema.org/resources/ontology/DCM';
const SNOMED = 'http://snomed.info/sct';

const PATIENT = { ...person('ada', 'Lovelace'), birthDate: '1985-12-10' };

const adverseEvent = (id, name, more) => ({ resourceType: 'AdverseEvent', id, subject, event: concept(name), ...more });

const EVENTS = [
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

const AMOXICILLIN = {
  resourceType: 'MedicationStatement',
  id: 'amox',
  subject,
  status: 'completed',
  medicationCodeableConcept: concept('Amoxicillin 500 mg'),
  effectivePeriod: { start: '2024-05-06', end: '2024-05-06' },
};

const STUDY = {
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

const REPORTS = [
  {
    resourceType: 'DiagnosticReport',
    id: 'mri',
    subject,
    status: 'final',
    code: concept('MRI report'),
    effectiveDateTime: '2025-08-09',
    conclusion: 'Torn meniscus of the left knee.',
    imagingStudy: [{ reference: 'ImagingStudy/knees' }],
    media: [
      { comment: 'The tear, sagittal', link: { reference: 'Media/tear' } },
      { link: { reference: 'Media/none' } },
    ],
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
const MEDIA = [
  media('tear', { createdDateTime: '2025-08-08', content: { contentType: 'image/png', data: PIXEL } }),
  media('wound', {
    createdDateTime: '2025-09-09',
    bodySite: concept('Left heel'),
    note: [{ text: 'Wound at day 3, clean' }],
    content: { contentType: 'image/png', url: '#b', title: 'Wound' },
    contained: [{ resourceType: 'Binary', id: 'b', contentType: 'image/png', data: PIXEL }],
  }),
  media('video', {
    createdDateTime: '2025-09-10',
    content: { contentType: 'video/mp4', url: 'Binary/video', title: 'Gait' },
  }),
];

export const ADVERSE_CHART = [PATIENT, ...EVENTS, AMOXICILLIN, STUDY, ...REPORTS, ...MEDIA];
