import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfType, type Observation, type Resource } from '#reading/fhir/types.ts';
import { ENGLISH } from '#reading/language/words.ts';
import { aboutText } from '#reading/results/names/told-apart.ts';
import { noResult, type SearchResult } from '../../source/source.ts';
import { LABS, OTHER_OBSERVATIONS, placed, placeOfSearch } from './observation-searches.ts';

const observation = (id: string, code: string, category?: string): Observation => ({
  resourceType: 'Observation',
  id,
  code: { coding: [{ system: 'http://loinc.org', code }] },
  ...(category ? { category: [{ coding: [{ code: category }] }] } : {}),
});
const answer = (...matches: Observation[]): SearchResult => ({ ...noResult(), matches });
const ids = ({ matches }: SearchResult): string[] => matches.map(({ id }) => id);

const glucose = observation('glucose', '2345-7', 'laboratory');
const leukocytes = observation('leukocytes', '6690-2');
const pressure = observation('pressure', '85354-9', 'exam');
const gait = observation('gait', '32465-7', 'exam');

test('a section has its own observations and those of the others that belong to it, each once', () => {
  const [own, others] = [answer(glucose), answer(leukocytes, pressure, gait)];
  assert.deepEqual(ids(placed('labs', own, others)), ['glucose', 'leukocytes']);
  assert.deepEqual(ids(placed('vitals', answer(), others)), ['pressure']);
  assert.deepEqual(ids(placed('screening', answer(), others)), []);
  assert.deepEqual(ids(placed('others', others, others)), ['gait']);
});

test('a server that does not know the modifier answers with all, and each stays in one place', () => {
  const all = answer(glucose, leukocytes, pressure, gait);
  assert.deepEqual(ids(placed('labs', answer(glucose), all)), ['glucose', 'leukocytes']);
  assert.deepEqual(ids(placed('others', all, all)), ['gait']);
});

test('what is left out of the search for the others is left out of each section', () => {
  const others = { ...answer(), malformed: ['entry 1 is odd'], older: 2, unread: () => 'More.' };
  const { malformed, older, unread } = placed('labs', answer(glucose), others);
  assert.deepEqual([malformed, older, unread?.()], [['entry 1 is odd'], 2, 'More.']);
});

test('the searches for observations have a place, and others have none', () => {
  assert.equal(placeOfSearch(LABS), 'labs');
  assert.equal(placeOfSearch(OTHER_OBSERVATIONS), 'others');
  assert.equal(placeOfSearch('Condition?patient={patient}'), undefined);
});

test('results that reports and observations contain are results of the chart', () => {
  const report: Resource = {
    resourceType: 'DiagnosticReport',
    id: 'r1',
    ...{
      category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code: 'LAB' }] }],
      effectiveDateTime: '2024-03-05',
      contained: [
        { resourceType: 'Observation', id: 'k', code: { text: 'K' }, valueQuantity: { value: 7.2, unit: 'mmol/L' } },
        { resourceType: 'Observation', id: '#odd', category: [{ text: 'Gait' }], code: { text: 'Steps' } },
        { resourceType: 'Practitioner', id: 'p' },
        { resourceType: 'Observation', id: 7 },
        null,
      ],
    },
  };
  const labs = placed('labs', answer(), answer(), [report]);
  assert.deepEqual(ids(labs), ['r1.k']);
  assert.deepEqual(
    labs.matches.map((one) => isOfType('Observation', one) && one.effectiveDateTime),
    ['2024-03-05'],
  );
  assert.deepEqual(ids(placed('others', answer(), answer(), [report])), ['r1.odd']);
  assert.deepEqual(ids(placed('vitals', answer(), answer(), [report])), []);
});

test('a member is about whom its panel in the other observations is about', () => {
  const [pulse, hasMember] = [observation('pulse', '8867-4', 'vital-signs'), [{ reference: 'Observation/pulse' }]];
  const panel: Observation = { ...observation('panel', '1'), focus: [{ display: 'Fetus' }], hasMember };
  const [one] = placed('vitals', answer(pulse), answer(panel), [], [panel]).matches;
  assert.ok(isOfType('Observation', one));
  assert.equal(aboutText(ENGLISH, one), 'about: Fetus');
});
