import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parsed, printed } from '../fhir/json.ts';
import { referredAddress } from '../fhir/record-address.ts';
import type { Resource } from '../fhir/types.ts';
import { SPANISH } from '../language/spanish.ts';
import { ENGLISH } from '../language/words.ts';
import { summaryOf } from '../worker.ts';
import { collection, ndjson } from './bundle.ts';
import { patientSummary } from './patient-summary.ts';

const summaryText = (...args: Parameters<typeof patientSummary>): string => printed(patientSummary(...args));

const BASE = 'https://here.example/fhir/r4';
const NOW = new Date('2026-05-01T10:00:00Z');
/** Returns a source of UUIDs that differ in their last digit. */
const uuids = (): (() => string) => {
  let made = 0;
  return () => `1f0c7b1e-0000-4000-8000-00000000000${made++}`;
};
const ORIGIN = { base: BASE, now: NOW, uuid: () => 'u' };
const patient = { resourceType: 'Patient' as const, id: 'p', name: [{ family: 'O<k' }] };
const result: Resource = parsed(
  '{"resourceType":"Observation","id":"o","status":"final","category":[{"coding":[{"code":"laboratory"}]}],' +
    '"code":{"text":"A & <b>"},"effectiveDateTime":"2026-04-01","performer":[{"reference":"Organization/lab"}],' +
    '"valueQuantity":{"value":7.0,"unit":"%"}}',
) as Resource;
const records: Resource[] = [
  patient,
  result,
  {
    resourceType: 'Condition',
    id: 'wrong',
    verificationStatus: { coding: [{ code: 'entered-in-error' }] },
  } as Resource,
  { resourceType: 'Organization', id: 'lab' },
  { resourceType: 'Organization', id: 'other' },
  { resourceType: 'Encounter', id: 'e' },
];

test('a collection and NDJSON have each record, with the digits that it was sent with', () => {
  const bundle = JSON.parse(collection(BASE, records, NOW));
  assert.deepEqual([bundle.type, bundle.entry.length, bundle.timestamp], ['collection', 6, '2026-05-01T10:00:00.000Z']);
  assert.equal(bundle.entry[1].fullUrl, `${BASE}/Observation/o`);
  const lines = ndjson(records).trimEnd().split('\n');
  assert.equal(lines.length, 6);
  assert.match(lines[1] ?? '', JSON.rawJSON ? /"value":7\.0,/ : /"value":7,/);
});

test('a patient summary is a document whose Composition comes first, and has the required sections', () => {
  const text = summaryText(ENGLISH, patient, records, {
    base: BASE,
    now: NOW,
    uuid: uuids(),
  });
  const { type, identifier, entry } = JSON.parse(text);
  assert.deepEqual([type, identifier.value], ['document', 'urn:uuid:1f0c7b1e-0000-4000-8000-000000000001']);
  const names = entry.map(({ resource }: { resource: Resource }) => `${resource.resourceType}/${resource.id}`);
  const device = '1f0c7b1e-0000-4000-8000-000000000000';
  assert.deepEqual(names.slice(1), ['Patient/p', `Device/${device}`, 'Observation/o', 'Organization/lab']);
  const addresses = entry.map(({ fullUrl }: { fullUrl: string }) => fullUrl);
  assert.deepEqual(addresses, [
    identifier.value,
    `${BASE}/Patient/p`,
    `urn:uuid:${device}`,
    `${BASE}/Observation/o`,
    `${BASE}/Organization/lab`,
  ]);
  const [{ resource: composition }] = entry;
  const codes = composition.section.map((one: { code: { coding: { code: string }[] } }) => one.code.coding[0]?.code);
  assert.deepEqual(codes, ['10160-0', '48765-2', '11450-4', '30954-2']);
  assert.equal(composition.section[2].emptyReason.coding[0].code, 'unavailable', 'an entry in error is left out');
  assert.deepEqual(composition.section[3].entry, [{ reference: `${BASE}/Observation/o` }]);
  assert.match(
    composition.section[3].text.div,
    /^<div xmlns="[^"]*" lang="en" xml:lang="en"><ul><li>A &amp; &lt;b&gt;, 7\.?0? ?%, 1\W+Apr\W+2026, Final<\/li>/,
  );
  assert.deepEqual(composition.author, [{ reference: `urn:uuid:${device}` }]);
});

