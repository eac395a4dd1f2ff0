// The server for the tests of the timeline, with the sample and a record of thousands of entries.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allow, beginLaunch, loaded, open, show } from '../../tools/server/app.mjs';
import { temporaryFolder } from '../server/folder.mjs';
import { longRecord } from './long-record.mjs';

export const SESSION = '/#/session/chart/amara-okafor/timeline';
export const DESK = { width: 1280, height: 900 };

/// Starts the server. `count` is the number of entries of the long record. `signedIn` opens its chart with a login.
export async function openTimeline() {
  const long = longRecord();
  const file = join(temporaryFolder(), 'long.ndjson');
  writeFileSync(file, long.text);
  const stage = await open({ data: ['sample', file] });
  const signedIn = async ({ without = [] } = {}) => {
    const person = await stage.person({ viewport: DESK });
    const page = await person.page();
    await beginLaunch(page, 'patient', 'amara');
    await allow(page, { without });
    await page.waitForURL(/chart\/amara-okafor/);
    await loaded(page);
    await show(page, SESSION);
    return { person, page };
  };
  return { stage, count: long.count, signedIn, close: stage.close };
}
