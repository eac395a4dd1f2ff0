import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNames } from '#reading/fhir/reference-names.ts';
import { IN_PLACE, reference } from '#reading/fhir/text.ts';
import { isOfType, type Resource } from '#reading/fhir/types.ts';
import { ENGLISH } from '#reading/language/words.ts';
import { reactionNames } from '#reading/problems/allergy.ts';
import { toldApart } from '#reading/results/names/told-apart.ts';
import { related } from '#reading/results/related.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Abilities } from '../../source/abilities.ts';
import type { Source } from '../../source/source.ts';
import { exchangeOf } from '../../testing.ts';
import { Targets } from './targets.ts';

const HELD: Record<string, unknown>[] = [
  { resourceType: 'Practitioner', id: 'd', name: [{ text: 'Bea Birch' }], identifier: [{ system: 's', value: '7' }] },
  { resourceType: 'Organization', id: 'o', name: 'Ward 7' },
  {
    resourceType: 'PractitionerRole',
    id: 'r',
    practitioner: { reference: 'Practitioner/d' },
    organization: { reference: 'Organization/o' },
  },
  { resourceType: 'Location', id: 'l', name: 'Room 3' },
  { resourceType: 'Condition', id: 't', code: { text: 'Tumour' } },
  { resourceType: 'Specimen', id: 's', type: { text: 'Swab' }, collection: { bodySite: { text: 'Throat' } } },
  { resourceType: 'Specimen', id: 'of-donor', subject: { reference: 'Patient/donor' } },
  { resourceType: 'Patient', id: 'donor', name: [{ text: 'Dana' }] },
  { resourceType: 'BodyStructure', id: 'b', location: { text: 'Breast' }, locationQualifier: [{ text: 'Left' }] },
  { resourceType: 'Questionnaire', id: 'q', title: 'Falls' },
  { resourceType: 'Observation', id: 'hives', code: { text: 'Hives' } },
];

/** A server that has these records, and what it was asked for. */
function server(abilities?: Abilities, name: Source['name'] = 'session') {
  const asked: string[] = [];
  const answer = (url: string, status: number, body: unknown): Exchange => {
    asked.push(url);
    return exchangeOf(status, body, url);
  };
  const source: Source = {
    name,
    grant: undefined,
    key: 'server',
    async search(query) {
      const [type, conditions = ''] = query.split('?');
      const [name, value = ''] = conditions.split('&')[0]?.split('=') ?? [];
      const wanted = value.split(',').map(decodeURIComponent);
      const entry = HELD.filter(
        ({ resourceType, id, identifier }) =>
          resourceType === type && wanted.includes(String(name === '_id' ? id : identifier && 's|7')),
      ).map((resource) => ({ resource }));
      return answer(query, 200, { resourceType: 'Bundle', entry });
    },
    async read(address) {
      const body = HELD.find(({ resourceType, id }) => `${resourceType}/${id}` === address);
      return answer(address, body ? 200 : 404, body);
    },
    abilities: async () => abilities,
  };
  return { source, asked };
}

const order = (id: string, to: object): Resource => ({ resourceType: 'Procedure', id, ...{ location: to } });
const REFERENCES: [object, string][] = [
  [{ reference: 'Practitioner/d' }, 'Bea Birch'],
  [{ reference: 'https://x.example/fhir/r4/Practitioner/d/_history/3' }, 'Bea Birch'],
  [{ reference: 'PractitionerRole/r' }, 'Bea Birch, Ward 7'],
  [{ reference: 'Location/l' }, 'Room 3'],
  [{ reference: 'Practitioner?identifier=s%7C7' }, 'Bea Birch'],
  [{ type: 'Practitioner', identifier: { system: 's', value: '7' } }, 'Bea Birch'],
  [{ reference: 'Practitioner/none' }, 'Practitioner none'],
  [{ reference: 'https://other.example/Practitioner/d' }, 'Practitioner d'],
];

async function namesOf(source: Source, isOpen = true): Promise<(string | undefined)[]> {
  const targets = new Targets(source, async () => (isOpen ? undefined : 'No scope opens it.'));
  const records = REFERENCES.map(([to], i) => order(String(i), to));
  await Promise.all([targets.load(records), targets.load(records)]);
  return records
    .map((one) => withNames(one, targets.find))
    .map((one) => reference(ENGLISH, (one as Resource & { location: object }).location));
}

test('what records refer to is looked up once, and named', async () => {
  const { source, asked } = server();
  assert.deepEqual(
    await namesOf(source),
    REFERENCES.map(([, name]) => name),
  );
  assert.equal(new Set(asked).size, asked.length);
});