test('no observation is left out of a summary, whatever its category', () => {
  const observation = (id: string, more: object): Resource => ({
    ...{ effectiveDateTime: '2026-01-01', ...more },
    resourceType: 'Observation',
    id,
  });
  const loinc = (code: string): object => ({ code: { coding: [{ system: 'http://loinc.org', code }], text: code } });
  const exam = { category: [{ coding: [{ code: 'exam' }] }] };
  const all = [
    observation('leukocytes', {
      ...loinc('6690-2'),
      valueQuantity: { value: 88 },
      interpretation: [{ coding: [{ code: 'HH' }] }],
    }),
    observation('gait', { ...exam, code: { text: 'Gait' }, valueString: 'Unsteady' }),
    observation('pressure', { ...exam, ...loinc('85354-9') }),
    observation('pregnancy', { ...loinc('82810-3'), valueCodeableConcept: { text: 'Pregnant' } }),
    observation('births', { ...loinc('11636-8'), valueInteger: 2 }),
  ];
  const [{ resource: composition }] = JSON.parse(summaryText(ENGLISH, patient, all, ORIGIN)).entry;
  const entries = (code: string): string[] =>
    composition.section
      .filter((one: { code: { coding: { code: string }[] } }) => one.code.coding[0]?.code === code)
      .flatMap(({ entry }: { entry: { reference: string }[] }) =>
        entry.map(({ reference }) => referredAddress(reference)),
      );
  assert.deepEqual(entries('30954-2'), ['Observation/leukocytes', 'Observation/gait']);
  assert.deepEqual(entries('8716-3'), ['Observation/pressure']);
  assert.deepEqual(entries('10162-6'), ['Observation/pregnancy', 'Observation/births']);
  assert.match(JSON.stringify(composition), /6690-2, 88, critically high/);
});

test('a summary has the cultures of two specimens, which only their reports name', () => {
  const pairOf = (display: string, id: string): Resource[] => [
    { resourceType: 'Observation', id, ...{ code: { text: 'Culture' }, valueString: id } },
    {
      resourceType: 'DiagnosticReport',
      id,
      ...{ specimen: [{ display }], result: [{ reference: `Observation/${id}` }] },
    },
  ];
  const all = [...pairOf('Blood', 'none'), ...pairOf('Sputum', 'growth')];
  assert.match(summaryText(ENGLISH, patient, all, ORIGIN), /none, Specimen: Blood.*growth, Specimen: Sputum/);
});

test('a summary says what is outside of its usual range, with the source, and that an age is not known', () => {
  const sign = (id: string, code: string, value: number, unit: string): Resource =>
    ({
      resourceType: 'Observation',
      id,
      effectiveDateTime: '2026-01-01',
      category: [{ coding: [{ code: 'vital-signs' }] }],
      code: { coding: [{ system: 'http://loinc.org', code }], text: id },
      valueQuantity: { value, code: unit },
    }) as Resource;
  const textOf = (person: typeof patient & { birthDate?: string }): string => {
    const all = [
      sign('oxygen', '59408-5', 82, '%'),
      sign('fever', '8310-5', 39, 'Cel'),
      sign('pulse', '8867-4', 110, '/min'),
    ];
    const [{ resource: composition }] = JSON.parse(summaryText(ENGLISH, person, all, ORIGIN)).entry;
    return JSON.stringify(composition.section);
  };
  const adult = textOf({ ...patient, birthDate: '1980-01-01' });
  for (const said of [
    /oxygen, 82\W?%, urgent: below 90 \(WHO\)/,
    /fever, 39\W°C, above usual \(MedlinePlus, 36\.5–37\.3\)/,
    /pulse, 110\W\/min, above usual \(MedlinePlus, 60–100\)/,
    /<p>Usual ranges are for .* come from these sources, not from whoever measured: Mayo: .*WHO: World .*MedlinePlus: /,
  ])
    assert.match(adult, said);
  assert.doesNotMatch(adult, /age at the measurement is not known/);
  const ageless = textOf(patient);
  for (const said of [
    /oxygen, 82\W?%, urgent: below 90 \(WHO\)/,
    /fever, 39\W°C, above usual at any age \(PedsCases, 35\.5–38\)/,
    /pulse, 110\W\/min, 1\W+Jan\W+2026/,
    /The age at the measurement is not known: only what is unusual at any age is marked\./,
  ])
    assert.match(ageless, said);
});

