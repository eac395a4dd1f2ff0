// Jordan Ellis, 26, cooks in a bar and sleeps on a friend's sofa. The depression of 2021 came back last winter.
// Questionnaires and what follows from them: hunger, housing, mood; a form, its answers, the scores, a request, a visit
// to the food shelf.

import { textNote } from '../attachments.mjs';
import { at, chart, concept, dosage, extension, period, quantity, to, unknown } from '../build.mjs';
import * as codes from '../codes.mjs';
import { genderIdentity, home, mrn, notHispanic, patient, phone, race, sexUnknown, speaks } from '../demographics.mjs';
import {
  checkInForm,
  clinic,
  gateway,
  hungerForm,
  juniperHill,
  lindholm,
  lindholmRole,
  openTable,
  oreilly,
  quintero,
  quinteroRole,
  stillwater,
  threeRivers,
} from '../directory.mjs';
import { vitals } from '../measures.mjs';
import { basicCare, membership } from '../membership.mjs';
import { exact } from '../print.mjs';

export const person = patient('jordan-ellis', {
  extension: [
    race('Black and White', [codes.race.black, codes.race.white]),
    notHispanic,
    ...sexUnknown,
    genderIdentity('Identifies as nonbinary'),
  ],
  identifier: [mrn(juniperHill, 'JH-003118')],
  name: [
    { use: 'official', text: 'Jordan Ellis', family: 'Ellis', given: ['Jordan'], period: { start: '2022-03-01' } },
    { use: 'old', text: 'J. Ellis-Marsh', family: 'Ellis-Marsh', given: ['J.'], period: { end: '2022-02-28' } },
  ],
  telecom: [phone('802-555-0171', 'mobile')],
  gender: 'other',
  birthDate: '1999-12-05',
  address: [
    {
      use: 'temp',
      text: 'With a friend, Burlington',
      city: 'Burlington',
      state: 'VT',
      postalCode: '05401',
      country: 'US',
      period: { start: '2025-12' },
    },
  ],
  communication: speaks(codes.language.english),
  generalPractitioner: [to(lindholm)],
});

const jordan = chart(person, 'jordan');

const rae = jordan.relative('rae-donovan', {
  relationship: [concept('Friend')],
  name: [{ text: 'Rae Donovan', family: 'Donovan', given: ['Rae'] }],
  telecom: [phone('802-555-0172', 'mobile')],
  address: [home('22 Foundry Street', 'Burlington', '05401')],
});
membership(jordan, basicCare, ['ADULT', 'Adult Medicaid'], '2217730801', period('2024-02-01', '2027-01-31'));

const visit = jordan.visit('2026-01-27-mood', codes.visitType.symptom, '14:00-14:50', lindholm, clinic, {
  reasonReference: [{ reference: 'Condition/jordan-depression' }],
});
const talk = jordan.visit('2026-02-05-social-work', codes.visitType.followUp, '11:00-11:45', quintero, clinic);
const later = jordan.visit('2026-05-05-mood', codes.visitType.followUp, '14:00-14:30', lindholm, clinic);

// ── The forms, as they came back ──────────────────────────────────────────────────────────────────────────────────

