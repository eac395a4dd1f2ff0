//! A Dosage in words, made from its structure (<https://hl7.org/fhir/R4/dosage.html>), and the simpler dosage of an
//! administration. Its text is shown next to the coded parts, so that a reader sees differences. Parts that are not
//! understood are listed.

import { type QuantityRange, rangeIn, rangeText, timingWords } from '../fhir/dosage-timing.ts';
import { type ExtensionWords, extensionsIn } from '../fhir/extension-words.ts';
import * as loose from '../fhir/loose.ts';
import { concept } from '../fhir/text.ts';
import { spanText, timeUnit } from '../fhir/time-units.ts';
import type { Concept, Quantity } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { otherCode } from '../results/values/convert.ts';
import { itemsOf } from '../shape.ts';
import { absentWords, unreadWords } from './dosage-unread.ts';
import { sameDose } from './same-dose.ts';

/** A part of the words. */
interface Phrase {
  words: string;
  /** Other words in the short form. */
  brief?: string;
  /** True if the short form includes the phrase, although it is neither an amount nor a frequency. */
  isTelling?: boolean;
}

interface DosageWords {
  /** All words of the dosage. */
  whole: string;
  /** Only the amount, the frequency and the site. */
  short: string;
  /** The sequence number among the dosages; `undefined` if none is recorded. */
  sequence: number | undefined;
  /** True if the medication is coded as taken as needed. */
  isAsNeeded: boolean;
}

const phrase = (words: string): Phrase => ({ words });

/** Returns an amount, always with a word about its unit. */
function amountText(words: Words, of: Quantity): string {
  const said = spanText(words, of);
  // Some systems write 1 as the unit of counted things.
  if (of.value !== undefined && [of.unit, of.code].every((one) => !one || one === '1'))
    return words.t('{amount} (unit not recorded)', { amount: said });
  if (of.value === undefined) return words.t('{unit}, amount not recorded', { unit: of.unit ?? of.code ?? '' });
  const code = otherCode(of);
  return code === undefined ? said : `${said} (${words.t('coded as {code}', { code })})`;
}

/** Returns a range of amounts, always with a word about the unit. */
function amountsText(words: Words, range: QuantityRange): string {
  const hasUnit = [range.low, range.high].some((one) => one?.unit || one?.code);
  return hasUnit
    ? rangeText(words, range)
    : words.t('{amount} (unit not recorded)', { amount: rangeText(words, range) });
}

interface Ratio {
  numerator: Quantity;
  denominator: Quantity | undefined;
}

/** Returns a ratio with a numerator. */
function ratioIn(value: unknown): Ratio | undefined {
  const parts = new loose.Parts(value);
  const [numerator, denominator] = [
    parts.take('numerator', loose.quantityIn),
    parts.take('denominator', loose.quantityIn),
  ];
  return numerator && parts.left().length === 0 ? { numerator, denominator } : undefined;
}

const isOneOfTime = ({ value, written, code, unit }: Quantity): boolean =>
  value === 1 && (written === undefined || written === '1') && (timeUnit(code) ?? timeUnit(unit)) !== undefined;

/** Returns a rate: `100 mL/h`, `1000 mL in 8 hours`. */
function rateText(words: Words, { numerator, denominator }: Ratio): string {
  if (!denominator)
    return words.t('at {rate}', {
      rate: words.t('{amount}, period not recorded', { amount: amountText(words, numerator) }),
    });
  if (isOneOfTime(denominator)) {
    const unit = timeUnit(denominator.code) ?? timeUnit(denominator.unit) ?? '';
    if (unit === 'd')
      return words.t('at {rate}', { rate: words.t('{amount} per day', { amount: amountText(words, numerator) }) });
    return words.t('at {rate}', { rate: `${amountText(words, numerator)}/${unit}` });
  }
  const [amount, time] = [amountText(words, numerator), amountText(words, denominator)];
  return words.t('at {rate}', { rate: words.t('{amount} in {time}', { amount, time }) });
}

