// Zoë O'Brien-Nuñez, 32, teaches second grade. She was not sure whether she wanted a child; then there was Finn. A
// pregnancy from the first visit to the last: status and intent, gestational diabetes, tired blood, a birth at 4:12 in
// the morning.

import { DOCUMENTS, stored, textNote } from '../attachments.mjs';
import { at, chart, concept, dosage, hl7, period, quantity, to } from '../build.mjs';
import * as codes from '../codes.mjs';
import { email, ethnicity, female, home, mrn, patient, phone, race, speaks } from '../demographics.mjs';
import {
  birthCenter,
  carvalho,
  carvalhoRole,
  clinic,
  demir,
  demirRole,
  gateway,
  lakeshore,
  lindholm,
  mapleRidge,
  oreilly,
  outpatients,
  raman,
  stillwater,
  threeRivers,
} from '../directory.mjs';
import { labs, named, vitals } from '../measures.mjs';
import { membership, neighborhood } from '../membership.mjs';

export const person = patient('zoe-obrien-nunez', {
  extension: [
    race('White', [codes.race.white]),
    ethnicity('Hispanic or Latino', codes.race.hispanic, [codes.race.mexican]),
    ...female,
  ],
  identifier: [mrn(lakeshore, 'LG 81 55 07')],
  name: [
    { use: 'official', text: "Zoë Marguerite O'Brien-Nuñez", family: "O'Brien-Nuñez", given: ['Zoë', 'Marguerite'] },
    { use: 'nickname', given: ['Zo'] },
  ],
  telecom: [phone('802-555-0121', 'mobile'), email('zoe@mail.example.org')],
  gender: 'female',
  birthDate: '1994-02-11',
  address: [home(['33½ Lilac Street', 'Rear House'], 'Burlington', '05401', { start: '2021-08' })],
  communication: speaks(codes.language.english, codes.language.spanish),
  generalPractitioner: [to(lindholm)],
  managingOrganization: to(lakeshore),
});

const zoe = chart(person, 'zoe');

const maren = zoe.relative('maren-kowalczyk', {
  relationship: [concept(codes.relationship.partner)],
  name: [{ family: 'Kowalczyk', given: ['Maren'], text: 'Maren Kowalczyk' }],
  telecom: [phone('802-555-0122', 'mobile')],
  address: [home(['33½ Lilac Street', 'Rear House'], 'Burlington', '05401')],
});

membership(zoe, neighborhood, ['SCHOOLS-4', 'Lake County Schools'], '6620187501', period('2021-09-01'));

// ── Visits ────────────────────────────────────────────────────────────────────────────────────────────────────────

const yearly = zoe.visit('2024-06-18-check-up', codes.visitType.checkUp, '15:30-16:00', lindholm, clinic);
const prenatal = (day, type = codes.visitType.prenatal) =>
  zoe.visit(`${day}-prenatal`, type, '10:00-10:40', carvalho, outpatients, {
    reasonReference: [{ reference: 'Condition/zoe-pregnancy' }],
  });
const firstVisit = prenatal('2025-09-30', codes.visitType.prenatalFirst);
const scanVisit = prenatal('2026-01-06');
const sugarVisit = prenatal('2026-02-24');
const lateVisit = prenatal('2026-04-28');
export const birth = zoe.visit(
  '2026-05-birth',
  codes.visitType.admission,
  period(at('2026-05-26', '22:40'), at('2026-05-28', '11:00')),
  carvalho,
  birthCenter,
  {
    kind: codes.actCode.inpatient,
    reasonCode: [concept('Labor at 40 weeks')],
    hospitalization: {
      admitSource: concept('From home'),
      dischargeDisposition: hl7('discharge-disposition', 'home', 'Home'),
    },
  },
);
const afterwards = zoe.visit('2026-07-08-postnatal', codes.visitType.postnatal, '11:00-11:40', carvalho, outpatients);

// ── The pregnancy ─────────────────────────────────────────────────────────────────────────────────────────────────

const pregnancy = zoe.problem('pregnancy', codes.problem.pregnancy, {
  clinical: 'resolved',
  asserted: '2025-09-30',
  onsetDateTime: '2025-09',
  abatementDateTime: at('2026-05-27', '04:12'),
  recordedDate: at('2025-09-30', '10:40'),
});
const sugar = zoe.problem(
  'gestational-diabetes',
  [codes.problem.gestationalDiabetes, codes.icd10.gestationalDiabetes],
  {
    clinical: 'resolved',
    asserted: '2026-02-26',
    onsetDateTime: '2026-02-24',
    abatementDateTime: '2026-07-08',
    recordedDate: '2026-02-26',
  },
);
const tiredBlood = zoe.problem('iron-deficiency', codes.problem.ironDeficiency, {
  clinical: 'resolved',
  onsetDateTime: '2026-02-24',
  abatementDateTime: '2026-07',
  recordedDate: '2026-02-26',
});
zoe.diagnosis('labor', 'Spontaneous labor at term', {
  clinical: 'resolved',
  encounter: to(birth),
  abatementDateTime: '2026-05-27',
  recordedDate: '2026-05-27',
});
zoe.concern('sleep', 'Not enough sleep', {
  onsetAge: quantity('32', 'years', 'a'),
  recordedDate: '2026-07-08',
});

