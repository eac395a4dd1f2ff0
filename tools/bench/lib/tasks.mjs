// Measures the tasks of a page's main thread by processor time, since wall time also depends on the other load of the
// machine.

import assert from 'node:assert/strict';

const CATEGORIES = ['toplevel', 'mojom', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

const mainThreads = (events) =>
  new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
/// Returns whether an event is a message of the remote control by the benchmark.
const isControl = ({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === 'blink.mojom.DevToolsSession';

/// Runs `act` on a page and resolves to the processor times of its tasks in milliseconds, the longest first. Excludes
/// the remote control by the benchmark, and collects garbage first.
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
