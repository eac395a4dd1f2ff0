//! Cases of pregnancies in the records of a chart: those that are current, and all that must not look so.

import type { Resource } from '../fhir/types.ts';

export interface PregnancyCase {
  from: string;
  of: Resource[];
  /** The lines about the pregnancy; none if no record states a current one. */
  says: string[];
}

/** The day of all cases, in the zone of the reader. In UTC it is the day after. */
export const ZONE = 'America/Los_Angeles';
export const TODAY = '2026-06-15T23:00:00-07:00';

type More = Record<string, unknown>;
const LOINC = 'http://loinc.org';
const SNOMED = 'http://snomed.info/sct';
const coded = (system: string, code: string, display?: string) => ({
  coding: [{ system, code, ...(display ? { display } : {}) }],
});
const named = (text: string) => ({ text });
const record =
  (resourceType: string, usual: More) =>
  (more: More): Resource & More => ({ resourceType, id: JSON.stringify(more).slice(0, 60), ...usual, ...more });
const observed = record('Observation', { status: 'final', effectiveDateTime: '2026-05-01' });
const done = record('Procedure', { status: 'completed', performedDateTime: '2026-06-01' });
const active = { clinicalStatus: { coding: [{ code: 'active' }] } };
const resolved = { clinicalStatus: { coding: [{ code: 'resolved' }] } };
const problem = record('Condition', { ...active, recordedDate: '2026-05-01' });

const STATUS = coded(LOINC, '82810-3', 'Pregnancy status');
const YES = { valueCodeableConcept: coded(SNOMED, '77386006', 'Pregnant') };
const NO = { valueCodeableConcept: coded(SNOMED, '60001007', 'Not pregnant') };
const status = (more: More) => observed({ code: STATUS, ...more });
const pregnant = status(YES);
const due = (on: string, more: More = {}) => observed({ code: coded(LOINC, '11778-8'), valueDateTime: on, ...more });
const ICD = 'http://hl7.org/fhir/sid/icd-10-cm';
const PREGNANCY = coded(SNOMED, '72892002', 'Normal pregnancy');
const LOSS = coded(SNOMED, '17369002', 'Miscarriage');
const CESAREAN = coded(SNOMED, '11466000', 'Cesarean section');
const UNKNOWN = { valueCodeableConcept: coded(LOINC, 'LA4489-6', 'Unknown') };
const verified = (code: string) => ({ verificationStatus: { coding: [{ code }] } });
const ALL = ['Pregnant, 1 May 2026', 'Due date 20 Nov 2026, 17+3 weeks today'];
const modified = { modifierExtension: [{ url: 'http://example.org/negated', valueBoolean: true }] };
const fetus = { focus: [{ display: 'Fetus' }] };

const row = (from: string, of: Resource[], ...says: string[]): PregnancyCase => ({ from, of, says });

