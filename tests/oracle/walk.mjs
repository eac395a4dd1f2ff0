// Reads elements of parsed JSON by a dotted path. Lists are flattened, and nulls are skipped.

export function values(node, path) {
  let found = [node];
  for (const step of path.split('.')) {
    const next = [];
    for (const item of found) {
      const value = item?.[step];
      if (Array.isArray(value)) next.push(...value.flat(Infinity));
      else next.push(value);
    }
    found = next.filter((value) => value !== undefined && value !== null);
  }
  return found;
}

// The values of one extension of the resource itself, e.g. condition-assertedDate.
export function extensionValues(resource, url, element) {
  return values(resource, 'extension')
    .filter((extension) => extension.url === url)
    .flatMap((extension) => values(extension, element));
}
