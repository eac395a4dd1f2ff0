//! The date on which an order was last done: by the results, reports and procedures that name it, and by those of its
//! code since its start.

import { instant, periodDate, procedureDate } from '../fhir/date.ts';
import { firstWritten, valuesAt } from '../fhir/element-text.ts';
import { referredAddress } from '../fhir/record-address.ts';
import type { DiagnosticReport, Observation, Procedure, ServiceRequest } from '../fhir/types.ts';

type Result = Observation | DiagnosticReport | Procedure;

/** Statuses of what did not take place, or not yet. */
const NOT_DONE = ['registered', 'cancelled', 'entered-in-error', 'preparation', 'not-done', 'on-hold', 'stopped'];

const dateOf = (one: Result): number | undefined =>
  instant(
    one.resourceType === 'Procedure'
      ? procedureDate(one)
      : (one.effectiveDateTime ?? periodDate(one.effectivePeriod) ?? one.issued),
  );

const codesOf = ({ code }: Result | ServiceRequest): string[] =>
  (code?.coding ?? []).flatMap(({ system, code }) => (system && code ? [`${system}|${code}`] : []));

/** Keeps the later of two dates under a key. */
const keepLater = (dates: Map<string, number>, key: string, at: number): void => {
  dates.set(key, Math.max(dates.get(key) ?? -Infinity, at));
};

/**
 * Returns a function that gives when something was last done by an order, in milliseconds since 1970: nothing where
 * nothing was, `-Infinity` where it has no date. Results are looked up, and not searched for.
 */
export function doneByOrder(results: readonly Result[]): (order: ServiceRequest) => number | undefined {
  const byOrder = new Map<string, number>();
  const byCode = new Map<string, number>();
  for (const one of results) {
    if (NOT_DONE.includes(one.status ?? '')) continue;
    const at = dateOf(one);
    for (const named of valuesAt(one, 'basedOn')) {
      keepLater(byOrder, referredAddress(firstWritten(named, ['reference'])), at ?? -Infinity);
    }
    if (at !== undefined) for (const code of codesOf(one)) keepLater(byCode, code, at);
  }
  return (order) => {
    const since = instant(order.occurrenceDateTime ?? order.occurrencePeriod?.start ?? order.authoredOn);
    const ofCode = codesOf(order).flatMap((code) => {
      const at = byCode.get(code);
      return at !== undefined && since !== undefined && at >= since ? [at] : [];
    });
    const named = byOrder.get(`ServiceRequest/${order.id}`);
    const all = named === undefined ? ofCode : [named, ...ofCode];
    return all.length > 0 ? Math.max(...all) : undefined;
  };
}
