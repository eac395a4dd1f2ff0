//! The history of a member of the family, in words.

import { period, shortDate } from '../fhir/date.ts';
import { textAt } from '../fhir/element-text.ts';
import { concept, quantity } from '../fhir/text.ts';
import type { FamilyMemberHistory, Quantity, Range } from '../fhir/types.ts';
import { t } from '../language/message.ts';

type FamilyCondition = NonNullable<FamilyMemberHistory['condition']>[number];

/** The two ends of a range. */
export const rangeText = (of: Range | undefined): string | undefined =>
  of && ([quantity(of.low), quantity(of.high)].filter(Boolean).join(' – ') || undefined);
const atAge = (age: Quantity | undefined): string | undefined => age && t('at age {age}', { age: quantity(age) ?? '' });

/** When a condition of a relative began. */
const onsetOf = ({ onsetAge, onsetRange, onsetPeriod, onsetString }: FamilyCondition): string | undefined => {
  const ages = rangeText(onsetRange);
  return (
    atAge(onsetAge) ?? (ages && t('at age {age}', { age: ages })) ?? onsetString ?? (period(onsetPeriod) || undefined)
  );
};

/** A condition of a relative, with its notes: `Breast cancer (at age 42 years, died of it): Left side`. */
export function familyCondition(of: FamilyCondition): string {
  const about = [
    onsetOf(of),
    concept(of.outcome),
    of.contributedToDeath ? t('contributed to the death') : undefined,
  ].filter(Boolean);
  const name = concept(of.code) ?? t('Condition not named');
  const said = about.length > 0 ? `${name} (${about.join(', ')})` : name;
  const note = textAt(of, 'note');
  return note ? `${said}: ${note}` : said;
}

/** The conditions of a relative, in a line. */
export const familyConditions = ({ condition }: FamilyMemberHistory): string | undefined =>
  (condition ?? []).map(familyCondition).join('; ') || undefined;

/** Whether a relative has died, and when; nothing where the record does not say it. */
export function deceasedText(of: FamilyMemberHistory): string | undefined {
  if (of.deceasedDate) return t('Died {date}', { date: shortDate(of.deceasedDate) });
  const ages = rangeText(of.deceasedRange);
  const when = atAge(of.deceasedAge) ?? (ages && t('at age {age}', { age: ages })) ?? of.deceasedString;
  if (when) return `${t('Died')}, ${when}`;
  return of.deceasedBoolean === undefined ? undefined : of.deceasedBoolean ? t('Died') : t('Alive');
}
