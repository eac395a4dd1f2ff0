//! The records behind the entries of the list of what a chart leaves out, if the engine holds them.

import { shortDate } from '#reading/fhir/date.ts';
import { parsed } from '#reading/fhir/json.ts';
import { referredAddress } from '#reading/fhir/record-address.ts';
import { clipped } from '#reading/fhir/text.ts';
import type { Resource } from '#reading/fhir/types.ts';
import { joinedBy } from '#reading/joined.ts';
import { meaningOf } from '#reading/records/meaning.ts';
import { either, isShaped, object, partial, string } from '#reading/shape.ts';
import { isOlder } from '#reading/versions/is-older.ts';
import { engine } from '../../engine/client.ts';
import { translated, words } from '../../language/message.ts';
import { mendedResource } from '../../source/lenient.ts';
import type { NoticeEntry } from './items.ts';

/** The longest value of a record in the list, in characters. */
const MAX_LENGTH = 160;

/** The words of a record in the list. `title` has its kind and name, `more` its caution, value and date. */
interface HeldWords {
  title: string;
  more: string;
}

export function heldWords(resource: Resource, included: Resource[]): HeldWords {
  const { kind, what, value, when, caution } = meaningOf(words(), resource, included);
  const title = what ? `${translated(kind)}: ${clipped(what, MAX_LENGTH)}` : translated(kind);
  const more = joinedBy(' · ', caution, value && clipped(value, MAX_LENGTH), when && shortDate(words(), when));
  return { title, more };
}

/** Returns a record of the open files, or nothing if it is not held or cannot be read. */
async function heldRecord(address: string): Promise<Resource | undefined> {
  const [type = '', id = ''] = address.split('/');
  try {
    const { value } = await engine('read', 'files', type, id, undefined);
    const resource = parsed(value);
    return isOlder(resource) ? undefined : mendedResource(resource)?.resource;
  } catch {
    return undefined;
  }
}

const referred = partial({ reference: string, display: string, identifier: partial({ value: string }) });
const ofSomebody = either(object({ subject: referred }), object({ patient: referred }));

/** Returns the words with which a record names its patient, or nothing if it names none. */
export function namedPatient(record: unknown): string | undefined {
  if (!isShaped(ofSomebody, record)) return undefined;
  const { reference, display, identifier } = 'subject' in record ? record.subject : record.patient;
  return display || reference || identifier?.value;
}

const referring = object({ resourceType: string }, { medicationReference: partial({ reference: string }) });

const referredIn = (record: unknown): string[] =>
  isShaped(referring, record) ? [record.medicationReference?.reference ?? []].flat() : [];

/** Returns the records of some entries, and the medications that they refer to, by address. */
export async function heldRecords(entries: readonly NoticeEntry[]): Promise<Map<string, Resource>> {
  const found = new Map<string, Resource>();
  const add = async (address: string): Promise<void> => {
    const resource = found.has(address) ? undefined : await heldRecord(address);
    if (resource) found.set(address, resource);
  };
  await Promise.all(entries.filter(({ isHeld }) => isHeld).map(({ type, id }) => add(`${type}/${id}`)));
  const named = [...found.values()].flatMap((one) => referredIn(one));
  await Promise.all([...new Set(named.map(referredAddress))].map(add));
  return found;
}
