//! Values in a form that FHIR does not permit and with only one possible meaning: a number in quotation marks, one item
//! in place of a list, a list of one in place of an item, words in place of a concept.

import { isObject } from '#reading/shape.ts';

/** The elements that are concepts, for which words alone may be written. */
const CONCEPTS = new RegExp(
  '^(?:code|type|category|class|vaccineCode|relationship|interpretation|bodySite|method|route|site' +
    String.raw`|manifestation|substance|reasonCode|\w+CodeableConcept)$`,
);
/** The elements that are lists of texts, or of values that a text may replace. */
const LISTS = /^(?:given|prefix|suffix|line|name|note)$/;
/** The elements with texts that may be written as numbers. */
const WORDS = /^(?:code|text|display|value|unit|version)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Returns a value in the required form, the last word of its problem; `undefined` if its meaning is ambiguous. */
export function inForm(form: string, name: string, value: unknown): unknown {
  const [only] = Array.isArray(value) && value.length === 1 ? value : [];
  switch (form) {
    case 'list':
      return isObject(value) || (typeof value === 'string' && (LISTS.test(name) || CONCEPTS.test(name)))
        ? [value]
        : undefined;
    case 'object':
      if (isObject(only)) return only;
      if (typeof value !== 'string' || value.trim() === '') return undefined;
      if (name === 'note' || name === 'name') return { text: value };
      if (name === 'subject' || name === 'patient' || /[a-z]Reference$/.test(name)) return { reference: value };
      return CONCEPTS.test(name) ? { text: value } : undefined;
    case 'string':
      if (typeof only === 'string') return only;
      return typeof value === 'number' && WORDS.test(name) ? String(value) : undefined;
    case 'number':
      return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
    case 'false':
      return value === 'true' ? true : value === 'false' ? false : undefined;
    default:
      return undefined;
  }
}
