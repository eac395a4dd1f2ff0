//! The tool `trend`: the values of one measure over time, and what is computed of them. Another unit is another series,
//! and no value is converted.

import { cautionOf, isCounted, isModified } from '../fhir/certainty.ts';
import { codesOf } from '../fhir/concept-codes.ts';
import { instant, overlap } from '../fhir/date.ts';
import { isCancelled } from '../fhir/status-code.ts';
import { concept, digits, isEnteredInError, isNamed } from '../fhir/text.ts';
import { type MeasuredValue, type Observation, ofType, type Quantity } from '../fhir/types.ts';
import { printedUnitOf } from '../fhir/units.ts';
import { vitalCodeMeant } from '../fhir/vital-codes.ts';
import type { Words } from '../language/words.ts';
import { judgedPart } from '../results/flags/flag.ts';
import { markText, notesOf } from '../results/flags/observation-text.ts';
import { nameOfValue, testName } from '../results/names/names.ts';
import { isOfOther } from '../results/names/told-apart.ts';
import { apartTexts, groupsOf, nameKeyOfGroup, type TestGroup } from '../results/panels/test-groups.ts';
import { plainTest } from '../results/plain-words.ts';
import { testOf } from '../results/trends/series.ts';
import { converted } from '../results/values/convert.ts';
import { quantityOf } from '../results/values/measured-number.ts';
import { range, when } from '../results/values/reading.ts';
import { type Answer, pageOf, Refusal, type Tool, type ToolCall } from './call.ts';
import { differenceOf, meanOf } from './decimals.ts';
import { type Fact, factOf, numberOf, ofOther, refOf, toldOrQuoted, withoutLabel, withoutQuoted } from './fact.ts';
import { hiddenText, plainRule, wordsIn } from './plain-text.ts';
import * as result from './result.ts';
import { sourceSearches, withTargets } from './targets.ts';

/** A value of a series with its date. */
interface Value {
  source: Observation;
  of: MeasuredValue;
  /** The number as it was written. */
  text: string;
  /** The side of a number that is only a bound, such as `<5`: nothing is computed with it. */
  bound: '' | '<' | '>';
  on: string;
  at: number;
  /** Its flag; empty if it is within a range, `undefined` without any range. */
  mark: string | undefined;
}

/** The values of a test, or of one of its components, in one unit. */
interface Measured {
  /** The code or the name of what was measured. */
  key: string;
  of: MeasuredValue;
  /** The first number, in whose unit the series is. */
  as: Quantity;
  unit: string;
  values: Value[];
  undated: number;
  /** The number of values that were entered in error. */
  inError: number;
  /** What tells the test from others of its name. */
  apart: string[];
  isOther: boolean;
}

/** A number without an exponent, as it is written once exponents are resolved. */
const DECIMAL = /^[-+]?\d{1,30}(?:\.\d{1,30})?$/;

const boundOf = (comparator = ''): Value['bound'] => (comparator.startsWith('<') ? '<' : comparator === '' ? '' : '>');

/** Returns the numbers of an observation and of its components. */
const numbersIn = (source: Observation): { of: MeasuredValue; number: Quantity; text: string }[] =>
  [source, ...(source.component ?? [])].flatMap((of: MeasuredValue) => {
    const number = quantityOf(of);
    const text = digits(number);
    return number && text !== undefined && DECIMAL.test(text) ? [{ of, number, text }] : [];
  });

/** Returns whether two numbers are in one unit, in any spelling, or both without a unit. */
const isOneUnit = (a: Quantity, b: Quantity): boolean =>
  Boolean(a.unit || a.code) === Boolean(b.unit || b.code) && converted(1, a, b) === 1;

