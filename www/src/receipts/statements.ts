//! The numbers and dates that a text states, in English and Spanish, with their places.

import { unaccented } from '#reading/fhir/unaccented.ts';

/** A date as far as the text gives it. Several readings of `03/05/2024` are several of these. */
type StatedDate = Partial<Record<'year' | 'month' | 'day', number | undefined>>;

export interface Statement {
  start: number;
  end: number;
  /** The end with the unit. */
  endOfUnit: number;
  /** The possible readings of a number: `1,234` is a thousand or a decimal. Empty for a date. */
  numbers: number[];
  /** `<`, `>` or nothing. */
  comparator: string;
  /** The unit, as `unitKey` writes it, or the name of what is counted. */
  unit: string;
  /** True if something is counted: `8 results`, `3 of 8`. */
  isCount: boolean;
  /** Of how many: `3 of 8`, or else the number. */
  total: number;
  /** True if the number is a limit, an aim or about so much, and no value. */
  isLimit: boolean;
  /** The possible readings of a date. Empty for a number. */
  dates: StatedDate[];
}

/** A number with its unit, of a value in words such as `120/80 mmHg`. */
export type Amount = Pick<Statement, 'numbers' | 'unit' | 'comparator'>;

/** Words that name nothing, neither a measure nor what is counted. */
export const CONNECTING = new RegExp(
  [
    '^(?:|an?|[st]|the|of|in|on|at|to|from|and|or|for|with|by|as|per|than|vs|over|is|was|were|are|be|been|has|had|have',
    'its?|that|this|your|his|her|their|my|which|who|but|when|while|then|after|before|since|until|during|ago|last|first',
    'now|today|yesterday|may|might|can|could|should|would|will|must|out|only|y|o|e|de|del|la|las|los|el|al|en|con|por',
    'un|una|su|sus|es|era|fue|que|pero|cuando|hace|hasta|desde|tras|antes|este|esta|sobre|hoy|ayer|ahora|puede|debe)$',
  ].join('|'),
  'i',
);

/** The names of each month, in lower case. */
const MONTHS = Array.from({ length: 12 }, (_, at) =>
  ['en-US', 'en-GB', 'es'].flatMap((locale) =>
    (['long', 'short'] as const).map((month) =>
      new Intl.DateTimeFormat(locale, { month }).format(new Date(2000, at)).toLowerCase(),
    ),
  ),
);
/** The name of a month, and not the verb `may`. */
const MONTH = String.raw`(?!may (?:be|have|not|also|need|mean|indicate|suggest)\b)(?:${MONTHS.flat().join('|')})\.?`;
const YEAR = String.raw`(?:,? (?:of |del? )?(?:\d{4}|['’]\d{2})|-(?:\d{4}|\d{2}))\b`;
const DATES = [
  String.raw`\b\d{4}(?:-\d{2}|(?<mark>[-/.])\d{1,2}\k<mark>\d{1,2})(?![-/]?\d)(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?\b`,
  String.raw`\b\d{1,2}(?:st|nd|rd|th|\.)?(?: (?:of |de )?|-)${MONTH}(?:${YEAR}|\b)`,
  String.raw`\b${MONTH} \d{1,2}(?:st|nd|rd|th)?\b(?!\d|[.,]\d)(?:${YEAR})?`,
  String.raw`\b${MONTH}${YEAR}|(?<=\b(?:in|en|since|desde) )${MONTH}\b`,
  String.raw`(?<![\d/.-])\d{1,2}(?<other>[-/.])\d{1,2}\k<other>(?:\d{4}|\d{2})(?![\d/-])`,
  String.raw`(?<=\b(?:on|el) )\d{1,2}\/\d{1,2}(?![\d/])|(?<![\d/])\d{1,2}\/(?:19|20)\d{2}(?![\d/])`,
];
/** A number: not a part of a word or of another number, nor an ordinal. The scale of a score belongs to it: `4/10`. */
const NUMBER = [
  String.raw`(?<![\p{L}_.]-?|\p{N}[.,]?|-\p{N}+-)(?<comparator>[<>≤≥]=? ?)?`,
  String.raw`(?<number>(?:(?<![\p{N}\p{L}%)]|[\p{N}%)] )[-−](?=\d))?`,
  String.raw`(?:\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)|\d[\d.,]*))`,
  String.raw`(?<![.,])(?![.,]?\d|-\d+[-/]|-?\p{L}{2,}-|-\p{L}|(?:st|nd|rd|th|er|[rdtvm][oa])\b)`,
  String.raw`(?! ?(?:and|or|to|y|o|a|[-–]) ?\d\d? (?:de )?${MONTH}\b)`,
  String.raw`(?:(?<=(?<!\d)\d\d?)\/(?:10|15|21|27|30|100)(?![\d/]))?`,
];
/** A date or else a number. */
const STATEMENT = new RegExp(`(?<date>${DATES.join('|')})|${NUMBER.join('')}`, 'giu');

