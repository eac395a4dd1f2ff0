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
import { byDrug, drugMarks } from './same-drug.ts';

/** `unclear`: all records of the drug are active plans, or reports that are active although their period has ended. */
export type EntryState = RequestState | 'unclear';

/** A medication: the record by which it is listed, and the records about the same medication. */
export interface MedicationEntry {
  resource: MedicationRecord;
  state: EntryState;
  /** The end of its course, if it is current by its status and the record states that the course is over. */
  over: CourseEnd | undefined;
  /** For a request: the reports of the same medication. Those with the same state have no entry of their own. */
  reports: MedicationStatement[];
  /** For a request: its administrations, including those that were not given, newest first. */
  given: MedicationAdministration[];
  /** For a request: the newest request that names it as its predecessor. */
  followedBy: MedicationRequest | undefined;
}

/** The administrations of one medication without a shown request, newest first. */
export interface GivenMedication {
  name: string;
  given: [MedicationAdministration, ...MedicationAdministration[]];
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
}

/** Returns the date of a record, as written. */
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

/** Returns the ids of the orders of an administration. */
const ordersOf = ({ request }: MedicationAdministration): string[] => (request ? requestIds([request]) : []);

/** The records that describe the same medication as another record. */
interface SameFacts {
  /** Reports by the request with which they are listed. */
  reportsOf: Map<MedicationRecord, MedicationStatement[]>;
  /** Reports that have no entry of their own. */
  joined: Set<MedicationRecord>;
  /** Records of medications of which no record shows whether they are taken. */
  unclear: Set<MedicationRecord>;
}

/**
 * Compares the requests and reports of each drug. A report belongs to the drug's only request if both have the same
 * dose and the same state, or the same dose if the drug is unclear.
 */
function sameFacts(
  words: Words,
  requests: readonly MedicationRequest[],
  statements: readonly MedicationStatement[],
  included: readonly Resource[],
  now: number,
): SameFacts {
  const facts: SameFacts = { reportsOf: new Map(), joined: new Set(), unclear: new Set() };
  const isUnclear = (one: MedicationRecord): boolean =>
    one.resourceType === 'MedicationRequest'
      ? isActivePlan(one)
      : one.resourceType === 'MedicationStatement' && isActiveButEnded(one, now);
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
        shortDosages(words, order.dosageInstruction) === shortDosages(words, report.dosage) &&
        (unclear.length > 0 || requestState(order, now) === requestState(report, now));
      const derived = orders.filter(({ id }) => from.includes(id));
      const [order] = derived.length > 0 ? derived : orders.length === 1 ? orders.filter(isSame) : [];
      if (!order) continue;
      facts.joined.add(report);
      facts.reportsOf.set(order, [...(facts.reportsOf.get(order) ?? []), report]);
    }
  }
  return facts;
}

/**
 * Returns the medications of a chart. A report that derives from a shown request is the same medication if both have
 * the same state; if the states differ, the report has an entry of its own too.
 */
export function medicationList(
  words: Words,
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
  const orders = requests.filter((one) => !isEnteredInError(one));
  const same = sameFacts(words, orders, valid, included, now);
  const sorted = newest(administrations, medicationDate);
  const givenBy = byKey(
    sorted.filter((one) => !isEnteredInError(one)),
    ordersOf,
  );
  const followers = new Map(
    newest(requests, medicationDate)
      .filter((one) => states.has(one.id) && !['planned', 'avoid'].includes(states.get(one.id) ?? ''))
      .toReversed()
      .flatMap((one) => {
        const prior = priorId(one);
        return prior === undefined || prior === one.id ? [] : [[prior, one] as const];
      }),
  );
  const loose = sorted.filter((one) => isEnteredInError(one) || !ordersOf(one).some((id) => states.has(id)));
  /** Returns whether an administration has an entry of its own: it is in progress, or was recorded in error. */
  const isAlone = (one: MedicationAdministration): boolean =>
    isEnteredInError(one) || ['current', 'held'].includes(requestState(one, now));
  const alone = [...reports.filter((one) => !isSame(one) && !same.joined.has(one)), ...loose.filter(isAlone)];
  const entries = newest<MedicationRecord>([...requests, ...alone], medicationDate).map((resource) => {
    const isRequest = resource.resourceType === 'MedicationRequest' && states.has(resource.id);
    const state: EntryState = same.unclear.has(resource) ? 'unclear' : requestState(resource, now);
    const reported = isRequest ? [...(reportsOf.get(resource.id) ?? []), ...(same.reportsOf.get(resource) ?? [])] : [];
    return {
      resource,
      state,
      over:
        state === 'current' && resource.resourceType !== 'MedicationAdministration'
          ? courseEnd(resource, now)
          : undefined,
      reports: [...new Set(reported)],
      given: isRequest ? (givenBy.get(resource.id) ?? []) : [],
      followedBy: isRequest ? followers.get(resource.id) : undefined,
    };
  });
  const over = loose.filter((one) => !isAlone(one));
  const isWithheld = (one: MedicationAdministration): boolean => requestState(one, now) === 'untaken';
  const [given, withheld] = [over.filter((one) => !isWithheld(one)), over.filter(isWithheld)];
  return {
    entries: [...entries.filter(({ over: end }) => !end), ...entries.filter(({ over: end }) => end)],
    given: byName(words, given, included),
    withheld: byName(words, withheld, included),
    none,
  };
}

/** Groups administrations by drug. */
const byName = (words: Words, all: MedicationAdministration[], included: readonly Resource[]): GivenMedication[] =>
  byDrug(all, (one) => drugMarks(one, included)).flatMap(([first, ...others]): GivenMedication[] =>
    first ? [{ name: medication(words, first, included), given: [first, ...others] }] : [],
  );
