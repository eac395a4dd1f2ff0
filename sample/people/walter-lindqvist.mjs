// Walter Lindqvist Jr., 1941 to 2026: lake fisherman, Swedish at home, a pacemaker since 2019, a heart that gave out
// slowly. The chart of a whole decline: implant, admissions, hearing, walking, memory, a care team that outlived him.

import { DOCUMENTS, pdfNote, stored, textNote } from '../attachments.mjs';
import { at, chart, concept, dosage, hl7, period, quantity, to } from '../build.mjs';
import * as codes from '../codes.mjs';
import { home, male, mrn, notHispanic, official, patient, phone, race, speaks } from '../demographics.mjs';
import {
  achterberg,
  achterbergRole,
  apixaban,
  clinic,
  demir,
  emergencyRoom,
  furosemideInjection,
  gateway,
  juniperHill,
  lakeshore,
  lindholm,
  lindholmRole,
  mapleRidge,
  matsuda,
  matsudaRole,
  oreilly,
  outpatients,
  quintero,
  raman,
  stillwater,
  threeRivers,
  ward,
} from '../directory.mjs';
import { labs, meanPressure, named, vitals } from '../measures.mjs';
import { membership, senior } from '../membership.mjs';

export const person = patient('walter-lindqvist', {
  extension: [race('White', [codes.race.white]), notHispanic, ...male],
  identifier: [mrn(lakeshore, 'LG 20 01 19')],
  name: [{ ...official('Walter Emil Lindqvist'), text: 'Walter Emil Lindqvist Jr.', suffix: ['Jr.'] }],
  telecom: [phone('802-555-0141', 'home')],
  gender: 'male',
  birthDate: '1941-03-02',
  deceasedDateTime: '2026-01-17T05:20:00-05:00',
  address: [home('Boathouse Lane 2', 'Grand Isle', '05458', { start: '1968', end: '2026-01-17' })],
  maritalStatus: hl7('v3-MaritalStatus', 'W', 'Widowed'),
  communication: speaks(codes.language.english, codes.language.swedish),
  generalPractitioner: [to(lindholm)],
  managingOrganization: to(lakeshore),
});

const walter = chart(person, 'walter');

const karin = walter.relative('karin-lindqvist-boyd', {
  relationship: [concept(codes.relationship.daughter)],
  name: [{ family: 'Lindqvist-Boyd', given: ['Karin'], text: 'Karin Lindqvist-Boyd' }],
  telecom: [phone('802-555-0142', 'mobile')],
  address: [home('Boathouse Lane 4', 'Grand Isle', '05458')],
});
const neighbor = walter.relative('abel-tremblay', {
  active: false,
  relationship: [concept(codes.relationship.neighbor)],
  name: [{ family: 'Tremblay', given: ['Abel'], text: 'Abel Tremblay' }],
  telecom: [phone('802-555-0143', 'home')],
  address: [home('Boathouse Lane 3', 'Grand Isle', '05458')],
  period: period('2019-04', '2023-11'),
});
membership(walter, senior, ['ISLAND', 'Islands and lakeshore'], '1100428801', period('2019-01-01', '2026-01-17'), {
  status: 'cancelled',
});

// ── Visits and admissions ─────────────────────────────────────────────────────────────────────────────────────────

const implantStay = walter.visit(
  '2019-04-pacemaker',
  codes.visitType.admission,
  period(at('2019-04-02', '07:00'), at('2019-04-03', '12:00')),
  matsuda,
  ward,
  {
    kind: codes.actCode.inpatient,
    reasonReference: [{ reference: 'Condition/walter-sick-sinus' }],
    hospitalization: { dischargeDisposition: hl7('discharge-disposition', 'home', 'Home') },
  },
);
const memoryVisit = walter.visit('2024-03-05-check-up', codes.visitType.checkUp, '10:00-11:00', lindholm, clinic);
const heartVisit = walter.visit(
  '2025-06-10-cardiology',
  codes.visitType.consultation,
  '13:30-14:15',
  matsuda,
  outpatients,
  {
    reasonReference: [{ reference: 'Condition/walter-heart-failure' }],
  },
);
const waterStay = walter.visit(
  '2025-11-admission',
  codes.visitType.admission,
  period(at('2025-11-03', '16:20'), at('2025-11-09', '13:00')),
  achterberg,
  ward,
  {
    kind: codes.actCode.inpatient,
    reasonReference: [{ reference: 'Condition/walter-water' }],
    location: [
      {
        location: to(emergencyRoom),
        status: 'completed',
        period: period(at('2025-11-03', '16:20'), at('2025-11-03', '21:40')),
      },
      { location: to(ward), status: 'completed', period: period(at('2025-11-03', '21:40'), at('2025-11-09', '13:00')) },
    ],
    hospitalization: { dischargeDisposition: hl7('discharge-disposition', 'home', 'Home') },
  },
);
const lastStay = walter.visit(
  '2026-01-admission',
  codes.visitType.admission,
  period(at('2026-01-12', '09:10'), at('2026-01-17', '05:20')),
  achterberg,
  ward,
  {
    kind: codes.actCode.inpatient,
    reasonCode: [concept(codes.procedure.hospice)],
    hospitalization: { dischargeDisposition: hl7('discharge-disposition', 'exp', 'Expired') },
  },
);

