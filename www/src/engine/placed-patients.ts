//! Records that name no patient, in a Bundle where others lead to the patient whom they are of: a document that lists
//! them and is about one patient, a visit of a patient, a report of one. What leads to two patients is placed with
//! none, and stays where it is.

import { compact, parsed } from '../fhir/json.ts';
import { type Placing, placedBy, placedTag } from '../fhir/placed.ts';
import { own } from '../own.ts';
import { isObject } from '../shape.ts';
import { patientElement } from './claim.ts';
import { type Members, objectsOf, type PlacedResource, textAt } from './documents.ts';
import { entriesOf } from './entries.ts';
import { baseIn } from './people.ts';
import { withParts } from './text-parts.ts';

/** A record of a Bundle, with the patients to whom it leads: by a key, the element that names each. */
interface Node {
  of: PlacedResource;
  /** True if it names no patient, and is of a type whose records are of one. */
  isOpen: boolean;
  patients: Map<string, Members>;
  links: { to: Node; by: Placing }[];
  by?: Placing;
}

const referencesOf = (value: unknown): string[] => objectsOf(value).map((one) => textAt(one, 'reference'));

/** The entries of sections, also of sections in them. One with a focus is about somebody else. */
const listedIn = (sections: unknown): string[] =>
  objectsOf(sections)
    .filter(({ focus }) => focus === undefined)
    .flatMap(({ entry, section }) => [...referencesOf(entry), ...(section === undefined ? [] : listedIn(section))]);

/** The references of a record to others that are of its patient. */
function leadsOf({ type, resource }: PlacedResource): [Placing, string[]][] {
  if (type === 'Composition')
    return [
      ['document', listedIn(resource.section)],
      ['visit', referencesOf(resource.encounter)],
    ];
  if (patientElement(type) === undefined) return [];
  const parts = type === 'DiagnosticReport' ? resource.result : type === 'Observation' ? resource.hasMember : undefined;
  return [
    ['visit', referencesOf(resource.encounter)],
    ['report', referencesOf(parts)],
  ];
}

/** Returns whether a record is of a type whose records are of a patient, and says nothing of whose it is. */
function isWithoutPatient({ type, resource }: PlacedResource): boolean {
  const element = patientElement(type);
  return element !== undefined && own(resource, element) === undefined;
}

/** The resources of one Bundle, by what references to them say. */
class Places {
  readonly #byUrl = new Map<string, PlacedResource[]>();
  readonly #byAddress = new Map<string, PlacedResource[]>();

