//! The date on which an order was last carried out: by the results, reports and procedures that name it, and by those
//! with its code since its start, unless they are about somebody else.

import { instant, periodDate, procedureDate } from '../../fhir/date.ts';
import { firstWritten, valuesAt } from '../../fhir/element-text.ts';
import { referredAddress } from '../../fhir/record-address.ts';
import { isCancelled, normalCode } from '../../fhir/status-code.ts';
import {
  type DiagnosticReport,
  isOfType,
  type Observation,
  type Procedure,
  type ServiceRequest,
} from '../../fhir/types.ts';
import { isOfOther } from '../names/told-apart.ts';

type Result = Observation | DiagnosticReport | Procedure;

/** Statuses of services that did not take place, or have not begun. */
const NOT_DONE = ['registered', 'entered-in-error', 'preparation', 'not-done', 'on-hold', 'stopped'];

const dateOf = (one: Result): number | undefined =>
  instant(
    one.resourceType === 'Procedure'
      ? procedureDate(one)
      : (one.effectiveDateTime ?? periodDate(one.effectivePeriod) ?? one.issued),
  );

const codesOf = ({ code }: Result | ServiceRequest): string[] =>
  (code?.coding ?? []).flatMap(({ system, code }) => (system && code ? [`${system}|${code}`] : []));

/** Stores the later of two dates under a key. */
const keepLater = (dates: Map<string, number>, key: string, at: number): void => {
  dates.set(key, Math.max(dates.get(key) ?? -Infinity, at));
};

/**
 * Returns a function for the time at which an order was last carried out, in milliseconds since 1970: `undefined` if it
 * was not, `-Infinity` if the time is unknown. Results are looked up by key, without a search.
 */
export function doneByOrder(results: readonly Result[]): (order: ServiceRequest) => number | undefined {
  const byOrder = new Map<string, number>();
  const byCode = new Map<string, number>();
  for (const one of results) {
    if (NOT_DONE.includes(normalCode(one.status)) || isCancelled(one.status)) continue;
    const at = dateOf(one);
    for (const named of valuesAt(one, 'basedOn')) {
      keepLater(byOrder, referredAddress(firstWritten(named, ['reference'])), at ?? -Infinity);
    }
    if (at !== undefined && !(isOfType('Observation', one) && isOfOther(one)))
      for (const code of codesOf(one)) keepLater(byCode, code, at);
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
