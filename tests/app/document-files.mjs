// Made-up documents for tests: a clinical document, a picture, and hostile documents of each kind.

/// A PNG of one pixel, as base64.
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const BODY = `<structuredBody>
  <component><section><title>Allergies</title><text>
    <table><thead><tr><th>Substance</th><th>Since</th></tr></thead>
    <tbody><tr><td>Penicillin</td><td rowspan="2">2011</td></tr>
    <tr><td><content styleCode="Bold">Severe</content>
    <content revised="delete">Latex</content></td></tr></tbody></table>
  </text></section></component>
  <component><section><title>Plan</title><text><paragraph>From today:</paragraph>
    <list listType="ordered"><item>Stop warfarin</item><item>Start apixaban</item></list></text></section></component>
  <component><section><code code="30954-2" displayName="Lab"/></section></component>
</structuredBody>`;

export const clinicalDocument = ({
  body = BODY,
  before = '',
  given = 'Ada',
  family = 'Lovelace',
  born = '19851210',
} = {}) => `<?xml version="1.0" encoding="UTF-8"?>
${before}<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Continuity of Care</title>
<recordTarget><patientRole><patient><name><given>${given}</given><family>${family}</family></name>
<birthTime value="${born}"/></patient></patientRole></recordTarget>
<component>${body}</component></ClinicalDocument>`;

