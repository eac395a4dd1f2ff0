//! The medications of a chart, without duplicates, from requests, reports and administrations.

import { newest, periodDate } from '../fhir/date.ts';
import {
  isActiveButEnded,
  isActivePlan,
  type MedicationRecord,
  type RequestState,
  requestState,
} from '../fhir/request-state.ts';
import { isEnteredInError } from '../fhir/text.ts';
import type { MedicationAdministration, MedicationRequest, MedicationStatement, Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { byKey, requestIds } from './by-order.ts';
import { type CourseEnd, courseEnd } from './course-end.ts';
import { shortDosages } from './dosage.ts';
import { isNoMedication, medication } from './medication.ts';
import { recordedDose } from './medication-dose.ts';
import type { MedicationRecords } from './medication-records.ts';
import { byDrug, drugMarks } from './same-drug.ts';

/** `unclear`: all records of the drug are active plans, or reports that are active although their period has ended. */
export type EntryState = RequestState | 'unclear';

/** A medication: the record by which it is listed, and the records about the same medication. */
export interface MedicationEntry {
  resource: MedicationRecord;
  state: EntryState;
  /** The end of its course, if it is current by its status and the record states that the course is over. */
  courseEnd: CourseEnd | undefined;
  /** For a request: the reports of the same medication. Those with the same state have no entry of their own. */
  reports: MedicationStatement[];
  /** For a request: its administrations, including those that were not given, newest first. */
  administrations: MedicationAdministration[];
  /** For a request: the newest request that names it as its predecessor. */
  followedBy: MedicationRequest | undefined;
}

/** The administrations of one medication without a shown request, newest first. */
export interface GivenMedication {
  name: string;
  administrations: [MedicationAdministration, ...MedicationAdministration[]];
}

export interface MedicationList {
  /** Newest first; entries whose course is over are last. */
  entries: MedicationEntry[];
  /** The administrations that belong to none of the requests and are not in progress. */
  given: GivenMedication[];
  /** The administrations that belong to none of the requests and were not given. */
  withheld: GivenMedication[];
  /** The records which state that there is no medication, or that nothing is known of any. */
  none: MedicationStatement[];
  /** Returns the state of any of the records, also of one that is listed with another one. */
  stateOf(record: MedicationRecord): EntryState;
}

export function medicationDate(record: MedicationRecord): string | undefined {
  if (record.resourceType === 'MedicationRequest') return record.authoredOn;
  const taken = record.effectiveDateTime ?? periodDate(record.effectivePeriod);
  return record.resourceType === 'MedicationStatement' ? (taken ?? record.dateAsserted) : taken;
}

/** Returns the id of the previous prescription, of which a prescription may be a renewal or a change. */
export const priorId = ({ priorPrescription }: MedicationRequest): string | undefined =>
  priorPrescription && requestIds([priorPrescription])[0];

/** Returns the ids of the requests from which a report derives. */
export const requestsOf = ({ basedOn = [], derivedFrom = [] }: MedicationStatement): string[] =>
  requestIds([...basedOn, ...derivedFrom]);

const ordersOf = ({ request }: MedicationAdministration): string[] => (request ? requestIds([request]) : []);

const isValid = (record: Resource): boolean => !isEnteredInError(record);

/** The records that describe the same medication as another record. */
interface SameFacts {
  /** Reports by the request with which they are listed. */
  reportsOf: Map<MedicationRecord, Set<MedicationStatement>>;
  /** Reports that have no entry of their own. */
  joined: Set<MedicationRecord>;
  /** Records of medications of which no record shows whether they are taken. */
  unclear: Set<MedicationRecord>;
}

/**
 * Compares valid requests and reports. A report that derives from a request is listed with it, and has an entry of its
 * own only if their states differ. Another report belongs to the drug's only request if both have the same dose and the
 * same state, or the same dose if the drug is unclear.
 */
function sameFacts(
  words: Words,
  requests: readonly MedicationRequest[],
  statements: readonly MedicationStatement[],
  included: readonly Resource[],
  now: number,
): SameFacts {
  const facts: SameFacts = { reportsOf: new Map(), joined: new Set(), unclear: new Set() };
  const join = (order: MedicationRequest, report: MedicationStatement, isSame: boolean): void => {
    facts.reportsOf.set(order, (facts.reportsOf.get(order) ?? new Set()).add(report));
    if (isSame) facts.joined.add(report);
  };
  const isUnclear = (one: MedicationRecord): boolean =>
    one.resourceType === 'MedicationRequest'
      ? isActivePlan(one, now)
      : one.resourceType === 'MedicationStatement' && isActiveButEnded(one, now);
  const hasSameState = (a: MedicationRecord, b: MedicationRecord): boolean =>
    requestState(a, now) === requestState(b, now);
  const doseOf = (one: MedicationRecord): string | undefined => recordedDose(words, one, shortDosages);
  const byId = new Map(requests.map((one) => [one.id, one]));
  for (const report of statements)
    for (const order of requestsOf(report).flatMap((id) => byId.get(id) ?? []))
      join(order, report, hasSameState(order, report));
  for (const drug of byDrug<MedicationRequest | MedicationStatement>([...requests, ...statements], (one) =>
    drugMarks(one, included),
  )) {
    const unclear = drug.every(isUnclear) ? drug : [];
    for (const one of unclear) facts.unclear.add(one);
    const reports = drug.filter((one) => one.resourceType === 'MedicationStatement');
    const orders = drug.filter((one) => one.resourceType === 'MedicationRequest');
    for (const report of reports) {
      const from = unclear.length > 0 ? requestsOf(report) : [];
      const isSame = (order: MedicationRequest): boolean =>
        doseOf(order) === doseOf(report) && (unclear.length > 0 || hasSameState(order, report));
      const derived = orders.filter(({ id }) => from.includes(id));
      const [order] = derived.length > 0 ? derived : orders.length === 1 ? orders.filter(isSame) : [];
      if (order) join(order, report, true);
    }
  }
  return facts;
}

/** Returns the newest request that is a renewal or a change of another one, by the id of the earlier one. */
function followersOf(requests: readonly MedicationRequest[], now: number): Map<string, MedicationRequest> {
  const begun = requests.filter((one) => !['planned', 'avoid'].includes(requestState(one, now)));
  return new Map(
    newest(begun, medicationDate)
      .toReversed()
      .flatMap((one) => {
        const prior = priorId(one);
        return prior === undefined || prior === one.id ? [] : [[prior, one] as const];
      }),
  );
}

/** Returns the medications of a chart. An administration without a request has an entry only if it is in progress. */
export function medicationList(
  words: Words,
  { requests = [], statements = [], administrations = [], included = [] }: Partial<MedicationRecords>,
  now = Date.now(),
): MedicationList {
  const none = statements.filter((one) => isNoMedication(one) && requestState(one, now) !== 'past');
  const reports = statements.filter((one) => !none.includes(one));
  const orders = requests.filter(isValid);
  const { reportsOf, joined, unclear } = sameFacts(words, orders, reports.filter(isValid), included, now);
  const stateOf = (one: MedicationRecord): EntryState => (unclear.has(one) ? 'unclear' : requestState(one, now));
  const followers = followersOf(orders, now);
  const sorted = newest(administrations, medicationDate);
  const administrationsOf = byKey(sorted.filter(isValid), ordersOf);
  const ids = new Set(orders.map(({ id }) => id));
  const withoutOrder = sorted.filter((one) => !isValid(one) || !ordersOf(one).some((id) => ids.has(id)));
  const isEntry = (one: MedicationAdministration): boolean =>
    !isValid(one) || ['current', 'held'].includes(requestState(one, now));
  const listed = [...requests, ...reports.filter((one) => !joined.has(one)), ...withoutOrder.filter(isEntry)];
  const entries = newest<MedicationRecord>(listed, medicationDate).map((resource): MedicationEntry => {
    const state = stateOf(resource);
    const isCourse = state === 'current' && resource.resourceType !== 'MedicationAdministration';
    const isOrder = resource.resourceType === 'MedicationRequest' && isValid(resource);
    return {
      resource,
      state,
      courseEnd: isCourse ? courseEnd(resource, now) : undefined,
      reports: [...(reportsOf.get(resource) ?? [])],
      administrations: isOrder ? (administrationsOf.get(resource.id) ?? []) : [],
      followedBy: isOrder ? followers.get(resource.id) : undefined,
    };
  });
  const isWithheld = (one: MedicationAdministration): boolean => requestState(one, now) === 'untaken';
  const others = withoutOrder.filter((one) => !isEntry(one));
  return {
    entries: [...entries.filter((one) => !one.courseEnd), ...entries.filter((one) => one.courseEnd)],
    given: byName(
      words,
      others.filter((one) => !isWithheld(one)),
      included,
    ),
    withheld: byName(words, others.filter(isWithheld), included),
    none,
    stateOf,
  };
}

const byName = (words: Words, all: MedicationAdministration[], included: readonly Resource[]): GivenMedication[] =>
  byDrug(all, (one) => drugMarks(one, included)).flatMap(([first, ...others]): GivenMedication[] =>
    first ? [{ name: medication(words, first, included), administrations: [first, ...others] }] : [],
  );
