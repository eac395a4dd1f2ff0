//! The targets of references without a display, which are looked up in the source: each once. A server is asked only
//! for persons, organizations, places, devices and the like.

import { valuesAt } from '#reading/fhir/element-text.ts';
import { referenceIn } from '#reading/fhir/loose.ts';
import { recordAddress, referredAddress, typeOf } from '#reading/fhir/record-address.ts';
import { type NamelessReference, namelessReferences } from '#reading/fhir/reference-names.ts';
import type { Reference, Resource } from '#reading/fhir/types.ts';
import { inParts, inTurns } from '../../scheduling.ts';
import { BASE } from '../../smart/server.ts';
import { planOf } from '../../source/abilities.ts';
import { allPages, readResult, type Source } from '../../source/source.ts';
import type { WhyWithheld } from '../../source/withheld.ts';

/** The types whose records are looked up for their names in every source. */
const NAMED = [
  'Practitioner',
  'PractitionerRole',
  'Organization',
  'Location',
  'Device',
  'Specimen',
  'BodyStructure',
  'RelatedPerson',
  'Patient',
  'CareTeam',
  'HealthcareService',
  'Group',
  'Questionnaire',
];

/** The types whose targets are looked up too: a role is named after them, and a specimen may be of another person. */
const LEADING_ON = ['PractitionerRole', 'Specimen'];

/** The number of records in one search. */
const AT_ONCE = 50;
/** The most records of a type that are read one by one, where a server does not search them by id. */
const MAX_READS = 20;

const IDENTIFIED = '?identifier=';
const keyOfIdentifier = (type: string, system: unknown, value: unknown): string =>
  `${type}${IDENTIFIED}${typeof system === 'string' ? system : ''}|${String(value)}`;

/** The elements that name a person or an organization, and those that name an organization alone. */
const PERFORMERS = [
  ...['performer', 'requester', 'author', 'recorder', 'asserter', 'actor', 'individual', 'who', 'source'],
  ...['informationSource', 'generalPractitioner', 'careManager', 'sender', 'interpreter', 'resultsInterpreter'],
  ...['orderer', 'prescriber', 'supplier', 'collector', 'verifier', 'responsible'],
];
const ORGANIZATIONS = [
  ...['serviceProvider', 'managingOrganization', 'custodian', 'organization', 'onBehalfOf', 'manufacturer', 'payor'],
];

/** Returns the types of what an element names by an identifier alone. Each is one search for many identifiers. */
function typesOf(element: string): readonly string[] {
  if (element === 'location') return ['Location'];
  if (PERFORMERS.includes(element)) return ['Practitioner', 'Organization'];
  return ORGANIZATIONS.includes(element) ? ['Organization'] : [];
}

/** Returns whether a reference has an identifier of a known system alone, without the type of what it names. */
const isUntyped = ({ reference, type, identifier }: Reference): boolean =>
  !reference && !type && Boolean(identifier?.system && identifier.value);

/** Returns the key of a target: `Type/id` or `Type?identifier=system|value`; `undefined` if it is not looked up. */
function keyOf({ reference = '', type = '', identifier }: Reference, ofAnyType = false): string | undefined {
  const relative = reference.startsWith(`${BASE}/`) ? reference.slice(BASE.length + 1) : reference;
  const address = /^[A-Za-z]+\/[A-Za-z0-9.-]{1,64}(?=\/_history\/|$)/.exec(relative)?.[0];
  const isConditional = relative.startsWith(typeOf(relative) + IDENTIFIED);
  const key =
    address ??
    (isConditional
      ? decodeURIComponent(relative)
      : reference === '' && identifier?.value && (type || identifier.system)
        ? keyOfIdentifier(type, identifier.system, identifier.value)
        : '');
  return (ofAnyType && key !== '') || NAMED.includes(typeOf(key)) ? key : undefined;
}

/** The elements whose targets the sections of a chart show by themselves. They are not looked up for their names. */
const FOLLOWED = [
  ...['basedOn', 'context', 'derivedFrom', 'encounter', 'entry', 'hasMember', 'partOf', 'result', 'target'],
  ...['authorizingPrescription', 'medicationReference', 'request'],
];

/** Returns whether a server is asked for a record of any type: the subject of a result, or a reaction of an allergy. */
const isOfAnyType = (record: Resource, to: Reference): boolean =>
  (record.resourceType === 'Observation' && valuesAt(record, 'focus').includes(to)) ||
  record.resourceType === 'AllergyIntolerance';

/** The devices that a record is about, whose records are wanted for more than their names. */
const devicesIn = (record: Resource): NamelessReference[] =>
  ['DeviceUseStatement', 'Procedure'].includes(record.resourceType)
    ? [...valuesAt(record, 'device'), ...valuesAt(record, 'focalDevice.manipulated')]
        .flatMap((to) => referenceIn(to) ?? [])
        .map((to) => ({ element: 'device', to }))
    : [];

