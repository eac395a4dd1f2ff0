// Amara Okafor, 62, was a nursing assistant who walked from house to house until she retired last winter. Type 2
// diabetes since 2013, then blood pressure, eyes, a foot that healed, kidneys that need watching. She keeps every
// letter. The richest chart of the sample: nine years of laboratory results, and the patient behind the patient login.

import { DOCUMENTS, pdf, pdfNote, stored, textNote, webNote } from '../attachments.mjs';
import { at, chart, concept, dosage, hl7, missing, period, plain, quantity, to } from '../build.mjs';
import * as codes from '../codes.mjs';
import { email, female, home, mrn, notHispanic, official, patient, phone, race, speaks } from '../demographics.mjs';
import {
  achterberg,
  blackwood,
  boateng,
  boatengRole,
  clinic,
  emergencyRoom,
  empagliflozin,
  gateway,
  juniperHill,
  lakeshore,
  lindholm,
  lindholmRole,
  mapleRidge,
  oreilly,
  outpatients,
  raman,
  stillwater,
  threeRivers,
  villareal,
} from '../directory.mjs';
import { laboratory } from '../laboratory/amara-okafor.mjs';
import { analytes, labs, vitals } from '../measures.mjs';
import { membership, openChoice } from '../membership.mjs';

export const person = patient('amara-okafor', {
  extension: [race('Black or African American', [codes.race.black], [codes.race.african]), notHispanic, ...female],
  identifier: [mrn(juniperHill, 'JH-001964'), mrn(lakeshore, 'LG 77 20 41')],
  name: [
    official('Amara Chidinma Okafor', { period: { start: '1991-06-15' } }),
    official('Amara Chidinma Eze', { use: 'old', period: { start: '1964-08-19', end: '1991-06-15' } }),
  ],
  telecom: [phone('802-555-0101', 'home'), phone('802-555-0102', 'mobile'), email('amara.okafor@mail.example.org')],
  gender: 'female',
  birthDate: '1964-08-19',
  address: [
    home('18 Cloverleaf Court', 'Burlington', '05408', { start: '2016-05-14' }),
    {
      use: 'old',
      line: ['402 Dorset Avenue', 'Apartment 3'],
      city: 'Springfield',
      state: 'MA',
      postalCode: '01108',
      country: 'US',
      period: { start: '1991', end: '2016-05-13' },
    },
  ],
  maritalStatus: hl7('v3-MaritalStatus', 'M', 'Married'),
  communication: speaks(codes.language.english, codes.language.igbo),
  generalPractitioner: [to(lindholm)],
  managingOrganization: to(juniperHill),
});

const amara = chart(person, 'amara');

// ── Family and cover ──────────────────────────────────────────────────────────────────────────────────────────────

amara.relative('chike-okafor', {
  relationship: [concept(codes.relationship.husband)],
  name: [{ use: 'official', family: 'Okafor', given: ['Chike'], text: 'Chike Okafor' }],
  telecom: [phone('802-555-0103', 'mobile')],
  address: [home('18 Cloverleaf Court', 'Burlington', '05408')],
  gender: 'male',
});
const ada = amara.relative('ada-okafor', {
  relationship: [concept(codes.relationship.daughter)],
  name: [
    {
      use: 'official',
      family: 'Okafor',
      given: ['Ada', 'Ngozi'],
      text: 'Ada Ngozi Okafor',
    },
  ],
  telecom: [phone('802-555-0104', 'mobile'), email('ada@mail.example.org')],
  address: [home('7 Sumac Lane', 'Winooski', '05404')],
  birthDate: '1993-02-08',
  period: { start: '2020-01-28' },
});

membership(
  amara,
  openChoice,
  ['GVHN-17', 'Green Valley Home Nursing, staff'],
  '4471902201',
  period('2016-07-01', '2025-12-31'),
  { slug: 'work-coverage', status: 'cancelled' },
);
membership(amara, openChoice, ['INDIVIDUAL', 'Individual'], '5180337701', period('2026-01-01'));

// ── Visits ────────────────────────────────────────────────────────────────────────────────────────────────────────

const check = (day, more) =>
  amara.visit(
    `${day}-check-up`,
    [codes.visitType.checkUp, codes.cpt.officeVisit, 'Yearly check-up'],
    '09:00-09:40',
    lindholm,
    clinic,
    { reasonCode: [concept(codes.problem.type2Diabetes)], ...more },
  );