const hunger = jordan.answers('2026-01-27-hunger', {
  identifier: { system: 'https://forms.juniper-hill.example.org/answers', value: '88121-0417' },
  questionnaire: hungerForm.url,
  _questionnaire: {
    extension: [extension('http://hl7.org/fhir/StructureDefinition/display', { valueString: hungerForm.title })],
  },
  encounter: to(visit),
  authored: at('2026-01-27', '13:50'),
  author: to(quintero),
  source: to(person),
  item: [
    { linkId: 'worried', text: hungerForm.item[0].text, answer: [{ valueCoding: codes.loinc.oftenTrue }] },
    { linkId: 'did-not-last', text: hungerForm.item[1].text, answer: [{ valueCoding: codes.loinc.sometimesTrue }] },
  ],
});
const checkIn = jordan.answers('2026-01-27-check-in', {
  identifier: { system: 'https://forms.juniper-hill.example.org/answers', value: 'check-in-2093' },
  questionnaire: checkInForm.url,
  encounter: to(visit),
  authored: at('2026-01-27', '13:45'),
  author: to(person),
  item: [
    {
      linkId: 'home',
      text: 'Your home',
      item: [
        {
          linkId: 'home.people',
          text: 'How many people live with you, you included?',
          answer: [{ valueDecimal: exact('3.0') }],
        },
        {
          linkId: 'home.place',
          text: 'Where are you living now?',
          answer: [{ valueString: "On Rae's sofa, since December" }],
        },
      ],
    },
    { linkId: 'sleep', text: 'How many hours did you sleep last night?', answer: [{ valueDecimal: exact('4.5') }] },
    {
      linkId: 'safe',
      text: 'Is there something about your home that worries you?',
      answer: [
        {
          valueCoding: codes.loinc.yes,
          item: [
            {
              linkId: 'safe.what',
              text: 'If you like, tell us what.',
              answer: [{ valueString: 'The lease is not mine.' }],
            },
          ],
        },
      ],
    },
  ],
});
/** A paper form without a Questionnaire on any server. It is identified by the place where it was printed. */
jordan.answers('2021-paper', {
  _questionnaire: {
    extension: [
      extension('http://hl7.org/fhir/us/core/StructureDefinition/us-core-extension-questionnaire-uri', {
        valueUri: 'https://forms.juniper-hill.example.org/paper/mood-2019.pdf',
      }),
    ],
  },
  status: 'in-progress',
  authored: '2021-11-09',
  author: to(person),
  item: [
    {
      linkId: '1',
      text: 'How have you slept?',
      answer: [{ valueString: 'Badly' }],
    },
  ],
});

const onForm = {
  effectiveDateTime: at('2026-01-27', '13:50'),
  encounter: to(visit),
  performer: [to(person)],
  derivedFrom: [to(hunger)],
};
const worried = jordan.survey('2026-01-27-worried', codes.screening.sdoh, codes.loinc.hungerWorried, {
  ...onForm,
  valueCodeableConcept: concept(codes.loinc.oftenTrue),
});
const didNotLast = jordan.survey('2026-01-27-did-not-last', codes.screening.sdoh, codes.loinc.hungerDidNotLast, {
  ...onForm,
  valueCodeableConcept: concept(codes.loinc.sometimesTrue),
});
const atRisk = jordan.survey('2026-01-27-hunger-risk', codes.screening.sdoh, codes.loinc.hungerRisk, {
  ...onForm,
  derivedFrom: [to(worried), to(didNotLast)],
  valueCodeableConcept: concept(codes.loinc.atRisk),
});
const hungerPanel = jordan.survey('2026-01-27-hunger', codes.screening.sdoh, codes.loinc.hungerPanel, {
  ...onForm,
  hasMember: [worried, didNotLast, atRisk].map(to),
});
jordan.survey('2026-01-27-household', codes.screening.sdoh, codes.loinc.householdSize, {
  ...onForm,
  derivedFrom: [to(checkIn)],
  valueQuantity: quantity('3.0', '{#}'),
});
jordan.survey('2026-01-27-place', codes.screening.sdoh, 'Where are you living now?', {
  ...onForm,
  derivedFrom: [to(checkIn)],
  valueString: "On Rae's sofa, since December",
});

