import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlacedResource } from './documents.ts';
import { areVersions, formOf } from './namesakes.ts';

interface Given {
  patient?: string;
  /** The text of the code. */
  code?: string;
  on?: string;
  space?: string;
  meta?: object;
  isHistory?: boolean;
  more?: object;
}

const form = ({ patient = 'a', code = 'Asthma', on, space = 'a.json', meta, isHistory = false, more }: Given) =>
  formOf(
    {
      resource: {
        resourceType: 'Observation',
        id: '1',
        subject: { reference: `Patient/${patient}` },
        code: { text: code },
        ...(on ? { effectiveDateTime: on } : {}),
        ...(meta ? { meta } : {}),
        ...more,
      },
      isHistory,
    } satisfies Pick<PlacedResource, 'resource' | 'isHistory'>,
    space,
  );

const OTHER = { space: 'b.json' };
const first = { meta: { versionId: '1', lastUpdated: '2024-01-01T00:00:00Z' } };
const second = { meta: { versionId: '2', lastUpdated: '2024-02-01T00:00:00Z' } };

/** Two forms of one address, and whether they are versions of one record. */
const CASES: [string, Given, Given, boolean][] = [
  ['the same content in two files', {}, OTHER, true],
  ['another value of the same thing', {}, { ...OTHER, more: { valueString: 'x' } }, true],
  ['another patient', {}, { ...OTHER, patient: 'b' }, false],
  ['another patient in one file', {}, { patient: 'b' }, false],
  ['another patient and another thing', {}, { ...OTHER, patient: 'b', code: 'Gout' }, false],
  ['another patient in a later version of one file', first, { ...second, patient: 'b' }, true],
  ['the same thing, moved to another patient', first, { ...second, ...OTHER, patient: 'b' }, true],
  ['versions of two servers with two patients', first, { ...second, ...OTHER, patient: 'b', code: 'Gout' }, false],
  ['another thing in another file', {}, { ...OTHER, code: 'Gout' }, false],
  ['another thing in the same file', {}, { code: 'Gout' }, false],
  ['another thing in a later version', first, { ...second, ...OTHER, code: 'Gout' }, true],
  ['another thing in the history of a server', { isHistory: true }, { isHistory: true, code: 'Gout' }, true],
  ['another thing, and one version alone', first, { ...OTHER, code: 'Gout' }, false],
  [
    'another thing, and another time under one version',
    first,
    { ...OTHER, code: 'Gout', meta: { versionId: '1', lastUpdated: '2024-02-01T00:00:00Z' } },
    false,
  ],
  ['words written otherwise', {}, { ...OTHER, code: 'ASTHMA.' }, false],
  ['words in capitals', {}, { ...OTHER, code: 'ASTHMA' }, true],
  [
    'the same code with other words',
    { more: { code: { text: 'Asthma', coding: [{ system: 's', code: '1' }] } } },
    { ...OTHER, more: { code: { text: 'Asma', coding: [{ system: 's', code: '1' }] } } },
    true,
  ],
  ['another day', { on: '2020-01-01' }, { ...OTHER, on: '2021-01-01' }, false],
  ['a day that is less exact', { on: '2020-01-01' }, { ...OTHER, on: '2020' }, true],
  ['another hour of a day', { on: '2020-01-01T08:00:00Z' }, { ...OTHER, on: '2020-01-01' }, true],
  ['no code in one of them', {}, { ...OTHER, more: { code: undefined } }, true],
  ['odd elements', { more: { code: 3, meta: 'x' } }, { ...OTHER, more: { code: [null], subject: [] } }, true],
];

for (const [what, one, other, wanted] of CASES) {
  test(`${what}: ${wanted ? 'versions' : 'two records'}`, () => {
    assert.equal(areVersions(form(one), form(other)), wanted);
    assert.equal(areVersions(form(other), form(one)), wanted);
  });
}
