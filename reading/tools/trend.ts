//! The tool `trend`: the values of one measure over time, and what is computed of them. Another unit is another series,
//! and no value is converted.

import { cautionOf } from '../fhir/certainty.ts';
import { codesOf } from '../fhir/concept-codes.ts';
import { instant } from '../fhir/date.ts';
import { isCancelled } from '../fhir/status-code.ts';
import { concept, digits, isEnteredInError } from '../fhir/text.ts';
import { type MeasuredValue, type Observation, ofType, type Quantity } from '../fhir/types.ts';
import { printedUnitOf } from '../fhir/units.ts';
import type { Words } from '../language/words.ts';
import { converted } from '../results/convert.ts';
import { FLAGS, judgedPart } from '../results/flag.ts';
import { quantityOf } from '../results/measured-number.ts';
import { nameOfValue, testName } from '../results/names.ts';
import { notesOf } from '../results/observation-text.ts';
import { plainTest } from '../results/plain-words.ts';
import { range, when } from '../results/reading.ts';
import { apartTexts, groupsOf, nameKeyOfGroup, type TestGroup } from '../results/test-groups.ts';
import { isOfOther } from '../results/told-apart.ts';
import { type Answer, pageOf, Refusal, type Tool, type ToolCall } from './call.ts';
import { differenceOf, meanOf } from './decimals.ts';
import { type Fact, factOf, numberOf, ofOther, refOf, toldOrQuoted, withoutLabel, withoutQuoted } from './fact.ts';
import { hiddenText, plainRule } from './plain-text.ts';
import { BUDGET, closedText, fitted, patientOf, periodOf, searchOf, sizeOf, textArgument } from './result.ts';
import { withTargets } from './targets.ts';

/** A value of a series with its date. */
interface Value {
  source: Observation;
  of: MeasuredValue;
  /** The number as it was written. */
  text: string;
  /** True if the number is only a bound, such as `<5`, with which nothing is computed. */
  isBound: boolean;
  on: string;
  at: number;
}