/** No known allergy, recorded after asking. This differs from a missing record. */
zoe.allergy('no-known-allergy', codes.allergen.noneKnown, {
  recordedDate: '2024-06-18',
  recorder: to(lindholm),
});

const expecting = (slug, moment, answer, more) =>
  zoe.social('us-core-observation-pregnancystatus', slug, codes.loinc.pregnancyStatus, {
    effectiveDateTime: moment,
    performer: [to(person)],
    valueCodeableConcept: concept(answer),
    ...more,
  });
const wish = (slug, moment) =>
  zoe.social('us-core-observation-pregnancyintent', slug, codes.loinc.pregnancyIntent, {
    effectiveDateTime: moment,
    valueCodeableConcept: concept(codes.finding.unsureOfPregnancy),
    performer: [to(person)],
  });
/** Exercise Vital Sign: walks with the pram. */
const active = (slug, question, valueQuantity) =>
  zoe.survey(`2026-${slug}`, codes.observationCategory.activity, question, {
    effectiveDateTime: at('2026-07-08', '11:03'),
    encounter: to(afterwards),
    performer: [to(person)],
    valueQuantity,
  });
expecting('2024-not-pregnant', at('2024-06-18', '15:40'), codes.finding.notPregnant, { encounter: to(yearly) });
expecting('pregnant', at('2025-09-30', '10:10'), codes.finding.pregnant, { encounter: to(firstVisit) });
expecting('no-longer-pregnant', at('2026-07-08', '11:05'), codes.finding.notPregnant, { encounter: to(afterwards) });
wish('2024-intent', at('2024-06-18', '15:41'));
wish('2026-intent', at('2026-07-08', '11:06'));
zoe.social('us-core-observation-sexual-orientation', 'sexual-orientation', codes.loinc.sexualOrientation, {
  effectiveDateTime: '2024-06-18',
  performer: [to(person)],
  valueCodeableConcept: concept(codes.finding.bisexual),
});
zoe.social('us-core-smokingstatus', 'smoking', codes.loinc.smoking, {
  effectiveDateTime: '2025-09-30',
  valueCodeableConcept: concept(codes.finding.formerSmoker),
});
zoe.social('us-core-observation-occupation', 'occupation', codes.loinc.occupation, {
  effectivePeriod: period('2019-08-26'),
  valueCodeableConcept: concept('Elementary school teacher'),
  component: [{ code: concept(codes.loinc.industry), valueCodeableConcept: concept('Elementary schools') }],
});
zoe.survey('2026-phq2', codes.screening.cognitive, codes.loinc.phq2Total, {
  effectiveDateTime: at('2026-07-08', '11:02'),
  performer: [to(person)],
  valueQuantity: quantity('2', '{score}'),
});
active('active-days', codes.loinc.activeDays, quantity('5', 'days/week', 'd/wk'));
active('active-minutes', codes.loinc.activeMinutes, quantity('40', 'min'));

const measuredAt = (visit, readings) =>
  vitals(zoe, visit.id.slice(4, 14), visit.period.start, readings, { encounter: to(visit) });
measuredAt(yearly, { pressure: '112/68', heartRate: '66', weight: '63.4', height: '169.5', bmi: '22.1' });
measuredAt(firstVisit, { pressure: '110/66', heartRate: '74', weight: '64.0' });
measuredAt(sugarVisit, { pressure: '114/70', weight: '71.9' });
measuredAt(lateVisit, { pressure: '118/74', weight: '75.2' });
vitals(
  zoe,
  'labor',
  at('2026-05-27', '02:30'),
  { pressure: '132/82', heartRate: '96', temperature: '37.2' },
  { encounter: to(birth) },
);
measuredAt(afterwards, { pressure: '112/70', weight: '67.0', temperature: '36.6' });