const bronchitisVisit = amara.visit('2018-01-18-cough', codes.visitType.symptom, '11:20-11:45', lindholm, clinic, {
  reasonCode: [concept(codes.reaction.cough)],
});
const firstCheck = check('2018-05-22');
const colonoscopyVisit = amara.visit(
  '2019-10-09-colonoscopy',
  codes.visitType.consultation,
  '07:30-11:10',
  achterberg,
  outpatients,
  { reasonCode: [concept('Colorectal screening, age 55')] },
);
const footVisit = amara.visit('2020-01-28-foot', codes.visitType.symptom, '14:00-14:50', lindholm, clinic, {
  reasonReference: [{ reference: 'Condition/amara-foot-ulcer' }],
});
amara.visit('2020-05-12-foot', codes.visitType.followUp, '10:00-10:20', lindholm, clinic);
const newTabletVisit = amara.visit('2022-05-24-follow-up', codes.visitType.followUp, '08:40-09:10', lindholm, clinic);
const kidneyVisit = amara.visit(
  '2022-11-22-endocrinology',
  codes.visitType.consultation,
  '13:00-13:45',
  boateng,
  outpatients,
  { reasonReference: [{ reference: 'Condition/amara-kidney-stage-3a' }] },
);
const emergencyVisit = amara.visit(
  '2023-09-16-emergency',
  codes.visitType.emergency,
  '03:12-08:30',
  villareal,
  emergencyRoom,
  {
    kind: codes.actCode.emergency,
    reasonReference: [{ reference: 'Condition/amara-low-sugar' }],
    hospitalization: { dischargeDisposition: hl7('discharge-disposition', 'home', 'Home') },
  },
);
const check2024 = check('2024-05-21');
const check2025 = check('2025-05-20');
const check2026 = check('2026-05-19');

// ── What she has ──────────────────────────────────────────────────────────────────────────────────────────────────

const diabetes = amara.problem(
  'type-2-diabetes',
  [codes.problem.type2Diabetes, codes.icd10.diabetesWithKidney, 'Type 2 diabetes'],
  { asserted: '2013-03-19', onsetDateTime: '2013-03', recordedDate: '2016-06-07', recorder: to(lindholm) },
);
const hypertension = amara.problem('hypertension', [codes.problem.hypertension, codes.icd10.hypertension], {
  asserted: '2016-06-07',
  onsetDateTime: '2009',
  recordedDate: '2016-06-07',
  recorder: to(lindholm),
});
const lipids = amara.problem('hyperlipidemia', [codes.problem.hyperlipidemia, codes.icd10.hyperlipidemia], {
  onsetDateTime: '2013-03-19',
  recordedDate: '2016-06-07',
});
amara.problem('diabetic-kidney', codes.problem.diabeticKidney, {
  onsetDateTime: '2019-08-13',
  recordedDate: '2019-08-20',
  asserted: '2019-08-20',
});
const kidney3a = amara.problem('kidney-stage-3a', [codes.problem.kidneyStage3a, codes.icd10.kidneyStage3a], {
  onsetDateTime: '2022-08-16',
  recordedDate: at('2022-11-22', '13:40'),
  asserted: at('2022-11-22', '13:30'),
  recorder: to(boateng),
});
const eyes = amara.problem('retinopathy', codes.problem.diabeticRetinopathy, {
  onsetDateTime: '2021-06-08',
  recordedDate: '2021-06-10',
  severity: concept('Mild'),
});
const footUlcer = amara.problem('foot-ulcer', codes.problem.diabeticFootUlcer, {
  clinical: 'resolved',
  onsetDateTime: '2020-01-28',
  abatementDateTime: '2020-05-12',
  recordedDate: at('2020-01-28', '14:45'),
  asserted: '2020-01-28',
  bodySite: [concept('Ball of the left foot')],
  encounter: to(footVisit),
});
const transport = amara.concern(
  'transport',
  [codes.problem.noTransport, 'No car since the winter; the bus does not run on Sundays'],
  {
    screening: codes.screening.sdoh,
    asserted: '2025-05-20',
    onsetDateTime: '2025-01',
    recordedDate: at('2025-05-20', '09:30'),
  },
);
amara.concern('fear-of-low-sugar', 'Afraid of low sugars at night', {
  onsetString: 'since the night in the emergency room',
  recordedDate: '2023-09-26',
});
amara.diagnosis('bronchitis', [codes.icd10.bronchitis, codes.problem.bronchitis], {
  clinical: 'resolved',
  encounter: to(bronchitisVisit),
  onsetDateTime: '2018-01-14',
  abatementDateTime: '2018-02-01',
  recordedDate: '2018-01-18',
});
/** The encounter diagnosis of the night. It has no clinical status. */
amara.diagnosis('low-sugar', [codes.icd10.diabetesWithHypoglycemia, codes.problem.hypoglycemia], {
  clinical: null,
  encounter: to(emergencyVisit),
  recordedDate: at('2023-09-16', '05:05'),
});

