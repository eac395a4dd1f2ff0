//! Usual ranges of vital signs by age, for records that have no range of their own. They are nobody's reference range:
//! wherever one is shown, it is called usual, with its source.

import { ageInDays, ageInMonths, isAdult } from '../fhir/age.ts';
import { converted } from '../fhir/convert.ts';
import { judgementOf } from '../fhir/flag.ts';
import { when } from '../fhir/reading.ts';
import { isOfNormal } from '../fhir/reference-range.ts';
import { hasCode } from '../fhir/text.ts';
import type { Measured, Observation, Quantity } from '../fhir/types.ts';
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
  /** The value below or above which the source calls for help at once. */
  emergencyBelow?: number;
  emergencyAbove?: number;
}

type VitalSign = 'heart' | 'breathing' | 'systolic' | 'diastolic' | 'temperature' | 'saturation';

const CODES: Readonly<Record<VitalSign, readonly string[]>> = {
  heart: ['8867-4', '8889-8', '364075005'],
  breathing: ['9279-1', '86290005'],
  systolic: ['8480-6', '8459-0', '76534-7', '271649006'],
  diastolic: ['8462-4', '8453-3', '76535-4', '271650006'],
  temperature: ['8310-5', '8331-1', '386725007'],
  saturation: ['59408-5', '2708-6', '431314004'],
};
/** The units of the ranges. */
const UNITS: Readonly<Record<VitalSign, string>> = {
  heart: '/min',
  breathing: '/min',
  systolic: 'mm[Hg]',
  diastolic: 'mm[Hg]',
  temperature: 'Cel',
  saturation: '%',
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
    // "Hypertensive crisis" in the guideline.
    limits: {
      systolic: { under: 120, emergencyAbove: 180 },
      diastolic: { under: 80, emergencyAbove: 120 },
    },
  },
  {
    from: 18 * YEAR,
    until: Infinity,
    source: MEDLINE_PLUS,
    limits: { heart: between(60, 100), breathing: between(12, 18), temperature: between(36.5, 37.3) },
  },
  // "Clinical emergency" in the manual.
  { from: 1, until: Infinity, source: WHO, limits: { saturation: { low: 95, emergencyBelow: 90 } } },
];
/** From birth to 28 days. */
const NEWBORN: AgeBand = { from: 0, until: 1, source: PALS, limits: { heart: between(100, 205) } };

export interface UsualRange {
  /** The ends in words, such as `60–100` or `below 120/80`. */
  text: string;
  source: RangeSource;
  /** The side on which a value is outside. */
  out: 'above' | 'below' | undefined;
  /** The limit beyond which a value is that the source calls an emergency, in words; nothing for other values. */
  emergency: string | undefined;
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
  /** The number in the unit of the limits. */
  value: number;
  comparator: string;
  limits: Limits;
  source: RangeSource;
  /** Writes a limit in the unit of the record. */
  shown(limit: number | undefined): string;
}

/** Returns whether the record itself says what is normal, or has judged the value. */
function isJudgedByRecord(part: Measured, o: Observation): boolean {
  const { flag, isNormal } = judgementOf(part, o);
  return flag !== undefined || isNormal || (part.referenceRange ?? []).some(isOfNormal);
}

/** Nothing for a part with a range of its own, in a unit that cannot be converted, or at an age without a range. */
function judged(
  part: Measured | undefined,
  o: Observation,
  sign: VitalSign,
  bands: readonly AgeBand[],
): Judged | undefined {
  const measured = part?.valueQuantity;
  if (!part || measured?.value === undefined || !(measured.unit || measured.code)) return undefined;
  const unit: Quantity = { code: UNITS[sign] };
  const value = converted(measured.value, measured, unit);
  if (value === undefined || isJudgedByRecord(part, o)) return undefined;
  const band = bands.find(({ limits }) => limits[sign]);
  const limits = band?.limits[sign];
  if (!band || !limits) return undefined;
  const shown = (limit: number | undefined): string => {
    const inRecord = limit === undefined ? undefined : converted(limit, unit, measured);
    return inRecord === undefined ? '' : decimal(String(Number(inRecord.toPrecision(3))));
  };
  return { value, comparator: measured.comparator ?? '', limits, source: band.source, shown };
}

/** Returns whether a number is certainly above a limit; of a bound, each number that it can stand for. */
const isAbove = ({ value, comparator }: Judged, limit: number | undefined): boolean =>
  limit !== undefined && !comparator.startsWith('<') && (value > limit || (comparator === '>' && value >= limit));
const isBelow = ({ value, comparator }: Judged, limit: number | undefined): boolean =>
  limit !== undefined && !comparator.startsWith('>') && (value < limit || (comparator === '<' && value <= limit));

function outside(one: Judged): UsualRange['out'] {
  const { high, low, under } = one.limits;
  const isNotUnder =
    under !== undefined && (isAbove(one, under) || (one.value === under && !one.comparator.startsWith('<')));
  if (isAbove(one, high) || isNotUnder) return 'above';
  return isBelow(one, low) ? 'below' : undefined;
}

function emergency(one: Judged): string | undefined {
  const { emergencyAbove, emergencyBelow } = one.limits;
  if (isAbove(one, emergencyAbove)) return t('above {value} is an emergency', { value: one.shown(emergencyAbove) });
  if (isBelow(one, emergencyBelow)) return t('below {value} is an emergency', { value: one.shown(emergencyBelow) });
  return undefined;
}

function textOf({ limits: { low, high, under }, shown }: Judged): string {
  if (under !== undefined) return t('below {value}', { value: shown(under) });
  if (low !== undefined && high !== undefined) return `${shown(low)}–${shown(high)}`;
  return low === undefined
    ? t('at most {value}', { value: shown(high) })
    : t('at least {value}', { value: shown(low) });
}

/** Both pressures in one: `below 120/80`, or `97–115 / 57–76`. */
function pressureText(systolic: Judged, diastolic: Judged): string {
  const [a, b] = [systolic.limits.under, diastolic.limits.under];
  return a !== undefined && b !== undefined
    ? t('below {value}', { value: `${systolic.shown(a)}/${diastolic.shown(b)}` })
    : `${textOf(systolic)} / ${textOf(diastolic)}`;
}

/**
 * The usual range of a vital sign at the age at which it was measured. Nothing where the record has a range or a flag,
 * where the age or the unit is not known, and for what has no range here.
 */
export function usualRange(o: Observation, birth: string | undefined): UsualRange | undefined {
  if (isJudgedByRecord(o, o)) return undefined;
  const bands = bandsFor(birth, when(o));
  const part = (sign: VitalSign): Measured | undefined =>
    o.component?.find(({ code }) => hasCode(code, ...CODES[sign])) ?? (hasCode(o.code, ...CODES[sign]) ? o : undefined);
  const of = (sign: VitalSign): Judged | undefined => judged(part(sign), o, sign, bands);
  const [systolic, diastolic] = [of('systolic'), of('diastolic')];
  if (systolic && diastolic) {
    const out = [outside(systolic), outside(diastolic)];
    return {
      text: pressureText(systolic, diastolic),
      source: systolic.source,
      out: out.includes('above') ? 'above' : out.includes('below') ? 'below' : undefined,
      emergency: emergency(systolic) ?? emergency(diastolic),
    };
  }
  const others: VitalSign[] = ['heart', 'breathing', 'temperature', 'saturation'];
  const one = systolic ?? diastolic ?? others.map(of).find(Boolean);
  return one && { text: textOf(one), source: one.source, out: outside(one), emergency: emergency(one) };
}
