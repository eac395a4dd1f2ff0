//! The medications of a chart, each once, from its requests, from what is reported, and from what was given.

import { newest, periodDate } from '../fhir/date.ts';
import { isNoMedication, medication } from '../fhir/medication.ts';
import { type MedicationRecord, type RequestState, requestState } from '../fhir/request-state.ts';
import { isEnteredInError } from '../fhir/text.ts';
import type {
  MedicationAdministration,
  MedicationRequest,
  MedicationStatement,
  Reference,
  Resource,
} from '../fhir/types.ts';
import { byDrug, drugMarks } from './same-drug.ts';

/** A medication: the record by which it is listed, with those that tell of the same one. */
export interface MedicationEntry {
  resource: MedicationRecord;
  state: RequestState;
  /** Of a request, the reports that derive from it. Those of the same state are listed here alone. */
  reports: MedicationStatement[];
  /** Of a request, what was given by it, or was to be, newest first. */
  given: MedicationAdministration[];
  /** Of a request, the newest one that names it as the one before. */
  followedBy: MedicationRequest | undefined;
}

/** What was given of one medication without a request that is shown, newest first. */
export interface GivenMedication {
  name: string;
  given: [MedicationAdministration, ...MedicationAdministration[]];
}

export interface MedicationList {
  /** Newest first. */
  entries: MedicationEntry[];
  /** What was given by none of the requests, and does not run now. */
  given: GivenMedication[];
  /** What was to be given by none of the requests, and was not. */
  withheld: GivenMedication[];
  /** The records that say that there is no medication, or that nothing is known of any. */
  none: MedicationStatement[];
}

/** The date of a record, as it is written. */
export function medicationDate(record: MedicationRecord): string | undefined {
  if (record.resourceType === 'MedicationRequest') return record.authoredOn;
  const taken = record.effectiveDateTime ?? periodDate(record.effectivePeriod);
  return record.resourceType === 'MedicationStatement' ? (taken ?? record.dateAsserted) : taken;
}

/** The order that a prescription follows, of which it may be a renewal or a change. */
export const priorId = ({ priorPrescription }: MedicationRequest): string | undefined =>
  priorPrescription && requestIds([priorPrescription])[0];

const REQUEST = /(?:^|\/)MedicationRequest\/([^/]+)(?:\/_history\/[^/]+)?$/;
/** The ids of the requests among some references. */
const requestIds = (references: Reference[]): string[] =>
  references.flatMap(({ reference }) => REQUEST.exec(reference ?? '')?.[1] ?? []);

/** The requests from which a report derives. */
export const requestsOf = ({ basedOn = [], derivedFrom = [] }: MedicationStatement): string[] =>
  requestIds([...basedOn, ...derivedFrom]);

/** The orders of what was given. */
export interface GivenByOrder {
  /** What was given by an order, in its order. */
  of(request: MedicationRequest): MedicationAdministration[];
  /** The ids of the orders by which something was given. */
  ordersOf(one: MedicationAdministration): string[];
}

/** Looks up by which orders something was given. */
export function givenByOrder(given: readonly MedicationAdministration[]): GivenByOrder {
  const ordersOf = ({ request }: MedicationAdministration): string[] => (request ? requestIds([request]) : []);
  const byId = byKey(given, ordersOf);
  return { of: ({ id }) => byId.get(id) ?? [], ordersOf };
}

/** Groups items by each of their keys. */
function byKey<T>(items: readonly T[], keys: (item: T) => string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of new Set(keys(item))) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

/**
 * The medications of a chart. A report that derives from a request that is shown is the same medication where both have
 * the same state; where they differ, the report stands by itself too.
 */
export function medicationList(
  requests: readonly MedicationRequest[],
  statements: readonly MedicationStatement[],
  administrations: readonly MedicationAdministration[],
  included: readonly Resource[],
  now = Date.now(),
): MedicationList {
  const none = statements.filter((one) => isNoMedication(one) && requestState(one, now) !== 'past');
  const reports = statements.filter((one) => !none.includes(one));
  const states = new Map(
    requests.filter((one) => !isEnteredInError(one)).map((one) => [one.id, requestState(one, now)]),
  );
  const isSame = (report: MedicationStatement): boolean =>
    !isEnteredInError(report) && requestsOf(report).some((id) => states.get(id) === requestState(report, now));
  const valid = reports.filter((one) => !isEnteredInError(one));
  const reportsOf = byKey(valid, requestsOf);
  const sorted = newest(administrations, medicationDate);
  const givenBy = givenByOrder(sorted.filter((one) => !isEnteredInError(one)));
  const followers = new Map(
    newest(requests, medicationDate)
      .filter((one) => states.has(one.id) && !['planned', 'avoid'].includes(states.get(one.id) ?? ''))
      .toReversed()
      .flatMap((one) => {
        const prior = priorId(one);
        return prior === undefined || prior === one.id ? [] : [[prior, one] as const];
      }),
  );
  const loose = sorted.filter((one) => !givenBy.ordersOf(one).some((id) => states.has(id)));
  /** Returns whether it stands by itself: it runs, or was recorded in error. */
  const isAlone = (one: MedicationAdministration): boolean =>
    isEnteredInError(one) || ['current', 'held'].includes(requestState(one, now));
  const alone = [...reports.filter((one) => !isSame(one)), ...loose.filter(isAlone)];
  const entries = newest<MedicationRecord>([...requests, ...alone], medicationDate).map((resource) => {
    const isRequest = resource.resourceType === 'MedicationRequest' && states.has(resource.id);
    return {
      resource,
      state: requestState(resource, now),
      reports: isRequest ? (reportsOf.get(resource.id) ?? []) : [],
      given: isRequest ? givenBy.of(resource) : [],
      followedBy: isRequest ? followers.get(resource.id) : undefined,
    };
  });
  const over = loose.filter((one) => !isAlone(one));
  const isWithheld = (one: MedicationAdministration): boolean => requestState(one, now) === 'untaken';
  return {
    entries,
    given: byName(
      over.filter((one) => !isWithheld(one)),
      included,
    ),
    withheld: byName(over.filter(isWithheld), included),
    none,
  };
}

/** What was given, by drug. */
const byName = (all: MedicationAdministration[], included: readonly Resource[]): GivenMedication[] =>
  byDrug(all, (one) => drugMarks(one, included)).flatMap(([first, ...others]): GivenMedication[] =>
    first ? [{ name: medication(first, included), given: [first, ...others] }] : [],
  );
