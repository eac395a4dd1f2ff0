// Vital signs and laboratory analytes with their codes, units and reference ranges.

import { at, concept, hl7, quantity } from './build.mjs';

/** Returns the coding of a line 'code display'. */
const loinc = (line) => {
  const [code, ...display] = line.split(' ');
  return { system: 'http://loinc.org', code, display: display.join(' ') };
};

// ── Vital signs ───────────────────────────────────────────────────────────────────────────────────────────────────

const sign = (slug, profile, unit, ...lines) => ({
  slug,
  profile,
  unit: [unit].flat(),
  code: lines.map((line) => (/^\d/.test(line) ? loinc(line) : line)),
});

const vitalSigns = {
  heartRate: sign('heart-rate', 'us-core-heart-rate', ['beats/minute', '/min'], '8867-4 Heart rate'),
  breathing: sign(
    'respiratory-rate',
    'us-core-respiratory-rate',
    ['breaths/minute', '/min'],
    '9279-1 Respiratory rate',
  ),
  temperature: sign('temperature', 'us-core-body-temperature', ['°C', 'Cel'], '8310-5 Body temperature'),
  temperatureF: sign('temperature', 'us-core-body-temperature', ['°F', '[degF]'], '8310-5 Body temperature'),
  height: sign('height', 'us-core-body-height', 'cm', '8302-2 Body height'),
  length: sign('length', 'us-core-body-height', 'cm', '8306-3 Body height --lying', '8302-2 Body height', 'Length'),
  weight: sign('weight', 'us-core-body-weight', 'kg', '29463-7 Body weight'),
  weightPounds: sign('weight', 'us-core-body-weight', ['lb', '[lb_av]'], '29463-7 Body weight'),
  bmi: sign('bmi', 'us-core-bmi', 'kg/m2', '39156-5 Body mass index (BMI) [Ratio]'),
  bmiPercentile: sign(
    'bmi-percentile',
    'pediatric-bmi-for-age',
    '%',
    '59576-9 Body mass index (BMI) [Percentile] Per age and sex',
  ),
  weightForLength: sign(
    'weight-for-length',
    'pediatric-weight-for-height',
    '%',
    '77606-2 Weight-for-length Per age and sex',
  ),
  head: sign('head-circumference', 'us-core-head-circumference', 'cm', '9843-4 Head Occipital-frontal circumference'),
  headPercentile: sign(
    'head-percentile',
    'head-occipital-frontal-circumference-percentile',
    '%',
    '8289-1 Head Occipital-frontal circumference Percentile',
  ),
  oxygen: sign(
    'oxygen-saturation',
    'us-core-pulse-oximetry',
    '%',
    '59408-5 Oxygen saturation in Arterial blood by Pulse oximetry',
    '2708-6 Oxygen saturation in Arterial blood',
  ),
};

/** Returns the moment of a time on the day with which a slug begins, or a moment unchanged. */
const momentOf = (slug, time) => (/^\d\d:\d\d$/.test(time) ? at(slug.slice(0, 10), time) : time);