const bloodOf = (day, values) => {
  const specimen = zoe.specimen(`${day}-blood`, codes.specimenType.blood, at(day, '10:45'));
  return [
    specimen,
    labs(zoe, day, at(day, '10:45'), values, {
      issued: at(day, '18:02:00'),
      performer: [to(mapleRidge)],
      specimen: to(specimen),
      basedOn: day === '2025-09-30' ? [{ reference: 'ServiceRequest/zoe-first-blood' }] : undefined,
    }),
  ];
};
const [firstSpecimen, firstBlood] = bloodOf('2025-09-30', { hemoglobin: '12.6', whiteCells: '8.1', platelets: '241' });
bloodOf('2026-02-24', { hemoglobin: '10.2', glucoseChallenge: '158' });
bloodOf('2026-07-08', { hemoglobin: '12.10', fastingGlucose: '84' });
/** Finn's chart refers to this too, since the mother's blood group matters for a newborn. */
export const bloodGroup = zoe.lab('blood-group', codes.loinc.bloodGroup, {
  effectiveDateTime: at('2025-09-30', '10:45'),
  issued: at('2025-09-30', '18:02:00'),
  performer: [to(mapleRidge)],
  specimen: to(firstSpecimen),
  valueCodeableConcept: concept(codes.finding.groupOPositive, 'O positive'),
});
const urine = zoe.specimen('2025-09-30-urine', codes.specimenType.urine, at('2025-09-30', '10:20'));
const urineTests = {
  effectiveDateTime: at('2025-09-30', '10:20'),
  issued: at('2025-10-02', '09:30:00'),
  performer: [to(mapleRidge)],
  specimen: to(urine),
};
const urineColor = zoe.lab('urine-color', codes.loinc.urineColor, {
  ...urineTests,
  valueString: 'Straw yellow, clear',
});
const urineCulture = zoe.lab('urine-culture', codes.loinc.urineCulture, {
  ...urineTests,
  valueCodeableConcept: concept(codes.finding.noGrowth),
});
zoe.labReport(
  '2025-09-30-blood-count',
  codes.loinc.bloodCount,
  named(firstBlood, 'hemoglobin', 'white-cells', 'platelets'),
  {
    encounter: to(firstVisit),
    effectiveDateTime: at('2025-09-30', '10:45'),
    issued: at('2025-09-30', '18:02:00'),
    performer: [to(raman), to(mapleRidge)],
  },
);
zoe.labReport('2025-09-30-urine', codes.loinc.urinalysis, [urineColor, urineCulture], {
  status: 'amended',
  effectivePeriod: period(at('2025-09-30', '10:20'), at('2025-10-02', '09:20')),
  issued: at('2025-10-02', '09:30:00'),
  performer: [to(raman)],
});

// ── The scan ──────────────────────────────────────────────────────────────────────────────────────────────────────

const scanOrder = zoe.request('anatomy-scan', codes.requestCategory.imaging, codes.loinc.fetalUltrasound, {
  status: 'completed',
  encounter: to(firstVisit),
  occurrencePeriod: period('2025-12-30', '2026-01-13'),
  authoredOn: at('2025-09-30', '10:40'),
  requester: to(carvalho),
  performer: [to(demirRole)],
  reasonReference: [to(pregnancy)],
});
zoe.request('first-blood', codes.requestCategory.laboratory, codes.loinc.bloodCount, {
  status: 'completed',
  encounter: to(firstVisit),
  occurrenceDateTime: '2025-09-30',
  authoredOn: at('2025-09-30', '10:35'),
  requester: to(carvalho),
  reasonCode: [concept(codes.problem.pregnancy)],
});
const feedingHelp = zoe.request('feeding-help', codes.requestCategory.counseling, 'Help with breastfeeding, at home', {
  status: 'completed',
  encounter: to(birth),
  occurrencePeriod: period('2026-05-29', '2026-06-30'),
  authoredOn: at('2026-05-28', '09:00'),
  requester: to(carvalho),
});

const heartbeat = zoe.result('fetal-heart-rate', codes.observationCategory.imaging, codes.loinc.fetalHeartRate, {
  effectiveDateTime: at('2026-01-06', '10:12'),
  encounter: to(scanVisit),
  performer: [to(demir)],
  valueQuantity: quantity('148', 'beats/minute', '/min'),
});
const scanUrl = `${DOCUMENTS}/zoe-obrien-nunez/anatomy-scan.pdf`;
const picture = zoe.other('Media', 'scan-picture', 'completed', {
  type: hl7('media-type', 'image', 'Image'),
  createdDateTime: at('2026-01-06', '10:14'),
  encounter: to(scanVisit),
  operator: to(demir),
  content: {
    contentType: 'image/jpeg',
    url: `${DOCUMENTS}/zoe-obrien-nunez/profile.jpg`,
    title: 'Profile at twenty weeks',
  },
});
const scan = zoe.noteReport('anatomy-scan', codes.loinc.radiology, codes.loinc.fetalUltrasound, {
  basedOn: [to(scanOrder)],
  encounter: to(scanVisit),
  effectiveDateTime: at('2026-01-06', '10:10'),
  issued: at('2026-01-06', '12:31:00'),
  performer: [to(demir), to(lakeshore)],
  result: [to(heartbeat)],
  media: [{ comment: 'Profile', link: to(picture) }],
  conclusion:
    'One lively child, size as expected at 19 weeks and 6 days. Placenta at the back wall, clear of the cervix.',
  presentedForm: [{ contentType: 'application/pdf', url: scanUrl }],
});