/** PHQ-9: the panel, seven of the nine answers, and the score; one question was left blank and one declined. */
function mood(day, encounter, score, answers) {
  const given = { effectiveDateTime: at(day, '13:55'), encounter: to(encounter), performer: [to(person)] };
  const items = Object.entries(answers).map(([question, answer]) =>
    jordan.survey(`${day}-${question.toLowerCase()}`, codes.screening.cognitive, codes.loinc[question], {
      ...given,
      ...(answer.system === codes.absent.declined.system
        ? { dataAbsentReason: concept(answer) }
        : { valueCodeableConcept: concept(answer) }),
    }),
  );
  const total = jordan.survey(`${day}-phq9-total`, codes.screening.cognitive, codes.loinc.phq9Total, {
    ...given,
    valueQuantity: quantity(score, '{score}'),
    derivedFrom: items.map(to),
  });
  const panel = jordan.survey(`${day}-phq9`, codes.screening.cognitive, codes.loinc.phq9Panel, {
    ...given,
    hasMember: [...items, total].map(to),
  });
  return [panel, total, items];
}
const winter = mood('2026-01-27', visit, '15', {
  phq9Interest: codes.loinc.moreThanHalf,
  phq9Down: codes.loinc.nearlyEveryDay,
  phq9Sleep: codes.loinc.nearlyEveryDay,
  phq9Tired: codes.loinc.moreThanHalf,
  phq9Appetite: codes.loinc.severalDays,
  phq9Failure: codes.loinc.moreThanHalf,
  phq9Concentration: codes.absent.declined,
});
mood('2026-05-05', later, '6', {
  phq9Interest: codes.loinc.severalDays,
  phq9Down: codes.loinc.severalDays,
  phq9Sleep: codes.loinc.severalDays,
});
jordan.simple('2026-01-27-severity', codes.screening.cognitive, codes.loinc.depressionSeverity, {
  effectiveDateTime: at('2026-01-27', '14:30'),
  performer: [to(lindholm)],
  encounter: to(visit),
  valueCodeableConcept: concept(codes.loinc.moderate),
  derivedFrom: [to(winter[1])],
});
jordan.social('us-core-smokingstatus', 'smoking', codes.loinc.smoking, {
  effectiveDateTime: at('2026-01-27', '14:05'),
  valueCodeableConcept: concept(codes.finding.someDaySmoker),
});
jordan.social('us-core-observation-occupation', 'occupation', codes.loinc.occupation, {
  effectivePeriod: period('2024-06'),
  performer: [to(person)],
  valueCodeableConcept: concept('Line cook'),
});
jordan.survey('2026-01-27-audit-c-total', codes.observationCategory.socialHistory, codes.loinc.auditCTotal, {
  effectiveDateTime: at('2026-01-27', '13:56'),
  encounter: to(visit),
  performer: [to(person)],
  valueQuantity: quantity('2', '{score}'),
});

// ── What follows ──────────────────────────────────────────────────────────────────────────────────────────────────

const depression = jordan.problem('depression', [codes.problem.recurrentDepression, codes.icd10.depression], {
  clinical: 'recurrence',
  asserted: '2026-01-27',
  onsetDateTime: '2025-12',
  recordedDate: at('2026-01-27', '14:45'),
  recorder: to(lindholm),
});
jordan.problem('anxiety', codes.problem.anxiety, {
  verification: 'refuted',
  clinical: 'inactive',
  onsetDateTime: '2021-11',
  recordedDate: '2022-02-15',
});
const food = jordan.problem('food', [codes.problem.foodInsecurity, codes.icd10.foodInsecurity], {
  screening: codes.screening.sdoh,
  asserted: '2026-01-27',
  onsetDateTime: '2025-12',
  recordedDate: '2026-01-27',
  evidence: [{ detail: [to(atRisk)] }],
});
const housing = jordan.concern('housing', codes.problem.housingInstability, {
  screening: codes.screening.sdoh,
  asserted: '2026-01-27',
  onsetDateTime: '2025-12-01',
  recordedDate: '2026-01-27',
});
jordan.allergy('no-known-allergy', codes.allergen.noneKnown, { recordedDate: '2026-01-27' });

