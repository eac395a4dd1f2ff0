// Vital signs and laboratory analytes with their codes, units and reference ranges.

import { concept, hl7, quantity } from './build.mjs';

const loinc = (code, display) => ({ system: 'http://loinc.org', code, display });

// ── Vital signs ───────────────────────────────────────────────────────────────────────────────────────────────────

const vitalSigns = {
  heartRate: {
    slug: 'heart-rate',
    profile: 'us-core-heart-rate',
    code: loinc('8867-4', 'Heart rate'),
    unit: ['beats/minute', '/min'],
  },
  breathing: {
    slug: 'respiratory-rate',
    profile: 'us-core-respiratory-rate',
    code: loinc('9279-1', 'Respiratory rate'),
    unit: ['breaths/minute', '/min'],
  },
  temperature: {
    slug: 'temperature',
    profile: 'us-core-body-temperature',
    code: loinc('8310-5', 'Body temperature'),
    unit: ['°C', 'Cel'],
  },
  temperatureF: {
    slug: 'temperature',
    profile: 'us-core-body-temperature',
    code: loinc('8310-5', 'Body temperature'),
    unit: ['°F', '[degF]'],
  },
  height: { slug: 'height', profile: 'us-core-body-height', code: loinc('8302-2', 'Body height'), unit: ['cm', 'cm'] },
  length: {
    slug: 'length',
    profile: 'us-core-body-height',
    code: [loinc('8306-3', 'Body height --lying'), loinc('8302-2', 'Body height'), 'Length'],
    unit: ['cm', 'cm'],
  },
  weight: { slug: 'weight', profile: 'us-core-body-weight', code: loinc('29463-7', 'Body weight'), unit: ['kg', 'kg'] },
  weightPounds: {
    slug: 'weight',
    profile: 'us-core-body-weight',
    code: loinc('29463-7', 'Body weight'),
    unit: ['lb', '[lb_av]'],
  },
  bmi: {
    slug: 'bmi',
    profile: 'us-core-bmi',
    code: loinc('39156-5', 'Body mass index (BMI) [Ratio]'),
    unit: ['kg/m2', 'kg/m2'],
  },
  bmiPercentile: {
    slug: 'bmi-percentile',
    profile: 'pediatric-bmi-for-age',
    code: loinc('59576-9', 'Body mass index (BMI) [Percentile] Per age and sex'),
    unit: ['%', '%'],
  },
  weightForLength: {
    slug: 'weight-for-length',
    profile: 'pediatric-weight-for-height',
    code: loinc('77606-2', 'Weight-for-length Per age and sex'),
    unit: ['%', '%'],
  },
  head: {
    slug: 'head-circumference',
    profile: 'us-core-head-circumference',
    code: loinc('9843-4', 'Head Occipital-frontal circumference'),
    unit: ['cm', 'cm'],
  },
  headPercentile: {
    slug: 'head-percentile',
    profile: 'head-occipital-frontal-circumference-percentile',
    code: loinc('8289-1', 'Head Occipital-frontal circumference Percentile'),
    unit: ['%', '%'],
  },
  oxygen: {
    slug: 'oxygen-saturation',
    profile: 'us-core-pulse-oximetry',
    unit: ['%', '%'],
    code: [
      loinc('59408-5', 'Oxygen saturation in Arterial blood by Pulse oximetry'),
      loinc('2708-6', 'Oxygen saturation in Arterial blood'),
    ],
  },
};

/** vitals(amara, '2024-02', moment, { pressure: '148/92', heartRate: 78, weight: '84.3' }, { encounter }). */
export function vitals(chart, slug, moment, readings, fields) {
  return Object.entries(readings).map(([name, value]) => {
    if (name === 'pressure') return pressure(chart, slug, moment, value, fields);
    const { slug: kind, profile, code, unit } = vitalSigns[name];
    return chart.vital(`${slug}-${kind}`, profile, code, {
      effectiveDateTime: moment,
      valueQuantity: quantity(value, ...unit),
      ...fields,
    });
  });
}

