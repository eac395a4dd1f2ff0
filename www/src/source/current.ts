//! The sources that addresses name: the session's records at the server, and the sample in this browser, whole or as some
//! scopes would show it.

import type { Grant } from '../engine/types';
import type { SourceName } from '../routes';
import { session } from '../smart/session';
import { watched } from '../state';
import { edge } from './edge';
import { local } from './local';
import type { Source } from './source';

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