export const PREGNANCY_CASES: readonly PregnancyCase[] = [
  row('IPS: a status and a due date', [pregnant, due('2026-11-20')], ...ALL),
  row(
    'a due date from the ovulation, of a month',
    [pregnant, observed({ code: coded(LOINC, '11780-4'), valueDateTime: '2026-11' })],
    'Pregnant, 1 May 2026',
    'Due date Nov 2026',
  ),
  row('the written day of a due date with a zone', [pregnant, due('2026-11-20T23:30:00-09:00')], ...ALL),
  row(
    'a due date in the parts of the status',
    [status({ ...YES, component: [{ code: coded(SNOMED, '161714006'), valueDateTime: '2026-11-20' }] })],
    ...ALL,
  ),
  row(
    'the newest due date',
    [pregnant, due('2026-11-01', { effectiveDateTime: '2026-04-01' }), due('2026-11-20')],
    ...ALL,
  ),
  row(
    'US Core: a condition',
    [problem({ code: PREGNANCY, onsetDateTime: '2026-03-02' })],
    'Normal pregnancy, since 2 Mar 2026',
  ),
  row('ICD-10-CM', [problem({ code: coded(ICD, 'Z34.02', 'Supervision') })], 'Supervision, 1 May 2026'),
  row(
    'ICPC-2',
    [problem({ code: coded('http://hl7.org/fhir/sid/icpc-2', 'W78', 'Zwangerschap') })],
    'Zwangerschap, 1 May 2026',
  ),
  row(
    'UK Core: a finding without a value',
    [observed({ code: coded(SNOMED, '77386006', 'Patient currently pregnant') })],
    'Patient currently pregnant, 1 May 2026',
  ),
  row('true to the question', [status({ valueBoolean: true })], 'Pregnancy status Yes, 1 May 2026'),
  row('yes in plain words', [status({ valueString: 'Sí' })], 'Pregnancy status Sí, 1 May 2026'),
  row(
    'the words of the record, which doubt',
    [status({ valueCodeableConcept: { ...YES.valueCodeableConcept, text: 'Possibly pregnant' } })],
    'Possibly pregnant, 1 May 2026',
  ),
  row('no date, but active', [record('Condition', active)({ code: PREGNANCY })], 'Normal pregnancy, no date'),
  row('preliminary', [status({ ...YES, status: 'preliminary' })], 'Pregnant, 1 May 2026, preliminary'),
  row(
    'a due date that has just passed',
    [pregnant, due('2026-06-10')],
    'Pregnant, 1 May 2026',
    'Due date 10 Jun 2026, passed, 40+5 weeks today',
  ),
  row(
    'a due date of an earlier pregnancy',
    [pregnant, due('2024-06-01', { effectiveDateTime: '2024-01-01' })],
    'Pregnant, 1 May 2026',
  ),
  row(
    'an onset 43 weeks ago',
    [problem({ code: PREGNANCY, onsetDateTime: '2025-08-18' })],
    'Normal pregnancy, since 18 Aug 2025',
  ),
  row(
    'pregnant again after a denial',
    [status({ ...NO, effectiveDateTime: '2026-03-01' }), pregnant],
    'Pregnant, 1 May 2026',
  ),
  row(
    'a condition that began before a denial and was recorded after it',
    [status({ ...NO, effectiveDateTime: '2026-03-10' }), problem({ code: PREGNANCY, onsetDateTime: '2026-03-02' })],
    'Normal pregnancy, since 2 Mar 2026',
  ),
  row(
    'after a pregnancy of earlier years',
    [problem({ code: PREGNANCY, ...resolved, recordedDate: '2019-01-01', abatementDateTime: '2019-08-01' }), pregnant],
    'Pregnant, 1 May 2026',
  ),
  row(
    'a loss that is feared',
    [pregnant, problem({ code: coded(ICD, 'O20.0', 'Threatened abortion'), onsetDateTime: '2026-06-01' })],
    'Pregnant, 1 May 2026',
  ),
  row(
    'a cesarean section that is planned',
    [pregnant, done({ status: 'preparation', code: CESAREAN })],
    'Pregnant, 1 May 2026',
  ),
  row(
    'an answer that is open leaves the one before',
    [pregnant, status({ effectiveDateTime: '2026-06-01', ...UNKNOWN })],
    'Pregnant, 1 May 2026',
  ),
  row(
    'a loss that is dated by its entry alone',
    [pregnant, problem({ code: LOSS, recordedDate: '2026-06-01' })],
    'Pregnant, 1 May 2026',
  ),
  row(
    'a loss that is unconfirmed',
    [pregnant, problem({ code: LOSS, onsetDateTime: '2026-06-01', ...verified('unconfirmed') })],
    'Pregnant, 1 May 2026',
  ),
  row(
    'resolved, but nobody knows when',
    [pregnant, problem({ code: PREGNANCY, ...resolved, recordedDate: '2026-06-01' })],
    'Pregnant, 1 May 2026',
  ),
  row(
    'a birth without a date',
    [
      record('Condition', active)({ code: PREGNANCY }),
      record('Procedure', { status: 'completed' })({ code: CESAREAN }),
    ],
    'Normal pregnancy, no date',
  ),

  row('a due date alone, as a newborn may have it', [due('2026-11-20')]),
  row('in words alone', [
    problem({ code: named('Normal pregnancy') }),
    observed({ code: named('Pregnancy status'), ...YES }),
    status({ valueCodeableConcept: named('Pregnant') }),
    due('2026-11-20', { code: named('Due date') }),
  ]),
  row('more than plain words', [status({ valueString: 'Pregnant in 2019' })]),
  row('the heading of a panel', [
    observed({ code: coded(SNOMED, '77386006', 'Pregnancy'), component: [{ code: STATUS, ...UNKNOWN }] }),
    observed({ code: coded(SNOMED, '77386006', 'Pregnancy'), hasMember: [{ reference: 'Observation/x' }] }),
  ]),
  row('a due date that was corrected, and is long passed', [
    status({ ...YES, effectiveDateTime: '2026-01-01' }),
    due('2026-08-20', { effectiveDateTime: '2026-01-01' }),
    due('2026-05-20', { effectiveDateTime: '2026-02-01' }),
  ]),
  row('delivered, and recorded after that', [
    done({ code: CESAREAN }),
    problem({ code: PREGNANCY, onsetDateTime: '2025-09-01', recordedDate: '2026-06-03' }),
  ]),
  row('delivered before term', [pregnant, done({ code: coded(SNOMED, '282020008') })]),
  row('terminated, in ICD-10-CM', [pregnant, problem({ code: coded(ICD, 'Z33.2'), onsetDateTime: '2026-06-01' })]),
  row('an onset 45 weeks ago', [problem({ code: PREGNANCY, onsetDateTime: '2025-08-04' })]),
  row('an answer 43 weeks ago', [status({ ...YES, effectiveDateTime: '2025-08-18' })]),

  row('denied', [status(NO)]),
  row('denied in words', [pregnant, status({ valueString: 'Not pregnant', effectiveDateTime: '2026-06-01' })]),
  row('denied by a condition', [pregnant, problem({ code: NO.valueCodeableConcept, recordedDate: '2026-06-01' })]),
  row('denied later, with a due date of before', [
    pregnant,
    due('2026-11-20'),
    status({ ...NO, effectiveDateTime: '2026-06-01' }),
  ]),
  row('denied on the same day', [pregnant, status(NO)]),
  row('no to a question', [pregnant, status({ valueBoolean: false })]),
  row('a denial that is answered with yes', [
    observed({ code: coded(SNOMED, '60001007', 'Not pregnant'), valueBoolean: true }),
  ]),
  row('words against their code', [
    status({ valueCodeableConcept: { ...YES.valueCodeableConcept, text: 'Not pregnant' } }),
  ]),
  row('unknown', [status(UNKNOWN)]),
  row('possible', [status({ valueCodeableConcept: coded(SNOMED, '146799005', 'Possible pregnancy') })]),
  row('not asked', [status({ dataAbsentReason: named('not asked') })]),
  row('a code with the reason why its value is absent', [
    observed({ code: coded(SNOMED, '77386006'), dataAbsentReason: named('unknown') }),
  ]),
  row('by mistake', [
    status({ ...YES, status: 'entered-in-error' }),
    due('2026-11-20', { status: 'entered-in-error' }),
  ]),
  row('cancelled', [status({ ...YES, status: 'cancelled' })]),
  row('changed by something not understood', [
    status({ ...YES, ...modified }),
    problem({ code: PREGNANCY, ...modified }),
  ]),
  row('about the fetus', [status({ ...YES, ...fetus }), due('2026-11-20', fetus)]),
  row('about somebody else', [status({ ...YES, focus: [{ reference: 'RelatedPerson/x', display: 'Partner' }] })]),
  row('about the fetus of the panel', [
    { ...pregnant, id: 'status', hasMember: [{ reference: 'Observation/due' }], ...fetus } as Resource,
    { ...due('2026-11-20'), id: 'due' } as Resource,
  ]),
  row('refuted', [problem({ code: PREGNANCY, ...verified('refuted') })]),
  row('unconfirmed', [problem({ code: PREGNANCY, ...verified('unconfirmed') })]),
  row('a condition by mistake', [problem({ code: PREGNANCY, ...verified('entered-in-error') })]),
  row('resolved', [problem({ code: PREGNANCY, ...resolved })]),
  row('over by its end alone', [
    record('Condition', {})({ code: PREGNANCY, recordedDate: '2025-08-01', abatementDateTime: '2026-05-20' }),
    pregnant,
  ]),
  row('never closed, of an earlier year', [problem({ code: PREGNANCY, recordedDate: '2024-01-01' })]),
  row('never closed, recorded again at an import', [
    problem({ code: PREGNANCY, onsetDateTime: '2019-01-01', recordedDate: '2026-06-01' }),
  ]),
  row('an answer of an earlier year', [status({ ...YES, effectiveDateTime: '2025-06-01' })]),
  row('an answer without a date', [record('Observation', { status: 'final' })({ code: STATUS, ...YES })]),
  row('a due date long passed, and the answer before it', [
    status({ ...YES, effectiveDateTime: '2025-12-01' }),
    due('2026-05-01', { effectiveDateTime: '2025-12-01' }),
  ]),
  row('delivered', [pregnant, due('2026-06-20'), done({ code: CESAREAN })]),
  row('a loss', [pregnant, problem({ code: LOSS, ...resolved, onsetDateTime: '2026-06-01' })]),
  row('a wish', [observed({ code: coded(LOINC, '86645-9', 'Pregnancy intent'), valueCodeableConcept: named('Yes') })]),
  row('a disease of pregnancies', [problem({ code: coded(SNOMED, '11687002', 'Gestational diabetes') })]),
];
