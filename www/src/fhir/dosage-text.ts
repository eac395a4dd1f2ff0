//! What the text of a dosage says, as far as it can be read for certain: its numbers with their units, how often, days,
//! events. It is read for one purpose, to tell whether the coded dosage says the same. What is not recognised counts
//! as a difference, so that both are shown.

import { own } from '../own.ts';
import { AT_MOST, NOT_TAKEN, saysAsNeeded } from './dosage-phrases.ts';
import { RATES } from './dosage-rates.ts';
import { hasWordOf, saysRoute } from './dosage-routes.ts';
import { timeUnit } from './time-units.ts';
import type { Quantity } from './types.ts';

/** Numbers in words, of English and Spanish. `a` is none: it stands before too many other words. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ half: '0.5', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8' },
  ...{ nine: '9', ten: '10', eleven: '11', twelve: '12', fifteen: '15', twenty: '20', thirty: '30' },
  ...{ medio: '0.5', media: '0.5', un: '1', una: '1', uno: '1', dos: '2', tres: '3', cuatro: '4', cinco: '5' },
  ...{ seis: '6', siete: '7', ocho: '8', nueve: '9', diez: '10', once: '1 times', twice: '2 times' },
  thrice: '3 times',
};
const FRACTIONS: Readonly<Record<string, string>> = { '½': '1/2', '¼': '1/4', '¾': '3/4', '⅓': '1/3', '⅔': '2/3' };

/** The spellings that are made one, in their order: separators, abbreviations with dots, words with hyphens. */
const SPELLINGS: readonly [spelling: RegExp, plain: string][] = [
  [/(\d),(?=\d{3}(?!\d))/g, '$1'],
  [/(\d),(?=\d)/g, '$1.'],
  [/(?<![\d\p{L}])\.(?=\d)/gu, '0.'],
  [/\b([bqt])\.\s?i\.\s?d\b\.?/g, '$1id'],
  [/\bp\.\s?r\.\s?n\b\.?/g, 'prn'],
  [/\bq\.\s?d\b\.?/g, 'qd'],
  [/\bc\/\s*(?=\d)/g, 'cada '],
  [/\/m(?:2|²|\^2)(?!\d)/g, '/msq'],
  [/(?<=\/(?:kg|msq))\/(?:day|dia|d)\b/g, '/d'],
  [/[µμ](?=g\b|gram)/g, 'u'],
  [/(?<=\b(?:ml|l|mg|mcg|ug|g|units?|u|iu|mmol|meq)(?:\/kg)?)\s?(?:\/|per\b|por\b)\s?(?:hr|hour|hora)\b/g, '/h'],
  [/(?<=\b(?:ml|l|mg|mcg|ug|g|units?|u|iu)(?:\/kg)?)\s?(?:\/|per\b|por\b)\s?(?:minute|minuto)\b/g, '/min'],
  [/\band a half\b/g, '1/2'],
  [/\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s?[-‐‑–]\s?(?:mon|tue|wed|thu|fri|sat|sun)/g, 'weekdays'],
  [/\bq\.\s?([ahp])\.\s?([ms])\b\.?/g, 'q$1$2'],
  [/(?<=\p{L})[-‐‑](?=\p{L})/gu, ' '],
];

/** A number that is said twice: `2 (two)`. */
const TWICE_SAID = /(\d+(?:\.\d+)?)\s*\(\1\)/g;
const FRACTION = /(?:(\d+)\s+)?(\d+)\/(\d+)(?!\s*\d|\/)/g;

/** A text in lower case without accents, its numbers as digits with a point. `once` is eleven in Spanish. */
function normalised(text: string, isSpanish: boolean): string {
  const letters = text
    .replace(/[½¼¾⅓⅔]/g, (sign) => ` ${own(FRACTIONS, sign) ?? ''}`)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  return SPELLINGS.reduce((plain, [spelling, by]) => plain.replace(spelling, by), letters)
    .replace(/\p{L}+/gu, (word) => (word === 'once' && isSpanish ? '11' : (own(WORDS, word) ?? word)))
    .replace(FRACTION, (_, whole: string | undefined, top: string, bottom: string) =>
      String(Number(whole ?? 0) + Number(top) / Number(bottom)),
    )
    .replace(TWICE_SAID, '$1')
    .replace(/\s+/g, ' ');
}

