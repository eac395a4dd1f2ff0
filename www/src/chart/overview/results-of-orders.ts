//! What was done by an order: the results, reports and procedures that name it, and those of its code since its start.

import { instant, periodDate } from '../../fhir/date.ts';
import { firstWritten, valuesAt } from '../../fhir/element-text.ts';
import { referredAddress } from '../../fhir/record-address.ts';
import type { DiagnosticReport, Observation, Procedure, ServiceRequest } from '../../fhir/types.ts';

type Result = Observation | DiagnosticReport | Procedure;

/** Something that was done by an order. */
export interface Done {
  /** Its date, in milliseconds since 1970. */
  at: number | undefined;
  /** True if it names the order. */
  isNamed: boolean;
}

/** Statuses of what did not take place, or not yet. */
const NOT_DONE = ['registered', 'cancelled', 'entered-in-error', 'preparation', 'not-done', 'on-hold', 'stopped'];

const dateOf = (one: Result): number | undefined =>
  instant(
    one.resourceType === 'Procedure'
      ? (one.performedDateTime ?? periodDate(one.performedPeriod))
      : (one.effectiveDateTime ?? periodDate(one.effectivePeriod) ?? one.issued),
  );

const codesOf = ({ code }: Result | ServiceRequest): string[] =>
  (code?.coding ?? []).flatMap(({ system, code }) => (system && code ? [`${system}|${code}`] : []));

/** The later of two; one that names the order goes before one without a date. */
const later = (a: Done | undefined, b: Done): Done =>
  a ? { at: Math.max(a.at ?? -Infinity, b.at ?? -Infinity), isNamed: a.isNamed || b.isNamed } : b;

/** Returns a function that gives what was last done by an order. Results are looked up, and not searched for. */
export function doneByOrder(results: readonly Result[]): (order: ServiceRequest) => Done | undefined {
  const byOrder = new Map<string, Done>();
  const byCode = new Map<string, Done>();
  for (const one of results) {
    if (NOT_DONE.includes(one.status ?? '')) continue;
    const at = dateOf(one);
    for (const named of valuesAt(one, 'basedOn')) {
      const address = referredAddress(firstWritten(named, ['reference']));
      byOrder.set(address, later(byOrder.get(address), { at, isNamed: true }));
    }
    if (at === undefined) continue;
    for (const code of codesOf(one)) byCode.set(code, later(byCode.get(code), { at, isNamed: false }));
  }
  return (order) => {
    const since = instant(order.occurrenceDateTime ?? order.occurrencePeriod?.start ?? order.authoredOn);
    const ofCode = codesOf(order).flatMap((code) => {
      const done = byCode.get(code);
      return done?.at !== undefined && since !== undefined && done.at >= since ? [done] : [];
    });
    const named = byOrder.get(`ServiceRequest/${order.id}`);
    const all = [...(named ? [named] : []), ...ofCode];
    return all.length > 0 ? all.reduce<Done | undefined>(later, undefined) : undefined;
  };
}
