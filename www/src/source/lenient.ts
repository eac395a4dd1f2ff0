//! Resources with elements that are not as FHIR has them: such an element is left out, and the rest is shown. Elements
//! that change the meaning of the rest are never left out: without them the resource would say something else.

import { type Resource, resourceShape } from '../fhir/types.ts';
import { isShaped } from '../shape.ts';

/** A resource without some of its elements. */
export interface MendedResource {
  resource: Resource;
  /** The paths of the elements that were left out. */
  lost: string[];
}

/** The most elements that are left out of a resource: one with more is none. */
const MOST = 20;

/** Elements that change the meaning of others (<https://hl7.org/fhir/R4/conformance-rules.html#isModifier>). */
const MODIFIERS = new Set([
  'resourceType',
  'id',
  'status',
  'intent',
  'doNotPerform',
  'clinicalStatus',
  'verificationStatus',
  'lifecycleStatus',
  'modifierExtension',
  'active',
  'use',
  'mode',
  'asNeededBoolean',
  'isSubpotent',
  'statusReason',
]);
/** Elements whose parts mean nothing without one another: the whole is left out. */
const WHOLES = [
  /^(.*(?:Quantity|Age|low|high|quantity|numerator|denominator))\.(?:value|comparator|unit|code|system)$/,
];
/** An item that means something else without one of its limits. */
const WHOLE_ITEM = /^(.*(?:referenceRange|dosageInstruction|dosage)\[\d+\]).*$/;

/** The path of the element that is left out for a problem, such as `code.coding[0].code is not a string`. */
function lostPath(problem: string): string | undefined {
  const [, path = ''] = /^(.+?) is not /.exec(problem) ?? [];
  if (!/^[A-Za-z]\w*(\.\w+|\[\d+\])*$/.test(path)) return undefined;
  const names = path.split(/[.[\]\d]+/).filter(Boolean);
  if (names.some((name) => MODIFIERS.has(name))) return undefined;
  const item = WHOLE_ITEM.exec(path)?.[1];
  if (item !== undefined) return item;
  for (const whole of WHOLES) {
    const [, found] = whole.exec(path) ?? [];
    if (found !== undefined) return found;
  }
  return path;
}

/** A copy of an object or a list, with members that no loop meets: those keep the digits of numbers. */
function copyOf<T extends object>(value: T): T {
  if (Array.isArray(value)) return [...value] as T;
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as T;
}

/** A copy of a value without what is at a path. */
function without(value: unknown, [step, ...rest]: (string | number)[]): unknown {
  if (typeof value !== 'object' || value === null || step === undefined) return value;
  const copy = copyOf(value) as Record<string | number, unknown>;
  if (rest.length > 0) copy[step] = without(copy[step], rest);
  else if (Array.isArray(copy) && typeof step === 'number') copy.splice(step, 1);
  else delete copy[step];
  return copy;
}

const stepsOf = (path: string): (string | number)[] =>
  [...path.matchAll(/(\w+)|\[(\d+)\]/g)].map(([, name, index]) => (index === undefined ? (name ?? '') : Number(index)));

/**
 * The resource without the elements that have another form than theirs; nothing where it means nothing without them.
 */
export function mendedResource(given: unknown): MendedResource | undefined {
  let resource = given;
  const lost: string[] = [];
  while (lost.length < MOST) {
    if (isShaped(resourceShape, resource)) return { resource, lost };
    const path = lostPath(resourceShape(resource, '') ?? '');
    if (path === undefined) return undefined;
    lost.push(path);
    resource = without(resource, stepsOf(path));
  }
  return undefined;
}
