import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { DIRECTIVE_CASES } from './directive.cases.ts';
import { directivesAmong, directiveText, isDirective, isHolding } from './directive.ts';

for (const { from, of, says } of DIRECTIVE_CASES) {
  test(`a directive in ${of.resourceType}: ${from}`, () => {
    assert.equal(isDirective(of) && isHolding(of) ? directiveText(ENGLISH, of) : undefined, says);
  });
}

test('of the answers to one question the newest holds, and directives are in the order of their dates', () => {
  const answer = (id: string, effectiveDateTime: string, valueString: string): Resource & Record<string, unknown> => ({
    resourceType: 'Observation',
    id,
    status: 'final',
    effectiveDateTime,
    code: { text: 'Code status' },
    valueString,
  });
  const order: Resource & Record<string, unknown> = {
    resourceType: 'ServiceRequest',
    id: 'o',
    status: 'active',
    intent: 'order',
    authoredOn: '2024-03-01',
    code: { text: 'Comfort care' },
  };
  const ban: Resource & Record<string, unknown> = { ...order, id: 'n', authoredOn: '2019-01-01', doNotPerform: true };
  const all = [answer('a', '2020-01-01', 'Full code'), order, answer('b', '2025-01-01', 'DNR'), ban];
  assert.deepEqual(
    directivesAmong(all).map(({ id }) => id),
    ['n', 'b', 'o'],
  );
});
