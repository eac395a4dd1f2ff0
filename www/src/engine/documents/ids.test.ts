import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasOddId, isLegalId, legalId, withIds, withLegalIds, withOwnId } from './ids.ts';

const long = `e${'x'.repeat(111)}`;

test('an id in the place of one that FHIR does not allow is allowed, follows from it, and is like it', () => {
  for (const id of [long, 'not an id', 'a_b', 'ñandú', '', '/', 'x'.repeat(65), '__'.repeat(40)]) {
    const legal = legalId(id);
    assert.ok(isLegalId(legal), `${id}: ${legal}`);
    assert.equal(legalId(id), legal);
  }
  assert.match(legalId('a_b'), /^a-b-[0-9a-f]{16}$/);
  assert.notEqual(legalId('a_b'), legalId('a-b'));
  assert.notEqual(legalId(`${long}1`), legalId(`${long}2`));
});

test('references go on finding a resource of a long id, and what is in order stays as it is', () => {
  const bundle = {
    resourceType: 'Bundle',
    entry: [
      { fullUrl: `https://a.example/fhir/Medication/${long}`, resource: { resourceType: 'Medication', id: long } },
      {
        resource: {
          resourceType: 'MedicationRequest',
          id: 'm',
          extension: [{ id: 'a_b', url: 'https://x.example/StructureDefinition/a_b' }],
          medicationReference: { reference: `Medication/${long}` },
          supportingInformation: [
            { reference: `https://a.example/fhir/Medication/${long}/_history/2` },
            { reference: '#a_b' },
          ],
          note: [{ text: `{"id":"${long}"} Medication/${long}` }],
        },
      },
    ],
  };
  const { text, replaced } = withLegalIds(JSON.stringify(bundle));
  const legal = legalId(long);
  assert.deepEqual(
    replaced.map(({ type, id, place }) => [type, id, place]),
    [['Medication', long, 'Bundle.entry[0]']],
  );
  const [medication, request] = JSON.parse(text).entry;
  assert.deepEqual([medication.fullUrl, medication.resource.id], [`https://a.example/fhir/Medication/${legal}`, legal]);
  assert.equal(request.resource.medicationReference.reference, `Medication/${legal}`);
  assert.deepEqual(
    request.resource.supportingInformation.map(({ reference }: { reference: string }) => reference),
    [`https://a.example/fhir/Medication/${legal}/_history/2`, '#a_b'],
  );
  assert.deepEqual(request.resource.extension, bundle.entry[1]?.resource.extension);
  assert.deepEqual(request.resource.note, bundle.entry[1]?.resource.note);
});

test('a reference is rewritten without its resource, which may be in another file', () => {
  const line = '{"resourceType":"Condition","id":"c","subject":{"reference":"Patient/a b"}}';
  const { text, replaced } = withLegalIds(line);
  assert.equal(JSON.parse(text).subject.reference, `Patient/${legalId('a b')}`);
  assert.deepEqual(replaced, []);
});

test('a number as an id becomes a text; digits of other numbers stay', () => {
  const { text, replaced } = withLegalIds(
    '{"resourceType":"Observation","id": 47,"valueQuantity":{"value":7.0}, "component":[{"id":"1"}]}',
  );
  assert.equal(
    text,
    '{"resourceType":"Observation","id": "47","valueQuantity":{"value":7.0}, "component":[{"id":"1"}]}',
  );
  assert.equal(replaced.length, 1);
});

test('a text in order is not looked at further', () => {
  for (const text of [
    '{"resourceType":"Patient","id":"a"}',
    '{"reference":"Patient/a"}',
    '{"reference":"Patient/a/_history/1"}',
    '{"reference":"Practitioner?identifier=a_b|c d"}',
    '{"reference":"urn:uuid:a_b"}',
    '{"reference":"#a_b"}',
    String.raw`{"text":"{\"id\":\"a_b\"}"}`,
  ]) {
    assert.equal(hasOddId(text), false, text);
  }
  for (const text of ['{"id":"a_b"}', `{"id":"${long}"}`, '{"id":7}', '{"reference":"Patient/a_b"}', '{"id":""}']) {
    assert.equal(hasOddId(text), true, text);
  }
  assert.equal(withLegalIds('{"id":"a_b"').text, '{"id":"a_b"', 'what is no JSON stays');
});

test('a resource without an id is given one that follows from its text', () => {
  const text = '{"resourceType":"Condition","code":{"text":"Asthma"}}';
  const { id, ...rest } = JSON.parse(withOwnId(text));
  assert.ok(isLegalId(id));
  assert.deepEqual(rest, JSON.parse(text));
  assert.equal(withOwnId(text), withOwnId(text));
  assert.notEqual(JSON.parse(withOwnId('{"resourceType":"Condition"}')).id, id);
});

test('all names of a document are written anew, and no other text', () => {
  const text =
    '{"id":"1","fullUrl":"https://a/Patient/1","subject":{"reference":"Patient/1","display":"Patient/1"},' +
    '"url":"https://a/Patient/1","request":{"method":"DELETE","url":"Patient/1"},"other":{"reference":"Group/1"}}';
  const renamed = withIds(
    text,
    ({ base, type, id }) => (type === 'Patient' ? `${base}Patient/${id}-x` : undefined),
    new Map([['1', '2']]),
  );
  assert.equal(
    renamed,
    '{"id":"2","fullUrl":"https://a/Patient/1-x","subject":{"reference":"Patient/1-x","display":"Patient/1"},' +
      '"url":"https://a/Patient/1","request":{"method":"DELETE","url":"Patient/1-x"},"other":{"reference":"Group/1"}}',
  );
});
