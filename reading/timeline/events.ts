//! The dated records of a chart as events.

import { immunizationDose } from '../care/immunization-dose.ts';
import { cautionOf, modifierText } from '../fhir/certainty.ts';
import { instant } from '../fhir/date.ts';
import { administrationStatus, requestStatus, statementStatus } from '../fhir/request-state.ts';
import { concept, isEnteredInError, statusText } from '../fhir/text.ts';
import { isOfType, type Resource, type ResourceOf, type ResourceType, visitAddress } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { shortDosages } from '../medications/dosage.ts';
import { recordedDose } from '../medications/medication-dose.ts';
import { hasWords, meaningOf, wordsOf } from '../records/meaning.ts';
import { circumstances } from '../results/names/told-apart.ts';
import { reading } from '../results/values/reading.ts';

export interface TimelineEvent {
  /** The date as written; empty for a record that has only the date of its encounter. */
  on: string;
  /** The start of the date, in milliseconds since 1970. */
  at: number;
  kind: string;
  /** The name in plain text; for a result, the name of its test. */
  name: string;
  /** The value of a result, or the dose of a medication. */
  value?: string;
  /** The status, unless it is the usual one. */
  status: string | undefined;
  /** The `Encounter/id` of the encounter in which it was recorded. */
  visit: string | undefined;
  resource: Resource;
}

/** The rule for events of a type of record. Its other words are those of the type (`../records/meaning.ts`). */
interface EventType<T extends ResourceType> {
  /** Returns the name, if it differs from that of the type. */
  what?(words: Words, resource: ResourceOf<T>): string | undefined;
  /** Returns the text after the name. */
  value?(words: Words, resource: ResourceOf<T>): string | undefined;
  /** Returns the status, if the words of caution of the record (`../fhir/certainty.ts`) do not contain it. */
  status?(resource: ResourceOf<T>): string | undefined;
  /** The statuses that need no mention. */
  usual?: string[];
}

const EVENT_TYPES = {
  AllergyIntolerance: {},
  Condition: {},
  MedicationRequest: {
    value: (words, m) => recordedDose(words, m, shortDosages),
    status: (m) => requestStatus(m) ?? 'unknown',
    usual: ['active', 'completed'],
  },
  MedicationStatement: {
    value: (words, m) => recordedDose(words, m, shortDosages),
    status: (m) => statementStatus(m) ?? 'unknown',
    usual: ['active', 'completed'],
  },
  MedicationAdministration: {
    value: (words, m) => recordedDose(words, m, shortDosages),
    status: administrationStatus,
    usual: ['completed'],
  },
  MedicationDispense: { status: (m) => m.status, usual: ['completed'] },
  Immunization: { value: immunizationDose },
  Observation: {
    value: (words, o) => [reading(words.brief, o), ...circumstances(words, o)].join(', '),
    status: (o) => o.status,
    usual: ['final'],
  },
  DiagnosticReport: {},
  DocumentReference: { what: (words, d) => concept(words, d.type) },
  Procedure: {},
  ServiceRequest: {},
  Encounter: {},
  CarePlan: {},
  Goal: {},
  Flag: {},
  FamilyMemberHistory: {},
  QuestionnaireResponse: {},
} satisfies { [T in ResourceType]?: EventType<T> };

type DatedType = keyof typeof EVENT_TYPES;
const EVENT_TABLE: { [T in DatedType]: EventType<T> } = EVENT_TYPES;

const isDatedType = (type: string): type is DatedType => Object.hasOwn(EVENT_TYPES, type);

/** Returns whether records of a type become events: types in the table, and types without own words in the chart. */
export const isEventType = (type: string): boolean => isDatedType(type) || !hasWords(type);

/** An event whose record may have no date. It is an event only if its encounter has a date. */
type Undated = Omit<TimelineEvent, 'at'> & { at: number | undefined };

/** Returns the event of a record; none if it was entered in error. A record without a date has no `at`. */
export function eventOf(words: Words, resource: Resource, included: Resource[]): Undated | undefined {
  if (isEnteredInError(resource)) return undefined;
  const { resourceType: type } = resource;
  return isDatedType(type) ? datedEvent(words, type, resource, included) : otherEvent(words, resource, included);
}

function datedEvent<T extends DatedType>(
  words: Words,
  type: T,
  resource: Resource,
  included: Resource[],
): Undated | undefined {
  if (!isOfType(type, resource)) return undefined;
  const own: EventType<T> = EVENT_TABLE[type];
  const ofType = wordsOf(words, type);
  const kind = ofType?.kind ?? type;
  const on = ofType?.when?.(resource);
  const at = instant(on);
  const name = own.what ? own.what(words, resource) : ofType?.what?.(resource, included);
  const value = own.value?.(words, resource);
  return {
    on: at === undefined ? '' : (on ?? ''),
    at,
    kind,
    name: name ?? kind,
    ...(value === undefined ? {} : { value }),
    status: statusOf(words, own, resource),
    visit: type === 'Encounter' ? undefined : visitAddress(resource),
    resource,
  };
}

/** Returns the status of an event, unless it is the usual one. */
function statusOf<T extends DatedType>(
  words: Words,
  { status, usual = [] }: EventType<T>,
  resource: ResourceOf<T>,
): string | undefined {
  if (!status) return cautionOf(words, resource);
  const said = status(resource);
  const text = said === undefined || usual.includes(said) ? '' : statusText(words, said);
  return [text, modifierText(words, resource)].filter(Boolean).join(', ') || undefined;
}

/** Returns the event of a record of a type without its own words in the chart. */
function otherEvent(words: Words, resource: Resource, included: Resource[]): Undated {
  const { kind, what, when, caution } = meaningOf(words, resource, included);
  const at = instant(when);
  return {
    on: at === undefined ? '' : (when ?? ''),
    at,
    kind,
    name: what ?? kind,
    status: caution,
    visit: visitAddress(resource),
    resource,
  };
}
