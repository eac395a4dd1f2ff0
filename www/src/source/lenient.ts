//! Resources with malformed elements. Such an element is converted if its meaning is clear, and otherwise left out, and
//! the rest is shown. Elements that change the meaning of others are never left out, since the meaning of the resource
//! would change without them.

import { type Resource, resourceShape } from '#reading/fhir/types.ts';
import { isShaped } from '#reading/shape.ts';
import { inForm } from './other-forms.ts';

/** A resource without some of its elements. */
export interface MendedResource {
  resource: Resource;
  /** The paths of the elements that were left out. */
  lost: string[];
}

/** The most elements that are left out of a resource. A resource with more malformed elements is rejected. */
const MAX = 20;
/** The most elements that are converted from another form. */
const MAX_FORMS = 200;

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
/** Elements whose parts mean nothing without each other. Such an element is left out as a whole. */
const WHOLES = [
  /^(.*(?:Quantity|Age|low|high|quantity|numerator|denominator))\.(?:value|comparator|unit|code|system)$/,
];
/** An item that has another meaning without one of its limits. */
const WHOLE_ITEM = /^(.*(?:referenceRange|dosageInstruction|dosage)\[\d+\]).*$/;

/** A path of elements. */
const PATH = /^[A-Za-z]\w*(\.\w+|\[\d+\])*$/;

/** Returns the path of the element to leave out for a problem, such as `code.coding[0].code is not a string`. */
function lostPath(problem: string): string | undefined {
  const [, path = ''] = /^(.+?) is not /.exec(problem) ?? [];
  if (!PATH.test(path)) return undefined;
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

/** Returns a copy of an object or a list, including non-enumerable members, which keep the digits of numbers. */
function copyOf<T extends object>(value: T): T {
  if (Array.isArray(value)) return [...value] as T;
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as T;
}

/** Returns a copy of a value with another value at a path, or without the value there. */
function changed(value: unknown, [step, ...rest]: (string | number)[], made?: unknown): unknown {
  if (typeof value !== 'object' || value === null || step === undefined) return value;
  const copy = copyOf(value) as Record<string | number, unknown>;
  if (rest.length > 0) copy[step] = changed(copy[step], rest, made);
  else if (typeof made === 'number' && step === 'value')
    Object.defineProperty(Object.assign(copy, { value: made }), 'written', { value: valueAt(value, [step]) });
  else if (made !== undefined) copy[step] = made;
  else if (Array.isArray(copy) && typeof step === 'number') copy.splice(step, 1);
  else delete copy[step];
  return copy;
}

const stepsOf = (path: string): (string | number)[] =>
  [...path.matchAll(/(\w+)|\[(\d+)\]/g)].map(([, name, index]) => (index === undefined ? (name ?? '') : Number(index)));

const valueAt = (value: unknown, steps: (string | number)[]): unknown =>
  steps.reduce<unknown>(
    (one, step) => (typeof one === 'object' && one !== null ? Reflect.get(one, step) : undefined),
    value,
  );

/** Returns the resource with the problem's element converted, or removed if it is null; `undefined` for others. */
function reformed(resource: unknown, problem: string): unknown {
  const [, path = '', form = ''] = /^(.+?) is not (?:.* )?(\S+)$/.exec(problem) ?? [];
  if (!PATH.test(path)) return undefined;
  const steps = stepsOf(path);
  const value = valueAt(resource, steps);
  // A null element is treated as absent, even if others depend on it (<https://hl7.org/fhir/R4/json.html#null>).
  if (value === null) return changed(resource, steps);
  const name = steps.findLast((step) => typeof step === 'string');
  const made = inForm(form, String(name), value);
  return made === undefined ? undefined : changed(resource, steps, made);
}

/** Returns the resource without its malformed elements; `undefined` if it has no meaning without them. */
export function mendedResource(given: unknown): MendedResource | undefined {
  let resource = given;
  const lost: string[] = [];
  const tried = new Set<string>();
  while (lost.length < MAX) {
    if (isShaped(resourceShape, resource)) return { resource, lost };
    const problem = resourceShape(resource, '') ?? '';
    const made = tried.has(problem) || tried.size === MAX_FORMS ? undefined : reformed(resource, problem);
    tried.add(problem);
    if (made !== undefined) {
      resource = made;
      continue;
    }
    const path = lostPath(problem);
    if (path === undefined) return undefined;
    lost.push(path);
    resource = changed(resource, stepsOf(path));
  }
  return undefined;
}
