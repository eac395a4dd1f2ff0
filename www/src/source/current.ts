//! The sources that addresses name: the session's records at the server, and the sample in this browser.

import type { Grant } from '../engine/types.ts';
import { observable } from '../observable.ts';
import type { SourceName } from '../routes.ts';
import { session } from '../smart/session.ts';
import { edge } from './edge.ts';
import { local } from './local.ts';
import type { Source } from './source.ts';

/** The scopes that the sample is tried with; without any, it shows everything. */
export const trialGrant = observable<Grant | undefined>(undefined);

const last = new Map<SourceName, Source>();

/**
 * Returns the source of a name, or nothing for the session's while nobody is signed in. Equal keys give the same
 * object.
 */
export function sourceOf(name: SourceName): Source | undefined {
  if (name === 'session' && !session.value) return undefined;
  const next = name === 'session' ? edge() : local(trialGrant.value);
  const before = last.get(name);
  if (before?.key === next.key) return before;
  last.set(name, next);
  return next;
}
