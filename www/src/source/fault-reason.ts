//! The reasons of the faults of files, in words.

import type { FileFault, FileFaultCode } from '../engine/file-report.ts';
import { said } from '../language/language.ts';
import { type PlainMessage, t } from '../language/message.ts';

const REASONS: Record<Exclude<FileFaultCode, 'broken'>, PlainMessage> = {
  empty: 'The file is empty.',
  zip: 'It is a ZIP archive. Unpack it, and choose the files in it.',
  binary: 'It is not text.',
  markup: 'It is XML or HTML. FHIR is read as JSON here.',
};

/** The reason for a fault: of a whole file in the language of the page, of a part of it what the engine says. */
export function reasonOf({ code, why = '' }: Pick<FileFault, 'code' | 'why'>): string {
  if (code === 'broken') return t('It could not be read to its end: {why}', { why });
  return code ? t(REASONS[code]) : said(why);
}
