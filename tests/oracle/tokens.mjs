// Tokens (docs/decisions/search.md#tokens). A stored token is {system, code, exact}. A searched token is
// {system, code}: an undefined system means any, '' means none, and an undefined code means any.

import { cut, cutAtBar, unescaped } from './escapes.mjs';
import { fold } from './strings.mjs';

const SPECIAL_VALUES = ['http://hl7.org/fhir/special-values', 'http://terminology.hl7.org/CodeSystem/special-values'];

// A boolean accepts only true and false as codes, except in systems that booleans do not have.
export const isBoolean = ({ system, code }) =>
  ['true', 'false'].includes(code) || (code === undefined ? true : Boolean(system) && !SPECIAL_VALUES.includes(system));

// The system of a code whose binding has several systems, or is unknown. It matches any searched system.
const UNKNOWN = '*';

// An element -> its tokens. The text of a concept is not a token. A code has the system that its binding implies.
export function tokensOf({ type, system, value }) {
  switch (type) {
    case 'CodeableConcept':
      return (value.coding ?? []).filter(Boolean).map(ofCoding);
    case 'Coding':
      return [ofCoding(value)];
    case 'Identifier':
      return [tokenOfIdentifier(value)];
    case 'ContactPoint':
      return value.value ? [{ contact: value.value, isPhone: PHONES.includes(value.system) }] : [];
    case 'boolean':
      return ['', ...SPECIAL_VALUES].map((system) => ({ system, code: String(value), exact: true, isBoolean: true }));
    case 'code':
      return [{ system: system ?? UNKNOWN, code: value, exact: false }];
    default:
      return [{ code: String(value), exact: false }];
  }
}

function ofCoding({ system, code }) {
  return { system, code, exact: false };
}

export function tokenOfIdentifier({ system, value }) {
  return { system, code: value, exact: true };
}

// code | system|code | |code | system|
export function parseTokenSearch(text) {
  const parts = cutAtBar(text).map(unescaped);
  if (parts.length === 1) return { system: undefined, code: parts[0] };
  return { system: parts[0], code: parts[1] === '' ? undefined : parts[1] };
}

const asciiLower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export function tokenMatches(search, token) {
  if ('contact' in token) return contactMatches(search, token);
  if (search.system === '' && token.system) return false; // |code: the element has no system
  if (search.system && ![search.system, UNKNOWN].includes(token.system)) return false; // systems compare exactly
  if (search.code === undefined) return true; // system|
  if (token.code === undefined) return false;
  if (token.exact) return search.code === token.code; // identifier values compare exactly
  return asciiLower(search.code) === asciiLower(token.code);
}

// --- Contacts ---

const PHONES = ['phone', 'fax', 'pager', 'sms'];
const digits = (text) => text.replace(/[^0-9+]/g, '');

// A phone number matches by its digits. Other contacts match as a whole, folded.
function contactMatches({ system, code }, { contact, isPhone }) {
  if (system !== undefined || code === undefined) return false;
  if (isPhone) return digits(code) !== '' && digits(code) === digits(contact);
  return fold(code) === fold(contact);
}

// --- Modifiers ---

// The texts of an element for :text.
export function textsOf({ type, value }) {
  const texts = {
    CodeableConcept: () => [value.text, ...(value.coding ?? []).map((coding) => coding?.display)],
    Coding: () => [value.display],
    Identifier: () => [value.type?.text],
  };
  return (texts[type]?.() ?? []).filter((text) => typeof text === 'string');
}

// :of-type, type system|type code|value: whether an Identifier is of the type and has the value.
export function isOfType(text, { type, value }) {
  const [system, code, wanted] = cut(text, '|').map(unescaped);
  if (type !== 'Identifier' || value.value !== wanted) return false;
  return (value.type?.coding ?? []).some((coding) => tokenMatches({ system, code }, ofCoding(coding)));
}
