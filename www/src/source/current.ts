//! The sources that addresses name: the session's records at the server, and the sample in this browser, whole or as some
//! scopes would show it.

import type { Grant } from '../engine/types.ts';
import type { SourceName } from '../routes.ts';
import { session } from '../smart/session.ts';
import { watched } from '../state.ts';
import { edge } from './edge.ts';
import { local } from './local.ts';
import type { Source } from './source.ts';

/** The scopes that the sample is looked at with; nothing: all of it. */
export const trial = watched<Grant | undefined>(undefined);

const last = new Map<SourceName, Source>();

/** The source of that name; nothing where it is the session's and nobody is signed in. The same object while its key is the same. */
export function sourceOf(name: SourceName): Source | undefined {
  if (name === 'session' && !session.value) return undefined;
  const next = name === 'session' ? edge() : local(trial.value);
  const before = last.get(name);
  if (before?.key === next.key) return before;
  last.set(name, next);
  return next;
}
