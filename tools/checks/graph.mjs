// Steps of a graph, several at a time. It knows neither commands nor files, so that a test can run it.

/// Runs the steps, each `{name, needs, lock, idle}`, as many at a time as `slots` says. A step waits for those that it
/// needs, and for another one of the same `lock`. One that is `idle` hardly needs a processor, and takes no slot; there
/// is one such at a time. Of those that may start, the one with the longest way to the end comes first; `secondsOf`
/// says how long a step takes. `run` does a step and resolves to its result, whose `ok` says whether those that need
/// it may start. Resolves to the results by name; a step that could not start has none.
export function runGraph(steps, { slots, secondsOf, run }) {
  const way = ways(steps, secondsOf);
  const waiting = [...steps].sort((one, other) => way.get(other.name) - way.get(one.name));
  const running = new Set();
  const results = new Map();

  const isReady = ({ needs = [], lock }) =>
    needs.every((name) => results.get(name)?.ok) && ![...running].some((other) => lock && other.lock === lock);
  const hasSlot = ({ idle }) =>
    [...running].filter((other) => Boolean(other.idle) === Boolean(idle)).length < (idle ? 1 : slots);

  return new Promise((resolve, reject) => {
    const next = () => {
      for (;;) {
        const at = waiting.findIndex((step) => hasSlot(step) && isReady(step));
        if (at < 0) break;
        const [step] = waiting.splice(at, 1);
        running.add(step);
        run(step).then((result) => {
          running.delete(step);
          results.set(step.name, result);
          next();
        }, reject);
      }
      if (running.size === 0) resolve(results);
    };
    next();
  });
}

/// The seconds from the start of each step to the end of the last one that waits for it, by its name.
function ways(steps, secondsOf) {
  const found = new Map();
  const wayOf = (step) => {
    if (!found.has(step.name)) {
      const behind = steps.filter(({ needs = [] }) => needs.includes(step.name)).map(wayOf);
      found.set(step.name, secondsOf(step) + Math.max(0, ...behind));
    }
    return found.get(step.name);
  };
  for (const step of steps) wayOf(step);
  return found;
}

/// The steps that are asked for, with all that they need, in the order of the list. A word is the name of a step, or
/// an area: what its steps' names have before the slash. Throws where there is neither.
export function chosen(steps, words) {
  const wanted = new Set();
  const add = (name) => {
    if (wanted.has(name)) return;
    wanted.add(name);
    for (const needed of steps.find((step) => step.name === name)?.needs ?? []) add(needed);
  };
  for (const word of words) {
    const found = steps.filter(({ name }) => name === word || name.startsWith(`${word}/`));
    if (found.length === 0) throw new Error(`there is no step or area ${word}`);
    for (const { name } of found) add(name);
  }
  return words.length > 0 ? steps.filter(({ name }) => wanted.has(name)) : steps;
}

/// The steps without those of an area, which were run elsewhere.
export const without = (steps, area) =>
  steps
    .filter(({ name }) => !name.startsWith(`${area}/`))
    .map((step) => ({ ...step, needs: (step.needs ?? []).filter((name) => !name.startsWith(`${area}/`)) }));

/// The steps of a shard, `number/count`: every so many-th one, and each that another one needs.
export function shardOf(steps, shard) {
  const [number, count] = shard.split('/').map(Number);
  const needed = new Set(steps.flatMap(({ needs = [] }) => needs));
  const rest = steps.filter(({ name }) => !needed.has(name));
  return steps.filter((step) => needed.has(step.name) || rest.indexOf(step) % count === number - 1);
}