amara.allergy('penicillin', codes.allergen.penicillin, {
  type: 'allergy',
  category: ['medication'],
  criticality: 'high',
  onsetDateTime: '1978',
  recordedDate: '2016-06-07',
  reaction: [{ manifestation: [concept(codes.reaction.hives)], severity: 'moderate' }],
});
amara.allergy('lisinopril', codes.rxnorm.lisinopril, {
  type: 'intolerance',
  category: ['medication'],
  criticality: 'low',
  onsetDateTime: '2018-03',
  recordedDate: '2018-05-22',
  recorder: to(lindholm),
  reaction: [
    {
      manifestation: [concept(codes.reaction.cough)],
      description: 'Dry cough for weeks, gone ten days after the tablet was stopped',
      severity: 'mild',
    },
  ],
});
amara.allergy('latex', codes.allergen.latex, {
  clinical: 'inactive',
  category: ['environment'],
  onsetDateTime: '1996',
  recordedDate: '2016-06-07',
  reaction: [{ manifestation: [concept(codes.reaction.itching)] }],
  note: [{ text: 'Only while she wore powdered gloves at work.' }],
});

// ── What she takes ────────────────────────────────────────────────────────────────────────────────────────────────

const tablet = (n = '1') => quantity(n, 'tablet', '{tbl}');
const supply = (tablets, refills) => ({
  numberOfRepeatsAllowed: refills,
  quantity: quantity(tablets, 'tablet', '{tbl}'),
  expectedSupplyDuration: quantity('90', 'days', 'd'),
});
const prescribed = (visit, reason) => ({
  encounter: to(visit),
  authoredOn: visit.period.end,
  requester: to(lindholm),
  reasonReference: [to(reason)],
  reportedBoolean: false,
});

