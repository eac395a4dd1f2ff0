import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FilesReport, LoadProgress, NamedFile } from './file-report.ts';
import { type Loader, loadFiles, placeInFile, reasonIn, typeIn } from './load-files.ts';
import { otherJson, unreadable } from './readable.ts';

/** An engine that takes each line except `oops`, and stores the texts. */
class FakeLoader implements Loader {
  readonly texts: string[] = [];
  unserved: Record<string, number> = { Foo: 1 };

  load(text: string): ReturnType<Loader['load']> {
    this.texts.push(text);
    const lines = text.split('\n').map((line, i) => ({ line, where: `line ${i + 1}` }));
    const refused = lines.filter(({ line }) => line === 'oops').map(({ where }) => ({ where, why: 'it is not JSON' }));
    const resources = lines.filter(({ line }) => line.includes('"id"')).length;
    return { resources, refused, unserved: this.unserved, unresolved: 0, replaced: [] };
  }
}

const named = (name: string, text: string): { name: string; file: Blob } => ({ name, file: new Blob([text]) });
async function reportOf(
  loader: Loader,
  files: NamedFile[],
  now: string,
  post: (step: LoadProgress) => void,
): Promise<FilesReport> {
  return (await loadFiles(() => loader, files, now, post)).report;
}
const patient = (i: number): string => `{"resourceType":"Patient","id":"p${i}"}`;

test('faults have the file and the line in it, however the file was cut', async () => {
  const loader = new FakeLoader();
  const lines = Array.from({ length: 250_000 }, (_, i) => (i % 50_000 === 7 ? 'oops' : patient(i)));
  const steps: LoadProgress[] = [];
  const report = await reportOf(
    loader,
    [named('a.ndjson', lines.join('\n')), named('b.ndjson', `${patient(1)}\noops\n`)],
    '2026-01-01',
    (step) => steps.push(step),
  );
  assert.ok(loader.texts.length > 2, 'the long file came in several pieces');
  assert.equal(report.taken, 250_000 - 5 + 1);
  assert.deepEqual(
    report.faults.map(({ file, line }) => `${file} ${line}`),
    ['a.ndjson 8', 'a.ndjson 50008', 'a.ndjson 100008', 'a.ndjson 150008', 'a.ndjson 200008', 'b.ndjson 2'],
  );
  assert.deepEqual({ ...report.unserved }, { Foo: loader.texts.length });
  for (const [i, step] of steps.entries()) {
    const before = steps[i - 1] ?? step;
    assert.ok(step.bytes >= before.bytes && step.resources >= before.resources, 'progress goes on');
    assert.ok(step.bytes <= step.allBytes);
  }
  assert.ok(steps.length >= loader.texts.length, 'each piece is a step');
  const last = steps.at(-1);
  assert.deepEqual([last?.bytes, last?.done, last?.files], [last?.allBytes, 2, 2]);
});

test('what is lost is counted by its type, where a faulty line says it', async () => {
  assert.equal(typeIn('{"resourceType": "Condition", "id": "x", "co'), 'Condition');
  assert.equal(typeIn('{"resourceType":"Bundle","entry":['), '');
  assert.equal(typeIn('{"resourceType":"Condition","contained":[{"resourceType":"Patient"}]'), '');
  const broken = ['{"resourceType":"Condition","oops', 'oops', '{"resourceType":"Goal","again'];
  const loader: Loader = {
    load: (text) => ({
      resources: 1,
      refused: text.split('\n').flatMap((line, i) => {
        const why = line.includes('again') ? 'Goal/a comes again with another content, and the last one counts' : 'odd';
        return broken.includes(line) ? [{ where: `line ${i + 1}`, why }] : [];
      }),
      unserved: {},
      unresolved: 0,
      replaced: [],
    }),
  };
  const lines = [patient(1), ...broken, patient(2)].join('\n');
  const { lost, faultCount } = await reportOf(loader, [named('a', lines), named('b', '<x/>')], '', () => undefined);
  assert.deepEqual([{ ...lost }, faultCount], [{ Condition: 1, '': 2 }, 4]);
});

test('only the first faults are kept, and all are counted', async () => {
  const text = `${patient(1)}\n${'oops\n'.repeat(1_000)}`;
  const { faults, faultCount } = await reportOf(new FakeLoader(), [named('a', text)], '', () => undefined);
  assert.deepEqual([faults.length, faultCount], [200, 1_000]);
});

test('a file that cannot be a document is a fault, and the next one is loaded', async () => {
  const bad = [
    named('a.json', ''),
    named('b.xml', '<Patient/>'),
    named('c.zip', 'PK\u0003\u0004…'),
    named('d', '\u0000x'),
  ];
  const { taken, faults } = await reportOf(new FakeLoader(), [...bad, named('e', patient(1))], '', () => undefined);
  assert.equal(taken, 1);
  assert.deepEqual(
    faults.map(({ file, line, code }) => [file, line, code]),
    [
      ['a.json', undefined, 'empty'],
      ['b.xml', undefined, 'markup'],
      ['c.zip', undefined, 'zip'],
      ['d', undefined, 'binary'],
    ],
  );
});

