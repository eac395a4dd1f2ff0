// Documents of the user's own files: text in its charset, HTML and clinical documents as text, pictures and PDFs in
// place, content in a Binary or within the record, and documents of another person. Hostile documents run nothing and
// fetch nothing (CL07, CL24).

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testThemes } from './axe.mjs';
import { open, says, text, unfoldLists } from './browser.mjs';
import {
  base64,
  clinicalDocument,
  documentOf,
  HOSTILE_HTML,
  hostileClinicalDocument,
  PDF,
  PIXEL,
} from './document-files.mjs';
import { ndjson, chartOf as openChart } from './own-files.mjs';

const stage = await open();
after(() => stage.close());

const subject = { reference: 'Patient/ada' };

/// Opens records as a file, and then the chart of their patient.
async function chartOf(resources, options) {
  const patient = {
    resourceType: 'Patient',
    id: 'ada',
    name: [{ family: 'Lovelace', given: ['Ada'] }],
    birthDate: '1985-12-10',
  };
  const opened = await openChart(stage, ndjson([patient, ...resources]), options);
  await unfoldLists(opened.page);
  return opened;
}

/// Opens a document in the drawer.
async function read(page, name, section = 'documents') {
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'hidden' });
  await page.locator(`#${section} .row`, { hasText: name }).first().getByRole('button', { name: /^Read/ }).click();
  await page.locator('dialog .attachment').first().waitFor();
}

test('text in another charset than its record says is told of, and long ones are cut in words', async () => {
  const { page } = await chartOf([
    documentOf('Unsaid letter', { contentType: 'text/plain', data: base64('Señora', 'latin1') }),
    documentOf('Denied letter', { contentType: 'text/plain; charset=ISO-8859-1', data: base64('Größe') }),
    documentOf('Letter in its address', { url: `data:text/plain;base64,${base64('Within')}` }),
    documentOf('Long letter', { contentType: 'text/plain', data: base64('word '.repeat(50_000)) }),
    documentOf('Damaged', { contentType: 'text/plain', data: 'a' }),
    documentOf('Nothing in it', { contentType: 'text/plain' }),
  ]);
  await read(page, 'Unsaid letter');
  assert.equal(await text(page, 'dialog .document-text'), 'Señora');
  await says(page, 'dialog', /read as windows-1252/);
  await read(page, 'Denied letter');
  assert.equal(await text(page, 'dialog .document-text'), 'Größe');
  await says(page, 'dialog', /read as utf-8, which its record does not say/);
  await read(page, 'Letter in its address');
  await says(page, 'dialog .document-text', /^Within$/);
  await read(page, 'Long letter');
  await says(page, 'dialog', /The first 200,000 of 250,000 letters are shown\. A copy has all\./);
  await read(page, 'Damaged');
  await says(page, 'dialog', /damaged: it is not base64/);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'hidden' });
  const without = page.locator('#documents .row', { hasText: 'Nothing in it' });
  assert.match(await without.innerText(), /no content in the record/);
  assert.equal(await without.getByRole('button', { name: /^Read/ }).count(), 0);
});

test('a scan of several megabytes opens, with line ends in its base64 or without', async () => {
  const letter = (length) => `Begins ${'word '.repeat(length / 5)}ends.`;
  const { page } = await chartOf([
    documentOf('Scanned letter', { contentType: 'text/plain', data: base64(letter(1_600_000)) }),
    documentOf('Mailed letter', {
      contentType: 'text/plain',
      data: base64(letter(5_000_000)).replace(/.{76}/g, '$&\r\n'),
    }),
  ]);
  for (const name of ['Scanned letter', 'Mailed letter']) {
    await read(page, name);
    await says(page, 'dialog .document-text', /^Begins word/);
  }
});

