// A server describes the set of search parameters that it offers: the CapabilityStatement and the OpenAPI document have
// the same parameters. The server accepts each of them, and no others.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EVERYTHING, edgechart, stage } from '../../tools/server/stage.mjs';
import { PARAMS } from '../oracle/params.mjs';
import { inFlight } from '../server/in-flight.mjs';

/// A value that any parameter of that kind accepts.
const VALUE = {
  token: 'x',
  date: '2020',
  string: 'x',
  reference: 'x',
  uri: 'http://example.org/x',
  number: '1',
  quantity: '1',
};
const valueFor = (type, { name, type: kind }) => {
  const { components, isOfBooleans } = PARAMS[type][name] ?? {};
  return components?.map((one) => VALUE[one.kind]).join('$') ?? (isOfBooleans ? 'true' : VALUE[kind]);
};
/// The number of parameters in one search. A search accepts up to 40.
const MANY = 30;

function* parted(list) {
  for (let at = 0; at < list.length; at += MANY) yield list.slice(at, at + MANY);
}

for (const index of ['us-core', 'r4']) {
  describe(`a server with the parameters of ${index}`, () => {
    let server, token, types;
    before(async () => {
      server = await stage({ data: ['tests/fixtures/shapes.ndjson'], index, bare: true });
      token = server.token(EVERYTHING);
      const { body } = await server.ask('metadata');
      types = body.rest[0].resource.map(({ type, searchParam }) => ({ type, searchParam }));
    });
    after(() => server?.close());

    test('states them in both documents', () => {
      const { paths } = JSON.parse(edgechart('openapi', '--index', index));
      const others = ['_sort', '_include', '_revinclude'];
      for (const { type, searchParam } of types) {
        const described = paths[`/fhir/r4/${type}`].get.parameters.map(({ name }) => name);
        const names = searchParam.map(({ name }) => name);
        assert.deepEqual(
          described.filter((name) => name && !others.includes(name)),
          names,
          type,
        );
      }
      const count = types.flatMap(({ searchParam }) => searchParam).length;
      assert.ok(index === 'r4' ? count > 1_500 : count < 600, `${count} parameters`);
    });

    test('takes each of them', async () => {
      await inFlight(types, async ({ type, searchParam }) => {
        for (const some of parted(searchParam)) {
          const query = some.map((param) => `${param.name}=${encodeURIComponent(valueFor(type, param))}`).join('&');
          const answer = await server.ask(`${type}?_id=x&${query}`, { token });
          assert.equal(answer.status, 200, `${type}: ${answer.text}`);
        }
      });
    });

    test('takes no other', async () => {
      const all = new Set(Object.values(PARAMS).flatMap(Object.keys));
      for (const special of ['near', '_text', '_content', '_filter', '_list', '_query', 'phonetic']) all.add(special);
      // A chain is not a separate parameter. It is accepted wherever its reference is.
      const names = [...all].filter((name) => !name.includes('.'));
      let turn = 0;
      await inFlight(types, async ({ type, searchParam }) => {
        const declared = new Set(searchParam.map(({ name }) => name));
        const others = [...parted(names.filter((name) => !declared.has(name)))];
        // The type's own parameters in other sets, and some further parameters, which differ from type to type.
        const own = Object.keys(PARAMS[type]).filter((name) => names.includes(name) && !declared.has(name));
        for (const some of [...parted(own), others[turn++ % others.length]]) {
          const answer = await server.ask(`${type}?_id=x&${some.map((name) => `${name}=x`).join('&')}`, { token });
          assert.equal(answer.status, 400, `${type} ${some}`);
          const refused = answer.body.issue.map(({ code, expression: [name] }) => `${code} ${name}`);
          assert.deepEqual(
            refused,
            some.map((name) => `not-supported http.${name}`),
            type,
          );
        }
      });
    });
  });
}
