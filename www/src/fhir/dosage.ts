//! A Dosage in words, made from its structure (<https://hl7.org/fhir/R4/dosage.html>), with its text, and the simpler
//! dosage of an administration. Where text and structure do not say the same, both are shown. What is not understood
//! is named.

import { t } from '../language/message.ts';
import { listed } from '../language/number.ts';
import { absentWords, leftWords } from './dosage-left.ts';
import { isReadAsNeeded } from './dosage-phrases.ts';
import { DosageText } from './dosage-text.ts';
import {
  type Phrase as AmountPhrase,
  type QuantityRange,
  rangeAmounts,
  rangeIn,
  rangeText,
  timingWords,
} from './dosage-timing.ts';
import { type ExtensionWords, extensionsIn } from './extension-words.ts';
import {
  absentReason,
  allIn,
  booleanIn,
  conceptIn,
  itemsOf,
  type Left,
  numberIn,
  Parts,
  plainTerm,
  quantityIn,
  textIn,
} from './loose.ts';
import { sameDose } from './same-dose.ts';
import { concept } from './text.ts';
import { spanText, timeUnit } from './time-units.ts';
import type { Concept, Quantity } from './types.ts';
import { unaccented } from './unaccented.ts';

/** A part of the words. */
interface Phrase {
  words: string;
  /** Returns whether a text says the same. */
  agrees(text: DosageText): boolean;
  /** Other words in the short form. */
  brief?: string;
  /** True if the short form has it too, though it is neither how much nor how often. */
  isTelling?: boolean;
}

/** A dosage in words. */
export interface DosageWords {
  /** Everything that it says. */
  whole: string;
  /** The words of how much, how often, and where, without the rest. */
  short: string;
  /** Its place among others; nothing where it says none. */
  sequence: number | undefined;
  /** True if it is taken as needed, by its codes or its text. */
  isAsNeeded: boolean;
}

const phrase = (words: string, agrees: (text: DosageText) => boolean): Phrase => ({ words, agrees });
const withAmounts = ({ words, amounts = [] }: AmountPhrase): Phrase =>
  phrase(words, (text) => amounts.length > 0 && amounts.every((amount) => text.has(amount)));

/** An amount, which is never without a word about its unit. */
function amountText(of: Quantity): string {
  const said = spanText(of);
  // The unit of a number of things is written as one by some.
  if (of.value !== undefined && [of.unit, of.code].every((one) => !one || one === '1'))
    return t('{amount} (unit not recorded)', { amount: said });
  if (of.value === undefined) return t('{unit}, amount not recorded', { unit: of.unit ?? of.code ?? '' });
  return said;
}

/** A range of amounts, which is never without a word about its unit. */
function amountsText(range: QuantityRange): string {
  const hasUnit = [range.low, range.high].some((one) => one?.unit || one?.code);
  return hasUnit ? rangeText(range) : t('{amount} (unit not recorded)', { amount: rangeText(range) });
}

interface Ratio {
  numerator: Quantity;
  denominator: Quantity | undefined;
}

/** A ratio with a numerator. */
function ratioIn(value: unknown): Ratio | undefined {
  const parts = new Parts(value);
  const [numerator, denominator] = [parts.take('numerator', quantityIn), parts.take('denominator', quantityIn)];
  return numerator && parts.left().length === 0 ? { numerator, denominator } : undefined;
}

const isOneOfTime = ({ value, written, code, unit }: Quantity): boolean =>
  value === 1 && (written === undefined || written === '1') && (timeUnit(code) ?? timeUnit(unit)) !== undefined;

/** A speed: `100 mL/h`, `1000 mL in 8 hours`. */
function rateText({ numerator, denominator }: Ratio): string {
  if (!denominator)
    return t('at {rate}', { rate: t('{amount}, period not recorded', { amount: amountText(numerator) }) });
  if (isOneOfTime(denominator)) {
    const unit = timeUnit(denominator.code) ?? timeUnit(denominator.unit) ?? '';
    if (unit === 'd') return t('at {rate}', { rate: t('{amount} per day', { amount: amountText(numerator) }) });
    return t('at {rate}', { rate: `${amountText(numerator)}/${unit}` });
  }
  const [amount, time] = [amountText(numerator), amountText(denominator)];
  return t('at {rate}', { rate: t('{amount} in {time}', { amount, time }) });
}

