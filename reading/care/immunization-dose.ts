//! The dose of an immunization in words: its number in a series, and its amount.

import { concepts } from '../fhir/text.ts';
import type { Immunization } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { dosages } from '../medications/dosage.ts';

type Protocol = NonNullable<Immunization['protocolApplied']>[number];

/**
 * The number of a dose, with that of its series, the name of the series and what it is against. R5 has both as text.
 */
function protocolText(of: Protocol): string {
  const number = of.doseNumberPositiveInt ?? of.doseNumberString ?? of.doseNumber;
  const all = of.seriesDosesPositiveInt ?? of.seriesDosesString ?? of.seriesDoses;
  const counted =
    number === undefined
      ? all === undefined
        ? ''
        : t('number not recorded, of {all}', { all: String(all) })
      : all === undefined
        ? String(number)
        : t('{number} of {all}#doses', { number: String(number), all: String(all) });
  const against = concepts(of.targetDisease);
  return [counted, of.series, against ? t('against {diseases}', { diseases: against }) : ''].filter(Boolean).join(', ');
}

/** The numbers of the dose in its series. */
export const doseNumber = ({ protocolApplied = [] }: Immunization): string =>
  protocolApplied.map(protocolText).filter(Boolean).join('; ');

/** The amount of the dose. */
export const doseAmount = ({ doseQuantity }: Immunization): string | undefined => dosages({ dose: doseQuantity });

/** The dose in one line. */
export function immunizationDose(of: Immunization): string | undefined {
  const number = doseNumber(of);
  return [number ? t('dose {number}', { number }) : '', doseAmount(of)].filter(Boolean).join(', ') || undefined;
}
