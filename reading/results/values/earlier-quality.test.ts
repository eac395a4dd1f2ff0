import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { earlierQuality, earlierResultText } from './earlier-quality.ts';

const result = (on: string | undefined, more: Partial<Observation>): Observation => ({
  resourceType: 'Observation',
  id: `o-${on}`,
  status: 'final',
  code: { text: 'HBsAg' },
  ...(on ? { effectiveDateTime: on } : {}),
  ...more,
});
const coded = (text: string): Partial<Observation> => ({ valueCodeableConcept: { text } });
const said = (...list: Observation[]): string | undefined =>
  earlierResultText(ENGLISH, earlierQuality(list))?.replace(/\s/g, ' ');

test('a result in words that changed says the one before, coded or as text', () => {
  const positive = result('2010-04-03', coded('Positive'));
  assert.equal(said(result('2012-01-05', coded('Negative')), positive), 'before: Positive (3 Apr 2010)');
  assert.equal(said(result('2012-01-05', { valueString: 'negative' }), positive), 'before: Positive (3 Apr 2010)');
});

test('the same words, numbers, one time, and results in error are not compared', () => {
  const positive = result('2010-04-03', coded('Positive'));
  assert.equal(said(result('2012-01-05', { valueString: 'positive ' }), positive), undefined);
  assert.equal(said(result('2012-01-05', { valueQuantity: { value: 3 } }), positive), undefined);
  assert.equal(said(result('2010-04-03', coded('Negative')), positive), undefined);
  assert.equal(said(result(undefined, coded('Negative')), positive), undefined);
  const wrong = result('2012-01-05', { ...coded('Negative'), status: 'entered-in-error' });
  assert.equal(said(wrong, positive, result('2009', coded('Negative'))), undefined);
  const cancelled = result('2011-01-05', { ...coded('Negative'), status: 'Cancelled' });
  assert.equal(said(positive, cancelled), undefined);
  assert.equal(said(positive), undefined);
});
