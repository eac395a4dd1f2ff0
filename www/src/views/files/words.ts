//! Words for opened files.

import type { LoadedFiles } from '../../engine/types.ts';
import { typeWords } from '../../fhir/type-words.ts';
import { t } from '../../language/message.ts';
import { chartsIn } from '../../source/files.ts';

/** The name of a type of resources. A resource without a type has none. */
export const typeName = (type: string): string => (type ? typeWords(type) : t('Without a type'));

/** The number of resources that are held, of how many patients. */
export function heldText(report: LoadedFiles): string {
  const all = Object.values(report.counts).reduce((sum, one) => sum + one, 0);
  const patients = chartsIn(report);
  const whose = patients === 0 ? t('no known patient') : t('{n} patient|{n} patients', { n: patients });
  return t('{n} resource of {patients}|{n} resources of {patients}', { n: all, patients: whose });
}

const REPEATED =
  '{n} resource was replaced or deleted by a later one.|{n} resources were replaced or deleted by later ones.';

/** A sentence about resources that came more than once; nothing where none did. */
export function repeatedText({ taken, counts }: LoadedFiles): string | undefined {
  const held = Object.values(counts).reduce((sum, one) => sum + one, 0);
  if (taken <= held) return undefined;
  return t(REPEATED, { n: taken - held });
}
