import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourcesIn } from './documents.ts';
import { areTwoPeople, nameAndBirthDate, People } from './people.ts';

const name = (family: string, ...given: string[]) => [{ family, given }];
const mrn = (value: string, system = 'https://h.example/mrn') => [{ system, value }];

test('what tells people of one id apart, and what does not', () => {
  const ada = { name: name('Alder', 'Ada'), birthDate: '1980-04-01' };
  const rows: [string, boolean, object, object][] = [
    ['the same', false, ada, ada],
    ['another person', true, ada, { name: name('Birch', 'Bob'), birthDate: '1975-01-09' }],
    ['another birth date', true, ada, { ...ada, birthDate: '1980-04-02' }],
    ['a birth date that is less exact', false, ada, { ...ada, birthDate: '1980' }],
    ['no birth date', false, ada, { name: name('Alder', 'Ada') }],
    ['another name without a birth date', true, { name: name('Alder', 'Ada') }, { name: name('Birch', 'Ada') }],
    ['a relative', true, { name: name('Alder', 'Ada') }, { name: name('Alder', 'Bob') }],
    ['another family name with the same birth date', false, ada, { ...ada, name: name('Birch', 'Ada') }],
    ['twins', true, ada, { ...ada, name: name('Alder', 'Bea') }],
    ['a middle name more', false, ada, { ...ada, name: name('Alder', 'Ada', 'Maria') }],
    ['accents and case', false, { name: name('Núñez', 'Zoë') }, { name: name('NUNEZ', 'zoe') }],
    ['a former name beside', false, ada, { name: [...name('Birch', 'Ada'), ...name('Alder', 'Ada')] }],
    ['a name as text', false, ada, { name: [{ text: 'Ada Alder' }], birthDate: '1980-04-01' }],
    ['another name as text', true, { name: [{ text: 'Ada Alder' }] }, { name: [{ text: 'Bob Birch' }] }],
    ['a shared identifier', false, { ...ada, identifier: mrn('7') }, { name: name('B', 'C'), identifier: mrn('7') }],
    ['another identifier of one system', true, { ...ada, identifier: mrn('7') }, { ...ada, identifier: mrn('8') }],
    ['identifiers of other systems', false, { ...ada, identifier: mrn('7') }, { ...ada, identifier: mrn('8', 'x') }],
    ['one of two identifiers', false, { identifier: mrn('7') }, { identifier: [...mrn('8'), ...mrn('7')] }],
    ['nothing', false, ada, {}],
    ['odd elements', false, ada, { name: 'Ada', identifier: [7, { value: 8 }], birthDate: 1980 }],
  ];
  for (const [why, expected, a, b] of rows) {
    assert.equal(areTwoPeople(a as never, b as never), expected, why);
    assert.equal(areTwoPeople(b as never, a as never), expected, `${why}, the other way`);
  }
});

const patient = (id: string, more: object, fullUrl = '') => {
  const resource = { resourceType: 'Patient', id, ...more };
  const [placed] = resourcesIn({ resourceType: 'Bundle', entry: [{ fullUrl, resource }] });
  if (!placed) throw new Error('no patient');
  return placed;
};

test('the people of one id are known by their spaces, and the first keeps the id', () => {
  const people = new People();
  people.note(patient('1', { birthDate: '1980-01-01' }), 'a');
  people.note(patient('2', { birthDate: '1990-01-01' }), 'a');
  assert.deepEqual([...people.sharedIds], []);
  people.note(patient('1', { birthDate: '1975-01-01', name: name('Birch', 'Bob') }), 'b');
  people.note(patient('1', { birthDate: '1980-01-01' }), 'c');
  // In one file, another version is of the same person.
  const version = (versionId: string) => ({ birthDate: `199${versionId}-01-01`, meta: { versionId } });
  people.note(patient('3', version('1')), 'a');
  people.note(patient('3', version('2')), 'a');
  assert.deepEqual([...people.sharedIds], ['1']);
  const none = (): boolean => false;
  assert.equal(people.suffixOf('a', none), undefined);
  assert.equal(people.suffixOf('c', none), undefined);
  assert.match(people.suffixOf('b', none) ?? '', /^[0-9a-f]{8}$/);
  assert.equal(people.suffixOf('d', none), undefined, 'what does not mention the id stays');
  assert.match(people.suffixOf('d', (id) => id === '1') ?? '', /^unclear-/);
  assert.deepEqual(
    people.twins.map((one) => [one.id, one.space, nameAndBirthDate(one.patient)]),
    [
      ['1', 'a', '1980-01-01'],
      ['1', 'b', 'Bob Birch, 1975-01-01'],
    ],
  );
});

test('a file with two people of one id does not say whose its records are', () => {
  const people = new People();
  people.note(patient('1', { birthDate: '1980-01-01' }), 'a');
  people.note(patient('1', { birthDate: '1975-01-01' }), 'a');
  assert.deepEqual([[...people.sharedIds], people.isMixed('a'), people.isMixed('b')], [['1'], true, false]);
  assert.match(people.suffixOf('a', () => false) ?? '', /^unclear-/);
});

test('where two servers are named, the engine tells their resources apart', () => {
  const people = new People();
  people.note(patient('1', { birthDate: '1980-01-01' }, 'https://a.example/fhir/Patient/1'), 'a');
  people.note(patient('1', { birthDate: '1975-01-01' }, 'https://b.example/fhir/Patient/1'), 'b');
  assert.deepEqual([...people.sharedIds], []);
});