/** Returns the reference of answers to their questionnaire, whose address often ends with its id. */
const formOf = (record: Resource): NamelessReference[] =>
  record.resourceType === 'QuestionnaireResponse'
    ? valuesAt(record, 'questionnaire').map((url) => ({
        element: 'questionnaire',
        to: { reference: referredAddress(String(url).split('|')[0]) },
      }))
    : [];

/** Returns all keys by which references may lead to a record. An identifier alone leads only to the named types. */
function keysOf(record: Resource): string[] {
  const types = NAMED.includes(record.resourceType) ? [record.resourceType, ''] : [record.resourceType];
  const ofIdentifiers = valuesAt(record, 'identifier').flatMap((one) =>
    valuesAt(one, 'value').flatMap((value) =>
      types.map((type) => keyOfIdentifier(type, valuesAt(one, 'system')[0], value)),
    ),
  );
  return [recordAddress(record), ...ofIdentifiers];
}

export class Targets {
  readonly #source: Source;
  readonly #whyWithheld: WhyWithheld;
  readonly #found = new Map<string, Resource>();
  /** The look-ups that were begun, by their keys. */
  readonly #begun = new Map<string, Promise<void>>();

  constructor(source: Source, whyWithheld: WhyWithheld) {
    this.#source = source;
    this.#whyWithheld = whyWithheld;
  }

  /** Finds the target of a reference among those that were looked up or loaded, for its name. */
  readonly find = (to: Reference): Resource | undefined => this.#found.get(keyOf(to, true) ?? '');

  /** Finds a person, a place or the like by `Type/id`. Records of other types may be of another patient. */
  readonly findNamed = (address: string): Resource | undefined =>
    NAMED.includes(typeOf(address)) ? this.find({ reference: address }) : undefined;

  /** Looks up what records refer to without a display. What cannot be had stays without a name. */
  async load(records: readonly Resource[]): Promise<void> {
    await inTurns(records, (one) => this.#add(one));
    const isLocal = this.#source.name !== 'session';
    const keys = new Set<string>();
    const addKeys = (one: Resource): void => {
      const isAny = (element: string, to: Reference): boolean =>
        (isLocal && !FOLLOWED.includes(element)) || isOfAnyType(one, to);
      for (const { element, to } of [...namelessReferences(one), ...devicesIn(one), ...(isLocal ? formOf(one) : [])]) {
        const known = isUntyped(to) ? typesOf(element).map((type) => ({ ...to, type })) : [to];
        for (const key of known.flatMap((to) => keyOf(to, isAny(element, to)) ?? [])) keys.add(key);
      }
    };
    await inTurns(records, addKeys);
    await this.#look(keys);
    const found = [...keys].flatMap((key) => this.#found.get(key) ?? []);
    keys.clear();
    for (const one of found) if (LEADING_ON.includes(one.resourceType)) addKeys(one);
    await this.#look(keys);
  }

  #add(record: Resource): void {
    for (const key of keysOf(record)) this.#found.set(key, record);
  }

  async #look(keys: ReadonlySet<string>): Promise<void> {
    const fresh = [...keys].filter((key) => !this.#found.has(key) && !this.#begun.has(key));
    for (const type of new Set(fresh.map(typeOf))) {
      for (const isById of [true, false]) {
        const ofType = fresh.filter((key) => typeOf(key) === type && key.includes(IDENTIFIED) !== isById);
        for (const part of inParts(ofType, AT_ONCE)) {
          const asked = this.#ask(type, isById, part).catch(() => undefined);
          for (const key of part) this.#begun.set(key, asked);
        }
      }
    }
    await Promise.all([...keys].map((key) => this.#begun.get(key)));
  }

  /** Asks for records of a type by their ids, or by their identifiers. */
  async #ask(type: string, isById: boolean, keys: readonly string[]): Promise<void> {
    const abilities = await this.#source.abilities?.();
    const values = keys.map((key) => key.slice(type.length + (isById ? 1 : IDENTIFIED.length)));
    const parameter = isById ? '_id' : 'identifier';
    const query = `${type}?${parameter}=${values.map(encodeURIComponent).join(',')}&_count=${AT_ONCE}`;
    const isListed = abilities?.types.get(type)?.parameters?.has(parameter) ?? true;
    if (isListed && planOf(query, abilities).is === 'asked' && !(await this.#whyWithheld(type, 'search'))) {
      const { matches } = await allPages(this.#source, query);
      for (const one of matches) this.#add(one);
    } else if (isById && planOf(keys[0] ?? '', abilities).is === 'asked' && !(await this.#whyWithheld(type, 'read'))) {
      const reads = keys.slice(0, MAX_READS).map(async (address) => readResult(await this.#source.read(address)));
      for (const read of await Promise.allSettled(reads)) {
        if (read.status === 'fulfilled') for (const one of read.value.matches) this.#add(one);
      }
    }
  }
}
