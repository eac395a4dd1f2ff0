//! A Dosage in words, made from its structure (<https://hl7.org/fhir/R4/dosage.html>), with its text, and the simpler
//! dosage of an administration. Where text and structure do not say the same, both are shown. What is not understood
//! is named.

import { t } from '../language/message.ts';
import { listed } from '../language/number.ts';
import { DosageText } from './dosage-text.ts';
import {
  type Phrase as AmountPhrase,
  type QuantityRange,
  rangeAmounts,
  rangeIn,
  rangeText,
  timingWords,
} from './dosage-timing.ts';
import { allIn, conceptIn, extensionsIn, itemsOf, numberIn, Parts, quantityIn, textIn } from './loose.ts';
import { sameDose } from './same-dose.ts';
import { concept } from './text.ts';
import { spanText, timeUnit } from './time-units.ts';
import type { Quantity } from './types.ts';

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
  /** How much and how often, without the rest. */
  short: string;
  /** Its place among others; nothing where it says none. */
  sequence: number | undefined;
}

const phrase = (words: string, agrees: (text: DosageText) => boolean): Phrase => ({ words, agrees });
const withAmounts = ({ words, amounts = [] }: AmountPhrase): Phrase =>
  phrase(words, (text) => amounts.length > 0 && amounts.every((amount) => text.has(amount)));

/** An amount, which is never without a word about its unit. */
function amountText(of: Quantity): string {
  const said = spanText(of);
  if (of.value === undefined) return t('{unit}, amount not recorded', { unit: of.unit ?? of.code ?? '' });
  return of.unit || of.code ? said : t('{amount} (unit not recorded)', { amount: said });
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
    return t('at {rate}', { rate: `${amountText(numerator)}/${unit}` });
  }
  const [amount, time] = [amountText(numerator), amountText(denominator)];
  return t('at {rate}', { rate: t('{amount} in {time}', { amount, time }) });
}

const quantitiesOf = ({ numerator, denominator }: Ratio): Quantity[] =>
  denominator ? [numerator, denominator] : [numerator];

