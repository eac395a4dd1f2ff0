import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growth } from '../counted.ts';
import { ENGLISH } from '../language/words.ts';
import { rtfText } from './rtf.ts';

const HEAD = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}}{\colortbl;\red0\green0\blue0;}`;
const ROWS: [name: string, rtf: string, text: string][] = [
  [
    'words and lines',
    String.raw`${HEAD}\pard\f0\fs20 Dear colleague,\par\par {\b Aspirin} 100 mg\par}`,
    'Dear colleague,\n\nAspirin 100 mg',
  ],
  ['letters of a code page', String.raw`${HEAD} Gr\'f6\'dfe 5 \'b5g}`, 'Größe 5 µg'],
  ['letters of another code page', String.raw`{\rtf1\ansi\ansicpg1251 \'c0\'f1}`, 'Ас'],
  ['letters of two bytes', String.raw`{\rtf1\ansi\ansicpg932 \'96\'f2}`, '薬'],
  ['letters of Unicode', String.raw`{\rtf1\ansi\uc1 \u8805?5 and \u-10179?\u-8704? {\uc0\u176 C}}`, '≥5 and 😀 °C'],
  ['letters of Unicode with bytes in their place', String.raw`{\rtf1\uc1\u233\'e9t\u233\'e9}`, 'été'],
  ['escaped signs', String.raw`{\rtf1 a\\b \{c\} d\~e}`, 'a\\b {c} d\u00a0e'],
  [
    'a table',
    String.raw`{\rtf1\trowd Sodium\cell 140\cell\row Potassium\cell 4\cell\row}`,
    'Sodium\t140\nPotassium\t4',
  ],
  [
    'what is no text',
    String.raw`{\rtf1{\*\generator Word;}{\info{\title Letter}}{\pict\pngblip 89504e47}Text}`,
    'Text',
  ],
  [
    'words that are struck out',
    String.raw`{\rtf1 Takes {\strike warfarin 5 mg} apixaban}`,
    'Takes [struck out: warfarin 5 mg] apixaban',
  ],
  ['words that are struck out until a word', String.raw`{\rtf1\strike old\strike0  new}`, '[struck out: old] new'],
  ['words that are struck out until the end', String.raw`{\rtf1 a {\deleted b}}`, 'a [struck out: b]'],
  ['braces that are not closed', String.raw`{\rtf1 {a {b`, 'a b'],
  ['too many braces', '}}}a}}', 'a'],
  ['nothing', '', ''],
];

for (const [name, rtf, text] of ROWS) test(`the text of RTF: ${name}`, () => assert.equal(rtfText(ENGLISH, rtf), text));

test('a document of twice the length takes about twice the steps', () => {
  const long = (count: number): string => `{\\rtf1 ${"{\\b x} \\'e9\\par ".repeat(count)}}`;
  assert.equal(rtfText(ENGLISH, long(50_000)).length, 50_000 * 4 - 1);
  const times = growth(5_000, long, (rtf) => rtfText(ENGLISH, rtf));
  assert.ok(times < 2.2, `${times} times the steps`);
});
