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
  const stated = statementsIn(value ?? '', unit === null ? [] : [unit]);
  const amounts = stated.map((one, at) => {
    // The unit of a pair stands after both: 128/82 mmHg.
    const next = stated[at + 1];
    const isPair = next !== undefined && /^\s?[/–-]\s?$/.test((value ?? '').slice(one.end, next.start));
    return { ...one, unit: unit === null ? one.unit || (isPair ? next.unit : '') : unitKey(unit) };
  });
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

/** Returns whether a stated number has the unit of an amount. A count has none. */
const hasUnitOf = (stated: Amount, amount: Amount, { amounts, fact: [, , , when, ref] }: Told): boolean =>
  stated.unit === '' ||
  stated.unit === amount.unit ||
  (amounts.every(({ unit }) => unit === '') && (when !== null || ref !== undefined));

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

const UNJUDGED: Judgement = { mark: 'unjudged', facts: [] };

/** Judges a number by the facts of its measure. `isCarried` is true if the measure was named in an earlier sentence. */
function numberJudgement(stated: Statement, facts: readonly Told[], isCarried: boolean): Judgement {
  const equal = facts.filter(({ amounts }) => amounts.some((one) => isSameNumber(stated, one)));
  const fit = equal.filter((told) =>
    told.amounts.some((one) => isSameNumber(stated, one) && hasUnitOf(stated, one, told)),
  );
  if (stated.isCount) {
    const counts = fit.filter(isCounted);
    return { mark: counts.length > 0 ? 'same' : 'unjudged', facts: counts };
  }
  if (fit.length > 0) return { mark: 'same', facts: fit };
  const comparable = facts.filter((told) => told.amounts.some((one) => hasUnitOf(stated, one, told)));
  const isJudged = isCarried ? stated.unit !== '' && comparable.length > 0 : comparable.length + equal.length > 0;
  // A text may compare with any number: "above 7", "the goal of 6".
  if (!isJudged || stated.comparator !== '' || stated.isLimit) return { mark: 'unjudged', facts: [] };
  return { mark: 'other', facts: comparable.length > 0 ? comparable : equal };
}

/** Returns whether a fact was computed of several records: a count, a mean, a difference or a usual range. */
const isComputed = ({ fact: [, , , , ref] }: Told): boolean => ref === undefined;

const isCounted = (told: Told): boolean => isComputed(told) && told.fact[2] === null;

/** Returns whether a comparison, such as "above 7", fits none of the values. */
const isContradicted = ({ comparator, numbers }: Statement, facts: readonly Told[]): boolean =>
  comparator !== '' &&
  facts.length > 0 &&
  !facts.some(({ amounts }) =>
    amounts.some((one) =>
      one.numbers.some((value) => numbers.some((limit) => (comparator === '<' ? value <= limit : value >= limit))),
    ),
  );

/** Returns the number that belongs to each date. As many numbers as dates in a row belong to them in order. */
function pairsOf(statements: readonly Statement[]): Map<Statement, Statement> {
  const pairs = new Map<Statement, Statement>();
  const taken = new Set<Statement>();
  const isDate = ({ dates }: Statement): boolean => dates.length > 0;
  const runs: Statement[][] = [];
  for (const one of statements.filter(({ isCount }) => !isCount)) {
    const run = runs.at(-1);
    if (run?.[0] && isDate(run[0]) === isDate(one)) run.push(one);
    else runs.push([one]);
  }
  runs.forEach((dates, at) => {
    if (!dates.every(isDate)) return;
    const [before, after] = [runs[at - 1], runs[at + 1]];
    const numbers = [before, after].find((run) => run?.some((one) => !taken.has(one)));
    const nearest = numbers === before ? numbers?.slice(-1) : numbers?.slice(0, 1);
    const chosen = dates.length === 1 ? nearest : numbers?.length === dates.length ? numbers : [];
    dates.forEach((date, i) => {
      const number = chosen?.[i];
      if (!number || taken.has(number)) return;
      pairs.set(date, number);
      taken.add(number);
    });
  });
  return pairs;
}

