import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentKind } from './document-kind.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  Uint8Array.from(Buffer.from(text, encoding));
const NOTE = bytes('Patient feels well. 38.2 °C');
const LATIN = bytes('Größe 38 °C', 'latin1');
const WIDE = bytes('\ufeffNote', 'utf16le');
const WIDE_UNMARKED = bytes('Note of today', 'utf16le');
const PDF = bytes('%PDF-1.7\n');
const PNG = bytes('\u0089PNG\r\n\u001a\n\0\0', 'latin1');
const JPEG = bytes('\u00ff\u00d8\u00ff\u00e0\0\u0010JFIF', 'latin1');
const RTF = bytes('{\\rtf1 hello}');
const ZIP = bytes('PK\u0003\u0004\0\0');
const GZIP = bytes('\u001f\u008b\u0008\0\0', 'latin1');
const WORD = bytes('\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1\0', 'latin1');
const DICOM = bytes(`${'\0'.repeat(128)}DICM`);
const CDA = bytes('<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"/>');
const WIDE_CDA = bytes('\ufeff<?xml version="1.0" encoding="UTF-16"?><ClinicalDocument/>', 'utf16le');
const XML = bytes('<?xml version="1.0"?><a/>');
const PAGE = bytes('<!DOCTYPE html><p>Hi</p>');
const XHTML = bytes('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>');
const NOISE = bytes('\u0001\u0002\0\u0003 noise', 'latin1');

const ROWS: [name: string, of: Uint8Array, said: string, kind: string, saidKind?: string][] = [
  ['a note', NOTE, 'text/plain', 'text/plain'],
  ['a note with parameters', NOTE, 'Text/Plain ; charset=utf-8; format=flowed', 'text/plain'],
  ['a note of Latin letters', LATIN, 'text/plain', 'text/plain'],
  ['a note without a type', NOTE, '', 'text/plain'],
  ['a note as bytes', NOTE, 'application/octet-stream', 'text/plain'],
  ['a note of UTF-16', WIDE, 'text/plain', 'text/plain'],
  ['a note of UTF-16 that its type says', WIDE_UNMARKED, 'text/plain; charset=utf-16le', 'text/plain'],
  ['a note by a short name', NOTE, 'txt', 'text/plain'],
  ['a note of another kind of text', NOTE, 'text/x-hl7-ft', 'text/x-hl7-ft'],
  ['a PDF', PDF, 'application/pdf', 'application/pdf'],
  ['a PDF by other names', PDF, 'application/x-pdf', 'application/pdf'],
  ['a PDF without a type', PDF, '', 'application/pdf'],
  ['a PDF that is called text', PDF, 'text/plain', 'application/pdf', 'text/plain'],
  ['a PDF that is called a picture', PDF, 'image/png', 'application/pdf', 'image/png'],
  ['text that is called a PDF', NOTE, 'application/pdf', 'text/plain', 'application/pdf'],
  ['noise that is called a PDF', NOISE, 'application/pdf', '', 'application/pdf'],
  ['noise that is called text', NOISE, 'text/plain', '', 'text/plain'],
  ['noise of an unknown kind', NOISE, 'application/x-unheard-of', 'application/x-unheard-of'],
  ['noise without a type', NOISE, '', ''],
  ['a picture', PNG, 'image/png', 'image/png'],
  ['a photograph by another name', JPEG, 'image/jpg', 'image/jpeg'],
  ['a photograph that is called a drawing', JPEG, 'image/png', 'image/jpeg', 'image/png'],
  ['formatted text', RTF, 'application/rtf', 'text/rtf'],
  ['formatted text that is called text', RTF, 'text/plain', 'text/rtf', 'text/plain'],
  ['text that is called formatted', NOTE, 'text/rtf', 'text/plain', 'text/rtf'],
  ['a document of Word', WORD, 'application/msword', 'application/msword'],
  ['a sheet of Excel', WORD, 'application/vnd.ms-excel', 'application/vnd.ms-excel'],
  ['a document of Word that is called text', WORD, 'text/plain', 'application/msword', 'text/plain'],
  [
    'a newer document of Word',
    ZIP,
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['an archive', ZIP, 'application/x-zip-compressed', 'application/zip'],
  ['a compressed file', GZIP, 'application/gzip', 'application/gzip'],
  ['a picture of DICOM', DICOM, 'application/dicom', 'application/dicom'],
  ['a clinical document', CDA, 'application/cda+xml', 'application/cda+xml'],
  ['a clinical document without a type', CDA, '', 'application/xml'],
  ['a clinical document that is called text', CDA, 'text/plain', 'application/xml', 'text/plain'],
  ['a clinical document of UTF-16 without a type', WIDE_CDA, '', 'application/xml'],
  ['other XML without a type', XML, '', 'application/xml'],
  ['XML of FHIR', XML, 'application/fhir+xml', 'application/fhir+xml'],
  ['a web page', PAGE, 'text/html; charset=utf-8', 'text/html'],
  ['a web page that is called text', PAGE, 'text/plain', 'text/html', 'text/plain'],
  ['a web page of XML', XHTML, 'application/xml', 'text/html'],
  ['a web page of XHTML', XHTML, 'application/xhtml+xml', 'application/xhtml+xml'],
  ['a drawing', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml', 'image/svg+xml'],
  ['an empty file', bytes(''), 'application/pdf', 'application/pdf'],
];

for (const [name, of, said, kind, saidKind] of ROWS)
  test(`the kind of ${name}`, () => {
    assert.deepEqual(documentKind(of, said), saidKind === undefined ? { kind } : { kind, saidKind });
  });
