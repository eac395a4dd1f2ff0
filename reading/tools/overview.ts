//! The tool `overview`: who the patient is, and what is current.

import { codesOf } from '../fhir/concept-codes.ts';
import { instant, newest } from '../fhir/date.ts';
import { hasCode, isEnteredInError, nameOf } from '../fhir/text.ts';
import { ofType, type Patient, type Resource } from '../fhir/types.ts';
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
import { withTargets } from './targets.ts';

/** The types of records in the overview that one search reads. */
const LISTED = ['AllergyIntolerance', 'Condition', 'MedicationRequest', 'MedicationStatement'];
const VISITS = 5;

interface Section {
  name: string;
  shown: number;
  total: number;
  facts: Fact[];
  past: Fact[] | undefined;
  none: string | undefined;
}

/** Returns a section, with what was searched if it is empty. */
function section(name: string, types: readonly string[], call: ToolCall, facts: Fact[], past: Fact[] = []): Section {
  const open = types.filter((type) => call.types.includes(type));
  const none =
    open.length === 0
      ? 'This app may not see such records.'
      : `No current ${name} among the ${open.join(' and ')} records that this app may see, which does not mean none.`;
  return {
    name,
    shown: facts.length,
    total: facts.length,
    facts,
    past: past.length > 0 ? past : undefined,
    none: facts.length === 0 ? none : undefined,
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

/** Leaves out the last facts of lists until the sections fit: of what is past first, of what is taken last. */
function trimmed(sections: Section[], budget: number): void {
  const listsOf = (...names: string[]): Fact[][] =>
    sections.filter(({ name }) => names.includes(name)).map(({ facts }) => facts);
  const order = [
    sections.flatMap(({ past = [] }) => [past]),
    listsOf('results', 'vitals', 'visits'),
    sections.map(({ facts }) => facts),
  ];
  let size = sizeOf(sections);
  for (const lists of order) {
    while (size > budget) {
      const longest = lists.reduce((a, b) => (b.length > a.length ? b : a), []);
      if (longest.length === 0) break;
      for (const gone of longest.splice(-Math.ceil(longest.length / 8))) size -= sizeOf(gone) + 1;
    }
  }
  for (const one of sections) one.shown = one.facts.length;
}

const pastOf = (sections: readonly Section[]): number => sections.reduce((n, { past = [] }) => n + past.length, 0);

/** Answers `overview`. */
export const overview: Tool = function* (call): Generator<string[], object, Answer[]> {
  const { words, now } = call;
  const patient = yield* patientOf(call);
  const listed = LISTED.filter((type) => call.types.includes(type));
  const isOpen = (type: string): boolean => call.types.includes(type);
  const ofPatient = ['patient', patient] as const;
  const isValid = ['status:not', 'entered-in-error,cancelled'] as const;
  const requests = {
    person: isOpen('Patient') && searchOf('Patient', [['_id', patient]]),
    listed: listed.length > 0 && searchOf('', [ofPatient, ['_type', listed.join(',')], ['_count', '1000']]),
    results:
      isOpen('Observation') &&
      searchOf('Observation/$lastn', [ofPatient, ['code:missing', 'false'], isValid, ['max', '2'], ['_count', '1000']]),
    visits: isOpen('Encounter') && searchOf('Encounter', [ofPatient, ['_count', '50'], ['_sort', '-date']]),
  };
  const asked = Object.values(requests).filter((one) => one !== false);
  const answers = yield asked;
  const pageFor = (name: keyof typeof requests) => {
    const request = requests[name];
    return request === false ? undefined : pageOf(answers[asked.indexOf(request)]);
  };
  const [people, records, tests, encounters] = (['person', 'listed', 'results', 'visits'] as const).map(pageFor);
  const person = ofType('Patient', people?.matches)[0];
  const measured = [...(tests?.matches ?? [])];
  // If a newest blood pressure lacks a number, an older one may have it.
  const partial = ofType('Observation', measured).filter((one) => isPressure(one) && lacksNumber(one));
  const codes = [...new Set(partial.flatMap(({ code }) => codesOf(code)))].map(escaped).join(',');
  if (codes !== '') {
    const [answer] = yield [searchOf('Observation', [ofPatient, ['code', codes], isValid, ['_count', '100']])];
    measured.push(...pageOf(answer).matches.filter(({ id }) => measured.every((one) => one.id !== id)));
  }
  const found = [...(records?.matches ?? []), ...measured, ...(encounters?.matches ?? [])];
  const valid = found.filter((one) => !isEnteredInError(one));
  const { all, known } = yield* withTargets(call, patient, valid, person);
  const facts = (some: readonly Resource[]): Fact[] =>
    some.map((one) => {
      // A dose in codes stands without the text beside it, which query tells.
      const fact = factOf(call, one, known);
      return fact.value === undefined ? fact : withoutQuoted(fact, 'dose');
    });

  const allergies = allergyLists(ofType('AllergyIntolerance', all));
  const conditions = problemLists(ofType('Condition', all));
  const isInRemission = (c: (typeof conditions.listed)[number]): boolean => hasCode(c.clinicalStatus, 'remission');
  const current = [...conditions.listed, ...conditions.concerns, ...conditions.ofVisits];
  const drugs = medicationList(words, medicationRecords(all, known), now.getTime());
  const ofState = (...states: string[]) =>
    drugs.entries.filter(({ state }) => states.includes(state)).map(({ resource }) => resource);
  const latest = newest(
    groupsOf(words, ofType('Observation', all)).flatMap(({ readings }) => readings),
    when,
  );
  const visits = visitsByTime(ofType('Encounter', all));
  const last = lastVisit(visits, now.getTime());
  const isDue = ({ status }: (typeof visits)[number]): boolean => status === 'planned';

  const sections = [
    section(
      'allergies',
      ['AllergyIntolerance'],
      call,
      facts([...allergies.active, ...allergies.noneKnown, ...allergies.notAsked, ...allergies.said]),
      facts(allergies.past),
    ),
    section(
      'problems',
      ['Condition'],
      call,
      facts(byWeight(byProblem(current.filter((c) => !isInRemission(c))), ([first]) => first).map(([first]) => first)),
      facts([...current.filter(isInRemission), ...conditions.past]),
    ),
    section(
      'medications',
      ['MedicationRequest', 'MedicationStatement'],
      call,
      facts(ofState('current', 'held', 'unclear', 'avoid', 'planned')),
      facts(ofState('past', 'untaken')),
    ),
    section('results', ['Observation'], call, facts(latest.filter((o) => placeOf(o) !== 'vitals'))),
    section('vitals', ['Observation'], call, facts(latest.filter((o) => placeOf(o) === 'vitals'))),
    section(
      'visits',
      ['Encounter'],
      call,
      facts([...(last ? [last] : []), ...visits.filter((one) => isDue(one))]),
      facts(visits.filter((one) => one !== last && !isDue(one)).slice(0, VISITS)),
    ),
  ];
  const inError = found.length - valid.length;
  const closed = ['Patient', ...LISTED, 'Observation', 'Encounter'].filter((type) => !isOpen(type));
  const head = {
    now: now.toISOString(),
    patient,
    who: person && whoOf(call, person),
    caution:
      allergies.contradictions.length > 0 ? 'An entry says that no allergy is known, beside allergies.' : undefined,
    in_error: inError > 0 ? inError : undefined,
  };
  const past = pastOf(sections);
  trimmed(sections, BUDGET.overview - sizeOf(head) - 400);
  const shown = sections.reduce((n, one) => n + one.shown, 0);
  const total = sections.reduce((n, one) => n + one.total, 0);
  const warnings = [people, records, tests, encounters].flatMap((page) => page?.warnings ?? []);
  const isCut = [records, tests, encounters].some((page) => page?.cursor !== undefined);
  return {
    ...head,
    sections,
    complete: shown === total && closed.length === 0 && !isCut && warnings.length === 0,
    shown,
    total,
    left_out: [
      ...closedText(closed),
      ...warnings,
      ...(past > pastOf(sections) ? [`${past - pastOf(sections)} facts that are past: ask with query.`] : []),
      ...(shown < total ? [`${total - shown} facts that did not fit: ask with query or trend.`] : []),
      ...(isCut ? ['Records or tests beyond the first 1,000, or visits beyond the newest 50.'] : []),
      ...hiddenText([person, ...known]),
    ],
  };
};
