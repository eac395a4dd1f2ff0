//! Cases of conversion. The test next to this table compares the values between UCUM codes with `@lhncbc/ucum-lhc`; the
//! spellings are those of laboratories and wards.

export interface UnitCase {
  from: string;
  value: number;
  unit: string;
  to: string;
  /** `undefined` if the two must not be compared. */
  is: number | undefined;
}

const row = (from: string, value: number, unit: string, to: string, is: number | undefined): UnitCase => ({
  from,
  value,
  unit,
  to,
  is,
});

/** Cases between UCUM codes. */
export const CODE_CASES: readonly UnitCase[] = [
  row('UCUM: temperature', 104.2, '[degF]', 'Cel', 40.1111),
  row('UCUM: temperature', 310.15, 'K', 'Cel', 37),
  row('UCUM: mass', 180, '[lb_av]', 'kg', 81.6466),
  row('UCUM: mass', 3.4, 'kg', 'g', 3400),
  row('UCUM: mass', 11, '[stone_av]', 'kg', 69.8532),
  row('UCUM: length', 70, '[in_i]', 'cm', 177.8),
  row('UCUM: length', 6, '[ft_i]', '[in_i]', 72),
  row('UCUM: pressure', 16, 'kPa', 'mm[Hg]', 120.0102),
  row('UCUM: mass concentration', 250, 'mg/dL', 'g/L', 2.5),
  row('UCUM: mass concentration', 4, 'ng/mL', 'ug/L', 4),
  row('UCUM: mass concentration', 1.2, 'ng/dL', 'pg/mL', 12),
  row('UCUM: substance concentration', 88, 'umol/L', 'mmol/L', 0.088),
  row('UCUM: substance concentration', 75, 'nmol/L', 'pmol/L', 75_000),
  row('UCUM: cells', 88, '10*3/uL', '10*9/L', 88),
  row('UCUM: cells', 4500, '/uL', '10*9/L', 4.5),
  row('UCUM: enzymes', 0.6, 'ukat/L', 'U/L', 36),
  row('UCUM: enzymes', 1.2, 'kU/L', 'U/L', 1200),
  row('UCUM: fraction', 0.45, 'L/L', '%', 45),
  row('UCUM: body mass', 24.2, 'kg/m2', 'g/m2', 24_200),
  row('UCUM: clearance', 90, 'mL/min', 'L/h', 5.4),
  row('UCUM: albumin in urine', 30, 'mg/g', 'ug/mg', 30),
  row('UCUM: rate', 1.2, '/s', '/min', 72),
  row('UCUM: mass and substance are two dimensions', 100, 'mg/dL', 'mmol/L', undefined),
  row('UCUM: mass and length', 100, 'g', 'cm', undefined),
  row('UCUM: cells and mass', 100, '10*3/uL', 'g/L', undefined),
];

/** Cases with spellings that are not codes, or for which practice is stricter than UCUM. */
export const SPELLING_CASES: readonly UnitCase[] = [
  row('UCUM: prefixes of international units', 2.5, 'u[IU]/mL', 'm[IU]/L', 2.5),
  ...['Kilogramm', 'kilograms', 'kilogramos', 'kilos'].map((unit) => row('practice: weight', 12, unit, 'g', 12_000)),
  row('practice: weight, grams', 3400, 'Gramm', 'kg', 3.4),
  row('practice: weight, pounds', 10, 'pounds', 'kg', 4.5359),
  ...['Zentimeter', 'centimetres', 'centímetros'].map((unit) => row('practice: length', 85, unit, 'm', 0.85)),
  row('practice: length, inches', 10, 'pulgadas', 'cm', 25.4),
  row('practice: K/uL', 88, 'K/uL', '10*9/L', 88),
  row('practice: x10^3/uL', 88, 'x10^3/uL', '10*9/L', 88),
  row('practice: ×10^3/µL', 88, '×10^3/µL', '10*9/L', 88),
  row('practice: Tsd./µl, German', 88, 'Tsd./µl', '10*9/L', 88),
  row('practice: G/L, French', 88, 'G/L', '10*9/L', 88),
  row('practice: cells per cubic millimetre', 4500, 'cells/mm3', '10*3/uL', 4.5),
  row('practice: x10(9)/L', 88, 'x10(9)/L', '10*9/L', 88),
  row('practice: an annotation', 88, '10*3/uL{cells}', '10*9/L', 88),
  row('practice: an annotation on one side', 0.6, 'ug/mL{FEU}', 'mg/L', 0.6),
  row('practice: two annotations', 0.6, 'ug/mL{FEU}', 'ug/mL{DDU}', undefined),
  row('practice: two annotations without a unit', 1, '{ratio}', '{titer}', undefined),
  row('practice: a logarithm', 4.2, '{Log_copies}/mL', '{copies}/mL', undefined),
  row('practice: a logarithm, and a number', 4.2, '{log_copies}/mL', '/mL', undefined),
  row('practice: capitals', 90, 'MG/DL', 'mg/dL', 90),
  row('practice: micro as a letter', 88, 'µmol/L', 'umol/L', 88),
  row('practice: IU/L and U/L of one enzyme', 40, 'IU/L', 'U/L', 40),
  row('practice: °F', 98.6, '°F', 'Cel', 37),
  row('practice: mm Hg', 120, 'mm Hg', 'mm[Hg]', 120),
  row('practice: beats/min', 70, 'beats/min', '/min', 70),
  row('practice: bpm', 70, 'bpm', '{beats}/min', 70),
  row('practice: the filtration rate', 60, 'mL/min/1.73m2', 'mL/min/{1.73_m2}', 60),
  row('practice: with and without the body surface', 60, 'mL/min', 'mL/min/{1.73_m2}', undefined),
  row('practice: HbA1c of IFCC and of NGSP', 48, 'mmol/mol', '%', undefined),
  row('practice: mEq without the ion', 5, 'meq/L', 'mmol/L', undefined),
  row('practice: capitals, of which one is also giga', 5, 'G/DL', 'g/dL', 5),
  row('practice: ℃ as one letter', 40, '℃', 'Cel', 40),
  row('practice: Degrees Fahrenheit', 98.6, 'Degrees Fahrenheit', 'Cel', 37),
  row('practice: min⁻¹', 70, 'min⁻¹', '/min', 70),
  row('practice: Schläge/min, German', 70, 'Schläge/min', '/min', 70),
  row('practice: breaths per minute', 16, 'breaths per minute', '/min', 16),
  row('practice: millilitres per minute are no rate', 70, 'mL/min', '/min', undefined),
  row('practice: millimeter of mercury', 120, 'millimeter of mercury', 'mm[Hg]', 120),
  row('practice: %O2', 82, '%O2', '%', 82),
  row('practice: an unknown unit', 5, 'Einheiten', 'U/L', undefined),
  row('practice: an unknown unit against itself', 5, 'Einheiten', 'Einheiten', 5),
  row('a name of JavaScript is no unit', 5, 'constructor', 'mg', undefined),
];