/** The amounts of a ratio. One in one hour is an amount by the hour. */
function quantitiesOf({ numerator, denominator }: Ratio): Quantity[] {
  if (!denominator) return [numerator];
  const unit = numerator.unit ?? numerator.code;
  const time = timeUnit(denominator.code) ?? timeUnit(denominator.unit);
  if (!isOneOfTime(denominator) || (time !== 'h' && time !== 'min') || !unit) return [numerator, denominator];
  return [{ ...(numerator.value === undefined ? {} : { value: numerator.value }), unit: `${unit}/${time}` }];
}

/** The speed at which something is given, in each of its forms. */
function ratePhrases(parts: Parts): Phrase[] {
  const quantity = parts.take('rateQuantity', quantityIn) ?? parts.take('rateSimpleQuantity', quantityIn);
  const ratio = parts.take('rateRatio', ratioIn);
  const range = parts.take('rateRange', rangeIn);
  return [
    ...(quantity ? [withAmounts({ words: t('at {rate}', { rate: amountText(quantity) }), amounts: [quantity] })] : []),
    ...(ratio ? [withAmounts({ words: rateText(ratio), amounts: quantitiesOf(ratio) })] : []),
    ...(range
      ? [withAmounts({ words: t('at {rate}', { rate: amountsText(range) }), amounts: rangeAmounts(range) })]
      : []),
  ];
}

/** The names of the element of a dose: those of R4, of administrations, of STU3 as it is written, and of DSTU2. */
const DOSES = ['doseQuantity', 'dose', 'doseSimpleQuantity', 'quantityQuantity', 'quantity'];

/** A dose and its speed, in each of their forms. STU3 and administrations have them without a list. */
function dosePhrases(parts: Parts, suffix = ''): Phrase[] {
  const quantities = DOSES.map((name) => parts.take(name, quantityIn));
  const range = parts.take('doseRange', rangeIn);
  const doses = quantities.filter((one) => one !== undefined);
  return [
    ...doses.map((dose) => phrase(`${amountText(dose)}${suffix}`, (text) => text.isDose(dose))),
    ...(range ? [phrase(`${amountsText(range)}${suffix}`, (text) => text.hasRange(range.low, range.high))] : []),
    ...ratePhrases(parts),
  ];
}

/** How a dose came about, in brackets. A single dose is the ordered one. */
function typeText(parts: Parts, isSingle: boolean): string {
  const type = parts.take('type', conceptIn);
  const codes = (type?.coding ?? []).map(({ code }) => code);
  if (codes.includes('ordered')) return isSingle ? '' : ` ${t('(as ordered)')}`;
  if (codes.includes('calculated')) return ` ${t('(calculated)')}`;
  const said = term(type);
  return said === undefined ? '' : ` (${said})`;
}

/** The words of a concept, without what a terminology says of their kind. */
function term(value: Concept | undefined): string | undefined {
  const said = concept(value);
  return said === undefined ? undefined : plainTerm(said);
}

/** The parts of a dosage as they are read. */
interface Read {
  /** How much and how often: a text must have it. */
  core: Phrase[];
  /** The rest, which a text may leave out. */
  more: Phrase[];
  unread: Left[];
  extensions: ExtensionWords[];
}

function readDoses(value: unknown): Read {
  const [first, ...others] = sameDose(value) ?? [];
  if (first) {
    const inBrackets = others.length > 0 ? ` (${others.map(amountText).join(', ')})` : '';
    const words = `${amountText(first)}${inBrackets}`;
    return {
      core: [phrase(words, (text) => [first, ...others].every((one) => text.isDose(one)))],
      more: [],
      unread: [],
      extensions: [],
    };
  }
  const items = itemsOf(value);
  const all = items.map((one) => {
    const parts = new Parts(one);
    const type = typeText(parts, items.length === 1);
    const phrases = dosePhrases(parts, type);
    const extensions = extensionsIn(parts.raw('extension'));
    return { phrases, unread: parts.left(), extensions };
  });
  return {
    core: all.flatMap(({ phrases }) => phrases),
    more: [],
    unread: all.flatMap(({ unread }) => unread),
    extensions: all.flatMap(({ extensions }) => extensions),
  };
}

