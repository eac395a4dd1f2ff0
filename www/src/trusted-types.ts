//! The Trusted Types policy (see `_headers`): the only place that turns a URL into a script or parses a text as XML.
//! Only files of the own origin run.

const rules = {
  createScriptURL(url: string): string {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is not ours`);
    return url;
  },
  /** For `parsedXml` only, whose document is never part of the page. */
  createHTML: (xml: string): string => xml,
};

type Policy = typeof rules;
/** Not every browser has Trusted Types, and TypeScript's library does not name them. */
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined;

const policy = typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('edgechart', rules);

export const trustedScriptUrl = (url: string): string => policy.createScriptURL(url);

/**
 * Parses XML into a document that is never shown. Returns `undefined` if the text is not well-formed or has a DOCTYPE.
 * Its elements are never HTML or SVG, so that no style, handler or picture takes effect.
 */
export function parsedXml(text: string): XMLDocument | undefined {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return undefined;
  const plain = text.replaceAll(/https?:\/\/www\.w3\.org\/(?:1999\/xhtml|2000\/svg)/g, 'urn:left-out');
  const parsed = new DOMParser().parseFromString(policy.createHTML(plain), 'application/xml');
  return parsed.getElementsByTagName('parsererror').length > 0 ? undefined : parsed;
}
