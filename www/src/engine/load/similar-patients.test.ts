import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimilarPatients } from './similar-patients.ts';

test('people of one name and birth date or of one identifier are told, and no others', () => {
  const alike = new SimilarPatients(undefined);
  const note = (id: string, resource: object): void =>
    alike.note(
      { type: 'Patient', id, resource: { ...resource }, place: '', fullUrl: '', isHistory: false },
      `${id}.json`,
    );
  const named = (family: string, given: string, birthDate: string) => ({
    name: [{ family, given: [given] }],
    birthDate,
  });
  const identifier = (system: string, value: string) => ({ identifier: [{ system, value }] });
  note('a', named('Müller', 'Jörg Hans', '1950-01-02'));
  note('b', { name: [{ text: 'JÖRG MÜLLER' }], birthDate: '1950-01-02' });
  note('c', named('Müller', 'Jörg', '1950-01'));
  note('d', named('Müller', 'Eva', '1950-01-02'));
  note('e', identifier('urn:mrn', '7'));
  note('f', { ...named('Byron', 'Ada', '1985-12-10'), ...identifier('urn:mrn', '7') });
  note('g', identifier('', '7'));
  note('h', { name: 'odd', birthDate: 1950, identifier: [null, { system: 'urn:mrn' }] });
  assert.deepEqual(
    alike.groups(['x']).map((group) => group.map(({ patient, who }) => [patient, who].filter(Boolean).join(': '))),
    [
      ['a: Jörg Hans Müller, 1950-01-02', 'b: JÖRG MÜLLER, 1950-01-02'],
      ['e', 'f: Ada Byron, 1985-12-10'],
    ],
  );
});