test('a plan and what is not to be given are never called active in a summary', () => {
  const request = (id: string, more: object): Resource => ({
    ...({ resourceType: 'MedicationRequest', status: 'active', intent: 'order' } as object),
    resourceType: 'MedicationRequest',
    id,
    ...{ medicationCodeableConcept: { text: id }, ...more },
  });
  const all = [
    request('Given', {}),
    request('Avoided', { doNotPerform: true }),
    request('Planned', { intent: 'plan' }),
    request('Proposed', { intent: 'proposal' }),
    request('Optional', { intent: 'option' }),
    request('Drafted', { status: 'draft' }),
    request('Reported', { intent: 'plan', reportedBoolean: true }),
    request('Unwanted', { intent: 'plan', doNotPerform: true }),
  ];
  const [{ resource: composition }] = JSON.parse(summaryText(ENGLISH, patient, all, ORIGIN)).entry;
  assert.deepEqual(composition.section[0].text.div.match(/(?<=<li>).*?(?=<\/li>)/g), [
    'Given, no dose recorded, Active',
    'Avoided, Do not take',
    'Planned, Plan',
    'Proposed, Proposal',
    'Optional, Option',
    'Drafted, Draft',
    'Reported, no dose recorded, Active',
    'Unwanted, Plan, do not take',
  ]);
});

test('a summary says contradictions and what is uncertain, and has alerts, advance directives and the family', () => {
  const record = (resourceType: string, id: string, more: object): Resource => ({ resourceType, id, ...more });
  const code = (value: string) => ({ coding: [{ code: value }] });
  const all = [
    record('AllergyIntolerance', 'none', { code: code('716186003') }),
    record('AllergyIntolerance', 'nut', { code: { text: 'Nut' }, verificationStatus: code('unconfirmed') }),
    record('Condition', 'stroke', { code: { text: 'Stroke' }, verificationStatus: code('refuted') }),
    record('Condition', 'cancer', { code: { text: 'Lymphoma' }, clinicalStatus: code('remission') }),
    record('Flag', 'falls', { status: 'active', code: { text: 'Falls' } }),
    record('Consent', 'dnr', { status: 'active', category: [{ text: 'Do not resuscitate' }] }),
    record('FamilyMemberHistory', 'mother', {
      relationship: { text: 'mother' },
      condition: [{ code: { text: 'Gout' } }],
    }),
  ];
  const [{ resource: composition }] = JSON.parse(summaryText(ENGLISH, patient, all, ORIGIN)).entry;
  const lines = composition.section.map(({ text }: { text: { div: string } }) =>
    text.div.match(/(?<=<li>).*?(?=<\/li>)/g),
  );
  assert.deepEqual(lines.slice(1), [
    ['<b>Contradiction: “No known allergies” beside active entries.</b>', 'No known allergies.', 'Nut, Unconfirmed'],
    null,
    ['Lymphoma, Remission'],
    ['Falls, Active'],
    ['Do not resuscitate, Active'],
    ['mother, Gout'],
  ]);
});

