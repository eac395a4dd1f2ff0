//! Which records the page shows: those of the session, or the sample in this browser, tried with other scopes or with all.

import type { Grant } from '../engine/types';
import { session } from '../smart/session';
import { watched } from '../state';
import { edge } from './edge';
import { local } from './local';
import type { Source } from './source';

export const choice = watched<'edge' | 'local'>(session.value ? 'edge' : 'local');
/** The scopes that the offline sample is looked at with; nothing: all of it. */
export const trial = watched<Grant | undefined>(undefined);

session.watch((now) => { choice.set(now ? 'edge' : 'local'); });

let last: Source | undefined;

export function current(): Source {
  const next = choice.value === 'edge' && session.value ? edge() : local(trial.value);
  if (last?.key !== next.key) last = next;
  return last;
}