// ── Problems ──────────────────────────────────────────────────────────────────────────────────────────────────────

const recorded = (recordedDate, onsetDateTime, more) => ({
  onsetDateTime,
  recordedDate,
  recorder: to(lindholm),
  ...more,
});
const heartFailure = walter.problem(
  'heart-failure',
  [codes.problem.heartFailure, codes.icd10.heartFailure],
  recorded('2021-02-16', '2021-02', { asserted: '2021-02-16' }),
);
const fibrillation = walter.problem(
  'atrial-fibrillation',
  codes.problem.atrialFibrillation,
  recorded('2019-04-03', '2019'),
);
const sinus = walter.problem('sick-sinus', codes.problem.sickSinus, {
  clinical: 'inactive',
  onsetDateTime: '2019-02-20',
  abatementString: 'paced since April 2019',
  recordedDate: '2019-03-01',
});
walter.problem('copd', codes.problem.copd, recorded('2014-10-21', '2014'));
walter.problem(
  'memory',
  codes.problem.mildCognitive,
  recorded('2024-03-05', '2023', {
    screening: codes.screening.cognitive,
    verification: 'provisional',
  }),
);
const legs = walter.concern(
  'walking',
  codes.problem.walkingDisability,
  recorded('2024-03-05', '2022-09', { screening: codes.screening.functional }),
);
walter.concern(
  'hearing',
  codes.problem.hearingLoss,
  recorded('2024-03-05', undefined, {
    screening: codes.screening.disability,
    onsetString: 'after forty years of outboard motors',
  }),
);
const water = walter.diagnosis('water', [codes.icd10.heartFailure, codes.problem.heartFailure], {
  clinical: 'resolved',
  encounter: to(waterStay),
  onsetDateTime: '2025-10-30',
  abatementDateTime: '2025-11-09',
  recordedDate: at('2025-11-03', '18:00'),
  recorder: to(achterberg),
});

walter.allergy('codeine', codes.rxnorm.codeine, {
  type: 'intolerance',
  category: ['medication'],
  onsetDateTime: '1987-07',
  recordedDate: '2014-10-21',
  reaction: [
    {
      manifestation: [concept(codes.reaction.nausea)],
      severity: 'moderate',
    },
  ],
});

const pacemaker = walter.implant('pacemaker', {
  udiCarrier: [
    {
      deviceIdentifier: '00850099000123',
      issuer: 'http://hl7.org/fhir/NamingSystem/gs1-di',
      jurisdiction: 'http://hl7.org/fhir/NamingSystem/fda-udi',
      carrierHRF: '(01)00850099000123(11)181112(17)201112(10)PM4417(21)LK90021',
      entryType: 'barcode',
    },
  ],
  status: 'active',
  distinctIdentifier: 'A9999-18',
  manufacturer: 'Bluefinch Medical',
  manufactureDate: '2018-11-12',
  expirationDate: '2020-11-12',
  lotNumber: 'PM4417',
  serialNumber: 'LK90021',
  deviceName: [{ name: 'Bluefinch Steady 2, dual chamber', type: 'user-friendly-name' }],
  type: concept(codes.device.pacemaker),
  safety: [concept('Conditional in the MRI scanner')],
});
const implantOrder = walter.request('pacemaker', codes.requestCategory.surgical, codes.procedure.pacemaker, {
  status: 'completed',
  occurrenceDateTime: '2019-04-02',
  authoredOn: '2019-03-20',
  requester: to(matsuda),
  reasonReference: [to(sinus)],
});
const implantation = walter.procedure(
  'pacemaker',
  [codes.procedure.pacemaker, codes.cpt.pacemaker, 'Dual-chamber pacemaker, left side'],
  {
    basedOn: [to(implantOrder)],
    performedPeriod: period(at('2019-04-02', '09:05'), at('2019-04-02', '10:20')),
    encounter: to(implantStay),
    performer: [{ actor: to(matsuda) }],
    focalDevice: [{ manipulated: to(pacemaker) }],
  },
);
walter.procedure('oxygen', codes.procedure.oxygen, {
  performedPeriod: period(at('2025-11-03', '16:40'), at('2025-11-08', '09:00')),
  encounter: to(waterStay),
});

