// Finn O'Brien-Nuñez, born at the end of May. Everything about him is measured in weeks and percentiles.
// His chart leans on his mother's: she is on his care team, and his jaundice note cites her blood group.

import { textNote } from '../attachments.mjs';
import { at, chart, concept, dosage, extension, hl7, period, quantity, to } from '../build.mjs';
import * as codes from '../codes.mjs';
import { ethnicity, home, male, mrn, official, patient, phone, race, speaks } from '../demographics.mjs';
import * as directory from '../directory.mjs';
import { analytes, labs, named, vitals } from '../measures.mjs';
import { membership, neighborhood } from '../membership.mjs';
import { birth as birthOfFinn, bloodGroup, person as zoePerson } from './zoe-obrien-nunez.mjs';

const address = home(['33½ Lilac Street', 'Rear House'], 'Burlington', '05401', { start: '2026-05-28' });

export const person = patient('finn-obrien-nunez', {
  extension: [
    race('White', [codes.race.white]),
    ethnicity('Hispanic or Latino', codes.race.hispanic, [codes.race.mexican]),
    ...male,
  ],
  identifier: [mrn(directory.littleBirch, 'LB-20260527-1')],
  name: [
    official("Finn O'Brien-Nuñez", { period: { start: '2026-05-28' } }),
    {
      use: 'old',
      text: "Babyboy O'Brien-Nuñez",
      family: "O'Brien-Nuñez",
      given: ['Babyboy'],
      period: { start: '2026-05-27', end: '2026-05-28' },
    },
  ],
  gender: 'male',
  birthDate: '2026-05-27',
  _birthDate: {
    extension: [
      extension('http://hl7.org/fhir/StructureDefinition/patient-birthTime', {
        valueDateTime: '2026-05-27T04:12:00-04:00',
      }),
    ],
  },
  address: [address],
  multipleBirthBoolean: false,
  communication: speaks(codes.language.english),
  contact: [
    {
      relationship: [concept('Mother')],
      name: { family: "O'Brien-Nuñez", given: ['Zoë'] },
      telecom: [phone('802-555-0121', 'mobile')],
    },
  ],
  generalPractitioner: [to(directory.haddad)],
  link: [{ other: { reference: 'RelatedPerson/zoe-mother-of-finn' }, type: 'seealso' }],
});

const finn = chart(person, 'finn');

const parent = (id, relation, family, given, number) =>
  finn.relative(id, {
    relationship: [concept(relation)],
    name: [{ family, given: [given], text: `${given} ${family}` }],
    telecom: [phone(number, 'mobile')],
    address: [address],
  });
const mother = parent('zoe-mother-of-finn', codes.relationship.mother, "O'Brien-Nuñez", 'Zoë', '802-555-0121');
const maren = parent('maren-parent-of-finn', codes.relationship.mother, 'Kowalczyk', 'Maren', '802-555-0122');

membership(finn, neighborhood, ['SCHOOLS-4', 'Lake County Schools'], '6620187502', period('2026-05-27'), {
  subscriber: to(mother),
  relationship: hl7('subscriber-relationship', 'child', 'Child'),
});

// ── Visits ────────────────────────────────────────────────────────────────────────────────────────────────────────

const born = finn.visit(
  '2026-05-27-birth',
  codes.visitType.admission,
  period(at('2026-05-27', '04:12'), at('2026-05-28', '11:00')),
  directory.haddad,
  directory.birthCenter,
  {
    kind: codes.actCode.inpatient,
    reasonCode: [concept('Birth')],
    hospitalization: { dischargeDisposition: hl7('discharge-disposition', 'home', 'Home') },
  },
);
const wellChild = (day) =>
  finn.visit(
    `${day}-well-child`,
    codes.visitType.wellChild,
    '09:30-10:00',
    directory.haddad,
    directory.pediatricOffice,
    {
      reasonCode: [concept(codes.visitType.wellChild)],
    },
  );
