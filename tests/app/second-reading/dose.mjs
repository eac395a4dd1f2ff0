// The words of a Dosage that must appear beside its medication (https://hl7.org/fhir/R4/dosage.html).

import { hasNumber, hasQuantity, hasUnit, list, names, plain } from './words.mjs';

const UNITS = {
  s: /second|\bs\b/,
  min: /minute|\bmin\b/,
  h: /hour|hourly|\bh\b/,
  d: /day|daily|noon|night|morning|evening/,
  wk: /week/,
  mo: /month/,
  a: /year|annual/,
};
const TIMES = {
  1: /\b1\b|once|one\b|daily|hourly|weekly|monthly|every|each|per|\ba\b/,
  2: /\b2\b|twice|two/,
  3: /\b3\b|three|thrice/,
};
const DAYS = { mon: /mon/, tue: /tue/, wed: /wed/, thu: /thu/, fri: /fri/, sat: /sat/, sun: /sun/ };
/// Events of the day (https://hl7.org/fhir/R4/valueset-event-timing.html).
const EVENTS = {
  MORN: /morning/,
  NOON: /noon/,
  AFT: /afternoon/,
  EVE: /evening/,
  NIGHT: /night/,
  HS: /bed|sleep/,
  WAKE: /wak/,
  C: /meal|food/,
  CM: /breakfast/,
  CD: /lunch/,
  CV: /dinner|supper|evening meal/,
  AC: /before.*(meal|food)/,
  ACM: /before.*breakfast/,
  ACD: /before.*lunch/,
  ACV: /before.*(dinner|supper|evening meal)/,
  PC: /after.*(meal|food)/,
  PCM: /after.*breakfast/,
  PCD: /after.*lunch/,
  PCV: /after.*(dinner|supper|evening meal)/,
};
/// Abbreviations of timings (https://hl7.org/fhir/R4/valueset-timing-abbreviation.html).
const CODES = {
  QD: /daily|once|every day|1|a day|per day|qd/,
  BID: /twice|2|two|bid/,
  TID: /three|3|tid/,
  QID: /four|4|qid/,
  QOD: /other day|2|two|qod/,
  AM: /morning|am\b/,
  PM: /evening|afternoon|pm\b/,
};

const is = (what, pattern) => ({ what, holds: (text) => pattern.test(text) });
/// The semantic tags in parentheses after SNOMED CT terms, which a page may leave out.
const KIND = /\s*\((?:qualifier value|body structure|unit of presentation|basic dose form|dose form)\)$/;
const named = (what, concept) => {
  const wanted = names(concept).map((name) => plain(name.replace(KIND, '')));
  return wanted.length > 0
    ? [{ what: `${what} ${wanted[0]}`, holds: (text) => wanted.some((one) => text.includes(one)) }]
    : [];
};
const amount = (what, quantity) =>
  quantity?.value === undefined
    ? []
    : [
        {
          what: `${what} ${quantity.value} ${quantity.unit ?? quantity.code ?? ''}`.trim(),
          holds: (text) => hasQuantity(text, quantity),
        },
      ];
const between = (what, range) => [...amount(`${what} from`, range?.low), ...amount(`${what} to`, range?.high)];

function ofRate({ doseQuantity, doseRange, rateQuantity, rateRange, rateRatio }) {
  return [
    ...amount('dose', doseQuantity),
    ...between('dose', doseRange),
    ...amount('rate', rateQuantity),
    ...between('rate', rateRange),
    ...amount('rate', rateRatio?.numerator),
  ];
}

function ofTiming({ repeat = {}, code, event } = {}) {
  const { frequency, frequencyMax, period, periodMax, periodUnit, dayOfWeek, timeOfDay, when, boundsDuration } = repeat;
  const abbreviation = list(code?.coding)
    .map((one) => one.code)
    .find((one) => CODES[one]);
  return [
    ...(frequency ? [is(`${frequency} times`, TIMES[frequency] ?? new RegExp(`\\b${frequency}\\b`))] : []),
    ...(frequencyMax ? [{ what: `up to ${frequencyMax} times`, holds: (text) => hasNumber(text, frequencyMax) }] : []),
    ...(period && period !== 1
      ? [
          {
            what: `every ${period}`,
            holds: (text) => hasNumber(text, period) || (period === 2 && /other|two/.test(text)),
          },
        ]
      : []),
    ...(periodMax ? [{ what: `to ${periodMax}`, holds: (text) => hasNumber(text, periodMax) }] : []),
    ...(period !== undefined && UNITS[periodUnit] && !(dayOfWeek && periodUnit === 'd')
      ? [is(`per ${periodUnit}`, UNITS[periodUnit])]
      : []),
    // A unit without a period is not a rate. The page names it as an element that it does not understand.
    ...(period === undefined && UNITS[periodUnit] ? [is(`unit ${periodUnit}`, UNITS[periodUnit])] : []),
    ...list(dayOfWeek).flatMap((day) => (DAYS[day] ? [is(`on ${day}`, DAYS[day])] : [])),
    ...list(timeOfDay).map((time) =>
      is(`at ${time}`, new RegExp(`\\b0?${Number(time.slice(0, 2))}${time.slice(2, 5)}`)),
    ),
    ...list(when).flatMap((event) => (EVENTS[event] ? [is(`when ${event}`, EVENTS[event])] : [])),
    ...amount('for', boundsDuration),
    ...(Object.keys(repeat).length === 0 && list(event).length === 0
      ? abbreviation
        ? [is(`timing ${abbreviation}`, CODES[abbreviation])]
        : named('timing', code)
      : []),
  ];
}

/// Returns the checks of a Dosage: the words of its text, if it has one, and the words of its structure.
export function doseFacts(dosage) {
  if (typeof dosage !== 'object' || dosage === null) return [];
  const said = plain(dosage.text);
  const maxima = list(dosage.maxDosePerPeriod).flatMap(({ numerator }) => amount('at most', numerator));
  const instructions = [
    ...list(dosage.additionalInstruction).flatMap((one) => named('instruction', one)),
    ...(dosage.patientInstruction ? named('instruction', { text: dosage.patientInstruction }) : []),
  ];
  if (said !== '') {
    const words = said.slice(0, 200);
    const missing = [...maxima, ...instructions].filter(({ holds }) => !holds(said));
    return [{ what: `dose "${words}"`, holds: (text) => text.includes(words) }, ...missing];
  }
  const { doseQuantity, doseRange, rateQuantity, rateRange, rateRatio } = dosage;
  return [
    ...[...list(dosage.doseAndRate), { doseQuantity, doseRange, rateQuantity, rateRange, rateRatio }].flatMap(ofRate),
    ...ofTiming(dosage.timing),
    ...(dosage.asNeededBoolean === true ? [is('as needed', /as needed|when needed|if needed|prn/)] : []),
    ...named('as needed for', dosage.asNeededCodeableConcept),
    ...maxima,
    ...instructions,
    ...named('route', dosage.route),
    ...named('site', dosage.site),
    ...named('method', dosage.method),
  ];
}

/// Returns the Dosages of a record of a medication of any type.
export const dosagesOf = ({ resourceType, dosageInstruction, dosage }) =>
  resourceType === 'MedicationAdministration'
    ? list(dosage).map(({ dose, rateQuantity, rateRatio, ...rest }) => ({
        ...rest,
        doseAndRate: [{ doseQuantity: dose, rateQuantity, rateRatio }],
      }))
    : list(dosageInstruction ?? dosage);

export { hasUnit };
