// Questions about three charts: the kinds of FHIR-AgentBench, two that it left out, and what a chart may mislead about.
// A script chooses tools and arguments, and takes the answer from a result. The right answer is computed of the FHIR
// records as they are written. Beside it, the same is computed of all pages of FHIR searches, without regard to states,
// units and missing dates.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { called, chartsIn, NOW, opened, pagesOf } from './tool-calls.mjs';

/// The most bytes of a result without its receipt.
const BUDGETS = { overview: 6_730, query: 6_730, trend: 4_730 };
const FURTHER = ['Medication', 'MedicationAdministration', 'MedicationDispense', 'Specimen'];
const SCOPES = ['patient/*.rs', ...FURTHER.map((type) => `patient/${type}.rs`)].join(' ');

/// The charts, each with two of its measures and drugs, a year with two drugs on a day, a year of further drugs, a
/// procedure, and a year in which the first drug was dispensed.
const CHARTS = [
  ['sample', 'amara-okafor', ['4548-4', '2160-0'], ['617311', '979492'], '2018', '2022', '73761001', '2026'],
  [
    ...['../shared/data/5-synthea-2020-normalised-derived', 'ffa66c0a-87b0-4b78-bb7e-3a5c7c44d359'],
    ...[['2093-3', '38483-4'], ['855332', '197604'], '2004', '2000', '18286008', '2004'],
  ],
  ['../shared/data/6-inferno-clean', '355', ['29463-7', '8867-4'], ['2123111', '895994'], '2020', '1960', '384700001'],
].filter(([folder]) => existsSync(folder));
const MISLEADING = readFileSync('tests/fixtures/misleading.ndjson', 'utf8').trim();

// --- Right answers ---

/// Reads a record. Numbers stay as they are written.
const readRecord = (text) => JSON.parse(text, (_, value, { source }) => (typeof value === 'number' ? source : value));
const codesOf = ({ code, medicationCodeableConcept: drug = code }) => (drug?.coding ?? []).map((one) => one.code);
const whenOf = (one) => {
  const { start } = one.effectivePeriod ?? one.performedPeriod ?? one.period ?? {};
  const on = one.effectiveDateTime ?? one.authoredOn ?? one.performedDateTime ?? one.whenHandedOver;
  return on ?? start ?? one.issued;
};
const isVoid = ({ status }) => ['entered-in-error', 'cancelled', 'not-done', 'draft', 'in-progress'].includes(status);
const byTime = (list) => list.toSorted((a, b) => Date.parse(a.when ?? '1000') - Date.parse(b.when ?? '1000'));
const number = (text) => Number.parseFloat(text.replace(/^[<>]=?/, ''));
const sumOf = (numbers) => numbers.reduce((sum, one) => sum + number(one), 0);
const digitsOf = (numbers) => Math.max(...numbers.map((one) => (one.split('.')[1] ?? '').length));
const daysSince = ({ when }) => Math.floor((Date.parse(NOW) - Date.parse(when)) / 86_400_000);
const shown = (one) => one && [one.value, one.when];
const within = (period) => ({ since: period, until: period });

/// Returns the mean of values with one digit more than they have. Bounds do not count.
function meanOf(values) {
  const numbers = values.map(({ value }) => value).filter((value) => /^\d/.test(value));
  const digits = digitsOf(numbers);
  const sum = numbers.reduce((n, one) => n + Math.round(one * 10 ** digits), 0);
  return (Math.round((sum * 10) / numbers.length) / 10 ** (digits + 1)).toFixed(digits + 1);
}

/// Returns the values of a measure by time, for each unit. Without care, all values are of one.
function seriesOf(records, code, isCareful) {
  const own = records.filter((one) => one.valueQuantity && codesOf(one).includes(code));
  const counted = isCareful ? own.filter((one) => !isVoid(one) && whenOf(one)) : own;
  const all = counted.map((one) => {
    const { comparator = '', value, unit } = one.valueQuantity;
    return { value: comparator + value, unit, when: whenOf(one) };
  });
  const byUnit = Map.groupBy(byTime(all), ({ unit }) => isCareful && unit);
  return [...byUnit.values()].sort((a, b) => b.length - a.length);
}

const ofPeriod = (values, period) => values.filter(({ when }) => when?.startsWith(period));
/// Returns the lowest or the highest value. A bound to the other side does not count.
const extreme = (values, sign) =>
  values
    .filter(({ value }) => !value.startsWith(sign > 0 ? '<' : '>'))
    .reduce((a, b) => (sign * (number(b.value) - number(a.value)) > 0 ? b : a));