/** Returns the rate of administration, in each of its forms. */
function ratePhrases(words: Words, parts: loose.Parts): Phrase[] {
  const quantity = parts.take('rateQuantity', loose.quantityIn) ?? parts.take('rateSimpleQuantity', loose.quantityIn);
  const ratio = parts.take('rateRatio', ratioIn);
  const range = parts.take('rateRange', rangeIn);
  const rates = range && amountsText(words, range);
  return [
    ...(quantity ? [phrase(words.t('at {rate}', { rate: amountText(words, quantity) }))] : []),
    ...(ratio ? [phrase(rateText(words, ratio))] : []),
    ...(rates ? [phrase(range.high ? words.t('at {rate}', { rate: rates }) : rates)] : []),
  ];
}

/** The names of the dose element: in R4, in administrations, in STU3 as used in practice, and in DSTU2. */
const DOSES = ['doseQuantity', 'dose', 'doseSimpleQuantity', 'quantityQuantity', 'quantity'];

/** Returns the dose and its rate, in each of their forms. STU3 and administrations have them without a list. */
function dosePhrases(words: Words, parts: loose.Parts, suffix = ''): Phrase[] {
  const quantities = DOSES.map((name) => parts.take(name, loose.quantityIn));
  const range = parts.take('doseRange', rangeIn);
  const doses = quantities.filter((one) => one !== undefined);
  return [
    ...doses.map((dose) => phrase(`${amountText(words, dose)}${suffix}`)),
    ...(range ? [phrase(`${amountsText(words, range)}${suffix}`)] : []),
    ...ratePhrases(words, parts),
  ];
}

/** Returns the origin of a dose, in brackets. A single dose is the ordered one. */
function typeText(words: Words, parts: loose.Parts, isSingle: boolean): string {
  const type = parts.take('type', loose.conceptIn);
  const codes = (type?.coding ?? []).map(({ code }) => code);
  if (codes.includes('ordered')) return isSingle ? '' : ` ${words.t('(as ordered)')}`;
  if (codes.includes('calculated')) return ` ${words.t('(calculated)')}`;
  const said = term(words, type);
  return said === undefined ? '' : ` (${said})`;
}

/** Returns the words of a concept, without a terminology's suffix for the kind of the term. */
function term(words: Words, value: Concept | undefined): string | undefined {
  const said = concept(words, value);
  return said === undefined ? undefined : loose.plainTerm(said);
}

/** The parts of a dosage, in words. */
interface Read {
  /** The amount and the frequency. */
  core: Phrase[];
  /** The other parts, which the short form may omit. */
  more: Phrase[];
  unread: loose.UnreadPart[];
  extensions: ExtensionWords[];
}

function readDoses(words: Words, value: unknown): Read {
  const [first, ...others] = sameDose(value) ?? [];
  if (first) {
    const inBrackets = others.length > 0 ? ` (${others.map((of) => amountText(words, of)).join(', ')})` : '';
    return { core: [phrase(`${amountText(words, first)}${inBrackets}`)], more: [], unread: [], extensions: [] };
  }
  const items = itemsOf(value);
  const all = items.map((one) => {
    const parts = new loose.Parts(one);
    const type = typeText(words, parts, items.length === 1);
    const phrases = dosePhrases(words, parts, type);
    const extensions = extensionsIn(words, parts.raw('extension'));
    return { phrases, unread: parts.left(), extensions };
  });
  return {
    core: all.flatMap(({ phrases }) => phrases),
    more: [],
    unread: all.flatMap(({ unread }) => unread),
    extensions: all.flatMap(({ extensions }) => extensions),
  };
}

function readTiming(words: Words, value: unknown): Read {
  const { core, more, unread, extensions } = timingWords(words, value);
  return { core: core.map(phrase), more: more.map(phrase), unread, extensions: extensionsIn(words, extensions) };
}

/** Reasons that say themselves that the medication is taken as needed. */
const AS_NEEDED = /needed|required|necessary|p\.?r\.?n|necesari[oa]|demanda/i;

