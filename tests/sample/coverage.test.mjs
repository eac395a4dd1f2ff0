// Checks that the sample covers US Core and the contract. us-core.mjs and spec.mjs contain the requirements of the
// official test kit and of docs/contract.md as data.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CORE, checks, crossing, name, population, rows, words } from './checks.mjs';
import { missing, REQUIRED, validate } from './g10.mjs';
import { laterElements, laterProfiles, laterSearches } from './later.mjs';
import { alsoSupported, namedValues, plainTypes, signedTypes } from './spec.mjs';
import { profiles } from './us-core.mjs';
import { values } from './walk.mjs';

const sample = new URL('../../sample/', import.meta.url);
const text = Object.fromEntries(
  readdirSync(sample)
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => [name.slice(0, -'.ndjson'.length), readFileSync(new URL(name, sample), 'utf8')]),
);
const all = Object.fromEntries(
  Object.entries(text).map(([type, lines]) => [
    type,
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ]),
);
const people = population(Object.values(all).flat());
const { everything, byReference, of, target } = people;

for (const [title, check] of checks) test(title, () => check(people));

test('every must-support element of US Core appears, and its references reach their profiles', () => {
  rows(profiles, ({ profile, must }) => words(must).flatMap((element) => appears(profile, element)));
});

test('what later versions of US Core ask for beyond 6.1.0 appears', () => {
  rows(laterProfiles, ({ since, profile, must }) => lacking(since, profile, must));
  rows(laterElements, ([version, profile, elements]) => lacking(version, profile, elements));
  rows(laterSearches, ([version, profile, category, elements]) => {
    const found = all.Observation.filter((one) => one.category?.some((c) => c.coding?.[0].system === category));
    return lacking(version, profile, elements, found);
  });
  function lacking(version, profile, elements, resources) {
    return words(elements)
      .flatMap((element) => appears(profile, element, resources))
      .map((fault) => `${version}, ${fault}`);
  }
});

test('the group of all patients has all that the (g)(10) kit looks for by code and category', () => {
  const group = all.Group.find(({ id }) => id === 'juniper-hill-patients');
  assert.deepEqual(
    group.member.map(({ entity }) => entity.reference),
    all.Patient.map(name),
  );
  rows([...REQUIRED, 'Medication', 'PractitionerRole', 'QuestionnaireResponse'], (type) => missing(type, everything));
  validate(everything);
});

test('every element that the contract adds appears', () => {
  rows(alsoSupported, ([profile, elements]) => words(elements).flatMap((element) => appears(profile, element)));
});

function appears(profile, element, resources = of(profile)) {
  const [, path, fixed, targets] = element.match(/^([^=→]+)(?:=([^→]+))?(?:→(.+))?$/);
  const found = resources.flatMap((resource) => values(resource, path));
  if (!found.length) return `${profile}: ${path} never appears`;
  if (fixed && !found.includes(fixed)) return `${profile}: ${path} is never ${fixed}`;
  return words(targets?.replaceAll('|', ' ')).flatMap((kind) => {
    const wanted = kind === 'media' ? 'http://hl7.org/fhir/StructureDefinition/Media' : `${CORE}us-core-${kind}`;
    const reached = found.some(({ reference }) => reference && target(reference)?.meta.profile.includes(wanted));
    return reached ? [] : `${profile}: ${path} never reaches ${wanted}`;
  });
}

test('every value that the contract names occurs', () => {
  rows(namedValues, ([type, path, list]) => {
    const found = new Set(all[type].flatMap((resource) => values(resource, path)));
    return words(list)
      .filter((value) => !found.has(value))
      .map((value) => `${type}.${path} is never ${value}`);
  });
});

test('every type of the contract is there', () => {
  rows([...new Set(profiles.map(({ type }) => type)), ...plainTypes], (type) =>
    all[type]?.length ? [] : `no ${type}`,
  );
});

test('each profile has a signed resource, and each type that the contract lists', () => {
  const signed = new Set(
    all.Provenance.flatMap(({ target }) => target.map(({ reference }) => reference.replace(/\/_history\/.*$/, ''))),
  );
  rows(
    [...profiles, ...laterProfiles].filter(({ isUnsigned }) => !isUnsigned),
    ({ profile }) => (of(profile).some((resource) => signed.has(name(resource))) ? [] : `${profile}: no Provenance`),
  );
  rows(signedTypes, (type) =>
    all[type].some((resource) => signed.has(name(resource))) ? [] : `${type}: no Provenance`,
  );
});

