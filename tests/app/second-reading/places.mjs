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

/// Returns the facts of the opened records.
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
  const opened = drawerFacts(await openRecords(page, shares(n)), records);
  const print = printFacts(await printed(page), records, find);
  const found = await findFacts(page, wordsToFind(records, find, shares(words)));
  const taken = takenFacts(await downloads(page), patient, records, find);
  const events = timelineFacts(records, find, await readTimeline(page));
  const tally = newTally();
  const differences = [];
  for (const { kind, what, says, isNoticed } of [...opened, ...print, ...found, ...taken, ...events]) {
    const outcome = says === undefined ? 'shown' : isNoticed ? 'noticed' : 'missing';
    count(tally, outcome, kind);
    if (outcome === 'missing') differences.push({ kind, what, says });
  }
  return { tally, differences };
}