const isAbove = ({ value }, limit) => number(value) > limit;

/// Returns what the last value is, compared with an earlier one.
function changeOf(values) {
  const last = values.at(-1);
  const before = values.findLast(({ when }) => Date.parse(when) < Date.parse(last.when));
  if (!before) return undefined;
  const by = number(last.value) - number(before.value);
  return [by === 0 ? 'same' : by > 0 ? 'up' : 'down', Math.abs(by).toFixed(digitsOf([last.value, before.value]))];
}

/// Returns the records that a search by code and date means.
function meant(records, search) {
  const [type, asked] = search.split('?');
  const { code, ...dates } = Object.fromEntries(new URLSearchParams(asked));
  const [date = ''] = Object.values(dates);
  const isMeant = (one) => (!code || codesOf(one).includes(code)) && (date === '' || whenOf(one)?.startsWith(date));
  return records.filter((one) => one.resourceType === type && isMeant(one));
}

// --- Questions ---

/// Filters of `query` that leave out what did not happen.
const VALID = { 'status:not': 'entered-in-error,cancelled,not-done,draft' };
const none = () => ({});
/// Questions about a measure: further arguments of `trend`, the answer in its series, and the right one in those of the
/// records.
const OF_A_SERIES = [
  ['first', none, ([{ first }]) => shown(first), ([all]) => shown(all[0])],
  ['last', none, ([{ last }]) => shown(last), ([all]) => shown(all.at(-1))],
  ['change', none, ([{ change }]) => change && [change.way, change.by], ([all]) => changeOf(all)],
  ['comparison', none, ([{ change }]) => change?.way, ([all]) => changeOf(all)?.[0]],
  ['lowest', none, ([{ lowest }]) => shown(lowest), ([all]) => shown(extreme(all, -1))],
  ['highest', none, ([{ highest }]) => shown(highest), ([all]) => shown(extreme(all, 1))],
  ...['month', 'year'].map((every) => [
    `mean by ${every}`,
    (s) => ({ every, ...within(s.year) }),
    ([{ periods }], s) => periods.find(({ period }) => period === s[every])?.mean,
    ([all], s) => meanOf(ofPeriod(all, s[every])),
  ]),
  [
    'ever above',
    none,
    ([{ highest }], s) => isAbove(highest, s.limit),
    ([all], s) => all.some((one) => isAbove(one, s.limit)),
  ],
  ['how often', (s) => within(s.year), ([{ n }]) => n, ([all], s) => ofPeriod(all, s.year).length],
  ['days since', none, ([{ last }]) => daysSince(last), ([all]) => daysSince(all.at(-1))],
  [
    'in error',
    none,
    ([one]) => [one.in_error, one.highest.value],
    ([all], { inError }) => [inError, extreme(all, 1).value],
  ],
  ['undated', none, ([{ undated, mean }]) => [undated, mean], ([all], s) => [s.undated, meanOf(all)]],
  ['partial date', none, ([{ first, n }]) => [n, first.when], ([all]) => [all.length, all[0].when]],
  [
    'other unit',
    none,
    (series) => series.map(({ last }) => shown(last)),
    (series) => series.map((all) => shown(all.at(-1))),
  ],
];

/// Returns the questions about a measure.
function ofMeasure(records, code) {
  const own = records.filter((one) => one.valueQuantity && codesOf(one).includes(code));
  const [all] = seriesOf(own, code, true);
  const [{ when }, middle] = [all.at(-1), number(all[Math.floor(all.length / 2)].value)];
  const subject = { month: when.slice(0, 7), year: when.slice(0, 4), limit: number(extreme(all, 1).value) };
  const counts = (isCareful) => ({
    inError: own.filter(({ status }) => isCareful && status === 'entered-in-error').length,
    undated: own.filter((one) => isCareful && !whenOf(one)).length,
  });
  const filters = { code, 'value-quantity': `gt${middle}||${all[0].unit}`, ...VALID };
  const raw = [`Observation?code=${code}`];
  return [
    ...OF_A_SERIES.map(([kind, argumentsOf, read, right]) => [
      kind,
      async (tool) => read((await tool('trend', { measure: code, ...argumentsOf(subject) })).series, subject),
      raw,
      (found, isCareful) => right(seriesOf(found, code, isCareful), { ...subject, ...counts(isCareful) }),
    ]),
    [
      'first above',
      async (tool) => byTime((await factsOf(tool, 'Observation', filters)).filter((one) => one.when))[0]?.when,
      raw,
      (found, isCareful) => seriesOf(found, code, isCareful)[0].find((one) => isAbove(one, middle))?.when,
    ],
  ];
}

