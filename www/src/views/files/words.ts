//! Words for opened files.

import { typeWords } from '#reading/fhir/type-words.ts';
import { UNKNOWN_PATIENT } from '../../engine/documents/claim.ts';
import type { LoadedFiles } from '../../engine/types.ts';
import { t, words } from '../../language/message.ts';
import { chartsIn } from '../../source/files.ts';

/** Returns the name of a type of resources, or words for resources without a type. */
export const typeName = (type: string): string => (type ? typeWords(words(), type) : t('Without a type'));

/** Returns the numbers of loaded resources and of their patients. */
export function heldText(report: LoadedFiles): string {
  const all = Object.values(report.counts).reduce((sum, one) => sum + one, 0);
  const patients = chartsIn(report) - Number(report.absentPatients.includes(UNKNOWN_PATIENT));
  const known = report.counts.Patient ?? 0;
  const whose =
    patients === 0
      ? t('no known patient')
      : known > 0 && patients > known
        ? t('{patients} and {n} only named|{patients} and {n} only named', {
            patients: t('{n} patient|{n} patients', { n: known }),
            n: patients - known,
          })
        : t('{n} patient|{n} patients', { n: patients });
  return t('{n} resource of {patients}|{n} resources of {patients}', { n: all, patients: whose });
}

/** Returns a sentence about what the source of the files did not deliver; `undefined` if it delivered all. */
export function undeliveredText({ undelivered }: LoadedFiles): string | undefined {
  const n = Object.values(undelivered).reduce((sum, one) => sum + one, 0);
  return n > 0 ? t('The files say that their source did not deliver all: {n}, listed in the chart.', { n }) : undefined;
}

/** Returns a sentence about files that are not in UTF-8; `undefined` if all are. */
export function guessedText({ remarks }: LoadedFiles): string | undefined {
  const names = remarks.filter(({ kind }) => kind === 'guessed').map(({ file }) => file);
  if (names.length === 0) return undefined;
  return t('Not in UTF-8, so that letters with accents may be wrong: {files}.', {
    files: words().listed(names.slice(0, 6)),
  });
}

/** Returns a sentence about files that contradict each other; `undefined` if none do. */
export const conflictText = ({ areApart }: LoadedFiles): string | undefined =>
  areApart ? t('Some ids stand for different records or people in these files. Each is kept apart.') : undefined;