/** Returns a blood pressure such as '148/92'. A reason in place of a number ('90/unknown') says why it is missing. */
function pressure(chart, slug, moment, reading, fields) {
  const [systolic, diastolic] = reading.split('/');
  return chart.vital(
    `${slug}-blood-pressure`,
    'us-core-blood-pressure',
    loinc('85354-9', 'Blood pressure panel with all children optional'),
    {
      effectiveDateTime: moment,
      ...fields,
      component: [
        half(loinc('8480-6', 'Systolic blood pressure'), systolic),
        half(loinc('8462-4', 'Diastolic blood pressure'), diastolic),
      ],
    },
  );
}

/** Returns the mean of many blood pressure readings over a time, given as '124/76'. */
export function meanPressure(chart, slug, when, mean, fields) {
  const [systolic, diastolic] = mean.split('/');
  return chart.vital(
    `${slug}-average-blood-pressure`,
    'us-core-average-blood-pressure',
    loinc('96607-7', 'Blood pressure panel mean systolic and mean diastolic'),
    {
      effectivePeriod: when,
      ...fields,
      component: [
        half(loinc('96608-5', 'Systolic blood pressure mean'), systolic),
        half(loinc('96609-3', 'Diastolic blood pressure mean'), diastolic),
      ],
    },
  );
}

const half = (code, reading) => ({
  code: concept(code),
  ...(/^\d/.test(reading)
    ? { valueQuantity: quantity(reading, 'mmHg', 'mm[Hg]') }
    : {
        dataAbsentReason: hl7('data-absent-reason', reading),
      }),
});

/** Returns the inhaled oxygen during a saturation measurement: litres per minute, a concentration, or both. */
export const underOxygen = (flow, concentration) => ({
  component: [
    { code: concept(loinc('3151-8', 'Inhaled oxygen flow rate')), valueQuantity: quantity(flow, 'L/min') },
    { code: concept(loinc('3150-0', 'Inhaled oxygen concentration')), valueQuantity: quantity(concentration, '%') },
  ],
});

// ── Laboratory ────────────────────────────────────────────────────────────────────────────────────────────────────

const analyte = (slug, code, display, unit, low, high) => ({
  slug,
  code: loinc(code, display),
  unit: [unit].flat(),
  low,
  high,
});