/** Words that no text makes needless. */
const named = (words: string): Phrase => phrase(words, () => false);

function readTiming(value: unknown): Read {
  const { core, more, unread, extensions, rates, days, times, events, names } = timingWords(value);
  const isTimed = core.length > 0;
  const agrees = (text: DosageText): boolean => {
    const implied = [...rates];
    if (days.length > 0) implied.push('1/1wk', `${days.length}/1wk`);
    if (times.length > 0) implied.push(`${times.length}/1d`);
    if (events.length > 0) implied.push(`${events.length}/1d`);
    if (days.length > 0 && (times.length > 0 || events.length > 0)) implied.push('1/1d');
    const saysRate = rates.every(
      (rate) => text.rates.has(rate) || (rate === `${days.length}/1wk` && text.days.size > 0),
    );
    // A name that is in the text whole may be what says a rate there.
    const saysNoOther = names.length > 0 || [...text.rates].every((rate) => implied.includes(rate));
    return (
      saysRate &&
      names.every((name) => text.hasWhole(name)) &&
      saysNoOther &&
      days.every((day) => text.days.has(day)) &&
      [...text.days].every((day) => days.includes(day)) &&
      times.every((time) => text.hasTime(time)) &&
      (times.length === 0 || text.countTimes() <= times.length) &&
      events.every((event) => text.hasEvent(event)) &&
      core.every(({ amounts = [] }) => amounts.every((amount) => text.has(amount)))
    );
  };
  return {
    core: isTimed ? core.map(({ words }) => phrase(words, agrees)) : [],
    more: more.map(({ words, amounts = [] }) =>
      phrase(words, (text) => amounts.length > 0 && amounts.every((amount) => text.lastsFor(amount))),
    ),
    unread,
    extensions,
  };
}

/** Whether it is taken as needed, and for what. R5 has other names for it. */
function readNeed(parts: Parts): Phrase[] {
  const flags = [parts.take('asNeededBoolean', booleanIn), parts.take('asNeeded', booleanIn)];
  const concepts = [
    ...(parts.take('asNeededCodeableConcept', allIn(conceptIn)) ?? []),
    ...(parts.take('asNeededFor', allIn(conceptIn)) ?? []),
  ];
  const reasons = concepts.map((one) => term(one) ?? '');
  const said = (text: DosageText): boolean => text.isAsNeeded;
  if (reasons.length > 0) {
    const isSentence = reasons.every((reason) => isReadAsNeeded(unaccented(reason).toLowerCase()));
    const reason = listed(reasons, 'disjunction');
    const words = isSentence ? reason : t('as needed for {reason}', { reason });
    return [phrase(words, (text) => said(text) && reasons.every((one) => text.hasWhole(one)))];
  }
  if (flags.includes(true)) return [phrase(t('as needed'), said)];
  return [];
}

function readMost(parts: Parts): Phrase[] {
  const perPeriod = parts.take('maxDosePerPeriod', allIn(ratioIn)) ?? [];
  const perAdministration = parts.take('maxDosePerAdministration', quantityIn);
  const perLifetime = parts.take('maxDosePerLifetime', quantityIn);
  const most = (words: string, ...amounts: Quantity[]): Phrase =>
    phrase(words, (text) => text.saysMost() && amounts.every((amount) => text.has(amount)));
  return [
    ...perPeriod.map((ratio) => {
      const amount = amountText(ratio.numerator);
      const time = ratio.denominator && amountText(ratio.denominator);
      return most(
        time
          ? t('at most {amount} in {time}', { amount, time })
          : t('at most {amount}', { amount: t('{amount}, period not recorded', { amount }) }),
        ...quantitiesOf(ratio),
      );
    }),
    ...(perAdministration
      ? [most(t('at most {amount} at a time', { amount: amountText(perAdministration) }), perAdministration)]
      : []),
    ...(perLifetime
      ? [most(t('at most {amount} in a lifetime', { amount: amountText(perLifetime) }), perLifetime)]
      : []),
  ];
}

