//! All elements of a record of any type, as lines with labels: a readable form of its JSON.

import type { Words } from '../language/words.ts';
import { isObject } from '../shape.ts';
import { elementLabel, extensionLabel, extensionText } from './element-labels.ts';
import { firstWritten, memberText, valueText } from './element-text.ts';
import { CLASSES } from './known-names.ts';
import { plain } from './text.ts';
import type { Resource } from './types.ts';

/** An element with its label: its values in words, and the groups of elements within it. */
export interface ElementLine {
  label: string;
  values: string[];
  groups: ElementLine[][];
}

/** Elements that are not about the patient or are shown elsewhere: the subject, the narrative, technical elements. */
const LEFT_OUT = new Set([
  'resourceType',
  'id',
  'meta',
  'text',
  'contained',
  'implicitRules',
  'language',
  'subject',
  'patient',
  'beneficiary',
]);

/** Concepts of value sets that FHIR requires: their codes are translated, and their displays ignored. */
const CODED = new Set(['clinicalStatus', 'verificationStatus']);

/** Returns one value of an element in words. */
function wordsOf(words: Words, of: object, name: string, value: unknown): string | undefined {
  const code = CODED.has(name) ? firstWritten(value, ['coding.code']) : undefined;
  if (code) return plain(words, code);
  const isClass = name === 'class' && isObject(value) && value.code;
  return memberText(words, of, name, isClass ? { system: CLASSES, ...value } : value);
}

/** The greatest depth of groups, and the most lines of a record. The JSON has the rest. */
const MAX_DEPTH = 5;
export const MAX_LINES = 150;

interface Budget {
  left: number;
  /** True if there are deeper groups than are read. */
  isCut: boolean;
}

/** Returns whether an element is a narrative, which is shown with its own layout. */
const isNarrative = (name: string, value: unknown): boolean => name === 'text' && isObject(value) && 'div' in value;

const isShown = (name: string): boolean => !LEFT_OUT.has(name) && !name.startsWith('_');

/** Returns an extension as a line: the end of its address, and its value or its nested extensions. */
function extensionLines(words: Words, items: unknown[], type: string, depth: number, budget: Budget): ElementLine[] {
  return items.filter(isObject).flatMap((item) => {
    const url = firstWritten(item, ['url']) ?? '';
    const label = extensionLabel(words, url);
    const inner = Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'url'));
    const values = Object.entries(inner)
      .flatMap(([name, value]) => (name.startsWith('value') ? (valueText(words, value) ?? []) : []))
      .map((text) => extensionText(words, url, text));
    if (values.length > 0) return line(label, values, [], budget);
    return line(label, [], [linesIn(words, inner, type, depth + 1, budget)], budget);
  });
}

function line(label: string, values: string[], groups: ElementLine[][], budget: Budget): ElementLine[] {
  const filled = groups.filter((group) => group.length > 0);
  if (values.length === 0 && filled.length === 0) return [];
  budget.left -= values.length;
  return [{ label, values, groups: filled }];
}

function linesIn(
  words: Words,
  value: Record<string, unknown>,
  type: string,
  depth: number,
  budget: Budget,
): ElementLine[] {
  if (depth > MAX_DEPTH) {
    budget.isCut ||= Object.keys(value).length > 0;
    return [];
  }
  return Object.entries(value).flatMap(([name, element]) => {
    if (budget.left <= 0 || (depth === 0 ? !isShown(name) : name === 'id' || name.startsWith('_'))) return [];
    if (isNarrative(name, element)) return [];
    const items = [element].flat();
    if (name === 'extension') return extensionLines(words, items, type, depth, budget);
    const values = items.flatMap((item) => wordsOf(words, value, name, item) ?? []);
    const groups = items.flatMap((item) =>
      valueText(words, item) === undefined && isObject(item) ? [linesIn(words, item, type, depth + 1, budget)] : [],
    );
    // Deeper elements of the same name mean something else: the `type` of a participant is no kind of visit.
    return line(elementLabel(words, depth === 0 ? type : '', name), values, groups, budget);
  });
}

/** Returns the elements of a record, and whether some were omitted. */
export function elementTree(words: Words, resource: Resource): { lines: ElementLine[]; isCut: boolean } {
  const budget: Budget = { left: MAX_LINES, isCut: false };
  const lines = isObject(resource) ? linesIn(words, resource, resource.resourceType, 0, budget) : [];
  return { lines, isCut: budget.isCut || budget.left <= 0 };
}
