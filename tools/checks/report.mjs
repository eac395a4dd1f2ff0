// What is read out of the output of a step, and how the times of all are shown.

/// The tests in the output of Node's runner and of Rust's: {passed, failed, skipped}.
export function countsIn(text) {
  const sum = (...patterns) =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)]).reduce((total, [, count]) => total + Number(count), 0);
  return {
    passed: sum(/^ℹ pass (\d+)$/gm, /^test result: .* (\d+) passed;/gm),
    failed: sum(/^ℹ fail (\d+)$/gm, /^test result: .* (\d+) failed;/gm),
    skipped: sum(/^ℹ skipped (\d+)$/gm, /^ℹ todo (\d+)$/gm, /^test result: .* (\d+) ignored;/gm),
  };
}

/// The seconds in the output of a shell's `times`: those of itself and those of its children, in user and system mode.
export function processorTime(text) {
  const all = [...text.matchAll(/(\d+)m([\d.]+)s/g)];
  return all.reduce((total, [, minutes, seconds]) => total + 60 * Number(minutes) + Number(seconds), 0);
}

/// The lines `step<TAB>seconds<TAB>processor` by step; the first line names the columns.
export function readCeilings(text) {
  const rows = text.trimEnd().split('\n').slice(1);
  return new Map(
    rows.map((row) => {
      const [name, seconds, processor] = row.split('\t');
      return [name, { seconds: Number(seconds), processor: Number(processor) }];
    }),
  );
}

/// Returns whether a step took longer on the clock than its ceiling says. A busy machine is a reason for it, so that it
/// is shown and is no failure.
export const isSlow = ({ seconds, ceiling }) => ceiling !== undefined && seconds > ceiling.seconds;

/// The times of steps, the slowest first.
export function table(rows) {
  const line = (...cells) => cells.map((cell, at) => (at < 4 ? String(cell).padStart(9) : `  ${cell}`)).join('');
  const byTime = [...rows].sort((one, other) => other.seconds - one.seconds);
  return [
    line('seconds', 'at most', 'processor', 'at most', 'step'),
    ...byTime.map(({ name, seconds, processor, ceiling }) =>
      line(seconds.toFixed(1), ceiling?.seconds ?? '', processor.toFixed(1), ceiling?.processor ?? '', name),
    ),
  ].join('\n');
}
