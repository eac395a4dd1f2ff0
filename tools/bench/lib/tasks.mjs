// The tasks of a page's main thread, by the processor time that they took: the time on the clock also tells how busy
// the machine is with other things.

import assert from 'node:assert/strict';

const CATEGORIES = ['toplevel', 'mojom', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

const mainThreads = (events) =>
  new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
/// True of a message of the browser's remote control, which is the bench's own.
const isControl = ({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === 'blink.mojom.DevToolsSession';

/// Does something with a page, and returns the longest tasks meanwhile, in milliseconds of processor time. Control of
/// the page by the bench is left out, and the garbage of what was done before is collected first.
export async function tasksDuring(browser, page, act) {
  await page.requestGC();
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const threads = mainThreads(traceEvents);
  const own = traceEvents.filter(({ pid, tid }) => threads.has(`${pid}/${tid}`));
  const control = own.filter(isControl);
  const tasks = own.filter(
    ({ name, ph, pid, ts, dur }) =>
      name === 'RunTask' && ph === 'X' && !control.some((one) => one.pid === pid && one.ts >= ts && one.ts <= ts + dur),
  );
  assert.ok(tasks.length > 10, `the trace has ${tasks.length} tasks`);
  assert.ok(
    tasks.every(({ dur, tdur }) => dur < 2_000 || tdur !== undefined),
    'the trace tells the time of the processor',
  );
  return tasks.map(({ tdur = 0 }) => tdur / 1000).sort((a, b) => b - a);
}
