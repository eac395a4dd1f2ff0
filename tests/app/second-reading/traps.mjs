// The made-up traps of tests/app/traps. Each file has its topic (`about`), its `files` by name (an object is JSON, a
// list is NDJSON, a string is the text), what the `report` of the files says, and its `charts`: the patient, whether
// all facts of the records are checked (`reading`), also in the other places of the chart (`places`), and what parts of
// the page `say`, and do `not` say.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from './compare.mjs';
import { factsOf } from './facts.mjs';
import { judgeChart, openChart, openFiles } from './page.mjs';
import { readPlaces } from './places.mjs';
import { countsOf, reportFacts } from './read.mjs';
import { byPatient, readFiles } from './records.mjs';
import { add, count, newTally } from './tally.mjs';

const FOLDER = 'tests/app/traps';

const textOf = (content) =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
      : JSON.stringify(content, null, 1);

export const traps = () =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => {
      const { files, ...rest } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
      return {
        name: file.replace('.json', ''),
        files: Object.entries(files).map(([name, content]) => ({ name, bytes: Buffer.from(`${textOf(content)}\n`) })),
        ...rest,
      };
    });

/// Returns the text of a part of a chart: `banner`, `main`, `glance medications`, `allergies` or another section.
function partOf(chart, part) {
  if (part === 'banner' || part === 'main') return chart[part];
  const [, tile] = /^glance (.+)$/.exec(part) ?? [];
  return tile ? (chart.tiles[tile]?.text ?? '') : (chart.sections[part]?.text ?? '');
}

/// Checks what parts of a chart say, and do not say.
function toldIn(chart, says, not) {
  const tally = newTally();
  const differences = [];
  const check = (kind, [part, pattern], isWanted, otherwise) => {
    const isRight = new RegExp(pattern).test(partOf(chart, part)) === isWanted;
    count(tally, isRight ? 'shown' : 'missing', kind);
    if (!isRight) differences.push({ kind, what: `${part}: ${pattern}`, says: otherwise });
  };
  for (const one of says) check('words of a trap', one, true, 'is not said');
  for (const one of not) check('no words of a trap', one, false, 'is said');
  return { tally, differences };
}

/// The most records of a trap to open, and the most words to find.
const OPENED = 40;
const WORDS = 12;
/// Returns n evenly spaced numbers from 0, and below 1.
const evenly = (n) => Array.from({ length: n }, (_, at) => at / n);

/// Opens the files of a trap, and compares the pages with the expectations.
export async function readTrap(page, { name, files, report: reported = [], charts = [] }) {
  const tally = newTally();
  const differences = [];
  const check = (kind, what, says) => {
    count(tally, says === undefined ? 'shown' : 'missing', kind);
    if (says !== undefined) differences.push({ patient: name, kind, what, says });
  };
  const report = await openFiles(page, files);
  const counts = await countsOf(page);
  for (const pattern of reported) {
    check('report of a trap', pattern, new RegExp(pattern).test(report) ? undefined : 'the report does not say it');
  }
  const read = readFiles(files);
  const { charts: owned, strays } = byPatient(read);
  if (charts.some(({ places }) => places)) {
    const found = reportFacts({ read, strays }, { text: report, counts });
    add(tally, found.tally);
    differences.push(...found.differences);
  }
  for (const { of, patient: id, reading = true, places = false, says = [], not = [] } of charts) {
    if (!(await openChart(page, of ? { pattern: new RegExp(of) } : undefined))) {
      check('chart of a trap', of ?? 'the chart', 'there is no chart');
      continue;
    }
    const [patient, records] = [...owned].find(([{ resource }]) => id === undefined || resource.id === id) ?? [];
    const found = await judgeChart(page, (chart) => {
      const told = toldIn(chart, says, not);
      if (!reading || !patient) return told;
      const facts = factsOf(patient, records, read.find);
      const compared = compare(facts, chart, { records, find: read.find, strays });
      add(compared.tally, told.tally);
      return { tally: compared.tally, differences: [...told.differences, ...compared.differences] };
    });
    if (places) {
      const others = await readPlaces(page, patient, records, read.find, evenly, {
        opened: OPENED,
        words: WORDS,
      });
      add(found.tally, others.tally);
      found.differences.push(...others.differences);
    }
    add(tally, found.tally);
    differences.push(...found.differences.map((one) => ({ patient: name, ...one })));
  }
  return { tally, differences };
}
