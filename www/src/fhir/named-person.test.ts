import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Difference, differenceOf, writtenNames } from './named-person.ts';

const person = (name: string | string[], ...birthDates: string[]) => ({ names: [name].flat(), birthDates });
const BOTH: Difference = { name: true, birthDate: true };
const NAME: Difference = { name: true, birthDate: false };
const DAY: Difference = { name: false, birthDate: true };

test('a document of the patient is told from one of another person', () => {
  const chart = person('Ada Lovelace', '1985-12-10');
  for (const [of, named, expected] of [
    [chart, person('Ada Lovelace', '1985-12-10'), undefined],
    [chart, person('LOVELACE, A.'), undefined],
    // A family name may change.
    [chart, person('Ada Byron', '1985-12-10'), undefined],
    [chart, person('Charles Babbage', '1985-12-10'), NAME],
    [chart, person('Charles Babbage', '1991-12-26'), BOTH],
    [chart, person('Ada Lovelace', '1985-10-12'), DAY],
    [chart, person('Ada Lovelace', '1984'), undefined],
    [chart, person('', ''), undefined],
    [chart, person([], '1984-12-10'), DAY],
    [person([]), person('Ada Lovelace', '1985-12-10'), undefined],
    [person('Jörg Müller'), person('Joerg Mueller'), undefined],
    [person("Anne O'Brien"), person('OBRIEN'), undefined],
    // Names in different scripts are not compared; a name that exists in both scripts is.
    [person('山田 太郎'), person('Taro Yamada'), undefined],
    [person(['山田 太郎', 'Taro Yamada']), person('Hanako Sato'), NAME],
  ] as const)
    assert.deepEqual(differenceOf(of, named), expected, `${of.names}: ${named.names} ${named.birthDates}`);
});

test('all names of a Patient count, as text and by their parts', () => {
  assert.deepEqual(
    writtenNames([{ text: 'Ada L.', given: ['Ada', null], family: 'Lovelace' }, { family: 'Byron' }, {}]),
    ['Ada L.', 'Ada Lovelace', 'Byron'],
  );
});
