//! The limits of vital signs, each with the source that states it: usual ranges by age, limits for every age, and
//! values that are urgent.
//!
//! The sources of the numbers:
//! - PALS, and the limits for every age: "Pediatric Vital Signs Reference Chart" of PedsCases, with the tables
//!   of the PALS guidelines of 2015 and of the statement of the Canadian Paediatric Society on temperature, 2015.
//! - MedlinePlus: "Vital signs", review of 2023.
//! - ACC/AHA: "Classification of BP" in the highlights of the guideline of 2017, normal below 120 and 80; section 6.2
//!   of the pocket guide to the guideline of 2025, severe hypertension above 180 or 120.
//! - NEWS2: "Chart 1: The NEWS scoring system", Royal College of Physicians, 2017, the columns with the score 3. It is
//!   for persons of 16 years and older.
//! - WHO: severe disease below 90 % at any age, in the living guidance on the clinical management of COVID-19, as table
//!   1 of the review in PMC9348956 states it; oxygen for children of at most 90 %, in the recommendations for the
//!   management of common childhood conditions, 2012.
//! - Mayo Clinic: "Hypoxemia", healthy values of an oximeter from 95 %.

import { DIASTOLIC, SYSTOLIC } from '../../fhir/vital-codes.ts';
import type { PlainMessage } from '../../language/words.ts';

export interface RangeSource {
  /** The name that is shown with a range. */
  short: string;
  title: PlainMessage;
  url: string | undefined;
}