/// Asks `query` for all pages, and returns their facts.
async function factsOf(tool, type, filters, more = {}) {
  const facts = [];
  let cursor;
  do {
    const page = await tool('query', { type, filters, limit: 100, ...more, ...(cursor && { cursor }) });
    facts.push(...page.facts);
    cursor = page.next;
  } while (cursor);
  return facts;
}

const daysOf = (list) => list.map(({ when }) => when.slice(0, 10));
const common = (some, others) => [...new Set(some)].filter((one) => others.includes(one)).sort();
/// Returns when each kind first occurred, if that was not before a date.
const added = (list, nameOf, start) =>
  [...Map.groupBy(byTime(list), nameOf).values()]
    .map(([{ when }]) => when)
    .filter((when) => when >= start)
    .sort();

/// Returns the questions about drugs, visits and what may mislead.
function ofChart([, , , [one, other], year, start, event, filled]) {
  const query = (type, filters, more) => (tool) => factsOf(tool, type, filters, more);
  const ordered = (filters, more) => query('MedicationRequest', { ...VALID, ...filters }, more);
  // Counts the facts without a caution, or the problems of a name in the overview.
  const without = (type, code, caution) => async (tool) =>
    (await factsOf(tool, type, { code })).filter((fact) => fact.caution !== caution).length;
  const current = (name) => async (tool) => {
    const { sections } = await tool('overview', {});
    return sections.find((section) => section.name === 'problems').facts.filter(({ what }) => what === name).length;
  };
  const counted = (isOne) => (found, isCareful) => found.filter((record) => !isCareful || isOne(record)).length;
  const has = (concept, code) => concept?.coding?.some((coding) => coding.code === code);
  const valid = (found, isCareful) =>
    byTime(
      found.filter((record) => !isCareful || !isVoid(record)).map((record) => ({ ...record, when: whenOf(record) })),
    );
  const total = (type, code, date, period, numberOf) => [
    'total dose',
    async (tool) => {
      const facts = await factsOf(tool, type, { code, status: 'completed' }, within(period));
      return sumOf(facts.map(({ value, quoted }) => value ?? quoted.value));
    },
    [`${type}?code=${code}&${date}=${period}`],
    (...found) => sumOf(valid(...found).map(numberOf)),
  ];
  const visits = (filters) => [
    'visits',
    async (tool) => (await tool('query', { type: 'Encounter', filters, ...within(year), limit: 1 })).total,
    [`Encounter?date=${year}`],
    (found, isCareful) =>
      valid(found, isCareful).filter((visit) => !filters.class || visit.class.code === filters.class).length,
  ];
  return [
    [
      'dose',
      async (tool) => number((await query('MedicationAdministration', { code: '5224', ...VALID })(tool))[0].value),
      ['MedicationAdministration?code=5224'],
      (...found) => number(valid(...found).at(-1).dosage.dose.value),
    ],
    total('MedicationAdministration', '5224', 'effective-time', '2026-03', ({ dosage }) => dosage.dose.value),
    ...(filled ? [total('MedicationDispense', one, 'whenhandedover', filled, ({ quantity }) => quantity.value)] : []),
    [
      'two drugs on a day',
      async (tool) => {
        const [some, others] = [one, other].map((code) => ordered({ code }, within(year))(tool));
        return common(daysOf(await some), daysOf(await others));
      },
      [one, other].map((code) => `MedicationRequest?code=${code}&authoredon=${year}`),
      (...found) => {
        const [some, others] = [one, other].map((code) =>
          daysOf(valid(...found).filter((record) => codesOf(record).includes(code))),
        );
        return common(some, others);
      },
    ],
    visits({ status: 'finished' }),
    visits({ status: 'finished', class: 'EMER' }),
    [
      'new drugs',
      async (tool) => added(await ordered({})(tool), ({ what }) => what, start),
      ['MedicationRequest?'],
      (...found) => added(valid(...found), (drug) => codesOf(drug)[0] ?? JSON.stringify(drug), start),
    ],
    [
      'drug after an event',
      async (tool) => {
        const [{ when: since }] = await query('Procedure', { code: event, ...VALID })(tool);
        const first = { type: 'MedicationRequest', filters: { ...VALID, _sort: 'authoredon' }, since, limit: 1 };
        return (await tool('query', first)).facts[0].when;
      },
      [`Procedure?code=${event}`, 'MedicationRequest?'],
      (...found) => {
        const all = valid(...found);
        const { when } = all.find(({ resourceType }) => resourceType === 'Procedure');
        return all.find((one) => one.resourceType !== 'Procedure' && Date.parse(one.when) >= Date.parse(when)).when;
      },
    ],
    [
      ...['refuted', without('Condition', '90560007', 'refuted'), ['Condition?code=90560007']],
      counted(({ verificationStatus }) => !has(verificationStatus, 'refuted')),
    ],
    [
      ...['remission', current('Psoriasis'), ['Condition?code=9014002']],
      counted(({ clinicalStatus }) => has(clinicalStatus, 'active')),
    ],
    ['twin', current('Migraine'), ['Condition?code=37796009'], counted(({ id }) => id === 'migraine')],
    [
      ...['second code', async (tool) => shown((await tool('trend', { measure: '8306-3' })).series[0].last)],
      ...[['Observation?code=8306-3'], (found, isCareful) => shown(seriesOf(found, '8306-3', isCareful)[0].at(-1))],
    ],
    [
      'not asked',
      async (tool) => (await factsOf(tool, 'Observation', { code: '44261-6' })).map(({ value }) => value),
      ['Observation?code=44261-6'],
      (found, isCareful) =>
        found.map((one) => (isCareful && has(one.dataAbsentReason, 'not-asked') ? 'Not available: not asked' : null)),
    ],
    [
      ...['not done', without('Procedure', '80146002', 'not done'), ['Procedure?code=80146002']],
      counted(({ status }) => status === 'completed'),
    ],
  ];
}

