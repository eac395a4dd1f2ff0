import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourcesIn } from './documents.ts';
import { areTwoPeople, type Bond, nameAndBirthDate, People } from './people.ts';

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
    ['another family name and no given one', true, { ...ada, name: name('Birch') }, ada],
    ['a middle name more', false, ada, { ...ada, name: name('Alder', 'Ada', 'Maria') }],
    ['accents and case', false, { name: name('Núñez', 'Zoë') }, { name: name('NUNEZ', 'zoe') }],
    ['a former name beside', false, ada, { name: [...name('Birch', 'Ada'), ...name('Alder', 'Ada')] }],
    ['a name as text', false, ada, { name: [{ text: 'Ada Alder' }], birthDate: '1980-04-01' }],
    ['another name as text', true, { name: [{ text: 'Ada Alder' }] }, { name: [{ text: 'Bob Birch' }] }],
    ['a shared identifier', false, { ...ada, identifier: mrn('7') }, { name: name('B', 'C'), identifier: mrn('7') }],
    ['another identifier of one system', true, { ...ada, identifier: mrn('7') }, { ...ada, identifier: mrn('8') }],
    ['identifiers of other systems', false, { ...ada, identifier: mrn('7') }, { ...ada, identifier: mrn('8', 'x') }],
    ['one of two identifiers', false, { identifier: mrn('7') }, { identifier: [...mrn('8'), ...mrn('7')] }],
    [
      'an identifier without a system is no proof',
      true,
      { ...ada, identifier: mrn('7', '') },
      { name: name('Birch', 'Bob'), birthDate: '1980-04-01', identifier: mrn('7', '') },
    ],
    [
      'a shared identifier and another birth date',
      false,
      { ...ada, identifier: mrn('7') },
      { ...ada, birthDate: '1980-04-02', identifier: mrn('7') },
    ],
    [
      'a shared identifier of a whole family',
      true,
      { ...ada, identifier: mrn('7') },
      { name: name('Alder', 'Bob'), birthDate: '1975-01-09', identifier: mrn('7') },
    ],
    [
      'a newborn who was named later',
      false,
      { ...ada, name: name('Alder', 'Baby girl'), identifier: mrn('7') },
      { ...ada, identifier: mrn('7') },
    ],
    ['nothing', false, ada, {}],
    ['odd elements', false, ada, { name: 'Ada', identifier: [7, { value: 8 }], birthDate: 1980 }],
  ];
  for (const [why, expected, a, b] of rows) {
    assert.equal(areTwoPeople(a as never, b as never), expected, why);
    assert.equal(areTwoPeople(b as never, a as never), expected, `${why}, the other way`);
  }
});

test('a source in common makes up for another birth date, and no bond makes up for two differences', () => {
  const ada = { name: name('Alder', 'Ada'), birthDate: '1980-04-01' };
  const rows: [string, Bond, boolean, object, object][] = [
    ['a corrected birth date', 'source', false, ada, { ...ada, birthDate: '1980-04-02' }],
    ['the same without a source', 'none', true, ada, { ...ada, birthDate: '1980-04-02' }],
    ['another given name', 'source', true, ada, { name: name('Alder', 'Bea'), birthDate: '1980-04-02' }],
    ['another family name too', 'source', true, ada, { name: name('Birch', 'Ada'), birthDate: '1980-04-02' }],
    [
      'a family name alone',
      'source',
      true,
      { ...ada, name: name('Alder') },
      { name: name('Alder'), birthDate: '1999' },
    ],
    ['another identifier', 'source', true, { ...ada, identifier: mrn('7') }, { ...ada, identifier: mrn('8') }],
    [
      'another identifier in a version',
      'versions',
      false,
      { ...ada, identifier: mrn('7') },
      { ...ada, identifier: mrn('8') },
    ],
    ['another name in a version', 'versions', false, ada, { ...ada, name: name('Birch', 'Bob') }],
    ['two differences in a version', 'versions', true, ada, { name: name('Birch', 'Bob'), birthDate: '1975-01-09' }],
  ];
  for (const [why, bond, expected, a, b] of rows) {
    assert.equal(areTwoPeople(a as never, b as never, bond), expected, why);
    assert.equal(areTwoPeople(b as never, a as never, bond), expected, `${why}, the other way`);
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
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((space) => people.in('1', space)),
    [[0], [1], [0], []],
  );
  assert.equal(people.of(patient('1', { birthDate: '1975-01-01', name: name('Birch', 'Bob') })), 1);
  assert.equal(people.suffix('1', 0), '');
  assert.match(people.suffix('1', 1), /^[0-9a-f]{8}$/);
  assert.deepEqual(
    people.twins.map((one) => [one.id, one.space, nameAndBirthDate(one.patient)]),
    [
      ['1', 'a', '1980-01-01'],
      ['1', 'b', 'Bob Birch, 1975-01-01'],
    ],
  );
  assert.deepEqual(
    people.corrected.map((one) => [one.id, nameAndBirthDate(one.patient)]),
    [
      ['3', '1991-01-01'],
      ['3', '1992-01-01'],
    ],
  );
});

