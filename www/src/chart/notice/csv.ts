//! Tables as CSV (RFC 4180).

/** Returns a cell. Text that a spreadsheet would run as a formula gets an apostrophe: the file may be a stranger's. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns rows as CSV, with a byte order mark so that spreadsheets read it as UTF-8. */
export const csv = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