/// A PDF of one page that the viewer of a browser can show.
export const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 55>>stream
BT /F1 24 Tf 20 200 Td (Discharge letter) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`;

const EVIL = 'https://evil.example.org';

export const HOSTILE_HTML = `<html><head><base href="${EVIL}/">
<meta http-equiv="refresh" content="0;url=${EVIL}/refresh">
<link rel="stylesheet" href="${EVIL}/a.css">
<style>@import url(${EVIL}/b.css); body { background: url(${EVIL}/c.png) }</style>
<script src="${EVIL}/d.js"></script><script>window.hit=1</script></head>
<body onload="window.hit=2" style="background:url(${EVIL}/e.png)">
<p style="position:fixed;inset:0;background:url(${EVIL}/f.png)" onclick="window.hit=3">Kept words</p>
<img src="${EVIL}/g.png" onerror="window.hit=4" alt="far"><img src=x onerror=window.hit=5>
<img srcset="${EVIL}/h.png 1x" src="data:image/svg+xml;base64,PHN2Zy8+">
<picture><source srcset="${EVIL}/i.png"><img src="//evil.example.org/j.png"></picture>
<svg onload="window.hit=6"><image href="${EVIL}/k.png"/>
<a xlink:href="javascript:window.hit=7">x</a><style>@import '${EVIL}/l.css'</style></svg>
<math><mtext><table><mglyph><style><!--</style>
<img title="--&gt;&lt;img src=1 onerror=window.hit=8&gt;"></mglyph></table></mtext></math>
<form action="${EVIL}/m"><input name="q" autofocus onfocus="window.hit=9">
<button formaction="javascript:window.hit=10">Send</button></form>
<iframe src="${EVIL}/n"></iframe><object data="${EVIL}/o"></object><embed src="${EVIL}/p">
<video src="${EVIL}/q" poster="${EVIL}/r"></video>
<a href="javascript:window.hit=11" ping="${EVIL}/s">link</a>
<table background="${EVIL}/t.png"><tr><td>Cell</td></tr></table>
<details open ontoggle="window.hit=12"><summary>More</summary></details></body></html>`;

/// Returns a CDA document with elements of HTML and SVG, a stylesheet, and content that other viewers have executed.
export const hostileClinicalDocument = () =>
  clinicalDocument({
    before: `<?xml-stylesheet type="text/xsl" href="${EVIL}/a.xsl"?>`,
    body: `<structuredBody xmlns:h="http://www.w3.org/1999/xhtml" xmlns:s="http://www.w3.org/2000/svg">
    <component><section>
    <title>Plan &lt;img src=x onerror=window.hit=20&gt;</title><text>
    <paragraph onclick="window.hit=21" style="background:url(${EVIL}/b.png)">Kept words</paragraph>
    <linkHtml href="javascript:window.hit=22">link</linkHtml>
    <renderMultiMedia referencedObject="x"/>
    <h:script>window.hit=23</h:script><h:img src="${EVIL}/c.png" onerror="window.hit=24"/>
    <h:iframe src="${EVIL}/d"/><h:style>@import url(${EVIL}/e.css)</h:style><s:svg onload="window.hit=25"/>
    <table border="1" onmouseover="window.hit=26"><tbody>
    <tr><td colspan="9999999" tabindex="javascript:1">A</td></tr></tbody></table>
    <content styleCode="Bold; background:url(${EVIL}/f.png)">B</content></text></section></component>
    </structuredBody>`,
  });

/// Returns a made-up patient summary: a section with text and no entries, a reason without text, a text with another
/// dose than its entry, an active problem under past illness, and a section of an unknown code.
export function patientSummary() {
  const subject = { reference: 'urn:uuid:00000000-0000-4000-8000-000000000001' };
  const section = (code, title, more) => ({ title, code: { coding: [{ system: 'http://loinc.org', code }] }, ...more });
  const words = (div) => ({
    text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${div}</div>` },
  });
  const condition = (id, text) => ({
    resourceType: 'Condition',
    id,
    subject,
    code: { text },
    clinicalStatus: { coding: [{ code: 'active' }] },
  });
  const records = [
    { resourceType: 'Patient', id: 'ada', name: [{ family: 'Lovelace', given: ['Ada'] }] },
    { resourceType: 'Practitioner', id: 'ines', name: [{ family: 'Ríos', given: ['Inés'] }] },
    condition('cough', 'Cough after a cold'),
    condition('asthma', 'Asthma'),
    {
      resourceType: 'MedicationStatement',
      id: 'metformin',
      status: 'active',
      subject,
      medicationCodeableConcept: { text: 'Metformin 2 g modified-release tablets' },
    },
  ];
  const at = (i) => `urn:uuid:00000000-0000-4000-8000-00000000000${i}`;
  const composition = {
    resourceType: 'Composition',
    id: 'summary',
    status: 'final',
    type: { coding: [{ system: 'http://loinc.org', code: '60591-5' }] },
    title: 'Patient summary',
    date: '2019-03-04T10:00:00Z',
    author: [{ reference: at(2) }],
    subject,
    section: [
      section('11450-4', 'Problem list', { entry: [{ reference: at(4) }] }),
      section('11348-0', 'Past illness', { entry: [{ reference: at(3) }] }),
      section('10160-0', 'Medication', {
        ...words('<table><tr><td>Metformin</td><td>1 g</td><td>2 tablets a day</td></tr></table>'),
        entry: [{ reference: at(5) }],
      }),
      section('48765-2', 'Allergies', { emptyReason: { coding: [{ code: 'nilknown' }] } }),
      section('18776-5', 'Plan', words('<p onclick="hit=1">Continue for five years<script>hit = 2</script></p>')),
      section('0000-0', 'A letter', words('<p>The patient asks to be called in the evening.</p>')),
    ],
  };
  const all = [composition, ...records];
  const entry = all.map((resource, i) => ({ fullUrl: i === 0 ? at(9) : at(i), resource }));
  return JSON.stringify({ resourceType: 'Bundle', type: 'document', timestamp: composition.date, entry });
}

export const base64 = (content, encoding = 'utf8') => Buffer.from(content, encoding).toString('base64');

/// Returns a DocumentReference of the patient ada with one or more attachments.
export const documentOf = (name, ...attachments) => ({
  resourceType: 'DocumentReference',
  id: name.replaceAll(' ', '-'),
  status: 'current',
  type: { text: name },
  subject: { reference: 'Patient/ada' },
  date: '2026-03-05T10:00:00Z',
  content: attachments.map((attachment) => ({ attachment })),
});
