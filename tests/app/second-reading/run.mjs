// Runs the second reading over whole sets: `make second-reading`, with PATIENTS= (the most of each set), FROM= (the
// number of patients to skip first), SEED= and SETS= (words in the names of sets, and `traps`). SHARED_DATA= is another
// folder of the sets, FOLDER= a folder of other files, LINES= the most kinds of differences to list. PLACES=no reads
// only the summaries of charts. INPUTS= reads so many made-up inputs in place of the sets, also from FROM= and by
// SEED=, each fourth in Spanish too; the files of those that differ are in build/second-reading. Exits with an error if
// a fact is neither shown nor covered by a notice.

import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from '../../../tools/server/app.mjs';
import { generator } from '../../oracle/rows.mjs';
import { readInput } from './inputs.mjs';
import { inputs } from './made-up.mjs';
import { readChoice } from './read.mjs';
import { choices, missingSets, sets } from './sets.mjs';
import { add, newTally, sum } from './tally.mjs';
import { readTrap, traps } from './traps.mjs';
import { grouped } from './words.mjs';

const { PATIENTS = '', FROM = '0', SEED: seed = '1', SETS = '', LINES = '40', PLACES = '', INPUTS = '' } = process.env;
const patients = PATIENTS === '' ? undefined : Number(PATIENTS);
const words = SETS.split(/[\s,]+/).filter(Boolean);
const isWanted = (name) => INPUTS === '' && (words.length === 0 || words.some((word) => name.includes(word)));

function table(tally) {
  const kinds = [...new Set(Object.values(tally).flatMap(Object.keys))].sort();
  const row = (cells) =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(32) : String(cell).padStart(9))).join('');
  const of = (kind) => [tally.shown[kind] ?? 0, tally.noticed[kind] ?? 0, tally.missing[kind] ?? 0];
  return [
    row(['kind of fact', 'shown', 'noticed', 'missing']),
    ...kinds.map((kind) => row([kind, ...of(kind)])),
    row(['all', sum(tally.shown), sum(tally.noticed), sum(tally.missing)]),
  ].join('\n');
}

const stage = await open();
const tally = newTally();
const all = [];
const visitor = await stage.person();
const page = await visitor.page();

function took(set, found) {
  add(tally, found.tally);
  all.push(...found.differences.map((one) => ({ set, ...one })));
}

for (const set of sets().filter(({ name }) => isWanted(name))) {
  const began = Date.now();
  const made = choices(set, { patients, from: Number(FROM), seed });
  let charts = 0;
  const next = generator(seed);
  const shares = PLACES === 'no' ? undefined : (n) => Array.from({ length: n }, next);
  for (const choice of made)
    took(
      set.name,
      await readChoice(page, choice, {
        each: () => {
          charts += 1;
        },
        shares,
      }),
    );
  console.log(`${set.name}: ${charts} charts, ${Math.round((Date.now() - began) / 1_000)} s`);
}
for (const [at, input] of inputs(Number(FROM) + Number(INPUTS), Number(seed))
  .slice(Number(FROM))
  .entries()) {
  const found = await readInput(page, input, at % 4 === 3);
  took('inputs', found);
  if (found.differences.length === 0) continue;
  mkdirSync('build/second-reading', { recursive: true });
  writeFileSync(`build/second-reading/${input.seed}-${input.file.name}`, input.file.bytes);
  for (const { of, what, says } of found.differences)
    console.log(`${input.kind} ${input.seed}: ${of}: ${what} ${says}`);
}
if (isWanted('traps')) for (const trap of traps()) took(`traps/${trap.name}`, await readTrap(page, trap));
for (const name of missingSets()) console.log(`${name} is not beside the checkout, and was not read.`);

console.log(`\n${table(tally)}\n`);
const kinds = grouped(
  all,
  ({ set, kind, says }) => `${set} · ${kind} · ${says.replace(/\d[\d.,]*/g, 'n').slice(0, 60)}`,
);
const most = Number(LINES);
for (const [kind, list] of [...kinds].toSorted(([, a], [, b]) => b.length - a.length).slice(0, most)) {
  const [{ patient, what, says }] = list;
  console.log(`${String(list.length).padStart(5)} × ${kind}\n        such as ${patient}: ${what}: ${says}`);
}
if (kinds.size > most) console.log(`… and ${kinds.size - most} more kinds (LINES=1000 shows them)`);
console.log(
  `\n${sum(tally.shown) + sum(tally.noticed) + sum(tally.missing)} facts compared, ${all.length} differences.`,
);
process.exitCode = all.length > 0 ? 1 : 0;
await stage.close();