// ── Heart tests ───────────────────────────────────────────────────────────────────────────────────────────────────

const seen = { effectiveDateTime: at('2025-06-10', '13:40'), encounter: to(heartVisit), performer: [to(matsuda)] };
const tracing = walter.result('2025-ekg', codes.observationCategory.procedure, codes.loinc.ekgImpression, {
  ...seen,
  valueString: 'Paced in both chambers, 60 a minute. Fibrillation underneath.',
});
const pumping = walter.result(
  '2025-ejection-fraction',
  codes.observationCategory.imaging,
  codes.loinc.ejectionFraction,
  {
    ...seen,
    valueQuantity: quantity('31', '%'),
  },
);
walter.result('2025-neck-veins', codes.observationCategory.exam, codes.loinc.jugularVein, {
  ...seen,
  valueCodeableConcept: concept(codes.finding.present),
});
const heart = labs(
  walter,
  '2025-06-10',
  '12:50',
  { proBnp: '2480', potassium: '4.9' },
  {
    issued: at('2025-06-10', '16:00:00'),
    performer: [to(mapleRidge)],
  },
);
const strip = walter.other('Media', 'ekg-strip', 'completed', {
  type: hl7('media-type', 'image', 'Image'),
  createdDateTime: at('2025-06-10', '13:41'),
  encounter: to(heartVisit),
  operator: to(matsuda),
  content: {
    contentType: 'image/png',
    url: `${DOCUMENTS}/walter-lindqvist/ekg-strip.png`,
    title: 'Lead II, ten seconds',
  },
});
const tracingUrl = `${DOCUMENTS}/walter-lindqvist/ekg.pdf`;
walter.noteReport('2025-ekg', codes.loinc.cardiology, codes.loinc.ekgStudy, {
  encounter: to(heartVisit),
  effectiveDateTime: at('2025-06-10', '13:40'),
  issued: at('2025-06-10', '15:12:44'),
  performer: [to(matsuda), to(lakeshore)],
  resultsInterpreter: [to(matsuda)],
  result: [tracing, pumping, ...named(heart, 'nt-probnp')].map(to),
  media: [{ comment: 'Rhythm strip', link: to(strip) }],
  presentedForm: [{ contentType: 'application/pdf', url: tracingUrl }],
  conclusion: 'Paced rhythm. The heart pumps at 31 %, down from 38 %.',
});
const filmUrl = `${DOCUMENTS}/walter-lindqvist/chest.pdf`;
walter.noteReport('2025-chest-film', codes.loinc.radiology, codes.loinc.chestXray, {
  encounter: to(waterStay),
  effectiveDateTime: at('2025-11-03', '17:10'),
  issued: at('2025-11-03', '17:55:02'),
  performer: [to(demir)],
  presentedForm: [{ contentType: 'application/pdf', url: filmUrl }],
  conclusion: 'Water on both lungs. Pacemaker wires where they belong.',
  status: 'corrected',
});
const admissionBlood = labs(
  walter,
  '2025-11-03',
  '16:45',
  { proBnp: '9120', potassium: '5.3', sodium: '131', creatinineMen: '1.61' },
  { issued: at('2025-11-03', '18:10:00'), performer: [to(mapleRidge)], encounter: to(waterStay) },
);
walter.labReport(
  '2025-11-03-metabolic-panel',
  codes.loinc.metabolicPanel,
  named(admissionBlood, 'potassium', 'sodium', 'creatinine'),
  {
    encounter: to(waterStay),
    effectiveDateTime: at('2025-11-03', '16:45'),
    issued: at('2025-11-03', '18:10:00'),
    performer: [to(raman)],
  },
);