const SPANISH =
  /\b(?:cada|veces|vez|tabletas?|comprimidos?|capsulas?|gotas|dia|dias|horas|semana|noche|manana|tomar?)\b/;

/** Words for units, each line the same unit. Those of mass and of volume have a number by which they are compared. */
const UNITS: readonly RegExp[] = [
  /^(?:tab|tabs|tbl|tablet|tablets|comp|comprimidos?|tabletas?|pastillas?|pills?)$/,
  /^(?:cap|caps|capsule|capsules|capsulas?)$/,
  /^(?:drop|drops|drp|gtt|gotas?)$/,
  /^(?:puff|puffs|inhalation|inhalations|inhalacion|inhalaciones|disparos?)$/,
  /^(?:u|iu|ui|unit|units|unidad|unidades)$/,
  /^(?:ml|millilit(?:er|re)s?|mililitros?)$/,
  /^(?:mg|milligrams?|miligramos?)$/,
  /^(?:g|gm|grams?|gramos?)$/,
  /^(?:mcg|ug|microgram|micrograms|microgramos?)$/,
  /^(?:l|lit(?:er|re)s?|litros?)$/,
  /^(?:patch|patches|parches?)$/,
  /^(?:dose|doses|dosis)$/,
  /^(?:spray|sprays)$/,
  /^(?:sachet|sachets|sobres?)$/,
  /^(?:application|applications|aplicacion|aplicaciones)$/,
  /^(?:vial|vials|viales)$/,
  /^(?:suppository|suppositories|supositorios?)$/,
  /^(?:s|secs?|seconds?|segundos?)$/,
  /^(?:min|mins|minutes?|minutos?)$/,
  /^(?:h|hrs?|hours?|horas?)$/,
  /^(?:d|days?|dias?)$/,
  /^(?:wk|wks|weeks?|semanas?)$/,
  /^(?:mo|months?|mes|meses)$/,
  /^(?:yr|yrs|years?|anos?)$/,
];

/** The sizes of units of one kind: milligrams, millilitres and seconds. */
const SIZES: readonly [kind: 'mass' | 'volume' | 'time', unit: string, size: number][] = [
  ['mass', 'mcg', 0.001],
  ['mass', 'mg', 1],
  ['mass', 'g', 1000],
  ['volume', 'ml', 1],
  ['volume', 'l', 1000],
  ['time', 's', 1],
  ['time', 'min', 60],
  ['time', 'h', 3600],
  ['time', 'd', 86_400],
  ['time', 'wk', 604_800],
];
const lineOf = (word: string): RegExp | undefined => UNITS.find((same) => same.test(word));
const sizeOf = (word: string): (typeof SIZES)[number] | undefined =>
  SIZES.find(([, unit]) => lineOf(word)?.test(unit) ?? false);

/** A unit without what its notation adds: brackets, plural signs, the sign of micro. */
const plainUnit = (unit: string): string =>
  unit
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\(e?s\)$/, '')
    .replace(/^[{[](.*)[}\]]$/, '$1')
    .replace(/^i\[?iu\]?$/, 'iu')
    .replace(/[µμ]/g, 'u')
    .replace(/\/m(?:2|²|\^2)(?!\d)/, '/msq')
    .replace(/(?<=\/(?:kg|msq))\/(?:day|día|dia|d)$/, '/d')
    .trim();

/** Returns whether a word is a unit. */
function isUnit(word: string, { unit, code }: Quantity): boolean {
  return [unit, code].some((one) => {
    if (!one) return false;
    const wanted = plainUnit(one);
    const words = UNITS.find((same) => same.test(wanted.split(/[ ,]/)[0] ?? ''));
    if (words) return words.test(word);
    return timeUnit(wanted) !== undefined ? timeUnit(word) === timeUnit(wanted) : word === wanted;
  });
}

