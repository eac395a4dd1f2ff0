//! The one place where an address becomes a script: only the build's own files may (Trusted Types, see `_headers`).

const rules = {
  createScriptURL(url: string): string {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is not ours`);
    return url;
  },
};

type Policy = typeof rules;
/** Not every browser has Trusted Types, and TypeScript's library does not name them. */
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined;

const policy = typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('edgechart', rules);

export const trustedScriptUrl = (url: string): string => policy.createScriptURL(url);
