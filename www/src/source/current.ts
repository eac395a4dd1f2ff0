//! The sources that addresses name: the session's records on the server, and the sample and the opened files in this
//! browser.

import { signal } from '@preact/signals-core';
import type { Grant } from '../engine/types.ts';
import { isOtherPage, type SourceName } from '../routes.ts';
import { session } from '../smart/session.ts';
import { files } from './files.ts';
import { filesSource, local } from './local.ts';
import { server } from './server.ts';
import type { Source } from './source.ts';

/** The scopes with which the user tries the sample; without scopes, the sample shows everything. */
export const trialGrant = signal<Grant | undefined>(undefined);

/** Shows the whole sample again. */
export function endTrial(): void {
  trialGrant.value = undefined;
}

const last = new Map<SourceName, Source>();

function present(name: SourceName): Source | undefined {
  // The page for other servers does not open the sample or the user's files.
  if (isOtherPage) return name === 'session' ? session.value && server() : undefined;
  if (name === 'sample') return local(trialGrant.value);
  if (name === 'session') return session.value && server();
  return files.value.is === 'open' ? filesSource(files.value.load) : undefined;
}

/**
 * Returns the source of a name; `undefined` for the session's source while nobody is signed in, and for files while
 * none are open. Equal keys give the same object.
 */
export function sourceOf(name: SourceName): Source | undefined {
  const next = present(name);
  if (!next) return undefined;
  const before = last.get(name);
  if (before?.key === next.key) return before;
  last.set(name, next);
  return next;
}
