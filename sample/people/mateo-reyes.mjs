// Mateo Reyes Galindo, 8, the elder twin by six minutes. Asthma and a peanut allergy that once needed the ambulance.
// In November 2025 he spent a night on oxygen; his sickness looks much like his brother's, on paper.

import { DOCUMENTS, stored, textNote } from '../attachments.mjs';
import { at, concept, hl7, period, plain, quantity, to } from '../build.mjs';
import { actCode, allergen, finding, icd10, loinc, problem, procedure, reaction, visitType } from '../codes.mjs';
import { interpreterNeeded } from '../demographics.mjs';
import * as directory from '../directory.mjs';
import { shared, twin } from '../households/reyes.mjs';
import { underOxygen, vitals } from '../measures.mjs';

export const person = twin('Mateo', 1, 'LB-20180614-1');

export const mateo = shared(person, {
  hour: '10:00',
  member: '2209154701',
  fev: '78.5',
  strep: finding.positive,
  measured: [
    { weight: '20.9', height: '116.0', bmi: '15.5', bmiPercentile: '54', pressure: '96/58', heartRate: '92' },
    { weight: '23.6', height: '122.4', bmi: '15.8', bmiPercentile: '55', pressure: '98/60', heartRate: '90' },
    {
      weight: '26.1',
      height: '128.3',
      bmi: '15.9',
      bmiPercentile: '52',
      pressure: '98/62',
      heartRate: '88',
      oxygen: '98',
    },
  ],
});
const { boy } = mateo;

boy.allergy('peanut', allergen.peanut, {
  type: 'allergy',
  category: ['food'],
  criticality: 'high',
  onsetDateTime: '2020-04-11',
  recordedDate: '2020-04-14',
  recorder: to(directory.haddad),
  reaction: [
    {
      manifestation: [concept(reaction.anaphylaxis), concept(reaction.hives)],
      severity: 'severe',
      onset: '2020-04-11',
    },
  ],
});

// ── The night of 14 November ──────────────────────────────────────────────────────────────────────────────────────

export const night = boy.visit(
  '2025-11-14-emergency',
  visitType.emergency,
  period(at('2025-11-14', '21:05'), at('2025-11-15', '07:40')),
  directory.villareal,
  directory.emergencyRoom,
  {
    extension: [interpreterNeeded(finding.yes)],
    kind: actCode.emergency,
    reasonCode: [concept('Short of breath')],
    reasonReference: [{ reference: 'Condition/mateo-asthma-attack' }],
    hospitalization: { dischargeDisposition: hl7('discharge-disposition', 'home', 'Home') },
  },
);
const attack = boy.diagnosis('asthma-attack', [icd10.asthmaExacerbation, problem.asthmaExacerbation], {
  clinical: 'resolved',
  encounter: to(night),
  onsetDateTime: at('2025-11-14', '18:00'),
  abatementDateTime: at('2025-11-15', '06:30'),
  recordedDate: at('2025-11-14', '21:20'),
});
boy.diagnosis('strep-throat', [icd10.strepThroat, problem.strepThroat], {
  clinical: 'resolved',
  encounter: to(mateo.throatVisit),
  asserted: '2026-02-03',
  abatementDateTime: '2026-02-10',
  recordedDate: '2026-02-03',
});