test('adverse events in a summary are no entries about allergies, and say so where they stand alone', () => {
  const event: Resource & Record<string, unknown> = {
    resourceType: 'AdverseEvent',
    id: 'e',
    event: { text: 'Shock' },
    actuality: 'potential',
    suspectEntity: [{ instance: { display: 'Latex' } }],
  };
  const nut: Resource & Record<string, unknown> = {
    resourceType: 'AllergyIntolerance',
    id: 'n',
    code: { text: 'Nut' },
  };
  const linesOf = (all: Resource[]): string[] => {
    const [{ resource }] = JSON.parse(summaryText(ENGLISH, patient, all, ORIGIN)).entry;
    return resource.section[1].text.div.match(/(?<=<li>).*?(?=<\/li>)/g);
  };
  const line = 'Shock, Suspected cause: Latex, Potential, did not happen';
  const [note, ...others] = linesOf([event]);
  assert.match(note ?? '', /^<b>An adverse event is not an allergy entry:/);
  assert.deepEqual(others, [line]);
  assert.deepEqual(linesOf([nut, event]), ['Nut', line]);
});

test('a patient summary is in the language of the page, and says so; its codes are the same', () => {
  const text = summaryText(SPANISH, patient, records, {
    base: BASE,
    now: NOW,
    uuid: uuids(),
  });
  const [{ resource: composition }] = JSON.parse(text).entry;
  assert.deepEqual([composition.language, composition.title], ['es', 'Resumen del paciente']);
  const { title, code, text: narrative } = composition.section[3];
  assert.deepEqual([title, code.coding], ['Resultados', [{ system: 'http://loinc.org', code: '30954-2' }]]);
  assert.match(narrative.div, /^<div xmlns="[^"]*" lang="es" xml:lang="es"><ul><li>A &amp; &lt;b&gt;, 7(,0)? ?%/);
  assert.match(composition.section[0].text.div, /<p>Sin información\.<\/p>/);
  assert.match(text, /"value": ?7(\.0)?,/, 'a number of a record stays a number');
});

test('a Spanish summary of the Worker names types in Spanish', () => {
  const asked = { language: 'es', base: BASE, day: '2026-01-01', uuids: ['a', 'b'], closed: ['NutritionOrder'] };
  const text = summaryOf(JSON.stringify({ ...asked, isCut: false, patient, entries: [] }));
  assert.match(text, /no abre: Orden de alimentación/);
});

test('the patient summary carries the words of the source document, and says what it lacks', () => {
  const div =
    '<div><table><tr><td>NovoLog</td><td>15 units &lt;before meals&gt;</td></tr></table><script>x</script></div>';
  const composition: Resource = {
    resourceType: 'Composition',
    id: 'c',
    ...{
      title: 'Letter',
      date: '2020-01-02',
      section: [
        { title: 'Medications', code: { coding: [{ system: 'http://loinc.org', code: '10160-0' }] }, text: { div } },
        { title: 'Discharge instructions', text: { div: '<p>Call if worse</p>' } },
        { title: 'Allergies', emptyReason: { coding: [{ code: 'nilknown' }] } },
        { title: 'Old', code: { coding: [{ system: 'http://loinc.org', code: '11348-0' }] }, text: { div: 'Measles' } },
        { title: 'Other\u202e', text: { div: 'word' } },
      ],
    },
  };
  const note: Resource = { resourceType: 'DocumentReference', id: 'd' };
  const [{ resource }] = JSON.parse(summaryText(ENGLISH, patient, [patient, composition, note], ORIGIN)).entry;
  const sections: { title: string; text: { div: string }; emptyReason?: object }[] = resource.section;
  const divOf = (title: string): string => sections.find((one) => one.title === title)?.text.div ?? '';
  assert.match(
    divOf('Medications'),
    /As “Letter” of 2.Jan.2020 words it: Medications.*NovoLog, 15 units &lt;before meals&gt;/,
  );
  assert.doesNotMatch(divOf('Medications'), /No information|<script|<table/);
  assert.ok(sections.find(({ title }) => title === 'Medications')?.emptyReason, 'a required section without entries');
  assert.match(divOf('Discharge instructions'), /Call if worse/);
  assert.match(divOf('Past problems'), /Old.*Measles/);
  assert.match(divOf('Allergies and intolerances'), /words it: Allergies.*<li>nil known<\/li>/);
  assert.match(divOf('Other'), /word/);
  const allergies = sections.find(({ title }) => title === 'Allergies and intolerances');
  assert.match(JSON.stringify(allergies?.emptyReason), /nilknown/);
  assert.match(divOf('What this summary lacks'), /1 note or attached file/);
});

