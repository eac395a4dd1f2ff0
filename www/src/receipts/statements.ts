//! The numbers and dates that a text states, in English and Spanish, with their places.

import { unaccented } from '#reading/fhir/unaccented.ts';

/** A date as far as the text gives it. Several readings of `03/05/2024` are several of these. */
interface StatedDate {
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
}

export interface Statement {
  start: number;
  end: number;
  /** The possible readings of a number: `1,234` is a thousand or a decimal. Empty for a date. */
  numbers: number[];
  /** `<`, `>` or nothing. */
  comparator: string;
  /** The unit, as `unitKey` writes it. */
  unit: string;
  /** True if something is counted: `8 results`, `3 of 8`. */
  isCount: boolean;
  /** True if the number is a limit, an aim or about so much, and no value. */
  isLimit: boolean;
  /** The possible readings of a date. Empty for a number. */
  dates: StatedDate[];
}

/** A number with its unit, of a value in words such as `120/80 mmHg`. */
export type Amount = Pick<Statement, 'numbers' | 'unit' | 'comparator'>;

/** The names of each month, in lower case. */
const MONTHS = Array.from({ length: 12 }, (_, at) =>
  ['en-US', 'en-GB', 'es'].flatMap((locale) =>
    (['long', 'short'] as const).map((month) =>
      new Intl.DateTimeFormat(locale, { month }).format(new Date(2000, at)).toLowerCase(),
    ),
  ),
);
const MONTH = String.raw`(?:${MONTHS.flat().join('|')})\.?`;
const YEAR = String.raw`(?:,? (?:of |del? )?(?<YEAR>\d{4}))`;
/** A number: not a part of a word or of another number, nor an ordinal. */
const NUMBER = [
  String.raw`(?<![\p{L}\p{N}_.]-?|[\p{N}],)(?<comparator>[<>≤≥]=? ?)?`,
  String.raw`(?<number>(?<![\p{N}\p{L}%)]|[\p{N}%)] )[-−](?=\d)\d[\d.,]*|\d[\d.,]*)`,
  String.raw`(?<![.,])(?![.,]?\d|-\d+[-/]|-?\p{L}{2,}-|-\p{L}|(?:st|nd|rd|th)\b)`,
].join('');
/** A text of these kinds, the first that fits: something without statements, dates, a number. */
const FORMS = [
  String.raw`(?<plain>https?:\/\/\S+|\b[A-Z][A-Za-z]+\/[\w.-]+(?:@\S+)?|\b\d{1,2}:\d{2}(?::\d{2})?\b)`,
  String.raw`(?<iso>\b\d{4}-\d{2}(?:-\d{2})?)(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?\b`,
  String.raw`\b(?<day1>\d{1,2})(?:st|nd|rd|th|\.)? (?:of |de )?(?<month1>${MONTH})${YEAR.replace('YEAR', 'year1')}?\b`,
  String.raw`\b(?<month2>${MONTH}) (?<day2>\d{1,2})(?:st|nd|rd|th)?\b(?!\d|[.,]\d)${YEAR.replace('YEAR', 'year2')}?`,
  String.raw`\b(?<month3>${MONTH})${YEAR.replace('YEAR', 'year3')}\b`,
  String.raw`\b(?<slashed>\d{1,2}[\/.]\d{1,2}[\/.]\d{4})\b`,
  NUMBER,
];
const STATEMENT = new RegExp(FORMS.join('|'), 'giu');

const UNITS = new RegExp(
  [
    '^(?:%|percent|por ciento|[kmµucnd]?g|[mdc]?l|[kcm]?m|mmhg|bpm|lbs?|oz|iu|units?|°?[cf]|kpa',
    String.raw`[munp]?mol|meq|[a-zµ\d^]*[/%][\w%².]+)$`,
  ].join('|'),
  'i',
);
/** Words after a number that are neither its unit nor what it counts. */
const CONNECTING =
  /^(?:in|on|at|to|from|and|or|is|was|were|by|as|for|with|of|the|than|vs|it|en|la|y|o|de|al|es|fue|con|por|hasta)$/i;

/** Returns a unit in a form in which spellings of one unit are equal. */
export const unitKey = (unit: string): string =>
  unaccented(unit)
    .toLowerCase()
    .replace(/[µμ]/g, 'u')
    .replace(/^(?:percent|por ciento)$/, '%')
    .replace(/^mcg/, 'ug')
    .replace(/[[\]{}\s]/g, '')
    .replace(/²/g, '2')
    .replace(/³/g, '3')
    .replace(/^(?:bpm|lpm)$/, '/min')
    .replace(/^°?c$/, 'cel');

