import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { meaningOf } from '../records/meaning.ts';
import { siteText } from './site.ts';
import type { Resource } from './types.ts';

const MCODE = 'http://hl7.org/fhir/us/mcode/StructureDefinition/mcode-laterality-qualifier';
const GERMAN = 'https://fhir.de/StructureDefinition/seitenlokalisation';
const TARGET = 'http://hl7.org/fhir/StructureDefinition/procedure-targetBodyStructure';
const SITE = 'http://hl7.org/fhir/StructureDefinition/bodySite';
const side = (url: string, code: string, more: object = {}): object => ({
  url,
  ...(url === GERMAN ? { valueCoding: { code, ...more } } : { valueCodeableConcept: { coding: [{ code, ...more }] } }),
});
const knee = { text: 'Knee' };
const sided = (code: string, more?: object, text = 'Knee') => ({
  bodySite: [{ text, extension: [side(MCODE, code, more)] }],
});
const besideCode = (code: string) => ({ code: { coding: [{ code: 'M17', extension: [side(GERMAN, code)] }] } });
const structure = (url: string, valueReference: object) => ({ extension: [{ url, valueReference }] });
const CONTAINED = { resourceType: 'BodyStructure', id: 'b', location: knee, locationQualifier: [{ text: 'left' }] };

const ROWS: [name: string, elements: object, en: string, es?: string][] = [
  ['a site alone', { bodySite: [knee] }, 'Knee'],
  ['a site that is no list', { bodySite: knee }, 'Knee'],
  ['a side of SNOMED CT', sided('7771000'), 'Knee, left', 'Knee, izquierdo'],
  ['a side of no known code', sided('255549009', { display: 'Anterior' }), 'Knee, Anterior'],
  ['a side with its display', sided('24028007', { display: 'Right (side)' }), 'Knee, right', 'Knee, derecho'],
  ['a side beside the code', besideCode('L'), 'left', 'izquierdo'],
  ['both sides beside the code', { bodySite: [knee], ...besideCode('B') }, 'Knee, both sides', 'Knee, ambos lados'],
  ['a side that the site says', sided('7771000', {}, 'Left knee'), 'Left knee', 'Left knee, izquierdo'],
  ['two sites', { bodySite: [knee, { text: 'Hip' }] }, 'Knee, Hip'],
  ['a structure that is referred to', structure(TARGET, { reference: 'BodyStructure/1' }), 'Femur, distal'],
  ['a structure that is contained', { contained: [CONTAINED], ...structure(SITE, { reference: '#b' }) }, 'Knee, left'],
  ['a structure that is not there', structure(SITE, { reference: 'BodyStructure/9', display: 'Left hip' }), 'Left hip'],
  ['nothing', {}, ''],
  ['odd elements', { bodySite: [7, null, 'x'], extension: [{ url: 7 }, null, { url: SITE }], code: 7 }, ''],
];

const record = (elements: object): Resource => ({ resourceType: 'Procedure', id: 'p', ...elements });
const find = (address: string): unknown =>
  address === 'BodyStructure/1' ? { location: { text: 'Femur' }, locationQualifier: [{ text: 'distal' }] } : undefined;

for (const [name, elements, en, es = en] of ROWS) {
  test(`the site of ${name}`, () => {
    assert.equal(siteText(ENGLISH, record(elements), find) ?? '', en);
    assert.equal(siteText(SPANISH, record(elements), find) ?? '', es);
  });
}

test('the side stands with the name of a procedure, a problem and an order wherever they stand alone', () => {
  const elements = { code: { text: 'Replacement' }, ...sided('7771000') };
  const meaning = (resourceType: string) => meaningOf(ENGLISH, { resourceType, id: 'a', ...elements } as Resource);
  assert.equal(meaning('Procedure').what, 'Replacement, Knee, left');
  assert.equal(meaning('Condition').value, 'Knee, left');
  assert.equal(meaning('ServiceRequest').what, 'Replacement, Knee, left');
});