const OLD_IPS = 'http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips';
const ABSENT = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
};

test('8 to 10, 54 to 59: what the profile allows is an entry, the rest is in words or left out', () => {
  const one = (resourceType: string, id: string, more: object = {}): Resource => ({ resourceType, id, ...more });
  const coded = (code: string) => ({ coding: [{ code }] });
  const drug = (name: string) => ({ medicationCodeableConcept: { text: name } });
  const lab = (id: string, effectiveDateTime: string | undefined, text: string) =>
    one('Observation', id, {
      ...{ status: 'final', category: [coded('laboratory')], code: { text }, valueString: id },
      ...(effectiveDateTime ? { effectiveDateTime } : {}),
    });
  const all = [
    one('Condition', 'now', { code: { text: 'Asthma' }, clinicalStatus: coded('active') }),
    one('Condition', 'over', { code: { text: 'Measles' }, clinicalStatus: coded('resolved') }),
    one('Condition', 'refuted', { code: { text: 'Stroke' }, verificationStatus: coded('refuted') }),
    one('AllergyIntolerance', 'gone', { code: { text: 'Milk' }, clinicalStatus: coded('resolved') }),
    one('AllergyIntolerance', 'asleep', { code: { text: 'Egg' }, clinicalStatus: coded('inactive') }),
    one('MedicationRequest', 'taken', { status: 'active', intent: 'order', ...drug('Taken') }),
    one('MedicationRequest', 'not', { status: 'active', intent: 'order', doNotPerform: true, ...drug('Avoided') }),
    one('MedicationRequest', 'stopped', { status: 'stopped', intent: 'order', ...drug('Stopped') }),
    one('MedicationStatement', 'told', { status: 'active', effectiveDateTime: '2026-01-01', ...drug('Told') }),
    one('MedicationStatement', 'untimed', { status: 'active', ...drug('Untimed') }),
    one('MedicationStatement', 'ended', { status: 'active', effectivePeriod: { end: '2021' }, ...drug('Ended') }),
    one('Immunization', 'given', { status: 'completed', occurrenceDateTime: '2025', vaccineCode: { text: 'Polio' } }),
    one('Immunization', 'refused', { status: 'not-done', occurrenceDateTime: '2025', vaccineCode: { text: 'Flu' } }),
    one('Procedure', 'untimed', { status: 'completed', code: { text: 'Biopsy' } }),
    one('Device', 'pump', { type: { text: 'Pump' } }),
    one('DeviceUseStatement', 'use', { status: 'active', device: { reference: 'Device/pump' } }),
    one('Goal', 'goal', { lifecycleStatus: 'active', description: { text: 'Walk' } }),
    one('ServiceRequest', 'order', { status: 'active', intent: 'order', code: { text: 'X-ray' } }),
    one('Flag', 'flag', { status: 'active', code: { text: 'Falls' } }),
    one('Consent', 'consent', { status: 'active', category: [{ text: 'Do not resuscitate' }] }),
    lab('old', '2024-01-01', 'Sodium'),
    lab('new', '2026-01-01', 'Sodium'),
    lab('undated', undefined, 'Iron'),
    one('Composition', 'stored', { title: 'Letter', section: [] }),
    lab('year', '2026', 'Zinc'),
    one('DiagnosticReport', 'report', {
      ...{ status: 'final', code: { text: 'Panel' }, effectiveDateTime: '2026-01-01' },
      related: [{ reference: 'Composition/stored' }, { reference: 'Patient/donor' }],
    }),
    one('DiagnosticReport', 'untimed', { status: 'final', code: { text: 'Scan' }, issued: '2026-01-01T00:00:00Z' }),
    one('DiagnosticReport', 'off', { status: 'cancelled', code: { text: 'Swab' }, effectiveDateTime: '2026-01-01' }),
    one('Patient', 'donor'),
    one('MedicationRequest', 'nameless', { status: 'active', intent: 'order' }),
    one('MedicationStatement', 'unknown', {
      ...{
        status: 'unknown',
        medicationCodeableConcept: { coding: [{ system: OLD_IPS, code: 'no-medication-info' }] },
      },
      effectivePeriod: { start: '2026' },
    }),
    one('Immunization', 'child', { status: 'completed', occurrenceString: 'as a child', vaccineCode: { text: 'BCG' } }),
    one('Procedure', 'when', { status: 'completed', code: { text: 'Cast' }, _performedDateTime: ABSENT }),
    one('Procedure', 'nameless', { status: 'completed', performedDateTime: '2020-01-01' }),
    one('Device', 'analyser', { type: { text: 'Analyser' } }),
    one('Device', 'own', { type: { text: 'Lens' }, patient: { reference: 'Patient/p' } }),
    one('Goal', 'reached', { lifecycleStatus: 'completed', description: { text: 'Run' } }),
    one('Consent', 'privacy', { status: 'active', scope: coded('patient-privacy'), category: [{ text: 'Sharing' }] }),
  ];
  const { entry } = JSON.parse(summaryText(ENGLISH, { ...patient, name: [] }, all, ORIGIN));
  const [{ resource: composition }, { resource: person }] = entry;
  assert.deepEqual([person.name, Object.keys(person._birthDate)], [[{ text: 'Unknown patient' }], ['extension']]);
  const masked = { ...patient, name: [{ use: 'usual' }], _birthDate: { extension: [] } };
  const [, { resource: other }] = JSON.parse(summaryText(ENGLISH, masked, [], ORIGIN)).entry;
  assert.deepEqual([other.name, other._birthDate], [[{ use: 'usual', text: 'Unknown patient' }], { extension: [] }]);
  interface Section {
    title: string;
    code: object;
    text: { div: string };
    entry?: { reference: string }[];
    emptyReason?: object;
  }
  const sections: Section[] = composition.section;
  for (const { title, code, text } of sections) assert.ok(title && code && text.div, title);
  const found = sections.map(({ title, entry: own = [], text }) => [
    title,
    own.map(({ reference }) => referredAddress(reference)),
    text.div.match(/(?<=<li>)[^<,]+/g) ?? [],
  ]);
  assert.deepEqual(found, [
    [
      'Medications',
      ['MedicationRequest/taken', 'MedicationStatement/told'],
      ['Taken', 'Avoided', 'Told', 'Untimed', 'Ended', 'Medication not named', 'No information about medications'],
    ],
    ['Allergies and intolerances', ['AllergyIntolerance/asleep'], ['Egg']],
    ['Problems', ['Condition/now'], ['Asthma']],
    ['Past problems', ['Condition/over'], ['Measles']],
    ['Immunizations', ['Immunization/given', 'Immunization/child'], ['Polio', 'Flu', 'BCG']],
    ['Procedures', ['Procedure/when'], ['Biopsy', 'Cast', 'Procedure']],
    ['Medical devices', ['DeviceUseStatement/use'], ['Pump', 'Lens']],
    ['Results', ['Observation/new', 'DiagnosticReport/report'], ['Sodium', 'Iron', 'Zinc', 'Panel', 'Scan', 'Swab']],
    ['Plan of care', [], ['Walk', 'X-ray']],
    ['Alerts', ['Flag/flag'], ['Falls']],
    ['Advance directives', ['Consent/consent'], ['Do not resuscitate']],
  ]);
  assert.match(JSON.stringify(sections), /Ended, no dose recorded, 2021, Source says active; its period ended 2021</);
  assert.match(JSON.stringify(sections), /BCG, as a child, .*The newest result of each test: older ones are not/s);
  const types = entry.map(({ resource }: { resource: Resource }) => resource.resourceType);
  assert.equal(types.filter((type: string) => type === 'Composition').length, 1);
  assert.deepEqual(types.slice(0, 3), ['Composition', 'Patient', 'Device']);
});

