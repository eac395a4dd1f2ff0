import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curl, fhirclient, http } from './snippets.ts';

test('a copied curl is safe for a shell and has the query exactly', () => {
  const query = "name=O'Brien&code=http://loinc.org|4548-4&date=2020-01-01T00:00:00+01:00";
  const command = curl(`https://x.example/fhir/r4/Patient?${query}`);
  assert.match(command, /--data-urlencode 'name=O'\\''Brien'/);
  assert.match(command, /--data-urlencode 'code=http:\/\/loinc\.org\|4548-4'/);
  assert.match(command, /--data-urlencode 'date=2020-01-01T00:00:00\+01:00'/);
  assert.match(command, /\$TOKEN/);
  assert.doesNotMatch(curl('https://x.example/fhir/r4/metadata', false), /TOKEN|--get/);
});

test('an .http file has its pipes, braces and line ends encoded', () => {
  assert.match(http('https://x.example/Observation?code=a|b'), /^GET https:\/\/x\.example\/Observation\?code=a%7Cb\n/);
  assert.match(
    http('https://x.example/X?a={{token}}\n###'),
    /^GET https:\/\/x\.example\/X\?a=%7B%7Btoken%7D%7D%0A###\n/,
  );
});

test('fhirclient reads one resource, or every page of a search', () => {
  const base = 'https://x.example/fhir/r4';
  assert.match(fhirclient(`${base}/Patient/a`, base), /client\.request\("Patient\/a"\)/);
  assert.match(fhirclient(`${base}/Patient?_id=a`, base), /pageLimit: 0/);
});
