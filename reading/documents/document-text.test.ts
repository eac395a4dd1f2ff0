import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, dataIn, kindByBytes, kindOf, textOf } from './document-text.ts';

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));

test('base64 is read with line breaks, without padding, and in the alphabet for addresses', () => {
  for (const data of ['w7zDvw==', 'w7zD\r\nvw==', ' w7zDvw', 'w7zDvw=']) {
    if (data === 'w7zDvw=') assert.throws(() => bytesOf(data));
    else assert.deepEqual([...bytesOf(data)], [0xc3, 0xbc, 0xc3, 0xbf]);
  }
  assert.deepEqual([...bytesOf('-_8=')], [...bytesOf('+/8=')]);
  assert.throws(() => bytesOf('§§'));
});

test('the media type is read without parameters', () => {
  assert.equal(kindOf({ contentType: 'Text/Plain; charset=UTF-8' }), 'text/plain');
  assert.equal(kindOf({}), '');
});

test('a kind is known by its first bytes', () => {
  const rows: [string, string | undefined][] = [
    ['%PDF-1.7\n', 'application/pdf'],
    ['\u0089PNG\r\n\u001a\n\0', 'image/png'],
    ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['II*\0', 'image/tiff'],
    ['MM\0*', 'image/tiff'],
    ['{\\rtf1\\ansi', 'text/rtf'],
    ['<?xml version="1.0"?>\n<?xml-stylesheet href="x"?><!-- a --><ClinicalDocument xmlns="x">', 'application/xml'],
    ['\u00ef\u00bb\u00bf<ClinicalDocument>', 'application/xml'],
    ['<!DOCTYPE html><p>', 'text/html'],
    ['<HTML>', 'text/html'],
    ['Dear colleague', undefined],
    ['', undefined],
  ];
  for (const [first, kind] of rows) assert.equal(kindByBytes(latin(first)), kind, first);
});

test('a text is read in the charset that is said, or that it says itself', () => {
  const rows: [bytes: Uint8Array, type: string, text: string, charset: string, isGuessed?: boolean][] = [
    [utf8('Größe µg'), 'text/plain', 'Größe µg', 'utf-8'],
    [utf8('Größe'), 'text/plain; charset=UTF-8', 'Größe', 'utf-8'],
    [latin('Größe'), 'text/plain; charset=ISO-8859-1', 'Größe', 'windows-1252'],
    [latin('5\u0080'), 'text/plain;charset="windows-1252"', '5€', 'windows-1252'],
    [latin('Größe'), 'text/plain', 'Größe', 'windows-1252', true],
    [latin('Größe'), 'text/plain; charset=none-such', 'Größe', 'windows-1252', true],
    [latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'), 'text/xml', '', 'windows-1252'],
    [latin('<html><head><meta charset="iso-8859-15"></head>'), 'text/html', '', 'iso-8859-15'],
    [utf8('Größe'), 'text/plain; charset=ISO-8859-1', 'Größe', 'utf-8', true],
    [utf8('Größe'), 'text/plain; charset=us-ascii', 'Größe', 'utf-8', true],
    [utf8('plain'), 'text/plain; charset=us-ascii', 'plain', 'windows-1252'],
    [latin('Größe'), 'text/plain; charset=UTF-8', 'Größe', 'windows-1252', true],
    [utf8('日本'), "text/plain; charset='utf-8'", '日本', 'utf-8'],
    [Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), 'text/plain; charset=Shift_JIS', '日本', 'shift_jis'],
    [Uint8Array.of(0xff, 0xfe, 0x41, 0), 'text/plain; charset=utf-8', 'A', 'utf-16le'],
    [Uint8Array.of(0xff, 0xfe, 0x41, 0), 'text/plain', 'A', 'utf-16le'],
    [Uint8Array.of(0xef, 0xbb, 0xbf, 0x41), '', 'A', 'utf-8'],
    [new Uint8Array(), '', '', 'utf-8'],
  ];
  for (const [bytes, type, text, charset, isGuessed = false] of rows) {
    const found = textOf(bytes, type);
    assert.deepEqual([found.charset, found.isGuessed], [charset, isGuessed], type);
    if (text) assert.equal(found.text, text);
  }
});

test('the content of a data address is read, as base64 or as it is', () => {
  const text = (url: string): string | undefined => {
    const found = dataIn(url);
    return found && textOf(bytesOf(found.data), found.contentType).text;
  };
  assert.equal(text('data:text/plain;base64,SGVsbG8='), 'Hello');
  assert.equal(text('data:text/plain;charset=utf-8;base64,w7w%3D'), 'ü');
  assert.equal(text('data:text/plain,5%20%C2%B5g'), '5 µg');
  assert.equal(text('DATA:,100%'), '100%');
  assert.equal(dataIn('https://example.org/data:text/plain,a'), undefined);
  assert.equal(dataIn(undefined), undefined);
  assert.deepEqual([...bytesOf('data:application/pdf;base64,SGk=')], [72, 105]);
});