/** The values of a test, or of one of its components, in one unit. */
interface Measured {
  of: MeasuredValue;
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

/** Returns the values of a test, by what was measured and the unit. */
function measuredIn(words: Words, test: TestGroup): Measured[] {
  const series: { name: string; as: Quantity; measured: Measured }[] = [];
  const [apart, isOther] = [apartTexts(words, test), isOfOther(test.latest)];
  for (const source of test.list) {
    if (isCancelled(source.status)) continue;
    for (const { of, number, text } of numbersIn(source)) {
      const name = nameOfValue(words, of);
      let found = series.find((one) => one.name === name && isOneUnit(one.as, number));
      if (!found) {
        const unit = printedUnitOf(words, number);
        found = { name, as: number, measured: { of, unit, values: [], undated: 0, inError: 0, apart, isOther } };
        series.push(found);
      }
      const own = found.measured;
      const on = when(source);
      const at = instant(on);
      if (isEnteredInError(source)) own.inError += 1;
      else if (on === undefined || at === undefined) own.undated += 1;
      else own.values.push({ source, of, text, isBound: number.comparator !== undefined, on, at });
    }
  }
  const all = series.map(({ measured }) => measured);
  for (const { values } of all) values.sort((a, b) => a.at - b.at);
  return all;
}

/** Returns the fact of a value. Notes are only mentioned. */
const factFor = (call: ToolCall, one: Value, unit: string | undefined): Fact => ({
  ...withoutQuoted(withoutQuoted(factOf(call, one.source), 'value'), 'note'),
  note: noteOf(one),
  value: numberOf(one.of),
  unit,
  flag: flagOf(call.words, one),
});

/** Returns where the notes on a value are; `undefined` if there are none. */
const noteOf = ({ source }: Value): string | undefined =>
  notesOf(source).length > 0 ? 'It has a note: fetch it.' : undefined;

/** Returns the flag of a value in words. */
function flagOf(words: Words, { of, source }: Value): string | undefined {
  const { flag } = judgedPart(of, source);
  return flag && words.t(FLAGS[flag].says);
}

/** Returns the lowest and the highest of some values. The earliest of equal ones counts. */
function extremes(values: readonly Value[]): [Value, Value] | undefined {
  const [first] = values;
  if (!first) return undefined;
  const least = values.reduce((a, b) => (Number(b.text) < Number(a.text) ? b : a), first);
  const most = values.reduce((a, b) => (Number(b.text) > Number(a.text) ? b : a), first);
  return [least, most];
}

const textsOf = (values: readonly Value[]): string[] => values.map(({ text }) => text);

/** Returns what the last value is, compared with the one before; nothing if one of them is only a bound. */
function changeOf(values: readonly Value[]): object | undefined {
  const [before, last] = values.slice(-2);
  if (!before || !last || before.isBound || last.isBound) return undefined;
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
  const periods = [...groups].flatMap(([period, own]) => {
    const ends = extremes(own);
    return ends
      ? [{ period, n: own.length, lowest: ends[0].text, highest: ends[1].text, mean: meanOf(textsOf(own)) }]
      : [];
  });
  const without = values.filter(({ on }) => on.length < length).length;
  return {
    periods: periods.slice(-MAX_PERIODS),
    periods_left_out: periods.length > MAX_PERIODS ? periods.length - MAX_PERIODS : undefined,
    without_period: without > 0 ? without : undefined,
  };
}

/** Returns whether a code has only letters of codes, and may be told. */
const isPlainCode = (code: string): boolean => /^[\w.:-]{1,64}$/.test(code);

/** Returns a series with what is computed of its values, without its points. */
function seriesOf(call: ToolCall, { of, unit, values, undated, inError, apart, isOther }: Measured): object {
  const { words } = call;
  const exact = values.filter(({ isBound }) => !isBound);
  const ends = extremes(exact);
  const [first, last] = [values[0], values.at(-1)];
  const every = textArgument(call, 'every');
  const usual = last && range(words, judgedPart(last.of, last.source).range);
  const isPlain = plainRule([of, ...apart.map(withoutLabel)]);
  const plain = (text: string | undefined): string | undefined => (text && isPlain(text) ? text : undefined);
  const texts = { name: nameOfValue(words, of), apart: apart.join(', ') };
  const isTold = (text: string, name: string): boolean =>
    name === 'name' ? isPlain(text) : apart.every((one) => one.split(': ').every(isPlain));
  const fact = (one: Value | undefined): Fact | undefined => one && factFor(call, one, plain(unit));
  return {
    apart: isOther ? ofOther(words) : undefined,
    ...toldOrQuoted(texts, isTold),
    codes: codesOf(of.code).filter(isPlainCode),
    unit: plain(unit),
    n: values.length,
    undated,
    in_error: inError,
    bounds: exact.length < values.length ? values.length - exact.length : undefined,
    first: fact(first),
    last: fact(last),
    lowest: fact(ends?.[0]),
    highest: fact(ends?.[1]),
    mean: exact.length > 0 ? meanOf(textsOf(exact)) : undefined,
    change: changeOf(values),
    usual: plain(usual),
    outside: values.filter((one) => flagOf(words, one) !== undefined).length,
    ...(every === undefined ? {} : periodsOf(exact, every === 'year' ? 4 : 7)),
  };
}

/** Returns the names by which a test is known. */
function namesOf(words: Words, { latest, name }: TestGroup): string[] {
  const measured: MeasuredValue[] = [latest, ...(latest.component ?? [])];
  const names = measured.flatMap((of) => [
    concept(words, of.code),
    testName(words, of.code),
    plainTest(words, of.code)?.[0],
  ]);
  return [name, ...names].flatMap((one) => (one ? one.toLowerCase() : []));
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}.]+/gu) ?? [];