const metformin = amara.prescription('metformin', codes.rxnorm.metformin1000, {
  status: 'stopped',
  ...prescribed(firstCheck, diabetes),
  dosageInstruction: dosage('One tablet with breakfast and one with supper', { frequency: 2 }, tablet()),
  dispenseRequest: supply('180', 3),
  statusReason: concept('Dose halved because of the kidneys'),
});
const metforminER = amara.prescription('metformin-er', codes.rxnorm.metforminER500, {
  ...prescribed(kidneyVisit, diabetes),
  requester: to(boateng),
  priorPrescription: to(metformin),
  dosageInstruction: dosage(undefined, { frequency: 1, when: ['CV'] }, tablet('2')),
  dispenseRequest: supply('180', 3),
});
const sugarTablet = amara.prescription('empagliflozin', empagliflozin, {
  ...prescribed(newTabletVisit, diabetes),
  reasonCode: [concept(codes.problem.type2Diabetes)],
  dosageInstruction: dosage(undefined, { frequency: 1, timeOfDay: ['08:00:00'] }, tablet()),
  dispenseRequest: supply('90', 3),
});
amara.prescription('lisinopril', codes.rxnorm.lisinopril10, {
  status: 'stopped',
  ...prescribed(bronchitisVisit, hypertension),
  statusReason: concept(codes.reaction.cough),
  dosageInstruction: dosage('One tablet every morning', { frequency: 1 }, tablet()),
  dispenseRequest: supply('90', 3),
});
const losartan = amara.prescription('losartan', codes.rxnorm.losartan50, {
  ...prescribed(firstCheck, hypertension),
  dosageInstruction: dosage('One tablet every morning', { frequency: 1 }, tablet()),
  dispenseRequest: supply('90', 3),
});
const atorvastatin = amara.prescription('atorvastatin', codes.rxnorm.atorvastatin40, {
  ...prescribed(firstCheck, lipids),
  dosageInstruction: dosage(undefined, { frequency: 1, when: ['HS'] }, tablet()),
  dispenseRequest: supply('90', 3),
});
/** The tablet that caused the night in the emergency room. */
amara.prescription('glipizide', 'Glipizide 5 mg tablet', {
  status: 'stopped',
  ...prescribed(kidneyVisit, diabetes),
  requester: to(boateng),
  statusReason: concept('Low sugar at night'),
  dosageInstruction: dosage('One tablet before supper', { frequency: 1, when: ['ACV'] }, tablet()),
  dispenseRequest: supply('90', 3),
});
/** Reported by the patient, who buys it herself. */
amara.prescription('aspirin', codes.rxnorm.aspirin81, {
  intent: 'plan',
  authoredOn: '2018-05-22',
  reportedBoolean: true,
  requester: to(person),
  encounter: to(firstCheck),
  dosageInstruction: dosage('One a day', { frequency: 1 }, tablet()),
});
/** Reported by the pharmacist, who dispensed it for the eye clinic. */
amara.prescription('eye-drops', 'Artificial tears, preservative free', {
  intent: 'plan',
  authoredOn: '2021-06-11',
  reportedReference: to(blackwood),
  dosageInstruction: [
    {
      text: 'One drop in each eye when they burn',
      asNeededBoolean: true,
    },
  ],
});
/** An insulin that was discussed but never started. The draft contains the Medication. */
amara.prescription(
  'insulin-draft',
  { resourceType: 'Medication', id: 'insulin', contained: true },
  {
    contained: [{ resourceType: 'Medication', id: 'insulin', code: concept(codes.rxnorm.glargine) }],
    status: 'draft',
    intent: 'plan',
    authoredOn: '2022-11-22',
    requester: to(boateng),
    reasonReference: [to(diabetes)],
    dosageInstruction: dosage('10 units at bedtime', { frequency: 1, when: ['HS'] }, quantity('10', 'units', '[iU]')),
  },
);

const pharmacy = { performer: [{ actor: to(stillwater) }, { actor: to(blackwood) }] };
const fill = (prescription, type, day, fields) =>
  amara.dispense(`${prescription.id.slice(6)}-${day}`, prescription, type, at(day, '16:05'), {
    ...pharmacy,
    daysSupply: quantity('90', 'days', 'd'),
    ...fields,
  });
fill(metforminER, codes.actCode.firstFill, '2022-11-23');
fill(metforminER, codes.actCode.refill, '2023-02-21');
fill(metforminER, codes.actCode.refill, '2026-06-02');
fill(sugarTablet, codes.actCode.firstFill, '2022-05-25');
fill(sugarTablet, codes.actCode.refill, '2022-08-23');
fill(sugarTablet, codes.actCode.refill, '2026-06-02');
fill(losartan, codes.actCode.firstFill, '2018-05-23');
fill(losartan, codes.actCode.refill, '2026-06-02');
fill(atorvastatin, codes.actCode.refill, '2026-06-02');
fill(atorvastatin, codes.actCode.refill, '2026-08-31', {
  status: 'in-progress',
  whenHandedOver: undefined,
  whenPrepared: at('2026-08-31', '10:20'),
});

// ── Vaccines ──────────────────────────────────────────────────────────────────────────────────────────────────────