/** The speed at which something is given, in each of its forms. */
function ratePhrases(parts: Parts): Phrase[] {
  const quantity = parts.take('rateQuantity', quantityIn);
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

/** A dose and its speed, in each of their forms. STU3 and administrations have them without a list. */
function dosePhrases(parts: Parts, suffix = ''): Phrase[] {
  const quantities = [parts.take('doseQuantity', quantityIn), parts.take('dose', quantityIn)];
  const range = parts.take('doseRange', rangeIn);
  const doses = quantities.filter((one) => one !== undefined);
  return [
    ...doses.map((dose) => phrase(`${amountText(dose)}${suffix}`, (text) => text.has(dose))),
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
  const said = concept(type);
  return said === undefined ? '' : ` (${said})`;
}

/** The parts of a dosage as they are read. */
interface Read {
  /** How much and how often: a text must have it. */
  core: Phrase[];
  /** The rest, which a text may leave out. */
  more: Phrase[];
  unread: string[];
}

function readDoses(value: unknown): Read {
  const [first, ...others] = sameDose(value) ?? [];
  if (first) {
    const inBrackets = others.length > 0 ? ` (${others.map(amountText).join(', ')})` : '';
    const words = `${amountText(first)}${inBrackets}`;
    return { core: [withAmounts({ words, amounts: [first, ...others] })], more: [], unread: [] };
  }
  const items = itemsOf(value);
  const all = items.map((one) => {
    const parts = new Parts(one);
    const type = typeText(parts, items.length === 1);
    const phrases = dosePhrases(parts, type);
    const extensions = parts.take('extension', extensionsIn) ?? [];
    return { phrases, unread: parts.left(), extensions };
  });
  return {
    core: all.flatMap(({ phrases }) => phrases),
    more: all.flatMap(({ extensions }) => extensions).map(named),
    unread: all.flatMap(({ unread }) => unread),
  };
}

/** Words that no text makes needless. */
const named = (words: string): Phrase => phrase(words, () => false);

function readTiming(value: unknown): Read {
  const { core, more, unread, rates, days, times, events, names } = timingWords(value);
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
  };
}

/** Whether it is taken as needed, and for what. R5 has other names for it. */
function readNeed(parts: Parts): Phrase[] {
  const boolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
  const flags = [parts.take('asNeededBoolean', boolean), parts.take('asNeeded', boolean)];
  const concepts = [
    ...(parts.take('asNeededCodeableConcept', allIn(conceptIn)) ?? []),
    ...(parts.take('asNeededFor', allIn(conceptIn)) ?? []),
  ];
  const reasons = concepts.map((one) => concept(one) ?? '');
  const said = (text: DosageText): boolean => text.isAsNeeded;
  if (reasons.length > 0) {
    const isSentence = reasons.every((reason) => new DosageText(reason).isAsNeeded);
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
  const route = concept(parts.take('route', conceptIn));
  const site = concept(parts.take('site', conceptIn));
  const method = concept(parts.take('method', conceptIn));
  const instructions = (parts.take('additionalInstruction', allIn(conceptIn)) ?? []).map((one) => concept(one) ?? '');
  const forPatient = parts.take('patientInstruction', textIn);
  const wordOf = (name: string) => (text: DosageText) => text.hasWordOf(name);
  const whole = (name: string) => (text: DosageText) => text.hasWhole(name);
  return [
    ...(route === undefined ? [] : [phrase(t('route: {route}', { route }), wordOf(route))]),
    ...(site === undefined ? [] : [{ ...phrase(t('site: {site}', { site }), whole(site)), isTelling: true }]),
    ...(method === undefined ? [] : [phrase(t('method: {method}', { method: methodText(method) }), wordOf(method))]),
    ...instructions.map((text) => phrase(text, whole(text))),
    ...(forPatient === undefined
      ? []
      : [phrase(t('for the patient: {text}', { text: forPatient }), whole(forPatient))]),
  ];
}

/** A dosage in words. */
export function dosageWords(value: unknown): DosageWords {
  const parts = new Parts(value);
  const text = parts.take('text', textIn);
  const sequence = parts.take('sequence', numberIn);
  const doses = readDoses(parts.take('doseAndRate', (one) => one));
  const plainDoses = dosePhrases(parts);
  const timing = readTiming(parts.take('timing', (one) => one));
  const [need, most, manner] = [readNeed(parts), readMost(parts), readManner(parts)];
  const extensions = parts.take('extension', extensionsIn) ?? [];
  const modifiers = parts.take('modifierExtension', extensionsIn) ?? [];
  const unread = [...doses.unread, ...parts.left()];
  const notUnderstood = (names: string[]): Phrase[] =>
    names.length > 0 ? [named(t('coded and not understood: {names}', { names: listed(names) }))] : [];
  const core = [...plainDoses, ...doses.core, ...timing.core, ...need];
  const warnings = [
    ...(modifiers.length > 0
      ? [named(t('changed by something not understood: {names}', { names: listed(modifiers) }))]
      : []),
    ...notUnderstood(timing.unread).map((one) => ({ ...one, brief: t('how often is unclear') })),
    ...notUnderstood(unread),
  ];
  const more = [...timing.more, ...most, ...manner, ...doses.more, ...extensions.map(named), ...warnings];
  const said = text === undefined ? undefined : new DosageText(text);
  const isFixed = isNotAsNeeded(value) && said?.isAsNeeded === true;
  // A time that is over, a single dose and a side of the body are never left out.
  const telling = [...timing.more, ...most, ...manner.filter(({ isTelling }) => isTelling), ...warnings];
  return { ...joined(text, said, core, more, telling, isFixed), sequence };
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
): { whole: string; short: string } {
  const fixed = isFixed ? [t('not as needed')] : [];
  const wordsOf = (phrases: Phrase[]): string => [...phrases.map(({ words }) => words), ...fixed].join(', ');
  const briefly = (phrases: Phrase[]): Phrase[] => phrases.map((one) => ({ ...one, words: one.brief ?? one.words }));
  // Nothing is cut: what is cut may be a dose or a date.
  if (text === undefined || !said) {
    return { whole: wordsOf([...core, ...more]), short: wordsOf([...core, ...briefly(telling)]) };
  }
  const isSame = !isFixed && core.every((one) => one.agrees(said));
  const further = more.filter((one) => !one.agrees(said));
  if (isSame) {
    const withMore = (phrases: Phrase[]): string =>
      phrases.length > 0 ? `${text} (${phrases.map(({ words }) => words).join(', ')})` : text;
    return { whole: withMore(further), short: withMore(briefly(telling.filter((one) => further.includes(one)))) };
  }
  const both = (coded: string): string => t('{text} · as coded: {coded}', { text, coded });
  return { whole: both(wordsOf([...core, ...further])), short: both(wordsOf([...core, ...briefly(telling)])) };
}

/** The words between two dosages: one after the other, at the same time, or neither is said. */
function between(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return '; ';
  return before === after ? `; ${t('and#dosages')} ` : `; ${t('then#dosages')} `;
}

/** Dosages in words, in their order. Nothing where none says anything. */
function joinedAll(value: unknown, of: (words: DosageWords) => string): string | undefined {
  const all = itemsOf(value).map(dosageWords);
  const inOrder = all.every(({ sequence }) => sequence !== undefined)
    ? all.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
    : all;
  const said = inOrder.filter((words) => of(words) !== '');
  const text = said
    .map((words, i) => (i === 0 ? '' : between(said[i - 1]?.sequence, words.sequence)) + of(words))
    .join('');
  return text === '' ? undefined : text;
}

/** The dosages of a record in words, with all that they say. */
export const dosages = (value: unknown): string | undefined => joinedAll(value, ({ whole }) => whole);

/** The dosages of a record in a few words: how much and how often. */
export const shortDosages = (value: unknown): string | undefined => joinedAll(value, ({ short }) => short);