/** Returns the tests that a measure names: by code, else by the same name, else by its words or their beginnings. */
function testsFor(words: Words, measure: string, tests: readonly TestGroup[]): TestGroup[] {
  const code = measure.slice(measure.lastIndexOf('|') + 1);
  const asked = wordsIn(measure);
  const fits = (test: TestGroup, fit: (word: string, one: string) => boolean): boolean =>
    asked.length > 0 &&
    namesOf(words, test).some((name) => asked.every((word) => wordsIn(name).some((one) => fit(word, one))));
  const rules: ((test: TestGroup) => boolean)[] = [
    ({ latest }) => codesOf(latest.code).includes(code),
    ({ latest }) => (latest.component ?? []).some((of) => codesOf(of.code).includes(code)),
    (test) => namesOf(words, test).includes(measure.toLowerCase()),
    (test) => fits(test, (word, one) => one === word),
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

/** Returns a test in words, with what tells it from others. */
function choiceOf(words: Words, test: TestGroup): string {
  const [code] = codesOf(test.latest.code).filter(isPlainCode);
  const name = [test.name, ...apartTexts(words, test)].join(', ');
  return [plainRule([test.latest])(name) ? name : undefined, code && `code ${code}`].filter(Boolean).join(', ');
}

const MAX_CHOICES = 20;
const listed = (words: Words, tests: readonly TestGroup[]): string =>
  tests
    .slice(0, MAX_CHOICES)
    .flatMap((one) => choiceOf(words, one) || [])
    .join('; ');

/** Returns a value of a search parameter whose separators belong to it. */
const escaped = (code: string): string => code.replace(/[\\,|$]/g, String.raw`\$&`);

/** What is not known of a series whose older values were not read. */
const OF_ALL = ['n', 'undated', 'in_error', 'bounds', 'first', 'lowest', 'highest', 'mean', 'outside', 'periods'];

/** Answers `trend`. */
export const trend: Tool = function* (call): Generator<string[], object, Answer[]> {
  const { words, now } = call;
  const measure = textArgument(call, 'measure') ?? '';
  const patient = yield* patientOf(call);
  if (!call.types.includes('Observation')) throw new Refusal('Results are not open to this app.');
  const ofPatient = ['patient', patient] as const;
  const [newest] = yield [
    searchOf('Observation/$lastn', [ofPatient, ['code:missing', 'false'], ['max', '1'], ['_count', '1000']]),
  ];
  const latest = pageOf(newest);
  const tests = groupsOf(words, ofType('Observation', latest.matches));
  const found = testsFor(words, measure, tests);
  const [test] = found;
  const none = 'No such measure among the results that this app may see.';
  if (!test) throw new Refusal([none, `There are: ${listed(words, tests)}.`, ...latest.warnings].join(' '));
  const names = new Set(found.map(bareKeyOf));
  if (names.size > 1)
    throw new Refusal(`Several measures fit: ${listed(words, found)}. Ask for one of them, by its code.`);
  const codes = [...new Set(found.flatMap(({ list }) => list.flatMap(({ code }) => codesOf(code))))];
  const ofCode = codes.length > 0 ? [['code', codes.map(escaped).join(',')] as const] : [];
  const limits = [['_count', '1000'] as const, ['_total', 'accurate'] as const];
  const [answer] = yield [searchOf('Observation', [ofPatient, ...ofCode, ...periodOf(call), ...limits])];
  const page = pageOf(answer);
  const read = ofType('Observation', page.matches);
  const { all } = yield* withTargets(call, patient, read);
  const groups = groupsOf(words, ofType('Observation', all)).filter((one) => names.has(bareKeyOf(one)));
  const measured = groups.flatMap((one) => measuredIn(words, one));
  measured.sort((a, b) => b.values.length - a.values.length);
  const isWordy = (one: Observation): boolean =>
    !isCancelled(one.status) && !isEnteredInError(one) && numbersIn(one).length === 0;
  const wordy = groups.flatMap(({ list }) => list.filter(isWordy)).length;
  const isCut = page.cursor !== undefined;
  const series = measured
    .map((one) => seriesOf(call, one))
    .map((one) => (isCut ? Object.fromEntries(Object.entries(one).filter(([name]) => !OF_ALL.includes(name))) : one));
  const head = { now: now.toISOString(), patient, measure: choiceOf(words, test) };
  const budget = BUDGET.trend - sizeOf(head) - sizeOf(series) - 400;
  const drawn = measured.map(({ values }) => {
    const points = values.map((one) => ({
      when: one.on,
      value: numberOf(one.of),
      ref: refOf(one.source),
      flag: flagOf(words, one),
      note: noteOf(one),
      caution: [cautionOf(words, one.source) ?? ''].find((text) => text && plainRule([one.source])(text)),
    }));
    return fitted(points.toReversed(), budget / measured.length);
  });
  const left = drawn.reduce((n, one) => n + one.left, 0);
  const held = measured.reduce((n, { values }) => n + values.length, 0);
  const total = isCut ? Math.max(held, page.total ?? 0) : held;
  // Without the specimens, serum and urine may be one series.
  const isMixed = read.some(({ specimen }) => specimen?.reference?.startsWith('Specimen/') && !specimen.display);
  const closed = isMixed && !call.types.includes('Specimen') ? ['Specimen'] : [];
  return {
    ...head,
    series: series.map((one, i) => ({ ...one, points: drawn[i]?.shown.toReversed() ?? [] })),
    none: total === 0 ? 'No number with a date, in this period, among the results that this app may see.' : undefined,
    complete: left === 0 && !isCut && closed.length === 0 && page.warnings.length === 0,
    shown: held - left,
    total,
    left_out: [
      ...page.warnings,
      ...closedText(closed),
      ...(left > 0 && isCut ? [`${left} older points that did not fit.`] : []),
      ...(left > 0 && !isCut
        ? [`${left} older points that did not fit; they are in n, lowest, highest and mean.`]
        : []),
      ...(isCut ? ['Results beyond the newest 1,000: ask with since and until.'] : []),
      ...(wordy > 0 ? [`Results that are no number: ${wordy}. Ask with query.`] : []),
      ...hiddenText(read),
    ],
  };
};