const NAMES_OF_DAYS: Readonly<Record<string, RegExp>> = {
  mon: /\b(?:mon|mondays?|lunes)\b/,
  tue: /\b(?:tues?|tuesdays?|martes)\b/,
  wed: /\b(?:weds?|wednesdays?|miercoles)\b/,
  thu: /\b(?:thu|thurs?|thursdays?|jueves)\b/,
  fri: /\b(?:fri|fridays?|viernes)\b/,
  sat: /\b(?:sat|saturdays?|sabados?)\b/,
  sun: /\b(?:sun(?! exposure| light)|sundays?|domingos?)\b(?<!the sun)/,
  // Several at once, and such as are left out: no coded day says the same.
  ...{ '?': /\b(?:weekdays?|weekends?|except|excepto|skip|entre semana|fin(?:es)? de semana|laborables?)\b/ },
  ...{ '??': /\b(?:mwf|mtwtf|ttss?|tth|t\/th|l m v|lmv|l,? ?m y v)\b/ },
};

/** The parts of a day, each of which is once a day. */
const DAYPARTS: Readonly<Record<string, RegExp>> = {
  morning: /\b(?:mornings?|manana|mananas|breakfast|desayuno|qam|waking|despertar|ayunas|mane)\b/,
  noon: /\b(?:noon|midday|lunch|mediodia|almuerzo)\b/,
  afternoon: /\b(?:afternoons?|tarde|tardes)\b/,
  evening: /\b(?:evenings?|dinner|supper|cena|qpm)\b/,
  night: /\b(?:nights?|nightly|bedtime|noche|noches|acostarse|dormir|qhs|hs|nocte)\b/,
};

/** What a text must say for an event of the day. An event without a line is never found. */
const EVENTS: Readonly<Record<string, RegExp>> = {
  MORN: /\b(?:mornings?|manana|mananas|qam|mane)\b/,
  NOON: /\b(?:noon|midday|mediodia)\b/,
  AFT: /\b(?:afternoons?|tarde|tardes)\b/,
  EVE: /\b(?:evenings?|anochecer|tarde noche)\b/,
  NIGHT: /\b(?:nights?|nightly|noche|noches|nocte)\b/,
  HS: /\b(?:bedtime|acostarse|dormir|qhs|hs|nightly|at night|nocte)\b/,
  WAKE: /\b(?:waking|wake up|awakening|despertar|levantarse)\b/,
  C: /\bwith (?:a )?(?:meals?|food)\b|\bcon (?:las? )?(?:comidas?|alimentos)\b/,
  CM: /\bwith (?:\w+ )?breakfast\b|\bcon el desayuno\b/,
  CD: /\bwith (?:\w+ )?lunch\b|\bcon (?:el almuerzo|la comida)\b/,
  CV: /\bwith (?:\w+ )?(?:dinner|supper|evening meal)\b|\bcon la cena\b/,
  AC: /\bbefore (?:\w+ )?(?:meals?|food|eating)\b|\bantes de (?:las? )?(?:comidas?|comer)\b|\bac\b/,
  ACM: /\bbefore (?:\w+ )?breakfast\b|\bantes del desayuno\b/,
  ACD: /\bbefore (?:\w+ )?lunch\b|\bantes (?:del almuerzo|de la comida)\b/,
  ACV: /\bbefore (?:\w+ )?(?:dinner|supper)\b|\bantes de la cena\b/,
  PC: /\bafter (?:\w+ )?(?:meals?|food|eating)\b|\bdespues de (?:las? )?(?:comidas?|comer)\b|\bpc\b/,
  PCM: /\bafter (?:\w+ )?breakfast\b|\bdespues del desayuno\b/,
  PCD: /\bafter (?:\w+ )?lunch\b|\bdespues (?:del almuerzo|de la comida)\b/,
  PCV: /\bafter (?:\w+ )?(?:dinner|supper)\b|\bdespues de la cena\b/,
};

/** The beginning of a range, before its end. */
const RANGE_BEFORE = /\d\s*(?:-|–|to|a|or|o)\s*$/;

/** How often, by the words of a text, as keys. */
export const ratesIn = (text: string): ReadonlySet<string> => new DosageText(text).rates;