test('one space may have two people of one id, and several versions of each', () => {
  const people = new People();
  const ada = { name: name('Alder', 'Ada'), birthDate: '1980-01-01' };
  const bob = { name: name('Birch', 'Bob'), birthDate: '1975-01-01' };
  const all = [ada, bob, { ...ada, meta: { versionId: '2' } }, { ...bob, gender: 'male' }].map((one) =>
    patient('1', one),
  );
  for (const one of all) people.note(one, 'a');
  assert.deepEqual([[...people.sharedIds], people.in('1', 'a')], [['1'], [0, 1]]);
  assert.deepEqual(
    all.map((one) => people.of(one)),
    [0, 1, 0, 1],
  );
});

test('Patients of two servers are two, also where nothing else tells them apart', () => {
  const people = new People();
  const ada = { name: name('Alder', 'Ada'), birthDate: '1980-01-01' };
  people.note(patient('1', ada, 'https://a.example/fhir/Patient/1'), 'a');
  people.note(patient('1', ada, 'https://b.example/fhir/Patient/1/_history/2'), 'b');
  people.note(patient('1', ada), 'c');
  assert.deepEqual([[...people.sharedIds], people.twins, people.shared.length], [['1'], [], 2]);
  assert.deepEqual(
    [people.at('1', 'https://a.example/fhir'), people.at('1', 'https://b.example/fhir'), people.at('1', 'https://c')],
    [0, 1, undefined],
  );
  assert.deepEqual(people.in('1', 'c'), [0]);
});

test('a corrected birth date of the same source, in another file, is a version of one person', () => {
  const people = new People();
  const ada = { name: name('Alder', 'Ada'), birthDate: '1980-01-01' };
  const from = (source: string, birthDate: string) => ({ ...ada, birthDate, meta: { source } });
  people.note(patient('1', from('https://lab.example/x#1', '1980-01-01')), 'a');
  people.note(patient('1', from('https://lab.example/x#2', '1980-01-10')), 'b');
  people.note(patient('2', from('#1', '1980-01-01')), 'a');
  people.note(patient('2', from('#1', '1980-01-10')), 'b');
  assert.deepEqual([...people.sharedIds], ['2']);
  assert.deepEqual(
    people.corrected.map(({ id, patient: { birthDate }, space }) => [id, birthDate, space]),
    [
      ['1', '1980-01-01', 'a'],
      ['1', '1980-01-10', 'b'],
    ],
  );
});

test('a Patient that says too little to tell is of none of two people, in whatever order they come', () => {
  const blank = patient('1', { meta: { versionId: '1' } });
  const ada = patient('1', { name: name('Alder', 'Ada'), birthDate: '1980-04-01' });
  const bob = patient('1', { name: name('Birch', 'Bob'), birthDate: '1980-09-09' });
  const year = patient('1', { birthDate: '1980' });
  const all = { blank, ada, bob, year };
  for (const order of [
    ['blank', 'ada', 'bob', 'year'],
    ['ada', 'bob', 'blank', 'year'],
    ['year', 'bob', 'blank', 'ada'],
  ] as const) {
    const people = new People();
    for (const one of order) people.note(all[one], one);
    assert.equal(people.twins.length, 2, order.join());
    assert.deepEqual([people.in('1', 'blank'), people.in('1', 'year')], [[], []], order.join());
    assert.deepEqual([people.of(blank), people.of(year)], [-1, -1]);
    assert.notEqual(people.of(ada), people.of(bob));
    assert.deepEqual(people.in('1', 'ada'), [people.of(ada)]);
  }
});

