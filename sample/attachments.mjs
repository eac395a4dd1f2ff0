// Attachments: text, web page and PDF inline, or an address in the document service.

const base64 = (text) => Buffer.from(text, 'utf8').toString('base64');

export const DOCUMENTS = 'https://documents.example.org';

/** Returns an inline text note. The indentation of the template literal is removed. */
export const textNote = (text) => ({
  attachment: { contentType: 'text/plain; charset=utf-8', data: base64(unindent(text)) },
});

/** Returns a small inline web page: headings and paragraphs, without scripts. */
export const webNote = (title, ...paragraphs) => ({
  attachment: {
    contentType: 'text/html',
    title,
    data: base64(
      `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${paragraphs.map((p) => `<p>${p}</p>`).join('')}</html>`,
    ),
  },
});

/** Returns a note in the document service. The URL may be relative to the service. */
export const stored = (contentType, url, fields) => ({ attachment: { contentType, url, ...fields } });

export const pdfNote = (title, ...lines) => ({
  attachment: { contentType: 'application/pdf', title, data: base64(pdf(title, ...lines)) },
});

/** Returns a PDF of one A4 page in Helvetica with a correct cross-reference table. ASCII only, one byte a character. */
export function pdf(...lines) {
  const text = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join(' ');
  const stream = `BT /F1 12 Tf 16 TL 56 780 Td ${text} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${trailer}`;
}

function unindent(text) {
  const lines = text.replace(/^\n/, '').trimEnd().split('\n');
  const depth = Math.min(...lines.filter((line) => line.trim()).map((line) => line.match(/^ */)[0].length));
  return `${lines.map((line) => line.slice(depth)).join('\n')}\n`;
}