/** The rates that mean about the same, for a comparison of two dosages of one drug. */
const SAME_RATES: Readonly<Record<string, string>> = {
  '1/12h': '2/1d',
  '1/8h': '3/1d',
  '1/6h': '4/1d',
  '1/4h': '6/1d',
};

/**
 * Returns whether two texts about one dosage contradict each other: each has a number that the other does not have, one
 * number has two units, or they say how often in two ways. Other words for the same, or more of them, are no
 * contradiction.
 */
export function isOtherDose(one: string, other: string): boolean {
  const [a, b] = [new DosageText(one), new DosageText(other)];
  const [as, bs] = [a.numbers(), b.numbers()];
  const lacks = (from: readonly WrittenNumber[], at: readonly WrittenNumber[]): boolean =>
    from.some((number) => !at.some((of) => isSameNumber(number, of)));
  const sameOf = ({ rates }: DosageText): string[] => [...rates].map((rate) => own(SAME_RATES, rate) ?? rate);
  const [oftenA, oftenB] = [sameOf(a), sameOf(b)];
  const isOtherRate = oftenA.length > 0 && oftenB.length > 0 && !oftenA.some((rate) => oftenB.includes(rate));
  return (lacks(as, bs) && lacks(bs, as)) || isOtherRate;
}

/** A number of a text, with its unit where that is known: of masses and volumes in the smallest one. */
interface WrittenNumber {
  value: number;
  unit: string | undefined;
}

/** Returns whether two values are the same but for what their conversion adds. */
const isSameValue = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

const isSameNumber = (a: WrittenNumber, b: WrittenNumber): boolean =>
  isSameValue(a.value, b.value) && (a.unit === undefined || b.unit === undefined || a.unit === b.unit);

/** The words behind a number, as far as they belong to it. */
const wordsBehind = (behind: string): string[] =>
  (behind.split(/[,.]|\b(?:times?|vez|veces)\b/)[0] ?? '').split(/[^\p{L}%/]+/u).filter(Boolean);

/** The factor that makes a number with the words behind it one in the unit of an amount. */
function factorIn(words: string[], amount: Quantity): number | undefined {
  // The first word that is a unit is that of the number.
  const word = words.find((one) => lineOf(one) !== undefined) ?? words.find((one) => isUnit(one, amount));
  if (word === undefined) return undefined;
  if (isUnit(word, amount)) return 1;
  const [from, to] = [sizeOf(word), sizeOf(plainUnit(amount.code ?? amount.unit ?? ''))];
  return from && to && from[0] === to[0] ? from[2] / to[2] : undefined;
}

/** Returns whether a number counts times, or is one of a time, and no amount. */
const isCountOfTimes = (before: string, behind: string): boolean =>
  /^\s*(?:x|times?|vez|veces|\/|:|(?:hours?|hrs?|h|horas?|days?|dias?|d|weeks?|semanas?|months?|mes(?:es)?)\b)/.test(
    behind,
  ) || /(?:\b(?:q|x|every|cada|at)|[:/])\s*$/.test(before);