/** Returns the values of a test, by the code of what was measured and by the unit, whose names may differ. */
function measuredIn(words: Words, test: TestGroup): Measured[] {
  const series: Measured[] = [];
  const [apart, isOther] = [apartTexts(words, test), isOfOther(test.latest)];
  const none = { undated: 0, inError: 0, apart, isOther };
  // What was entered in error names nothing that is valid.
  for (const source of test.list.toSorted((a, b) => Number(isEnteredInError(a)) - Number(isEnteredInError(b)))) {
    if (isCancelled(source.status) || isModified(source)) continue;
    for (const { of, number, text } of numbersIn(source)) {
      const key = vitalCodeMeant(of.code) ?? testOf(of);
      const found = series.find((one) => one.key === key && isOneUnit(one.as, number));
      const own = found ?? { key, of, as: number, unit: printedUnitOf(words, number), values: [], ...none };
      if (!found) series.push(own);
      if (of.code && !isNamed(own.of.code ?? {})) own.of = of;
      const [on, mark] = [when(source), markText(words, source, of)];
      const at = instant(on);
      if (isEnteredInError(source)) own.inError += 1;
      else if (on === undefined || at === undefined) own.undated += 1;
      else own.values.push({ source, of, text, bound: boundOf(number.comparator), on, at, mark });
    }
  }
  for (const { values } of series) values.sort((a, b) => a.at - b.at);
  return series;
}

/** Returns the fact of a value. Notes are only mentioned. A component has its own name. */
function factFor(call: ToolCall, one: Value, name: string | undefined, unit: string | undefined): Fact {
  const fact = withoutQuoted(withoutQuoted(factOf(call, one.source), 'value'), 'note');
  return {
    ...fact,
    ...(one.of === one.source ? {} : { what: name ?? fact.what, parts: undefined }),
    note: noteOf(one),
    value: numberOf(one.of),
    unit,
    flag: one.mark || undefined,
  };
}

/** Returns where the notes on a value are; `undefined` if there are none. */
const noteOf = ({ source }: Value): string | undefined =>
  notesOf(source).length > 0 ? 'It has a note: fetch it.' : undefined;

/** Returns the lowest or the highest of some values; the earliest of equal ones. A bound counts: `<5` is below 5. */
function extreme(values: readonly Value[], side: '<' | '>'): Value | undefined {
  const above = (a: Value, b: Value): number => (side === '>' ? 1 : -1) * (Number(b.text) - Number(a.text));
  const isBeyond = (a: Value, b: Value): boolean => above(a, b) > 0 || (above(a, b) === 0 && a.bound < b.bound);
  return values
    .filter(({ bound }) => bound === '' || bound === side)
    .reduce<Value | undefined>((a, b) => (a && !isBeyond(a, b) ? a : b), undefined);
}

/** Returns the mean of some values; nothing if all are only bounds. */
function meanOfExact(values: readonly Value[]): string | undefined {
  const exact = values.filter(({ bound }) => bound === '').map(({ text }) => text);
  return exact.length > 0 ? meanOf(exact) : undefined;
}

/** Returns whether the order of a value to another one, which differs from it, is open. */
const hasRival = (values: readonly Value[], { on, text }: Value): boolean =>
  values.some((other) => other.text !== text && overlap(other.on, on));

/** Returns the last value compared with an earlier one; nothing of a bound, beside a rival, or if dates overlap. */
function changeOf(values: readonly Value[]): object | undefined {
  const last = values.at(-1);
  const before = last && values.findLast(({ at }) => at < last.at);
  if (!before || before.bound || last.bound || overlap(before.on, last.on)) return undefined;
  const atThese = values.filter(({ at }) => at === last.at || at === before.at);
  if (hasRival(atThese, last) || hasRival(atThese, before)) return undefined;
  const by = differenceOf(last.text, before.text);
  const way = Number(by) === 0 ? 'same' : by.startsWith('-') ? 'down' : 'up';
  return { way, by: by.replace('-', ''), since: before.on };
}

/** The most months or years, of which the newest are shown. */
const MAX_PERIODS = 24;

/** Returns the values of each month or year. */
function periodsOf(values: readonly Value[], length: number): object {
  const groups = Map.groupBy(
    values.filter(({ on }) => on.length >= length),
    ({ on }) => on.slice(0, length),
  );
  const number = (one: Value | undefined): string | undefined => one && numberOf(one.of);
  // Times of other zones may be of another day.
  const inOrder = [...groups].toSorted(([one], [other]) => one.localeCompare(other));
  const periods = inOrder.map(([period, own]) => ({
    period,
    n: own.length,
    lowest: number(extreme(own, '<')),
    highest: number(extreme(own, '>')),
    mean: meanOfExact(own),
  }));
  return {
    periods: periods.slice(-MAX_PERIODS),
    periods_left_out: periods.length > MAX_PERIODS ? periods.length - MAX_PERIODS : undefined,
    without_period: values.filter(({ on }) => on.length < length).length || undefined,
  };
}