const PALS: RangeSource = {
  short: 'PALS',
  title: 'American Heart Association, Pediatric Advanced Life Support Provider Manual, 2016 (awake, by age)',
  url: 'http://www.pedscases.com/pediatric-vital-signs-reference-chart',
};
const PEDS_CASES: RangeSource = {
  short: 'PedsCases',
  title: 'PedsCases, Pediatric Vital Signs Reference Chart (PALS 2015; Canadian Paediatric Society 2015)',
  url: 'http://www.pedscases.com/pediatric-vital-signs-reference-chart',
};
const ACC_AHA: RangeSource = {
  short: 'ACC/AHA',
  title: 'ACC/AHA guideline for high blood pressure in adults, 2017',
  url: 'https://doi.org/10.1161/HYP.0000000000000065',
};
const SEVERE_PRESSURE: RangeSource = {
  short: 'ACC/AHA',
  title: 'AHA/ACC guideline for high blood pressure in adults, 2025, severe hypertension',
  url: 'https://eguideline.guidelinecentral.com/i/1539869/76',
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
const MAYO: RangeSource = {
  short: 'Mayo',
  title: 'Mayo Clinic, Hypoxemia, healthy values of a pulse oximeter',
  url: 'https://www.mayoclinic.org/symptoms/hypoxemia/basics/definition/sym-20050930',
};
const WHO: RangeSource = {
  short: 'WHO',
  title: 'World Health Organization, COVID-19 clinical management, severe disease at any age',
  url: 'https://pmc.ncbi.nlm.nih.gov/articles/PMC9348956/',
};
const NEWS2: RangeSource = {
  short: 'NEWS2',
  title: 'Royal College of Physicians, National Early Warning Score (NEWS) 2, 2017, the score 3 by one value',
  url: 'https://www.rcplondon.ac.uk/national-early-warning-score',
};

/** The ends of a range. Both belong to it, except `under`, which is the first value above the range. */
export interface Limits {
  low?: number;
  high?: number;
  under?: number;
}

export const VITAL_SIGNS = ['systolic', 'diastolic', 'heart', 'breathing', 'temperature', 'saturation'] as const;
export type VitalSign = (typeof VITAL_SIGNS)[number];

/** The LOINC codes of each sign. The codes with the same meaning are in `../fhir/vital-codes.ts`. */
export const CODES: Readonly<Record<VitalSign, readonly string[]>> = {
  heart: ['8867-4', '8889-8', '8893-0', '40443-4', '68999-8', '69000-8', '69001-6'],
  breathing: ['9279-1'],
  systolic: SYSTOLIC,
  diastolic: DIASTOLIC,
  temperature: ['8310-5', '8331-1', '8328-7', '8332-9', '8333-7', '75539-7', '76011-6'],
  saturation: ['59408-5', '2708-6'],
};
/** Temperatures whose usual range depends on the method. They are compared with the limits of all methods. */
export const BY_METHOD: readonly string[] = ['8328-7', '8332-9', '8333-7', '75539-7', '76011-6'];

/** The units of the limits. */
export const UNITS: Readonly<Record<VitalSign, string>> = {
  heart: '/min',
  breathing: '/min',
  systolic: 'mm[Hg]',
  diastolic: 'mm[Hg]',
  temperature: 'Cel',
  saturation: '%',
};

interface SourcedLimits {
  source: RangeSource;
  limits: Limits;
}

/** Limits of an age: in months, `until` excluded. The first 28 days of life are the month 0. */
interface AgeBand extends SourcedLimits {
  from: number;
  until: number;
}

const YEAR = 12;
const between = (low: number, high: number): Limits => ({ low, high });
const band = (source: RangeSource, from: number, until: number, limits: Limits): AgeBand => {
  return { source, from, until, limits };
};

export const BANDS: Readonly<Record<VitalSign, readonly AgeBand[]>> = {
  heart: [
    band(PALS, 0, 1, between(100, 205)),
    band(PALS, 1, YEAR, between(100, 190)),
    band(PALS, YEAR, 3 * YEAR, between(98, 140)),
    band(PALS, 3 * YEAR, 6 * YEAR, between(80, 120)),
    band(PALS, 6 * YEAR, 12 * YEAR, between(75, 118)),
    band(PALS, 12 * YEAR, 16 * YEAR, between(60, 100)),
    band(MEDLINE_PLUS, 18 * YEAR, Infinity, between(60, 100)),
  ],
  breathing: [
    band(PALS, 1, YEAR, between(30, 53)),
    band(PALS, YEAR, 3 * YEAR, between(22, 37)),
    band(PALS, 3 * YEAR, 6 * YEAR, between(20, 28)),
    band(PALS, 6 * YEAR, 12 * YEAR, between(18, 25)),
    band(PALS, 12 * YEAR, 16 * YEAR, between(12, 20)),
    band(MEDLINE_PLUS, 18 * YEAR, Infinity, between(12, 18)),
  ],
  systolic: [
    band(PALS, 1, YEAR, between(72, 104)),
    band(PALS, YEAR, 3 * YEAR, between(86, 106)),
    band(PALS, 3 * YEAR, 6 * YEAR, between(89, 112)),
    band(PALS, 6 * YEAR, 10 * YEAR, between(97, 115)),
    band(PALS, 10 * YEAR, 12 * YEAR, between(102, 120)),
    band(PALS, 12 * YEAR, 13 * YEAR, between(110, 131)),
    band(AAP, 13 * YEAR, 18 * YEAR, { under: 120 }),
    band(ACC_AHA, 18 * YEAR, Infinity, { under: 120 }),
  ],
  diastolic: [
    band(PALS, 1, YEAR, between(37, 56)),
    band(PALS, YEAR, 3 * YEAR, between(42, 63)),
    band(PALS, 3 * YEAR, 6 * YEAR, between(46, 72)),
    band(PALS, 6 * YEAR, 10 * YEAR, between(57, 76)),
    band(PALS, 10 * YEAR, 12 * YEAR, between(61, 80)),
    band(PALS, 12 * YEAR, 13 * YEAR, between(64, 83)),
    band(AAP, 13 * YEAR, 18 * YEAR, { under: 80 }),
    band(ACC_AHA, 18 * YEAR, Infinity, { under: 80 }),
  ],
  // Of a child by any method.
  temperature: [
    band(PEDS_CASES, 0, 18 * YEAR, between(35.5, 38)),
    band(MEDLINE_PLUS, 18 * YEAR, Infinity, between(36.5, 37.3)),
  ],
  saturation: [band(MAYO, 1, Infinity, { low: 95 })],
};

/**
 * Limits for every age, for persons whose age is unknown. They contain the range of each age, except for the
 * saturation in the first minutes of life. By PALS, breathing above 60 is fast at any age.
 */
export const AGELESS_LIMITS: Readonly<Record<VitalSign, SourcedLimits>> = {
  heart: { source: PALS, limits: between(60, 205) },
  breathing: { source: PALS, limits: between(12, 60) },
  systolic: { source: PALS, limits: between(39, 131) },
  diastolic: { source: PALS, limits: between(16, 83) },
  temperature: { source: PEDS_CASES, limits: between(35.5, 38) },
  saturation: { source: PEDS_CASES, limits: { low: 92 } },
};

/** A limit of values that are urgent by a source: severe, or of the highest score of a single value. */
export interface UrgentLimit {
  sign: VitalSign;
  side: 'above' | 'below';
  limit: number;
  /** True if the limit itself is urgent. */
  isIncluded: boolean;
  /** The age in months from which it applies. If it is `undefined`, the limit applies at any age, known or unknown. */
  from: number | undefined;
  source: RangeSource;
}

const urgent = (
  sign: VitalSign,
  side: UrgentLimit['side'],
  limit: number,
  more: Pick<UrgentLimit, 'isIncluded' | 'from' | 'source'>,
): UrgentLimit => ({ sign, side, limit, ...more });

const SEVERE = { isIncluded: false, from: undefined } as const;
const SCORE_3 = { isIncluded: true, from: 16 * YEAR, source: NEWS2 } as const;

/**
 * The urgent limits. The first that fits applies. A saturation of 90 or 91 % scores 3 in NEWS2 too, but is omitted as
 * the aim of treatment in hypercapnic respiratory failure. The limits of pressures are those of adults: in a child such
 * a pressure is even further outside.
 */
export const URGENT: readonly UrgentLimit[] = [
  urgent('saturation', 'below', 90, { ...SEVERE, source: WHO }),
  urgent('systolic', 'above', 180, { ...SEVERE, source: SEVERE_PRESSURE }),
  urgent('diastolic', 'above', 120, { ...SEVERE, source: SEVERE_PRESSURE }),
  urgent('systolic', 'below', 90, SCORE_3),
  urgent('heart', 'above', 131, SCORE_3),
  urgent('heart', 'below', 40, SCORE_3),
  urgent('breathing', 'above', 25, SCORE_3),
  urgent('breathing', 'below', 8, SCORE_3),
  urgent('temperature', 'below', 35, SCORE_3),
];
