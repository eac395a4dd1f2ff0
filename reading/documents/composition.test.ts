import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { documentsIn, linesOf, saysNothing, wordsOf } from './composition.ts';

const LOINC = 'http://loinc.org';
const composition = (id: string, more: object): Resource => ({ resourceType: 'Composition', id, ...more });
const coded = (code: string, system: string | undefined = LOINC): object => ({ coding: [{ system, code }] });

test('a document has its sections and those in them, with codes, words, entries and reasons', () => {
  const [found] = documentsIn(ENGLISH, [
    composition('c', {
      type: coded('60591-5'),
      date: '2019-04-05',
      title: 'Summary',
      author: [{ reference: 'https://x.example/Practitioner/p' }, { display: 'Dr. Ríos' }],
      section: [
        {
          title: 'Plan',
          code: coded('18776-5'),
          text: { div: '<div>Continue for <b>5 years</b></div>' },
          section: [{ code: coded('x', 'urn:other'), entry: [{ reference: 'Goal/g' }], text: { div: '<div> </div>' } }],
        },
        { code: coded('48765-2'), emptyReason: { coding: [{ code: 'nilknown' }] } },
      ],
    }),
  ]);
  assert.deepEqual(
    found?.sections.map(({ codes, around, div, entries, emptyReason }) => [
      codes,
      around,
      div !== undefined,
      entries,
      emptyReason?.coding?.[0]?.code,
    ]),
    [
      [['18776-5'], [], true, [], undefined],
      [[], [{ codes: ['18776-5'], names: ['Plan'] }], false, ['Goal/g'], undefined],
      [['48765-2'], [], false, [], 'nilknown'],
    ],
  );
  assert.equal(found?.isSummary, true);
  assert.deepEqual(found?.authors, ['Dr. Ríos']);
});

test('the newest document comes first, and one that was entered by mistake does not count', () => {
  const found = documentsIn(ENGLISH, [
    composition('old', { date: '2018' }),
    composition('undated', {}),
    composition('mistake', { date: '2024-01-01', status: 'entered-in-error' }),
    composition('new', { date: '2020-02-03T10:00:00Z' }),
    { resourceType: 'Basic', id: 'b' },
  ]);
  assert.deepEqual(
    found.map(({ resource }) => resource.id),
    ['new', 'old', 'undated'],
  );
});

test('odd documents are read as far as they are understood', () => {
  const odd = [null, 'text', 7, [null], { coding: 'x' }, { coding: [null, { code: 5 }] }, { div: 3 }];
  for (const one of odd) {
    const section = [one, { title: one, code: one, text: one, entry: one, emptyReason: one, section: one }];
    const [found] = documentsIn(ENGLISH, [
      composition('c', { type: one, title: one, date: one, author: one, section }),
    ]);
    assert.ok(found, JSON.stringify(one));
  }
  const endless: { section?: object[] } = {};
  endless.section = [endless];
  assert.ok(documentsIn(ENGLISH, [composition('c', { section: [endless] })]).length);
});

test('words of markup are lines of rows, items and paragraphs, without the heads of tables', () => {
  const table =
    '<div><table><thead><tr><th>Name</th><th>Dose</th></tr></thead>' +
    '<tr><td>Alpha&#160;beta</td><td></td><td>5&nbsp;&lt; 6</td></tr></table><p>one<br/>two</p><!-- <p>x</p> --></div>';
  assert.deepEqual(linesOf(ENGLISH, table), ['Name, Dose', 'Alpha beta, 5 < 6', 'one', 'two']);
  assert.equal(wordsOf(ENGLISH, table), 'Alpha beta, 5 < 6 · one · two');
  assert.deepEqual(
    linesOf(ENGLISH, 'caf&#xE9; a&ntilde;o &Uuml;&szlig;<![CDATA[a < b]]>&#9;5 &#181;g&nbsp;&plusmn; 1 &#0;&#x110000;'),
    ['café año Üßa < b 5 µg ± 1 &#0;&#x110000;'],
  );
});

