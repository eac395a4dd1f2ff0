import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOwnAddresses } from './own-addresses.ts';

const BASE = 'https://x.example/fhir/r4';
const CASES: [string, string][] = [
  ['https://documents.example.org/scans/a.pdf', 'scans/a.pdf'],
  ['https://documents.example.org/#a', '#a'],
  [`${BASE}/Binary/b`, 'Binary/b'],
  [`${BASE}/Condition/c`, `${BASE}/Condition/c`],
  ['https://other.example/Binary/b', 'https://other.example/Binary/b'],
];
for (const [url, wanted] of CASES) {
  test(`the address ${url} is taken along as ${wanted}`, () => {
    const line = (written: string): string => JSON.stringify({ content: [{ attachment: { url: written } }] });
    assert.equal(withOwnAddresses(`${line(url)}\n${line(url)}\n`, BASE), `${line(wanted)}\n${line(wanted)}\n`);
  });
}