/** Returns whether a code has only letters of codes, and may be told. */
const isPlainCode = (code: string): boolean => /^[\w.:-]{1,64}$/.test(code);

/** Returns a series with what is computed of its values, without its points. */
function seriesOf(call: ToolCall, { of, as, unit, values, undated, inError, apart, isOther }: Measured): object {
  const { words } = call;
  const bounds = values.filter(({ bound }) => bound !== '').length;
  const [first, last] = [values[0], values.at(-1)];
  const every = result.textArgument(call, 'every');
  const usual = last && range(words, judgedPart(last.of, last.source).range);
  const isPlain = plainRule([of, as, last?.source, ...apart.map(withoutLabel)]);
  const plain = (text: string | undefined): string | undefined => (text && isPlain(text) ? text : undefined);
  const texts = { name: nameOfValue(words, of), apart: apart.join(', ') };
  const isTold = (text: string, name: string): boolean =>
    name === 'name' ? isPlain(text) : apart.every((one) => one.split(': ').every(isPlain));
  const fact = (one: Value | undefined): Fact | undefined => {
    const made = one && factFor(call, one, plain(texts.name), plain(unit));
    if (!made || !hasRival(values, one)) return made;
    return { ...made, caution: [made.caution, 'another value may be of the same time'].filter(Boolean).join(', ') };
  };
  return {
    apart: isOther ? ofOther(words) : undefined,
    ...toldOrQuoted(texts, isTold),
    codes: codesOf(of.code).filter(isPlainCode),
    unit: plain(unit),
    n: values.length,
    undated,
    in_error: inError,
    bounds: bounds > 0 ? bounds : undefined,
    first: fact(first),
    last: fact(last),
    lowest: fact(extreme(values, '<')),
    highest: fact(extreme(values, '>')),
    mean: meanOfExact(values),
    change: changeOf(values),
    usual: plain(usual),
    outside: values.some(({ mark }) => mark !== undefined) ? values.filter(({ mark }) => mark).length : undefined,
    ...(every === undefined ? {} : periodsOf(values, every === 'year' ? 4 : 7)),
  };
}

const namesOf = (words: Words, measured: readonly MeasuredValue[]): string[] =>
  measured
    .flatMap(({ code }) => [concept(words, code), testName(words, code), plainTest(words, code)?.[0]])
    .flatMap((one) => (one ? one.toLowerCase() : []));

const namesOfTest = (words: Words, { latest, name }: TestGroup): string[] => [
  name.toLowerCase(),
  ...namesOf(words, [latest, ...(latest.component ?? [])]),
];

const initialsOf = (name: string): string => wordsIn(name).reduce((all, word) => all + word.charAt(0), '');

/** Returns the code of a measure, which may have a system before it. */
const codeIn = (measure: string): string => measure.slice(measure.lastIndexOf('|') + 1);

