// Runs the steps of a dependency graph in parallel. It uses neither commands nor files, so that tests can run it.

/// Runs the steps, each `{name, needs, lock, idle}`, up to `slots` at a time. A step waits for the steps that it needs,
/// and for running steps with the same `lock`. An `idle` step hardly uses the processor and takes no slot; one such
/// step runs at a time. Among the ready steps, the one with the longest path to the end starts first; `secondsOf`
/// returns the duration of a step. `run` runs a step and resolves to its result; its dependents start only if `ok` is
/// true. Resolves to the results by name; a step that could not start has no result.
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

/// Returns, by name, the seconds from the start of each step to the end of the last step that depends on it.
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

/// Returns the requested steps and all that they need, in the order of the list. A word is the name of a step or an
/// area, which is the part of the name before the slash. Throws if there is no such step or area.
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

/// Returns the steps without those of an area, which have been run elsewhere.
export const without = (steps, area) =>
  steps
    .filter(({ name }) => !name.startsWith(`${area}/`))
    .map((step) => ({ ...step, needs: (step.needs ?? []).filter((name) => !name.startsWith(`${area}/`)) }));

/// Returns the steps of a shard, `number/count`: every `count`-th step, and every step that another step needs.
export function shardOf(steps, shard) {
  const [number, count] = shard.split('/').map(Number);
  const needed = new Set(steps.flatMap(({ needs = [] }) => needs));
  const rest = steps.filter(({ name }) => !needed.has(name));
  return steps.filter((step) => needed.has(step.name) || rest.indexOf(step) % count === number - 1);
}