amara.vaccine('flu-2019', codes.cvx.influenza, '2019-10-16');
amara.vaccine('flu-2021', codes.cvx.influenza, '2021-10-20');
amara.vaccine('flu-2023', codes.cvx.influenza, '2023-10-11');
amara.vaccine('flu-2025', codes.cvx.influenzaTrivalent, at('2025-10-14', '17:30'), {
  primarySource: false,
  reportOrigin: concept('Pharmacy register'),
});
amara.vaccine('pneumococcal', codes.cvx.pneumovax, '2018-05-22', { encounter: to(firstCheck) });
amara.vaccine('zoster-1', [codes.cvx.zoster, codes.ndc.shingrix, 'Shingles vaccine, first dose'], '2024-05-21', {
  lotNumber: 'ZR4417',
  encounter: to(check2024),
});
amara.vaccine('zoster-2', [codes.cvx.zoster, codes.ndc.shingrix, 'Shingles vaccine, second dose'], '2024-08-13', {
  lotNumber: 'ZR4520',
});
amara.vaccine('covid-2021', codes.cvx.covid, '2021-03');
amara.vaccine('covid-2025', codes.cvx.covidCurrent, at('2025-10-14', '17:32'));
amara.vaccine('hepatitis-b', codes.cvx.hepBAdult, '2018-05-22', {
  status: 'not-done',
  statusReason: concept(codes.actReason.objection),
  primarySource: true,
});
/** Given in Enugu as a child; the card was lost. */
amara.vaccine('measles', codes.cvx.mmr, undefined, {
  _occurrenceDateTime: missing('unknown'),
  primarySource: false,
  reportOrigin: hl7('immunization-origin', 'recall', 'Parent/Guardian/Patient Recall'),
});

// ── Measured at the visits ────────────────────────────────────────────────────────────────────────────────────────

const measuredAt = (visit, readings) =>
  vitals(amara, visit.id.slice(6, 16), visit.period.start, readings, {
    encounter: to(visit),
    performer: [to(oreilly)],
  });
measuredAt(firstCheck, { pressure: '148/92', heartRate: '78', weight: '91.2', height: '165.1', bmi: '33.5' });
measuredAt(footVisit, { pressure: '142/86', heartRate: '84', temperature: '37.4', weight: '92.8' });
measuredAt(newTabletVisit, { pressure: '138/84', heartRate: '76', weight: '93.5', bmi: '34.3' });
measuredAt(emergencyVisit, {
  pressure: '126/unknown',
  heartRate: '112',
  breathing: '22',
  temperature: '36.2',
  oxygen: '98',
});
measuredAt(check2024, { pressure: '132/80', heartRate: '72', weight: '86.0', height: '165.1', bmi: '31.6' });
measuredAt(check2025, { pressure: '128/78', heartRate: '70', weight: '84.1', bmi: '30.9' });
measuredAt(check2026, {
  pressure: '126/76',
  heartRate: '70',
  breathing: '14',
  temperature: '36.7',
  weight: '82.4',
  height: '165.1',
  bmi: '30.2',
  oxygen: '97',
});

labs(
  amara,
  '2023-09-16',
  '03:20',
  { glucose: '48' },
  {
    encounter: to(emergencyVisit),
    issued: at('2023-09-16', '03:24:09'),
    performer: [to(lakeshore)],
  },
);

amara.social('us-core-smokingstatus', 'smoking', codes.loinc.smoking, {
  effectiveDateTime: '2024-05-21',
  valueCodeableConcept: concept(codes.finding.neverSmoked),
});
amara.social('us-core-observation-occupation', 'occupation', codes.loinc.occupation, {
  effectivePeriod: period('1994-09', '2025-12-19'),
  performer: [to(person)],
  valueCodeableConcept: concept(codes.occupation.nursingAssistant),
  component: [{ code: concept(codes.loinc.industry), valueCodeableConcept: concept(codes.occupation.homeNursing) }],
});
amara.social('us-core-observation-sexual-orientation', 'sexual-orientation', codes.loinc.sexualOrientation, {
  effectiveDateTime: '2024-05-21',
  valueCodeableConcept: concept(codes.finding.heterosexual),
});
amara.survey('transport-screening', codes.screening.sdoh, codes.loinc.transport, {
  effectiveDateTime: at('2025-05-20', '09:05'),
  performer: [to(oreilly)],
  valueCodeableConcept: concept(codes.loinc.yes, 'Yes, it has kept me from medical appointments'),
});
amara.survey('2026-phq2', codes.screening.cognitive, codes.loinc.phq2Total, {
  effectiveDateTime: at('2026-05-19', '09:02'),
  performer: [to(person)],
  valueQuantity: quantity('1', '{score}'),
});
/** The walks her nurse asked for: half an hour, four times a week, all summer. */
amara.simple('summer-walks', codes.observationCategory.activity, codes.loinc.exerciseMinutes, {
  effectiveTiming: {
    repeat: { boundsPeriod: period('2023-06-05', '2023-08-27'), frequency: 4, period: 1, periodUnit: 'wk' },
  },
  performer: [to(person)],
  valueQuantity: quantity('30', 'min'),
});
amara.simple('walks-2026', codes.observationCategory.activity, codes.loinc.exerciseMinutes, {
  effectiveDateTime: '2026-05-19',
  performer: [to(person)],
  valueQuantity: quantity('45', 'min'),
});
amara.result('2025-foot-refill', codes.observationCategory.exam, codes.loinc.capillaryRefill, {
  effectiveDateTime: at('2025-05-20', '09:22'),
  performer: [to(lindholm)],
  encounter: to(check2025),
  valueQuantity: quantity('2.0', 's'),
});

