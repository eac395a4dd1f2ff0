import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourcesIn } from './documents.ts';
import { WritingDevices } from './writing-devices.ts';

const device = (id: string, more: object = {}) => ({ resourceType: 'Device', id, ...more });
const snomed = (code: string, display?: string) => ({ coding: [{ system: 'http://snomed.info/sct', code, display }] });

function writersIn(...resources: object[]): string[] {
  const all = new WritingDevices();
  const entry = resources.map((resource) => ({ fullUrl: 'id' in resource ? `urn:uuid:${resource.id}` : '', resource }));
  for (const one of resourcesIn({ resourceType: 'Bundle', entry })) all.note(one);
  return all.addresses;
}

const ROWS: [string, object[], string[]][] = [
  ['an electronic health record by its code', [device('a', { type: snomed('706689003') })], ['Device/a']],
  ['one by the words of its kind', [device('a', { type: { text: 'Electronic Health Record System' } })], ['Device/a']],
  ['one by its name alone', [device('a', { deviceName: [{ name: 'Ward EHR', type: 'model-name' }] })], ['Device/a']],
  [
    'the author of a document',
    [device('a'), { resourceType: 'Composition', author: [{ reference: 'Device/a' }] }],
    ['Device/a'],
  ],
  [
    'an agent of a Provenance by its address in the Bundle',
    [device('a'), { resourceType: 'Provenance', agent: [{ who: { reference: 'urn:uuid:a' } }] }],
    ['Device/a'],
  ],
  [
    'what attests a document, and for whom an agent acts, in other forms too',
    [
      device('a'),
      device('b'),
      { resourceType: 'Composition', attester: { party: { reference: 'Device/a' } } },
      { resourceType: 'Provenance', agent: [{ onBehalfOf: { reference: 'Device/b' } }, 'odd', null] },
    ],
    ['Device/a', 'Device/b'],
  ],
  [
    'the same twice',
    [device('a', { type: snomed('706689003') }), device('a', { type: snomed('706689003') })],
    ['Device/a'],
  ],
  [
    'none that is in use by a patient',
    [device('a', { type: snomed('706689003'), patient: { reference: 'Patient/p' } })],
    [],
  ],
  ['none with the carrier of an implant', [device('a', { type: { text: 'EHR' }, udiCarrier: [{}] })], []],
  [
    'no pacemaker',
    [device('a', { type: snomed('14106009', 'Cardiac pacemaker'), deviceName: [{ name: 'EMR 5' }] })],
    [],
  ],
  ['no device of which nothing is said', [device('a'), device('b', { type: 'odd', deviceName: 7 })], []],
  [
    'none that took a measurement',
    [device('a'), { resourceType: 'Observation', device: { reference: 'Device/a' } }],
    [],
  ],
];

for (const [name, resources, expected] of ROWS) {
  test(`the devices that wrote records: ${name}`, () => assert.deepEqual(writersIn(...resources), expected));
}
