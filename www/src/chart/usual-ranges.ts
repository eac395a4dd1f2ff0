//! Usual ranges of vital signs by age, for records that have no range of their own. They are nobody's reference range:
//! wherever one is shown, it is called usual, with its source.

import { ageInDays, ageInMonths, isAdult } from '../fhir/age.ts';
import { when } from '../fhir/reading.ts';
import { hasCode } from '../fhir/text.ts';
import type { Measured, Observation } from '../fhir/types.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { decimal } from '../language/number.ts';

export interface RangeSource {
  /** The name beside a range. */
  short: string;
  title: PlainMessage;
  url: string | undefined;
}

const PALS: RangeSource = {
  short: 'PALS',
  title: 'American Heart Association, Pediatric Advanced Life Support Provider Manual, 2016 (awake, by age)',
  url: undefined,
};
const ACC_AHA: RangeSource = {
  short: 'ACC/AHA',
  title: 'ACC/AHA guideline for high blood pressure in adults, 2017',
  url: 'https://doi.org/10.1161/HYP.0000000000000065',
};
const AAP: RangeSource = {
  short: 'AAP',
  title: 'American Academy of Pediatrics, guideline for high blood pressure in children and adolescents, 2017',
  url: 'https://doi.org/10.1542/peds.2017-1904',
};
const MEDLINE_PLUS: RangeSource = {
  short: 'MedlinePlus',
  title: 'MedlinePlus, National Library of Medicine, vital signs of adults at rest',
  url: 'https://medlineplus.gov/ency/article/002341.htm',
};
const WHO: RangeSource = {
  short: 'WHO',
  title: 'World Health Organization, Pulse Oximetry Training Manual, 2011',
  url: undefined,
};

/** The ends of a range: both belong to it, but for `under`, which is the first value beyond it. */
interface Limits {
  low?: number;
  high?: number;
  under?: number;
}

type VitalSign = 'heart' | 'breathing' | 'systolic' | 'diastolic' | 'temperature' | 'saturation';

const CODES: Readonly<Record<VitalSign, readonly string[]>> = {
  heart: ['8867-4'],
  breathing: ['9279-1'],
  systolic: ['8480-6'],
  diastolic: ['8462-4'],
  temperature: ['8310-5'],
  saturation: ['59408-5', '2708-6'],
};
/** The units in which the ranges hold, by their codes of UCUM or as they are printed. */
const UNITS: Readonly<Record<VitalSign, readonly string[]>> = {
  heart: ['/min', '{beats}/min', 'beats/min', 'beats/minute', 'bpm'],
  breathing: ['/min', '{breaths}/min', 'breaths/min', 'breaths/minute'],
  systolic: ['mm[Hg]', 'mmHg'],
  diastolic: ['mm[Hg]', 'mmHg'],
  temperature: ['Cel', '°C'],
  saturation: ['%'],
};

interface AgeBand {
  /** In months, from the first to before the second. */
  from: number;
  until: number;
  source: RangeSource;
  limits: { readonly [S in VitalSign]?: Limits };
}

const YEAR = 12;
const between = (low: number, high: number): Limits => ({ low, high });

/** The first band that fits an age and a vital sign counts. The first month is told apart by days. */
const BANDS: readonly AgeBand[] = [
  {
    from: 1,
    until: YEAR,
    source: PALS,
    limits: {
      heart: between(100, 190),
      breathing: between(30, 53),
      systolic: between(72, 104),
      diastolic: between(37, 56),
    },
  },
  {
    from: YEAR,
    until: 3 * YEAR,
    source: PALS,
    limits: {
      heart: between(98, 140),
      breathing: between(22, 37),
      systolic: between(86, 106),
      diastolic: between(42, 63),
    },
  },
  {
    from: 3 * YEAR,
    until: 6 * YEAR,
    source: PALS,
    limits: {
      heart: between(80, 120),
      breathing: between(20, 28),
      systolic: between(89, 112),
      diastolic: between(46, 72),
    },
  },
  {
    from: 6 * YEAR,
    until: 12 * YEAR,
    source: PALS,
    limits: { heart: between(75, 118), breathing: between(18, 25) },
  },
  {
    from: 6 * YEAR,
    until: 10 * YEAR,
    source: PALS,
    limits: { systolic: between(97, 115), diastolic: between(57, 76) },
  },
  {
    from: 10 * YEAR,
    until: 12 * YEAR,
    source: PALS,
    limits: { systolic: between(102, 120), diastolic: between(61, 80) },
  },
  {
    from: 12 * YEAR,
    until: 16 * YEAR,
    source: PALS,
    limits: { heart: between(60, 100), breathing: between(12, 20) },
  },
  {
    from: 12 * YEAR,
    until: 13 * YEAR,
    source: PALS,
    limits: { systolic: between(110, 131), diastolic: between(64, 83) },
  },
  {
    from: 13 * YEAR,
    until: 18 * YEAR,
    source: AAP,
    limits: { systolic: { under: 120 }, diastolic: { under: 80 } },
  },
  {
    from: 18 * YEAR,
    until: Infinity,
    source: ACC_AHA,
    limits: { systolic: { under: 120 }, diastolic: { under: 80 } },
  },
  {
    from: 18 * YEAR,
    until: Infinity,
    source: MEDLINE_PLUS,
    limits: { heart: between(60, 100), breathing: between(12, 18), temperature: between(36.5, 37.3) },
  },
  { from: 1, until: Infinity, source: WHO, limits: { saturation: { low: 95 } } },
];
/** From birth to 28 days. */
const NEWBORN: AgeBand = { from: 0, until: 1, source: PALS, limits: { heart: between(100, 205) } };