test('54, 55, 58: of the sample, what is taken, worn or directed is an entry, and no stored Composition is', () => {
  const lines = readdirSync('sample')
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readFileSync(`sample/${name}`, 'utf8').trimEnd().split('\n'));
  const own = lines.filter((line) => /"(?:subject|patient)":{"reference":"Patient\/dana-begay"/.test(line));
  const all = own.map((line) => parsed(line) as Resource);
  assert.ok(own.some((line) => line.includes('"supportingInfo":[{"reference":"Composition/dana-after-treatment"}]')));
  const { entry } = JSON.parse(summaryText(ENGLISH, { ...patient, id: 'dana-begay' }, all, ORIGIN));
  const types = entry.map(({ resource }: { resource: Resource }) => resource.resourceType);
  assert.equal(types.filter((type: string) => type === 'Composition').length, 1);
  const sections: string[] = entry[0].resource.section.map((section: object) => JSON.stringify(section));
  for (const said of [
    /"10160-0".*<li>Vitamin D3, 1000 units, One tablet in the morning.*\/MedicationStatement\/dana-vitamin-d"/,
    /"46264-8".*<li>Compression sleeve, Left arm.*\/DeviceUseStatement\/dana-sleeve"/,
    /"104605-1".*<li>Left arm: no blood pressure, no needles.*\/Flag\/dana-left-arm"/,
    /"42348-3".*<li>Advance Directive, .*\/Consent\/dana-advance-directive"/,
    /As “Summary of treatment” of 12.Apr.2022 words it: .*Lumpectomy in April/,
  ]) {
    assert.ok(
      sections.some((section) => said.test(section)),
      `${said}`,
    );
  }
});

