//! Compares the numbers and dates of a text with the facts of receipts. It knows no medicine and no model: a statement
//! belongs to the measure whose name stands nearest before it in its sentence.

import { unaccented } from '#reading/fhir/unaccented.ts';
import type { ReceiptFact } from '#reading/tools/receipt.ts';
import { type Amount, type Statement, statementsIn, unitKey } from './statements.ts';

/** `same`: in the record. `other`: the record has another value. `absent`: not there. `unjudged`: no receipt tells. */
export type Mark = 'same' | 'other' | 'absent' | 'unjudged';

/** A part of the text. A part without a mark states nothing. */
export interface Part {
  text: string;
  mark?: Mark;
  /** What the receipts say of it. */
  facts?: ReceiptFact[];
}

/** The facts of one name. */
interface Measure {
  words: string[];
  facts: Told[];
}

interface Told {
  fact: ReceiptFact;
  amounts: Amount[];
}

const STOP_WORD = /^(?:of|in|the|and|or|for|with|by|to|de|del|la|el|en|y|con|por|per|is|was)$/;

/** A word with its place. */
interface Word {
  word: string;
  at: number;
}

const wordsIn = (text: string): Word[] =>
  [
    ...unaccented(text)
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}]{2,}/gu),
  ]
    .map((match) => ({ word: match[0], at: match.index }))
    .filter(({ word }) => !STOP_WORD.test(word));

function toldOf(fact: ReceiptFact): Told {
  const [, value, unit] = fact;
  const amounts = statementsIn(value ?? '', unit === null ? [] : [unit]).map((one) => ({
    ...one,
    unit: unit === null ? one.unit : unitKey(unit),
  }));
  return { fact, amounts };
}

function measuresOf(facts: readonly ReceiptFact[]): Measure[] {
  return [...Map.groupBy(facts, ([what]) => what)].map(([what, own]) => ({
    words: [...new Set(wordsIn(what).map(({ word }) => word))],
    facts: own.map(toldOf),
  }));
}

/** Returns the facts of the measures that some words name best. */
function named(measures: readonly Measure[], words: readonly Word[]): Told[] {
  const isNamed = (part: string): boolean =>
    words.some(({ word }) => word === part || (/\d/.test(part) && part.length > 2 && word.endsWith(part)));
  const scores = measures.map((one) => {
    const count = one.words.filter(isNamed).length;
    return count === 0 ? 0 : count + count / one.words.length;
  });
  const best = Math.max(...scores, 0);
  return best === 0 ? [] : measures.flatMap((one, at) => (scores[at] === best ? one.facts : []));
}

const isSameNumber = (stated: Amount, amount: Amount): boolean =>
  stated.numbers.some((number) => amount.numbers.includes(number)) && stated.comparator === amount.comparator;

const hasUnitOf = (stated: Amount, amount: Amount): boolean =>
  stated.unit === '' || amount.unit === '' || stated.unit === amount.unit;

/** Returns whether a fact is of a stated date. A date in the text may be less precise than that of the record. */
const isOn = ({ dates }: Statement, [, , , when]: ReceiptFact): boolean =>
  dates.some(({ year, month, day }) => {
    const [ofYear, ofMonth, ofDay] = (when ?? '').slice(0, 10).split('-').map(Number);
    return (year ?? ofYear) === ofYear && (month ?? ofMonth) === ofMonth && (day ?? ofDay) === ofDay && when !== null;
  });

interface Judgement {
  mark: Mark;
  facts: Told[];
}

