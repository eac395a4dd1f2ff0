import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { growth } from '../counted.ts';
import { openApi } from './es/openapi.ts';
import { refusals } from './es/refusals.ts';
import { sandboxPatients } from './es/sandbox-patients.ts';
import { inWordsOf } from './sentences.ts';

const places = (text: string): string[] => [...(text.match(/\{\w+\}/g) ?? [])].sort();

test('a translation has the places of its sentence', () => {
  for (const sentences of [openApi, refusals, sandboxPatients]) {
    for (const [english, spanish] of Object.entries(sentences)) {
      // A path such as `Patient/{id}` is no place.
      if (english.includes('/{id}/')) continue;
      assert.deepEqual(places(spanish), places(english), english);
    }
  }
});

test('refusals, faults of files and checks of tokens are said in Spanish', () => {
  for (const [english, spanish] of [
    ['Observation has no search parameter "colour".', 'Observation no tiene ningún parámetro de búsqueda «colour».'],
    [
      'What is referred to was not looked at where it is not in the record of the same patient, or the access token ' +
        'does not open it.',
      'No se miró aquello a lo que se hace referencia si no está en el expediente del mismo paciente o si el ' +
        'token de acceso no da acceso a ello.',
    ],
    ['"2024-1" is not a date.', '«2024-1» no es una fecha.'],
    ['A value of "code" is empty.', 'Un valor de «code» está vacío.'],
    ['The access token does not open Goal.', 'El token de acceso no da acceso a Goal.'],
    ['code takes :missing, :not', 'code acepta :missing, :not'],
    [
      'YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm[:ss[.fff]][Z|+hh:mm|-hh:mm], ' +
        'after eq, ne, gt, lt, ge, le, sa, eb, ap or nothing',
      'AAAA, AAAA-MM, AAAA-MM-DD o AAAA-MM-DDThh:mm[:ss[.fff]][Z|+hh:mm|-hh:mm], ' +
        'tras eq, ne, gt, lt, ge, le, sa, eb, ap o nada',
    ],
    ['it is not JSON: expected value, at character 7', 'no es JSON: se esperaba un valor, en el carácter 7'],
    [
      'it is not JSON: EOF while parsing a string at line 3 column 9',
      'no es JSON: el texto termina en medio de una cadena, en la línea 3, columna 9',
    ],
    ['Patient without an id', 'Patient sin id'],
    ['It is signed by ES256; taken is ES256.', 'Está firmado con ES256; se acepta ES256.'],
    ['It ends at 2027-01-15T08:05:00Z, in 300 s.', 'Termina a las 2027-01-15T08:05:00Z, dentro de 300 s.'],
    [
      'Goal has no search parameter "x". It was left out.',
      'Goal no tiene ningún parámetro de búsqueda «x». Se omitió.',
    ],
  ] as const) {
    assert.equal(inWordsOf(refusals, english), spanish);
  }
});

test('what is not known stays, whole or in part', () => {
  assert.equal(inWordsOf(refusals, 'Another server says something.'), 'Another server says something.');
  assert.equal(inWordsOf(refusals, 'It was left out. Nobody knows why.'), 'Se omitió. Nobody knows why.');
  assert.equal(inWordsOf(refusals, ''), '');
  assert.equal(inWordsOf(refusals, 'constructor'), 'constructor');
});

test('a text of no template stays, and one of twice the length takes about twice the steps', () => {
  const long = (count: number): string => 'it is "a" and has no '.repeat(count);
  const times = growth(2_000, long, (text) => assert.equal(inWordsOf(refusals, text), text));
  assert.ok(times < 2.2, `${times} times the steps`);
});

test('what the sandbox publishes is said in Spanish', () => {
  const { patients, clients }: { patients: { shows: string }[]; clients: { name?: string }[] } = JSON.parse(
    readFileSync('src/api/sandbox.json', 'utf8'),
  );
  const texts = [...patients.map(({ shows }) => shows), ...clients.flatMap(({ name }) => name ?? [])];
  const names = ['edgechart demo'];
  assert.deepEqual(
    texts.filter((text) => inWordsOf(sandboxPatients, text) === text && !names.includes(text)),
    [],
  );
});