test('12: references to known targets resolve in the document, and a known absence is no entry', () => {
  const one = (address: string, more: object = {}): Resource => {
    const [resourceType = '', id = ''] = address.split('/');
    return { resourceType, id, ...more };
  };
  const person = { ...patient, generalPractitioner: [{ reference: 'PractitionerRole/r' }] };
  const none = { coding: [{ system: OLD_IPS, code: 'no-known-problems' }] };
  const all = [
    { ...result, encounter: { reference: 'Encounter/e' } },
    one('Encounter/e', {
      serviceProvider: { reference: `${BASE}/Organization/o/_history/2` },
      subject: { reference: 'Patient/p' },
    }),
    one('Organization/o', { partOf: { reference: 'Organization/whole' } }),
    ...['Organization/whole', 'Organization/other', 'Organization/lab', 'Practitioner/d'].map((address) =>
      one(address),
    ),
    one('PractitionerRole/r', {
      practitioner: { reference: 'Practitioner/d' },
      organization: { reference: 'https://other.example/fhir/Organization/other' },
    }),
    one('Condition/none', { code: none }),
  ];
  const { entry } = JSON.parse(summaryText(ENGLISH, person, all, ORIGIN));
  const added = entry.slice(4).map(({ fullUrl }: { fullUrl: string }) => fullUrl.replace(`${BASE}/`, ''));
  assert.equal(
    added.join(),
    'PractitionerRole/r,Organization/lab,Encounter/e,Practitioner/d,Organization/o,Organization/whole',
  );
  const [{ resource: composition }] = entry;
  const { emptyReason, text } = composition.section[2];
  assert.equal(emptyReason.coding[0].code, 'nilknown');
  assert.match(text.div, /<li>No known problems\.<\/li>/);
});