/** A method of SNOMED CT without the words that all of them have. */
const methodText = (text: string): string => text.replace(/\s*-\s*dosing instruction imperative.*$/i, '');

/** How and where it is taken, and what else is said about it. */
function readManner(parts: Parts): Phrase[] {
  const route = term(parts.take('route', conceptIn));
  const site = term(parts.take('site', conceptIn));
  const method = term(parts.take('method', conceptIn));
  const instructions = (parts.take('additionalInstruction', allIn(conceptIn)) ?? []).map((one) => term(one) ?? '');
  const forPatient = parts.take('patientInstruction', textIn);
  const wordOf = (name: string) => (text: DosageText) => text.hasWordOf(name);
  const whole = (name: string) => (text: DosageText) => text.hasWhole(name);
  return [
    ...(route === undefined
      ? []
      : [{ ...phrase(t('route: {route}', { route }), (text) => text.hasRoute(route)), isTelling: true }]),
    ...(site === undefined ? [] : [{ ...phrase(t('site: {site}', { site }), whole(site)), isTelling: true }]),
    ...(method === undefined ? [] : [phrase(t('method: {method}', { method: methodText(method) }), wordOf(method))]),
    ...instructions.map((text) => phrase(text, whole(text))),
    ...(forPatient === undefined
      ? []
      : [phrase(t('for the patient: {text}', { text: forPatient }), whole(forPatient))]),
  ];
}

/** Extensions that no other phrase has said, by their values. */
function otherFacts(extensions: readonly ExtensionWords[], phrases: readonly Phrase[]): Phrase[] {
  const isSaid = (value: string): boolean =>
    value.length > 3 && phrases.some(({ words }) => words.toLowerCase().includes(value.toLowerCase()));
  return extensions
    .filter(({ value }) => value === undefined || !isSaid(value))
    .map(({ words, value }) =>
      phrase(words, (text) => value !== undefined && value.length > 3 && text.hasWhole(value)),
    );
}

/** The parts that are not understood, and those that have no value for a reason, in words. */
function warningsOf(timing: readonly Left[], others: readonly Left[], modifiers: readonly string[]): Phrase[] {
  const odd = (of: readonly Left[]): Left[] => of.filter(({ absent }) => absent === undefined);
  const [unclearTiming, unclear] = [odd(timing), odd(others)];
  // A text that is not known is none.
  const absent = [...timing, ...others].filter(
    (one) => one.absent && !(one.name === 'text' && one.absent === 'unknown'),
  );
  return [
    ...(modifiers.length > 0
      ? [named(t('changed by something not understood: {names}', { names: listed([...modifiers]) }))]
      : []),
    ...absent.map((one) => named(absentWords(one))),
    ...(unclearTiming.length > 0
      ? [
          {
            ...named(t('how often is unclear; the record has: {names}', { names: leftWords(unclearTiming) })),
            brief: t('how often is unclear'),
          },
        ]
      : []),
    ...(unclear.length > 0 ? [named(t('unclear in the record: {names}', { names: leftWords(unclear) }))] : []),
  ];
}

/** A dosage in words. One that is a text alone is its text. */
export function dosageWords(value: unknown): DosageWords {
  const parts = new Parts(typeof value === 'string' ? { text: value } : value);
  const text = parts.take('text', textIn);
  const sequence = parts.take('sequence', numberIn);
  const doses = readDoses(parts.raw('doseAndRate'));
  const plainDoses = dosePhrases(parts);
  const timing = readTiming(parts.raw('timing'));
  const [need, most, manner] = [readNeed(parts), readMost(parts), readManner(parts)];
  const reason = absentReason(value);
  const extensions = reason === undefined ? extensionsIn(parts.raw('extension')) : [];
  const modifiers = extensionsIn(parts.raw('modifierExtension')).map(({ words }) => words);
  const nothing: Left[] = reason === undefined ? [] : [{ name: 'dose', value: '', absent: reason }];
  const unread = reason === undefined ? [...doses.unread, ...parts.left()] : nothing;
  const core = [...plainDoses, ...doses.core, ...timing.core, ...need];
  const warnings = warningsOf(timing.unread, unread, modifiers);
  const known = [...timing.more, ...most, ...manner];
  const rhythm = otherFacts(timing.extensions, [...core, ...known]);
  const facts = otherFacts([...doses.extensions, ...extensions], [...core, ...known]);
  const said = text === undefined ? undefined : new DosageText(text);
  const isAsNeeded = need.length > 0 || said?.isAsNeeded === true;
  const isFixed = isNotAsNeeded(value) && said?.isAsNeeded === true;
  // A time that is over, a single dose, the day of a month, the route and a side of the body are never left out.
  const telling = [...rhythm, ...timing.more, ...most, ...manner.filter(({ isTelling }) => isTelling), ...warnings];
  return {
    ...joined(text, said, core, [...rhythm, ...known, ...facts, ...warnings], telling, isFixed),
    sequence,
    isAsNeeded,
  };
}

