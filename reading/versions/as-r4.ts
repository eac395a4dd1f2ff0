//! Records of other versions of FHIR as records of R4, which the chart reads. What has one meaning in R4 is read so;
//! what has not stays as it is, and `isOlder` tells what cannot be read.

import { own } from '../own.ts';
import { isObject, itemsOf } from '../shape.ts';
import { OLDER, OLDER_NAMES } from './older.ts';
import { R5, R5_NAMES } from './r5.ts';
import { appliedTo, type Members, objectsOf } from './steps.ts';

/** The version of a record that is read as one of R4. `older` is DSTU2 or STU3. */
export type Version = 'R5' | 'older';

/** A record in the form of R4, and the version that it was converted from; `undefined` for one of R4. */
export interface Converted {
  resource: Members;
  from?: Version;
}

/** The types with another name in R4. */
const NAMES: Readonly<Record<string, string>> = { ...OLDER_NAMES, ...R5_NAMES };

/** The types that have another name in R4. */
export const RENAMED_TYPES = Object.keys(NAMES);

export const typeInR4 = (type: string): string => own(NAMES, type) ?? type;

/** Types of which several become one in R4. Records of these would otherwise have the id of another record. */
const JOINED: ReadonlySet<string> = new Set([
  'DeviceAssociation',
  'DeviceDispense',
  'DiagnosticOrder',
  'GenomicStudy',
  'ReferralRequest',
]);

/** The ending of the id of a record whose type has another name in R4; the empty text for most. */
export const endingInR4 = (type: string): string => (JOINED.has(type) ? type.toLowerCase() : '');

const namedInR4 = (resource: Members, type: string): Members => {
  const name = typeInR4(type);
  return name === type ? resource : { ...resource, resourceType: name };
};

/** Converts a resource. The steps of R5 come first, since they know its elements by their forms. */
export function converted(resource: Members): Converted {
  const { resourceType: type } = resource;
  if (typeof type !== 'string') return { resource };
  const [newer, older] = [own(R5, type), own(OLDER, type)];
  const ofR5 = own(R5_NAMES, type) ? namedInR4(resource, type) : resource;
  const read = newer ? appliedTo(ofR5, newer) : ofR5;
  if (read !== resource) return { resource: withContained(read), from: 'R5' };
  const before = appliedTo(namedInR4(resource, type), older ?? []);
  const made = withContained(before);
  return made === resource ? { resource } : { resource: made, from: 'older' };
}

function withContained(resource: Members): Members {
  const { contained } = resource;
  if (!Array.isArray(contained)) return resource;
  const made = contained.map((one) => (isObject(one) ? converted(one).resource : one));
  return made.some((one, i) => one !== contained[i]) ? { ...resource, contained: made } : resource;
}

/** The codes of the tag of a record of another version, in files. No code system has such codes. */
const TAGS: Readonly<Record<Version, string>> = { R5: 'read-as-r4-from-r5', older: 'read-as-r4-from-older' };

/** A record with a tag that says its version in the file. */
export function withVersion(resource: Members, from: Version): Members {
  const { meta } = resource;
  const tag = { code: TAGS[from] };
  return { ...resource, meta: isObject(meta) ? { ...meta, tag: [...itemsOf(meta.tag), tag] } : { tag: [tag] } };
}

/** Returns the version that a record has in its file, if it was read as one of R4. */
export function versionInFile({ meta }: { meta?: unknown }): Version | undefined {
  const codes = isObject(meta) ? objectsOf(meta.tag).map(({ code }) => code) : [];
  return (['R5', 'older'] as const).find((version) => codes.includes(TAGS[version]));
}

export const asR4 = (resource: unknown): unknown => (isObject(resource) ? converted(resource).resource : resource);
