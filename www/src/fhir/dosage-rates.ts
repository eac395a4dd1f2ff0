//! Rates, such as `twice a day`, as the texts of dosages say them in English and Spanish.

import { timeUnit } from './time-units.ts';

const TIMES = [
  'hours?|hrs?|h|horas?|days?|dias?|d|weeks?|wks?|semanas?|months?|mes(?:es)?',
  'minutes?|mins?|minutos?|years?|anos?',
];
const UNIT = String.raw`(${TIMES.join('|')})\b`;
const TO = String.raw`\s*(?:-|–|to|a|or|o)\s*`;
const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const PER = String.raw`\s*(?:x\s*\/?|times?|vez|veces)?\s*(?:a|an|per|each|every|al|por|cada|\/|a la)?\s*`;
const OF_DAY = String.raw`(daily|diarias?|dia|day|week|weekly|semana|semanales|month|monthly|mes|hour|hora|year)\b`;

/**
 * The patterns of how often, in the order in which they are looked for, each with its key (see `TimingWords`); what one
 * finds is not read again.
 */
export const RATES: readonly [pattern: RegExp, key: (groups: string[]) => string | undefined][] = [
  [
    new RegExp(String.raw`(?:up to|hasta|maximum of|maximo) ${NUMBER}\s*(?:times|veces)${PER}${OF_DAY}`, 'g'),
    ([n, of]) => perKey(`-${n}`, of),
  ],
  [
    new RegExp(String.raw`${NUMBER}${TO}${NUMBER}\s*(?:x|times?|vez|veces)${PER}${OF_DAY}`, 'g'),
    ([low, high, of]) => perKey(`${low}-${high}`, of),
  ],
  [new RegExp(String.raw`${NUMBER}\s*(?:x|times?|vez|veces)${PER}${OF_DAY}`, 'g'), ([n, of]) => perKey(n, of)],
  [
    new RegExp(String.raw`\b(?:every|each|cada|q)\s*${NUMBER}${TO}${NUMBER}\s*${UNIT}`, 'g'),
    ([low, high, of]) => everyKey(low, high, of),
  ],
  [new RegExp(String.raw`\b(?:every|each|cada|q)\s*${NUMBER}\s*${UNIT}`, 'g'), ([n, of]) => everyKey(n, undefined, of)],
  [new RegExp(String.raw`${NUMBER}\s*(?:a|per|al|por|\/)\s*${OF_DAY}`, 'g'), ([n, of]) => perKey(n, of)],
  [new RegExp(String.raw`\bx\s*${NUMBER}\s*(?:a|per|\/)?\s*${OF_DAY}`, 'g'), ([n, of]) => perKey(n, of)],
  // What is divided is taken more often than it is said: no coded rate is the same.
  [/\b(?:divided|split|dividid[oa]s?|repartid[oa]s?|fraccionad[oa]s?)\b/g, () => 'divided'],
  // How many times is not a number, such as several.
  [new RegExp(String.raw`\b(?:times?|vez|veces)${PER}${OF_DAY}`, 'g'), ([of]) => perKey('?', of)],
  [
    /\b(?:(?:every|each) (?:other|second|2nd) (?:day|morning|evening|night)|alternate days|dias alternos|qod)\b/g,
    () => '1/2d',
  ],
  [/\b(?:every (?:other|second) week|fortnightly|every fortnight|quincenal|cada quincena)\b/g, () => '1/2wk'],
  [/\b(?:bid|bd|b\.d\.)(?![\w.])/g, () => '2/1d'],
  [/\b(?:tid|tds|t\.d\.s\.)(?![\w.])/g, () => '3/1d'],
  [/\b(?:qid|qds|q\.d\.s\.)(?![\w.])/g, () => '4/1d'],
  [/\b(?:hourly|every hour|cada hora)\b/g, () => '1/1h'],
  [
    /\b(?:weekly|every week|each week|a week|per week|cada semana|semanal|semanalmente|a la semana|por semana)\b/g,
    () => '1/1wk',
  ],
  [/\b(?:monthly|every month|a month|per month|cada mes|mensual|mensualmente|al mes)\b/g, () => '1/1mo'],
  [/\b(?:yearly|every year|a year|per year|anual|cada ano|al ano)\b/g, () => '1/1a'],
  [/\b(?:daily|every day|each day|a day|per day|cada dia|al dia|diari[oa]|diariamente|por dia|qd)\b/g, () => '1/1d'],
];

const PERIODS: readonly [name: RegExp, unit: string][] = [
  [/^(?:daily|diarias?|dia|day)$/, 'd'],
  [/^(?:week|weekly|semana|semanales)$/, 'wk'],
  [/^(?:month|monthly|mes)$/, 'mo'],
  [/^(?:hour|hora)$/, 'h'],
  [/^year$/, 'a'],
];
const perKey = (count: string | undefined, of = ''): string | undefined => {
  const unit = PERIODS.find(([name]) => name.test(of))?.[1];
  return unit && `${count ?? ''}/1${unit}`;
};

function everyKey(low: string | undefined, high: string | undefined, of: string | undefined): string | undefined {
  const unit = timeUnit(of?.replace(/^anos?$/, 'years'));
  if (unit === undefined) return undefined;
  return high === undefined ? `1/${periodKey(Number(low), unit)}` : `1/${low}-${high}${unit}`;
}

/** The key of a period: `24h` is a day, `7d` a week, `12mo` a year. */
export function periodKey(period: number, unit: string): string {
  if (unit === 'h' && period % 24 === 0) return periodKey(period / 24, 'd');
  if (unit === 'd' && period % 7 === 0) return `${period / 7}wk`;
  return unit === 'mo' && period % 12 === 0 ? `${period / 12}a` : `${period}${unit}`;
}