const twoWeeks = wellChild('2026-06-10');
const twoMonths = wellChild('2026-07-29');
const fourMonths = wellChild('2026-09-30');

const measuredAt = (visit, readings) =>
  vitals(finn, visit.id.slice(5, 15), visit.period.start, readings, {
    encounter: to(visit),
    performer: [to(directory.haddad)],
  });
vitals(
  finn,
  'birth',
  at('2026-05-27', '04:40'),
  { heartRate: '148', breathing: '46', temperature: '36.9', length: '51.0', weight: '3.48', head: '35.0' },
  { encounter: to(born) },
);
vitals(finn, '2026-05-28', '04:30', { oxygen: '99' }, { encounter: to(born), bodySite: concept('Right hand') });
measuredAt(twoWeeks, { length: '52.4', weight: '3.71', weightForLength: '48', head: '36.1', headPercentile: '57' });
measuredAt(twoMonths, {
  length: '58.6',
  weight: '5.62',
  weightForLength: '52',
  head: '39.2',
  headPercentile: '42',
  heartRate: '138',
  breathing: '38',
  temperature: '36.8',
});
/** A blood pressure without numbers, with a reason for each: the cuff did not fit, and he refused. */
measuredAt(fourMonths, {
  length: '64.1',
  weight: '7.05',
  weightForLength: '58',
  head: '41.8',
  headPercentile: '54',
  pressure: 'not-performed/not-performed',
});

const apgar = (slug, code, score, time) =>
  finn.survey(slug, codes.screening.functional, code, {
    effectiveDateTime: at('2026-05-27', time),
    encounter: to(born),
    performer: [to(directory.carvalho)],
    valueQuantity: quantity(score, '{score}'),
  });
const hearing = (slug, code, outcome) =>
  finn.result(slug, codes.observationCategory.procedure, code, {
    effectiveDateTime: at('2026-05-28', '08:10'),
    encounter: to(born),
    performer: [to(directory.lakeshore)],
    valueCodeableConcept: concept(outcome),
  });
apgar('apgar-1', codes.loinc.apgar1, '8', '04:13');
apgar('apgar-5', codes.loinc.apgar5, '9', '04:17');
hearing('hearing-right', codes.loinc.hearingRight, codes.loinc.pass);
hearing('hearing-left', codes.loinc.hearingLeft, codes.loinc.pass);

// ── Yellow for a week ─────────────────────────────────────────────────────────────────────────────────────────────

const heel = finn.specimen('2026-05-28-blood', codes.specimenType.blood, at('2026-05-28', '07:00'), {
  collection: { collectedDateTime: at('2026-05-28', '07:00'), bodySite: concept('Left heel') },
  condition: [hl7('v2-0493', 'HEM', 'Hemolyzed')],
  note: [{ text: 'A trace only; good enough for bilirubin.' }],
});
const bilirubin = labs(
  finn,
  '2026-05-28',
  '07:00',
  { bilirubin: '9.40' },
  {
    issued: at('2026-05-28', '08:21:00'),
    performer: [to(directory.mapleRidge)],
    specimen: to(heel),
  },
);
finn.labReport('2026-05-28-bilirubin', analytes.bilirubin.code, named(bilirubin, 'bilirubin'), {
  encounter: to(born),
  effectiveDateTime: at('2026-05-28', '07:00'),
  issued: at('2026-05-28', '08:21:00'),
  performer: [to(directory.raman), to(directory.mapleRidge)],
});
finn.problem('jaundice', codes.problem.neonatalJaundice, {
  clinical: 'resolved',
  onsetDateTime: '2026-05-28',
  abatementDateTime: '2026-06-06',
  recordedDate: '2026-05-28',
  asserted: '2026-05-28',
  evidence: [{ detail: [to(bilirubin[0]), to(bloodGroup)] }],
  note: [{ text: 'Mother is O positive; no sign of incompatibility.' }],
});
finn.diagnosis('newborn', 'Healthy newborn at 40 weeks', {
  clinical: null,
  encounter: to(born),
  recordedDate: '2026-05-27',
});

