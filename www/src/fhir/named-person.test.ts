import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Difference, differenceOf, writtenNames } from './named-person.ts';
import { datesIn, personIn } from './person-in-text.ts';

const person = (name: string | string[], ...birthDates: string[]) => ({ names: [name].flat(), birthDates });
const BOTH: Difference = { name: true, birthDate: true };
const NAME: Difference = { name: true, birthDate: false };
const DAY: Difference = { name: false, birthDate: true };

test('a document of the patient is told from one of another person', () => {
  const chart = person('Ada Lovelace', '1985-12-10');
  const umlaut = person('Jörg Müller', '1950-01-02');
  const spanish = person('María José García López', '1970-05');
  for (const [of, named, expected] of [
    [chart, person('Ada Lovelace', '1985-12-10'), undefined],
    [chart, person('LOVELACE, ADA'), undefined],
    [chart, person('Lovelace, A.'), undefined],
    [chart, person('Dr. Ada B. Lovelace'), undefined],
    // A family name may change, where the day of birth is the same.
    [chart, person('Ada Byron', '1985-12-10'), undefined],
    [chart, person('Ada Byron'), NAME],
    [chart, person('Ada Byron', '1985'), NAME],
    [chart, person('Charles Babbage', '1985-12-10'), NAME],
    [chart, person('Charles Babbage', '1991-12-26'), BOTH],
    [chart, person('Ada Lovelace', '1985-10-12'), DAY],
    [chart, person('Ada Lovelace', '1985'), undefined],
    [chart, person('Ada Lovelace', '1985-10-12', '1985-12-10'), undefined],
    [chart, person('', ''), undefined],
    [chart, person([], '1984-12-10'), DAY],
    [person('Ada'), person('Ada Lovelace'), undefined],
    [person([]), person('Ada Lovelace', '1985-12-10'), undefined],
    [umlaut, person('Joerg Mueller'), undefined],
    [umlaut, person('JORG MULLER', '1950-01-02'), undefined],
    [spanish, person('Maria García', '1970-05-21'), undefined],
    [spanish, person('García López María'), undefined],
    [spanish, person('José Pérez'), NAME],
    [person('Søren Ærø'), person('Soren Aro'), undefined],
    [person("Anne O'Brien"), person('Anne OBrien'), undefined],
    // Another script is not compared, and a name in both is.
    [person('山田 太郎'), person('Taro Yamada'), undefined],
    [person(['山田 太郎', 'Taro Yamada']), person('Hanako Sato'), NAME],
    [person('山田 太郎'), person('佐藤 花子'), NAME],
    [person('山田 太郎'), person('ヤマダ タロウ'), undefined],
    // Family and given name without a space between them, in either order.
    [person('謝宥翔'), person('謝 宥翔'), undefined],
    [person('謝宥翔'), person('宥翔 謝'), undefined],
    [person('謝宥翔'), person('王小明'), NAME],
    [person('Иван Петров'), person('Ivan Petrov'), undefined],
    [person('Иван Петров'), person('ПЕТРОВ Иван'), undefined],
  ] as const)
    assert.deepEqual(differenceOf(of, named), expected, `${of.names}: ${named.names} ${named.birthDates}`);
});

test('all names of a Patient count, as text and by their parts', () => {
  assert.deepEqual(
    writtenNames([{ text: 'Ada L.', given: ['Ada', null], family: 'Lovelace' }, { family: 'Byron' }, {}]),
    ['Ada L.', 'Ada Lovelace', 'Byron'],
  );
});

test('dates are read in the forms that documents have, and what is none is left', () => {
  for (const [text, ...dates] of [
    ['1985-12-10', '1985-12-10'],
    ['10.12.1985', '1985-12-10', '1985-10-12'],
    ['26/12/1985', '1985-12-26'],
    ['12/26/1985', '1985-12-26'],
    ['10 Dec 1985', '1985-12-10'],
    ['10 de diciembre de 1985', '1985-12-10'],
    ['December 10, 1985', '1985-12-10'],
    ['31.02.1985'],
    ['10 Foo 1985'],
    ['10 constructor 1985'],
    ['in 1985'],
    [''],
  ] as const)
    assert.deepEqual(datesIn(text ?? ''), dates, text);
});

test('the patient of a text is the one whom its labels name, and no sentence is a name', () => {
  for (const [text, expected] of [
    ['Discharge\nPatient name: Charles Babbage\nDOB: 26 Dec 1991', person('Charles Babbage', '1991-12-26')],
    ['Patient Name:\tBABBAGE, CHARLES\tDate of birth:\t1991-12-26', person('BABBAGE, CHARLES', '1991-12-26')],
    ['Patient: Charles Babbage  DOB: 12/26/1991  MRN: 5', person('Charles Babbage', '1991-12-26')],
    ['Nombre del paciente: Ana de la Cruz\nFecha de nacimiento: 26/12/1991', person('Ana de la Cruz', '1991-12-26')],
    ['Patientenname: Jörg Müller, geb. 02.01.1950', person('Jörg Müller', '1950-01-02', '1950-02-01')],
    ['Patient name: Charles Babbage', person('Charles Babbage')],
    ['Patient: Charles Babbage', undefined],
    ['PATIENT: STABLE ON DISCHARGE', undefined],
    ['Patient: This 40-year-old woman\nDate of birth: 1991-12-26', undefined],
    ['The baby. Date of birth: 1 Jan 2026', undefined],
    ['Patient name: unknown', undefined],
    ['Patient name:', undefined],
    ['', undefined],
  ] as const)
    assert.deepEqual(personIn(text), expected, text);
});
