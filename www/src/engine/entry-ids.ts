//! Entries with other ids: that of their own resource, and those of the resources that they name.

import type { PlacedResource } from './documents.ts';
import { type Entry, isDeletion } from './entries.ts';
import { type Address, type Rename, withIds } from './ids.ts';

/** The resource of an entry; nothing for a deletion. */
export const resourceOf = ({ placed }: Entry): PlacedResource | undefined =>
  placed && !isDeletion(placed) ? placed : undefined;

/** An address with another id; nothing where that is not another one. */
export const withId = ({ base, type, id }: Address, made: string | undefined): string | undefined =>
  made === undefined || made === id ? undefined : `${base}${type}/${made}`;

/** The text of an entry. `ownId`: the new id of its resource, if any. `rename`: the addresses of what it names. */
export function entryWithIds(entry: Entry, ownId: string | undefined, rename: Rename): string {
  const own = resourceOf(entry);
  const isOwn = ({ type, id, member }: Address): boolean =>
    own !== undefined && member !== 'reference' && type === own.type && id === own.id;
  return withIds(entry.text, new Map(own && ownId !== undefined ? [[own.id, ownId]] : []), (address) =>
    isOwn(address) ? withId(address, ownId) : rename(address),
  );
}
