// Reads the output of a step, and prints the times of all steps.

/// Counts the tests in the output of Node's and Rust's test runners: {passed, failed, skipped}.
export function countsIn(text) {
  const sum = (...patterns) =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)]).reduce((total, [, count]) => total + Number(count), 0);
  return {
    passed: sum(/^ℹ pass (\d+)$/gm, /^test result: .* (\d+) passed;/gm),
    failed: sum(/^ℹ fail (\d+)$/gm, /^test result: .* (\d+) failed;/gm),
    skipped: sum(/^ℹ skipped (\d+)$/gm, /^ℹ todo (\d+)$/gm, /^test result: .* (\d+) ignored;/gm),
  };
}

/// Returns the total seconds in the output of a shell's `times`: user and system time of the shell and its children.
export function processorTime(text) {
  const all = [...text.matchAll(/(\d+)m([\d.]+)s/g)];
  return all.reduce((total, [, minutes, seconds]) => total + 60 * Number(minutes) + Number(seconds), 0);
}

/// Returns a table of the times of steps, the slowest first.
export function table(rows) {
  const line = (seconds, processor, name) => `${seconds.padStart(9)}${processor.padStart(11)}  ${name}`;
  return [
    line('seconds', 'processor', 'step'),
    ...[...rows]
      .sort((one, other) => other.seconds - one.seconds)
      .map(({ name, seconds, processor }) => line(seconds.toFixed(1), processor.toFixed(1), name)),
  ].join('\n');
}
