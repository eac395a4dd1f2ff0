import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGLISH } from '../language/words.ts';
import { related } from '../results/related.ts';
import { PREGNANCY_CASES, TODAY, ZONE } from './pregnancy.cases.ts';
import { pregnancyLines } from './pregnancy.ts';

process.env.TZ = ZONE;

for (const { from, of, says } of PREGNANCY_CASES) {
  test(`a pregnancy: ${from}`, () => {
    const lines = pregnancyLines(
      ENGLISH,
      related(of, () => undefined),
      Date.parse(TODAY),
    );
    assert.deepEqual(
      lines.map(({ name, value, words, caution }) =>
        [[name, value].filter(Boolean).join(' '), words, caution].filter(Boolean).join(', ').replaceAll('\u00a0', ' '),
      ),
      says,
    );
  });
}