// ── Measured, asked ───────────────────────────────────────────────────────────────────────────────────────────────

vitals(
  walter,
  '2024-03-05',
  '10:05',
  { pressure: '118/64', heartRate: '60', weightPounds: '188.0', temperatureF: '97.9' },
  { encounter: to(memoryVisit) },
);
vitals(
  walter,
  '2025-11-03',
  '16:25',
  { pressure: '104/58', heartRate: '60', breathing: '28', oxygen: '86', weightPounds: '203.5' },
  { encounter: to(waterStay) },
);
/** The display of the cuff shows only one of the two numbers, a different one each month. */
meanPressure(walter, '2025-11-home', period(at('2025-11-10', '07:30'), at('2025-11-16', '19:30')), '112/unknown', {
  performer: [to(karin)],
  note: [{ text: 'Morning and evening for a week, fourteen readings.' }],
});
meanPressure(walter, '2025-12-home', period(at('2025-12-08', '07:30'), at('2025-12-14', '19:30')), 'unknown/58', {
  performer: [to(karin)],
});
/** Measured by Doppler, which gives only the systolic pressure. */
vitals(walter, '2026-01-16', '22:00', { pressure: '70/unknown', breathing: '10' }, { encounter: to(lastStay) });
vitals(
  walter,
  '2026-01-17',
  '02:15',
  { pressure: 'not-performed/not-performed' },
  {
    encounter: to(lastStay),
    note: [{ text: 'Left in peace, as he asked.' }],
  },
);
const surveyed = { effectiveDateTime: at('2024-03-05', '10:30'), encounter: to(memoryVisit), performer: [to(oreilly)] };
walter.survey('moca', codes.screening.cognitive, codes.loinc.moca, {
  ...surveyed,
  valueQuantity: quantity('21', '{score}'),
});
walter.survey('falls', codes.screening.functional, codes.loinc.fallRisk, {
  ...surveyed,
  valueQuantity: quantity('55', '{score}'),
  interpretation: [hl7('v3-ObservationInterpretation', 'H', 'High')],
});
walter.survey('walking', codes.screening.disability, codes.loinc.walking, {
  ...surveyed,
  valueCodeableConcept: concept(codes.loinc.yes),
});
walter.survey('hearing', codes.screening.disability, codes.loinc.hearing, {
  ...surveyed,
  valueCodeableConcept: concept(codes.loinc.yes),
});
walter.simple('mind', codes.screening.cognitive, codes.loinc.cognitiveNarrative, {
  ...surveyed,
  performer: [to(lindholm)],
  valueString: 'Tells the same story twice, and both times well. Pays his own bills; lost the way to the harbor once.',
  derivedFrom: [{ reference: 'Observation/walter-moca' }],
});
walter.social('us-core-smokingstatus', 'smoking', codes.loinc.smoking, {
  effectiveDateTime: '2014-10-21',
  performer: [to(lindholm)],
  valueCodeableConcept: concept(codes.finding.formerSmoker),
});
/** A smoking status in US Core 7.0.0. The profile of 6.1.0 has no quantities. */
walter.simple('pack-years', codes.observationCategory.socialHistory, codes.observable.packYears, {
  effectiveDateTime: '2014-10-21',
  performer: [to(lindholm)],
  valueQuantity: quantity('34', 'pack-years', '{PackYears}'),
});
walter.treatmentPreference('no-machines', {
  effectiveDateTime: at('2025-11-09', '11:00'),
  encounter: to(waterStay),
  performer: [to(person)],
  valueString: 'Tablets and oxygen, yes. No breathing machine, no shocks, and no second pacemaker.',
});
walter.treatmentPreference('no-resuscitation', {
  effectiveDateTime: at('2026-01-12', '10:30'),
  encounter: to(lastStay),
  performer: [to(person)],
  valueCodeableConcept: concept(codes.finding.notForResuscitation),
});
walter.careExperiencePreference('karin', {
  effectiveDateTime: at('2025-11-09', '11:00'),
  encounter: to(waterStay),
  performer: [to(person)],
  valueString: 'Karin is in the room when doctors talk. A bed from which he can see the lake.',
});

// ── Medicines and vaccines ────────────────────────────────────────────────────────────────────────────────────────

