//! Compares the numbers and dates of a text with the facts of receipts. It knows no medicine and no model: a statement
//! belongs to the measure whose name stands nearest before it in its sentence.

import type { ReceiptFact } from '#reading/tools/receipt.ts';
import {
  type Amount,
  CHANGE,
  CONNECTING,
  folded,
  type Statement,
  statementsIn,
  unitKey,
  withoutPlain,
} from './statements.ts';

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
  /** The words without which another measure is named: HDL of "Cholesterol in HDL", both of "Albumin/Creatinine". */
  needed: string[];
  facts: Told[];
}

type Told = { fact: ReceiptFact; amounts: Amount[] };

type Word = { word: string; at: number };

/** Returns the words of a text that may name something, in the singular. */
const wordsIn = (text: string): Word[] =>
  [...text.toLowerCase().matchAll(/[\p{L}\p{Nd}]+/gu)]
    .filter(([word]) => !CONNECTING.test(word))
    .map(({ 0: word, index: at }) => ({ word: word.replace(/(?<=\p{L}{2}[^aiosu])s$/u, ''), at }));

function toldOf(fact: ReceiptFact): Told {
  const [what, value, unit, , ref] = fact;
  const units = unit === null ? [] : [folded(unit)];
  const times = folded(value ?? '').replace(/\bonce\b|\buna vez\b/g, '1 time');
  const stated = statementsIn(times, units, true).filter(({ numbers }) => numbers.length > 0);
  // A medication often has its strength in its name alone. Of several tablets it is not the dose.
  const strength = statementsIn(what, [], true).filter((one) => one.unit !== '' && !one.isCount);
  const isOne = stated[0]?.numbers.includes(1) ?? true;
  const told = (isOne ? [...stated, ...strength] : stated).map((one) => ({
    ...one,
    // A fall of 0.9 may be written as −0.9.
    numbers: ref === undefined ? one.numbers.flatMap((number) => [number, -number]) : one.numbers,
    unit: unit === null ? one.unit : unitKey(unit),
  }));
  // 250 ×10³/µL are 250,000 per µL.
  const whole = told
    .filter(({ unit }) => unit.startsWith('10^3'))
    .map((one) => ({ ...one, numbers: one.numbers.map((number) => number * 1000), unit: one.unit.slice(4) }));
  return { fact, amounts: [...told, ...whole] };
}

/** Returns a pattern of the names that have numbers, such as `CA 19-9`. */
function numberedNames(facts: readonly ReceiptFact[]): RegExp {
  const names = facts.map(([what]) => folded(what)).filter((name) => /\d/.test(name));
  const patterns = names.map((name) => name.match(/\p{L}+|\p{N}+/gu)?.join('[^\\p{L}\\p{N}]{0,3}'));
  return new RegExp([...new Set(patterns)].join('|') || '(?!)', 'giu');
}

/** Abbreviations and words with numbers, except in parentheses and of amounts, and words with a stroke or a hyphen. */
const NEEDED =
  /(?<!\([^)]*|\d )\b(?:(?:[A-Z]{2,}|[A-Za-z]+\d)[A-Za-z\d]*\b|[A-Za-z]+(?=[/-][A-Za-z])|(?<=[A-Za-z][/-])[A-Za-z]+)/g;

function measuresOf(facts: readonly ReceiptFact[]): Measure[] {
  return [...Map.groupBy(facts, ([what]) => what)].map(([what, own]) => ({
    words: [...new Set(wordsIn(folded(what)).map(({ word }) => word))],
    needed: own.some(([, , unit]) => unit !== null)
      ? wordsIn((folded(what).match(NEEDED) ?? []).join(' ')).map(({ word }) => word)
      : [],
    facts: own.map(toldOf),
  }));
}

const isPart = ({ word }: Word, part: string): boolean =>
  word === part || (/\d/.test(part) && part.length > 2 && word.endsWith(part));

