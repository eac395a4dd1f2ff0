// Checks what a reader can save of a chart: its records as files, and the print.

import { readFileSync } from 'node:fs';
import { namesOfRecord } from './rows.mjs';
import { hasName, list, plain } from './words.mjs';

const FILES = { bundle: 'Bundle', ndjson: 'NDJSON' };

/// Returns the texts of the files of "Share".
export async function downloads(page) {
  await page.getByRole('button', { name: 'Share' }).click();
  const drawer = page.locator('dialog.drawer[open]');
  await drawer.locator('.save-chart').waitFor({ timeout: 60_000 });
  const texts = {};
  for (const [key, name] of Object.entries(FILES)) {
    const button = drawer.locator('.save-chart').getByRole('button', { name, exact: true });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    texts[key] = readFileSync(await download.path(), 'utf8');
  }
  await drawer.getByRole('button', { name: 'Close' }).click();
  return texts;
}

const addressOf = ({ resourceType, id }) => `${resourceType}/${id}`;

/// Returns the JSON with sorted members, without values that the app may change: versions, the base of addresses, and
/// ids, since the app replaces ids that FHIR does not allow, and ids in files of two servers.
const content = (resource) =>
  JSON.stringify(resource, (name, value) => {
    if (['id', 'reference', 'versionId', 'lastUpdated'].includes(name)) return undefined;
    if (name === 'url' && typeof value === 'string') return value.split('/').slice(-2).join('/');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return name === 'meta' && members.every(([of]) => ['versionId', 'lastUpdated'].includes(of))
      ? undefined
      : Object.fromEntries(members);
  });

/// Returns whether a record was written as one of R4, since its file has it in another version of FHIR.
const isOfOtherVersion = (resource) =>
  (resource?.meta?.tag ?? []).some(({ code = '' }) => code.startsWith('read-as-r4'));

/// Compares the records of a file with the patient's records: same ids, same content, and no other patient's records.
function fileFacts(kind, taken, patient, records) {
  const byAddress = new Map(taken.map((resource) => [addressOf(resource), resource]));
  const contents = new Map(taken.map((resource) => [content(resource), resource]));
  const facts = [patient, ...records].map((record) => {
    const { resource } = record;
    const isThere = contents.has(content(resource));
    const says =
      isThere || isOfOtherVersion(byAddress.get(addressOf(resource)))
        ? undefined
        : byAddress.has(addressOf(resource))
          ? 'differs in the file'
          : 'is not in the file';
    return { kind, record, what: addressOf(resource), says };
  });
  // A record may refer to another patient, such as the mother.
  const referred = JSON.stringify(records.map(({ resource }) => resource));
  const others = taken.filter(
    ({ resourceType, id }) =>
      resourceType === 'Patient' && id !== patient.resource.id && !referred.includes(`"Patient/${id}"`),
  );
  const twice = taken.length - byAddress.size;
  return [
    ...facts,
    ...others.map((one) => ({ kind, what: addressOf(one), says: 'is another patient' })),
    ...(twice > 0 ? [{ kind, what: 'the file', says: `has ${twice} records twice` }] : []),
  ];
}

/// Returns the text of the printed chart by section.
export async function printed(page) {
  await page.emulateMedia({ media: 'print' });
  const sections = await page.evaluate(async () => {
    dispatchEvent(new Event('beforeprint'));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const found = [...document.querySelectorAll('main section.section')].map((one) => [one.id, one.innerText]);
    dispatchEvent(new Event('afterprint'));
    return Object.fromEntries(found);
  });
  await page.emulateMedia({ media: 'screen' });
  return Object.fromEntries(Object.entries(sections).map(([id, text]) => [id, plain(text)]));
}

const PRINTED = {
  allergies: ['AllergyIntolerance'],
  problems: ['Condition'],
  medications: ['MedicationRequest', 'MedicationStatement', 'MedicationAdministration'],
  immunizations: ['Immunization'],
  procedures: ['Procedure'],
};

export const printFacts = (sections, records, find) =>
  Object.entries(PRINTED).flatMap(([id, types]) =>
    records
      .filter(({ resource }) => types.includes(resource.resourceType))
      .flatMap((record) => {
        const wanted = namesOfRecord(record, find);
        const says = hasName(sections[id] ?? '', wanted) ? undefined : `is not in ${id} on paper`;
        return wanted.length > 0
          ? [{ kind: 'entry on paper', record, what: `${addressOf(record.resource)} ${wanted[0]}`, says }]
          : [];
      }),
  );

export function takenFacts(texts, patient, records) {
  const bundle = list(JSON.parse(texts.bundle).entry).map(({ resource }) => resource);
  const lines = texts.ndjson
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return [
    ...fileFacts('record in the Bundle', bundle, patient, records),
    ...fileFacts('record in the NDJSON', lines, patient, records),
  ];
}
