import '../../testing.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../http/exchange.ts';
import { abilitiesOf } from '../../source/abilities.ts';
import type { Source } from '../../source/source.ts';
import { exchangeOf, sourceOf } from '../../testing.ts';
import * as search from './other-search.ts';

const TYPES = ['AdverseEvent', 'Task', 'SupplyRequest', 'Basic'];
const open = async (): Promise<string | undefined> => undefined;
const withheld = async (): Promise<string> => 'No scope opens it.';

/** Returns a source that answers each search with one record of its type, and records the queries. */
function source(more: Partial<Source>, status = 200): { source: Source; asked: string[] } {
  const asked: string[] = [];
  const answer = async (query: string): Promise<Exchange> => {
    asked.push(query);
    const [type = ''] = query.split('?');
    const body = { resourceType: 'Bundle', type: 'searchset', entry: [{ resource: { resourceType: type, id: 'a' } }] };
    return exchangeOf(status, body, query);
  };
  return { asked, source: sourceOf(answer, more) };
}

test('a server is asked for the types that it announces and that were granted', async () => {
  const resource = ['AdverseEvent', 'Task', 'SupplyRequest'].map((type) => ({ type }));
  const abilities = async () => abilitiesOf({ rest: [{ resource }] });
  const { source: server, asked } = source({ abilities });
  const whyWithheld = async (type: string) => (type === 'Task' ? withheld() : undefined);
  const found = await search.searchTypes(server, 'p', TYPES, whyWithheld);
  assert.deepEqual(asked.sort(), [
    'AdverseEvent?subject=Patient/p&_count=200',
    'SupplyRequest?subject=Patient/p&_count=200',
  ]);
  assert.deepEqual(found.matches.map(({ resourceType }) => resourceType).sort(), ['AdverseEvent', 'SupplyRequest']);
  assert.equal(found.ungranted?.(), 'Not granted, and not shown here: Task.');
  assert.equal(found.unread, undefined, 'nothing goes on');
});

test('a server that says nothing of its types is not asked, and that is said', async () => {
  const { source: server, asked } = source({ abilities: async () => undefined });
  const found = await search.searchTypes(server, 'p', TYPES, open);
  assert.deepEqual(asked, []);
  assert.match(found.unread?.() ?? '', /does not say which records it has/);
});

test('where nothing was granted, nothing is asked, not even what the server can do', async () => {
  const { source: server, asked } = source({
    abilities: () => Promise.reject(new Error('it was asked')),
  });
  const many = [...TYPES, 'Media', 'List', 'Specimen', 'Composition'];
  const found = await search.searchTypes(server, 'p', many, withheld);
  assert.deepEqual(asked, []);
  assert.equal(
    found.ungranted?.(),
    'Not granted, and not shown here: Adverse event, Task, Supply request, Basic, Media, List and 2 further types.',
  );
});

test('a type that the app did not ask for is left out by nobody, and named by itself', async () => {
  const { source: server } = source({ requested: 'patient/Patient.read patient/Task.rs?status=requested' });
  const found = await search.searchTypes(server, 'p', TYPES, withheld);
  assert.equal(found.ungranted?.(), 'Not granted, and not shown here: Task.');
  assert.equal(found.unread, undefined, 'nothing goes on');
  assert.deepEqual(found.unasked, ['AdverseEvent', 'SupplyRequest', 'Basic']);
  const { source: another } = source({ requested: 'patient/*.read' });
  assert.equal((await search.searchTypes(another, 'p', TYPES, withheld)).unasked, undefined);
});

test('a type that fails is named, and those beside it are shown', async () => {
  const { source: server } = source({}, 500);
  const found = await search.searchTypes(server, 'p', ['Task', 'Basic'], open);
  assert.deepEqual(found.matches, []);
  assert.equal(found.unread?.(), 'Task and Basic could not be loaded: HTTP 500.');
});

test('of records in this browser only the types that are held are asked for', async () => {
  const { source: files, asked } = source({ name: 'files' });
  const found = await search.searchTypes(files, 'p', TYPES, open, async () => ({ Task: 2, Condition: 1 }));
  assert.deepEqual(asked, ['Task?patient=p&_count=200']);
  assert.equal(found.unread, undefined);
});