test('the titles of the files of a document are in the list, and name one that has no other name', async () => {
  const { type: _, ...unnamed } = documentOf('unnamed', { title: 'Letter of the eye clinic', data: base64('Dear') });
  const { page } = await chartOf([
    documentOf(
      'Consult note',
      { title: 'Foot clinic.txt', data: base64('a') },
      { title: 'X-ray, left foot', url: '#x' },
    ),
    { ...documentOf('Summary', { title: 'Summary', data: base64('b') }), description: 'Written for the new practice' },
    unnamed,
    { ...unnamed, id: 'described', description: 'Plan of exercise', content: [] },
  ]);
  const rows = page.locator('#documents .row');
  const rowOf = async (name) => (await rows.filter({ hasText: name }).innerText()).replace(/\s+/g, ' ');
  assert.match(await rowOf('Consult note'), /Consult note Foot clinic\.txt X-ray, left foot/);
  assert.match(await rowOf('Summary'), /Summary Written for the new practice Read/);
  assert.match(await rowOf('eye clinic'), /Letter of the eye clinic Read/);
  assert.match(await rowOf('Plan of exercise'), /Plan of exercise no content in the record/);
  await read(page, 'eye clinic');
  assert.match(await text(page, 'dialog h2'), /Letter of the eye clinic/);
});

test('pictures are in place, a PDF has a tab without a viewer, and other kinds are named and kept', async () => {
  const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n';
  const { person, page } = await chartOf([
    documentOf('Photograph', { contentType: 'image/png', data: PIXEL, title: 'Wound, left heel' }),
    documentOf('Scan', { contentType: 'application/pdf', data: base64(pdf) }),
    documentOf('Without a type', { data: base64(pdf) }),
    documentOf('Fax', { contentType: 'image/tiff', data: base64('II*\0rest', 'latin1') }),
    documentOf('Old letter', { contentType: 'application/rtf', data: base64('{\\rtf1 Stop warfarin}') }),
    documentOf('Odd one', { contentType: 'application/x-unheard-of', data: base64('?') }),
    documentOf('No picture', { contentType: 'image/png', data: base64('Sorry') }),
  ]);
  await read(page, 'Photograph');
  const picture = page.locator('dialog img.document-picture');
  assert.equal(await picture.getAttribute('alt'), 'Wound, left heel');
  await page.waitForFunction(() => document.querySelector('dialog img')?.naturalWidth === 1);
  for (const name of ['Scan', 'Without a type']) {
    await read(page, name);
    await says(page, 'dialog .attachment', /PDF, 6\d B/);
    assert.equal(await page.locator('dialog iframe').count(), 0);
    const tab = person.context.waitForEvent('page');
    await page.getByRole('button', { name: 'Open the PDF in a new tab' }).click();
    await (await tab).close();
  }
  for (const [name, says_, extension] of [
    ['Fax', /Picture \(TIFF\).*not opened inside the chart/, 'tif'],
    ['Old letter', /Formatted text \(RTF\).*not opened inside the chart/, 'rtf'],
    ['Odd one', /application\/x-unheard-of.*not opened inside the chart/, 'bin'],
    ['No picture', /The record calls it image\/png, which it is not.*Sorry/, 'txt'],
  ]) {
    await read(page, name);
    await says(page, 'dialog .attachment', says_);
    const kept = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Keep a copy' }).click();
    assert.match((await kept).suggestedFilename(), new RegExp(`\\.${extension}$`));
  }
});

test('a web page is shown by its words, lists, tables and own pictures', async () => {
  const note = `<html><head><title>T</title><style>p { color: red }</style></head><body><h1>Discharge</h1>
    <p style="color:red">Stop <b>warfarin</b>.</p><table><tr><th>Drug</th></tr><tr><td>Apixaban</td></tr></table>
    <p><span style="color: red; text-decoration: line-through">Aspirin</span> <del>Iron</del></p>
    <p><input type="checkbox" checked>Smoker <input type=radio>Diabetic <input value="72 kg">
    <select><option>left</option><option selected>right</option></select></p>
    <img alt="Wound" src="data:image/png;base64,${PIXEL}"></body></html>`;
  const { page } = await chartOf([documentOf('Web note', { contentType: 'text/html', data: base64(note) })]);
  await read(page, 'Web note');
  assert.match(await text(page, 'dialog .document-page'), /^Discharge Stop warfarin\. ?Drug ?Apixaban/);
  assert.equal(await page.locator('dialog .document-page table td').textContent(), 'Apixaban');
  await page.waitForFunction(() => document.querySelector('dialog .document-page img')?.naturalWidth === 1);
  assert.doesNotMatch(await text(page, 'dialog .document-page'), /color|left/);
  assert.deepEqual(await page.locator('dialog .document-page del').allInnerTexts(), ['Aspirin', 'Iron']);
  assert.match(await text(page, 'dialog .document-page'), /☑ Smoker ☐ Diabetic 72 kg right/);
});

