// What a deployment runs: commands that change something, and commands that look.

import { execFileSync } from 'node:child_process';

export const { DRY_RUN, WRANGLER = 'wrangler' } = process.env;

/// A fault that is the operator's to mend.
export class Fault extends Error {}

export const say = (text) => console.log(`· ${text}`);
const quoted = (word) => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
export const show = (words) => console.log(`    ${words.map(quoted).join(' ')}`);

/// Runs a command that changes something. In a dry run it is printed instead.
export function change(words, options = {}) {
  if (DRY_RUN) return show(words);
  return execFileSync(words[0], words.slice(1), { stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

/// True until a dry run has found no account.
let asked = true;

/// The output of a command of wrangler that changes nothing, or `undefined` where it fails with a text that `absent`
/// knows. A dry run without an account finds nothing.
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

/// Returns whether a command failed since what it asks for is not there.
export const isAbsent = (said) => /not found|does not exist|not exist|10006|10007|11000|11015/i.test(said);