const foodRequest = jordan.request('food-shelf', codes.screening.sdoh, codes.procedure.foodPantry, {
  status: 'completed',
  encounter: to(talk),
  occurrencePeriod: period('2026-02-09', '2026-03-09'),
  authoredOn: at('2026-02-05', '11:40'),
  requester: to(quintero),
  performer: [to(openTable)],
  reasonReference: [to(food)],
});
jordan.request('housing', codes.requestCategory.social, 'Place on the housing list', {
  encounter: to(talk),
  occurrencePeriod: period('2026-02-09'),
  authoredOn: at('2026-02-05', '11:42'),
  requester: to(quintero),
  reasonReference: [to(housing)],
});
jordan.procedure('food-shelf', codes.procedure.foodPantry, {
  basedOn: [to(foodRequest)],
  performedDateTime: '2026-02-11',
  performer: [{ actor: to(openTable) }],
});
jordan.procedure('depression-screening', codes.procedure.depressionScreening, {
  performedDateTime: at('2026-01-27', '13:55'),
  encounter: to(visit),
});

const tablets = (drug, slug, encounter, more) =>
  jordan.prescription(slug, drug, {
    encounter: to(encounter),
    authoredOn: encounter.period.end,
    requester: to(lindholm),
    reportedBoolean: false,
    reasonReference: [to(depression)],
    dosageInstruction: dosage('One tablet in the morning', { frequency: 1 }, quantity('1', 'tablet', '{tbl}')),
    dispenseRequest: {
      numberOfRepeatsAllowed: 2,
      quantity: quantity('30', 'tablet', '{tbl}'),
    },
    ...more,
  });
const half = tablets(codes.rxnorm.sertraline50, 'sertraline-50', visit, { status: 'completed' });
const full = tablets(codes.rxnorm.sertraline100, 'sertraline-100', later, { priorPrescription: to(half) });
jordan.dispense('sertraline-2026-01-28', half, codes.actCode.firstFill, at('2026-01-28', '12:30'), {
  performer: [{ actor: to(stillwater) }],
});
jordan.dispense('sertraline-2026-05-06', full, codes.actCode.firstFill, at('2026-05-06', '12:10'), {
  performer: [{ actor: to(stillwater) }],
});
jordan.vaccine('flu-2025', codes.cvx.influenzaTrivalent, '2025-11-04', { status: 'entered-in-error' });
jordan.vaccine('tdap', codes.cvx.tdap, '2024-03-12');
vitals(
  jordan,
  '2026-01-27',
  '14:02',
  { pressure: '116/74', heartRate: '80', weight: '61.0', height: '172.0', bmi: '20.6' },
  { encounter: to(visit), performer: [to(oreilly)] },
);

const goal = jordan.goal('three-meals', 'Three meals a day, every day', {
  startDate: '2026-02-05',
  target: [{ dueDate: '2026-06-30' }],
  addresses: [to(food)],
  expressedBy: to(person),
});
/** A member signs the notes from the shelter, but the record does not state the role. */
const team = jordan.careTeam(
  'support-team',
  [
    [codes.role.primaryCare, lindholmRole],
    [codes.role.socialWorker, quinteroRole],
    ['Friend', rae],
    [unknown, oreilly],
  ],
  { name: 'Support team', period: period('2026-01-27') },
);
jordan.carePlan(
  'winter-plan',
  'Through the winter',
  [
    'Sertraline in the morning.',
    'Food shelf on Wednesdays.',
    'Rae calls if Jordan stops answering.',
    '988 at any hour.',
  ],
  {
    period: period('2026-01-27', '2026-12-31'),
    careTeam: [to(team)],
    addresses: [to(depression), to(food), to(housing)],
    goal: [to(goal)],
  },
);
jordan.document(
  'mood',
  codes.loinc.progressNote,
  textNote(`
  Third winter, second depression. Sleeps on a friend's sofa, eats at work. No thoughts of dying; would tell Rae.
  PHQ-9 fifteen, one question declined. Sertraline, social work, food shelf. Back in a week by telephone, in person in May.
`),
  { date: at('2026-01-27', '15:10'), author: [to(lindholm)], custodian: to(juniperHill), visit },
);

jordan.signed(at('2026-09-30', '22:00:07.000'), lindholm, juniperHill, threeRivers);
const answers = [hunger, hungerPanel];
jordan.provenance('answers-provenance', at('2026-01-27', '13:51:00.000'), answers, to(quintero), juniperHill, {
  carrier: gateway,
});

export default jordan.records;
