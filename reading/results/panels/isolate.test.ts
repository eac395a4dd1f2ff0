import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growth } from '../../counted.ts';
import type { Observation } from '../../fhir/types.ts';
import { ENGLISH } from '../../language/words.ts';
import { abnormalResults } from '../abnormal.ts';
import { related } from '../related.ts';
import { isolateOf } from './isolate.ts';
import { panelsOf } from './panels.ts';
import { groupsOf } from './test-groups.ts';

const loinc = (code: string, display?: string) => ({
  coding: [{ system: 'http://loinc.org', code, ...(display ? { display } : {}) }],
});
const of = (id: string, code: object, more: Partial<Observation> = {}): Observation => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  code,
  effectiveDateTime: '2026-02-03T08:00:00Z',
  ...more,
});
const read = (all: Observation[]): Observation[] => related(all, () => undefined);
const members = (...ids: string[]) => ({ hasMember: ids.map((id) => ({ reference: `Observation/${id}` })) });
const named = (text: string) => ({ valueCodeableConcept: { text } });
const response = (code: string) => ({ interpretation: [{ coding: [{ code }] }] });

test('the responses of two organisms to one drug are two tests, each named with its organism', () => {
  const culture = read([
    of('culture', { text: 'Blood culture' }, members('a', 'b')),
    of('a', loinc('634-6'), { ...named('Staphylococcus aureus'), ...members('a-panel') }),
    of('a-panel', loinc('29576-6', 'Bacterial susceptibility panel'), members('a1', 'a2')),
    of('a1', loinc('18928-2', 'Gentamicin'), response('S')),
    of('a2', loinc('19000-9', 'Vancomycin'), response('S')),
    of('b', loinc('634-6'), { ...named('Klebsiella oxytoca'), ...members('b-growth', 'b-panel') }),
    of('b-growth', { text: 'Growth' }, named('Scanty')),
    of('b-panel', loinc('29576-6', 'Bacterial susceptibility panel'), members('b1', 'b2')),
    of('b1', loinc('18928-2', 'Gentamicin'), response('R')),
    of('b2', loinc('18864-9', 'Ampicillin'), response('R')),
  ]);
  assert.equal(isolateOf(culture[6] ?? {}), 'Klebsiella oxytoca');
  assert.deepEqual(
    panelsOf(ENGLISH, culture, []).panels.map(({ name, tests }) => [name, tests.map((one) => one.name)]),
    [
      ['Blood culture', ['code 634-6 (LOINC), without a name']],
      [
        'Klebsiella oxytoca: Bacterial susceptibility',
        ['Klebsiella oxytoca: Gentamicin', 'Klebsiella oxytoca: Ampicillin'],
      ],
      [
        'Staphylococcus aureus: Bacterial susceptibility',
        ['Staphylococcus aureus: Gentamicin', 'Staphylococcus aureus: Vancomycin'],
      ],
    ],
  );
  assert.deepEqual(
    abnormalResults(ENGLISH, culture).map(({ group }) => group.name),
    ['Klebsiella oxytoca: Gentamicin', 'Klebsiella oxytoca: Ampicillin'],
  );
});

test('what a result holds together otherwise keeps its name, and no circle is followed without end', () => {
  const others = read([
    of('pregnancy', loinc('82810-3'), { ...named('Pregnant'), ...members('due') }),
    of('due', { text: 'Expected date' }, { valueDateTime: '2026-11-26' }),
    of('x', { text: 'X' }, { ...named('Organism'), ...members('y', 'x', 'nowhere') }),
    of('y', { text: 'Y' }, { ...members('x'), ...response('R') }),
  ]);
  assert.deepEqual(
    groupsOf(ENGLISH, others)
      .map(({ name }) => name)
      .sort(),
    ['Expected date', 'Organism: Y', 'X', 'code 82810-3 (LOINC), without a name'].sort(),
  );
});

test('observations that all hold each other are looked at once, and not each path between them', () => {
  const holding = (count: number): Observation[] => {
    const ids = Array.from({ length: count }, (_, i) => `o${i}`);
    return ids.map((id) => of(id, { text: id }, { ...named('Organism'), ...members(...ids), ...response('R') }));
  };
  const times = growth(30, holding, (all) => {
    assert.ok(read(all).every((one) => isolateOf(one) === 'Organism'));
  });
  // Each of n holders looks at each of n² members: twice as many take eight times the steps, and paths far more.
  assert.ok(times < 8.2, `${times} times the steps`);
});

test('a response that is derived from an organism is one to this organism', () => {
  const from = (id: string) => ({ derivedFrom: [{ reference: `Observation/${id}` }] });
  const all = read([
    of('a', loinc('634-6'), named('Staphylococcus aureus')),
    of('b', loinc('634-6'), named('Klebsiella oxytoca')),
    of('a1', loinc('18928-2', 'Gentamicin'), { ...from('a'), ...response('S') }),
    of('b1', loinc('18928-2', 'Gentamicin'), { ...from('b'), ...response('R') }),
  ]);
  assert.deepEqual(all.map(isolateOf), [undefined, undefined, 'Staphylococcus aureus', 'Klebsiella oxytoca']);
  assert.equal(groupsOf(ENGLISH, all).length, 3);
});
