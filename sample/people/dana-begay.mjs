// Dana Begay, 59, science teacher, came from Arizona in 2019. Breast cancer in 2021; in remission since the spring of
// 2022. Her arm swells again and again: the same trouble, back. Pathology, bone density, an error on the problem list
// that was struck out.

import { DOCUMENTS, pdfNote, stored, textNote } from '../attachments.mjs';
import { adherence, at, chart, concept, dosage, hl7, narrative, period, quantity, to } from '../build.mjs';
import * as codes from '../codes.mjs';
import * as demographics from '../demographics.mjs';
import {
  benAmi,
  benAmiRole,
  clinic,
  gateway,
  juniperHill,
  lakeshore,
  lindholm,
  lindholmRole,
  mapleRidge,
  outpatients,
  raman,
  stillwater,
  threeRivers,
} from '../directory.mjs';
import { labs, named, vitals } from '../measures.mjs';
import { membership, neighborhood } from '../membership.mjs';

export const person = demographics.patient('dana-begay', {
  extension: [
    demographics.race('American Indian; Navajo', [codes.race.americanIndian], [codes.race.navajo]),
    demographics.notHispanic,
    demographics.tribalAffiliation(codes.tribe.navajo, true),
    ...demographics.female,
  ],
  identifier: [demographics.mrn(juniperHill, 'JH-002207')],
  name: [{ use: 'official', text: 'Dana Rose Begay', family: 'Begay', given: ['Dana', 'Rose'] }],
  telecom: [demographics.phone('802-555-0151', 'mobile'), demographics.email('dana.begay@mail.example.org')],
  gender: 'female',
  birthDate: '1966-11-30',
  address: [
    demographics.home('6 Larch Street', 'Burlington', '05401', { start: '2019-07-01' }),
    {
      use: 'old',
      line: ['Route 12, Mile 4'],
      city: 'Window Rock',
      state: 'AZ',
      postalCode: '86515',
      country: 'US',
      period: { end: '2019-06-30' },
    },
  ],
  communication: demographics.speaks(codes.language.english, codes.language.navajo),
  generalPractitioner: [to(lindholm)],
  managingOrganization: to(juniperHill),
});

const dana = chart(person, 'dana');

membership(dana, neighborhood, ['SCHOOLS-4', 'Lake County Schools'], '7713092601', period('2019-08-01'));

// ── Visits ────────────────────────────────────────────────────────────────────────────────────────────────────────

const lumpVisit = dana.visit('2021-03-09-lump', codes.visitType.symptom, '16:00-16:30', lindholm, clinic, {
  reasonCode: [concept('Lump in the left breast')],
});
const surgery = dana.visit(
  '2021-04-13-surgery',
  codes.visitType.admission,
  period(at('2021-04-13', '06:45'), at('2021-04-14', '11:00')),
  benAmi,
  outpatients,
  {
    kind: codes.actCode.inpatient,
    reasonReference: [{ reference: 'Condition/dana-breast-cancer' }],
    hospitalization: { dischargeDisposition: hl7('discharge-disposition', 'home', 'Home') },
  },
);
const armVisit = dana.visit('2026-03-17-arm', codes.visitType.followUp, '09:20-09:50', lindholm, clinic, {
  reasonReference: [{ reference: 'Condition/dana-lymphedema' }],
});
const yearly = dana.visit('2026-04-14-oncology', codes.visitType.followUp, '10:00-10:30', benAmi, outpatients, {
  reasonReference: [{ reference: 'Condition/dana-breast-cancer' }],
});