/** Words of what is computed of several records: means, differences, usual ranges. */
const MEAN = /\b(?:mean|average|media|promedio)\b/i;
const COMPUTED = new RegExp(
  [
    String.raw`\b(?:mean|average|media|promedio|change[ds]?|by|up|down|rose|fell|rise|increase[ds]?|decrease[ds]?`,
    'dropped|higher|lower|range|usual|normal|reference|subio|bajo|aumento|disminuyo|cambio|rango|habitual',
    String.raw`intervalo|referencia)\b`,
  ].join('|'),
  'i',
);

/** Words that may stand between the name of a measure and its number. */
const NEUTRAL = new Set(
  [
    ['were', 'are', 'be', 'been', 'has', 'had', 'have', 'at', 'on', 'as', 'from', 'than', 'then', 'it', 'its', 'that'],
    ['your', 'his', 'her', 'their', 'my', 'this', 'last', 'latest', 'first', 'most', 'recent', 'newest', 'current'],
    ['value', 'result', 'results', 'reading', 'level', 'measured', 'recorded', 'taken', 'came', 'back', 'went', 'only'],
    ['fell', 'rose', 'dropped', 'increased', 'decreased', 'improved', 'changed', 'up', 'down', 'stood', 'reached'],
    ['high', 'higher', 'highest', 'low', 'lower', 'lowest', 'slightly', 'now', 'today', 'about', 'mean', 'average'],
    ['usual', 'normal', 'range', 'reference', 'between', 'below', 'above', 'never', 'not', 'under', 'over', 'dose'],
    ['fue', 'era', 'es', 'esta', 'estaba', 'su', 'sus', 'un', 'una', 'al', 'ultimo', 'ultima', 'primer', 'primera'],
    ['valor', 'resultado', 'nivel', 'medido', 'subio', 'bajo', 'paso', 'hasta', 'desde', 'mas', 'alto', 'alta', 'baja'],
    ['media', 'promedio', 'rango', 'habitual', 'entre', 'ahora', 'hoy', 'reciente', 'menos', 'mayor', 'menor', 'no'],
  ].flat(),
);

/** A sentence with its statements. */
interface Sentence {
  statements: Statement[];
  /** The facts to which each statement may belong: of the measure that is named before it, or else in the sentence. */
  factsOf: Map<Statement, Told[]>;
  /** The statements before which something else is named. */
  foreign: Set<Statement>;
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
    const canCompute = COMPUTED.test(unaccented(sentence));
    const factsOf = new Map<Statement, Told[]>();
    const foreign = new Set<Statement>();
    let [near, position, isMean, next]: [Told[], number, boolean, number] = [[], start, false, 0];
    for (const one of statements) {
      const first = next;
      while ((words[next]?.at ?? one.start) < one.start) next += 1;
      const between = words.slice(first, next).filter(({ at }) => at >= position);
      const before = named(measures, between);
      if (before.length > 0) near = before;
      const nearest = between.findLast(({ word }) => !NEUTRAL.has(word));
      if (nearest && named(measures, [nearest]).length === 0) foreign.add(one);
      isMean ||= MEAN.test(text.slice(position, one.start));
      const facts = near.length > 0 ? near : ofSentence;
      const computed = isMean ? facts.filter(isComputed) : [];
      const measured = canCompute ? facts : facts.filter((told) => !isComputed(told) || isCounted(told));
      factsOf.set(one, computed.length > 0 ? computed : measured);
      if (one.numbers.length > 0 && !one.isCount) isMean = false;
      position = one.end;
    }
    sentences.push({ statements, factsOf, foreign, carried });
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
    const { statements, factsOf, foreign, carried } = sentence;
    for (const one of statements.filter(({ numbers }) => numbers.length > 0)) {
      const near = factsOf.get(one) ?? [];
      const isCarried = near.length === 0;
      const isOther = foreign.has(one) && !one.isCount;
      marks.set(one, isOther ? UNJUDGED : numberJudgement(one, isCarried ? carried : near, isCarried));
    }
    judgeDates(sentence, all, marks);
  }
  for (const one of marks.keys()) if (today.some((day) => isOn(one, ['', null, null, day]))) marks.delete(one);
  return partsOf(text, marks);
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
