//! Results that are contained in the report, or in the observation, that names them. They are read as results of the
//! chart: a result without its own date, category or specimen has that of the containing record.

import { isInside } from '../fhir/contained.ts';
import { valuesAt } from '../fhir/element-text.ts';
import { referredAddress } from '../fhir/record-address.ts';
import { withNames } from '../fhir/reference-names.ts';
import { isEnteredInError } from '../fhir/text.ts';
import { isOfType, type Observation, type Resource, resourceShape } from '../fhir/types.ts';
import { isObject, isShaped, itemsOf } from '../shape.ts';

/** Returns the id of a contained result in the chart. */
export const containedId = (of: string, inside: string): string => `${of}.${inside.replace(/^#/, '')}`;

/** Returns the address in the chart of a result of a record, which may be contained in it. */
export const resultAddress = (of: string, reference: string | undefined): string =>
  isInside(reference) ? `Observation/${containedId(of, reference ?? '')}` : referredAddress(reference);

export const containedResults = (records: readonly Resource[]): Observation[] =>
  records.flatMap((record) => {
    if (!isOfType('DiagnosticReport', record) && !isOfType('Observation', record)) return [];
    const named = withNames(record);
    return valuesAt(named, 'contained')
      .filter(isObject)
      .filter(({ resourceType }) => resourceType === 'Observation')
      .flatMap((one): Observation[] => {
        const { id } = one;
        if (typeof id !== 'string') return [];
        const made: unknown = {
          ...shared(record),
          ...telling(named),
          ...one,
          ...changing(record, one),
          id: containedId(record.id, id),
        };
        return isShaped(resourceShape, made) && isOfType('Observation', made) ? [made] : [];
      });
  });

/** Returns what tells a contained result apart, such as whom it is about, as the observation with it says. */
function telling(of: Resource): object {
  if (!isOfType('Observation', of)) return {};
  const { focus, specimen, bodySite, method, device } = of;
  return Object.fromEntries(
    Object.entries({ focus, specimen, bodySite, method, device }).filter(([, one]) => one !== undefined),
  );
}

/** Returns what changes a contained result: it is in error, or modified, if the record that contains it is. */
function changing(record: Resource, one: Record<string, unknown>): object {
  const ofRecord = valuesAt(record, 'modifierExtension');
  return {
    ...(isEnteredInError(record) && { status: 'entered-in-error' }),
    ...(ofRecord.length > 0 && { modifierExtension: [...itemsOf(one.modifierExtension), ...ofRecord] }),
  };
}

/** Returns the elements that a contained result inherits from the containing record. */
function shared(of: Resource): object {
  if (!isOfType('DiagnosticReport', of) && !isOfType('Observation', of)) return {};
  const { category, effectiveDateTime, effectivePeriod, issued } = of;
  return JSON.parse(JSON.stringify({ category, effectiveDateTime, effectivePeriod, issued, status: of.status }));
}
