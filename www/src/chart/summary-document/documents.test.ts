import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageWords } from '#reading/documents/age.ts';
import { mayHave } from '#reading/documents/places.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { ENGLISH } from '#reading/language/words.ts';
import { indexOf, otherHeading } from './documents.ts';
import { newestDate } from './line.ts';

const section = (code: string, title: string, more: object = {}): object => ({
  title,
  code: { coding: [{ system: 'http://loinc.org', code }] },
  ...more,
});
const words = { text: { div: '<div>words</div>' } };
const document = (id: string, date: string, ...sections: object[]): Resource => ({
  resourceType: 'Composition',
  id,
  ...{ date, section: sections },
});

test('words stand in the section of the chart for their code, of the newest document first', () => {
  const { words: found } = indexOf([
    document('a', '2019-01-01', section('10160-0', 'Medication', words), section('11450-4', 'Problems')),
    document(
      'b',
      '2020-01-01',
      section('10160-0', 'Medicines', { ...words, section: [section('no-code', 'Within', words)] }),
      section('8716-3', 'Signs', { emptyReason: { text: 'not done' } }),
      section('x', 'Letter', words),
    ),
  ]);
  const titles = Object.fromEntries(
    [...found].map(([place, parts]) => [place, parts.map(({ sections }) => sections.map(({ title }) => title))]),
  );
  assert.deepEqual(titles, {
    medications: [['Medicines', 'Within'], ['Medication']],
    vitals: [['Signs']],
    documents: [['Letter']],
  });
});

test('a section without a known code stands among the notes, but for one about allergies', () => {
  const local = (title: string, more: object = {}): object => ({
    title,
    code: { coding: [{ code: 'local' }] },
    ...more,
  });
  const { words: found } = indexOf([
    document(
      'a',
      '2020',
      local('Allergies and Adverse Reactions', words),
      local('Current Repeat Medications', words),
      local('Clinical', { section: [local('Vaccinations', words), local('Drug allergies', words)] }),
      section('18776-5', 'Plan', { section: [local('Medications', words)] }),
      section('8648-8', 'Diagnoses and hospital course', words),
    ),
  ]);
  const titles = (place: string): unknown[] =>
    (found.get(place) ?? []).flatMap(({ sections }) => sections.map(({ title }) => title));
  assert.deepEqual(titles('allergies'), ['Allergies and Adverse Reactions', 'Drug allergies']);
  assert.deepEqual(titles('plan'), ['Medications']);
  assert.deepEqual(titles('documents'), [
    'Current Repeat Medications',
    'Vaccinations',
    'Diagnoses and hospital course',
  ]);
});

test('observations whose values are words are the words of a section that has none', () => {
  const observation = (id: string, code: string, valueString?: string): [string, Resource] => [
    `Observation/${id}`,
    {
      resourceType: 'Observation',
      id,
      code: { coding: [{ system: 'http://loinc.org', code, display: `Name of ${id}` }] },
      ...(valueString === undefined ? {} : { valueString }),
      ...(id === 'result' ? { specimen: {} } : {}),
    } as Resource,
  ];
  const records = new Map([
    observation('history', '11329-0', 'Heart failure < NYHA III'),
    observation('diagnosis', '29548-5', 'Compensated'),
    observation('advice', '80615-8', 'Echo in 3 months'),
    observation('blood', '718-7', '13.6 g/dL'),
    observation('empty', '55110-1'),
    observation('result', '94507-1', 'Detected in Serum'),
  ]);
  const to = (...ids: string[]): object => ({ entry: ids.map((id) => ({ reference: `Observation/${id}` })) });
  const coded = (code: string, more: object): object => ({
    code: { coding: [{ system: 'http://loinc.org', code }] },
    ...more,
  });
  const {
    words: found,
    documents,
    listed,
  } = indexOf(
    [
      document(
        'a',
        '2025-12-07',
        section('47039-3', 'Admission', { section: [coded('11329-0', to('history', 'diagnosis'))] }),
        coded('80615-8', to('advice', 'gone')),
        coded('30954-2', to('blood')),
        coded('55110-1', to('empty')),
        section('11450-4', 'Problems', { ...words, ...to('history') }),
        to('history'),
        section('18776-5', 'Plan', to('result')),
      ),
    ],
    (address) => records.get(address),
  );
  const said = Object.fromEntries(
    [...found].map(([place, parts]) => [
      place,
      parts.flatMap(({ sections }) => sections.map(({ title, div, entries }) => [title, div, entries.length])),
    ]),
  );
  assert.deepEqual(said, {
    problems: [
      [
        'Name of history',
        '<p>Name of history: Heart failure &lt; NYHA III</p><p>Name of diagnosis: Compensated</p>',
        0,
      ],
      ['Problems', '<div>words</div>', 1],
    ],
    plan: [['Name of advice', '<p>Echo in 3 months</p>', 1]],
  });
  assert.ok(documents[0]?.sections.every(({ title, div }) => div === undefined || title === 'Problems'));
  assert.equal(listed.get('Observation/history')?.length, 3);
});

test('a document without a section of results has none for reports either', () => {
  const { documents } = indexOf([document('a', '2019', section('30954-2', 'Results'))]);
  const has = (place: string): boolean => documents[0]?.sections.some((one) => mayHave(one, place)) ?? false;
  assert.deepEqual(['labs', 'reports', 'plan'].map(has), [true, true, false]);
});

test('a problem says under which other heading a document lists it', () => {
  const entry = (id: string): object => ({ entry: [{ reference: `Condition/${id}` }] });
  const { listed } = indexOf([
    document('a', '2019', section('11348-0', 'Past illness', entry('p')), section('11450-4', 'Problems', entry('q'))),
  ]);
  const heading = (id: string, isOver: boolean): string | undefined =>
    otherHeading(isOver, listed.get(`Condition/${id}`) ?? []);
  assert.equal(heading('p', false), 'Past illness');
  assert.equal(heading('p', true), undefined);
  assert.equal(heading('q', false), undefined);
  assert.equal(heading('q', true), 'Problems');
  assert.equal(heading('r', false), undefined);
});

test('a document that is older than 30 days says its age', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  const ages = ['2017-02-20', '2024-03-15', '2026-01-15', '2026-02-10', '2027', undefined].map((d) =>
    ageWords(ENGLISH, d, now),
  );
  assert.deepEqual(ages, ['9 years ago', '23 months ago', '45 days ago', '', '', '']);
});

test('the newest record is the one with the latest date that is not ahead, of those that say what happened', () => {
  const one = (id: string, effectiveDateTime: string): Resource => ({
    resourceType: 'Observation',
    id,
    ...{ effectiveDateTime },
  });
  const born: Resource = { resourceType: 'Patient', id: 'p', ...{ birthDate: '2025-01-01' } };
  const now = Date.parse('2026-03-01T00:00:00Z');
  assert.equal(newestDate([one('a', '2019-01-02'), born, one('b', '2020'), one('c', '2031-01-01')], now), '2020');
  assert.equal(newestDate([born], now), undefined);
  assert.equal(newestDate([{ ...one('d', '2021'), ...{ status: 'entered-in-error' } }], now), undefined);
});

test('a code that is known tells the place of a section, whatever its title is', () => {
  const titled = (title: string, more: object = {}): string | undefined =>
    [...indexOf([document('a', '2019', { title, ...words, ...more })]).words.keys()][0];
  assert.equal(titled('Letter'), 'documents');
  assert.equal(titled('Letter about allergies', { code: { coding: [{ code: '10160-0' }] } }), 'medications');
});
