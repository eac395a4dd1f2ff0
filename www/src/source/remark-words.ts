//! The words of remarks about the records of files.

import type { Version } from '#reading/versions/as-r4.ts';
import type { PatientLink } from '../engine/documents/linked.ts';
import type { Remark } from '../engine/load/file-report.ts';
import { t } from '../language/message.ts';

export function remarkReason({ kind, why = '' }: Remark): string {
  switch (kind) {
    case 'older':
      return t('Another form of this record, or its deletion, is newer or came later, and counts.');
    case 'changed':
      return t('This form replaced an earlier one, which does not count any more.');
    case 'deleted':
      return t('The files say that this record was deleted.');
    case 'mended':
      if (why === '') return t('It had no id, and was given one.');
      if (/It counts as that of the load$/.test(why))
        return t('Its time of change could not be read: it counts as that of the load.');
      return t('Its id in the file has signs that are not allowed, and was replaced: {id}', { id: why });
    case 'past':
      return t('It is of an older FHIR (DSTU2 or STU3).');
    case 'from-older':
      return versionReason('older');
    case 'from-r5':
      return versionReason('R5');
    case 'unserved':
      return t('FHIR R4 has no such type.');
    case 'subset':
      return t('Its source left elements of it out.');
    case 'undelivered':
      return undeliveredReason(why);
    case 'placed':
      return t('Its document has one Patient alone.');
    case 'guessed':
      return t('Some of its bytes are not UTF-8, and were read as Windows-1252.');
  }
}

/** The words for a record of another version of FHIR. */
export const versionReason = (from: Version): string =>
  from === 'R5' ? t('It is of FHIR R5, and was read as R4.') : t('It is of STU3 or DSTU2, and was read as FHIR R4.');

/** Returns the words for what was not delivered. `why` has its kind, a space, and a number of matches or an error. */
function undeliveredReason(why: string): string {
  const [, what = '', says = ''] = /^(\S*) (.*)$/s.exec(why) ?? [];
  if (what === 'error') return t('The source says: {text}', { text: says });
  if (what === 'total')
    return t('The source counts {n} matches of this search, and the file has fewer.', { n: Number(says) });
  return says
    ? t('It is one page of a search with {n} matches, and the next page is not among the files.', { n: Number(says) })
    : t('It is one page of a search, and the next page is not among the files.');
}

/** Returns the words for a link between two Patients of one person. `isOwn`: this chart's Patient has the link. */
export function linkReason({ type }: PatientLink, isOwn: boolean): string {
  const isReplaced = isOwn ? type === 'replaces' : type === 'replaced-by';
  if (isReplaced) return t('This chart has replaced it.');
  return type === 'replaces' || type === 'replaced-by'
    ? t('It has replaced this chart.')
    : t('It is linked with this chart.');
}
