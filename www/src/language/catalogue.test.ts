import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { codes, elements } from '#reading/language/es/codes.ts';
import { spanish, spanishWords } from './es/catalogue.ts';
import { examples } from './es/examples.ts';
import { SOURCES, sourceFiles, textsOf } from './texts.ts';

/** Names that are equal in both languages. */
const NAMES = new Set([
  'SNOMED CT',
  'edgechart',
  'CapabilityStatement',
  'OpenAPI',
  'English',
  'Español',
  'openapi.json',
  'https://fhir.example.org/r4',
]);

/**
 * Sources with texts for developers: validation errors with a JSON path, the script policy, requests as code, and the
 * description of the interface; and those with texts for models, which put them into the language of the person.
 */
const FOR_DEVELOPERS = /\/(?:engine\/types|shape|trusted-types|export\/snippets|tools\/[\w-]+)\.ts$/;

/** Protocols, the same in all languages: scopes, headers, codes. */
const PROTOCOL = new Set([
  'export TOKEN=',
  'export TOKEN=…',
  'launch/patient patient/Patient.read',
  'launch/patient openid fhirUser patient/*.read',
  'patient/*.read patient/Observation.write pateint/Condition.read patient/MedicationDispense.read',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
  '400, invalid_grant, no-store.',
  // The display of a code in a document.
  'Information Withheld',
  'Nil Known',
]);

/**
 * Strings with a space that users do not read: messages between tabs, names of states, selectors, a font, markup, an
 * error of the page, a header of the log, an error of our server, the display of a code, a place that the engine
 * reports, and the names of external values, with which errors for developers begin.
 */
const INTERNAL = new Set([
  'The page has no element for the app.',
  'your files',
  'signed in',
  'signed out',
  'who is newer',
  'the CapabilityStatement',
  'the examples',
  'main details:not([open])',
  'as if',
  'the user denied it',
  'the refusal',
  'the token response',
  'the SMART configuration',
  'the sandbox',
  'the answer of the simulator',
  'the record',
  'the manifest',
  'the answer',
  '.index ul',
  '.rail ol',
  '1em Hyperlegible',
  '<div xmlns="http://www.w3.org/1999/xhtml" lang="',
  'Patient summary Document',
  ', at character $1',
]);

/** Files with texts that are not messages and are fetched separately. */
const BESIDE = ['sandbox-patients.ts'];

/** Messages that the sources do not name. */
const fromData = { ...codes, ...elements, ...examples };

const texts = Object.values(SOURCES).flatMap(sourceFiles).flatMap(textsOf);
const messages = Object.entries<string>(spanish);
const places = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

test('a translation has the places of its message, and forms where it has a number', () => {
  for (const [message, translation] of messages) {
    assert.deepEqual(places(translation), places(message), message);
    assert.ok(!message.includes('|') || places(message).includes('{n}'), message);
    for (const text of [message, translation]) assert.ok(text.split('|').length <= 2, text);
    assert.ok(!translation.includes('#'), translation);
  }
});

test('each message is translated once, and in use', async () => {
  const seen = new Set<string>();
  for (const sources of Object.values(SOURCES)) {
    const used = new Set(
      texts.flatMap(({ file, text, inTemplate }) => (!inTemplate && file.startsWith(sources) ? text : [])),
    );
    const folder = `${sources}/language/es`;
    for (const part of readdirSync(folder).filter((name) => !['catalogue.ts', ...BESIDE].includes(name))) {
      const module: Record<string, Record<string, string>> = await import(pathToFileURL(`${folder}/${part}`).href);
      for (const message of Object.values(module).flatMap((one) => Object.keys(one))) {
        assert.ok(!seen.has(message), `twice: ${message}`);
        seen.add(message);
        assert.ok(used.has(message) || message in fromData, `not in use: ${message}`);
      }
    }
  }
  assert.deepEqual(seen, new Set(messages.map(([message]) => message)));
});

test('the notes of the saved examples are translated, and no others', () => {
  const saved: { level: string; note: string }[] = JSON.parse(readFileSync('www/examples.json', 'utf8'));
  const shown = new Set(saved.flatMap(({ level, note }) => [level, note]));
  // The conformance verbs of FHIR stay, and most examples have no note.
  for (const same of ['SHALL', 'SHOULD', '']) shown.delete(same);
  assert.deepEqual(Object.keys(examples).sort(), [...shown].sort());
});

test('what the sandbox publishes is said in Spanish', () => {
  const { patients, clients }: { patients: { shows: string }[]; clients: { name?: string }[] } = JSON.parse(
    readFileSync('src/api/authorization/sandbox.json', 'utf8'),
  );
  const published = [...patients.map(({ shows }) => shows), ...clients.flatMap(({ name }) => name ?? [])];
  assert.deepEqual(
    published.filter((text) => !(text in spanishWords)),
    ['edgechart demo'],
  );
});

test('no text for people stands outside of the catalogue', () => {
  const known = new Set(Object.keys(spanishWords));
  const missing = texts
    .filter(({ file }) => !FOR_DEVELOPERS.test(file))
    .filter(({ text, inTemplate }) => (inTemplate ? /\p{L}{2}/u : /\p{L}{2}[,.:;]? \p{L}{2}/u).test(text))
    .filter(({ text }) => !known.has(text))
    .filter(({ text }) => !NAMES.has(text) && !PROTOCOL.has(text) && !INTERNAL.has(text));
  assert.deepEqual(
    missing.map(({ file, text }) => `${file}: ${text}`),
    [],
  );
});
