// Texts from D1 for responses. They stay JavaScript strings and never enter wasm.

// The texts in the column `entry` of the first `most` rows, except for nulls; undefined if there are none.
export function entries(rows, most) {
  const texts = [];
  for (const { entry } of rows.slice(0, most)) if (entry !== null) texts.push(entry);
  return texts.length > 0 ? texts : undefined;
}

// The length of the texts in the column `entry`.
export const length = (rows) => rows.reduce((sum, { entry }) => sum + (entry?.length ?? 0), 0);

// The ids in the column `owner` of those of the first `most` rows whose `entry` is not null, each once, joined by line
// ends. The column has other characters around the ids.
export function owners(rows, most) {
  const ids = new Set();
  for (const { owner, entry } of rows.slice(0, most)) {
    if (owner && entry !== null) for (const id of owner.match(/[A-Za-z0-9.-]+/g) ?? []) ids.add(id);
  }
  return [...ids].join('\n');
}

// A response with a body that is a string, bytes, or null.
export const response = (body, status, headers) => new Response(body, { status, headers });

// Writes a point of Analytics Engine. Nobody waits for that, and a fault of it is no fault of the request. The texts
// are joined by line ends.
export function writePoint(dataset, index, texts, numbers) {
  try {
    dataset.writeDataPoint({ indexes: [index], blobs: texts.split('\n'), doubles: [...numbers] });
  } catch {}
}
