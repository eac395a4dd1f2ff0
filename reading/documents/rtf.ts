//! The words of an RTF document (Rich Text Format 1.9.1), without its layout and pictures. Words that are struck out or
//! marked as deleted are labelled as such.

import type { Words } from '../language/words.ts';
import { decoder } from './document-text.ts';

/** Destinations whose text does not belong to the text of the document. */
const SKIPPED = new Set([
  ...['colortbl', 'datastore', 'filetbl', 'fldinst', 'fonttbl', 'generator', 'info', 'latentstyles'],
  ...['listoverridetable', 'listtable', 'objdata', 'pict', 'revtbl', 'rsidtbl', 'stylesheet', 'themedata'],
  'xmlnstbl',
]);

/** Control words for letters. */
const LETTERS = new Map([
  ['bullet', '•'],
  ['cell', '\t'],
  ['emdash', '—'],
  ['endash', '–'],
  ['ldblquote', '“'],
  ['line', '\n'],
  ['lquote', '‘'],
  ['nestcell', '\t'],
  ['nestrow', '\n'],
  ['page', '\n'],
  ['par', '\n'],
  ['rdblquote', '”'],
  ['row', '\n'],
  ['rquote', '’'],
  ['sect', '\n'],
  ['tab', '\t'],
]);

const STRUCK = new Set(['deleted', 'strike', 'striked']);

interface Group {
  isSkipped: boolean;
  isStruck: boolean;
  /** The number of letters that follow a Unicode character, for readers without Unicode. */
  fallback: number;
}

/** A control word with its number, a control symbol, a brace, or text. */
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([\s\S])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

/** Code pages whose charsets have other names. */
const PAGES = new Map([
  ['932', 'shift_jis'],
  ['936', 'gbk'],
  ['949', 'euc-kr'],
  ['950', 'big5'],
  ['10000', 'macintosh'],
  ['65001', 'utf-8'],
]);

function charsetOf(rtf: string): TextDecoder {
  const page = /\\ansicpg(\d{3,5})/.exec(rtf)?.[1] ?? '1252';
  return decoder(PAGES.get(page) ?? `windows-${page}`) ?? new TextDecoder('windows-1252');
}

/** Reads a document letter by letter. */
class Reader {
  readonly #charset: TextDecoder;
  readonly #groups: Group[] = [];
  #group: Group = { isSkipped: false, isStruck: false, fallback: 1 };
  #bytes: number[] = [];
  #left = 0;
  #isStruck = false;
  #text = '';
  readonly #struck: string;

  constructor(rtf: string, struck: string) {
    this.#struck = struck;
    this.#charset = charsetOf(rtf);
    for (const [, word, number, byte, symbol, brace, text] of rtf.matchAll(TOKEN)) {
      if (byte !== undefined) this.#byte(Number.parseInt(byte, 16));
      else if (word !== undefined) this.#word(word.toLowerCase(), number === undefined ? undefined : Number(number));
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (brace !== undefined) this.#brace(brace);
      else if (text !== undefined) this.#letters(text);
    }
    this.#flush();
    this.#strike(false);
  }

  get text(): string {
    return this.#text.replace(/[ \t]+\n/g, '\n').trim();
  }

  #brace(brace: string): void {
    this.#flush();
    if (brace === '{') this.#groups.push({ ...this.#group });
    else this.#group = this.#groups.pop() ?? this.#group;
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#group.isSkipped = true;
    else if (symbol === '~') this.#letters('\u00a0');
    else if (symbol === '_') this.#letters('\u2011');
    else if ('\\{}'.includes(symbol)) this.#letters(symbol);
    else if (symbol === '\n' || symbol === '\r') this.#add('\n');
  }

  #word(word: string, number: number | undefined): void {
    this.#flush();
    const letter = LETTERS.get(word);
    if (SKIPPED.has(word)) this.#group.isSkipped = true;
    else if (letter !== undefined) this.#add(letter);
    else if (STRUCK.has(word)) this.#group.isStruck = number !== 0;
    else if (word === 'plain') this.#group.isStruck = false;
    else if (word === 'uc') this.#group.fallback = Math.min(Math.max(number ?? 1, 0), 9);
    else if (word === 'u' && number !== undefined) {
      this.#add(String.fromCharCode((number + 0x10000) % 0x10000));
      this.#left = this.#group.fallback;
    }
  }

  /** Adds letters, without the substitutes of a preceding Unicode character. */
  #letters(text: string): void {
    this.#flush();
    const skipped = Math.min(this.#left, text.length);
    this.#left -= skipped;
    this.#add(text.slice(skipped));
  }

  #byte(byte: number): void {
    if (this.#left > 0) this.#left -= 1;
    else this.#bytes.push(byte);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const text = this.#charset.decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
    this.#add(text);
  }

  #add(text: string): void {
    if (this.#group.isSkipped || text === '') return;
    this.#strike(this.#group.isStruck && (this.#isStruck || text.trim() !== ''));
    this.#text += text;
  }

  #strike(isStruck: boolean): void {
    if (isStruck === this.#isStruck) return;
    this.#isStruck = isStruck;
    this.#text += isStruck ? `[${this.#struck} ` : ']';
  }
}

/** Returns the words of an RTF document. */
export const rtfText = (words: Words, rtf: string): string => new Reader(rtf, words.t('struck out:')).text;
