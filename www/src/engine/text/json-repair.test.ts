import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repaired } from './json-repair.ts';
import { MAX_LENGTH } from './parsed-document.ts';

const P = '{"resourceType":"Patient","id":"p"}';
const C = '{"resourceType":"Condition","id":"c","note":[{"text":"a } ] \\" b"}]}';
const entries = (...resources: string[]): string => resources.map((one) => `{"resource":${one}}`).join(',');
const bundle = (...resources: string[]): string =>
  `{"resourceType":"Bundle","type":"searchset","entry":[${entries(...resources)}]}`;

/** Returns the ids of the resources that are read, and the rest of the outcome. */
function outcome(text: string): unknown {
  const made = repaired(text);
  if (!made) return undefined;
  const document = JSON.parse(made.text);
  const all = document.entry?.map(({ resource }: { resource: { id: string } }) => resource.id) ?? [document.id];
  return [all.join(' '), made.lost, made.isCutOff];
}

test('JSON stays as it is, with the digits of its numbers', () => {
  for (const text of [P, C, bundle(P, C), '{"value":1.0}', '{"a":"\\ud83d\\ude00 \\\\ud83d"}']) {
    assert.deepEqual(repaired(text), { text, lost: 0, isCutOff: false });
  }
});

const WHOLE: [string, string, string][] = [
  ['a tab in a string', P.replace('"p"', '"p\tq"'), 'p\tq'],
  ['a line end in a string', P.replace('"p"', '"p\nq"'), 'p\nq'],
  ['a control character in a string', P.replace('"p"', '"p\u0001q"'), 'p\u0001q'],
  ['a comma before a brace', P.replace('}', ' , }'), 'p'],
  ['a comma before a bracket', bundle(P, C).replace(']}', ',\n]}').replace(/}$/, ',}'), 'p c'],
  ['half of a character', P.replace('"p"', '"p\\ud83d"'), 'p\ufffd'],
  ['the other half of one', P.replace('"p"', '"\\ude00p"'), '\ufffdp'],
  ['two documents', P + C, 'p c'],
  ['two documents with commas', `${P},\n${C},\n`, 'p c'],
  [
    'two indented documents',
    `${JSON.stringify(JSON.parse(P), null, 2)}\n${JSON.stringify(JSON.parse(C), null, 2)}\n`,
    'p c',
  ],
];
for (const [what, text, ids] of WHOLE) {
  test(`nothing is lost by ${what}`, () => {
    assert.deepEqual(outcome(text), [ids, 0, false]);
  });
}

const IN_PART: [string, string, unknown][] = [
  ['breaks off in an entry', bundle(P, C).slice(0, -9), ['p', 1, true]],
  ['breaks off behind an entry', bundle(P, C).slice(0, -2), ['p c', 1, true]],
  ['has an entry that is no JSON', bundle(P, C.replace('"c"', 'NaN'), P), ['p p', 1, false]],
  ['is followed by one that breaks off', P + C.slice(0, -5), ['p', 1, true]],
  ['is a list with an item that is no JSON', `[${P},${C.replace('"c"', 'NaN')}]`, ['p', 1, false]],
  ['is a list without its end', `[${P},${C}`, ['p c', 1, true]],
  ['is no Bundle and breaks off', C.slice(0, -5), undefined],
  ['has no JSON', 'oops', undefined],
];
for (const [what, text, wanted] of IN_PART) {
  test(`what is whole is read of a document that ${what}`, () => {
    assert.deepEqual(outcome(text), wanted);
  });
}

test('the ends of lines stay, so that lines are counted as in the file', () => {
  const text = `${P}\n\n${C}`;
  assert.equal(repaired(text)?.text.split('\n').length, 3);
});

test('a document that is too long to be parsed stays where its brackets close, and is read in part where not', () => {
  const long = bundle(P, C.replace('"c"', 'NaN'), C).replace('"type"', `${' '.repeat(MAX_LENGTH)}"type"`);
  assert.equal(repaired(long)?.text, long);
  for (const [text, lost, isCutOff] of [
    [long.slice(0, -9), 2, true],
    [long + P, 0, false],
  ] as const) {
    const made = repaired(text);
    assert.deepEqual([made?.lost, made?.isCutOff], [lost, isCutOff]);
  }
});
