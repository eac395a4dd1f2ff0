// An independent check of the content of charts: the made-up traps, some made-up inputs, and a few patients of each
// public set in a folder beside the checkout. `make second-reading` reads whole sets, or hundreds of inputs.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { open } from './browser.mjs';
import { readInput } from './second-reading/inputs.mjs';
import { inputs } from './second-reading/made-up.mjs';
import { readChoice } from './second-reading/read.mjs';
import { choices, missingSets, sets } from './second-reading/sets.mjs';
import { add, newTally, sum } from './second-reading/tally.mjs';
import { readTrap, traps } from './second-reading/traps.mjs';

const PATIENTS = 2;
const INPUTS = 10;

const stage = await open();
after(() => stage.close());

/// Runs a comparison in a new browser context, and reports the number of facts.
async function compared(t, read) {
  const visitor = await stage.person();
  const { tally, differences } = await read(await visitor.page());
  t.diagnostic(`${sum(tally.shown)} facts shown, ${sum(tally.noticed)} with a notice in their place`);
  assert.deepEqual(
    differences.map(({ patient, kind, what, says }) => `${patient}: ${kind}: ${what}: ${says}`),
    [],
  );
  assert.ok(sum(tally.shown) > 0);
  await visitor.close();
}

for (const trap of traps()) {
  test(`trap: ${trap.about}`, (t) => compared(t, (page) => readTrap(page, trap)));
}

test('made-up inputs of different kinds show what they say', (t) =>
  compared(t, async (page) => {
    const all = { tally: newTally(), differences: [] };
    for (const [at, input] of inputs(INPUTS, 1).entries()) {
      const { tally, differences } = await readInput(page, input, at % 4 === 3);
      add(all.tally, tally);
      all.differences.push(...differences);
    }
    return all;
  }));

for (const set of sets()) {
  test(`${set.name}: some charts show what its files say`, async (t) => {
    for (const choice of choices(set, { patients: PATIENTS, isNarrow: true })) {
      await compared(t, (page) => readChoice(page, choice));
    }
  });
}

for (const name of missingSets()) {
  test(`${name}: some charts show what its files say`, { skip: `${name} is not beside the checkout` }, () => {});
}
