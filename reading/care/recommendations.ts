//! The immunizations that are recommended, each with its status and its dates.

import { instant, shortDate } from '../fhir/date.ts';
import { textAt, valuesAt } from '../fhir/element-text.ts';
import { conceptIn, textIn } from '../fhir/loose.ts';
import { normalCode } from '../fhir/status-code.ts';
import { codeOf, concept, isNamed } from '../fhir/text.ts';
import type { Resource } from '../fhir/types.ts';
import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';

/** An immunization that is recommended, or of which it is said that it is not needed. */
interface Recommendation {
  title: string;
  /** Its status and its dates, each date with its kind, in words. */
  says: string;
  /** The date on which it is due, as written, and in milliseconds since 1970. */
  written: string | undefined;
  at: number | undefined;
  isOverdue: boolean;
  /** True if nothing is to be done: it is complete, or must not be given. */
  isOver: boolean;
}

/** The kinds of dates of an immunization by their LOINC codes. By the first two it is due. */
const DATES: Readonly<Record<string, PlainMessage>> = {
  '30980-7': 'Date vaccine due',
  '30981-5': 'Earliest date to give',
  '59777-3': 'Latest date to give',
  '59778-1': 'Overdue from',
};
const DUE_DATES = ['30980-7', '30981-5'];
const OVER = [
  ...['complete', 'completed', 'finished', 'uptodate', 'immune', 'contraindicated', 'notrecommended'],
  ...['agedout', 'tooold'],
];

export const recommendationsOf = (words: Words, record: Resource): Recommendation[] =>
  valuesAt(record, 'recommendation').map((one) => {
    const status = conceptIn(valuesAt(one, 'forecastStatus')[0]);
    const dates = valuesAt(one, 'dateCriterion').flatMap((criterion) => {
      const kind = conceptIn(valuesAt(criterion, 'code')[0]);
      const written = textIn(valuesAt(criterion, 'value')[0]);
      return written === undefined ? [] : [{ kind, written }];
    });
    const rank = (of: (typeof dates)[number]): number => {
      const at = DUE_DATES.indexOf(codeOf(of.kind) ?? '');
      return at < 0 ? DUE_DATES.length : at;
    };
    const [due] = dates.toSorted((a, b) => rank(a) - rank(b));
    const codes = [codeOf(status), concept(words, status)].map((said) => normalCode(said).replaceAll('-', ''));
    const against = textAt(words, one, 'contraindicatedVaccineCode');
    const texts = [
      against && words.t('not: {names}', { names: against }),
      ...dates.map(({ kind = {}, written }) => {
        const known = isNamed(kind) ? undefined : own(DATES, codeOf(kind) ?? '');
        const said = known ? words.t(known) : concept(words, kind);
        return [said ?? words.t('Date'), shortDate(words, written) || written].join(': ');
      }),
    ];
    return {
      title: textAt(words, one, 'vaccineCode') ?? textAt(words, one, 'targetDisease') ?? words.t('Vaccine not named'),
      says: [concept(words, status), ...texts, textAt(words, one, 'description')].filter(Boolean).join(', '),
      written: due?.written,
      at: instant(due?.written),
      isOverdue: codes.includes('overdue'),
      isOver: codes.some((code) => OVER.includes(code)),
    };
  });
