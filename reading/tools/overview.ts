//! The tool `overview`: who the patient is, and what is current.

import { withoutAbsences } from '../fhir/absence.ts';
import { codesOf } from '../fhir/concept-codes.ts';
import { instant, newest } from '../fhir/date.ts';
import { hasCode, isEnteredInError, nameOf } from '../fhir/text.ts';
import { type Observation, ofType, type Patient, type Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { isNothingKnown } from '../medications/medication.ts';
import { medicationList } from '../medications/medication-list.ts';
import { medicationRecords } from '../medications/medication-records.ts';
import { notInUse } from '../people/in-use.ts';
import { allergyLists } from '../problems/allergy.ts';
import { byProblem, byWeight, problemLists } from '../problems/problem.ts';
import { placeOf } from '../results/observation-place.ts';
import { isPressure, lacksNumber } from '../results/panels/pressure.ts';
import { groupsOf } from '../results/panels/test-groups.ts';
import { when } from '../results/values/reading.ts';
import { lastVisit, visitsByTime } from '../timeline/visits.ts';
import { type Answer, pageOf, type Tool, type ToolCall } from './call.ts';
import { type Fact, factOf, refOf, toldOrQuoted, withoutQuoted } from './fact.ts';
import { hiddenText, isPersonName, plainRule } from './plain-text.ts';
import { BUDGET, closedText, escaped, patientOf, searchOf, sizeOf } from './result.ts';
import { foundBy, sourceSearches, withTargets } from './targets.ts';

/** The types of records in the overview that one search reads, each with the condition for what is current. */
const CURRENT: Readonly<Record<string, readonly [string, string]>> = {
  AllergyIntolerance: ['clinical-status:not', 'inactive,resolved'],
  Condition: ['clinical-status:not', 'inactive,remission,resolved'],
  MedicationRequest: ['status:not', 'cancelled,completed,entered-in-error,stopped'],
  MedicationStatement: ['status:not', 'completed,entered-in-error,not-taken,stopped'],
};
const LISTED = Object.keys(CURRENT);
const VISITS = 5;

/** Records, and the facts that were made of the first of them. */
interface Listed {
  records: readonly Resource[];
  facts: Fact[];
}

const listedOf = (records: readonly Resource[]): Listed => ({ records, facts: [] });

/** A section: its name, the types of its records, and what is current and what is past. */
type Section = [name: string, types: readonly string[], current: Listed, past?: Listed];

/** Returns what is told of a section: its facts, or what was searched if there are none. */
function toldOf(
  { types }: ToolCall,
  unread: readonly string[],
  [name, of, { records, facts }, past = listedOf([])]: Section,
): object {
  const open = of.filter((type) => types.includes(type));
  const none = open.some((type) => unread.includes(type))
    ? 'There are too many such records to read them all: ask with query.'
    : open.length === 0
      ? 'This app may not see such records.'
      : `No current ${name} among the ${open.join(' and ')} records that this app may see, which does not mean none.`;
  return {
    name,
    shown: facts.length,
    total: records.length,
    facts,
    past: past.records.length > 0 ? past.facts : undefined,
    none: records.length === 0 ? none : undefined,
  };
}

/** Returns the name, the birth date and the sex of a patient, the death, and why the record is not in use. */
function whoOf({ words }: ToolCall, patient: Patient): object {
  const { birthDate, gender, deceasedDateTime, deceasedBoolean } = patient;
  const texts = { name: nameOf(patient.name), caution: notInUse(words, patient).join('; ') };
  const isPlain = plainRule([patient]);
  return {
    ref: refOf(patient),
    ...toldOrQuoted(texts, (text, name) => (name === 'name' ? isPersonName(text) : isPlain(text))),
    born: instant(birthDate) === undefined ? undefined : birthDate,
    died: instant(deceasedDateTime) === undefined ? deceasedBoolean : deceasedDateTime,
    gender: /^[a-z]{1,10}$/.test(gender ?? '') ? gender : undefined,
  };
}

const isWhole = (answer: Answer | undefined): boolean => answer?.status === 200 && pageOf(answer).cursor === undefined;

/** Makes facts until a budget of bytes is spent: of the first lists first, and each time of the shortest of them. */
function fill(ranks: readonly (readonly Listed[])[], budget: number, make: (record: Resource) => Fact): void {
  let left = budget;
  for (const lists of ranks) {
    for (;;) {
      const [shortest] = lists
        .filter(({ records, facts }) => facts.length < records.length)
        .toSorted((a, b) => a.facts.length - b.facts.length);
      const record = shortest?.records[shortest.facts.length];
      if (!shortest || !record) break;
      const fact = make(record);
      left -= sizeOf(fact) + 1;
      if (left < 0) return;
      shortest.facts.push(fact);
    }
  }
}

export const overview: Tool = function* (call): Generator<string[], object, Answer[]> {
  const { words, now } = call;
  const patient = yield* patientOf(call);
  const listed = LISTED.filter((type) => call.types.includes(type));
  const isOpen = (type: string): boolean => call.types.includes(type);
  const ofPatient = ['patient', patient] as const;
  const isValid = ['status:not', 'entered-in-error,cancelled'] as const;
  const requests = [
    isOpen('Patient') && searchOf('Patient', [['_id', patient]]),
    listed.length > 0 && searchOf('', [ofPatient, ['_type', listed.join(',')], ['_count', '1000']]),
    isOpen('Observation') &&
      searchOf('Observation/$lastn', [ofPatient, ['code:missing', 'false'], isValid, ['max', '2'], ['_count', '1000']]),
    isOpen('Encounter') && searchOf('Encounter', [ofPatient, ['_count', '50'], ['_sort', '-date']]),
  ];
  const sources = isOpen('Observation') ? sourceSearches(call, patient) : [];
  const asked = [...new Set([...requests, ...sources].filter((one) => one !== false))];
  const answers = yield asked;
  const pages = requests.map((one) => (one === false ? undefined : pageOf(answers[asked.indexOf(one)])));
  const [people, records, tests, encounters] = pages;
  const person = ofType('Patient', people?.matches)[0];
  const measured = tests?.matches ?? [];
  // An older blood pressure may have the number that a newest one lacks, and a newest result may be about a donor.
  const isPartial = (one: Observation): boolean => (isPressure(one) && lacksNumber(one)) || one.focus !== undefined;
  const partial = ofType('Observation', measured).filter(isPartial);
  const codes = [...new Set(partial.flatMap(({ code }) => codesOf(code)))].map(escaped).join(',');
  const cut = records?.cursor === undefined ? [] : listed;
  const further = [
    ...(codes === '' ? [] : [searchOf('Observation', [ofPatient, ['code', codes], isValid, ['_count', '100']])]),
    ...cut.map((type) => searchOf(type, [ofPatient, CURRENT[type] ?? isValid, ['_count', '1000']])),
  ];
  const more = further.length > 0 ? yield further : [];
  const unread = cut.filter((_, i) => !isWhole(more.at(i - cut.length)));
  const read = [...(records?.matches ?? []), ...measured, ...(encounters?.matches ?? [])];
  const refs = new Set(read.map(refOf));
  const found = [...read, ...foundBy(more).filter((one) => !refs.has(refOf(one)))];
  const valid = found.filter((one) => !isEnteredInError(one));
  const { all, known, notIndexed } = yield* withTargets(
    call,
    valid,
    answers.filter((_, i) => sources.includes(asked[i] ?? '')),
  );
  const allergies = allergyLists(ofType('AllergyIntolerance', all));
  const conditions = problemLists(ofType('Condition', all));
  const isInRemission = (c: (typeof conditions.listed)[number]): boolean => hasCode(c.clinicalStatus, 'remission');
  const current = [...conditions.listed, ...conditions.concerns, ...conditions.ofVisits];
  const drugs = medicationList(words, medicationRecords(all, known), now.getTime());
  const ofState = (...states: string[]) =>
    drugs.entries.filter(({ state }) => states.includes(state)).map(({ resource }) => resource);
  const { records: named, absences } = withoutAbsences(ENGLISH, current, ({ code }) => code);
  const contradicted = [
    allergies.contradictions.length > 0 && 'allergies',
    named.length > 0 && absences.some(({ absence }) => absence.is !== 'unknown') && 'problems',
    ofState('current').length > 0 && drugs.none.some((one) => !isNothingKnown(one)) && 'medications',
  ].filter((one) => one !== false);
  const latest = newest(
    groupsOf(words, ofType('Observation', all)).flatMap(({ readings }) => readings),
    when,
  );
  const visits = visitsByTime(ofType('Encounter', all));
  const last = lastVisit(visits, now.getTime());
  const isDue = ({ status }: (typeof visits)[number]): boolean => status === 'planned';

  const problems = byWeight(byProblem(current.filter((c) => !isInRemission(c))), ([first]) => first);
  const stated: Section[] = [
    [
      'allergies',
      ['AllergyIntolerance'],
      listedOf([...allergies.active, ...allergies.noneKnown, ...allergies.notAsked, ...allergies.said]),
      listedOf(allergies.past),
    ],
    [
      'problems',
      ['Condition'],
      listedOf(problems.map(([first]) => first)),
      listedOf([...current.filter(isInRemission), ...conditions.past]),
    ],
    [
      'medications',
      ['MedicationRequest', 'MedicationStatement'],
      listedOf([...ofState('current', 'held', 'unclear', 'avoid', 'planned'), ...drugs.none]),
      listedOf(ofState('past', 'untaken')),
    ],
  ];
  const dated: Section[] = [
    ['results', ['Observation'], listedOf(latest.filter((o) => placeOf(o) !== 'vitals'))],
    ['vitals', ['Observation'], listedOf(latest.filter((o) => placeOf(o) === 'vitals'))],
    [
      'visits',
      ['Encounter'],
      listedOf([...(last ? [last] : []), ...visits.filter(isDue)]),
      listedOf(visits.filter((one) => one !== last && !isDue(one)).slice(0, VISITS)),
    ],
  ];
  const sections = [...stated, ...dated];
  const closed = closedText(call, ['Patient', ...LISTED, 'Observation', 'Encounter']);
  const head = {
    now: now.toISOString(),
    patient,
    who: person && whoOf(call, person),
    caution:
      contradicted.length > 0
        ? `An entry says that no ${contradicted.join(' and ')} are known, beside entries that name some.`
        : undefined,
    in_error: found.length - valid.length || undefined,
  };
  const told = (): object[] => sections.map((one) => toldOf(call, unread, one));
  const past = sections.flatMap(([, , , list]) => list ?? []);
  const lists = [stated, dated].map((some) => some.map(([, , list]) => list));
  fill([...lists, past], BUDGET.overview - sizeOf([head, told(), notIndexed]) - 400, (one) => {
    const fact = factOf(call, one, known);
    // A dose in codes stands without the text beside it, which query tells.
    return fact.value === undefined ? fact : withoutQuoted(fact, 'dose');
  });
  const shown = lists.flat().flatMap(({ facts }) => facts).length;
  const total = lists.flat().flatMap(({ records }) => records).length;
  const leftOfPast = past.reduce((n, { records, facts }) => n + records.length - facts.length, 0);
  const warnings = pages.flatMap((page) => page?.warnings ?? []);
  const isCut = [records, tests, encounters].some((page) => page?.cursor !== undefined);
  return {
    ...head,
    sections: told(),
    complete: shown === total && closed.length === 0 && !isCut && warnings.length === 0,
    shown,
    total,
    left_out: [
      ...closed,
      ...warnings,
      ...(leftOfPast > 0 ? [`${leftOfPast} facts that are past: ask with query.`] : []),
      ...(shown < total ? [`${total - shown} facts that did not fit: ask with query or trend.`] : []),
      ...(isCut ? ['Records or tests beyond the first 1,000, or visits beyond the newest 50.'] : []),
      ...notIndexed,
      ...hiddenText([person, ...known]),
    ],
  };
};