/** The words before the most that is allowed, before a supply, and behind each of them and behind a strength. */
const MOST_BEFORE = new RegExp(
  String.raw`\b(?:max|maximum|maximo|at most|no more|not more|more than|not exceed|exceeding|up to|hasta` +
    String.raw`|no exceder|no mas|como mucho)\b[^;.,]{0,25}$`,
);
const SUPPLY_BEFORE =
  /(?:#|\b(?:disp|dispense|qty|quantity|supply|supply of|refills?|dispensar|cantidad))\W{0,3}(?:\w+ ){0,2}$/;
const SUPPLY_BEHIND = /^[^,.]*[,.]?\s*(?:$|,?\s*refills?\b)/;
const STRENGTH_BEHIND =
  /^\s?\p{L}+\s+(?:oral |film coated |coated )?(?:tab|cap|comp|pill|vial|pen|syringe|amp|sachet|patch)/u;

/** The number of things before the strength of each. */
const COUNT_BEFORE = /(?<![\d.])(\d+(?:\.\d+)?)\s*(?:x|×|\*|of)?\s*$/;
const COUNT_BEFORE_SIGN = /(?<![\d.])(\d+(?:\.\d+)?)\s*(?:x|×|\*)\s*$/;

/** A time of a day, in a form of 24 hours or of twelve. */
const CLOCK = /(?<![\d:.])(?:(?:[01]?\d|2[0-3]):[0-5]\d(?!\d)|(?:1[0-2]|0?[1-9])(?:[:.][0-5]\d)?\s*[ap]\.?\s?m\b)/g;

/** The longest text that is read: what stands behind it counts as not said. */
const LONGEST = 2_000;

/** What a text says. */
export class DosageText {
  readonly #text: string;
  /** How often, as keys (see `TimingWords`). */
  readonly rates: ReadonlySet<string>;
  readonly days: ReadonlySet<string>;
  readonly isAsNeeded: boolean;
  /** True if it says that something is not, or no longer, taken. */
  readonly isNegated: boolean;

  constructor(whole: string) {
    const text = whole.slice(0, LONGEST);
    const plain = normalised(text, false);
    this.#text = SPANISH.test(plain) ? normalised(text, true) : plain;
    const said = Object.entries(NAMES_OF_DAYS).filter(([, name]) => name.test(this.#text));
    this.days = new Set(said.map(([day]) => day));
    this.isAsNeeded = saysAsNeeded(this.#text);
    this.isNegated = NOT_TAKEN.test(this.#text);
    this.rates = this.#ratesIn();
  }

  #ratesIn(): Set<string> {
    const found = new Set<string>();
    let rest = this.#text;
    for (const [pattern, keyOf] of RATES) {
      rest = rest.replace(pattern, (...match) => {
        const groups = match.slice(1).filter((group): group is string => typeof group === 'string');
        // The last is the whole text.
        const key = keyOf(groups.slice(0, -1));
        if (key !== undefined) found.add(key);
        return ' ; ';
      });
    }
    if (found.size > 0) return found;
    const parts = Object.values(DAYPARTS).filter((part) => part.test(this.#text)).length;
    return new Set(parts > 0 ? [`${parts}/1d`] : []);
  }

  /**
   * Returns whether the text has an amount, in its unit or in another size of it. The end of a range is none by itself.
   */
  has(amount: Quantity, inRange = false, isAfter = /$/): boolean {
    const { value } = amount;
    if (value === undefined) return false;
    const isBare = !amount.unit && !amount.code;
    for (const match of this.#text.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)([^\d;]{0,30})/g)) {
      const before = this.#text.slice(0, match.index);
      if ((!inRange && RANGE_BEFORE.test(before)) || !isAfter.test(before)) continue;
      const factor = isBare ? 1 : factorIn(wordsBehind(match[2] ?? ''), amount);
      if (factor !== undefined && isSameValue(Number(match[1]) * factor, value)) return true;
    }
    return false;
  }

  /**
   * Returns whether an amount is the dose of the text: every amount of its unit is the same one, but for the most that
   * is allowed, the amount of a supply, and a strength beside a dose.
   */
  isDose(amount: Quantity): boolean {
    const { value } = amount;
    if (value === undefined) return false;
    const found = this.#amountsLike(amount);
    const doses = found.filter(({ is }) => is === 'dose');
    const all = doses.length > 0 ? doses : found.filter(({ is }) => is === 'strength');
    return all.length > 0 && all.every(({ value: of }) => isSameValue(of, value));
  }

  /** The numbers of the text, but for those of how often, which are told by the rates. */
  numbers(): WrittenNumber[] {
    const all = [...this.#text.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)([^\d;]{0,30})/g)];
    const isOften = ({ index, 2: behind = '' }: RegExpExecArray): boolean =>
      this.rates.size > 0 && isCountOfTimes(this.#text.slice(0, index), behind);
    return all.flatMap((match) => {
      const [, written, behind = ''] = match;
      if (isOften(match)) return [];
      const word = wordsBehind(behind).find((one) => lineOf(one) !== undefined) ?? '';
      const [kind, , size] = sizeOf(word) ?? [lineOf(word)?.source, '', 1];
      return { value: Number(written) * size, unit: kind };
    });
  }

  /** The amounts of a text in the unit of another amount; one that is not certain is not a number. */
  #amountsLike(amount: Quantity): { value: number; is: 'dose' | 'strength' | 'other' }[] {
    const isBare = !amount.unit && !amount.code;
    return [...this.#text.matchAll(/(?<![\d.])(\d+(?:\.\d+)?)([^\d;]{0,30})/g)].flatMap((match) => {
      const [, written = '', behind = ''] = match;
      const before = this.#text.slice(0, match.index);
      const factor = isBare ? (isCountOfTimes(before, behind) ? undefined : 1) : factorIn(wordsBehind(behind), amount);
      if (factor === undefined) return [];
      // `1.000 mg` is one milligram or a thousand.
      const isUnsure =
        /^[1-9]\d{0,2}\.\d{3}$/.test(written) || RANGE_BEFORE.test(before) || /^\s*[-–]\s*$/.test(behind);
      const is =
        MOST_BEFORE.test(before) ||
        SUPPLY_BEFORE.test(before) ||
        (/\d.*,\s*$/.test(before) && SUPPLY_BEHIND.test(behind))
          ? 'other'
          : STRENGTH_BEHIND.test(behind)
            ? 'strength'
            : 'dose';
      // `2 x 500 mg`, and of things that are named by their strength `two 500 mg tablets`.
      const times = (is === 'strength' ? COUNT_BEFORE : COUNT_BEFORE_SIGN).exec(before)?.[1] ?? 1;
      return [{ value: isUnsure ? Number.NaN : Number(written) * factor * Number(times), is }];
    });
  }

  /** Returns whether the text says that something lasts for an amount of time. */
  lastsFor(amount: Quantity): boolean {
    return this.has(amount, false, /\b(?:for|during|durante|por|x)\s*(?:(?:the|next|los|proximos) ){0,2}$/);
  }

  /** Returns whether the text says that something is the most. */
  saysMost(): boolean {
    return AT_MOST.test(this.#text);
  }

  /** Returns whether the text has a number, whatever its unit. */
  hasNumber(value: number | undefined): boolean {
    return this.has({ ...(value === undefined ? {} : { value }) });
  }

  /** Returns whether the text has the range between two amounts: both numbers, and the unit behind the second. */
  hasRange(low: Quantity | undefined, high: Quantity | undefined): boolean {
    return (!low || this.hasNumber(low.value)) && (!high || this.has(high, true));
  }

  /** Returns whether the text names an event of the day. */
  hasEvent(code: string): boolean {
    return own(EVENTS, code)?.test(this.#text) ?? false;
  }

  /** Returns whether the text has a time of day, in a form of 24 hours or of twelve. */
  hasTime(time: string): boolean {
    const [hour = '', minute = ''] = time.split(':');
    const twelve = String(Number(hour) % 12 || 12);
    const minutes = minute === '00' ? '(?:[:.]?00)?' : `[:.]?${minute}`;
    const half = Number(hour) < 12 ? 'a' : 'p';
    const forms = [
      `0?${Number(hour)}[:.]?${minute}(?!\\d)(?!\\s*[ap]\\.?m)`,
      `0?${twelve}${minutes}\\s*${half}\\.?\\s?m\\b`,
    ];
    return new RegExp(`(?<![\\d:.])(?:${forms.join('|')})`).test(this.#text);
  }

  /** The number of times of a day that the text names. */
  countTimes(): number {
    return [...this.#text.matchAll(CLOCK)].length;
  }

  /** Returns whether the text has one of the words of a name. */
  hasWordOf(name: string): boolean {
    return hasWordOf(this.#text, normalised(name, false)) || this.hasRoute(name);
  }

  /** Returns whether the text names a route, and no other one. */
  hasRoute(name: string): boolean {
    return saysRoute(this.#text, normalised(name, false));
  }

  /** Returns whether the text has a name whole. */
  hasWhole(name: string): boolean {
    return this.#text.includes(normalised(name, false).trim());
  }
}
