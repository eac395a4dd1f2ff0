// The commands of a deployment: those that change something, and those that only read.

import { execFileSync } from 'node:child_process';

export const { DRY_RUN, WRANGLER = 'wrangler' } = process.env;

/// A fault that the operator must fix.
export class Fault extends Error {}

export const say = (text) => console.log(`· ${text}`);
const quoted = (word) => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
export const show = (words) => console.log(`    ${words.map(quoted).join(' ')}`);

/// Runs a command that changes something. In a dry run it is printed instead.
export function change(words, options = {}) {
  if (DRY_RUN) return show(words);
  return execFileSync(words[0], words.slice(1), { stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

/// True until a dry run has found that no account is available.
let asked = true;

/// Returns the output of a wrangler command that only reads, or `undefined` if it fails with a message that `absent`
/// accepts. In a dry run without an account, the result is always `undefined`.
export function look(words, absent = () => false) {
  if (DRY_RUN) show([WRANGLER, ...words]);
  try {
    return execFileSync(WRANGLER, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const said = `${error.stdout ?? ''}${error.stderr ?? ''}`;
    if (absent(said)) return undefined;
    if (DRY_RUN) {
      if (asked) say('no account answers here: what follows is for one that has nothing');
      asked = false;
      return undefined;
    }
    throw new Fault(`${WRANGLER} ${words.join(' ')} failed:\n${said.trim() || error.message}`);
  }
}

/// Returns whether a command failed because the resource does not exist.
export const isAbsent = (said) => /not found|does not exist|not exist|10006|10007|11000|11015/i.test(said);