/** Returns the tests that a measure names: by code, name, words, initials (`BP`), or their beginnings. */
function testsFor(words: Words, measure: string, tests: readonly TestGroup[]): TestGroup[] {
  const code = codeIn(measure);
  const asked = wordsIn(measure);
  const fits = (test: TestGroup, fit: (word: string, one: string) => boolean): boolean =>
    asked.length > 0 &&
    namesOfTest(words, test).some((name) => asked.every((word) => wordsIn(name).some((one) => fit(word, one))));
  const rules: ((test: TestGroup) => boolean)[] = [
    (test) => bareKeyOf(test) === code,
    ({ list }) => list.some((one) => codesOf(one.code).includes(code)),
    ({ latest }) => (latest.component ?? []).some((of) => codesOf(of.code).includes(code)),
    (test) => namesOfTest(words, test).includes(measure.toLowerCase()),
    (test) => fits(test, (word, one) => one === word),
    (test) => measure.length > 1 && namesOfTest(words, test).map(initialsOf).includes(measure.toLowerCase()),
    (test) => fits(test, (word, one) => one === word || (word.length > 3 && one.startsWith(word))),
  ];
  for (const rule of rules) {
    const found = tests.filter(rule);
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the key of a name without its system: tests with one code of two laboratories are told together, apart. */
const bareKeyOf = (test: TestGroup): string => nameKeyOfGroup(test).replace(/^.*\|/, '');

/** Returns a test in words, with what tells it from others. One whose name is not told plainly has our own words. */
function choiceOf(words: Words, test: TestGroup): string {
  const [code] = codesOf(test.latest.code).filter(isPlainCode);
  const name = [test.name, ...apartTexts(words, test)].join(', ');
  const told = plainRule(test.list)(name) ? name : plainTest(words, test.latest.code)?.[0];
  return [told, code && `code ${code}`].filter(Boolean).join(', ');
}

const MAX_CHOICES = 20;
const listed = (words: Words, tests: readonly TestGroup[]): string =>
  tests
    .slice(0, MAX_CHOICES)
    .flatMap((one) => choiceOf(words, one) || [])
    .join('; ');

/** Returns a series without the texts of authors, which may be long. */
const unquoted = (series: object): object =>
  JSON.parse(JSON.stringify(series, (name, value) => (name === 'quoted' ? undefined : value)));

const OTHER_UNIT = 'other values have another unit: see the other series';

/** What is not known of a series whose older values were not read. */
const OF_ALL = ['n', 'undated', 'in_error', 'bounds', 'first', 'lowest', 'highest', 'mean', 'outside', 'periods'];

export const trend: Tool = function* (call): Generator<string[], object, Answer[]> {
  const { words, now } = call;
  const measure = result.textArgument(call, 'measure') ?? '';
  const patient = yield* result.patientOf(call);
  if (!call.types.includes('Observation')) throw new Refusal('Results are not open to this app.');
  const ofPatient = ['patient', patient] as const;
  // The newest of each code lacks a test that shares one of its codes with a newer one.
  const code = codeIn(measure);
  const byCode = isPlainCode(code)
    ? [result.searchOf('Observation', [ofPatient, ['code', code], ['_count', '1']])]
    : [];
  const [newest, ...others] = yield [
    result.searchOf('Observation/$lastn', [ofPatient, ['code:missing', 'false'], ['max', '1'], ['_count', '1000']]),
    ...byCode,
  ];
  const latest = pageOf(newest);
  const coded = others.flatMap((answer) => pageOf(answer).matches);
  const each = new Map([...coded, ...latest.matches].map((one) => [one.id, one]));
  const tests = groupsOf(words, ofType('Observation', [...each.values()]));
  const found = testsFor(words, measure, tests);
  const [test] = found;
  const none = 'No such measure among the results that this app may see.';
  if (!test) {
    const there = listed(words, tests);
    throw new Refusal([none, there && `There are: ${there}.`, ...latest.warnings].filter(Boolean).join(' '));
  }
  const names = new Set(found.map(bareKeyOf));
  if (names.size > 1)
    throw new Refusal(`Several measures fit: ${listed(words, found)}. Ask for one of them, by its code.`);
  const codes = [...new Set(found.flatMap(({ list }) => list.flatMap(({ code }) => codesOf(code))))];
  const ofCode = codes.length > 0 ? [['code', codes.map(result.escaped).join(',')] as const] : [];
  const search = [ofPatient, ...ofCode, ['_count', '1000'] as const, ['_total', 'accurate'] as const];
  const [answer, ...sources] = yield [result.searchOf('Observation', search), ...sourceSearches(call, patient)];
  const whole = pageOf(answer);
  const hasLimits = result.periodOf(call).length > 0;
  const isLimited = hasLimits && whole.cursor !== undefined;
  const page = isLimited
    ? pageOf((yield [result.searchOf('Observation', [...search, ...result.widePeriodOf(call)])])[0])
    : whole;
  const results = ofType('Observation', page.matches);
  const undated = isLimited ? undefined : results.filter((one) => hasLimits && when(one) === undefined).length;
  const read = results.filter((one) => result.isWithin(call, when(one)));
  const { all, notIndexed } = yield* withTargets(call, read, sources);
  const made = groupsOf(words, ofType('Observation', all));
  const exact = made.filter((one) => bareKeyOf(one) === code);
  const groups = exact.length > 0 ? exact : made.filter((one) => names.has(bareKeyOf(one)));
  const measured = groups.flatMap((one) => measuredIn(words, one));
  const isAsked = ({ of }: Measured): boolean =>
    codesOf(of.code).includes(code) ||
    namesOf(words, [of]).some((name) => [name, initialsOf(name)].some((one) => one.includes(measure.toLowerCase())));
  measured.sort((a, b) => Number(isAsked(b)) - Number(isAsked(a)) || b.values.length - a.values.length);
  const isWordy = (one: Observation): boolean => isCounted(one) && numbersIn(one).length === 0;
  const wordy = groups.flatMap(({ list }) => list.filter(isWordy)).length;
  const modified = groups.flatMap(({ list }) => list.filter(isModified)).length;
  const isCut = page.cursor !== undefined;
  const hasOtherUnit = (one: Measured): boolean =>
    measured.some((other) => other !== one && other.key === one.key && other.apart === one.apart);
  const told = measured
    .map((one) => ({ ...seriesOf(call, one), caution: hasOtherUnit(one) ? OTHER_UNIT : undefined }))
    .map((one) => (isCut ? Object.fromEntries(Object.entries(one).filter(([name]) => !OF_ALL.includes(name))) : one));
  const head = { now: now.toISOString(), patient, measure: choiceOf(words, groups[0] ?? test) };
  const room = result.BUDGET.trend - result.sizeOf([head, notIndexed]) - 500;
  const fit = result.fitted(told, room, (one) => one);
  const isUnquoted = fit.length === 0 && told.length > 0;
  const series: object[] = isUnquoted ? told.slice(0, 1).map(unquoted) : fit;
  const hidden = measured.slice(series.length).flatMap(({ of }) => codesOf(of.code).filter(isPlainCode)[0] ?? []);
  const beyond = [...new Set(hidden)].slice(0, 10).join(', ');
  const drawn = measured.slice(0, series.length).map(({ values }) =>
    result.fitted(values.toReversed(), (room - result.sizeOf(series)) / series.length, (one) => ({
      when: one.on,
      value: numberOf(one.of),
      ref: refOf(one.source),
      flag: one.mark || undefined,
      note: noteOf(one),
      caution: [cautionOf(words, one.source) ?? ''].find((text) => text && plainRule([one.source])(text)),
    })),
  );
  const shown = drawn.flat().length;
  const left = measured.slice(0, series.length).flatMap(({ values }) => values).length - shown;
  const held = measured.reduce((n, { values }) => n + values.length, 0);
  const total = isCut ? Math.max(held, page.total ?? 0) : held;
  // Without the specimens, serum and urine may be one series.
  const isMixed = read.some(({ specimen }) => specimen?.reference?.startsWith('Specimen/') && !specimen.display);
  const closed = result.closedText(call, ['Observation', ...(isMixed ? ['Specimen'] : [])]);
  return {
    ...head,
    series: series.map((one, i) => ({ ...one, points: drawn[i]?.toReversed() ?? [] })),
    none: total === 0 ? 'No number with a date, in this period, among the results that this app may see.' : undefined,
    complete: shown === total && !isCut && !isUnquoted && closed.length === 0 && page.warnings.length === 0,
    shown,
    total,
    left_out: [
      ...page.warnings,
      ...closed,
      ...result.undatedText(call, undated),
      ...(left > 0 && isCut ? [`${left} older points that did not fit.`] : []),
      ...(left > 0 && !isCut
        ? [`${left} older points that did not fit; they are in n, lowest, highest and mean.`]
        : []),
      ...(told.length > series.length ? [`Measures of it that did not fit, with these codes: ${beyond}.`] : []),
      ...(isUnquoted ? ['Quoted texts that did not fit: fetch a record.'] : []),
      ...(isCut ? ['Results beyond the newest 1,000: ask with since and until.'] : []),
      ...(modified > 0 ? [`Results changed by something not understood: ${modified}. Ask with query.`] : []),
      ...(wordy > 0 ? [`Results that are no number: ${wordy}. Ask with query.`] : []),
      ...notIndexed,
      ...hiddenText(read),
    ],
  };
};