const isOf = (word: Word, { words }: Measure): boolean => words.some((part) => isPart(word, part));

/** Returns the facts of the measure that is named last in some words: of several, of that which they name best. */
function named(measures: readonly Measure[], words: readonly Word[]): Told[] {
  const last = words.findLast((word) => !IS_GENERIC.test(word.word) && measures.some((one) => isOf(word, one)));
  const scores = measures.map((one) => {
    const isSaid = (part: string): boolean => words.some((word) => isPart(word, part));
    const count = one.words.filter(isSaid).length;
    return last && isOf(last, one) && one.needed.every(isSaid) ? count + count / one.words.length : 0;
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

const isWhole = ({ dates }: Statement): boolean =>
  dates.every(({ day, year }) => day !== undefined && year !== undefined);

/** Returns whether facts are without numbers, such as problems: their dates are what they tell. */
const areDated = (facts: readonly Told[]): boolean => facts.every(({ amounts }) => amounts.length === 0);

type Judgement = { mark: Mark; facts: Told[] };

const UNJUDGED: Judgement = { mark: 'unjudged', facts: [] };

/** Judges a number by the facts of its measure. `isCarried` is true if the measure was named in an earlier sentence. */
function numberJudgement(stated: Statement, facts: readonly Told[], isCarried: boolean): Judgement {
  const equal = facts.filter(({ amounts }) => amounts.some((one) => isSameNumber(stated, one)));
  const fit = equal.filter((told) =>
    told.amounts.some((one) => isSameNumber(stated, one) && hasUnitOf(stated, one, told)),
  );
  if (stated.isCount && !facts.some(({ amounts }) => amounts.some(({ unit }) => unit === stated.unit && unit !== ''))) {
    const isTotal = facts.some(
      (told) => isCounted(told) && told.amounts.some((one) => one.numbers.includes(stated.total)),
    );
    const counts = isTotal ? equal.filter(isCounted) : [];
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

const isCounted = (told: Told): boolean =>
  isComputed(told) && told.fact[2] === null && /^\d+$/.test(told.fact[1] ?? '');

/** Returns whether a comparison, such as "above 7", fits none of the values. A bound does not reach the other side. */
const isContradicted = ({ comparator, numbers }: Statement, facts: readonly Told[]): boolean =>
  comparator !== '' &&
  facts.length > 0 &&
  !facts.some(({ amounts }) =>
    amounts.some((one) => {
      const isOther = one.comparator !== '' && one.comparator !== comparator;
      return one.numbers.some((value) =>
        numbers.some((limit) => (value === limit ? !isOther : value < limit === (comparator === '<'))),
      );
    }),
  );

/** Returns the number of the same measure for each date. As many numbers as dates in a row belong to them in order. */
function pairsOf({ statements, factsOf }: Sentence): Map<Statement, Statement> {
  const pairs = new Map<Statement, Statement>();
  const taken = new Set<Statement>();
  const isAbout = (date: Statement, number: Statement): boolean => {
    const facts = factsOf.get(date) ?? [];
    return facts.length === 0 || facts.some((told) => factsOf.get(number)?.includes(told));
  };
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
    const numbers = [before, after].find((run) =>
      run?.some((one) => !taken.has(one) && dates.some((date) => isAbout(date, one))),
    );
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

/** Words of many names, which name nothing alone. */
const GENERIC = 'blood|serum|plasma|body|rate|count|total|score|ratio|oral|tablets?|mg|sangre|suero';
const MEAN = 'mean|averaged?|media|promedio';
/** Words of what is computed of several records: means, differences, usual ranges. */
const COMPUTED = [
  `${MEAN}|changed?|changes|by|up|down|rose|fell|rise|increased?|increases|decreased?|decreases|drop|dropped|declined?`,
  'higher|lower|reduction|difference|improved|improvement|range|usual|normal|reference|subio|bajo|aumento|disminuyo',
  'cambio|descenso|reduccion|diferencia|incremento|rango|habitual|intervalo|referencia',
].join('|');
/** Words that may stand between the name of a measure and its number. */
const NEUTRAL = [
  `${GENERIC}|${COMPUTED}|\\p{L}{2,}(?:ed|ly|mente|[ai]d[oa]s?)|\\d+\\p{L}{1,2}|latest|most|recent|newest|current`,
  'value|result|reading|level|taken|came|back|went|kept|stood|stable|steady|high|highest|low|lowest|about|around|more',
  'roughly|between|below|above|never|not|under|less|least|dose|visit|control|visita|ultim[oa]|primera?|valor|resultado',
  'nivel|paso|llego|quedo|se|mantuvo|mas|alt[oa]|baja|entre|reciente|menos|mayor|menor|no|capsule|puff|drop|time|day',
  'once|twice|daily|every|vez|veces|dia|cada|despues|er|xr|minimum|maximum|minim[oa]|maxim[oa]|min|max|peak|earliest',
  'trend|previous|prior|initial|final|baseline|overall|year|month|date|ano|mes|fecha|anterior|inicial',
].join('|');
const [IS_GENERIC, IS_MEAN, CAN_COMPUTE, IS_NEUTRAL] = [GENERIC, MEAN, COMPUTED, NEUTRAL].map(
  (words) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'iu'),
) as [RegExp, RegExp, RegExp, RegExp];

interface Sentence {
  statements: Statement[];
  /** The facts to which each statement may belong: of the measure that is named before it, or else in the sentence. */
  factsOf: Map<Statement, Told[]>;
  /** The statements before which something else is named. */
  foreign: Set<Statement>;
  /** The facts of all measures of which it has a word. */
  mentioned: Told[];
  /** The facts of the measure that an earlier sentence names. */
  carried: Told[];
}

/** Returns the sentences of a text. `stated` is the text without the numbers of names. */
function sentencesOf(text: string, stated: string, measures: readonly Measure[], units: readonly string[]): Sentence[] {
  const all = statementsIn(stated, units);
  const unitWords = units.flatMap(wordsIn).map(({ word }) => word);
  const isNeutral = ({ word }: Word): boolean => IS_NEUTRAL.test(word) || (word.length > 1 && unitWords.includes(word));
  const sentences: Sentence[] = [];
  const values = measures.filter(({ facts }) => facts.some(({ fact: [, , , , ref] }) => !ref?.startsWith('Patient/')));
  let [start, carried]: [number, Told[]] = [0, []];
  const namedIn = (words: readonly Word[]): Told[] =>
    [values, measures].map((some) => named(some, words)).find((facts) => facts.length > 0) ?? [];
  const isOfFacts = (word: Word, facts: readonly Told[]): boolean =>
    measures.some((one) => isOf(word, one) && one.facts.some((told) => facts.includes(told)));
  // "Fasting glucose" is not the glucose, and "albumin/creatinine" not the creatinine.
  const isQualifier = (one: Word | undefined, name: Word | undefined): boolean =>
    one !== undefined && !isNeutral(one) && /^[ /-]$/.test(text.slice(one.at + one.word.length, name?.at));
  for (const sentence of text.split(/(?<=\n|;(?=\s)|[.!?](?=\s+[^\s\p{Ll}]))/u)) {
    const end = start + sentence.length;
    const statements = all.filter((one) => one.start >= start && one.start < end);
    const words = wordsIn(sentence)
      .map(({ word, at }) => ({ word, at: at + start }))
      .filter(({ at }) => !statements.some((one) => one.start <= at && at < one.endOfUnit));
    const ofSentence = namedIn(words);
    const canCompute = CAN_COMPUTE.test(sentence);
    const factsOf = new Map<Statement, Told[]>();
    const foreign = new Set<Statement>();
    let [near, position, isMean, isForeign]: [Told[], number, boolean, boolean] = [[], start, false, false];
    for (const one of statements) {
      const between = words.filter(({ at }) => at >= position && at < one.start);
      const before = namedIn(between);
      if (before.length > 0) near = before;
      // What else is named holds until a measure is named.
      const at = between.findLastIndex((word) => !isNeutral(word));
      const other = between.findLastIndex((word, i) => i <= at && !isOfFacts(word, before));
      const isMeasured = before.some(({ fact: [, , unit] }) => unit !== null);
      if (at >= 0) isForeign = other === at || (isMeasured && isQualifier(between[other], between[other + 1]));
      // The mean of a name, such as "mean corpuscular volume", is none.
      isMean ||= between.some((word) => IS_MEAN.test(word.word) && !isOfFacts(word, near));
      isMean ||= CHANGE.test(text.slice(position, one.start));
      const pool = near.length > 0 ? near : ofSentence.length > 0 || !isMean ? ofSentence : carried;
      const isSigned = '-−'.includes(stated.charAt(one.start)) || stated[one.start - 1] === '+';
      // A signed number where no record has one is a difference.
      const isDifference =
        isSigned &&
        !pool.some((told) => !isComputed(told) && told.amounts.some(({ numbers }) => numbers.some((n) => n < 0)));
      const isOfComputed = isMean || isDifference;
      const isUnitless = pool.every(({ fact: [, , unit] }) => unit === null);
      const facts = pool.filter((told) =>
        isCounted(told) && !(isMean && isUnitless)
          ? one.isCount
          : isComputed(told)
            ? isMean || canCompute || isSigned
            : !isOfComputed,
      );
      if (isForeign || (isOfComputed && facts.length === 0)) foreign.add(one);
      factsOf.set(one, isForeign && one.dates.length === 0 ? [] : facts);
      if (one.numbers.length > 0 && !one.isCount) isMean = false;
      position = one.end;
    }
    const mentioned = measures.filter((one) => words.some((word) => isOf(word, one))).flatMap(({ facts }) => facts);
    sentences.push({ statements, factsOf, foreign, mentioned, carried });
    if (ofSentence.length > 0) carried = ofSentence;
    else if (!words.every(isNeutral)) carried = [];
    start += sentence.length;
  }
  return sentences;
}

/** Judges the dates of a sentence, and each number by the date that belongs to it. */
function judgeDates(sentence: Sentence, all: readonly Told[], marks: Map<Statement, Judgement>): void {
  const { statements, factsOf, foreign, mentioned, carried } = sentence;
  const pairs = pairsOf(sentence);
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
    const isTold = !foreign.has(date) && date.dates.every(({ year }) => year !== undefined);
    const found = ofDay(pool.length > 0 ? pool : isTold ? all : []);
    const isMissing =
      (isDated || ((isWhole(date) || (isTold && areDated(pool))) && ofDay(mentioned).length === 0)) &&
      pool.some(({ fact: [, , , when] }) => when !== null);
    const mark = found.length > 0 ? 'same' : isMissing ? 'absent' : 'unjudged';
    marks.set(date, { mark, facts: found.length > 0 ? found : isMissing ? pool : [] });
  }
}

/** Judges pairs such as `120/80`: both numbers are of one fact, in this order, or of two facts of one record. */
function judgePairs(text: string, statements: readonly Statement[], marks: Map<Statement, Judgement>): void {
  statements.forEach((one, i) => {
    const next = statements[i + 1];
    const [first, second] = [marks.get(one), next && marks.get(next)];
    if (!next || first?.mark !== 'same' || second?.mark !== 'same') return;
    if (!/^(?: ?\/ ?| (?:over|sobre) )$/.test(text.slice(one.end, next.start))) return;
    const placeOf = (of: Statement, { amounts }: Told): number =>
      amounts.findIndex((amount) => isSameNumber(of, amount));
    const isPair = (told: Told, other: Told): boolean =>
      told === other
        ? placeOf(one, told) <= placeOf(next, told)
        : told.fact[4] !== undefined && told.fact[4] === other.fact[4] && !/diast/i.test(told.fact[0]);
    const both = first.facts.filter((told) => second.facts.some((other) => isPair(told, other)));
    const judgement: Judgement =
      both.length > 0 ? { mark: 'same', facts: both } : { mark: 'other', facts: [...first.facts, ...second.facts] };
    marks.set(one, judgement).set(next, judgement);
  });
}

/** Marks as in the record a difference that is right of the two numbers before or after it, which are in the record. */
function judgeDifferences(text: string, statements: readonly Statement[], marks: Map<Statement, Judgement>): void {
  const numbers = statements.filter((one) => marks.has(one) && one.numbers.length > 0);
  numbers.forEach((one, i) => {
    const sign = /[-+−]/.exec(text.slice(one.start - 1, one.start + 1))?.[0];
    const start = numbers[i - 1]?.end ?? Math.max(0, one.start - 45);
    if (sign === undefined && !CAN_COMPUTE.test(text.slice(start, one.start))) return;
    for (const at of [i - 2, i + 1]) {
      const [from, to] = [numbers[at], numbers[at + 1]];
      const ends = [from, to].map((end) => end && marks.get(end));
      if (!from || !to || !ends.every((end) => end?.mark === 'same') || !['', to.unit].includes(one.unit)) continue;
      const differences = to.numbers.flatMap((b) => from.numbers.map((a) => (sign ? b - a : Math.abs(b - a))));
      const isRight = differences.some((by) => one.numbers.some((stated) => Math.abs(by - stated) < 1e-9));
      if (isRight) marks.set(one, { mark: 'same', facts: ends.flatMap((end) => end?.facts ?? []) });
    }
  });
}

/** Judges nothing that may be among the facts that a receipt lacks: only another number of the same measure and day. */
function judgeCut(sentence: Sentence, marks: Map<Statement, Judgement>): void {
  const days = [...pairsOf(sentence)].filter(([date]) => isWhole(date));
  const isKnown = (one: Statement, { mark, facts }: Judgement): boolean =>
    mark === 'other' && days.some(([day, of]) => of === one && facts.some(({ fact }) => isOn(day, fact)));
  for (const one of sentence.statements) {
    const judgement = marks.get(one);
    if (judgement && judgement.mark !== 'same' && !isKnown(one, judgement)) marks.set(one, UNJUDGED);
  }
}

/** Returns the text in parts, each number and date with its mark. `today` are the dates of the receipts. */
export function judged(text: string, facts: readonly ReceiptFact[], today: string[] = [], isCut = false): Part[] {
  const measures = measuresOf(facts);
  const all = measures.flatMap((one) => one.facts);
  const units = facts.flatMap(([, , unit]) => folded(unit ?? '') || []).toSorted((a, b) => b.length - a.length);
  const latin = folded(text);
  const unnumbered = latin.replace(numberedNames(facts), (name) => name.replace(/\d/g, '_'));
  const stated = withoutPlain(unnumbered, units);
  const plain = stated.replace(/_/g, (_, at: number) => latin.charAt(at));
  const marks = new Map<Statement, Judgement>();
  for (const sentence of sentencesOf(plain, stated, measures, units)) {
    const { statements, factsOf, foreign, carried } = sentence;
    for (const one of statements.filter(({ numbers }) => numbers.length > 0)) {
      const near = factsOf.get(one) ?? [];
      const isCarried = near.length === 0;
      marks.set(one, foreign.has(one) ? UNJUDGED : numberJudgement(one, isCarried ? carried : near, isCarried));
    }
    judgePairs(plain, statements, marks);
    judgeDates(sentence, all, marks);
    judgeDifferences(plain, statements, marks);
    if (isCut) judgeCut(sentence, marks);
  }
  for (const one of marks.keys())
    if (isWhole(one) && today.some((day) => isOn(one, ['', null, null, day]))) marks.delete(one);
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