test('12: a section says that none are known only if all its records say so of all, and no list names others', () => {
  const withdrawn = (code: string) => ({ coding: [{ system: OLD_IPS, code }] });
  const allergy = (code: string, more = {}) => ({ resourceType: 'AllergyIntolerance', code: withdrawn(code), ...more });
  const statement = { resourceType: 'MedicationStatement' };
  const drug = (of: object, status = 'active') => ({ ...statement, status, medicationCodeableConcept: of });
  const [noDrugs, reaction] = [withdrawn('no-known-medications'), [{ substance: { text: 'Peanut' } }]];
  const to = (reference: string) => ({ item: { reference, display: 'Gone' } });
  const entry = [to('MedicationRequest/gone'), to('Immunization/gone'), to('Observation/gone')];
  const list = { resourceType: 'List', status: 'current', title: 'Card', entry };
  const summaryFor = (records: object[], more = {}): string => {
    const all = records.map((one, i) => ({ id: `r${i}`, ...one })) as Resource[];
    return summaryText(ENGLISH, patient, all, { ...ORIGIN, ...more });
  };
  for (const [at, reason, ...records] of [
    [1, 'nilknown', allergy('no-known-allergies'), { resourceType: 'AdverseEvent', event: { text: 'Shock' } }],
    [1, 'unavailable', allergy('no-known-food-allergies')],
    [1, 'unavailable', allergy('no-known-allergies'), { resourceType: 'AllergyIntolerance', reaction }],
    [1, 'unavailable', allergy('no-known-allergies', { reaction })],
    [0, 'nilknown', drug(noDrugs)],
    [0, 'unavailable', drug(noDrugs), drug({ text: 'Warfarin' })],
    [0, 'unavailable', drug(noDrugs, 'not-taken')],
    [0, 'unavailable', drug({ ...noDrugs, text: 'Warfarin' })],
    [0, 'unavailable', drug(noDrugs), list],
  ] as [number, string, ...object[]][]) {
    const [{ resource }] = JSON.parse(summaryFor(records)).entry;
    assert.equal(resource.section[at].emptyReason.coding[0].code, reason, JSON.stringify(records));
  }
  const named = (more: object): number =>
    summaryFor([list], more).split('“Card” names what is not in this chart').length;
  const ways = [{}, { hasOnlyNewest: true }, { leftOut: ['11369-6'] }, { isCut: true }];
  assert.deepEqual(ways.map(named), [4, 3, 3, 1]);
});

test('sections that the person does not share are withheld, also where an entry refers to their records', () => {
  const all: Resource[] = [
    { resourceType: 'Condition', id: 'c', code: { text: 'HIV' } } as Resource,
    {
      ...{ resourceType: 'Procedure', id: 'x', status: 'completed', code: { text: 'Biopsy' }, performedString: 'May' },
      reasonReference: [{ reference: 'Condition/c' }],
    } as Resource,
  ];
  const one = (resourceType: string, more: object): Resource => ({ resourceType, id: resourceType, ...more });
  const [reference, instance] = [{ reference: 'Condition/c' }, { reference: 'MedicationRequest/MedicationRequest' }];
  const telling = [
    one('MedicationRequest', { status: 'active', medicationCodeableConcept: { text: 'Zidovudine' } }),
    one('AdverseEvent', { event: { text: 'Rash' }, resultingCondition: [reference], suspectEntity: [{ instance }] }),
    one('DetectedIssue', { code: { text: 'Interaction' }, implicated: [{ ...reference, display: 'HIV' }] }),
  ];
  const leftOut = ['10160-0', '11450-4', '30954-2'];
  const text = summaryText(ENGLISH, patient, [result, ...all, ...telling], { ...ORIGIN, leftOut });
  assert.match(text, /"title": ?"Problems".*"code": ?"withheld".*sections that the person does not share/s);
  assert.match(text, /"resourceType": ?"Procedure"/);
  assert.match(text, /Rash.*Interaction/s);
  assert.doesNotMatch(text, /HIV|Zidovudine|"resourceType": ?"(?:Condition|Observation)"|"30954-2"/);
});

test('malformed records end no summary, and letters that nobody sees are not in it', () => {
  const made = (person: object, resources: unknown[], language = 'en'): string => {
    const asked = { language, base: BASE, day: '2026-05-01', uuids: ['u', 'v'], closed: [], patient: person };
    return summaryOf(JSON.stringify({ ...asked, entries: resources.map((resource) => ({ resource })) }));
  };
  const asthma = { resourceType: 'Condition', id: 'c', code: { text: 'As\u0000th\u202ema' } };
  const malformed = [{ resourceType: 'AllergyIntolerance', id: 'a', reaction: {} }, { ...asthma, code: null }, null];
  assert.match(made(patient, [asthma, ...malformed]), /<li>Asthma<.*3 records that cannot be read/s);
  assert.match(made({ ...patient, name: 'x' }, [], 'es'), /1 registro que no se puede leer.*Paciente desconocido/s);
  assert.doesNotMatch(made(patient, [asthma]), /cannot be read/);
});