const note = (visit, more) => ({ author: [to(carvalho)], custodian: to(lakeshore), visit, ...more });
zoe.document(
  'anatomy-scan',
  codes.loinc.imagingStudy,
  stored('application/pdf', scanUrl),
  note(scanVisit, { author: [to(demir)] }),
);
zoe.document(
  'first-visit',
  codes.loinc.historyAndPhysical,
  textNote(`
    First pregnancy, a surprise and then a welcome one. Last period began on 20 August; due on 27 May.
    Stopped smoking in 2019. No medicines, no known allergies. Grandmother had diabetes.
  `),
  note(firstVisit),
);
zoe.document(
  'birth-note',
  codes.loinc.procedureNote,
  textNote(`
    Birth in water at 04:12, one push after another for forty minutes. A boy, 3,480 grams, cried at once.
    Small tear, left alone. Maren cut the cord.
  `),
  note(birth, { date: at('2026-05-27', '05:30') }),
);
zoe.document(
  'discharge',
  codes.loinc.dischargeSummary,
  textNote(`
    Home on the second day. Feeding is going well. Sugars normal since the birth: test again in six weeks.
    Iron until July. Call for fever, heavy bleeding, or a heavy heart.
  `),
  note(birth),
);

// ── Treated ───────────────────────────────────────────────────────────────────────────────────────────────────────

zoe.procedure('delivery', codes.procedure.delivery, {
  performedPeriod: period(at('2026-05-26', '23:30'), at('2026-05-27', '04:30')),
  encounter: to(birth),
  performer: [{ actor: to(carvalho) }],
  location: to(birthCenter),
});
zoe.procedure('feeding-help', 'Breastfeeding help at home, three visits', {
  basedOn: [to(feedingHelp)],
  performedDateTime: '2026-06-03',
});

const tablet = quantity('1', 'tablet', '{tbl}');
zoe.prescription('vitamins', 'Prenatal vitamin with folic acid and DHA', {
  intent: 'plan',
  status: 'completed',
  authoredOn: '2025-09-12',
  reportedBoolean: true,
  encounter: to(firstVisit),
  requester: to(person),
  dosageInstruction: dosage('One a day with food', { frequency: 1 }, tablet),
});
const iron = zoe.prescription('iron', codes.rxnorm.ferrousSulfate, {
  status: 'completed',
  encounter: to(sugarVisit),
  authoredOn: at('2026-02-26', '09:10'),
  requester: to(carvalho),
  reportedBoolean: false,
  reasonReference: [to(tiredBlood)],
  dosageInstruction: dosage('One tablet every other morning, with orange juice', { frequency: 1, period: 2 }, tablet),
  dispenseRequest: { numberOfRepeatsAllowed: 1, quantity: quantity('30', 'tablet', '{tbl}') },
});
zoe.dispense('iron-2026-02-27', iron, codes.actCode.firstFill, at('2026-02-27', '17:20'), {
  performer: [{ actor: to(stillwater) }],
});

zoe.vaccine('flu-2025', codes.cvx.influenzaTrivalent, '2025-10-28');
zoe.vaccine('tdap', codes.cvx.tdap, at('2026-03-17', '09:15'), { performer: [{ actor: to(oreilly) }] });

zoe.goal('morning-sugar', 'Morning sugar below 95', {
  lifecycleStatus: 'completed',
  startDate: '2026-02-26',
  target: [{ dueDate: '2026-05-27' }],
  addresses: [to(sugar)],
});
const team = zoe.careTeam(
  'birth-team',
  [
    [codes.role.midwife, carvalhoRole],
    [codes.role.patient, person],
    ['Birth partner', maren],
  ],
  { status: 'inactive', name: 'Birth team', period: period('2025-09-30', '2026-07-08') },
);
zoe.carePlan(
  'pregnancy-plan',
  'Until the birth, and six weeks more',
  [
    'Four small meals; measure before breakfast and an hour after supper.',
    'Iron every other morning.',
    'Tdap at thirty weeks.',
    'Sugar test six weeks after the birth.',
  ],
  {
    status: 'completed',
    period: period('2025-09-30', '2026-07-08'),
    careTeam: [to(team)],
    addresses: [to(pregnancy), to(sugar)],
  },
);

zoe.signed(at('2026-09-30', '22:00:01.000'), carvalho, lakeshore, threeRivers);
zoe.provenance('scan-provenance', at('2026-01-06', '12:31:30.000'), [scan, heartbeat], to(demir), lakeshore, {
  carrier: gateway,
});

export default zoe.records;
