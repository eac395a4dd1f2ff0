//! Cases of vital signs of an adult of 45 years without a range of the record. The sources are those of
//! `usual-ranges.ts`.

export interface VitalCase {
  from: string;
  code: string;
  value: number;
  unit: string;
  comparator?: string;
  out: 'above' | 'below' | undefined;
  emergency?: string;
}

const row = (
  from: string,
  code: string,
  [value, unit]: [number, string],
  out: VitalCase['out'],
  more: { comparator?: string; emergency?: string } = {},
): VitalCase => ({ from, code, value, unit, out, ...more });

const OXYGEN = { emergency: 'below 90 is an emergency' };

export const VITAL_CASES: readonly VitalCase[] = [
  row('WHO: 82 %', '59408-5', [82, '%'], 'below', OXYGEN),
  row('WHO: 89.9 %', '59408-5', [89.9, '%'], 'below', OXYGEN),
  row('WHO: 90 % is low, and no emergency', '59408-5', [90, '%'], 'below'),
  row('WHO: 94 %', '2708-6', [94, '%'], 'below'),
  row('WHO: 95 %', '2708-6', [95, '%'], undefined),
  row('WHO: by the code of SNOMED', '431314004', [82, '%'], 'below', OXYGEN),
  row('UCUM: a fraction', '59408-5', [0.82, '1'], 'below', { emergency: 'below 0.9 is an emergency' }),
  row('practice: < 90 %', '59408-5', [90, '%'], 'below', { comparator: '<', ...OXYGEN }),
  row('practice: < 98 % may be either', '59408-5', [98, '%'], undefined, { comparator: '<' }),
  row('MedlinePlus: pulse 190', '8867-4', [190, '/min'], 'above'),
  row('MedlinePlus: pulse 100', '8867-4', [100, '/min'], undefined),
  row('MedlinePlus: pulse 40', '8867-4', [40, 'beats/min'], 'below'),
  row('MedlinePlus: pulse by the oximeter', '8889-8', [190, '{beats}/min'], 'above'),
  row('UCUM: pulse in Hz', '8867-4', [1.2, 'Hz'], undefined),
  row('MedlinePlus: breathing 30', '9279-1', [30, '/min'], 'above'),
  row('MedlinePlus: breathing 8', '9279-1', [8, 'breaths/minute'], 'below'),
  row('UCUM: 104.2 °F', '8310-5', [104.2, '[degF]'], 'above'),
  row('UCUM: 98.6 °F', '8310-5', [98.6, '[degF]'], undefined),
  row('practice: °F as it is written', '8310-5', [104.2, '°F'], 'above'),
  row('MedlinePlus: 39 °C', '8310-5', [39, 'Cel'], 'above'),
  row('MedlinePlus: 35 °C', '8331-1', [35, 'Cel'], 'below'),
  row('MedlinePlus: 37 °C', '8310-5', [37, 'Cel'], undefined),
  row('practice: degrees of no scale', '8310-5', [104.2, 'deg'], undefined),
  row('ACC/AHA: systolic 119', '8480-6', [119, 'mm[Hg]'], undefined),
  row('ACC/AHA: systolic 120', '8480-6', [120, 'mm[Hg]'], 'above'),
  row('ACC/AHA: systolic 180', '8480-6', [180, 'mm[Hg]'], 'above'),
  row('ACC/AHA: systolic 190', '8480-6', [190, 'mmHg'], 'above', { emergency: 'above 180 is an emergency' }),
  row('ACC/AHA: diastolic 125', '8462-4', [125, 'mm[Hg]'], 'above', { emergency: 'above 120 is an emergency' }),
  row('UCUM: systolic in kPa', '8480-6', [26, 'kPa'], 'above', { emergency: 'above 24 is an emergency' }),
  row('a weight has no usual range', '29463-7', [300, 'kg'], undefined),
];
