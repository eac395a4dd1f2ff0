// Reads the pages of a PDF by Chromium: the text of each, and how far down it is filled.

import { inflateSync } from 'node:zlib';

/// Returns `{ text, filled }` for each page. `filled` is the share of the page's height above its lowest line, without
/// the footer.
export async function pagesOf(bytes) {
  const objects = new Map();
  const whole = Buffer.from(bytes).toString('latin1');
  for (const [, number, body] of whole.matchAll(/(?:^|\n)(\d+) 0 obj\s([\s\S]*?)\nendobj/g)) objects.set(number, body);
  const stream = (body) => {
    const [begin] = /stream\r?\n/.exec(body) ?? [];
    if (begin === undefined) return '';
    const from = body.indexOf(begin) + begin.length;
    const raw = body.slice(from, from + Number(/\/Length (\d+)/.exec(body)[1]));
    return /FlateDecode/.test(body) ? inflateSync(Buffer.from(raw, 'latin1')).toString('latin1') : raw;
  };
  const at = (reference) => objects.get(reference) ?? '';
  const letters = new Map();
  const lettersOf = (font) => {
    if (!letters.has(font)) letters.set(font, unicode(stream(at(/\/ToUnicode (\d+) 0 R/.exec(at(font))?.[1]))));
    return letters.get(font);
  };
  return [...objects.values()]
    .filter((body) => /\/Type \/Page\b(?!s)/.test(body))
    .map((body) => {
      const resources = /\/Resources (\d+) 0 R/.exec(body);
      const fonts = new Map(
        [...(resources ? at(resources[1]) : body).matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, font]) => [
          name,
          font,
        ]),
      );
      const height = Number(/\/MediaBox \[\S+ \S+ \S+ ([\d.]+)\]/.exec(body)?.[1] ?? 842);
      return textOf(stream(at(/\/Contents (\d+) 0 R/.exec(body)?.[1])), (name) => lettersOf(fonts.get(name)), height);
    });
}

/// Returns the letters of a font by their codes (`begincodespacerange`, `beginbfchar`, `beginbfrange`).
function unicode(map) {
  const found = new Map();
  found.digits = /begincodespacerange\s*<(\w+)>/.exec(map)?.[1].length ?? 2;
  const letter = (hex) => String.fromCharCode(...hex.match(/.{4}/g).map((part) => parseInt(part, 16)));
  for (const [, block] of map.matchAll(/beginbfchar\s([\s\S]*?)endbfchar/g)) {
    for (const [, code, to] of block.matchAll(/<(\w+)> <(\w+)>/g)) found.set(parseInt(code, 16), letter(to));
  }
  for (const [, block] of map.matchAll(/beginbfrange\s([\s\S]*?)endbfrange/g)) {
    for (const [, from, until, to] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      for (let code = parseInt(from, 16); code <= parseInt(until, 16); code += 1) {
        found.set(code, String.fromCharCode(parseInt(to, 16) + code - parseInt(from, 16)));
      }
    }
  }
  return found;
}

/// The height of the footer, in points.
const FOOT = 46;
/// Returns the product of two transformation matrices.
const product = ([a, b, c, d, e, f], [p, q, r, s, t, u]) => [
  a * p + b * r,
  a * q + b * s,
  c * p + d * r,
  c * q + d * s,
  e * p + f * r + t,
  e * q + f * s + u,
];

/// Interprets the operators of a page that move the origin, select a font and show letters.
function textOf(drawing, lettersOf, height) {
  const saved = [];
  let [matrix, text, font, lowest, said] = [[1, 0, 0, 1, 0, 0], [1, 0, 0, 1, 0, 0], new Map(), height, ''];
  for (const line of drawing.split('\n')) {
    const numbers = [...line.matchAll(/-?\d*\.?\d+(?=\s)/g)].map(([number]) => Number(number));
    if (/^q\b/.test(line)) saved.push(matrix);
    else if (/^Q\b/.test(line)) matrix = saved.pop() ?? matrix;
    else if (/\bcm$/.test(line)) matrix = product(numbers.slice(-6), matrix);
    else if (/\bTf$/.test(line)) font = lettersOf(/\/(F\d+)/.exec(line)[1]);
    else if (/\bTm$/.test(line)) {
      text = numbers.slice(-6);
      said += '\n';
    }
    const [, hex] = /<(\w+)> Tj/.exec(line) ?? [];
    if (hex === undefined) continue;
    for (const code of hex.match(new RegExp(`.{${font.digits}}`, 'g'))) said += font.get(parseInt(code, 16)) ?? '?';
    const y = product(text, matrix)[5];
    if (y > FOOT) lowest = Math.min(lowest, y);
  }
  return { text: said.replace(/\s+/g, ' ').trim(), filled: (height - lowest) / (height - FOOT) };
}