vitals(
  boy,
  '2025-11-14-arrival',
  '21:09',
  { heartRate: '138', breathing: '40', temperature: '37.6' },
  { encounter: to(night) },
);
vitals(
  boy,
  '2025-11-14-arrival',
  '21:09',
  { oxygen: '89' },
  {
    encounter: to(night),
    interpretation: [hl7('v3-ObservationInterpretation', 'L', 'Low')],
  },
);
vitals(boy, '2025-11-14-on-oxygen', '21:30', { oxygen: '95' }, { encounter: to(night), ...underOxygen('4', '36') });
vitals(
  boy,
  '2025-11-15-morning',
  '06:45',
  { oxygen: '97', heartRate: '104', breathing: '24' },
  { encounter: to(night) },
);
const nebulizerOrder = boy.request('nebulizer', 'Treatment', procedure.nebulizer, {
  status: 'completed',
  encounter: to(night),
  occurrenceDateTime: at('2025-11-14', '21:15'),
  authoredOn: at('2025-11-14', '21:12'),
  requester: to(directory.villareal),
  reasonReference: [to(attack)],
});
boy.procedure('nebulizer', procedure.nebulizer, {
  basedOn: [to(nebulizerOrder)],
  performedDateTime: at('2025-11-14', '21:20'),
  encounter: to(night),
  reasonCode: [concept(icd10.asthmaExacerbation)],
});
boy.procedure('oxygen', procedure.oxygen, {
  performedPeriod: period(at('2025-11-14', '21:15'), at('2025-11-15', '05:10')),
  encounter: to(night),
});

const filmUrl = `${DOCUMENTS}/mateo-reyes/chest.pdf`;
boy.noteReport('chest-film', loinc.radiology, loinc.chestXray, {
  encounter: to(night),
  effectiveDateTime: at('2025-11-14', '22:05'),
  issued: at('2025-11-14', '22:40:00'),
  performer: [to(directory.demir), to(directory.lakeshore)],
  presentedForm: [{ contentType: 'application/pdf', url: filmUrl }],
  conclusion: 'Lungs overfilled, no pneumonia.',
});
boy.document('chest-film', loinc.imagingStudy, stored('application/pdf', filmUrl), {
  date: at('2025-11-14', '22:40'),
  author: [to(directory.demir)],
  custodian: to(directory.lakeshore),
  visit: night,
});
boy.document(
  'discharge',
  loinc.dischargeSummary,
  textNote(`
  Mateo (not his brother Matías) came in at nine with an attack that began at supper. Three treatments, oxygen until five.
  Slept after that. Home with syrup for four days. Preventer every day, also when he is well.
`),
  {
    date: at('2025-11-15', '07:35'),
    author: [to(directory.villareal)],
    custodian: to(directory.lakeshore),
    visit: night,
  },
);

const syrup = boy.prescription('prednisolone', 'Prednisolone 15 mg/5 mL oral solution', {
  status: 'completed',
  setting: 'discharge',
  encounter: to(night),
  authoredOn: at('2025-11-15', '07:30'),
  requester: to(directory.villareal),
  reportedBoolean: false,
  reasonReference: [to(attack)],
  dosageInstruction: [
    {
      text: '8 mL once a day for four days',
      timing: { repeat: { boundsDuration: quantity('4', 'days', 'd'), frequency: 1, period: 1, periodUnit: 'd' } },
      doseAndRate: [{ doseQuantity: quantity('8', 'mL') }],
    },
  ],
  dispenseRequest: { numberOfRepeatsAllowed: 0, quantity: quantity('32', 'mL') },
});
boy.dispense('prednisolone-2025-11-15', syrup, actCode.firstFill, at('2025-11-15', '09:50'), {
  context: to(night),
  performer: [{ actor: to(directory.stillwater) }],
});

// ── The household ─────────────────────────────────────────────────────────────────────────────────────────────────

const household = plain('Group', 'reyes-household', {
  active: true,
  type: 'person',
  actual: true,
  name: 'Reyes Galindo household',
  quantity: 2,
  member: [{ entity: { reference: 'Patient/mateo-reyes' } }, { entity: { reference: 'Patient/matias-reyes' } }],
});
/** An observation about the flat. Its subject is the household, so it is in no patient's chart. */
const damp = plain('Observation', 'reyes-household-damp', {
  status: 'final',
  code: concept('Damp and mold seen at home visit'),
  subject: to(household),
  effectiveDateTime: '2025-12-04',
  performer: [to(directory.oreilly)],
  valueString: 'Black mold around the bedroom window. Landlord informed.',
});

boy.signed(at('2026-09-30', '22:00:03.000'), directory.haddad, directory.littleBirch, directory.threeRivers);

export default [boy.records, household, damp];
