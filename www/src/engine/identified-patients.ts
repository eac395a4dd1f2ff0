//! Patients whom records name by an identifier alone, such as the number of an insurance
//! (<https://hl7.org/fhir/R4/references.html#logical>). The one Patient of the files with that identifier is meant;
//! where there is none, the identifier becomes a Patient.

import { compact, parsed } from '../fhir/json.ts';
import { isObject } from '../shape.ts';
import { patientElement } from './claim.ts';
import { isAlone, withPatients } from './contained-patients.ts';
import { digest } from './digest.ts';
import { type Members, objectsIn, type PlacedResource, type TextDocument, textAt } from './documents.ts';
import { entriesOf } from './entries.ts';
import { withParts } from './text-parts.ts';

/** An identifier that names a patient, and the name beside it. */
interface Named {
  key: string;
  identifier: Members;
  display: string;
}

const keyOf = (identifier: unknown): string | undefined => {
  const value = textAt(identifier, 'value').trim();
  return value === '' ? undefined : `${textAt(identifier, 'system')}|${value}`;
};

/** The identifier by which a record names its patient; nothing where it has a reference, or is of another thing. */
function namedIn({ type, resource }: PlacedResource): Named | undefined {
  const element = patientElement(type);
  const subject = element && resource[element];
  if (!isObject(subject) || textAt(subject, 'reference') !== '') return undefined;
  const { identifier } = subject;
  const key = keyOf(identifier);
  const of = textAt(subject, 'type');
  if (key === undefined || !isObject(identifier) || !(of === '' || of === 'Patient')) return undefined;
  return { key, identifier, display: textAt(subject, 'display') };
}

/** The patients whom the records of a load name by identifiers alone. */
export class IdentifiedPatients {
  /** The ids of Patients, by identifier. */
  readonly #known = new Map<string, Set<string>>();
  readonly #named = new Map<string, Named>();

  note(placed: PlacedResource): void {
    if (placed.type === 'Patient' && placed.id !== '') {
      for (const one of objectsIn(placed.resource.identifier)) {
        const key = keyOf(one);
        if (key !== undefined) this.#known.set(key, (this.#known.get(key) ?? new Set()).add(placed.id));
      }
    }
    const named = namedIn(placed);
    if (named && !this.#named.get(named.key)?.display) this.#named.set(named.key, named);
  }

  get isEmpty(): boolean {
    return this.#named.size === 0;
  }

  /** A document whose records refer to the patients whom they name. An identifier of several Patients tells nothing. */
  readonly rewrite = (_file: string, { text }: TextDocument): string => {
    const added = new Map<string, Members>();
    const entries = entriesOf(text);
    const document = withParts(text, entries, ({ placed, text: entry }) => {
      const named = placed && namedIn(placed);
      const id = named && this.#idOf(named.key);
      if (!named || id === undefined) return undefined;
      const own = this.#ownPatient(named.key, id);
      if (own) added.set(id, own);
      return withReference(entry, placed, id);
    });
    return withPatients(document, [...added.values()], isAlone(entries)) ?? document;
  };

  #idOf(key: string): string | undefined {
    const [id, ...others] = this.#known.get(key) ?? [digest(key)];
    return others.length > 0 ? undefined : id;
  }

  /** The Patient that an identifier becomes; nothing where the files have one. */
  #ownPatient(key: string, id: string): Members | undefined {
    const named = this.#named.get(key);
    if (!named || this.#known.has(key)) return undefined;
    const name = named.display === '' ? {} : { name: [{ text: named.display }] };
    return { resourceType: 'Patient', id, identifier: [named.identifier], ...name };
  }
}

/** An entry, or the resource alone, with a reference to a patient. */
function withReference(entry: string, { type, place }: PlacedResource, id: string): string {
  const element = patientElement(type);
  const whole = parsed(entry);
  const resource = place === '' || !isObject(whole) ? whole : whole.resource;
  const subject = isObject(resource) && element ? resource[element] : undefined;
  if (isObject(subject)) subject.reference = `Patient/${id}`;
  return compact(whole);
}
