// Opens one choice of files in the app, and compares each chart with the content of the files.

import { compare } from './compare.mjs';
import { factsOf } from './facts.mjs';
import { judgeChart, openChart, openFiles } from './page.mjs';
import { readPlaces } from './places.mjs';
import { add, count, newTally } from './tally.mjs';
import { grouped, hasNumber, plain, typeWords } from './words.mjs';

/// Returns the counts in the report of opened files, by type.
export const countsOf = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('dl.counts > div')].map((row) => [
      row.querySelector('dt')?.textContent ?? '',
      row.querySelector('dd')?.textContent ?? '',
    ]),
  );

/// Compares the report of the files: the number of records of each type, and the mention of strays.
export function reportFacts({ read, strays }, { text: report, counts }) {
  const rows = counts.map(([type, n]) => [plain(type), n]);
  // An OperationOutcome is not a record.
  const all = read.records.filter(({ resource }) => resource.resourceType !== 'OperationOutcome');
  const types = grouped(all, ({ resource }) => resource.resourceType);
  const differences = [];
  const tally = newTally();
  const check = (kind, what, says) => {
    count(tally, says === undefined ? 'shown' : 'missing', kind);
    if (says !== undefined) differences.push({ patient: 'report of the files', kind, what, says });
  };
  for (const [type, some] of types) {
    const isShown = rows.some(([name, n]) => name.startsWith(typeWords(type)) && hasNumber(n, some.length));
    check(
      'type in the report',
      type,
      isShown
        ? undefined
        : `${some.length} are not said: ${rows.find(([name]) => name === typeWords(type))?.[1] ?? 'no row'}`,
    );
  }
  const byType = grouped(strays, ({ resource }) => resource.resourceType);
  for (const [type, all] of byType) {
    check('records of nobody here', type, report.includes(typeWords(type)) ? undefined : `${all.length} are not said`);
  }
  return { tally, differences };
}

/// Reads the charts of one choice of files. `each` is called with each chart. `shares(n)` returns n numbers between 0
/// and 1, which choose the records to open and to find. Without it, only the summaries are read.
export async function readChoice(page, choice, { each = () => {}, shares } = {}) {
  const tally = newTally();
  const differences = [];
  const report = { text: await openFiles(page, choice.files), counts: await countsOf(page) };
  const reported = reportFacts(choice, report);
  add(tally, reported.tally);
  differences.push(...reported.differences);
  for (const [patient, records] of choice.patients) {
    const name = `Patient/${patient.resource.id ?? '?'}`;
    if (!(await openChart(page, { patient: patient.resource }))) {
      differences.push({ patient: name, kind: 'chart', what: name, says: 'has no chart' });
      add(tally, { ...newTally(), missing: { chart: 1 } });
      continue;
    }
    const facts = factsOf(patient, records, choice.read.find);
    const found = await judgeChart(page, (chart) =>
      compare(facts, chart, { records, find: choice.read.find, strays: choice.strays }),
    );
    if (shares) {
      const places = await readPlaces(page, patient, records, choice.read.find, shares);
      add(found.tally, places.tally);
      found.differences.push(...places.differences);
    }
    add(tally, found.tally);
    differences.push(...found.differences.map((one) => ({ patient: name, ...one })));
    each(name, facts.length, found.differences.length);
  }
  return { tally, differences };
}