test('a clinical document is shown by its own narrative, with whom it names', async () => {
  const report = {
    resourceType: 'DiagnosticReport',
    id: 'r1',
    status: 'final',
    code: { text: 'Chest X-ray' },
    subject,
    conclusion: 'No pneumothorax.',
    conclusionCode: [{ coding: [{ display: 'Normal chest' }] }],
    presentedForm: [{ contentType: 'text/plain', data: base64('Lungs are clear.') }],
  };
  const { page } = await chartOf([
    documentOf('Summary', { contentType: 'application/xml', data: base64(clinicalDocument()) }),
    documentOf('Scanned', {
      contentType: 'text/xml',
      data: base64(
        clinicalDocument({
          body: `<nonXMLBody><text mediaType="image/png" representation="B64">${PIXEL}</text></nonXMLBody>`,
        }),
      ),
    }),
    documentOf('Filed elsewhere', {
      contentType: 'text/plain',
      data: base64(
        clinicalDocument({ body: '<nonXMLBody><text mediaType="a/b"><reference value="p.pdf"/></text></nonXMLBody>' }),
      ),
    }),
    documentOf('Other XML', { contentType: 'text/xml', data: base64('<note><to>Ada</to></note>') }),
    documentOf('With entities', {
      contentType: 'text/xml',
      data: base64(`<!DOCTYPE a [<!ENTITY b "boom">]>${clinicalDocument().replace('Penicillin', '&b;')}`),
    }),
    report,
  ]);
  await read(page, 'Summary');
  await says(page, 'dialog', /Continuity of Care.*The document names as its patient: Ada Lovelace, born 10 Dec 1985\./);
  assert.deepEqual(await page.locator('dialog .document-page h4').allTextContents(), ['Allergies', 'Plan', 'Lab']);
  assert.equal(await page.locator('dialog .document-page td').first().textContent(), 'Penicillin');
  assert.equal(await page.locator('dialog .document-page td').nth(1).getAttribute('rowspan'), '2');
  assert.deepEqual(await page.locator('dialog .document-page ol li').allTextContents(), [
    'Stop warfarin',
    'Start apixaban',
  ]);
  assert.equal(await page.locator('dialog .document-page strong').textContent(), 'Severe');
  assert.equal(await page.locator('dialog .document-page del').textContent(), 'Latex');
  await says(page, 'dialog .document-page', /Lab ?This section has no text\./);
  await read(page, 'Scanned');
  await page.waitForFunction(() => document.querySelector('dialog img')?.naturalWidth === 1);
  await read(page, 'Filed elsewhere');
  await says(page, 'dialog', /calls it text\/plain, which it is not.*refers to a file, p\.pdf, that is not in it/);
  await read(page, 'Other XML');
  await says(page, 'dialog .document-text', /<note><to>Ada<\/to><\/note>/);
  await read(page, 'With entities');
  await says(page, 'dialog .document-text', /<!DOCTYPE/);
  await read(page, 'Chest X-ray', 'reports');
  await says(page, 'dialog', /No pneumothorax\. ?Coded conclusion Normal chest.*Lungs are clear\./);
});

test('a document in a Binary of the files is read when it is asked for', async () => {
  const binary = { resourceType: 'Binary', id: 'b1', contentType: 'text/plain', data: base64('From the Binary') };
  const { page } = await chartOf([
    binary,
    documentOf('Referred', { contentType: 'text/plain', url: 'Binary/b1' }),
    documentOf('Of its server', { contentType: 'text/plain', url: 'https://ehr.example.org/fhir/Binary/b1' }),
    documentOf('Not here', { contentType: 'text/plain', url: 'Binary/none' }),
    documentOf('Elsewhere', { contentType: 'application/pdf', url: 'https://ehr.example.org/letter.pdf' }),
  ]);
  for (const name of ['Referred', 'Of its server']) {
    await read(page, name);
    assert.equal(await page.locator('dialog .document-text').count(), 0);
    await page.getByRole('button', { name: 'Open Binary/b1' }).click();
    await says(page, 'dialog .document-text', /^From the Binary$/);
  }
  await read(page, 'Not here');
  await page.getByRole('button', { name: 'Open Binary/none' }).click();
  await says(page, 'dialog', /404/);
  await read(page, 'Elsewhere');
  await says(page, 'dialog', /PDF at another address, ehr\.example\.org\. It is not fetched from here/);
});

