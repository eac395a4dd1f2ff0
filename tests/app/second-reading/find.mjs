// Checks find in a chart: each of a sample of words must lead to its record.

import { namesOfRecord } from './rows.mjs';
import { hasName, plain } from './words.mjs';

/// The most records that find lists. A word that occurs in more records may not show all of them.
const MAX = 30;

/// Types whose records are found by the words of their names.
const FOUND = [
  ...['AllergyIntolerance', 'Condition', 'MedicationRequest', 'MedicationStatement', 'MedicationAdministration'],
  ...['Immunization', 'Observation', 'DiagnosticReport', 'DocumentReference', 'Procedure', 'ServiceRequest', 'Device'],
];

/// Returns the words of a text in lower case, without Unicode normalization.
const wordsIn = (text) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

/// Returns the whole text of a record, in which words of other records' names may also occur.
const textOf = ({ resource }) => JSON.stringify(resource).toLowerCase();

/// Chooses records, and the rarest word in the name of each. `shares` are positions from 0 to 1 in the list of records.
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

/// Types a word into the find field of the chart, and returns the lines of the results.
export async function lookFor(page, word) {
  await page.locator('#find').fill('');
  await page.locator('.found').waitFor({ state: 'detached' });
  await page.locator('#find').fill(word);
  await page.locator('.found').waitFor({ timeout: 60_000 });
  const lines = await page.locator('.found li').allTextContents();
  return lines.map(plain);
}

/// Enters each word, and checks that its record is among the results.
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
