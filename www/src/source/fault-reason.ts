//! The reasons of the faults of files, in words.

import type { FileFault, FileFaultCode } from '../engine/file-report.ts';
import { type PlainMessage, t } from '../language/message.ts';

const REASONS: Record<Exclude<FileFaultCode, 'broken'>, PlainMessage> = {
  empty: 'The file is empty.',
  zip: 'It is a ZIP archive. Unpack it, and choose the files in it.',
  xml: 'It is XML or a web page. Records are read as FHIR in JSON: ask for that form.',
  'other-form': 'It is not JSON. Records are read as FHIR in JSON: ask for that form.',
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