/** A number that is joined to the next one, which has the unit of both: `128/82 mmHg`. */
const JOINED = /^ ?(?:(?:to|and|or|over|a|o|y|sobre) |[-–—/→] ?)\d+(?:[.,]\d+)* ?|^ /;
/** What is counted in time, of which no receipt tells. */
const TIMES = [
  'seconds?|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?',
  'minutos|horas|dias?|semanas?|mes(?:es)?|anos?',
].join('|');
/** What has numbers and states nothing. */
const PLAIN = new RegExp(
  [
    String.raw`https?:\/\/\S+|\b[A-Z][A-Za-z]+\/[\w.-]+@\S+|\b[A-Z][a-z]{3,}[A-Za-z]*\/[\w.-]*\d[\w.-]*`,
    // Marks of lists, headings and footnotes.
    String.raw`^[ \t]*(?:#+ [\d.]+ |(?:[>*-] )*\(?\d{1,3}[.)] )(?=.)|(?<=[.,;:] |\b(?:and|y) )\(\d\) `,
    String.raw`\[\^?\d{1,2}(?:[,–-] ?\d{1,2})*\]`,
    // Times of the day.
    String.raw`(?<![\d:T])\d{1,2}(?::\d{2}){1,2}(?: ?[APap]\.?[Mm]\b\.?| h\b)?`,
    String.raw`\b\d{1,2}(?:\.\d{2})? ?[APap]\.?[Mm]\b\.?|\b\d{1,2}h\d{2}\b`,
    // Numbers of names and codes, and telephone numbers.
    String.raw`\b(?:[Tt](?:ype|ipo)|[Ss]tage|[Ee]stadio|[Gg]rad[eo]|[Cc]las[se]|[Ff]actor|[Pp]ag(?:e|ina)|[Ff]ootnote`,
    String.raw`[Vv]isita?|[Dd]ay|[Ww]eek) \d{1,2}[a-z]?\b(?! ?(?:[mu]?g|ml|units?)\b)|\b25[- ]?\(?OH\b\)?`,
    String.raw`\b(?:LOINC|SNOMED|ICD|CPT|RxNorm|NDC|MRN|ID|[Cc]ode|[Cc]odigo)\b[ :#]*[\w.-]*\d[\w.-]*`,
    String.raw`\b\d{3,5}-\d\b(?![-.,]?\d)|\b(?!\d{4}-\d\d?-\d\d?\b|\d\d?-\d\d?-\d{2,4}\b)\d+(?:-\d+){2,}\b`,
    // Ordinals and fractions.
    String.raw`\b\d+\.?[ºª](?! ?C)|(?:\d+ ?)?[¼-¾⅐-⅞]|(?<![\d/.,])(?:\d+ )?(?:1\/[2-9]|2\/3|3\/4)(?![\d/])`,
  ].join('|'),
  'gm',
);
const SPAN = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,-])\d[\d.,]*(?: ?(?:-|–|to|or|a|o) ?\d+)?[ -]?(?<what>${TIMES})\b(?:[ -]old)?`,
  'giu',
);

/** Returns a text with plain Latin letters and blanks, as long as it was. */
export const folded = (text: string): string =>
  text.replace(/[\u00c0-\u024f]/g, unaccented).replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ');

/** Returns a text with blanks where its numbers state nothing. `units` are units of which receipts tell. */
export function withoutPlain(text: string, units: readonly string[]): string {
  const blanks = (all: string): string => all.replace(/[^\n]/g, ' ');
  const isUnit = (what: string): boolean => units.some((unit) => unit.startsWith(what));
  return text.replace(PLAIN, blanks).replace(SPAN, (all, what: string) => (isUnit(what) ? all : blanks(all)));
}

const NAMED_UNIT = '(?:mill?i|micro|nano|pico|kilo|deci|centi)?(?:gram|lit|mole?|met|equivalent)(?:[eor]*s?)';
const PER = String.raw`(?: per | por | ?\/ ?)(?:${NAMED_UNIT}|1\.73 ?m[2²]|(?!d\b|da[iy]|dos|tab|week)[a-zµμ][\w²³]*)`;
const END = String.raw`(?![\p{L}\p{N}])`;
const UNIT = new RegExp(
  [
    '^(?:%|per ?cent(?:age[ -]points?)?|por ciento|puntos(?: porcentuales)?|points?|[cf]|kpa|mm ?hg',
    '(?:degrees?|grados?|[°º])(?: ?(?:celsius|centigrados|fahrenheit|[cf]))?',
    String.raw`mill?imet(?:er|re|ro)s (?:of|de) merc\w+|(?:(?:mc|[kmµμucnd])?g|(?:mc|[mdcµμu])?l|[kcm]?m|[blr]pm`,
    'kilos?|lbs?|pounds?|libras?|oz|i?u|ui|units?|unidades|(?:mc|[munpµμ])?mol|meq|beats|breaths|cells|latidos',
    `celulas|respiraciones|${NAMED_UNIT}`,
    String.raw`(?:[x×] ?)?10[*^e]?[\d⁰-⁹³²¹]+|thousand|[a-z]*(?= ?\/ ?[a-zµμ]))(?:${PER})*)${END}`,
  ].join('|'),
  'iu',
);

/** What replaces spellings of units, in this order. */
const SPELLINGS: readonly [RegExp, string][] = [
  [/per ?cent(?:age[ -]points?)?|por ciento|puntos porcentuales/, '%'],
  [/ (?:per|por) /g, '/'],
  [/([mnpkdc])(?:ill?i|ano|ico|ilo|eci|enti)(?=gram|lit|mol|met|eq)/g, '$1'],
  [/(g)ram[eo]?s?|(l)it[eor]+s?|(m)et[eor]+s?|(mol)e?s?|(eq)uivalente?s?/g, '$1$2$3$4$5'],
  [/μ|mc(?=[gl]|mol)|micro/g, 'u'],
  [/ (?:of|de) merc.*/, 'hg'],
  [/\/1\.73\s?m2$|[[\]{}\s]/g, ''],
  [/\/mm3$/, '/ul'],
  [/^[x×]?10[*^e]?9\/l$/, '10^3/ul'],
  [/^(?:k|thousand|[x×]?10[*^e]?3)(?=\/)/, '10^3'],
  [/\/minut[eo]$|^[blr]pm$/, '/min'],
  [/^(?:beats|breaths|cells|latidos|respiraciones|celulas|degrees?|grados?|°|o(?=c$)|(?:points?|puntos?)$)/, ''],
  [/^kilos?$/, 'kg'],
  [/^(?:pounds?|libras?|lbs)$/, 'lb'],
  [/^(?:units?|unidades)/, 'u'],
  [/^(c|f)(?:el(?:sius)?|entigrados|ahrenheit)$|^deg(f)$/, '$1$2'],
];

/** Returns a unit in a form in which spellings of one unit are equal. */
export const unitKey = (unit: string): string =>
  SPELLINGS.reduce((key, [from, to]) => key.replace(from, to), folded(unit).toLowerCase().normalize('NFKC'));

/** Returns the possible readings of a number. A point in a number of a record is that of a decimal. */
function numbersOf(written: string, isOfRecord: boolean): number[] {
  const text = written.replace('−', '-');
  const grouped = /^-?[1-9]\d{0,2}(?:([., ])\d{3})(?:\1\d{3})*(?!\1)(?:[.,]\d+)?$/.exec(text)?.[1];
  const readings = [text.replace(',', '.')];
  if (grouped !== undefined && !(isOfRecord && grouped === '.'))
    readings.push(text.replaceAll(grouped, '').replace(',', '.'));
  return readings.map(Number).filter((number) => !Number.isNaN(number));
}

/** Returns the possible readings of a date: the day is before the month or after it, the year may have two digits. */
function datesOf(text: string): StatedDate[] {
  const words: readonly string[] = text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const named = MONTHS.findIndex((names) => names.some((name) => words.includes(name))) + 1;
  const [a = 0, b, c] = (text.match(/\d+/g) ?? []).map(Number);
  const read = (year?: number, month?: number, day?: number): StatedDate[] =>
    (year !== undefined && year < 100 ? [1900 + year, 2000 + year] : [year]).map((of) => ({ year: of, month, day }));
  if (named > 0) return a > 31 ? read(a, named) : read(b, named, a || undefined);
  if (a > 31) return read(a, b, c);
  return b !== undefined && b > 31 ? read(b, a) : [...read(c, a, b), ...read(c, b, a)];
}

const COMPARING = [
  ['<', /(?:(?:less|lower|fewer) than|below|under|menos de|menor (?:de|que)|inferior a)\s$/i],
  [
    '>',
    /(?:(?:more|higher|greater) than|exceed\w*|(?<!\d )over|above|super[ao]\w*|mas de|mayor (?:de|que)|superior a)\s$/i,
  ],
] as const;

/** Words shortly before a number that is no value. */
const LIMIT = new RegExp(
  [
    String.raw`\b(?:target|goal|aim|normal|range|limit|scale of|objetivo|meta|rango|limite)\b(?:[^.;\n]|\.\d){0,30}$`,
    String.raw`[~≈] ?$|\b(?:about|around|approximately|roughly|nearly|almost|up to|at (?:least|most)|unos|unas|casi`,
    'cerca de|alrededor de|aproximadamente|al menos|como maximo',
    String.raw`(?:between|entre)(?: \S+){0,2}(?: and| y)?|entre) $`,
    // The second number of a range in brackets.
    String.raw`[([]\d[\d.,]* ?[-–] ?$`,
  ].join('|'),
  'i',
);
const OR_MORE = /^(?: ?%| \S+)? (?:or|o) (?:more|less|higher|lower|above|below|mas|menos)\b|^ ?% (?:of|de)\b/i;
/** The first number of a range in brackets, with the bracket. */
const IN_BRACKETS = /^[([]\d[\d.,]* ?[-–] ?\d/;
/** A change in per cent, or of a value in per cent. */
export const CHANGE = /\b(?:by|up|down|fell|rose|dropped|declined|improved|(?:de|in)creased) $|\bpoints \($/i;

/** Returns the unit at the start of a text: the first of `units`, which may have blanks and numbers, or a usual one. */
const unitIn = (text: string, units: readonly string[]): string =>
  units.find((unit) => text.startsWith(unit)) ?? UNIT.exec(text)?.[0] ?? '';

/** Returns the statements of a text or of a record. `units` are known beside the usual ones, the longest first. */
export function statementsIn(text: string, units: readonly string[] = [], isOfRecord = false): Statement[] {
  const statements: Statement[] = [];
  for (const match of text.matchAll(STATEMENT)) {
    const { groups = {}, index: start } = match;
    if (start < (statements.at(-1)?.endOfUnit ?? 0)) continue;
    const end = start + match[0].length;
    const written = groups.number ?? '';
    const dates = groups.date === undefined ? [] : datesOf(groups.date);
    const [rest, joined] = [/^ /, JOINED].map((gap) => text.slice(end, end + 60).replace(gap, '')) as [string, string];
    const own = unitIn(rest, units);
    const unit = own || unitIn(joined, units);
    const before = text.slice(Math.max(0, start - 45), start);
    const isAlone = own === '' && (unit === '' || !/^ ?\S ?(?:19|20)\d\d\b/.test(text.slice(end)));
    const isYear = /^(?:19|20)\d\d$/.test(written) && isAlone && !/\b(?:was|were|is|are|es|era|fue) $/.test(before);
    if (isYear) dates.push({ year: Number(written) });
    const [word = ''] = /^\p{L}[\p{L}\p{N}]{2,}/u.exec(joined) ?? [];
    const total = /^(?:out )?(?:of|de) (\d+)/.exec(rest)?.[1];
    const isNamed = total !== undefined || /\d (?:out )?(?:of|de) $/.test(before) || !CONNECTING.test(word);
    const isCount = unit === '' && /^\d+$/.test(written) && isNamed && !isYear;
    const sign = groups.comparator?.[0] ?? COMPARING.find(([, pattern]) => pattern.test(before))?.[0] ?? '';
    statements.push({
      start,
      end,
      endOfUnit: own === '' ? end : text.indexOf(own, end) + own.length,
      numbers: written === '' || isYear ? [] : numbersOf(written, isOfRecord),
      comparator: isCount ? '' : sign.replace('≤', '<').replace('≥', '>'),
      unit: isCount ? word.toLowerCase().replace(/s$/, '') : unitKey(unit),
      isCount,
      total: Number(total ?? written),
      isLimit:
        LIMIT.test(before) ||
        OR_MORE.test(text.slice(end, end + 30)) ||
        IN_BRACKETS.test(text.slice(start - 1, end + 4)) ||
        (unit === '%' && CHANGE.test(before)),
      dates,
    });
  }
  return statements;
}
