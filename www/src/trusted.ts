//! The one place where an address becomes a script: only the build's own files do (Trusted Types, `_headers`).

interface Policy {
  createScriptURL(url: string): string;
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

const rules: Policy = {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`${url} is not ours`);
    return url;
  },
};

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory ? factory.createPolicy('edgechart', rules) : rules;

export const scriptAddress = (url: string): string => policy.createScriptURL(url);
