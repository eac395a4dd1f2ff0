// Priya Raman, 39, reads other people's tissue for a living: Practitioner/priya-raman is the same woman, under the same
// id. Half of her record came from Pune, in another time zone and by other habits: years without months, words without
// codes.

import { DOCUMENTS, stored, textNote } from '../attachments.mjs';
import { at, chart, concept, period, quantity, to } from '../build.mjs';
import * as codes from '../codes.mjs';
import * as demographics from '../demographics.mjs';
import {
  clinic,
  juniperHill,
  lindholm,
  mapleRidge,
  oreilly,
  raman,
  saraswatiRoad,
  threeRivers,
} from '../directory.mjs';
import { vitals } from '../measures.mjs';
import { membership, openChoice } from '../membership.mjs';

export const person = demographics.patient('priya-raman', {
  extension: [
    demographics.race('Asian Indian', [codes.race.asian], [codes.race.asianIndian]),
    demographics.notHispanic,
    ...demographics.female,
    demographics.genderIdentity('Identifies as a woman'),
  ],
  identifier: [
    demographics.mrn(juniperHill, 'JH-002931'),
    { system: 'https://saraswati-road.example.org/card', value: 'पुणे/1987/441' },
  ],
  name: [
    { use: 'official', text: 'Priya Raman', family: 'Raman', given: ['Priya'], suffix: ['MD'] },
    { use: 'usual', text: 'प्रिया रामन', family: 'रामन', given: ['प्रिया'] },
  ],
  telecom: [demographics.phone('802-555-0161', 'mobile'), demographics.email('priya@mail.example.org')],
  gender: 'female',
  birthDate: '1987-04-09',
  address: [demographics.home('140 Battery Slope, Unit 12', 'Burlington', '05401', { start: '2018' })],
  communication: demographics.speaks(codes.language.english, codes.language.marathi),
  generalPractitioner: [to(lindholm)],
  managingOrganization: to(juniperHill),
});

const priya = chart(person, 'priya');

const arjun = priya.relative('arjun-raman', {
  relationship: [concept(codes.relationship.sibling)],
  name: [{ text: 'Arjun Raman', given: ['Arjun'] }],
  telecom: [{ system: 'phone', value: '+91 20 5550 0177' }],
  address: [{ text: '9 Peshwa Park, Pune 411030, India', city: 'Pune', country: 'IN' }],
});
membership(priya, openChoice, ['MRCL-1', 'Maple Ridge, staff'], '3308811901', period('2018-09-01'));

const video = priya.visit(
  '2025-01-22-video',
  codes.visitType.telemedicine,
  period('2025-01-22T18:30:00Z', '2025-01-22T18:52:00Z'),
  lindholm,
  clinic,
  { kind: codes.actCode.virtual, reasonReference: [{ reference: 'Condition/priya-migraine' }] },
);
const yearly = priya.visit('2026-06-16-check-up', codes.visitType.checkUp, '16:00-16:30', lindholm, clinic);

// ── From Pune ─────────────────────────────────────────────────────────────────────────────────────────────────────

const typhoid = priya.problem('typhoid', codes.problem.typhoid, {
  clinical: 'resolved',
  onsetAge: quantity('11', 'years', 'a'),
  abatementString: 'before the monsoon ended',
  recordedDate: '2018-10-02',
});
const migraine = priya.problem(
  'migraine',
  [codes.problem.migraine, codes.icd10.migraine, 'Migraine, left side, with zigzags'],
  {
    onsetString: 'in her first year of college',
    recordedDate: '2018-10-02',
    asserted: '2018-10-02',
    recorder: to(lindholm),
  },
);
priya.concern('formalin', 'Works with formalin', {
  verification: 'unconfirmed',
  onsetDateTime: '2018-09',
  recordedDate: '2026-06-16',
});

