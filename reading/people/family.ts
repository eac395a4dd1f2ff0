//! The history of a family member, in words.

import { unnamed } from '../fhir/absent-words.ts';
import { shortDate } from '../fhir/date.ts';
import { ageText, textAt } from '../fhir/element-text.ts';
import { concept } from '../fhir/text.ts';
import type { FamilyMemberHistory } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';

type FamilyEvent = NonNullable<FamilyMemberHistory['condition']>[number];

/** Returns the onset of a relative's condition, or the time of a procedure. */
function timeOf(words: Words, of: FamilyEvent): string | undefined {
  const age = textAt(words, of, 'onsetAge', 'onsetRange', 'performedAge', 'performedRange');
  if (age) return words.t('at age {age}', { age });
  return textAt(words, of, 'onsetString', 'onsetPeriod', 'performedString', 'performedPeriod', 'performedDateTime');
}

/** Returns a relative's condition or procedure with notes: `Breast cancer (at age 42 years, died of it): Left side`. */
function familyEvent(words: Words, of: FamilyEvent, notNamed: string): string {
  const about = [
    timeOf(words, of),
    concept(words, of.outcome),
    of.contributedToDeath ? words.t('contributed to the death') : undefined,
  ].filter(Boolean);
  const name = concept(words, of.code) ?? unnamed(words, notNamed, of.code);
  const said = about.length > 0 ? `${name} (${about.join(', ')})` : name;
  const note = textAt(words, of, 'note');
  return note ? `${said}: ${note}` : said;
}

export const familyEvents = (words: Words, { condition = [], procedure = [] }: FamilyMemberHistory): string[] => [
  ...condition.map((of) => familyEvent(words, of, words.t('Condition not named'))),
  ...procedure.map((of) => familyEvent(words, of, words.t('Procedure not named'))),
];

/** Returns whether and when a relative died; `undefined` if it is not recorded. */
export function deceasedText(words: Words, of: FamilyMemberHistory): string | undefined {
  if (of.deceasedDate) return words.t('Died {date}', { date: shortDate(words, of.deceasedDate) });
  const when = ageText(words, of.deceasedAge, of.deceasedRange) ?? of.deceasedString;
  if (when) return `${words.t('Died')}, ${when}`;
  return of.deceasedBoolean === undefined ? undefined : of.deceasedBoolean ? words.t('Died') : words.t('Alive');
}
