import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBelow, safeUrl, serverBase } from './address.ts';

test('a base is https, or http at this machine, and an address alone', () => {
  const bases: Record<string, string | undefined> = {
    'https://fhir.example/r4': 'https://fhir.example/r4',
    ' https://FHIR.example/r4// ': 'https://fhir.example/r4',
    'https://fhir.example': 'https://fhir.example',
    'http://localhost:8080/fhir': 'http://localhost:8080/fhir',
    'http://127.0.0.1/fhir/': 'http://127.0.0.1/fhir',
    'http://fhir.example/r4': undefined,
    'http://localhost.evil.example/r4': undefined,
    'https://user@fhir.example/r4': undefined,
    'https://:secret@fhir.example/r4': undefined,
    'https://fhir.example/r4?': undefined,
    'https://fhir.example/r4?x=y': undefined,
    'https://fhir.example/r4#': undefined,
    'javascript:alert(1)': undefined,
    'data:text/html,x': undefined,
    'blob:https://fhir.example/1': undefined,
    'ftp://fhir.example/r4': undefined,
    'fhir.example': undefined,
    '': undefined,
  };
  for (const [text, base] of Object.entries(bases)) assert.equal(serverBase(text), base, text);
  assert.equal(safeUrl('https://fhir.example/token?x=y')?.href, 'https://fhir.example/token?x=y');
});

test('an address below a base is one that a browser finds there', () => {
  const below = (address: string): boolean => isBelow('https://x.example/a/r4', address);
  for (const address of ['', '/', '/Patient/a', '?_getpages=1', '/Patient?name=a']) {
    assert.ok(below(`https://x.example/a/r4${address}`), address);
  }
  for (const address of [
    'https://x.example/a/r40/Patient',
    'https://x.example/a/r4/../../b/r4/Patient',
    'https://x.example/a/r4/%2e%2e/Patient',
    'https://x.example.evil/a/r4/Patient',
    'https://x.example@evil.example/a/r4/Patient',
    'http://x.example/a/r4/Patient',
    'Patient/a',
  ]) {
    assert.ok(!below(address), address);
  }
});