test('a form that is less exact is no correction, and another family name is one', () => {
  const people = new People();
  const forms = [
    { name: name('Alder'), birthDate: '1980-04-01' },
    { name: name('Alder', 'Ada'), birthDate: '1980' },
    { name: name('alder', 'Ada', 'Maria') },
    { birthDate: '1980-04' },
  ];
  for (const [i, one] of forms.entries()) people.note(patient('1', one), `${i}`);
  assert.deepEqual([people.corrected, [...people.sharedIds]], [[], []]);
  const changed = new People();
  changed.note(patient('1', { name: name('Alder', 'Ada'), birthDate: '1980-04-01' }), 'a');
  changed.note(patient('1', { name: name('Birch', 'Ada'), birthDate: '1980-04-01' }), 'b');
  assert.deepEqual(
    changed.corrected.map((one) => nameAndBirthDate(one.patient)),
    ['Ada Alder, 1980-04-01', 'Ada Birch, 1980-04-01'],
  );
});

test('a chain of versions in one file changes one thing after the other', () => {
  const people = new People();
  const version = (family: string, birthDate: string, versionId: string) =>
    patient('1', { name: name(family, 'Ada'), birthDate, meta: { versionId } });
  people.note(version('Alder', '1980-04-01', '1'), 'a');
  people.note(version('Birch', '1980-04-01', '2'), 'a');
  people.note(version('Birch', '1980-04-10', '3'), 'a');
  assert.deepEqual([...people.sharedIds], []);
  assert.equal(people.corrected.length, 3);
});

test('people of one name and birth date under different ids are told, and no others', () => {
  const born = { birthDate: '1980-04-01' };
  const rows: [string, object, object, boolean][] = [
    ['the same', { name: name('Alder', 'Ada'), ...born }, { name: name('Alder', 'Ada'), ...born }, true],
    [
      'another middle name',
      { name: name('Alder', 'Ada'), ...born },
      { name: name('ÁLDER', 'ada', 'M'), ...born },
      true,
    ],
    [
      'given names in one text',
      { name: name('Alder', 'Ada Maria'), ...born },
      { name: name('Alder', 'Ada'), ...born },
      true,
    ],
    ['a name as text', { name: [{ text: 'Ada M Alder' }], ...born }, { name: name('Alder', 'Ada'), ...born }, true],
    [
      'a former name',
      { name: [...name('Birch', 'Ada'), ...name('Alder', 'Ada')], ...born },
      { name: name('Birch', 'Ada'), ...born },
      true,
    ],
    [
      'twins with a middle name in common',
      { name: name('Alder', 'Ada', 'M'), ...born },
      { name: name('Alder', 'Bea', 'M'), ...born },
      false,
    ],
    [
      'another day',
      { name: name('Alder', 'Ada'), ...born },
      { name: name('Alder', 'Ada'), birthDate: '1980-04-02' },
      false,
    ],
    [
      'a year alone',
      { name: name('Alder', 'Ada'), birthDate: '1980' },
      { name: name('Alder', 'Ada'), birthDate: '1980' },
      false,
    ],
    ['no name', { ...born }, { ...born }, false],
    ['odd names', { name: 'Ada', ...born }, { name: [7, {}, { family: 'Alder', given: 'Ada' }], ...born }, false],
  ];
  for (const [why, a, b, expected] of rows) {
    const people = new People();
    for (const [id, more] of [
      ['a', a],
      ['b', b],
    ] as const) {
      for (const one of resourcesIn({ resourceType: 'Patient', id, ...more })) people.note(one, `${id}.json`);
    }
    assert.deepEqual(
      people.alike.map((group) => group.map(({ id, space }) => [id, space])),
      expected
        ? [
            [
              ['a', 'a.json'],
              ['b', 'b.json'],
            ],
          ]
        : [],
      why,
    );
  }
  const same = new People();
  for (const _ of [1, 2]) {
    for (const one of resourcesIn({ resourceType: 'Patient', id: 'a', name: name('Alder', 'Ada'), ...born }))
      same.note(one, '');
  }
  assert.deepEqual(same.alike, [], 'two forms of one Patient are one');
});