/** vitals(amara, '2024-02-13', '07:40', { pressure: '148/92', heartRate: 78, weight: '84.3' }, { encounter }). */
export function vitals(chart, slug, time, readings, fields) {
  const moment = momentOf(slug, time);
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
    loinc('85354-9 Blood pressure panel with all children optional'),
    {
      effectiveDateTime: moment,
      ...fields,
      component: [
        half(loinc('8480-6 Systolic blood pressure'), systolic),
        half(loinc('8462-4 Diastolic blood pressure'), diastolic),
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
    loinc('96607-7 Blood pressure panel mean systolic and mean diastolic'),
    {
      effectivePeriod: when,
      ...fields,
      component: [
        half(loinc('96608-5 Systolic blood pressure mean'), systolic),
        half(loinc('96609-3 Diastolic blood pressure mean'), diastolic),
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
    { code: concept(loinc('3151-8 Inhaled oxygen flow rate')), valueQuantity: quantity(flow, 'L/min') },
    { code: concept(loinc('3150-0 Inhaled oxygen concentration')), valueQuantity: quantity(concentration, '%') },
  ],
});

// ── Laboratory ────────────────────────────────────────────────────────────────────────────────────────────────────

/** analyte('hba1c', '%', '4.0-5.6', 'code display'). A range may lack an end. */
const analyte = (slug, unit, range, line) => {
  const [low, high] = range.split('-').map((one) => one || undefined);
  return { slug, code: loinc(line), unit: [unit].flat(), low, high };
};

export const analytes = {
  hba1c: analyte('hba1c', '%', '4.0-5.6', '4548-4 Hemoglobin A1c/Hemoglobin.total in Blood'),
  fastingGlucose: analyte('glucose', 'mg/dL', '70-99', '1558-6 Fasting glucose [Mass/volume] in Serum or Plasma'),
  glucose: analyte('glucose', 'mg/dL', '70-140', '2345-7 Glucose [Mass/volume] in Serum or Plasma'),
  glucoseChallenge: analyte(
    'glucose-challenge',
    'mg/dL',
    '-139',
    '1504-0 Glucose [Mass/volume] in Serum or Plasma --1 hour post 50 g glucose PO',
  ),
  creatinine: analyte('creatinine', 'mg/dL', '0.55-1.02', '2160-0 Creatinine [Mass/volume] in Serum or Plasma'),
  creatinineMen: analyte('creatinine', 'mg/dL', '0.72-1.25', '2160-0 Creatinine [Mass/volume] in Serum or Plasma'),
  egfr2009: analyte(
    'egfr',
    ['mL/min/1.73m2', 'mL/min/{1.73_m2}'],
    '60-',
    '62238-1 Glomerular filtration rate [Volume Rate/Area] in Serum, Plasma or Blood by Creatinine-based formula (CKD-EPI)/1.73 sq M',
  ),
  egfr2021: analyte(
    'egfr',
    ['mL/min/1.73m2', 'mL/min/{1.73_m2}'],
    '60-',
    '98979-8 Glomerular filtration rate [Volume Rate/Area] in Serum, Plasma or Blood by Creatinine-based formula (CKD-EPI 2021)/1.73 sq M',
  ),
  potassium: analyte('potassium', 'mmol/L', '3.5-5.1', '2823-3 Potassium [Moles/volume] in Serum or Plasma'),
  sodium: analyte('sodium', 'mmol/L', '136-145', '2951-2 Sodium [Moles/volume] in Serum or Plasma'),
  cholesterol: analyte('cholesterol', 'mg/dL', '-199', '2093-3 Cholesterol [Mass/volume] in Serum or Plasma'),
  hdl: analyte('hdl', 'mg/dL', '50-', '2085-9 Cholesterol in HDL [Mass/volume] in Serum or Plasma'),
  ldl: analyte('ldl', 'mg/dL', '-99', '13457-7 Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation'),
  triglycerides: analyte('triglycerides', 'mg/dL', '-149', '2571-8 Triglyceride [Mass/volume] in Serum or Plasma'),
  albuminRatio: analyte('albumin-creatinine', 'mg/g', '-29', '9318-7 Albumin/Creatinine [Mass Ratio] in Urine'),
  hemoglobin: analyte('hemoglobin', 'g/dL', '12.0-15.5', '718-7 Hemoglobin [Mass/volume] in Blood'),
  whiteCells: analyte('white-cells', '10*3/uL', '4.5-11.0', '6690-2 Leukocytes [#/volume] in Blood by Automated count'),
  platelets: analyte('platelets', '10*3/uL', '150-400', '777-3 Platelets [#/volume] in Blood by Automated count'),
  proBnp: analyte(
    'nt-probnp',
    'pg/mL',
    '-450',
    '33762-6 Natriuretic peptide.B prohormone N-Terminal [Mass/volume] in Serum or Plasma',
  ),
  bilirubin: analyte('bilirubin', 'mg/dL', '-12.0', '1975-2 Bilirubin.total [Mass/volume] in Serum or Plasma'),
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

/** labs(amara, '2024-02-13', '07:40', { hba1c: '7.4', … }, fields): returns one Observation for each value. */
export const labs = (chart, slug, time, values, fields) =>
  Object.entries(values).map(([name, value]) =>
    chart.lab(`${slug}-${analytes[name].slug}`, analytes[name].code, {
      effectiveDateTime: momentOf(slug, time),
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