test('markup without an end is read once', () => {
  for (const odd of ['<p style=', '<s>', '<strike ', '<!--', '<![CDATA[', '<script', '<br', '<thead', '<tr><th>'])
    assert.ok(wordsOf(ENGLISH, odd.repeat(10_000)).length < 200_000, odd);
});

test('what is struck out does not read like what stands', () => {
  const div =
    '<div><p><del>Warfarin</del> Apixaban</p><p><span style="text-decoration: line-through">Iron</span></p></div>';
  assert.equal(wordsOf(ENGLISH, div), '[struck out: Warfarin] Apixaban · [struck out: Iron]');
  assert.equal(wordsOf(ENGLISH, '<div><small>5 mg</small> <span>daily</span></div>'), '5 mg daily');
  assert.equal(wordsOf(ENGLISH, '<p><s>a</s><S>b</S > c <s>d</p>'), '[struck out: a][struck out: b] c d');
});

test('a section about another one than the patient says whom', () => {
  const [found] = documentsIn(ENGLISH, [
    composition('c', {
      subject: { reference: 'Patient/a' },
      section: [
        { title: 'Of the patient', focus: { reference: 'https://x.example/Patient/a' } },
        { title: 'Of a child', focus: { reference: 'Patient/b', display: 'Baby Ríos' } },
        { title: 'Odd', focus: 7 },
      ],
    }),
  ]);
  assert.deepEqual(
    found?.sections.map(({ about }) => about),
    [undefined, 'Baby Ríos', undefined],
  );
});

test('a row of heads of columns is no line of words', () => {
  const rows = '<table><tr><th>Drug</th><th>Dose</th></tr><tr><th>Alpha</th><td>5 mg</td></tr></table>';
  assert.equal(wordsOf(ENGLISH, rows), 'Alpha, 5 mg');
});

test('a section is named by its title and by the words of its codes of any system', () => {
  const code = { coding: [{ system: 'http://snomed.info/sct', code: '1', display: 'Allergies record' }], text: 'A' };
  const [found] = documentsIn(ENGLISH, [composition('c', { section: [{ title: 'Warnings', code }] })]);
  assert.deepEqual(found?.sections[0]?.names, ['Warnings', 'A', 'Allergies record']);
});

test('few words that there is nothing are told from words that say something', () => {
  const nothing = [
    'None recorded.',
    'No Known Implantable Devices',
    'Sin datos',
    'Keine bekannt',
    'Geen',
    'Aucune',
    'No immunization history',
  ];
  for (const text of nothing) assert.equal(saysNothing(`<div><p>${text}</p></div>`), true, text);
  const something = [
    'Node of the neck, 2 cm',
    'No known allergies but penicillin',
    'No aspirin',
    'Kein ASS',
    'Not to take ibuprofen: bled twice from the stomach in 2019, see the letter of the hospital of 4 May 2019',
    'Aspirin',
  ];
  for (const text of something) assert.equal(saysNothing(`<div>${text}</div>`), false, text);
  assert.equal(saysNothing('<div><p>None recorded.</p><p>Warfarin 3 mg</p></div>'), false);
});

test('a document that another one replaces says nothing in the sections, and an addition says what it adds to', () => {
  const relating = (code: string): object => ({
    relatesTo: [{ code, targetReference: { reference: 'Composition/a' } }],
  });
  const related = (code: string) =>
    documentsIn(ENGLISH, [
      composition('a', { date: '2020' }),
      composition('b', { date: '2021', ...relating(code) }),
    ]).map(({ resource, related }) => `${resource.id} ${related ?? ''}`);
  assert.deepEqual(related('replaces'), ['b ']);
  assert.deepEqual(related('appends'), ['b adds to the document of 2020', 'a with an addition of 2021']);
});