/** Judges a number by the facts of its measure. `isCarried` is true if the measure was named in an earlier sentence. */
function numberJudgement(stated: Statement, facts: readonly Told[], isCarried: boolean): Judgement {
  const equal = facts.filter(({ amounts }) => amounts.some((one) => isSameNumber(stated, one)));
  const fit = equal.filter(({ amounts }) => amounts.some((one) => isSameNumber(stated, one) && hasUnitOf(stated, one)));
  if (stated.isCount) {
    const counts = fit.filter(({ fact: [, , unit, when] }) => unit === null && when === null);
    return { mark: counts.length > 0 ? 'same' : 'unjudged', facts: counts };
  }
  if (fit.length > 0) return { mark: 'same', facts: fit };
  const comparable = facts.filter(({ amounts }) => amounts.some((one) => hasUnitOf(stated, one)));
  const isJudged = isCarried ? stated.unit !== '' && comparable.length > 0 : comparable.length + equal.length > 0;
  // A text may compare with any number: "above 7".
  if (!isJudged || stated.comparator !== '') return { mark: 'unjudged', facts: [] };
  return { mark: 'other', facts: comparable.length > 0 ? comparable : equal };
}

/** Returns whether a fact is a count, a mean or a difference, and no value on a date or range. */
const isComputed = ({ fact: [, , , when], amounts }: Told): boolean =>
  when === null && amounts.length === 1 && amounts[0]?.comparator === '';

/** Returns whether a comparison, such as "above 7", fits none of the values. */
const isContradicted = ({ comparator, numbers }: Statement, facts: readonly Told[]): boolean =>
  comparator !== '' &&
  facts.length > 0 &&
  !facts.some(({ amounts }) =>
    amounts.some((one) =>
      one.numbers.some((value) => numbers.some((limit) => (comparator === '<' ? value <= limit : value >= limit))),
    ),
  );

/** Returns the number that belongs to each date of a sentence: the one before it, or else the one after it. */
function pairsOf(statements: readonly Statement[]): Map<Statement, Statement> {
  const pairs = new Map<Statement, Statement>();
  const taken = new Set<Statement>();
  statements.forEach((date, at) => {
    if (date.dates.length === 0) return;
    const isFree = (one: Statement | undefined): one is Statement =>
      one !== undefined && one.dates.length === 0 && !one.isCount && !taken.has(one);
    const number = [statements[at - 1], statements[at + 1]].find(isFree);
    if (!number) return;
    pairs.set(date, number);
    taken.add(number);
  });
  return pairs;
}

/** Words before a mean of several records. */
const MEAN = /\b(?:mean|average|media|promedio)\b/i;

/** A sentence with its statements. */
interface Sentence {
  statements: Statement[];
  /** The facts to which each statement may belong: of the measure that is named before it, or else in the sentence. */
  factsOf: Map<Statement, Told[]>;
  /** The facts of the measure that an earlier sentence names. */
  carried: Told[];
}

/** Returns the sentences of a text. */
function sentencesOf(text: string, measures: readonly Measure[], units: readonly string[]): Sentence[] {
  const sentences: Sentence[] = [];
  let [start, carried]: [number, Told[]] = [0, []];
  for (const sentence of text.split(/(?<=\n|[.!?;](?=\s))/)) {
    const statements = statementsIn(sentence, units).map((one) => ({
      ...one,
      start: one.start + start,
      end: one.end + start,
    }));
    const words = wordsIn(sentence).map(({ word, at }) => ({ word, at: at + start }));
    const ofSentence = named(measures, words);
    const factsOf = new Map<Statement, Told[]>();
    let [near, position, isMean]: [Told[], number, boolean] = [[], start, false];
    for (const one of statements) {
      const between = words.filter(({ at }) => at >= position && at < one.start);
      const before = named(measures, between);
      if (before.length > 0) near = before;
      isMean ||= MEAN.test(text.slice(position, one.start));
      const facts = near.length > 0 ? near : ofSentence;
      const computed = isMean ? facts.filter(isComputed) : [];
      factsOf.set(one, computed.length > 0 ? computed : facts);
      if (one.numbers.length > 0 && !one.isCount) isMean = false;
      position = one.end;
    }
    sentences.push({ statements, factsOf, carried });
    if (ofSentence.length > 0) carried = ofSentence;
    start += sentence.length;
  }
  return sentences;
}