export interface UsualRange {
  /** The ends in words, such as `60–100` or `below 120/80`. */
  text: string;
  source: RangeSource;
  /** The side on which a value is outside. */
  out: 'above' | 'below' | undefined;
}

/** The bands of an age, in months, or the newborn's. */
function bandsFor(birth: string | undefined, on: string | undefined): readonly AgeBand[] {
  const [days, months] = [ageInDays(birth, on), ageInMonths(birth, on)];
  if (days !== undefined && days < 28) return [NEWBORN];
  // Between 28 days and a month by the calendar a child is an infant.
  const age = months === undefined ? (isAdult(birth, on) ? 18 * YEAR : undefined) : Math.max(1, months);
  return age === undefined ? [] : BANDS.filter(({ from, until }) => age >= from && age < until);
}

/** A measured part with the limits that are usual for it. */
interface Judged {
  value: number;
  limits: Limits;
  source: RangeSource;
}

/** Nothing for a part with a range of its own, in another unit, or at an age without a range. */
function judged(part: Measured | undefined, sign: VitalSign, bands: readonly AgeBand[]): Judged | undefined {
  const measured = part?.valueQuantity;
  const isInUnit = [measured?.code, measured?.unit].some((one) => one !== undefined && UNITS[sign].includes(one));
  if (measured?.value === undefined || !isInUnit || part?.referenceRange?.length) return undefined;
  const band = bands.find(({ limits }) => limits[sign]);
  const limits = band?.limits[sign];
  return band && limits ? { value: measured.value, limits, source: band.source } : undefined;
}

function outside({ value, limits: { low, high, under } }: Judged): UsualRange['out'] {
  if ((high !== undefined && value > high) || (under !== undefined && value >= under)) return 'above';
  return low !== undefined && value < low ? 'below' : undefined;
}

const shown = (end: number | undefined): string => decimal(String(end ?? ''));

function textOf({ low, high, under }: Limits): string {
  if (under !== undefined) return t('below {value}', { value: shown(under) });
  if (low !== undefined && high !== undefined) return `${shown(low)}–${shown(high)}`;
  return low === undefined
    ? t('at most {value}', { value: shown(high) })
    : t('at least {value}', { value: shown(low) });
}

/** Both pressures in one: `below 120/80`, or `97–115 / 57–76`. */
function pressureText(systolic: Limits, diastolic: Limits): string {
  const isBelow = systolic.under !== undefined && diastolic.under !== undefined;
  return isBelow
    ? t('below {value}', { value: `${systolic.under}/${diastolic.under}` })
    : `${textOf(systolic)} / ${textOf(diastolic)}`;
}

/**
 * The usual range of a vital sign at the age at which it was measured. Nothing where the record has a range or a flag,
 * where the age or the unit is not known, and for what has no range here.
 */
export function usualRange(o: Observation, birth: string | undefined): UsualRange | undefined {
  if (o.referenceRange?.length || o.interpretation?.length) return undefined;
  const bands = bandsFor(birth, when(o));
  const part = (sign: VitalSign): Measured | undefined =>
    o.component?.find(({ code }) => hasCode(code, ...CODES[sign])) ?? (hasCode(o.code, ...CODES[sign]) ? o : undefined);
  const [systolic, diastolic] = [
    judged(part('systolic'), 'systolic', bands),
    judged(part('diastolic'), 'diastolic', bands),
  ];
  if (systolic && diastolic) {
    const out = [outside(systolic), outside(diastolic)];
    return {
      text: pressureText(systolic.limits, diastolic.limits),
      source: systolic.source,
      out: out.includes('above') ? 'above' : out.includes('below') ? 'below' : undefined,
    };
  }
  const others: VitalSign[] = ['heart', 'breathing', 'temperature', 'saturation'];
  const one = systolic ?? diastolic ?? others.map((sign) => judged(part(sign), sign, bands)).find(Boolean);
  return one && { text: textOf(one.limits), source: one.source, out: outside(one) };
}
