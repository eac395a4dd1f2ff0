//! Resources with elements that are not as FHIR has them: such an element is read in the form that it must have where
//! that is clear, else left out, and the rest is shown. Elements that change the meaning of the rest are never left
//! out: without them the resource would say something else.

import { type Resource, resourceShape } from '#reading/fhir/types.ts';
import { isShaped } from '#reading/shape.ts';
import { inForm } from './other-forms.ts';

/** A resource without some of its elements. */
export interface MendedResource {
  resource: Resource;
  /** The paths of the elements that were left out. */
  lost: string[];
}

/** The most elements that are left out of a resource: one with more is none. */
const MAX = 20;
/** The most elements that are read in another form. */
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
/** Elements whose parts mean nothing without one another: the whole is left out. */
const WHOLES = [
  /^(.*(?:Quantity|Age|low|high|quantity|numerator|denominator))\.(?:value|comparator|unit|code|system)$/,
];
/** An item that means something else without one of its limits. */
const WHOLE_ITEM = /^(.*(?:referenceRange|dosageInstruction|dosage)\[\d+\]).*$/;

/** A path of elements. */
const PATH = /^[A-Za-z]\w*(\.\w+|\[\d+\])*$/;

/** The path of the element that is left out for a problem, such as `code.coding[0].code is not a string`. */
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

/** A copy of an object or a list, with members that no loop meets: those keep the digits of numbers. */
function copyOf<T extends object>(value: T): T {
  if (Array.isArray(value)) return [...value] as T;
  return Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as T;
}

/** A copy of a value with another one at a path, or without what is there. */
function changed(value: unknown, [step, ...rest]: (string | number)[], made?: unknown): unknown {
  if (typeof value !== 'object' || value === null || step === undefined) return value;
  const copy = copyOf(value) as Record<string | number, unknown>;
  if (rest.length > 0) copy[step] = changed(copy[step], rest, made);
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

/** The resource with the element of a problem in its right form, or without one that is null; nothing for another. */
function reformed(resource: unknown, problem: string): unknown {
  const [, path = '', form = ''] = /^(.+?) is not (?:.* )?(\S+)$/.exec(problem) ?? [];
  if (!PATH.test(path)) return undefined;
  const steps = stepsOf(path);
  const value = valueAt(resource, steps);
  // What is null is as absent, also where the rest depends on it (<https://hl7.org/fhir/R4/json.html#null>).
  if (value === null) return changed(resource, steps);
  const name = steps.findLast((step) => typeof step === 'string');
  const made = inForm(form, String(name), value);
  return made === undefined ? undefined : changed(resource, steps, made);
}

/**
 * The resource without the elements that have another form than theirs; nothing where it means nothing without them.
 */
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
