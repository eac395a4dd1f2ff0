// The cases of tests/cases/ in the browser module, run in Node. The module has grants, searches and reads, so cases
// about HTTP or the Groups of a client are skipped, and counted. It has every parameter, so files about a smaller set
// are for servers only.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { LOADED_AT } from '../../tools/server/loaded-at.mjs';
import { BASE } from '../../tools/server/stage.mjs';
import { Chart, initSync } from '../../www/pkg/edgechart.js';
import { check, spelled } from '../cases/checks.mjs';

initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });

/// Returns whether a case is about HTTP: methods, headers, routes, no token, or a token in the address.
const isHttp = ({ grant, ask, method, form, headers, expect }) =>
  !grant ||
  method ||
  form !== undefined ||
  headers ||
  expect.headers ||
  /^\/|^[^?]*\/(?!\$everything|\$lastn|\$docref|_history\/)[_$]|access_token=/.test(ask);

/// Returns the answer of a chart, in the form of an answer over HTTP.
function answered(chart, question) {
  try {
    const [type, id, more] = question.split('/');
    const text =
      id !== undefined && more === undefined && !/[?$]/.test(question) ? chart.read(type, id) : chart.search(question);
    return { status: 200, text, body: JSON.parse(text) };
  } catch (thrown) {
    if (thrown.resourceType !== 'OperationOutcome') throw thrown;
    return { status: 400, text: JSON.stringify(thrown), body: thrown };
  }
}

const tally = { run: 0, left: 0 };

/// Returns whether the stores of a file have every parameter and no public scopes, like the module.
const hasAll = (name) => {
  const { index = 'r4', public: open } = JSON.parse(readFileSync(join('tests/cases', name)));
  return index === 'r4' && open === undefined;
};

for (const name of readdirSync('tests/cases').filter((name) => name.endsWith('.json') && hasAll(name))) {
  test(`${name} in the browser module`, async (t) => {
    const file = JSON.parse(readFileSync(join('tests/cases', name)));
    const chart = new Chart(BASE);
    const report = chart.load(file.data.map((resource) => `${JSON.stringify(resource)}\n`).join(''), LOADED_AT);
    assert.deepEqual(report.refused, []);
    const seen = new Map();
    const grant = ({ scopes, patient, user, fhirUser }) => ({
      scopes,
      patient,
      fhirUser,
      patients: user && (file.access?.[user] ?? []),
    });
    const cases = file.cases.filter((one) => !isHttp(one) && !file.grants[one.grant].groups);
    tally.left += file.cases.length - cases.length;
    for (const one of cases) {
      await t.test(one.name, async () => {
        // An invalid scope makes the whole list invalid. Over HTTP, the token with the list is refused.
        try {
          chart.authorize(grant(file.grants[one.grant]));
        } catch (thrown) {
          assert.equal(thrown.issue?.[0]?.code, 'value');
          assert.equal(one.expect.status, 401);
          return;
        }
        const answer = answered(chart, spelled(one.ask, { base: BASE, seen }));
        await check(one, answer, { base: BASE, follow: (link) => answered(chart, link), seen });
        tally.run += 1;
      });
    }
  });
}

after(() => console.log(`# ${tally.run} cases; left out, being about HTTP: ${tally.left}`));