export const analytes = {
  hba1c: analyte('hba1c', '4548-4', 'Hemoglobin A1c/Hemoglobin.total in Blood', '%', '4.0', '5.6'),
  fastingGlucose: analyte('glucose', '1558-6', 'Fasting glucose [Mass/volume] in Serum or Plasma', 'mg/dL', '70', '99'),
  glucose: analyte('glucose', '2345-7', 'Glucose [Mass/volume] in Serum or Plasma', 'mg/dL', '70', '140'),
  glucoseChallenge: analyte(
    'glucose-challenge',
    '1504-0',
    'Glucose [Mass/volume] in Serum or Plasma --1 hour post 50 g glucose PO',
    'mg/dL',
    undefined,
    '139',
  ),
  creatinine: analyte('creatinine', '2160-0', 'Creatinine [Mass/volume] in Serum or Plasma', 'mg/dL', '0.55', '1.02'),
  creatinineMen: analyte(
    'creatinine',
    '2160-0',
    'Creatinine [Mass/volume] in Serum or Plasma',
    'mg/dL',
    '0.72',
    '1.25',
  ),
  egfr2009: analyte(
    'egfr',
    '62238-1',
    'Glomerular filtration rate [Volume Rate/Area] in Serum, Plasma or Blood by Creatinine-based formula (CKD-EPI)/1.73 sq M',
    ['mL/min/1.73m2', 'mL/min/{1.73_m2}'],
    '60',
  ),
  egfr2021: analyte(
    'egfr',
    '98979-8',
    'Glomerular filtration rate [Volume Rate/Area] in Serum, Plasma or Blood by Creatinine-based formula (CKD-EPI 2021)/1.73 sq M',
    ['mL/min/1.73m2', 'mL/min/{1.73_m2}'],
    '60',
  ),
  potassium: analyte('potassium', '2823-3', 'Potassium [Moles/volume] in Serum or Plasma', 'mmol/L', '3.5', '5.1'),
  sodium: analyte('sodium', '2951-2', 'Sodium [Moles/volume] in Serum or Plasma', 'mmol/L', '136', '145'),
  cholesterol: analyte(
    'cholesterol',
    '2093-3',
    'Cholesterol [Mass/volume] in Serum or Plasma',
    'mg/dL',
    undefined,
    '199',
  ),
  hdl: analyte('hdl', '2085-9', 'Cholesterol in HDL [Mass/volume] in Serum or Plasma', 'mg/dL', '50'),
  ldl: analyte(
    'ldl',
    '13457-7',
    'Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation',
    'mg/dL',
    undefined,
    '99',
  ),
  triglycerides: analyte(
    'triglycerides',
    '2571-8',
    'Triglyceride [Mass/volume] in Serum or Plasma',
    'mg/dL',
    undefined,
    '149',
  ),
  albuminRatio: analyte(
    'albumin-creatinine',
    '9318-7',
    'Albumin/Creatinine [Mass Ratio] in Urine',
    'mg/g',
    undefined,
    '29',
  ),
  hemoglobin: analyte('hemoglobin', '718-7', 'Hemoglobin [Mass/volume] in Blood', 'g/dL', '12.0', '15.5'),
  whiteCells: analyte(
    'white-cells',
    '6690-2',
    'Leukocytes [#/volume] in Blood by Automated count',
    '10*3/uL',
    '4.5',
    '11.0',
  ),
  platelets: analyte('platelets', '777-3', 'Platelets [#/volume] in Blood by Automated count', '10*3/uL', '150', '400'),
  proBnp: analyte(
    'nt-probnp',
    '33762-6',
    'Natriuretic peptide.B prohormone N-Terminal [Mass/volume] in Serum or Plasma',
    'pg/mL',
    undefined,
    '450',
  ),
  bilirubin: analyte(
    'bilirubin',
    '1975-2',
    'Bilirubin.total [Mass/volume] in Serum or Plasma',
    'mg/dL',
    undefined,
    '12.0',
  ),
};

/** Returns a measured value with its reference range and interpretation. */
export const measured = ({ unit, low, high }, value) => ({
  valueQuantity: quantity(value, ...unit),
  interpretation: [interpretation(+value, low, high)],
  referenceRange: [{ low: low && quantity(low, ...unit), high: high && quantity(high, ...unit) }],
});

const interpretation = (value, low = -Infinity, high = Infinity) =>
  value > +high
    ? hl7('v3-ObservationInterpretation', 'H', 'High')
    : value < +low
      ? hl7('v3-ObservationInterpretation', 'L', 'Low')
      : hl7('v3-ObservationInterpretation', 'N', 'Normal');

/** labs(amara, '2024-02-13', moment, { hba1c: '7.4', … }, fields): returns one Observation for each value. */
export const labs = (chart, slug, moment, values, fields) =>
  Object.entries(values).map(([name, value]) =>
    chart.lab(`${slug}-${analytes[name].slug}`, analytes[name].code, {
      effectiveDateTime: moment,
      ...measured(analytes[name], value),
      ...fields,
    }),
  );

/** Returns the results with these slugs, for the report of a panel. */
export const named = (results, ...slugs) =>
  slugs.map((slug) => results.find(({ id }) => id.endsWith(`-${slug}`)) ?? fail(slug));

const fail = (slug) => {
  throw new Error(`no result ${slug}`);
};