/** Returns whether the medication is taken as needed, and the reason. R5 has other names for both. */
function readNeed(words: Words, parts: loose.Parts): Phrase[] {
  const flags = [parts.take('asNeededBoolean', loose.booleanIn), parts.take('asNeeded', loose.booleanIn)];
  const concepts = [
    ...(parts.take('asNeededCodeableConcept', loose.allIn(loose.conceptIn)) ?? []),
    ...(parts.take('asNeededFor', loose.allIn(loose.conceptIn)) ?? []),
  ];
  const reasons = concepts.map((one) => term(words, one) ?? '');
  if (reasons.length > 0) {
    const reason = words.listed(reasons, 'disjunction');
    const isSentence = reasons.every((one) => AS_NEEDED.test(one));
    return [phrase(isSentence ? reason : words.t('as needed for {reason}', { reason }))];
  }
  return flags.includes(true) ? [phrase(words.t('as needed'))] : [];
}

function readMost(words: Words, parts: loose.Parts): Phrase[] {
  const perPeriod = parts.take('maxDosePerPeriod', loose.allIn(ratioIn)) ?? [];
  const perAdministration = parts.take('maxDosePerAdministration', loose.quantityIn);
  const perLifetime = parts.take('maxDosePerLifetime', loose.quantityIn);
  return [
    ...perPeriod.map(({ numerator, denominator }) => {
      const amount = amountText(words, numerator);
      const time = denominator && amountText(words, denominator);
      return time
        ? words.t('at most {amount} in {time}', { amount, time })
        : words.t('at most {amount}', { amount: words.t('{amount}, period not recorded', { amount }) });
    }),
    ...(perAdministration
      ? [words.t('at most {amount} at a time', { amount: amountText(words, perAdministration) })]
      : []),
    ...(perLifetime ? [words.t('at most {amount} in a lifetime', { amount: amountText(words, perLifetime) })] : []),
  ].map(phrase);
}

/** Returns a SNOMED CT method without the words that all methods have. */
const methodText = (text: string): string => text.replace(/(?<!\s)\s*-\s*dosing instruction imperative.*$/i, '');

/** Returns the manner and the site, and all further instructions except the text of the dosage. */
function readManner(words: Words, parts: loose.Parts, text: string | undefined): Phrase[] {
  const route = term(words, parts.take('route', loose.conceptIn));
  const site = term(words, parts.take('site', loose.conceptIn));
  const method = term(words, parts.take('method', loose.conceptIn));
  const instructions = (parts.take('additionalInstruction', loose.allIn(loose.conceptIn)) ?? []).map(
    (one) => term(words, one) ?? '',
  );
  const forPatient = parts.take('patientInstruction', loose.textIn);
  const telling = (words: string): Phrase => ({ words, isTelling: true });
  return [
    ...(route === undefined ? [] : [telling(words.t('route: {route}', { route }))]),
    ...(site === undefined ? [] : [telling(words.t('site: {site}', { site }))]),
    ...(method === undefined ? [] : [phrase(words.t('method: {method}', { method: methodText(method) }))]),
    ...instructions.map(phrase),
    ...(forPatient === undefined || forPatient === text
      ? []
      : [phrase(words.t('for the patient: {text}', { text: forPatient }))]),
  ];
}

/** Returns the values of the extensions that no other phrase contains. */
function otherFacts(extensions: readonly ExtensionWords[], phrases: readonly Phrase[]): Phrase[] {
  const isSaid = (value: string): boolean =>
    value.length > 3 && phrases.some(({ words }) => words.toLowerCase().includes(value.toLowerCase()));
  return extensions.filter(({ value }) => value === undefined || !isSaid(value)).map(({ words }) => phrase(words));
}

/** Returns in words the parts that are not understood, and the parts without a value for a recorded reason. */
function warningsOf(
  words: Words,
  timing: readonly loose.UnreadPart[],
  others: readonly loose.UnreadPart[],
  modifiers: readonly string[],
): Phrase[] {
  const odd = (of: readonly loose.UnreadPart[]): loose.UnreadPart[] => of.filter(({ absent }) => absent === undefined);
  const [unclearTiming, unclear] = [odd(timing), odd(others)];
  // A text whose value is unknown is treated as no text.
  const absent = [...timing, ...others].filter(
    (one) => one.absent && !(one.name === 'text' && one.absent === 'unknown'),
  );
  return [
    ...(modifiers.length > 0
      ? [phrase(words.t('changed by something not understood: {names}', { names: words.listed([...modifiers]) }))]
      : []),
    ...absent.map((one) => phrase(absentWords(words, one))),
    ...(unclearTiming.length > 0
      ? [
          {
            words: words.t('how often is unclear; the record has: {names}', {
              names: unreadWords(words, unclearTiming),
            }),
            brief: words.t('how often is unclear'),
          },
        ]
      : []),
    ...(unclear.length > 0
      ? [phrase(words.t('unclear in the record: {names}', { names: unreadWords(words, unclear) }))]
      : []),
  ];
}

