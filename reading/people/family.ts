//! The history of a family member, in words.

import { period, shortDate } from '../fhir/date.ts';
import { ageText, textAt } from '../fhir/element-text.ts';
import { concept } from '../fhir/text.ts';
import type { FamilyMemberHistory } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { unnamed } from '../results/values/reading.ts';

type FamilyCondition = NonNullable<FamilyMemberHistory['condition']>[number];

/** Returns the onset of a relative's condition. */
const onsetOf = (
  words: Words,
  { onsetAge, onsetRange, onsetPeriod, onsetString }: FamilyCondition,
): string | undefined =>
  ageText(words, onsetAge, onsetRange) ?? onsetString ?? (period(words, onsetPeriod) || undefined);

/** Returns a relative's condition with its notes: `Breast cancer (at age 42 years, died of it): Left side`. */
export function familyCondition(words: Words, of: FamilyCondition): string {
  const about = [
    onsetOf(words, of),
    concept(words, of.outcome),
    of.contributedToDeath ? words.t('contributed to the death') : undefined,
  ].filter(Boolean);
  const name = concept(words, of.code) ?? unnamed(words, words.t('Condition not named'), of.code);
  const said = about.length > 0 ? `${name} (${about.join(', ')})` : name;
  const note = textAt(words, of, 'note');
  return note ? `${said}: ${note}` : said;
}

/** Returns the conditions of a relative, in a line. */
export const familyConditions = (words: Words, { condition }: FamilyMemberHistory): string | undefined =>
  (condition ?? []).map((of) => familyCondition(words, of)).join('; ') || undefined;

/** Returns whether and when a relative died; `undefined` if it is not recorded. */
export function deceasedText(words: Words, of: FamilyMemberHistory): string | undefined {
  if (of.deceasedDate) return words.t('Died {date}', { date: shortDate(words, of.deceasedDate) });
  const when = ageText(words, of.deceasedAge, of.deceasedRange) ?? of.deceasedString;
  if (when) return `${words.t('Died')}, ${when}`;
  return of.deceasedBoolean === undefined ? undefined : of.deceasedBoolean ? words.t('Died') : words.t('Alive');
}