const cancer = dana.problem('breast-cancer', [codes.problem.breastCancer, codes.icd10.breastCancer], {
  clinical: 'remission',
  asserted: '2021-03-23',
  onsetDateTime: '2021-03-09',
  abatementDateTime: '2022-04-12',
  recordedDate: '2021-03-23',
  recorder: to(benAmi),
});
const arm = dana.problem('lymphedema', [codes.problem.lymphedema, 'Swelling of the left arm'], {
  clinical: 'recurrence',
  asserted: '2026-03-17',
  onsetDateTime: '2021-09',
  recordedDate: '2026-03-17',
});
const bones = dana.problem('osteopenia', codes.problem.osteopenia, {
  onsetDateTime: '2024-05-07',
  recordedDate: '2024-05-10',
});
/** Meant for another chart, and marked as an error the same day. An error must have no clinical status. */
const mistaken = dana.problem('mistaken-diabetes', codes.problem.type2Diabetes, {
  clinical: null,
  verification: 'entered-in-error',
  recordedDate: '2023-09-19',
});
const lump = dana.diagnosis('lump', 'Lump in the left breast', {
  verification: 'differential',
  clinical: null,
  encounter: to(lumpVisit),
  recordedDate: '2021-03-09',
});

dana.allergy('aspirin', codes.rxnorm.aspirin, {
  category: ['medication'],
  onsetAge: quantity('19', 'years', 'a'),
  recordedDate: '2019-07-16',
  reaction: [{ manifestation: [concept(codes.reaction.hives)] }],
});

// ── Finding out ───────────────────────────────────────────────────────────────────────────────────────────────────

const biopsyOrder = dana.request('biopsy', codes.requestCategory.surgical, codes.procedure.breastBiopsy, {
  status: 'completed',
  encounter: to(lumpVisit),
  occurrenceDateTime: '2021-03-16',
  authoredOn: at('2021-03-09', '16:30'),
  requester: to(lindholm),
  reasonReference: [to(lump)],
});
dana.procedure('biopsy', codes.procedure.breastBiopsy, {
  basedOn: [to(biopsyOrder)],
  performedDateTime: at('2021-03-16', '08:30'),
  performer: [{ actor: to(benAmi) }],
});
const tissue = dana.specimen('biopsy', codes.specimenType.tissue, at('2021-03-16', '08:40'), {
  processing: [{ description: 'Fixed in formalin' }],
});
const receptors = dana.lab('receptors', 'Estrogen receptor, immune stain', {
  effectiveDateTime: at('2021-03-16', '08:40'),
  issued: at('2021-03-22', '17:05:00'),
  performer: [to(raman)],
  specimen: to(tissue),
  valueString: 'Positive in about 90 % of cells, strong',
});
const pathologyUrl = `${DOCUMENTS}/dana-begay/pathology.pdf`;
dana.noteReport('pathology', codes.loinc.pathology, codes.loinc.pathologyStudy, {
  effectiveDateTime: at('2021-03-16', '08:40'),
  issued: at('2021-03-22', '17:10:00'),
  performer: [to(raman), to(mapleRidge)],
  result: [to(receptors)],
  specimen: [to(tissue)],
  encounter: to(lumpVisit),
  presentedForm: [{ contentType: 'application/pdf', url: pathologyUrl }],
  conclusion: 'Invasive ductal carcinoma, 14 mm, grade 2, hormone sensitive.',
});
dana.procedure(
  'lumpectomy',
  [codes.procedure.lumpectomy, codes.cpt.lumpectomy, 'Lumpectomy, left, with clear margins'],
  {
    performedDateTime: at('2021-04-13', '08:10'),
    encounter: to(surgery),
    performer: [{ actor: to(benAmi) }],
    reasonReference: [to(cancer)],
  },
);
dana.procedure('radiation', codes.procedure.radiotherapy, {
  performedPeriod: period('2021-06-01', '2021-07-02'),
  reasonReference: [to(cancer)],
});