// ── Done and asked for ────────────────────────────────────────────────────────────────────────────────────────────

const asked = (visit, more) => ({
  authoredOn: visit.period.end,
  encounter: to(visit),
  requester: to(lindholm),
  ...more,
});
amara.request('quarterly-blood', codes.requestCategory.laboratory, codes.loinc.metabolicPanel, {
  ...asked(check2026, {
    occurrencePeriod: period('2026-05-19', '2027-05-18'),
    performer: [to(mapleRidge)],
    reasonCode: [concept(codes.problem.type2Diabetes)],
    reasonReference: [to(diabetes)],
  }),
});
const woundOrder = amara.request('foot-debridement', codes.requestCategory.surgical, codes.procedure.debridement, {
  status: 'completed',
  ...asked(footVisit, { occurrenceDateTime: '2020-02-04', reasonReference: [to(footUlcer)] }),
});
const dietOrder = amara.request('diet-education', codes.requestCategory.education, codes.procedure.dietEducation, {
  status: 'completed',
  ...asked(newTabletVisit, {
    occurrencePeriod: period('2022-06-01', '2022-06-30'),
    reasonCode: [concept(codes.problem.type2Diabetes)],
  }),
});
amara.request('eye-examination', codes.requestCategory.imaging, codes.procedure.ophthalmoscopy, {
  ...asked(check2026, { occurrenceDateTime: '2026-06', reasonReference: [to(eyes)] }),
});
amara.request('rides', codes.screening.sdoh, 'Rides to medical appointments', {
  ...asked(check2025, { occurrencePeriod: period('2025-06-01'), reasonReference: [to(transport)] }),
});
amara.request('glucose-sensor', codes.requestCategory.education, 'Try a glucose sensor for two weeks', {
  status: 'draft',
  intent: 'proposal',
  authoredOn: '2026-05-19',
  requester: to(oreilly),
});
amara.request('kidney-opinion', codes.requestCategory.counseling, 'Kidney clinic, if the eGFR falls below 45', {
  intent: 'plan',
  ...asked(check2026, { reasonReference: [to(kidney3a)] }),
});

amara.procedure(
  'colonoscopy',
  [codes.procedure.colonoscopy, codes.cpt.colonoscopy, 'Colonoscopy with removal of one polyp'],
  {
    performedDateTime: at('2019-10-09', '08:40'),
    encounter: to(colonoscopyVisit),
    performer: [{ actor: to(achterberg) }],
  },
);
amara.procedure('foot-debridement', codes.procedure.debridement, {
  basedOn: [to(woundOrder)],
  performedDateTime: '2020-02-04',
  reasonReference: [to(footUlcer)],
});
amara.procedure('diet-education', codes.procedure.dietEducation, {
  basedOn: [to(dietOrder)],
  performedPeriod: period('2022-06-02', '2022-06-23'),
});
amara.procedure('foot-examination', codes.procedure.footExamination, {
  performedDateTime: at('2025-05-20', '09:20'),
  encounter: to(check2025),
});
/** As a girl, in Enugu. Nobody remembers the year. */
amara.procedure('appendectomy', codes.procedure.appendectomy, { _performedDateTime: missing('unknown') });

// ── What is aimed at, and by whom ─────────────────────────────────────────────────────────────────────────────────