const vaccines = [
  priya.vaccine('bcg', codes.cvx.bcg, '1987', { primarySource: false, reportOrigin: concept('School card from Pune') }),
  priya.vaccine('measles', codes.cvx.mmr, '1999-11', { primarySource: false }),
  priya.vaccine('typhoid-booster', 'Typhoid booster, by mouth', undefined, {
    occurrenceString: 'at school, about twelve years old',
    primarySource: false,
  }),
  priya.vaccine('hepatitis-b', codes.cvx.hepBAdult, '2012-07-31T20:45:00+05:30'),
  priya.vaccine('covid-2021', codes.cvx.covid, '2021-01-12T22:40:30.5-05:00'),
  priya.vaccine('flu-2025', codes.cvx.influenzaTrivalent, at('2025-09-30', '12:10')),
];
const ferritin = priya.lab('2017-ferritin', 'Ferritin, serum', {
  effectiveDateTime: '2017-06-01T01:15:00+05:30',
  issued: '2017-06-01T11:00:00+05:30',
  performer: [to(saraswatiRoad)],
  valueQuantity: { ...quantity('15.00', 'ng/mL'), comparator: '<' },
});
const dengue = priya.lab('2017-dengue', 'Dengue NS1 antigen', {
  effectiveDateTime: '2017-06-01T01:15:00+05:30',
  performer: [to(saraswatiRoad)],
  dataAbsentReason: concept(codes.absent.unknown),
  note: [{ text: 'The page is torn.' }],
});
const oldLetter = priya.document(
  '2017-letter',
  codes.loinc.consultNote,
  textNote(`
  Dear colleague, she faints when she does not eat and has headaches since college. Iron is low. Dengue: see page two.
`),
  {
    date: '2017-06-02T09:00:00+05:30',
    author: [to(saraswatiRoad)],
    context: { period: period('2017-05-31', '2017-06-02') },
  },
);

// ── Here ──────────────────────────────────────────────────────────────────────────────────────────────────────────

priya.allergy('shellfish', codes.allergen.shellfish, {
  verification: 'unconfirmed',
  category: ['food'],
  recordedDate: '2018-10-02',
  reaction: [{ manifestation: [concept('Tingling lips')] }],
});
priya.allergy('dust-mites', codes.allergen.dustMite, {
  category: ['environment'],
  onsetDateTime: '2012',
  recordedDate: '2018-10-02',
  reaction: [{ manifestation: [concept(codes.reaction.sneezing)], severity: 'mild' }],
});
/** An allergy of another person, marked as an error, so it has no clinical status. */
const mistaken = priya.allergy('mistaken-penicillin', codes.allergen.penicillin, {
  clinical: null,
  verification: 'entered-in-error',
  recordedDate: '2019-02-05',
});

const swab = priya.specimen('2022-01-10-swab', codes.specimenType.nasopharynx, at('2022-01-10', '08:05'));
const virus = priya.lab('2022-covid', codes.loinc.covidRna, {
  effectiveDateTime: at('2022-01-10', '08:05'),
  issued: '2022-01-11T03:59:59.999999Z',
  performer: [to(mapleRidge)],
  specimen: to(swab),
  valueCodeableConcept: concept(codes.finding.detected),
});
priya.diagnosis('covid', [codes.problem.covid, 'COVID-19, mild'], {
  clinical: 'resolved',
  onsetDateTime: '2022-01-08',
  abatementDateTime: '2022-01-19',
  recordedDate: '2022-01-11',
});
/** Only the time of the report is known, not that of the examination. */
priya.simple('eyeground', codes.observationCategory.exam, 'Eyeground', {
  issued: '2025-01-24T15:05:00Z',
  performer: [to(lindholm)],
  valueString: 'Sharp margins on both sides.',
});
priya.simple('headache-days', codes.observationCategory.survey, 'Days with headache', {
  effectivePeriod: period('2026-05-01', '2026-05-31'),
  performer: [to(person)],
  valueQuantity: quantity('4', 'days', 'd'),
});
vitals(
  priya,
  '2026-06-16',
  '16:02',
  { pressure: '108/70', heartRate: '64', weight: '57.3', height: '160.5', bmi: '22.2', temperature: '36.5' },
  { encounter: to(yearly), performer: [to(oreilly)] },
);
priya.social('us-core-smokingstatus', 'smoking', codes.loinc.smoking, {
  effectiveDateTime: '2026-06-16',
  valueCodeableConcept: concept(codes.finding.neverSmoked),
});
priya.social('us-core-observation-sexual-orientation', 'sexual-orientation', codes.loinc.sexualOrientation, {
  effectiveDateTime: '2026-06-16',
  valueCodeableConcept: concept({
    system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor',
    code: 'ASKU',
    display: 'asked but unknown',
  }),
});

