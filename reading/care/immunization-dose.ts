//! The dose of an immunization in words: its number in a series, and its amount.

import { concept, concepts } from '../fhir/text.ts';
import type { Immunization } from '../fhir/types.ts';
import { joined } from '../joined.ts';
import type { Words } from '../language/words.ts';
import { dosages } from '../medications/dosage.ts';

type Protocol = NonNullable<Immunization['protocolApplied']>[number];

/**
 * Returns the number of a dose, the length and name of its series, and the target disease. R5 has text for both. STU3
 * says whether the dose counts.
 */
function protocolText(words: Words, of: Protocol): string {
  const number = of.doseNumberPositiveInt ?? of.doseNumberString ?? of.doseNumber;
  const all = of.seriesDosesPositiveInt ?? of.seriesDosesString ?? of.seriesDoses;
  const counted =
    number === undefined
      ? all === undefined
        ? ''
        : words.t('number not recorded, of {all}', { all: String(all) })
      : all === undefined
        ? String(number)
        : words.t('{number} of {all}#doses', { number: String(number), all: String(all) });
  const against = concepts(words, of.targetDisease);
  const stated = [concept(words, of.doseStatus), concept(words, of.doseStatusReason)];
  return [counted, of.series, against ? words.t('against {diseases}', { diseases: against }) : '', ...stated]
    .filter(Boolean)
    .join(', ');
}

export const doseNumber = (words: Words, { protocolApplied = [] }: Immunization): string =>
  protocolApplied
    .map((of) => protocolText(words, of))
    .filter(Boolean)
    .join('; ');

export const doseAmount = (words: Words, { doseQuantity }: Immunization): string | undefined =>
  dosages(words, { dose: doseQuantity });

/** Returns the dose in one line, with the reason for which it may not protect. */
export function immunizationDose(words: Words, of: Immunization): string | undefined {
  const number = doseNumber(words, of);
  const why = concepts(words, of.subpotentReason);
  return (
    joined(
      number ? words.t('dose {number}', { number }) : '',
      doseAmount(words, of),
      why && `${words.t('Why it may not protect')}: ${why}`,
    ) || undefined
  );
}