const tablet = quantity('1', 'tablet', '{tbl}');
const ongoing = (visit, reason) => ({
  encounter: to(visit),
  authoredOn: visit.period.end,
  requester: to(matsuda),
  reportedBoolean: false,
  reasonReference: [to(reason)],
  status: 'completed',
});
const packs = (n, refills) => ({ numberOfRepeatsAllowed: refills, quantity: quantity(n, 'tablet', '{tbl}') });
const thinner = walter.prescription('apixaban', apixaban, {
  ...ongoing(heartVisit, fibrillation),
  dosageInstruction: dosage('One tablet morning and evening', { frequency: 2 }, tablet, {
    route: concept(codes.route.mouth),
  }),
  dispenseRequest: packs('180', 3),
});
walter.prescription('metoprolol', codes.rxnorm.metoprolol100, {
  ...ongoing(heartVisit, heartFailure),
  dosageInstruction: dosage('One tablet in the morning', { frequency: 1 }, tablet),
  dispenseRequest: packs('90', 3),
});
walter.prescription('furosemide', codes.rxnorm.furosemide40, {
  ...ongoing(waterStay, heartFailure),
  requester: to(achterberg),
  setting: 'discharge',
  dosageInstruction: dosage('One tablet morning and noon', { frequency: 2 }, tablet),
  dispenseRequest: packs('60', 2),
});
walter.prescription('furosemide-injection', furosemideInjection, {
  ...ongoing(waterStay, water),
  requester: to(achterberg),
  setting: 'inpatient',
  authoredOn: at('2025-11-03', '17:20'),
  dosageInstruction: dosage('40 mg into the vein, twice a day', { frequency: 2 }, quantity('40', 'mg'), {
    route: concept(codes.route.vein),
  }),
});
walter.dispense('apixaban-2025-06-11', thinner, codes.actCode.firstFill, at('2025-06-11', '10:15'), {
  performer: [{ actor: to(stillwater) }],
});
walter.vaccine(
  'flu-2020',
  [codes.cvx.influenzaHighDose, codes.ndc.fluzoneHighDose, 'Flu, high dose'],
  at('2020-10-06', '14:40'),
);
walter.vaccine('pneumococcal', codes.cvx.pneumovax, '2009-11', {
  primarySource: false,
  reportOrigin: hl7('immunization-origin', 'record', 'Written Record'),
});
walter.vaccine('covid-2024', codes.cvx.covidCurrent, '2024-10-15', {
  status: 'not-done',
  statusReason: concept(codes.actReason.precaution),
});

// ── Plans, and the people ─────────────────────────────────────────────────────────────────────────────────────────

walter.request('home-nurse', codes.requestCategory.social, 'A nurse at home, three times a week', {
  status: 'revoked',
  encounter: to(waterStay),
  occurrencePeriod: period('2025-11-10', '2026-02-10'),
  authoredOn: at('2025-11-09', '11:30'),
  requester: to(achterberg),
  reasonReference: [to(heartFailure)],
});
walter.request('physiotherapy', codes.screening.functional, codes.procedure.physiotherapy, {
  status: 'completed',
  encounter: to(memoryVisit),
  occurrencePeriod: period('2024-03-18', '2024-06-18'),
  authoredOn: at('2024-03-05', '10:55'),
  requester: to(lindholm),
  reasonReference: [to(legs)],
});
walter.procedure('hospice', codes.procedure.hospice, {
  performedPeriod: period(at('2026-01-12', '14:00'), at('2026-01-17', '05:20')),
  encounter: to(lastStay),
});
walter.goal('one-more-summer', 'One more summer on the lake', {
  lifecycleStatus: 'cancelled',
  startDate: '2025-11-09',
  statusDate: '2026-01-12',
  target: [{ dueDate: '2026-07' }],
  expressedBy: to(person),
});
const team = walter.careTeam(
  'heart-team',
  [
    [codes.role.primaryCare, lindholmRole],
    [codes.role.cardiologist, matsudaRole],
    [codes.role.physician, achterbergRole],
    [codes.role.caregiver, karin],
    [codes.role.socialWorker, quintero],
  ],
  { status: 'inactive', name: 'Heart team', period: period('2021-02-16', '2026-01-17') },
);
walter.careTeam('island-team', [[codes.role.caregiver, neighbor]], {
  status: 'suspended',
  name: 'Island neighbors',
  period: period('2019-04', '2023-11'),
});
walter.carePlan(
  'heart-plan',
  'Heart failure at home',
  [
    'Weigh every morning; two pounds up overnight: call.',
    'No added salt. Karin cooks.',
    'He wants no machines at the end.',
  ],
  {
    status: 'completed',
    period: period('2025-11-09', '2026-01-12'),
    careTeam: [to(team)],
    contributor: [to(achterberg), to(karin)],
    addresses: [to(heartFailure)],
  },
);

