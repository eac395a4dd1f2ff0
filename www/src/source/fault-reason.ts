//! The reasons of the faults of files, in words.

import type { FileFault, FileFaultCode } from '../engine/load/file-report.ts';
import { type PlainMessage, t } from '../language/message.ts';

const REASONS: Record<Exclude<FileFaultCode, 'broken'>, PlainMessage> = {
  empty: 'The file is empty.',
  zip: 'It is a ZIP archive. Unpack it, and choose the files in it.',
  archive: 'It is an archive of files. Unpack it, and choose the files in it.',
  pdf: 'It is a PDF, which has no records that can be read as data. Ask for FHIR as JSON.',
  image: 'It is an image. Records are read as FHIR in JSON.',
  office: 'It is a document of a word processor or a spreadsheet. Records are read as FHIR in JSON.',
  binary: 'It is not text.',
  html: 'It is a web page (HTML), perhaps one for signing in, or an error, in place of the records.',
  cda: 'It is a clinical document (C-CDA), which is not shown by itself. Ask for FHIR as JSON.',
  'fhir-xml': 'It is FHIR as XML. FHIR is read as JSON here: ask for that form.',
  markup: 'This is XML, but not FHIR. FHIR is read here as JSON.',
  'hl7-v2': 'It is a message of HL7 version 2. Records are read as FHIR in JSON.',
  'health-card': 'It is a SMART Health Card or Link, which is signed or encrypted, and cannot be read here.',
  table: 'It is a table (CSV). Records are read as FHIR in JSON.',
  text: 'It is text, and neither JSON nor FHIR.',
  manifest: 'It is the manifest of a bulk export, which names the files with the records. Choose those files.',
  'other-json': 'This is JSON, but not FHIR: it has no resourceType and no resources.',
  'no-entries': 'It is a Bundle without records in it.',
  'cut-off': 'Its text breaks off. What was whole before that was taken.',
  damaged: 'A part of its text is not JSON, and was left out. The rest was taken.',
};

/** Returns the reason for a fault: for a whole file in words of the page, for a part of it in the engine's English. */
export function reasonOf({ code, why = '' }: Pick<FileFault, 'code' | 'why'>): string {
  if (code === 'broken') return t('It could not be read to its end: {why}', { why });
  return code ? t(REASONS[code]) : t('{why}#in English', { why });
}
