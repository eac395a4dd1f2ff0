//! Why the scopes of a source do not open a type. The engine says so.

import { askedOnce } from '../asked-once.ts';
import { engine } from '../engine/client.ts';
import { t, words } from '../language/message.ts';
import { isNamed } from '../smart/scopes.ts';
import type { Source } from './source.ts';

export type WhyWithheld = (type: string, action: 'read' | 'search') => Promise<string | undefined>;

/** Returns a function that gives the reason as a sentence; `undefined` for a type that is open. */
export function withheldBy({ grant }: Pick<Source, 'grant'>): WhyWithheld {
  if (!grant) return async () => undefined;
  const asked = askedOnce(() => engine('scopes', grant.scopes, grant.patient, words().language));
  return async (type, action) => {
    // The engine need not be waited for.
    if (isNamed(type, grant)) return undefined;
    const cell = (await asked()).value.matrix.find((row) => row.type === type)?.[action];
    if (!cell || cell.open) return undefined;
    const why = cell.why ?? t('No scope opens {type}.', { type });
    return /[.!?]$/.test(why) ? why : `${why}.`;
  };
}