const note = (visit, more) => ({ author: [to(achterberg)], custodian: to(lakeshore), visit, ...more });
const draft = walter.document(
  '2025-discharge-draft',
  codes.loinc.dischargeSummary,
  textNote(`
  Six days, eleven pounds of water less. Home nurse to be arranged.
`),
  { ...note(waterStay), status: 'superseded', docStatus: 'preliminary', date: at('2025-11-09', '08:00') },
);
/** Returns a signed form as a scan of one page. */
const scanned = (...lines) => ({
  ...pdfNote(...lines),
  format: {
    system: 'http://ihe.net/fhir/ihe.formatcode.fhir/CodeSystem/formatcode',
    code: 'urn:ihe:iti:xds:2017:mimeTypeSufficient',
    display: 'mimeType Sufficient',
  },
});
const livingWill = walter.directive(
  'living-will',
  codes.loinc.livingWill,
  scanned(
    'Living will',
    'Walter Emil Lindqvist Jr., born 2 March 1941',
    'If my heart stops, let it stop. No breathing machine, no shocks.',
    'If I cannot say so myself, ask my daughter Karin Lindqvist-Boyd.',
  ),
  {
    witnessed: at('2025-11-18', '14:20'),
    date: at('2025-11-18', '14:35'),
    author: [to(person)],
    authenticator: to(lindholm),
    custodian: to(juniperHill),
  },
);
walter.document(
  '2025-discharge',
  codes.loinc.dischargeSummary,
  textNote(`
    Six days, eleven pounds of water less. Weight at home to be 192. Furosemide 40 twice a day now.
    Home nurse from Monday. He and Karin have talked: the next time, comfort comes first.
  `),
  { ...note(waterStay), relatesTo: [{ code: 'replaces', target: to(draft) }] },
);
walter.document(
  '2025-cardiology',
  codes.loinc.consultNote,
  pdfNote(
    'Cardiology',
    'Walter Lindqvist, born 2 March 1941',
    'The heart pumps at 31 percent.',
    'Battery of the pacemaker: four more years.',
  ),
  note(heartVisit, { author: [to(matsuda)] }),
);
walter.document(
  '2025-ekg',
  codes.loinc.consultNote,
  stored('application/pdf', tracingUrl),
  note(heartVisit, { author: [to(matsuda)] }),
);
walter.document(
  '2025-chest-film',
  codes.loinc.imagingStudy,
  stored('application/pdf', filmUrl),
  note(waterStay, {
    author: [to(demir)],
    date: at('2025-11-03', '17:56'),
  }),
);
walter.directive(
  'portable-orders',
  codes.loinc.portableOrder,
  scanned(
    'Portable medical orders',
    'Walter Emil Lindqvist Jr., born 2 March 1941',
    'Tablets and oxygen, yes. No breathing machine, no shocks.',
  ),
  {
    witnessed: at('2025-11-09', '11:20'),
    date: at('2025-11-09', '11:40'),
    author: [to(achterberg)],
    authenticator: to(achterberg),
    custodian: to(lakeshore),
    context: { encounter: [to(waterStay)], period: waterStay.period },
  },
);
walter.livingWill('living-will-on-file', livingWill, {
  effectiveDateTime: at('2026-01-12', '09:40'),
  encounter: to(lastStay),
  issued: at('2026-01-12', '09:45:00'),
  performer: [to(achterberg)],
  valueCodeableConcept: concept(codes.finding.yes),
});

walter.signed(at('2026-01-20', '22:00:00.000'), achterberg, lakeshore, threeRivers);
const paced = [pacemaker, implantation];
walter.provenance('pacemaker-provenance', at('2019-04-02', '11:00:00.000'), paced, to(matsuda), lakeshore, {
  carrier: gateway,
});

export default walter.records;
