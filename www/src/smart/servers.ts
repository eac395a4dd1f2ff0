//! The other servers that this app is registered at. Somebody entered each of them on this device, and it is kept in
//! localStorage. There is no secret among it: in a browser the app is a public client (RFC 6749, section 2.1).
//!
//! The server of a tab is the one that was chosen in it. sessionStorage holds its registration as of that choice.

import { signal } from '@preact/signals-core';
import { list, object, parsedAs, type ShapeValue, string } from '#reading/shape.ts';
import { keepText, keptText } from '../storage.ts';
import { serverBase } from './address.ts';

const registration = object(
  {
    /** The FHIR base, without a trailing slash. */
    base: string,
    clientId: string,
    /** The scopes that the app may ask for there. */
    scopes: string,
  },
  /** The server's name for itself. */
  { name: string },
);
export type Registration = ShapeValue<typeof registration>;

const LIST = 'edgechart.servers';
const CHOSEN = 'edgechart.server';
/** The longest name that is shown, in characters. */
export const MAX_NAME_LENGTH = 60;

/** Returns whether a registration would be valid as a person's input, because the storage may hold anything. */
const isUsable = ({ base, clientId }: Registration): boolean => serverBase(base) === base && clientId !== '';

const stored = (): Registration[] =>
  (parsedAs(list(registration), keptText('localStorage', LIST)) ?? []).filter(isUsable);

/** Returns the server's name for itself, or else its host. */
export const titleOf = ({ name, base }: Registration): string => name ?? new URL(base).host;

export const registrations = signal<readonly Registration[]>(stored());

export const registrationAt = (base: string): Registration | undefined =>
  registrations.value.find((one) => one.base === base);

function keep(next: Registration[]): void {
  keepText('localStorage', LIST, JSON.stringify(next));
  registrations.value = next;
}

/** Adds a registration, or replaces the one at the same base. */
export function register(added: Registration): void {
  // Another tab may have changed the list meanwhile.
  keep([...stored().filter(({ base }) => base !== added.base), added]);
}

export function forget(base: string): void {
  keep(stored().filter((one) => one.base !== base));
}

/** Returns the server that was chosen in this tab. */
export function chosenServer(): Registration | undefined {
  const chosen = parsedAs(registration, keptText('sessionStorage', CHOSEN));
  return chosen && isUsable(chosen) ? chosen : undefined;
}

/** Chooses the server of this tab, or none. The choice takes effect at the next load of the page. */
export function chooseServer(chosen: Registration | undefined): void {
  if (chosen) sessionStorage.setItem(CHOSEN, JSON.stringify(chosen));
  else sessionStorage.removeItem(CHOSEN);
}