const blood = labs(
  dana,
  '2026-04-14',
  '09:30',
  { hemoglobin: '13.1', whiteCells: '5.20', platelets: '208' },
  {
    issued: at('2026-04-14', '14:30:00'),
    performer: [to(mapleRidge)],
  },
);
dana.labReport(
  '2026-04-14-blood-count',
  codes.loinc.bloodCount,
  named(blood, 'hemoglobin', 'white-cells', 'platelets'),
  {
    effectiveDateTime: at('2026-04-14', '09:30'),
    issued: at('2026-04-14', '14:30:00'),
    performer: [to(raman)],
  },
);
dana.result('hip-density', codes.observationCategory.imaging, codes.loinc.hipBoneDensity, {
  effectiveDateTime: '2024-05-07',
  performer: [to(lakeshore)],
  valueQuantity: quantity('0.811', 'g/cm2'),
});
dana.survey('ecog', codes.screening.functional, codes.loinc.ecog, {
  effectiveDateTime: at('2026-04-14', '10:05'),
  performer: [to(benAmi)],
  encounter: to(yearly),
  valueQuantity: quantity('0', '{score}'),
});
dana.simple('arm-girth', codes.observationCategory.exam, 'Left forearm, 10 cm below the elbow', {
  effectiveDateTime: at('2026-03-17', '09:30'),
  performer: [to(lindholm)],
  encounter: to(armVisit),
  valueQuantity: quantity('27.50', 'cm'),
});
dana.simple('wears-sleeve', codes.observationCategory.exam, 'Wears the compression sleeve', {
  effectiveDateTime: at('2026-03-17', '09:31'),
  performer: [to(person)],
  encounter: to(armVisit),
  valueBoolean: true,
});
vitals(
  dana,
  '2026-03-17',
  '09:22',
  { pressure: '122/74', heartRate: '68', weight: '68.2', height: '162.0', bmi: '26.0' },
  { encounter: to(armVisit) },
);
vitals(dana, '2026-04-14', '09:50', { pressure: '118/72', weight: '68.0' }, { encounter: to(yearly) });
dana.careExperiencePreference('examined-by-women', {
  effectiveDateTime: at('2021-03-09', '16:05'),
  encounter: to(lumpVisit),
  performer: [to(person)],
  valueCodeableConcept: concept('Wishes to be examined by women'),
});
dana.social('us-core-smokingstatus', 'smoking', codes.loinc.smoking, {
  effectiveDateTime: '2019-07-16',
  valueCodeableConcept: concept(codes.finding.neverSmoked),
});

// ── Staying well ──────────────────────────────────────────────────────────────────────────────────────────────────

