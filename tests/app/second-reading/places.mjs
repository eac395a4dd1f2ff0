// Checks the places of a chart other than its summary: opened records, the timeline, find, the print, and the saved
// files.

import { openedFacts, openRecords } from './drawer.mjs';
import { findFacts, wordsToFind } from './find.mjs';
import { downloads, printed, printFacts, takenFacts } from './save-chart.mjs';
import { count, newTally } from './tally.mjs';
import { readTimeline, timelineFacts } from './timeline.mjs';
import { plain } from './words.mjs';

/// The numbers of records to open, and of words to find, in a chart.
const SAMPLE = { opened: 8, words: 5 };

function drawerFacts(opened, records) {
  const byAddress = new Map(records.map((record) => [`${record.resource.resourceType}/${record.resource.id}`, record]));
  return opened.flatMap(({ link, text, address, json }) => {
    const said = plain(text);
    // The app replaces the ids in files of two servers, and ids that FHIR does not allow.
    const record = byAddress.get(address) ?? { resource: JSON.parse(json), key: address };
    const isCut = /it has more than is listed here/.test(said);
    return openedFacts(record).map(({ kind, words }) => {
      const missing = words.filter(({ holds }) => !holds(said));
      return {
        kind,
        record,
        what: `${address} (${plain(link).slice(0, 40)})`,
        says: missing.length === 0 ? undefined : `without ${missing.map(({ what }) => what).join(', ')}`,
        isNoticed: isCut,
      };
    });
  });
}

/// Reads the other places of the open chart, and compares them. `shares(n)` returns n numbers between 0 and 1.
export async function readPlaces(page, patient, records, find, shares, { opened: n, words } = SAMPLE) {
  const opened = await openRecords(page, shares(n));
  const print = await printed(page);
  const found = await findFacts(page, wordsToFind(records, find, shares(words)));
  const texts = await downloads(page);
  const timeline = await readTimeline(page);
  const compared = comparePlaces({ opened, print, texts, timeline }, patient, records, find);
  return tallied([...compared, ...found]);
}

/// Compares what the other places of a chart show with its records.
export const comparePlaces = ({ opened, print, texts, timeline }, patient, records, find) => [
  ...drawerFacts(opened, records),
  ...printFacts(print, records, find),
  ...takenFacts(texts, patient, records),
  ...timelineFacts(records, find, timeline),
];

/// Returns the numbers of facts, and the differences among them.
export function tallied(facts) {
  const tally = newTally();
  const differences = [];
  for (const { kind, what, says, isNoticed } of facts) {
    const outcome = says === undefined ? 'shown' : isNoticed ? 'noticed' : 'missing';
    count(tally, outcome, kind);
    if (outcome === 'missing') differences.push({ kind, what, says });
  }
  return { tally, differences };
}