/** Returns a dosage in words. A dosage that has only a text is that text. */
export function dosageWords(words: Words, value: unknown): DosageWords {
  const parts = new loose.Parts(typeof value === 'string' ? { text: value } : value);
  const text = parts.take('text', loose.textIn);
  const sequence = parts.take('sequence', loose.numberIn);
  const doses = readDoses(words, parts.raw('doseAndRate'));
  const plainDoses = dosePhrases(words, parts);
  const timing = readTiming(words, parts.raw('timing'));
  const [need, most, manner] = [readNeed(words, parts), readMost(words, parts), readManner(words, parts, text)];
  const reason = loose.absentReason(value);
  const extensions = reason === undefined ? extensionsIn(words, parts.raw('extension')) : [];
  const modifiers = extensionsIn(words, parts.raw('modifierExtension')).map(({ words }) => words);
  const nothing: loose.UnreadPart[] = reason === undefined ? [] : [{ name: 'dose', value: '', absent: reason }];
  const unread = reason === undefined ? [...doses.unread, ...parts.left()] : nothing;
  const core = [...plainDoses, ...doses.core, ...timing.core, ...need];
  const warnings = warningsOf(words, timing.unread, unread, modifiers);
  const known = [...timing.more, ...most, ...manner];
  const rhythm = otherFacts(timing.extensions, [...core, ...known]);
  const facts = otherFacts([...doses.extensions, ...extensions], [...core, ...known]);
  // A past period, a single dose, the day of a month, the route and a side of the body are never omitted.
  const telling = [...rhythm, ...timing.more, ...most, ...manner.filter(({ isTelling }) => isTelling), ...warnings];
  const briefly = telling.map(({ words, brief = words }) => phrase(brief));
  const whole = beside(words, text, [...core, ...rhythm, ...known, ...facts, ...warnings]);
  return {
    whole,
    short: beside(words, text, [...core, ...briefly]) || whole,
    sequence,
    isAsNeeded: need.length > 0,
  };
}

/** Joins the text of a dosage and the coded parts. Parts that equal the text are not repeated. */
function beside(words: Words, text: string | undefined, phrases: readonly Phrase[]): string {
  const coded = phrases.flatMap(({ words }) => (words === text ? [] : [words])).join(', ');
  if (text === undefined) return coded;
  return coded === '' || coded.replaceAll('\u00a0', ' ') === text
    ? text
    : words.t('{text} · as coded: {coded}', { text, coded });
}

/**
 * Returns the words between two dosages: in sequence, at the same time, or unspecified. If both are as needed for
 * different reasons, one may be taken in place of the other.
 */
function between(words: Words, a: DosageWords | undefined, b: DosageWords): string {
  const [before, after] = [a?.sequence, b.sequence];
  if (before === undefined || after === undefined || (before === after && a?.isAsNeeded && b.isAsNeeded)) return '; ';
  return before === after ? `; ${words.t('and#dosages')} ` : `; ${words.t('then#dosages')} `;
}

/** Returns dosages in words, in order; `undefined` if none has words. */
function joinedAll(words: Words, value: unknown, of: (words: DosageWords) => string): string | undefined {
  const all = itemsOf(value).map((value) => dosageWords(words, value));
  const inOrder = all.every(({ sequence }) => sequence !== undefined)
    ? all.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
    : all;
  const said = inOrder.filter((words) => of(words) !== '');
  const text = said.map((own, i) => (i === 0 ? '' : between(words, said[i - 1], own)) + of(own)).join('');
  return text === '' ? undefined : text;
}

/** Returns the dosages of a record in words, completely. */
export const dosages = (words: Words, value: unknown): string | undefined =>
  joinedAll(words, value, ({ whole }) => whole);

/** Returns the dosages of a record in a few words: amount and frequency. */
export const shortDosages = (words: Words, value: unknown): string | undefined =>
  joinedAll(words, value, ({ short }) => short);