test('a fault of the engine itself ends the load', async () => {
  const loader: Loader = {
    load: () => {
      throw new Error('unreachable');
    },
  };
  await assert.rejects(
    reportOf(loader, [named('a', patient(1))], '', () => undefined),
    /unreachable/,
  );
});

test('the place in a piece becomes the place in the file', () => {
  assert.deepEqual(placeInFile('line 3', 10), { line: 13 });
  assert.deepEqual(placeInFile('line 3, Bundle.entry[1]', 0), { line: 3, place: 'Bundle.entry[1]' });
  assert.deepEqual(placeInFile('Bundle.entry[1]', 4), { place: 'Bundle.entry[1]' });
  assert.deepEqual(placeInFile('', 4), {});
});

test('the line within a line is not said', () => {
  assert.equal(reasonIn('it is not JSON: EOF at line 1 column 20', true), 'it is not JSON: EOF, at character 20');
  assert.equal(reasonIn('it is not JSON: EOF at line 7 column 20', false), 'it is not JSON: EOF at line 7 column 20');
});

test('text that begins as JSON does is readable', () => {
  for (const text of ['{', '\n [', 'oops\n{', '"a"', '7', '', ' \n']) assert.equal(unreadable(text), undefined, text);
});

test('a file of another form is named for what it is', () => {
  const rows: [string, string, string?][] = [
    ['zip', 'PK\u0003\u0004\u0014\0'],
    ['zip', 'PK\u0005\u0006\0\0'],
    ['archive', '7z\ufffd\ufffd\u0027\u001c'],
    ['archive', `${'Patient.ndjson'.padEnd(257, '\0')}ustar`],
    ['pdf', '%PDF-1.7\n%\ufffd\ufffd'],
    ['image', '\ufffdPNG\r\n\u001a\n\0'],
    ['image', '\ufffd\ufffd\ufffd\ufffd\0\u0010JFIF\0'],
    ['image', `${'\0'.repeat(128)}DICM`],
    ['office', '{\\rtf1\\ansi'],
    ['office', '\ufffd\ufffd\u0011\u0871\u001a\ufffd'],
    ['binary', 'a\0b'],
    ['html', '<!DOCTYPE html>\n<html lang="en">'],
    ['html', '  <HTML>'],
    ['cda', '<?xml version="1.0"?><?xml-stylesheet href="CDA.xsl"?>\n<ClinicalDocument xmlns="urn:hl7-org:v3">'],
    ['cda', '<!-- a --><n1:ClinicalDocument xmlns:n1="urn:hl7-org:v3">'],
    ['fhir-xml', '<?xml version="1.0"?>\n<Bundle xmlns="http://hl7.org/fhir">'],
    ['markup', '<svg xmlns="http://www.w3.org/2000/svg">'],
    ['hl7-v2', '\u000bMSH|^~\\&|A|B\rPID|1'],
    ['health-card', 'shlink:/eyJ1cmwi'],
    ['table', 'Date,Test,Value\n2024-01-01,"A1c, total",5\n'],
    ['table', 'Date\tTest\n1\t2\n'],
    ['text', 'Dear Sir or Madam\n\nHello, all.\n'],
    ['text', 'resourceType: Patient\nid: p\n'],
  ];
  for (const [code, text] of rows) assert.equal(unreadable(text), code, text);
});

test('JSON that is no resource is named for what it is', async () => {
  const rows: [string | undefined, unknown][] = [
    ['other-json', {}],
    ['other-json', { data: [1] }],
    ['health-card', { verifiableCredential: ['a.b.c'] }],
    ['manifest', { transactionTime: '2024-01-01T00:00:00Z', output: [] }],
    [undefined, { resourceType: 7 }],
    [undefined, [1]],
    [undefined, null],
  ];
  for (const [code, document] of rows) assert.equal(otherJson(document), code, JSON.stringify(document));
  const loader = new FakeLoader();
  loader.load = () => {
    const refused = [{ where: 'line 2', why: 'it has no resourceType' }];
    return { resources: 0, refused, unserved: {}, unresolved: 0, replaced: [] };
  };
  const { faults } = await reportOf(loader, [named('a.json', '{"data":[]}')], '', () => undefined);
  assert.equal(faults[0]?.code, 'other-json');
  loader.load = () => ({ resources: 0, refused: [], unserved: {}, unresolved: 0, replaced: [] });
  const empty = await reportOf(loader, [named('a.json', '{"resourceType":"Bundle"}')], '', () => undefined);
  assert.deepEqual(empty.faults, [{ file: 'a.json', code: 'no-entries' }]);
});

test('a type with the name of a member of every object is counted like any other', async () => {
  const loader = new FakeLoader();
  loader.unserved = JSON.parse('{"constructor": 2, "__proto__": 3}');
  const { unserved } = await reportOf(loader, [named('a', patient(1)), named('b', patient(2))], '', () => undefined);
  assert.deepEqual(Object.entries(unserved), [
    ['constructor', 4],
    ['__proto__', 6],
  ]);
});