test('resources refer to other patients where the sample means them to, and nowhere else', () => {
  const deliberate = new Set([
    'Observation/matias-wrong-twin-peak-flow',
    'Provenance/matias-and-mateo-flu-provenance',
    'CareTeam/finn-care-team',
    'Condition/finn-jaundice',
    'DocumentReference/finn-newborn-note',
  ]);
  const found = crossing(people);
  assert.deepEqual(
    found.filter((reference) => !deliberate.has(reference)),
    [],
  );
  for (const reference of deliberate) assert.ok(byReference.has(reference), reference);
  for (const reference of [...deliberate].filter((reference) => !reference.startsWith('Provenance'))) {
    assert.ok(found.includes(reference), `${reference} no longer refers to another patient`);
  }
});

// ── The rules of Inferno's US Core kit ──────────────────────────────────────────────────────────────────────────

test('missing data has the data-absent-reason extension, or the code `unknown`; both are used', () => {
  const extension = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';
  assert.ok(
    everything.some((resource) => JSON.stringify(resource).includes(`"url":"${extension}"`)),
    'no extension',
  );
  const code = `"system":"http://terminology.hl7.org/CodeSystem/data-absent-reason","code":"unknown"`;
  assert.ok(
    everything.some((resource) => JSON.stringify(resource).includes(code)),
    'no code',
  );
});

test('every report’s file is also a document of the same patient', () => {
  const files = new Set(
    all.DocumentReference.flatMap((doc) =>
      doc.content.map(({ attachment }) => `${doc.subject.reference} ${attachment.url}`),
    ),
  );
  rows(all.DiagnosticReport, ({ id, subject, presentedForm = [] }) =>
    presentedForm
      .filter((form) => form.url && !files.has(`${subject.reference} ${form.url}`))
      .map((form) => `DiagnosticReport/${id}: ${form.url} is no document`),
  );
});

test('screening: sdoh among concerns and problems, all four categories among surveys', () => {
  const tagged = (type, category) =>
    all[type]
      .filter((r) => r.category?.some((c) => c.coding?.some(({ code }) => code === category)))
      .flatMap((r) => r.category.flatMap((c) => c.coding?.map(({ code }) => code)));
  assert.ok(
    tagged('Condition', 'health-concern').includes('sdoh') && tagged('Condition', 'problem-list-item').includes('sdoh'),
  );
  for (const status of ['sdoh', 'functional-status', 'disability-status', 'cognitive-status']) {
    assert.ok(tagged('Observation', 'survey').includes(status), status);
  }
});

test('attachments: text, web page and PDF inline, each as its type says; an absolute and a relative address', () => {
  const attachments = all.DocumentReference.flatMap((doc) => doc.content.map(({ attachment }) => attachment));
  const inline = (type) =>
    attachments
      .filter((a) => a.data && a.contentType.startsWith(type))
      .map((a) => Buffer.from(a.data, 'base64').toString('latin1'));
  assert.ok(inline('text/plain').length && inline('text/html').length && inline('application/pdf').length);
  assert.ok(inline('text/html').every((page) => !/<script|onerror|javascript:/i.test(page)));
  for (const pdf of inline('application/pdf')) {
    assert.match(pdf, /^%PDF-1\.4\n.*%%EOF\n$/s);
    const xref = +pdf.match(/startxref\n(\d+)/)[1];
    assert.ok(pdf.slice(xref).startsWith('xref\n'), 'the cross-reference table is where the file says');
    for (const [, offset] of pdf.slice(xref).matchAll(/^(\d{10}) 00000 n /gm)) {
      assert.match(pdf.slice(+offset), /^\d+ 0 obj\n/);
    }
  }
  assert.ok(
    attachments.some((a) => a.url?.startsWith('https://documents.example.org/')) &&
      attachments.some((a) => a.url === 'notes/1.pdf'),
  );
});

// ── The sample's own demands ────────────────────────────────────────────────────────────────────────────────────

test('one patient has pages of laboratory results, and numbers keep their digits', () => {
  const results = all.Observation.filter(
    ({ subject, category }) =>
      subject.reference === 'Patient/amara-okafor' && category?.some((c) => c.coding?.[0].code === 'laboratory'),
  );
  assert.ok(results.length >= 260, `${results.length} results`);
  const days = results
    .map((r) => r.effectiveDateTime)
    .filter(Boolean)
    .sort();
  assert.ok(+days.at(-1).slice(0, 4) - days[0].slice(0, 4) >= 8);
  for (const digits of ['1.0', '5.40', '1.2E+2', '12.10', '15.00', '3.0']) {
    assert.ok(text.Observation.includes(`"value":${digits},`), digits);
  }
  for (const flag of ['H', 'L', 'N']) {
    assert.ok(
      results.some((r) => r.interpretation?.[0].coding[0].code === flag),
      flag,
    );
  }
});

