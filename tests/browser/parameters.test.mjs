// The browser module refuses the same as a server: parameters without an index on the server, and formats that are not
// offered.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Chart, capabilities, initSync } from '../../www/pkg/edgechart.js';

initSync({ module: readFileSync('www/pkg/edgechart_bg.wasm') });

const BASE = 'https://records.example/fhir/r4';

test('a grant may name the parameters by which searches find, as a server is indexed by them', () => {
  const of = (index) => new Chart(BASE, { scopes: 'system/*.read', patients: 'all', ...index });
  const thrown = (chart, query) => {
    try {
      return JSON.parse(chart.search(query)).resourceType;
    } catch (outcome) {
      const [{ details, diagnostics }] = outcome.issue;
      return [details.text, diagnostics];
    }
  };
  const query = 'Observation?patient=a&value-quantity=5';
  assert.equal(thrown(of({}), query), 'Bundle');
  assert.equal(thrown(of({ index: 'r4' }), query), 'Bundle');
  const [says, hint] = thrown(of({ index: 'us-core' }), query);
  assert.equal(says, 'Observation is not indexed by "value-quantity" here.');
  assert.match(hint, /^The index us-core of Observation has: _id, _lastUpdated, patient, category, code, /);
  assert.ok(!hint.split(': ')[1].split(', ').includes('value-quantity'));
  assert.equal(thrown(of({ index: 'us-core' }), 'Observation?patient=a&code=x'), 'Bundle');
  const names = (index) => {
    const { resource } = JSON.parse(capabilities(BASE, index)).rest[0];
    return resource.find(({ type }) => type === 'Observation').searchParam.map(({ name }) => name);
  };
  assert.ok(names('').includes('value-quantity'));
  assert.ok(!names('us-core').includes('value-quantity') && names('us-core').includes('code'));
});

test('another format than JSON is refused, as at the server', () => {
  const chart = new Chart(BASE);
  assert.throws(
    () => chart.search('Patient?_id=a&_format=xml'),
    ({ issue }) => issue[0].code === 'not-supported' && issue[0].expression[0] === 'http._format',
  );
  assert.equal(JSON.parse(chart.search('Patient?_id=a&_format=json')).resourceType, 'Bundle');
});
