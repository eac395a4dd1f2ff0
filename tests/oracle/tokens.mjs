// Tokens (decision 10). A stored token is {system, code, exact}; a searched one is {system, code} where
// an undefined system means any, '' means none, and an undefined code means any.

import { cutAtBar, unescaped } from './escapes.mjs';

// A stored element -> its tokens. `system` is what the binding of a code-typed element implies.
export function tokensOf(element, system) {
  if (typeof element === 'string') return [{ system, code: element, exact: false }];
  if (typeof element !== 'object' || element === null) return [];
  // A CodeableConcept has codings; its text alone never matches. Anything else is a Coding.
  if ('coding' in element || 'text' in element) return (element.coding ?? []).filter(Boolean).map(ofCoding);
  return [ofCoding(element)];
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
  if (search.system === '' && token.system) return false; // |code: the element has no system
  if (search.system && search.system !== token.system) return false; // systems compare exactly
  if (search.code === undefined) return true; // system|
  if (token.code === undefined) return false;
  if (token.exact) return search.code === token.code; // identifier values compare exactly
  return asciiLower(search.code) === asciiLower(token.code);
}