test('unusual but legal forms occur', () => {
  const odd = {
    'a year only': all.Condition.some((r) => /^\d{4}$/.test(r.onsetDateTime)),
    'a year and a month': all.Immunization.some((r) => /^\d{4}-\d\d$/.test(r.occurrenceDateTime)),
    'a zone east of Greenwich': text.Observation.includes('+05:30"'),
    'daylight saving and not': text.Observation.includes('-04:00"') && text.Observation.includes('-05:00"'),
    'fractions of a second': /T\d\d:\d\d:\d\d\.\d{6}Z/.test(text.Observation),
    'a period without an end': all.CareTeam.some((r) => r.period?.start && !r.period.end),
    'a period without a start': all.Patient.some((r) => r.name.some((n) => n.period && !n.period.start)),
    'several codings': everything.some((r) => r.code?.coding?.length > 1),
    'text only': all.Condition.some((r) => r.code.text && !r.code.coding),
    'an accent, an apostrophe, a hyphen': all.Patient.some((r) =>
      r.name[0].text?.includes("Zoë Marguerite O'Brien-Nuñez"),
    ),
    'the same id in two types': byReference.has('Patient/priya-raman') && byReference.has('Practitioner/priya-raman'),
    effectivePeriod: all.Observation.some((r) => r.effectivePeriod),
    effectiveTiming: all.Observation.some((r) => r.effectiveTiming),
    'issued without effective': all.Observation.some(
      (r) => r.issued && !Object.keys(r).some((key) => key.startsWith('effective')),
    ),
    'a diagnosis without clinicalStatus': all.Condition.some((r) => !r.clinicalStatus),
    onsetString: all.Condition.some((r) => r.onsetString),
    onsetAge: all.Condition.some((r) => r.onsetAge),
    abatementString: all.Condition.some((r) => r.abatementString),
    occurrenceString: all.Immunization.some((r) => r.occurrenceString),
    'a group as subject': all.Observation.some((r) => r.subject.reference.startsWith('Group/')),
    'a versioned target': all.Provenance.some((r) => r.target.some((t) => t.reference.includes('/_history/'))),
    'a Provenance across patients': all.Provenance.some(
      (r) =>
        new Set(
          r.target.map((t) => (target(t.reference).subject ?? target(t.reference).patient)?.reference).filter(Boolean),
        ).size > 1,
    ),
    'a care team with another patient on it': all.CareTeam.some((r) =>
      r.participant.some(
        (p) => p.member.reference.startsWith('Patient/') && p.member.reference !== r.subject.reference,
      ),
    ),
    'a relative on a care team': all.CareTeam.some((r) =>
      r.participant.some((p) => p.member.reference.startsWith('RelatedPerson/')),
    ),
    'no mix-up of twins possible by code and day': twins(),
  };
  rows(Object.entries(odd), ([what, there]) => (there ? [] : what));
});

/** Returns whether the charts of the twins have the same codes on the same days. */
function twins() {
  const shape = (patient) =>
    new Set(
      all.Observation.filter((r) => r.subject.reference === `Patient/${patient}`).map(
        (r) => `${r.code.coding?.[0].code} ${r.effectiveDateTime?.slice(0, 10)}`,
      ),
    );
  const [mateo, matias] = [shape('mateo-reyes'), shape('matias-reyes')];
  return [...matias].filter((one) => mateo.has(one)).length >= 15;
}

test('enough people, small enough, and no file that the loader would take by mistake', () => {
  assert.ok(all.Patient.length >= 9);
  assert.ok(Object.values(text).reduce((sum, lines) => sum + Buffer.byteLength(lines), 0) < 1_200_000);
  const files = readdirSync(sample, { recursive: true });
  assert.deepEqual(
    files.filter((file) => /\.json(\.gz)?$/.test(file)),
    [],
  );
  for (const [type, resources] of Object.entries(all)) {
    assert.ok(resources.every(({ resourceType }) => resourceType === type));
    assert.deepEqual(
      resources.map(({ id }) => id),
      resources.map(({ id }) => id).sort(),
      `${type} is sorted`,
    );
  }
});

test('the files are what the generator writes', () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('generate.mjs', sample)), '--check'], { stdio: 'pipe' });
});