finn.allergy('not-asked', codes.allergen.notAsked, {
  verification: 'unconfirmed',
  recordedDate: '2026-05-27',
});

// ── Vaccines ──────────────────────────────────────────────────────────────────────────────────────────────────────

const dose = (slug, code, visit, n, more) =>
  finn.vaccine(slug, code, visit.period.start, {
    encounter: to(visit),
    location: to(directory.pediatricOffice),
    protocolApplied: [{ doseNumberPositiveInt: n }],
    performer: [{ actor: to(directory.haddad) }],
    ...more,
  });
finn.vaccine('hepatitis-b-birth', codes.cvx.hepB, at('2026-05-27', '09:00'), {
  encounter: to(born),
  location: to(directory.birthCenter),
  lotNumber: 'HB-2210',
});
dose('dtap-1', codes.cvx.dtapHepBIpv, twoMonths, 1);
dose('hib-1', codes.cvx.hib, twoMonths, 1);
dose('pcv-1', codes.cvx.pcv20, twoMonths, 1);
dose('rotavirus-1', codes.cvx.rotavirus, twoMonths, 1);
dose('dtap-2', codes.cvx.dtapHepBIpv, fourMonths, 2);
dose('hib-2', codes.cvx.hib, fourMonths, 2);
dose('pcv-2', codes.cvx.pcv20, fourMonths, 2);
dose('rotavirus-2', codes.cvx.rotavirus, fourMonths, 2, {
  status: 'not-done',
  statusReason: concept(codes.actReason.outOfStock),
  performer: undefined,
  protocolApplied: undefined,
});
finn.vaccine('rsv-antibody', codes.cvx.nirsevimab, at('2026-10-07', '15:10'), {
  performer: [{ actor: to(directory.haddad) }],
});

finn.prescription('vitamin-d', 'Vitamin D3 drops, 400 units a drop', {
  authoredOn: at('2026-06-10', '09:58'),
  encounter: to(twoWeeks),
  requester: to(directory.haddad),
  reportedBoolean: false,
  reasonCode: [concept('Breastfed')],
  dosageInstruction: dosage('One drop a day', { frequency: 1 }, quantity('1', 'drop', '[drp]')),
  dispenseRequest: { numberOfRepeatsAllowed: 5, quantity: quantity('9', 'mL') },
});

/** A team with another patient on it: Patient/zoe-obrien-nunez is his mother. */
const team = finn.careTeam(
  'care-team',
  [
    [codes.role.pediatrician, directory.haddadRole],
    [codes.role.caregiver, mother],
    [codes.role.caregiver, maren],
    ['Mother', zoePerson],
  ],
  { name: "Finn's people", period: period('2026-05-27') },
);
finn.carePlan(
  'first-year',
  'The first year',
  [
    'Well-child visits at 6, 9 and 12 months.',
    'Second rotavirus dose as soon as it is delivered, before 24 weeks.',
    'A drop of vitamin D every day.',
  ],
  { period: period('2026-05-27'), careTeam: [to(team)] },
);
finn.goal('weight', 'To double his birth weight', {
  lifecycleStatus: 'completed',
  startDate: '2026-05-27',
  target: [{ dueDate: '2026-10-27' }],
});

finn.document(
  'newborn-note',
  codes.loinc.progressNote,
  textNote(`
  Second day. Pink, then faintly yellow; bilirubin 9.4 at 27 hours, below the line for the lamp. Drinks well.
  Hearing: passed on both sides. Home today.
`),
  {
    date: at('2026-05-28', '10:30'),
    author: [to(directory.haddad)],
    custodian: to(directory.lakeshore),
    context: { encounter: [to(born)], period: born.period, related: [to(birthOfFinn)] },
  },
);

finn.signed(at('2026-10-07', '22:00:02.000'), directory.haddad, directory.littleBirch, directory.threeRivers);

export default finn.records;