test('what an identifier alone names is looked up among the types that its element may name', async () => {
  const { source, asked } = server();
  const targets = new Targets(source, async () => undefined);
  const to = { identifier: { system: 's', value: '7' } };
  const record: Resource & { requester: object } = { resourceType: 'ServiceRequest', id: 'r', requester: to };
  const others = {
    ...{ basedOn: [{ identifier: { system: 'orders', value: '1' } }], performer: [{ identifier: { value: '7' } }] },
  };
  await targets.load([{ ...record, ...others }]);
  assert.equal(reference(ENGLISH, withNames(record, targets.find).requester), 'Bea Birch');
  assert.deepEqual(asked, ['Practitioner?identifier=s%7C7&_count=50', 'Organization?identifier=s%7C7&_count=50']);
});

test('a server without a search by id is asked for single records', async () => {
  const type = { read: true, search: true, parameters: new Set(['name']), includes: [], revIncludes: [] };
  const types = new Map(HELD.map(({ resourceType }) => [String(resourceType), type]));
  const { source, asked } = server({ name: undefined, fhirVersion: '4.0.1', types });
  assert.deepEqual((await namesOf(source)).slice(0, 4), ['Bea Birch', 'Bea Birch', 'Bea Birch, Ward 7', 'Room 3']);
  assert.ok(asked.every((url) => !url.includes('?')));
});

test('what no scope opens is not asked for', async () => {
  const { source, asked } = server();
  assert.equal((await namesOf(source, false))[0], 'Practitioner d');
  assert.deepEqual(asked, []);
});

test('what a result is about is looked up whatever its type, and so is its specimen', async () => {
  const { source, asked } = server();
  const targets = new Targets(source, async () => undefined);
  const result: Resource = {
    ...{ focus: [{ reference: 'Condition/t' }], specimen: { reference: 'Specimen/s' } },
    resourceType: 'Observation',
    id: 'o',
  };
  const plain: Resource = {
    ...{ reasonReference: [{ reference: 'Condition/other' }] },
    resourceType: 'Procedure',
    id: 'p',
  };
  await targets.load([result, plain]);
  const [read] = related(
    [result],
    () => undefined,
    (one) => withNames(one, targets.find),
  );
  assert.ok(isOfType('Observation', read));
  assert.deepEqual(toldApart(ENGLISH, read), ['about: Tumour', 'Specimen: Swab, Throat']);
  assert.ok(asked.every((url) => !url.includes('other')));
});

test('files are asked for questionnaires, and for targets of all types that no section follows', async () => {
  const { source, asked } = server(undefined, 'files');
  const targets = new Targets(source, async () => undefined);
  const event: Resource = {
    ...{ resultingCondition: [{ reference: 'Condition/t' }], encounter: { reference: 'Encounter/e' } },
    resourceType: 'AdverseEvent',
    id: 'e',
  };
  const answers: Resource = {
    ...{ questionnaire: 'http://x.example/Questionnaire/q|1' },
    resourceType: 'QuestionnaireResponse',
    id: 'r',
  };
  await targets.load([event, answers]);
  assert.deepEqual(asked, ['Condition?_id=t&_count=50', 'Questionnaire?_id=q&_count=50']);
  const named: Resource & { resultingCondition?: object[] } = withNames(event, targets.find);
  assert.equal(reference(ENGLISH, named.resultingCondition?.[0]), 'Tumour');
  assert.equal(targets.findNamed('Condition/t'), undefined, 'it may be of another patient');
  assert.equal(targets.findNamed('Questionnaire/q')?.id, 'q');
});

test('the person of a specimen with a display, a body structure and a reaction are looked up', async () => {
  const targets = new Targets(server().source, async () => undefined);
  const namedIn = async <T extends Resource>(record: T): Promise<T> => {
    await targets.load([record]);
    return withNames(record, targets.find);
  };
  const extension = [{ url: 'http://x.example/bodySite', valueReference: { reference: 'BodyStructure/b' } }];
  const read = await namedIn({
    ...{ specimen: { reference: 'Specimen/of-donor', display: 'Serum' }, extension },
    ...{ resourceType: 'Observation', id: 'o', subject: { reference: 'Patient/p' } },
  });
  assert.ok(isOfType('Observation', read));
  assert.deepEqual(toldApart(ENGLISH, read), ['about: Dana', 'Specimen: Serum', 'Site: Breast, Left']);
  const manifestation = [{ extension: [{ url: IN_PLACE, valueReference: { reference: 'Observation/hives' } }] }];
  const allergy = await namedIn({ ...{ reaction: [{ manifestation }] }, resourceType: 'AllergyIntolerance', id: 'a' });
  assert.ok(isOfType('AllergyIntolerance', allergy));
  assert.deepEqual(reactionNames(ENGLISH, allergy), ['Hives']);
});