priya.prescription('naproxen', codes.rxnorm.naproxen220, {
  intent: 'plan',
  status: 'active',
  authoredOn: '2025-01-22',
  reportedBoolean: true,
  requester: to(person),
  encounter: to(video),
  dosageInstruction: [
    {
      text: 'Two when the zigzags start',
      asNeededBoolean: true,
      doseAndRate: [{ doseQuantity: quantity('2', 'tablet', '{tbl}') }],
    },
  ],
});
priya.prescription('triptan', 'Sumatriptan 50 mg tablet', {
  status: 'on-hold',
  encounter: to(video),
  authoredOn: '2025-01-22T18:50:00Z',
  requester: to(lindholm),
  reportedBoolean: false,
  reasonReference: [to(migraine)],
  statusReason: concept('Waiting for the heart tracing'),
  dosageInstruction: [
    {
      text: 'One at the start of an attack, at most two a day',
      asNeededCodeableConcept: concept('Migraine'),
    },
  ],
  dispenseRequest: { numberOfRepeatsAllowed: 2, quantity: quantity('9', 'tablet', '{tbl}') },
});
priya.request('heart-tracing', codes.requestCategory.imaging, codes.loinc.ekgStudy, {
  encounter: to(video),
  occurrencePeriod: period('2025-01-23'),
  authoredOn: '2025-01-22T18:51:00Z',
  requester: to(lindholm),
  reasonReference: [to(migraine)],
});
priya.procedure('medication-review', codes.procedure.medicationReview, {
  performedDateTime: '2025-01-22T18:40:00Z',
  encounter: to(video),
  performer: [{ actor: to(lindholm) }],
});
priya.document(
  'headache-diary',
  codes.loinc.progressNote,
  stored('text/plain', `${DOCUMENTS}/priya-raman/headache-diary.txt`),
  {
    date: '2026-06-16T20:30:00Z',
    author: [to(lindholm)],
    custodian: to(juniperHill),
    visit: yearly,
  },
);
priya.careTeam(
  'care-team',
  [
    [codes.role.primaryCare, lindholm],
    ['Brother, by telephone', arjun],
  ],
  {
    name: 'Headache team',
    period: period('2018-10-02'),
  },
);
priya.carePlan(
  'headache-plan',
  'Fewer headaches',
  ['Breakfast.', 'Diary for three months.', 'Naproxen at the first zigzag; the triptan after the heart tracing.'],
  { period: period('2025-01-22'), addresses: [to(migraine)] },
);
priya.goal('headache-days', 'Fewer than three headache days a month', {
  startDate: '2025-01-22',
  target: [{ dueDate: '2026-12-31' }],
});

const fromPune = [typhoid, vaccines, ferritin, dengue, oldLetter].flat(Infinity);

priya.signed(at('2026-09-30', '22:00:06.000'), lindholm, juniperHill, threeRivers, mistaken, ...fromPune);
/** The author is a name that is in no directory, so the clinic that sent the records is named too. */
const kulkarni = { display: 'Dr. R. Kulkarni' };
priya.provenance('pune-provenance', '2018-10-02T19:30:00+05:30', fromPune, kulkarni, saraswatiRoad, {
  carrier: threeRivers,
  occurredDateTime: '2018-10-02',
});
priya.provenance('result-provenance', '2022-01-11T04:00:00Z', [virus], to(raman), mapleRidge);

export default priya.records;