/** Judges the dates of a sentence, and each number by the date that belongs to it. */
function judgeDates(
  { statements, factsOf, carried }: Sentence,
  all: readonly Told[],
  marks: Map<Statement, Judgement>,
): void {
  const pairs = pairsOf(statements);
  for (const date of statements.filter(({ dates }) => dates.length > 0)) {
    const number = pairs.get(date);
    const judgement = number && marks.get(number);
    const near = factsOf.get(date) ?? [];
    const pool = near.length === 0 && judgement && judgement.mark !== 'unjudged' ? carried : near;
    const ofDay = (some: readonly Told[]): Told[] => some.filter(({ fact }) => isOn(date, fact));
    const isDated = judgement?.mark === 'same' && judgement.facts.some((one) => !isComputed(one));
    const both = isDated ? ofDay(judgement.facts) : [];
    if (number && both.length > 0) {
      marks.set(number, { mark: 'same', facts: both }).set(date, { mark: 'same', facts: both });
      continue;
    }
    // The measure has another number on this date.
    const contradicts = isDated || (judgement?.mark === 'unjudged' && number && isContradicted(number, ofDay(near)));
    if (number && contradicts && ofDay(pool).length > 0) marks.set(number, { mark: 'other', facts: ofDay(pool) });
    const found = ofDay(pool.length > 0 ? pool : all);
    const isWhole = date.dates.every(({ day, year }) => day !== undefined && year !== undefined);
    const isMissing = (isDated || isWhole) && pool.some(({ fact: [, , , when] }) => when !== null);
    const mark = found.length > 0 ? 'same' : isMissing ? 'absent' : 'unjudged';
    marks.set(date, { mark, facts: found.length > 0 ? found : isMissing ? pool : [] });
  }
}

/** Returns the text in parts, each number and date with its mark. `today` are the dates of the receipts. */
export function judged(text: string, facts: readonly ReceiptFact[], today: readonly string[] = []): Part[] {
  const measures = measuresOf(facts);
  const all = measures.flatMap((one) => one.facts);
  const units = [...new Set(facts.flatMap(([, , unit]) => unit ?? []))];
  const marks = new Map<Statement, Judgement>();
  for (const sentence of sentencesOf(text, measures, units)) {
    const { statements, factsOf, carried } = sentence;
    for (const one of statements.filter(({ numbers }) => numbers.length > 0)) {
      const near = factsOf.get(one) ?? [];
      const isCarried = near.length === 0;
      const found = numberJudgement(one, isCarried ? carried : near, isCarried);
      const isOfUnit = isCarried && found.mark === 'unjudged' && one.comparator === '' && one.unit !== '';
      marks.set(one, isOfUnit ? unitJudgement(one, all) : found);
    }
    judgeDates(sentence, all, marks);
  }
  for (const one of marks.keys()) if (today.some((day) => isOn(one, ['', null, null, day]))) marks.delete(one);
  return partsOf(text, marks);
}

/** Judges a number whose measure is not named by the facts of its unit. */
function unitJudgement(stated: Statement, all: readonly Told[]): Judgement {
  const ofUnit = all.filter(({ amounts }) => amounts.some(({ unit }) => unit === stated.unit));
  const equal = ofUnit.filter(({ amounts }) => amounts.some((one) => isSameNumber(stated, one)));
  return { mark: equal.length > 0 ? 'same' : ofUnit.length > 0 ? 'absent' : 'unjudged', facts: equal };
}

function partsOf(text: string, marks: ReadonlyMap<Statement, Judgement>): Part[] {
  const parts: Part[] = [];
  let position = 0;
  for (const [{ start, end }, { mark, facts }] of [...marks].toSorted(([a], [b]) => a.start - b.start)) {
    parts.push({ text: text.slice(position, start) });
    parts.push({ text: text.slice(start, end), mark, facts: facts.map(({ fact }) => fact) });
    position = end;
  }
  parts.push({ text: text.slice(position) });
  return parts.filter((part) => part.text !== '');
}