const sugarGoal = amara.goal('hba1c', 'HbA1c of 7 or below without low sugars at night', {
  startDate: '2023-09-26',
  target: [
    {
      measure: concept(analytes.hba1c.code),
      detailQuantity: { ...quantity('7.0', '%'), comparator: '<=' },
      dueDate: '2027-05-18',
    },
  ],
  expressedBy: to(person),
  addresses: [to(diabetes)],
});
const weightGoal = amara.goal('weight', [codes.finding.weightLoss, 'Under 80 kilograms'], {
  startDate: '2024-05-21',
  target: [{ dueDate: '2026-12-31' }],
  achievementStatus: hl7('goal-achievement', 'improving', 'Improving'),
});
amara.goal('foot', 'The wound closed by summer', {
  lifecycleStatus: 'completed',
  startDate: '2020-01-28',
  target: [{ dueDate: '2020-06-01' }],
  expressedBy: to(lindholm),
});

const team = amara.careTeam(
  'diabetes-team',
  [
    [codes.role.primaryCare, lindholmRole],
    [codes.role.endocrinologist, boatengRole],
    [codes.role.nurse, oreilly],
    [codes.role.caregiver, ada],
    [codes.role.patient, person],
  ],
  { name: 'Diabetes team', period: period('2016-06-07') },
);
amara.careTeam(
  'foot-team',
  [
    [codes.role.primaryCare, lindholm],
    [codes.role.nurse, oreilly],
  ],
  {
    status: 'inactive',
    name: 'Foot care',
    period: period('2020-01-28', '2020-05-12'),
    reasonReference: [to(footUlcer)],
  },
);

amara.carePlan(
  'diabetes-plan',
  'Living with diabetes, 2026',
  [
    'Blood every three months; eyes once a year; feet every evening, with the mirror.',
    'Walk four times a week, 45 minutes.',
    'Glucose tablets on the night table. Below 70: take three, wait, measure again.',
    'If kidney function falls below 45: ask the kidney clinic.',
  ],
  {
    intent: 'order',
    period: period('2026-05-19'),
    careTeam: [to(team)],
    addresses: [to(diabetes), to(kidney3a)],
    goal: [to(sugarGoal), to(weightGoal)],
    author: to(lindholm),
  },
);
amara.carePlan(
  'foot-plan',
  'Healing the left foot',
  ['Off the foot for six weeks.', 'Dressing every second day; the nurse comes on Mondays.'],
  {
    status: 'completed',
    period: period('2020-01-28', '2020-05-12'),
    addresses: [to(footUlcer)],
    activity: [{ detail: { status: 'completed', code: concept(codes.procedure.debridement) } }],
  },
);

// ── Written down ──────────────────────────────────────────────────────────────────────────────────────────────────

