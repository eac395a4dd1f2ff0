// Uris and canonicals. They compare exactly, except that a search without a version finds each version of a canonical.

// Whether a segment of a path ends at a position.
const isBorder = (text, at) => at === text.length || '/?#|'.includes(text[at]) || '/?#'.includes(text[at - 1]);

// Whether the address equals the wanted address or lies below it, by whole segments.
export const isBelow = (address, wanted) => address.startsWith(wanted) && isBorder(address, wanted.length);

// 'http://x/q|2.1' is a version below 'http://x/q|2'.
function isVersionBelow(address, wanted) {
  const [url, version] = cut(wanted);
  const [ofUrl, ofVersion] = cut(address);
  return version !== undefined && url === ofUrl && (ofVersion === version || ofVersion?.startsWith(`${version}.`));
}

function cut(address) {
  const at = address.indexOf('|');
  return at === -1 ? [address] : [address.slice(0, at), address.slice(at + 1)];
}

// name: the parameter. A search by _source without a fragment ignores the fragments of addresses.
export function uriMatches(modifier, wanted, { address, isCanonical }, name) {
  if (modifier === 'below') return isBelow(address, wanted) || (isCanonical && isVersionBelow(address, wanted));
  if (modifier === 'above') return isBelow(wanted, address);
  if (address === wanted) return true;
  if (name === '_source' && !wanted.includes('#')) return address.split('#')[0] === wanted;
  return isCanonical && !wanted.includes('|') && cut(address)[0] === wanted;
}
