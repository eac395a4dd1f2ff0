//! Records of R5, STU3 and DSTU2 in files, written in the form of R4 before the engine takes them: it finds them by the
//! elements of R4.

import { compact, parsed } from '#reading/fhir/json.ts';
import { isObject } from '#reading/shape.ts';
import * as versions from '#reading/versions/as-r4.ts';
import { withParts } from '../text/text-parts.ts';
import { type Members, type PlacedResource, resourcesIn, textAt } from './documents.ts';
import { entriesOf } from './entries.ts';
import { joinedId, withIds } from './ids.ts';

/** A record that was written in the form of R4. */
export interface ConvertedResource extends PlacedResource {
  from: versions.Version;
}

/** Returns whether a parsed document has a record of another version. */
export function hasOtherVersion(document: unknown): boolean {
  for (const { resource } of resourcesIn(document)) if (versions.converted(resource).from) return true;
  return false;
}

/** The address of a record whose type has another name in R4. */
const RENAMED = new RegExp(String.raw`"(?:[^"\s]*/)?(?:${versions.RENAMED_TYPES.join('|')})/`);

/** Returns whether a text may name a record whose type has another name in R4. */
export const mayNameOther = (text: string): boolean => RENAMED.test(text);

/** A text whose references have the types and the ids that the records have in R4. */
export const withTypesOfR4 = (text: string): string =>
  mayNameOther(text)
    ? withIds(text, ({ base, type, id }) => {
        const name = versions.typeInR4(type);
        return name === type ? undefined : `${base}${name}/${joinedId(id, versions.endingInR4(type))}`;
      })
    : text;

/** The uses of devices in R5, whose Device names no patient. */
const USES = new Set(['DeviceUsage', 'DeviceAssociation']);

/** The patients of the devices in documents by the addresses of these, where one patient alone uses a device. */
export function wearersIn(texts: readonly string[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { placed } of texts.flatMap((text) => entriesOf(text))) {
    if (!placed || !USES.has(placed.type)) continue;
    const { device, subject = placed.resource.patient } = placed.resource;
    // A reference of a CodeableReference, or the reference itself.
    const address = textAt(device, 'reference') || textAt(isObject(device) ? device.reference : undefined, 'reference');
    const before = found.get(address);
    const isOther = found.has(address) && textAt(before, 'reference') !== textAt(subject, 'reference');
    if (address !== '' && isObject(subject)) found.set(address, isOther ? undefined : subject);
  }
  return found;
}

/** A record in the form of R4. A device is of the patient who uses it. */
function recordOfR4(
  given: Members,
  { id, fullUrl }: PlacedResource,
  wearers: ReadonlyMap<string, unknown>,
): versions.Converted {
  const made = versions.converted(given);
  const wearer = wearers.get(`Device/${id}`) ?? (fullUrl === '' ? undefined : wearers.get(fullUrl));
  if (given.resourceType !== 'Device' || given.patient !== undefined || wearer === undefined) return made;
  return { resource: { ...made.resource, patient: wearer }, from: 'R5' };
}

/** A document with its records in the form of R4, and those that had another one. Its references follow them. */
export function withR4(
  text: string,
  wearers: ReadonlyMap<string, unknown>,
): { text: string; changed: ConvertedResource[] } {
  const changed: ConvertedResource[] = [];
  const written = withParts(text, entriesOf(text), ({ placed, text: entry }) => {
    if (!placed) return undefined;
    // The parsed resource of the entry has lost the digits of its numbers.
    const whole = parsed(entry);
    const given = placed.place === '' ? whole : isObject(whole) ? whole.resource : undefined;
    if (!isObject(given)) return undefined;
    const { resource: read, from } = recordOfR4(given, placed, wearers);
    if (!from) return undefined;
    const resource = versions.withVersion(read, from);
    const ending = versions.endingInR4(placed.type);
    const made = ending && placed.id ? { ...resource, id: joinedId(placed.id, ending) } : resource;
    changed.push({ ...placed, type: textAt(made, 'resourceType'), id: textAt(made, 'id'), resource: made, from });
    return compact(placed.place === '' || !isObject(whole) ? made : { ...whole, resource: made });
  });
  return { text: withTypesOfR4(written), changed };
}
