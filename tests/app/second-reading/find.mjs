// Finding in a chart: each of a sample of words leads to its record.

import { namesOfRecord } from './rows.mjs';
import { hasName, plain } from './words.mjs';

/// The most records that are listed; a word of more may not show one of them.
const MAX = 30;

/// Types that are found by the words of their names.
const FOUND = [
  ...['AllergyIntolerance', 'Condition', 'MedicationRequest', 'MedicationStatement', 'MedicationAdministration'],
  ...['Immunization', 'Observation', 'DiagnosticReport', 'DocumentReference', 'Procedure', 'ServiceRequest', 'Device'],
];

/// Words as a record has them: half and full width, for one, are no other words to a reader, but are to a machine.
const wordsIn = (text) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

/// The texts of a record, in which a word of its name may occur too.
const textOf = ({ resource }) => JSON.stringify(resource).toLowerCase();

/// Chooses words of names of records: of each the rarest. `shares` say which records, as parts of all.
export function wordsToFind(records, find, shares) {
  const named = records.filter(({ resource }) => FOUND.includes(resource.resourceType));
  const texts = records.map(textOf);
  const chosen = new Set(shares.map((part) => named[Math.floor(part * named.length)]).filter(Boolean));
  return [...chosen].flatMap((record) => {
    const names = namesOfRecord(record, find);
    const counted = [...new Set(names.slice(0, 1).flatMap(wordsIn))].map((word) => ({
      word,
      n: texts.filter((text) => text.includes(word)).length,
    }));
    const best = counted.toSorted((a, b) => a.n - b.n)[0];
    return best && best.n <= MAX / 2 ? [{ record, word: best.word, names }] : [];
  });
}

/// Types a word into the field of the chart, and returns the lines that are found.
async function lookFor(page, word) {
  await page.locator('#find').fill('');
  await page.locator('.found').waitFor({ state: 'detached' });
  await page.locator('#find').fill(word);
  await page.locator('.found').waitFor({ timeout: 60_000 });
  const lines = await page.locator('.found li').allTextContents();
  return lines.map(plain);
}

/// Looks for each word, and for its record among what is found.
export async function findFacts(page, words) {
  const facts = [];
  for (const { record, word, names } of words) {
    const lines = await lookFor(page, word);
    const { resourceType, id } = record.resource;
    const isFound = lines.some((line) => hasName(line, names));
    facts.push({
      kind: 'record found by a word',
      record,
      what: `${resourceType}/${id} ${names[0]}: ${word}`,
      says: isFound ? undefined : `is not among ${lines.length} records`,
    });
  }
  await page.locator('#find').fill('');
  return facts;
}
