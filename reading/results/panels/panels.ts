//! Laboratory tests by panel. A panel is the list of results of a report, or an observation with members. Tests without
//! a panel in the record are grouped by the table of common panels.

import { codesOf } from '../../fhir/concept-codes.ts';
import { instant } from '../../fhir/date.ts';
import { referredAddress } from '../../fhir/record-address.ts';
import { isEnteredInError } from '../../fhir/text.ts';
import {
  type Concept,
  type DiagnosticReport,
  isOfType,
  type Observation,
  type Reference,
  type Resource,
} from '../../fhir/types.ts';
import { ENGLISH, type Words } from '../../language/words.ts';
import { resultAddress } from '../contained-results.ts';
import { testName } from '../names/names.ts';
import { withAbout } from '../names/told-apart.ts';
import { isPanel, value, when } from '../values/reading.ts';
import { reportDate } from '../values/report-status.ts';
import { COMMON_PANELS, type CommonPanel } from './common-panels.ts';
import { withIsolate } from './isolate.ts';
import { groupsOf, keyOf, type TestGroup } from './test-groups.ts';

export interface Panel {
  name: string;
  tests: TestGroup[];
}

/** A panel in one record: its name, and the addresses of its results. */
interface Listing {
  name: string;
  common: CommonPanel | undefined;
  /** In milliseconds since 1970. */
  at: number;
  results: string[];
  /** The least number of tests with which its name is a heading. */
  least: number;
}

const isSingle = ({ results }: Listing): boolean => results.length < 2;

const latestOf = ({ latest }: TestGroup): number => instant(when(latest)) ?? Number.NEGATIVE_INFINITY;

function listing(
  words: Words,
  of: Resource,
  code: Concept | undefined,
  on: string | undefined,
  results: Reference[],
): Listing {
  const codes = codesOf(code);
  const common = COMMON_PANELS.find((panel) => panel.codes.some((one) => codes.includes(one)));
  const name = withIsolate(
    of,
    common ? words.t(common.name) : (testName(words, code) ?? words.t('Panel without a name')),
  );
  return {
    name: isOfType('Observation', of) ? withAbout(words, of, name) : name,
    common,
    at: instant(on) ?? Number.NEGATIVE_INFINITY,
    results: results.map(({ reference }) => resultAddress(of.id, reference)),
    // A report on one test is listed among the reports. An observation without a value has no other place.
    least: isOfType('Observation', of) && value(ENGLISH, of) === undefined ? 1 : 2,
  };
}

/**
 * Returns the panels that reports and observations list, those with one result last; newest first, and at the same time
 * smaller panels first.
 */
function listingsOf(
  words: Words,
  observations: readonly Observation[],
  reports: readonly DiagnosticReport[],
): Listing[] {
  return [
    ...reports
      .filter((report) => !isEnteredInError(report))
      .map((r) => listing(words, r, r.code, reportDate(r), r.result ?? [])),
    ...observations
      .filter((o) => isPanel(o) && !isEnteredInError(o))
      .map((o) => listing(words, o, o.code, when(o), o.hasMember ?? [])),
  ].sort(
    (a, b) =>
      Number(isSingle(a)) - Number(isSingle(b)) ||
      (a.at === b.at ? a.results.length - b.results.length : b.at > a.at ? 1 : -1),
  );
}

/** Returns whether an observation only groups others: its members are available, and it has no value of its own. */
function isHeading(o: Observation, known: ReadonlySet<string>): boolean {
  return (
    (o.hasMember ?? []).some((member) => known.has(referredAddress(member.reference))) &&
    value(ENGLISH, o) === undefined
  );
}

const isIn = (panel: CommonPanel, { latest }: TestGroup): boolean =>
  codesOf(latest.code).some((code) => panel.tests.includes(code));

/**
 * Assigns each test to one panel, or to the other tests. A panel has at least two tests, or one if its name stands
 * nowhere else. Panels and other tests are in the order of their latest result, the tests of a panel in the order of
 * its newest listing.
 */
export function panelsOf(
  words: Words,
  observations: readonly Observation[],
  reports: readonly DiagnosticReport[],
): { panels: Panel[]; others: TestGroup[] } {
  const known = new Map(observations.map((o) => [`Observation/${o.id}`, o]));
  const addresses = new Set(known.keys());
  const results = observations.filter((o) => !isHeading(o, addresses));
  const groups = groupsOf(words, results);

  // The newest listing of a test determines its panel.
  const listed = new Map<string, Pick<Listing, 'name' | 'common' | 'least'> & { tests: string[] }>();
  const taken = new Set<string>();
  for (const one of listingsOf(words, observations, reports)) {
    const keys = new Set(
      one.results.flatMap((address) => {
        const result = known.get(address);
        return result && !isEnteredInError(result) ? keyOf(result) : [];
      }),
    );
    const { name, common, least } = one;
    const panel = listed.get(name) ?? { name, tests: [], common, least };
    if (keys.size < least && panel.tests.length === 0) continue;
    for (const key of keys) if (!taken.has(key)) panel.tests.push(key);
    for (const key of keys) taken.add(key);
    listed.set(name, { ...panel, least: Math.min(panel.least, least) });
  }

  const byKey = new Map(groups.map((group) => [group.key, group]));
  const panels: Panel[] = [];
  const loose = new Set(groups);
  for (const { name, tests, common, least } of listed.values()) {
    const own = tests.flatMap((key) => byKey.get(key) ?? []);
    const more = common ? [...loose].filter((group) => isIn(common, group) && !taken.has(group.key)) : [];
    const all = [...own, ...more];
    if (all.length < least) continue;
    panels.push({ name, tests: all });
    for (const group of all) loose.delete(group);
  }
  for (;;) {
    const candidates = COMMON_PANELS.map((panel) => ({
      panel,
      tests: [...loose].filter((group) => isIn(panel, group)),
    }));
    const best = candidates.reduce((a, b) => (b.tests.length > a.tests.length ? b : a));
    if (best.tests.length < 2) break;
    const rank = ({ latest }: TestGroup): number =>
      Math.min(...codesOf(latest.code).map((code) => best.panel.tests.indexOf(code) + 1 || Infinity));
    panels.push({ name: words.t(best.panel.name), tests: best.tests.toSorted((a, b) => rank(a) - rank(b)) });
    for (const group of best.tests) loose.delete(group);
  }
  const newestFirst = (a: number, b: number, names: [string, string]): number =>
    a === b ? (names[0] < names[1] ? -1 : 1) : b > a ? 1 : -1;
  const newest = ({ tests }: Panel): number => Math.max(...tests.map(latestOf));
  return {
    panels: panels.sort((a, b) => newestFirst(newest(a), newest(b), [a.name, b.name])),
    others: [...loose].sort((a, b) => newestFirst(latestOf(a), latestOf(b), [a.name, b.name])),
  };
}