  constructor(all: readonly PlacedResource[]) {
    const add = (map: Map<string, PlacedResource[]>, key: string, one: PlacedResource): void => {
      map.set(key, [...(map.get(key) ?? []), one]);
    };
    for (const one of all) {
      if (one.fullUrl !== '') add(this.#byUrl, one.fullUrl, one);
      if (one.id !== '') add(this.#byAddress, `${one.type}/${one.id}`, one);
    }
  }

  /** The forms of the one resource that a reference of a record means; none where it may mean several. */
  meant(written: string, { fullUrl, type }: PlacedResource): PlacedResource[] {
    const reference = written.replace(/\/_history\/.*$/, '');
    const found = this.#byUrl.get(reference) ?? this.#byUrl.get(`${baseIn(fullUrl, type)}/${reference}`);
    if (found) return found;
    const named = this.#byAddress.get(reference) ?? [];
    return new Set(named.map((one) => one.fullUrl)).size === 1 ? named : [];
  }
}

/** The patient whom a record names, with a key that is the same for each way of naming them. */
function patientOf(of: PlacedResource, places: Places): [string, Members] | undefined {
  const element = patientElement(of.type);
  const subject = element && own(of.resource, element);
  if (!isObject(subject)) return undefined;
  const reference = textAt(subject, 'reference');
  if (reference === '') {
    const value = textAt(subject.identifier, 'value');
    const isPatient = ['', 'Patient'].includes(textAt(subject, 'type'));
    return value !== '' && isPatient ? [`${textAt(subject.identifier, 'system')}|${value}`, subject] : undefined;
  }
  const [meant] = places.meant(reference, of);
  if (meant) return meant.type === 'Patient' ? [`${meant.place}`, subject] : undefined;
  return /(?:^|\/)Patient\/[^/]+/.test(reference) ? [reference, subject] : undefined;
}

const aroundOf = ({ place }: PlacedResource): string => place.slice(0, place.lastIndexOf('.entry['));

/** The records of one Bundle that lead to one patient and name none. */
function placedInOne(all: readonly PlacedResource[]): Node[] {
  const places = new Places(all);
  const nodes = new Map<PlacedResource, Node>();
  for (const of of all) {
    const patient = patientOf(of, places);
    nodes.set(of, { of, isOpen: isWithoutPatient(of), patients: new Map(patient && [patient]), links: [] });
  }
  for (const [of, node] of nodes) {
    for (const [by, references] of leadsOf(of)) {
      for (const one of references.flatMap((reference) => places.meant(reference, of))) {
        const to = nodes.get(one);
        if (!to) continue;
        node.links.push({ to, by });
        // What happened at a visit is of its patient too.
        if (by === 'visit' && one.type === 'Encounter') to.links.push({ to: node, by });
      }
    }
  }
  const waiting = [...nodes.values()].filter(({ patients }) => patients.size > 0);
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const { to, by } of node.links) {
      if (!to.isOpen) continue;
      // That a document lists a record says more than what else leads there.
      to.by = by === 'document' ? by : (to.by ?? by);
      const fresh = [...node.patients].filter(([key]) => !to.patients.has(key));
      if (fresh.length === 0) continue;
      for (const [key, subject] of fresh) to.patients.set(key, subject);
      waiting.push(to);
    }
  }
  return [...nodes.values()].filter(({ isOpen, patients }) => isOpen && patients.size === 1);
}

/** The records of a document that lead to one patient and name none, by their places. */
function placedIn(all: readonly PlacedResource[]): Map<string, { subject: Members; by: Placing }> {
  const found = new Map<string, { subject: Members; by: Placing }>();
  const inBundles = all.filter(({ place }) => place !== '');
  for (const ofOne of Map.groupBy(inBundles, aroundOf).values()) {
    if (!ofOne.some(isWithoutPatient)) continue;
    for (const { of, patients, by = 'document' } of placedInOne(ofOne)) {
      const [subject] = patients.values();
      if (subject) found.set(of.place, { subject, by });
    }
  }
  return found;
}

/** Returns whether a document has records that can be placed. */
export const mayPlace = (all: readonly PlacedResource[]): boolean => placedIn(all).size > 0;

/** A document in which the records that lead to one patient name that patient, each with the mark of what led there. */
export function withPlacedPatients(text: string): string {
  const entries = entriesOf(text);
  const placed = placedIn(entries.flatMap((one) => one.placed ?? []));
  if (placed.size === 0) return text;
  return withParts(text, entries, ({ placed: of, place, text: entry }) => {
    const found = placed.get(place);
    return of && found && withSubject(entry, of.type, found);
  });
}

function withSubject(entry: string, type: string, { subject, by }: { subject: Members; by: Placing }): string {
  const element = patientElement(type);
  const whole = parsed(entry);
  const resource = isObject(whole) ? whole.resource : undefined;
  if (element === undefined || !isObject(whole) || !isObject(resource)) return entry;
  const meta = isObject(resource.meta) ? resource.meta : {};
  const tags = (Array.isArray(meta.tag) ? meta.tag : []).filter((tag) => !placedBy(tag));
  const about = { meta: { ...meta, tag: [...tags, placedTag(by)] }, [element]: subject };
  return compact({ ...whole, resource: { ...resource, ...about } });
}
