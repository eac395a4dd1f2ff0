//! Tables as CSV (RFC 4180).

/** A cell. A text that a spreadsheet would take for a formula is made a text: it may come from a stranger's file. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV, with a byte order mark, by which spreadsheets know that it is UTF-8. */
export const csv = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