/** Returns the possible readings of a number. */
function numbersOf(written: string): number[] {
  const text = written.replace('−', '-');
  const grouped = /^-?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?!\1)(?:[.,]\d+)?$/.exec(text)?.[1];
  const readings = [text.replace(',', '.')];
  if (grouped !== undefined) readings.push(text.replaceAll(grouped, '').replace(',', '.'));
  return readings.map(Number).filter((number) => !Number.isNaN(number));
}

const monthOf = (name: string): number =>
  MONTHS.findIndex((names) => names.includes(name.toLowerCase().replace('.', ''))) + 1;

const datesOf = (groups: Record<string, string | undefined>): StatedDate[] => {
  const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  const { iso, slashed } = groups;
  if (iso !== undefined) {
    const [year, month, day] = iso.split('-').map(Number);
    return [{ year, month, day }];
  }
  if (slashed !== undefined) {
    const [a, b, year] = slashed.split(/[/.]/).map(Number);
    return [
      { year, month: a, day: b },
      { year, month: b, day: a },
    ].filter(({ month = 13 }) => month <= 12);
  }
  const at = [1, 2, 3].find((n) => groups[`month${n}`] !== undefined);
  if (at === undefined) return [];
  const month = monthOf(groups[`month${at}`] ?? '');
  return [{ year: number(groups[`year${at}`]), month, day: number(groups[`day${at}`]) }];
};

const COMPARING = [
  ['<', /(?:less than|below|under|menos de|menor (?:de|que)|inferior a)\s$/i],
  ['>', /(?:more than|over|above|greater than|mas de|mayor (?:de|que)|superior a)\s$/i],
] as const;

/** Words shortly before a number that is no value. */
const LIMIT =
  /\b(?:(?:target|goal|aim|normal|range|limit|objetivo|meta|rango|limite)\b[^.;]{0,30}|(?:about|around|entre|unos) )$/i;
const OR_MORE = /^(?: ?%| \S+)? (?:or|o) (?:more|less|higher|lower|above|below|mas|menos)\b/i;
/** What is counted in time, of which no receipt tells. */
const TIMES =
  /^(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|minutos|horas|dias?|semanas?|mes(?:es)?|anos?)$/i;

/** Returns the unit at the start of a text: one of `units`, which may have blanks and numbers, or a usual one. */
function unitIn(text: string, units: readonly string[]): string {
  const known = units.filter((unit) => text.startsWith(unit)).toSorted((a, b) => b.length - a.length)[0];
  if (known !== undefined) return known;
  const word = nextWord(text);
  return UNITS.test(word) ? word : '';
}

/** Returns the word at the start of a text, without a full stop. */
const nextWord = (text: string): string =>
  (/^(?:%|[\p{L}°µ[][^\s,;:()|!?]*)/u.exec(text)?.[0] ?? '').replace(/\.$/, '');

/** Returns the statements of a text. `units` are units that are known beside the usual ones. */
export function statementsIn(text: string, units: readonly string[] = []): Statement[] {
  const statements: Statement[] = [];
  let endOfUnit = 0;
  for (const match of text.matchAll(STATEMENT)) {
    const { groups = {}, index: start } = match;
    if (groups.plain !== undefined || start < endOfUnit) continue;
    const end = start + match[0].length;
    const dates = datesOf(groups);
    const blank = text[end] === ' ' ? 1 : 0;
    const rest = text.slice(end + blank);
    const written = groups.number ?? '';
    const unit = written === '' ? '' : unitIn(rest, units);
    if (unit !== '') endOfUnit = end + blank + unit.length;
    const isYear = /^(?:19|20)\d{2}$/.test(written) && unit === '';
    const word = nextWord(rest);
    if (isYear) dates.push({ year: Number(written) });
    const before = unaccented(text.slice(Math.max(0, start - 45), start));
    const sign = groups.comparator?.[0] ?? COMPARING.find(([, pattern]) => pattern.test(before))?.[0] ?? '';
    const isWhole = unit === '' && /^\d+$/.test(written);
    if (isWhole && TIMES.test(unaccented(word))) continue;
    const isOfNumber = /^(?:out )?(?:of|de) \d/.test(rest) || /\d (?:out )?(?:of|de) $/.test(before);
    const isCount = isWhole && (isOfNumber || (/^\p{L}{3,}$/u.test(word) && !CONNECTING.test(word)));
    statements.push({
      start,
      end,
      numbers: written === '' || isYear ? [] : numbersOf(written),
      comparator: isCount ? '' : sign.replace('≤', '<').replace('≥', '>'),
      unit: unitKey(unit),
      isCount,
      isLimit: LIMIT.test(before) || OR_MORE.test(unaccented(text.slice(end, end + 30))),
      dates,
    });
  }
  return statements;
}
