//! The one place where an address becomes a script, and where a text is parsed as XML: only the build's own files run
//! (Trusted Types, see `_headers`).

const rules = {
  createScriptURL(url: string): string {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is not ours`);
    return url;
  },
  /** For `parsedXml` alone: what it parses is in no page. */
  createHTML: (xml: string): string => xml,
};

type Policy = typeof rules;
/** Not every browser has Trusted Types, and TypeScript's library does not name them. */
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined;

const policy = typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('edgechart', rules);

export const trustedScriptUrl = (url: string): string => policy.createScriptURL(url);

/**
 * The XML of a text, in a document that is never shown; nothing where it is not well-formed or has a DOCTYPE. No
 * element of it is one of HTML or SVG, so that none has a style, a handler or a picture.
 */
export function parsedXml(text: string): XMLDocument | undefined {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return undefined;
  const plain = text.replaceAll(/https?:\/\/www\.w3\.org\/(?:1999\/xhtml|2000\/svg)/g, 'urn:left-out');
  const parsed = new DOMParser().parseFromString(policy.createHTML(plain), 'application/xml');
  return parsed.getElementsByTagName('parsererror').length > 0 ? undefined : parsed;
}