const note = (visit, more) => ({ author: [to(lindholm)], custodian: to(juniperHill), visit, ...more });
amara.document(
  '2026-05-19-progress',
  codes.loinc.progressNote,
  textNote(`
  Yearly visit. Feels well; has walked to the lake and back since April. No low sugars since the autumn of 2023.
  HbA1c 6.9, eGFR 52, pressure 126 over 76. Feet: skin whole, pulses good. Weight down again, by 1.7 kg.
  She has no car and missed an eye appointment in June of last year; rides were asked for.
  Plan: as in the care plan. Next blood in August.
`),
  note(check2026),
);
const firstDraft = amara.document(
  '2018-history-draft',
  codes.loinc.historyAndPhysical,
  textNote(`
  New patient. Diabetes since 2013, pressure for longer. Takes lisinopril. Coughs.
`),
  { ...note(firstCheck), status: 'superseded', docStatus: 'amended', date: at('2018-05-22', '09:50') },
);
const history = amara.document(
  '2018-history',
  codes.loinc.historyAndPhysical,
  textNote(`
  New patient. Diabetes since the spring of 2013, pressure since about 2009. Works nights as a nursing assistant.
  A dry cough since March: it began with lisinopril, not with the bronchitis. Changed to losartan.
  Penicillin gave her hives at fourteen.
`),
  { ...note(firstCheck), date: at('2018-05-23', '08:15'), relatesTo: [{ code: 'replaces', target: to(firstDraft) }] },
);
amara.document(
  '2022-kidney-opinion',
  codes.loinc.consultNote,
  pdfNote(
    'Endocrinology opinion',
    'Amara Okafor, born 19 August 1964',
    'Seen on 22 November 2022 by Dr. Kwame Boateng',
    '',
    'eGFR below 60 in August and November: chronic kidney disease, stage 3a.',
    'Metformin down to 1000 mg a day. Empagliflozin helps heart and kidney: keep it.',
    'Glipizide before supper until the HbA1c is at 7.',
  ),
  { ...note(kidneyVisit), author: [to(boateng)], custodian: to(lakeshore) },
);
amara.document(
  '2019-colonoscopy',
  codes.loinc.procedureNote,
  stored('application/pdf', 'notes/1.pdf', { title: 'Colonoscopy', creation: '2019-10-09' }),
  { ...note(colonoscopyVisit), author: [to(achterberg)], custodian: to(lakeshore) },
);
const polypUrl = `${DOCUMENTS}/amara-okafor/polyp.pdf`;
amara.document('2019-polyp', codes.loinc.pathologyStudy, stored('application/pdf', polypUrl), {
  ...note(colonoscopyVisit),
  date: at('2019-10-15', '12:00'),
  author: [to(raman)],
  custodian: to(mapleRidge),
});
const augustUrl = `${DOCUMENTS}/amara-okafor/2026-08-11-laboratory.pdf`;
amara.document('2026-08-laboratory', codes.loinc.laboratoryReport, stored('application/pdf', augustUrl), {
  date: at('2026-08-11', '15:30'),
  author: [to(raman)],
  custodian: to(mapleRidge),
  context: { period: period('2026-08-11', '2026-08-11') },
});
amara.document(
  'summary-of-care',
  codes.loinc.summaryOfCare,
  {
    ...stored('application/xml', `${DOCUMENTS}/amara-okafor/summary-of-care.xml`),
    format: {
      system: 'http://terminology.hl7.org/CodeSystem/v3-HL7DocumentFormatCodes',
      code: 'urn:hl7-org:sdwg:ccda-structuredBody:2.1',
    },
  },
  { ...note(check2026), date: at('2026-05-20', '06:00'), author: [to(lindholm)] },
);
amara.document(
  'low-sugar-leaflet',
  codes.loinc.instructions,
  webNote(
    'When your sugar is low',
    'Shaking, sweating, suddenly hungry or cross: measure.',
    'Below 70: three glucose tablets, then wait fifteen minutes, then measure again.',
  ),
  note(emergencyVisit, { author: [to(villareal)], custodian: to(lakeshore) }),
);

amara.noteReport('polyp', codes.loinc.pathology, codes.loinc.pathologyStudy, {
  encounter: to(colonoscopyVisit),
  effectiveDateTime: at('2019-10-09', '08:55'),
  issued: at('2019-10-15', '11:58:07'),
  performer: [to(raman), to(mapleRidge)],
  presentedForm: [{ contentType: 'application/pdf', url: polypUrl }],
  conclusion: 'Hyperplastic polyp, 4 mm. No dysplasia.',
});
amara.labReport('2026-08-letter', codes.loinc.laboratoryReport, [], {
  status: 'partial',
  effectiveDateTime: at('2026-08-11', '07:40'),
  issued: at('2026-08-11', '15:30:00'),
  performer: [to(raman)],
  presentedForm: [{ contentType: 'application/pdf', url: augustUrl }],
});

/** The same page as in the document service, as a Binary. */
const visitSummary = plain('Binary', 'amara-visit-summary', {
  contentType: 'application/pdf',
  securityContext: to(person),
  data: Buffer.from(pdf('Visit summary', 'Amara Okafor, 19 May 2026', 'HbA1c 6.9 %. Well done.')).toString('base64'),
});

// ── Who vouches for it ────────────────────────────────────────────────────────────────────────────────────────────

amara.signed(at('2026-09-30', '22:00:00.000'), lindholm, juniperHill, threeRivers);
const bloodOfMay = laboratory(amara).filter(({ id }) => id.startsWith('amara-2026-05-12-'));
amara.provenance('laboratory-provenance', at('2026-05-12', '15:20:42.000'), bloodOfMay, to(mapleRidge), mapleRidge, {
  carrier: gateway,
  activity: hl7('v3-DataOperation', 'CREATE', 'create'),
});
amara.provenance('history-provenance', at('2018-05-23', '08:16:00.000'), [history], to(lindholm), juniperHill, {
  activity: hl7('v3-DataOperation', 'UPDATE', 'revise'),
  entity: [{ role: 'revision', what: to(firstDraft) }],
});

export default [amara.records, visitSummary];