test('cl24 a PDF is in the viewer of the browser, under an address that ends with the drawer', async () => {
  const { person, page } = await chartOf([
    documentOf('Scan', { contentType: 'application/pdf', data: base64(PDF), title: 'Discharge letter' }),
    documentOf('No PDF', { contentType: 'application/pdf', data: base64('<script>window.hit=1</script>') }),
  ]);
  // The browser of the tests has no PDF viewer.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true });
    globalThis.made = [];
    globalThis.ended = [];
    const [create, revoke] = [URL.createObjectURL, URL.revokeObjectURL];
    URL.createObjectURL = (blob) => {
      const url = create.call(URL, blob);
      globalThis.made.push([url, blob.type]);
      return url;
    };
    URL.revokeObjectURL = (url) => {
      globalThis.ended.push(url);
      revoke.call(URL, url);
    };
  });
  assert.deepEqual(await page.evaluate(() => globalThis.made), []);
  await read(page, 'Scan');
  const frame = page.locator('dialog iframe');
  assert.equal(await frame.getAttribute('title'), 'PDF: Discharge letter');
  const [[url, type]] = await page.evaluate(() => globalThis.made);
  assert.match(url, /^blob:/);
  assert.equal(type, 'application/pdf');
  assert.equal((await frame.getAttribute('src')).split('#')[0], url);
  assert.equal(await page.getByRole('button', { name: 'Open the PDF in a new tab' }).count(), 1);
  assert.equal(await page.getByRole('button', { name: 'Keep a copy' }).count(), 1);
  await page.keyboard.press('Escape');
  await page.waitForFunction((address) => globalThis.ended.includes(address), url);
  await read(page, 'No PDF');
  await says(page, 'dialog .attachment', /The record calls it application\/pdf, which it is not/);
  assert.equal(await frame.count(), 0);
  await page.keyboard.press('Escape');
  // A frame can contain only blobs, on both pages of the app.
  for (const path of ['/', '/other.html']) {
    const { headers } = await fetch(stage.origin + path);
    assert.match(headers.get('content-security-policy'), /; frame-src blob:; .*frame-ancestors 'none'/, path);
  }
  person.expected.push(/frame-src/);
  for (const address of ['/', 'data:text/html,x', 'https://evil.example.org/']) {
    const refused = await page.evaluate(
      (src) =>
        new Promise((done) => {
          document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective), {
            once: true,
          });
          document.body.append(Object.assign(document.createElement('iframe'), { src }));
        }),
      address,
    );
    assert.equal(refused, 'frame-src', address);
  }
});

