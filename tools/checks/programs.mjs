// Builds the Rust test programs and links them at build/tests/: `integration` is the program of tests/, and members/
// has a program for each member of the workspace. The arguments are those of `cargo test`.

import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FOLDER = 'build/tests';

const cargo = spawn(
  'cargo',
  ['test', '--no-run', '--message-format', 'json-render-diagnostics', ...process.argv.slice(2)],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const ended = new Promise((resolve) => {
  cargo.on('close', resolve);
});
const programs = new Map();
for await (const line of createInterface({ input: cargo.stdout })) {
  const { reason, profile, executable, target } = JSON.parse(line);
  if (reason !== 'compiler-artifact' || !profile.test || !executable) continue;
  programs.set(target.kind.includes('test') ? target.name : join('members', target.name), executable);
}
process.exitCode = await ended;
if (process.exitCode === 0) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'members'), { recursive: true });
  for (const [name, program] of programs) symlinkSync(program, join(FOLDER, name));
}
