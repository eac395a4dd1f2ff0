// Texts from D1 on their way to a response: they stay JavaScript strings, and never enter wasm.

// The texts in the column `entry` of the first rows, but for those where it is null; nothing where there are none.
export function entries(rows, most) {
  const texts = [];
  for (const { entry } of rows.slice(0, most)) if (entry !== null) texts.push(entry);
  return texts.length > 0 ? texts : undefined;
}

// The ids in the column `owner` of the first rows, but for those whose `entry` is null: each once, with a line's end between
// each two. The column has ids with other characters around them.
export function owners(rows, most) {
  const ids = new Set();
  for (const { owner, entry } of rows.slice(0, most)) {
    if (owner && entry !== null) for (const id of owner.match(/[A-Za-z0-9.-]+/g) ?? []) ids.add(id);
  }
  return [...ids].join('\n');
}

// A response with a body that is a string, bytes, or null.
export const response = (body, status, headers) => new Response(body, { status, headers });