test('a document that is contained in its record is read from it', async () => {
  const holding = (name, url) => ({
    ...documentOf(name, { contentType: 'text/plain', url }),
    contained: [{ resourceType: 'Binary', id: 'x', contentType: 'text/plain', data: base64('From within') }],
  });
  const { page } = await chartOf([
    holding('Letter', '#x'),
    holding('Missing', '#y'),
    {
      resourceType: 'DiagnosticReport',
      id: 'r',
      status: 'final',
      code: { text: 'Endoscopy' },
      subject,
      presentedForm: [{ contentType: 'image/png', url: '#p', title: 'Polyp' }],
      contained: [{ resourceType: 'Media', id: 'p', content: { contentType: 'image/png', data: PIXEL } }],
    },
  ]);
  await read(page, 'Letter');
  await says(page, 'dialog .document-text', /^From within$/);
  await read(page, 'Missing');
  await says(page, 'dialog', /names content within it, #y, which it does not hold|at another address/);
  await read(page, 'Endoscopy', 'reports');
  await page.waitForFunction(() => document.querySelector('dialog img[alt="Polyp"]')?.naturalWidth === 1);
});

test('a document that names another person than the chart says so above, and one of the patient does not', async () => {
  const babbage = { given: 'Charles', family: 'Babbage', born: '19511226' };
  const xml = (more) => ({ contentType: 'text/xml', data: base64(clinicalDocument(more)) });
  const plain = (content) => ({ contentType: 'text/plain', data: base64(content) });
  const patient = { resourceType: 'Patient', id: 'p', name: [{ text: 'Mary Somerville' }], birthDate: '1780-12-26' };
  const { page } = await chartOf([
    documentOf('Mine', xml({})),
    documentOf('Married', xml({ family: 'Byron' })),
    documentOf('Foreign', xml(babbage)),
    documentOf('Birthday', xml({ born: '19851012' })),
    documentOf('Scanned one', xml({ ...babbage, body: '<nonXMLBody><text>Hello</text></nonXMLBody>' })),
    { ...documentOf('Subject', plain('x')), subject: { ...subject, display: 'Charles Babbage' } },
    {
      ...documentOf('Source', plain('x')),
      contained: [patient],
      context: { sourcePatientInfo: { reference: '#p' } },
    },
  ]);
  const warning = page.locator('dialog .statement');
  for (const name of ['Mine', 'Married']) {
    await read(page, name);
    assert.equal(await warning.count(), 0, name);
  }
  const OTHER =
    /^▲ This document names another person than this chart\. It names Charles Babbage, born 26 Dec 1951; this/;
  for (const [name, expected] of [
    ['Foreign', OTHER],
    ['Scanned one', OTHER],
    [
      'Birthday',
      /^▲ This document gives another birth date than this chart\. It names Ada Lovelace, born 12 Oct 1985; th/,
    ],
    [
      'Subject',
      /It names Charles Babbage; this chart is that of Ada Lovelace, born 10 Dec 1985\. Find out whose it is/,
    ],
    ['Source', /It names Mary Somerville, born 26 Dec 1780; this chart/],
  ]) {
    await read(page, name);
    await says(page, 'dialog .statement', expected);
  }
  await page.keyboard.press('Escape');
  for (const name of ['Subject', 'Source'])
    assert.match(await text(page, `#documents .row:has-text("${name}")`), /Names another person/);
});

test('cl07 hostile pages and clinical documents run nothing, fetch nothing, and break no policy', async () => {
  const { person, page } = await chartOf([
    documentOf('Hostile page', { contentType: 'text/html', data: base64(HOSTILE_HTML) }),
    documentOf('Hostile document', { contentType: 'text/xml', data: base64(hostileClinicalDocument()) }),
    documentOf('Hostile unsaid', { data: base64(`<!doctype html>${HOSTILE_HTML}`) }),
    documentOf('Drawing', { contentType: 'image/svg+xml', data: base64('<svg onload="window.hit=9"/>') }),
  ]);
  const asked = [];
  person.context.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url())) asked.push(request.url());
  });
  const FORBIDDEN = 'script, style, link, meta, base, form, input, button, iframe, object, embed, video, audio, svg, a';
  for (const name of ['Hostile page', 'Hostile document', 'Hostile unsaid']) {
    await read(page, name);
    await says(page, 'dialog .document-page', /Kept words/);
    const frame = page.locator('dialog .document-page');
    assert.equal(await frame.locator(FORBIDDEN).count(), 0, name);
    const attributes = await frame.evaluate((node) => [
      ...new Set([...node.querySelectorAll('*')].flatMap((one) => one.getAttributeNames())),
    ]);
    assert.deepEqual(
      attributes.filter((one) => !['colspan', 'rowspan', 'src', 'alt'].includes(one)),
      [],
      name,
    );
    await frame.getByText('Kept words').first().click();
    await page.locator('dialog details summary', { hasText: 'source' }).click();
    await says(page, 'dialog details', /evil\.example\.org/);
  }
  await read(page, 'Drawing');
  await says(page, 'dialog .attachment', /Drawing \(SVG\).*not opened inside the chart/);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
  assert.deepEqual(asked, []);
  // `close` checks the violations that the policy has reported.
});

testThemes('axe finds nothing in documents', async (inspect) => {
  const { page } = await chartOf([
    documentOf('Summary', { contentType: 'application/xml', data: base64(clinicalDocument()) }),
    documentOf('Web note', { contentType: 'text/html', data: base64('<h1>A</h1><table><tr><th>B</th></tr></table>') }),
    documentOf('Scan', { contentType: 'application/pdf', data: base64('%PDF-1.4') }),
    documentOf('Other', {
      contentType: 'text/xml',
      data: base64(clinicalDocument({ family: 'Babbage', born: '19511226' })),
    }),
  ]);
  await page.evaluate(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true }));
  const look = inspect(page);
  for (const name of ['Summary', 'Web note', 'Scan', 'Other']) {
    await read(page, name);
    await look(name);
  }
});