/** Returns whether a dosage is coded as not to be taken as needed. */
const isNotAsNeeded = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'asNeededBoolean' in value && value.asNeededBoolean === false;

/** The words of a dosage: its text, with what the text does not say, or both where they differ. */
function joined(
  text: string | undefined,
  said: DosageText | undefined,
  core: Phrase[],
  more: Phrase[],
  /** What the short form has beside how much and how often. */
  telling: Phrase[],
  isFixed: boolean,
): Pick<DosageWords, 'whole' | 'short'> {
  const fixed = isFixed ? [t('not as needed')] : [];
  const wordsOf = (phrases: Phrase[]): string => [...phrases.map(({ words }) => words), ...fixed].join(', ');
  const briefly = (phrases: Phrase[]): Phrase[] => phrases.map((one) => ({ ...one, words: one.brief ?? one.words }));
  // Nothing is cut: what is cut may be a dose or a date.
  if (text === undefined || !said) {
    const [whole, short] = [wordsOf([...core, ...more]), wordsOf([...core, ...briefly(telling)])];
    return { whole, short: short || whole };
  }
  const isSame = !isFixed && !(said.isNegated && core.length > 0) && core.every((one) => one.agrees(said));
  const further = more.filter((one) => !one.agrees(said));
  if (isSame) {
    const withMore = (phrases: Phrase[]): string =>
      phrases.length > 0 ? `${text} (${phrases.map(({ words }) => words).join(', ')})` : text;
    return { whole: withMore(further), short: withMore(briefly(telling.filter((one) => further.includes(one)))) };
  }
  const both = (coded: string): string => t('{text} · as coded: {coded}', { text, coded });
  // Words of the record that the text has too are not said twice. Numbers always are.
  const differing = core.filter(({ words }) => /\d/.test(words) || words.length < 12 || !text.includes(words));
  return {
    whole: both(wordsOf([...differing, ...further])),
    short: both(wordsOf([...differing, ...briefly(telling.filter((one) => further.includes(one)))])),
  };
}

/**
 * The words between two dosages: one after the other, at the same time, or neither is said. Two of which each is for a
 * need of its own may be taken in place of each other.
 */
function between(a: DosageWords | undefined, b: DosageWords): string {
  const [before, after] = [a?.sequence, b.sequence];
  if (before === undefined || after === undefined || (before === after && a?.isAsNeeded && b.isAsNeeded)) return '; ';
  return before === after ? `; ${t('and#dosages')} ` : `; ${t('then#dosages')} `;
}

/** Dosages in words, in their order. Nothing where none says anything. */
function joinedAll(value: unknown, of: (words: DosageWords) => string): string | undefined {
  const all = itemsOf(value).map(dosageWords);
  const inOrder = all.every(({ sequence }) => sequence !== undefined)
    ? all.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
    : all;
  const said = inOrder.filter((words) => of(words) !== '');
  const text = said.map((words, i) => (i === 0 ? '' : between(said[i - 1], words)) + of(words)).join('');
  return text === '' ? undefined : text;
}

/** The dosages of a record in words, with all that they say. */
export const dosages = (value: unknown): string | undefined => joinedAll(value, ({ whole }) => whole);

/** The dosages of a record in a few words: how much and how often. */
export const shortDosages = (value: unknown): string | undefined => joinedAll(value, ({ short }) => short);