// --- Answers ---

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const bytesOf = (text) => Buffer.byteLength(text);

test('each answer of the tools is the right one, as a rule in at most two calls', async (t) => {
  const [byTools, byFhir] = ['tools', 'FHIR searches'].map((by) => ({ by, calls: [], bytes: [], wrong: [] }));
  const kinds = new Map();
  for (const chart of CHARTS) {
    const [folder, patient, measures] = chart;
    const texts = [
      ...chartsIn(folder).get(patient),
      ...MISLEADING.replaceAll('Patient/someone', `Patient/${patient}`).split('\n'),
    ];
    const [store, records] = [opened(texts), texts.map(readRecord)];
    const questions = [...measures, '1988-5'].flatMap((code) => ofMeasure(records, code));
    for (const [kind, ask, raw, right] of [...questions, ...ofChart(chart)]) {
      const results = [];
      const told = await ask(async (tool, args) => {
        const { result, refusal } = await called(store, { scopes: SCOPES, patient }, tool, args);
        assert.ok(result, `${kind} ${JSON.stringify(args)}: ${refusal}`);
        results.push(JSON.stringify(result));
        assert.ok(bytesOf(results.at(-1)) <= BUDGETS[tool], `${tool} ${JSON.stringify(args)}`);
        return result;
      });
      const pages = raw.flatMap((search) => pagesOf(store, `${search}&patient=${patient}`));
      const found = pages.flatMap(({ text }) => (readRecord(text).entry ?? []).map(({ resource }) => resource));
      const own = raw.flatMap((search) => meant(records, search));
      const expected = JSON.stringify(right(own, true));
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      for (const [tally, answer, parts] of [
        [byTools, told, results],
        [byFhir, right(found, false), pages.map(({ text }) => text)],
      ]) {
        const said = JSON.stringify(answer);
        tally.calls.push(parts.length);
        tally.bytes.push(parts.reduce((sum, text) => sum + bytesOf(text), 0));
        if (said !== expected) tally.wrong.push(`${kind}, ${folder}: ${said} instead of ${expected}`);
      }
    }
    store.free();
  }
  for (const { by, calls, bytes, wrong } of [byTools, byFhir])
    t.diagnostic(
      `by ${by}: ${calls.length} questions, ${wrong.length} wrong facts, ${median(calls)} calls and ${median(bytes)} ` +
        `bytes in the median, ${sumOf(calls.map(String))} calls and ${sumOf(bytes.map(String))} bytes in all`,
    );
  assert.deepEqual(byTools.wrong, []);
  assert.ok(median(byTools.calls) <= 2);
  assert.ok(byTools.calls.length >= 40 * CHARTS.length, `${byTools.calls.length} questions`);
  for (const [kind, n] of kinds) assert.ok(n >= CHARTS.length, `${kind}: ${n}`);
});
