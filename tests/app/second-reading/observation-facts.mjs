// The facts about observations that a chart must show: the latest value of each test, its flag, the last vital signs,
// and their numbers.

import { byTest, codesOf, dateOf, flagOf, HALVES, isError, PRESSURES, valueCheck, valueChecks } from './results.mjs';
import { list, names } from './words.mjs';

/// The LOINC codes of each vital sign (https://hl7.org/fhir/R4/observation-vitalsigns.html).
const SIGNS = [PRESSURES, ['8867-4'], ['59408-5', '2708-6'], ['8310-5'], ['29463-7'], ['39156-5']];
const VITAL = [...SIGNS.flat(), '9279-1', '8302-2', '9843-4', ...HALVES];

const loincOf = ({ code }) => list(code?.coding).find(({ system }) => system === 'http://loinc.org')?.code;
const isVital = (o) => VITAL.includes(loincOf(o));

const fact = (kind, o, more) => ({
  kind,
  is: 'entry',
  type: 'Observation',
  id: o.id ?? '',
  names: namesOf(o),
  date: undefined,
  ...more,
});

/// Returns the values of an observation with their names: its own value, or the values of its components, which may
/// have their own rows.
function valuesOf(o) {
  const own = valueCheck(o);
  if (own) return [{ of: o, check: own, named: namesOf(o) }];
  return list(o.component).flatMap((part) => {
    const check = valueCheck(part);
    return check ? [{ of: part, check, named: [...namesOf(o), ...names(part.code)] }] : [];
  });
}

/// Returns the facts of the latest results of a test. Several results may have the same instant.
function testFacts({ all }, aliases) {
  const [first] = all;
  const isLatest = (o) => o === first || (dateOf(o) !== undefined && instantOf(o) === instantOf(first));
  return all.filter(isLatest).flatMap((latest) => resultFacts(latest, all, aliases));
}

const instantOf = (o) => Date.parse(dateOf(o) ?? '');

function resultFacts(latest, all, aliases) {
  const values = valuesOf(latest);
  if (values.length === 0) {
    // A panel without a value of its own may be the heading of its members.
    const isPanel = list(latest.hasMember).length > 0;
    return names(latest.code).length > 0
      ? [fact('result without value', latest, isPanel ? { is: 'entry or heading' } : {})]
      : [];
  }
  const date = dateOf(latest);
  const isNormal = all.flatMap(valuesOf).every(({ of }) => flagOf(of) === 'normal');
  const kind = isVital(latest) ? 'last vital sign' : 'latest result';
  return values.flatMap(({ of, check, named: own }) => {
    const named = [...own, ...aliases(latest)];
    const flag = flagOf(of);
    const isFlagged = flag !== undefined && flag !== 'normal';
    const words = [check, ...(isFlagged ? [{ what: String(flag), holds: (text) => flag.test(text) }] : [])];
    return [
      fact(kind, latest, { names: named, date, words: [check] }),
      ...(isFlagged ? [fact('abnormal result', latest, { names: named, date, words })] : []),
      ...(isNormal ? [fact('normal result', latest, { names: named, is: 'no flag', words: [check] })] : []),
    ];
  });
}

/// Returns the names of an observation. A page may show separate pressures together, under the name of the panel.
const namesOf = (o) => [
  ...names(o.code),
  ...([...PRESSURES, ...HALVES].includes(loincOf(o)) ? ['blood pressure'] : []),
];

/// Returns the facts that the newest value of each vital sign is at a glance.
function signFacts(observations) {
  const dated = observations.filter((o) => !isError(o) && valueChecks(o).length > 0 && dateOf(o));
  const at = (o) => Date.parse(dateOf(o));
  const latestOf = (codes) => dated.filter((o) => codes.includes(loincOf(o))).toSorted((a, b) => at(b) - at(a));
  return SIGNS.flatMap((codes, i) => {
    const [newest, next] = latestOf(i === 0 ? [...codes, ...HALVES] : codes);
    if (!newest) return [];
    const isHalf = HALVES.includes(loincOf(newest));
    const isJoined = isHalf && HALVES.includes(loincOf(next ?? {}));
    if (next && at(next) === at(newest) && !isJoined) return [];
    return [fact('vital sign at a glance', newest, { is: 'in tile', tile: 'vitals', words: valueChecks(newest) })];
  });
}

/// Returns a function from an observation to the names under which a page may show it: the names of all observations
/// with a common code, because results of the same code with different names belong to one test.
function aliasesIn(all) {
  const keysOf = ({ code }) => list(code?.coding).map(({ system, code: one }) => `${system} ${one}`);
  const byKey = new Map();
  for (const o of all)
    for (const key of keysOf(o)) byKey.set(key, new Set([...(byKey.get(key) ?? []), ...names(o.code)]));
  return (o) => [...new Set(keysOf(o).flatMap((key) => [...byKey.get(key)]))];
}

export function observationFacts(records) {
  const all = records.map(({ resource }) => resource);
  const tests = byTest(all);
  const aliases = aliasesIn(all);
  const abnormal = tests.filter(({ all: [latest] }) => {
    const flag = flagOf(latest);
    return flag && flag !== 'normal' && codesOf(latest.category).includes('laboratory');
  });
  return [
    ...tests.flatMap((test) => testFacts(test, aliases)),
    ...signFacts(all),
    ...abnormal.map(({ all: [latest] }) =>
      fact('abnormal at a glance', latest, { is: 'at a glance', tile: 'abnormal', names: aliases(latest) }),
    ),
    ...(all.length > 0
      ? [{ kind: 'observations', is: 'observations', type: 'Observation', id: '', names: [], n: all.length }]
      : []),
  ];
}
