//! Cases of vital signs of an adult of 45 years without a range of the record, and of persons whose age is not known.
//! The sources are those of `vital-limits.ts`.

export interface VitalCase {
  from: string;
  code: string;
  value: number;
  unit: string;
  comparator?: string;
  out: 'above' | 'below' | undefined;
  urgent?: string;
}

const row = (
  from: string,
  code: string,
  [value, unit]: [number, string],
  out: VitalCase['out'],
  more: { comparator?: string; urgent?: string } = {},
): VitalCase => ({ from, code, value, unit, out, ...more });

const OXYGEN = { urgent: 'urgent: below 90' };

export const VITAL_CASES: readonly VitalCase[] = [
  row('WHO: 82 %', '59408-5', [82, '%'], 'below', OXYGEN),
  row('Mayo Clinic: 90 % is low, and not severe by the WHO', '59408-5', [90, '%'], 'below'),
  row('Mayo Clinic: 94 %', '2708-6', [94, '%'], 'below'),
  row('Mayo Clinic: 95 %', '2708-6', [95, '%'], undefined),
  row('WHO: by the code of SNOMED', '431314004', [82, '%'], 'below', OXYGEN),
  row('UCUM: a fraction', '59408-5', [0.82, '1'], 'below', { urgent: 'urgent: below 0.9' }),
  row('practice: < 90 %', '59408-5', [90, '%'], 'below', { comparator: '<', ...OXYGEN }),
  row('practice: < 98 % may be either', '59408-5', [98, '%'], undefined, { comparator: '<' }),
  row('NEWS2: pulse 131', '8867-4', [131, '/min'], 'above', { urgent: 'urgent: 131 or more' }),
  row('NEWS2: pulse 130', '8867-4', [130, '/min'], 'above'),
  row('practice: pulse > 130 may be 130.5', '8867-4', [130, '/min'], 'above', { comparator: '>' }),
  row('practice: pulse >= 131', '8867-4', [131, '/min'], 'above', {
    comparator: '>=',
    urgent: 'urgent: 131 or more',
  }),
  row('MedlinePlus: pulse 100', '8867-4', [100, '/min'], undefined),
  row('NEWS2: pulse 40', '8867-4', [40, 'beats/min'], 'below', { urgent: 'urgent: 40 or less' }),
  row('UCUM: pulse in Hz', '8867-4', [1.2, 'Hz'], undefined),
  row('NEWS2: breathing 30', '9279-1', [30, '/min'], 'above', { urgent: 'urgent: 25 or more' }),
  row('NEWS2: breathing 8', '9279-1', [8, 'breaths/minute'], 'below', { urgent: 'urgent: 8 or less' }),
  row('UCUM: 104.2 °F', '8310-5', [104.2, '[degF]'], 'above'),
  row('MedlinePlus: 39 °C', '8310-5', [39, 'Cel'], 'above'),
  row('NEWS2: 35 °C', '8331-1', [35, 'Cel'], 'below', { urgent: 'urgent: 35 or less' }),
  row('MedlinePlus: 37 °C', '8310-5', [37, 'Cel'], undefined),
  row('practice: degrees of no scale', '8310-5', [104.2, 'deg'], undefined),
  row('ACC/AHA: systolic 119', '8480-6', [119, 'mm[Hg]'], undefined),
  row('ACC/AHA: systolic 120', '8480-6', [120, 'mm[Hg]'], 'above'),
  row('NEWS2: systolic 90', '8480-6', [90, 'mm[Hg]'], undefined, { urgent: 'urgent: 90 or less' }),
  row('ACC/AHA: systolic 190', '8480-6', [190, 'mmHg'], 'above', { urgent: 'urgent: above 180' }),
  row('ACC/AHA: diastolic 125', '8462-4', [125, 'mm[Hg]'], 'above', { urgent: 'urgent: above 120' }),
  row('UCUM: systolic in kPa', '8480-6', [26, 'kPa'], 'above', { urgent: 'urgent: above 24' }),
  row('app: a saturation without a unit is not compared', '59408-5', [82, ''], undefined),
  row('PedsCases: 40.2 °C at the ear, by any method', '76011-6', [40.2, 'Cel'], 'above'),
  row('PedsCases: 37.8 °C at the rectum may be usual', '8332-9', [37.8, 'Cel'], undefined),
  row('ACC/AHA: standing', '8460-8', [190, 'mm[Hg]'], 'above', { urgent: 'urgent: above 180' }),
  row('ISO 11073: a pulse of a device', '147842', [190, '/min'], 'above', { urgent: 'urgent: 131 or more' }),
  row('a weight has no usual range', '29463-7', [300, 'kg'], undefined),
];

/** Persons whose age is not known: they may be a child or an adult. */
export const AGELESS_CASES: readonly VitalCase[] = [
  row('WHO: 89 % at any age', '59408-5', [89, '%'], 'below', OXYGEN),
  row('PedsCases: 91 % beyond the newborn period', '59408-5', [91, '%'], 'below'),
  row('PedsCases: 92 % may be usual', '59408-5', [92, '%'], undefined),
  row('PALS: pulse 206 is above that of a newborn', '8867-4', [206, '/min'], 'above'),
  row('PALS: pulse 59 is below that of an adult', '8867-4', [59, '/min'], 'below'),
  row('NEWS2 is for adults: pulse 40 has no score', '8867-4', [40, '/min'], 'below'),
  row('PALS: breathing 61 is fast at any age', '9279-1', [61, '/min'], 'above'),
  row('MedlinePlus: breathing 11 is below that of an adult', '9279-1', [11, '/min'], 'below'),
  row('CPS: 41 °C by any method', '8310-5', [41, 'Cel'], 'above'),
  row('CPS: 38 °C may be usual', '8310-5', [38, 'Cel'], undefined),
  row('CPS: 35.4 °C by any method', '8310-5', [35.4, 'Cel'], 'below'),
  row('PALS: systolic 132 is above that of each age', '8480-6', [132, 'mm[Hg]'], 'above'),
  row('ACC/AHA: systolic 181 at any age', '8480-6', [181, 'mm[Hg]'], 'above', { urgent: 'urgent: above 180' }),
  row('PALS: diastolic 84', '8462-4', [84, 'mm[Hg]'], 'above'),
  row('practice: pulse > 100 may be that of a child', '8867-4', [100, '/min'], undefined, { comparator: '>' }),
];