const anastrozole = dana.prescription('anastrozole', codes.rxnorm.anastrozole1, {
  extension: [adherence(codes.finding.takesAsPrescribed, at('2026-04-14', '10:06'), codes.role.patient)],
  encounter: to(yearly),
  authoredOn: at('2026-04-14', '10:28'),
  requester: to(benAmi),
  reportedBoolean: false,
  reasonReference: [to(cancer)],
  dosageInstruction: dosage('One tablet a day, until spring 2027', { frequency: 1 }, quantity('1', 'tablet', '{tbl}')),
  dispenseRequest: { numberOfRepeatsAllowed: 3, quantity: quantity('90', 'tablet', '{tbl}') },
});
dana.dispense('anastrozole-2026-07-13', anastrozole, codes.actCode.refill, at('2026-07-13', '17:45'), {
  performer: [{ actor: to(stillwater) }],
});
dana.request('arm-therapy', codes.screening.functional, 'Lymph drainage, ten sessions', {
  encounter: to(armVisit),
  occurrencePeriod: period('2026-03-23', '2026-11-30'),
  authoredOn: at('2026-03-17', '09:50'),
  requester: to(lindholm),
  reasonReference: [to(arm)],
});
dana.vaccine('flu-2025', codes.cvx.influenzaTrivalent, '2025-10-07');
dana.vaccine('pcv', codes.cvx.pcv20, at('2024-10-08', '16:10'));
/** Recorded in Window Rock, in mountain time. */
dana.vaccine('tdap', codes.cvx.tdap, '2018-08-20T08:15:00-06:00', {
  primarySource: false,
  reportOrigin: hl7('immunization-origin', 'record', 'Written Record'),
});
dana.goal('arm', 'Left arm no thicker than 26 cm', {
  startDate: '2026-03-17',
  target: [{ dueDate: '2026-12-15' }],
  addresses: [to(arm)],
});
dana.other('MedicationStatement', 'vitamin-d', 'active', {
  medicationCodeableConcept: concept(codes.rxnorm.vitaminD, 'Vitamin D3, 1000 units'),
  effectivePeriod: period('2024-05-10'),
  informationSource: to(person),
  reasonReference: [to(bones)],
  dosage: dosage('One tablet in the morning', { frequency: 1 }, quantity('1', 'tablet', '{tbl}')),
});
dana.other('DeviceUseStatement', 'sleeve', 'active', {
  contained: [{ resourceType: 'Device', id: 'sleeve', type: concept('Compression sleeve') }],
  timingPeriod: period('2021-10'),
  source: to(person),
  device: { reference: '#sleeve' },
  reasonReference: [to(arm)],
  bodySite: concept('Left arm'),
});
dana.other('Flag', 'left-arm', 'active', {
  category: [hl7('flag-category', 'safety', 'Safety')],
  code: concept('Left arm: no blood pressure, no needles'),
  period: period('2021-04-14'),
  author: to(benAmi),
});
dana.other('Consent', 'advance-directive', 'active', {
  subject: undefined,
  patient: to(person),
  scope: hl7('consentscope', 'adr', 'Advanced Care Directive'),
  category: [hl7('consentcategorycodes', 'acd', 'Advance Directive')],
  dateTime: at('2021-04-06', '15:10'),
  organization: [to(juniperHill)],
  policyRule: concept('Vermont advance directive for health care'),
  provision: { type: 'deny', code: [concept('Life support without hope of recovery')] },
});
const letter = dana.other('Composition', 'after-treatment', 'final', {
  type: concept(codes.loinc.summaryOfCare),
  date: at('2022-04-12', '15:00'),
  author: [to(benAmi)],
  title: 'Summary of treatment',
  section: [
    {
      title: 'Course',
      text: { status: 'additional', div: narrative('Left breast', ['Lumpectomy in April.', 'Radiation in June.']) },
    },
  ],
});
const team = dana.careTeam(
  'cancer-team',
  [
    [codes.role.primaryCare, lindholmRole],
    [codes.role.physician, benAmiRole],
    [codes.role.patient, person],
  ],
  {
    name: 'After cancer',
    period: period('2021-03-23'),
  },
);
dana.carePlan(
  'after-cancer',
  'After cancer',
  [
    'Mammogram every March.',
    'Bone density every second May.',
    'Sleeve by day, drainage once a week, no blood pressure on the left arm.',
  ],
  {
    period: period('2022-04-12', '2027-04-12'),
    careTeam: [to(team)],
    supportingInfo: [to(letter)],
    contributor: [to(benAmi), to(lindholm)],
    addresses: [to(cancer), to(arm)],
  },
);
const note = (visit, more) => ({ custodian: to(juniperHill), visit, ...more });
dana.document(
  'pathology',
  codes.loinc.pathologyStudy,
  stored('application/pdf', pathologyUrl),
  note(lumpVisit, {
    date: at('2021-03-22', '17:10'),
    author: [to(raman)],
    custodian: to(mapleRidge),
  }),
);
dana.document(
  'operation',
  codes.loinc.operationNote,
  pdfNote('Operation', 'Dana Begay, 13 April 2021', 'Lump removed with a clear margin of 4 mm. Two nodes, both free.'),
  note(surgery, { author: [to(benAmi)], custodian: to(lakeshore) }),
);
dana.document(
  'arm',
  codes.loinc.progressNote,
  textNote(`
    The swelling is back, after the move of the school library. Forearm 27.5 cm. No redness, no fever.
    Sleeve every day; ten sessions of drainage.
  `),
  note(armVisit, { author: [to(lindholm)] }),
);

dana.signed(at('2026-09-30', '22:00:05.000'), lindholm, juniperHill, threeRivers, mistaken);
/** The provenance of the withdrawal names the withdrawn version. */
dana.provenance('mistake-provenance', at('2023-09-19', '17:20:00.000'), [mistaken], to(lindholm), juniperHill, {
  carrier: gateway,
  target: [{ reference: 'Condition/dana-mistaken-diabetes/_history/1' }],
  activity: hl7('v3-DataOperation', 'NULLIFY', 'nullify'),
  reason: [concept('Entered in the wrong chart')],
});

export default dana.records;
