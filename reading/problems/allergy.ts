//! Allergies and intolerances by what they say: the allergen, the risk, and whether the entries contradict each other.

import { type Absence, allergyAbsence } from '../fhir/absence.ts';
import { conditionStatus, standingOf } from '../fhir/certainty.ts';
import { instant, period, periodDate, shortDate } from '../fhir/date.ts';
import { ageText, valuesAt } from '../fhir/element-text.ts';
import { conceptIn } from '../fhir/loose.ts';
import { normalCode } from '../fhir/status-code.ts';
import { concept, concepts, isNamed, plain } from '../fhir/text.ts';
import type { AllergyIntolerance, Concept } from '../fhir/types.ts';
import { ENGLISH, type Words } from '../language/words.ts';

type Reaction = NonNullable<AllergyIntolerance['reaction']>[number];

/** The entries about allergies by what they say. */
interface AllergyLists {
  /** High risk first, then the newest. */
  active: AllergyIntolerance[];
  /** Entries that say that none are known, in general or of a kind. */
  noneKnown: AllergyIntolerance[];
  /** Entries that say that nobody has asked, or that nothing is known. */
  notAsked: AllergyIntolerance[];
  /** Entries whose text says that none are known, without a code. */
  said: AllergyIntolerance[];
  past: AllergyIntolerance[];
  refuted: AllergyIntolerance[];
  errors: AllergyIntolerance[];
  /** Entries that say that none are known, beside an active allergy of the kind. */
  contradictions: AllergyIntolerance[];
}

/**
 * The substance of the extension that stands in the place of a code, with the risk that is stated of it
 * (<https://hl7.org/fhir/R4/extension-allergyintolerance-substanceexposurerisk.html>).
 */
const EXPOSURE = /allergyintolerance-substanceExposureRisk$/;

function exposureOf(a: AllergyIntolerance): { substance: Concept; isNone: boolean } | undefined {
  for (const one of valuesAt(a, 'extension')) {
    if (!valuesAt(one, 'url').some((url) => typeof url === 'string' && EXPOSURE.test(url))) continue;
    const part = (name: string): Concept | undefined =>
      valuesAt(one, 'extension')
        .filter((inner) => valuesAt(inner, 'url').includes(name))
        .flatMap((inner) => conceptIn(valuesAt(inner, 'valueCodeableConcept')[0]) ?? [])[0];
    const substance = part('substance');
    const isNone = (part('exposureRisk')?.coding ?? []).some(({ code }) => code === 'no-known-reaction-risk');
    if (substance) return { substance, isNone };
  }
  return undefined;
}

/** The statement in the place of an allergy: by the code, or that no reaction to one substance is known. */
function absence(words: Words, a: AllergyIntolerance): Absence | undefined {
  const coded = allergyAbsence(words, a.code);
  if (coded || concept(words, a.code) !== undefined) return coded;
  const exposure = exposureOf(a);
  if (!exposure?.isNone) return undefined;
  const substance = concept(words, exposure.substance) ?? '';
  return { is: 'none', of: 'other', text: words.t('No known allergy to {substance}.', { substance }) };
}

/** Returns whether none of any kind is said to be known, and not only of one kind or to one substance. */
export const isNoneOfAll = (a: AllergyIntolerance): boolean => absence(ENGLISH, a)?.of === 'all';

/** The words of an entry that stands in the place of an allergy; empty for an allergy. */
export const absenceText = (words: Words, a: AllergyIntolerance): string => absence(words, a)?.text ?? '';

/** A reaction that is severe by what it is. */
const ANAPHYLAXIS = /anaphyla|anafil[aá]|アナフィラキシー|過敏性休克|过敏性休克/i;

/** Returns whether a reaction was severe: by its severity, or as an anaphylaxis. */
const isSevereReaction = (of: Reaction): boolean =>
  normalCode(of.severity) === 'severe' ||
  ANAPHYLAXIS.test([concepts(ENGLISH, of.manifestation), of.description].filter(Boolean).join(' '));

/** Returns whether an allergy is of high criticality. */
export const isHighRisk = ({ criticality }: AllergyIntolerance): boolean => normalCode(criticality) === 'high';

/** Returns whether an allergy is of high criticality, or a reaction was severe. */
export const isSevere = (a: AllergyIntolerance): boolean => isHighRisk(a) || (a.reaction ?? []).some(isSevereReaction);

/** What makes an allergy grave: the risk that its criticality states, or else a reaction that was severe. */
export function graveText(words: Words, a: AllergyIntolerance): string | undefined {
  if (isHighRisk(a)) return words.t('high risk');
  return isSevere(a) ? words.t('severe reaction') : undefined;
}

/** The allergen: the code of the entry, with the substances of its reactions that it does not name. */
export function allergyName(words: Words, a: AllergyIntolerance): string {
  const { code, reaction } = a;
  const name = concept(words, code) ?? concept(words, exposureOf(a)?.substance);
  const known = name?.toLowerCase() ?? '';
  const substances = [...new Set((reaction ?? []).flatMap(({ substance }) => concept(words, substance) ?? []))]
    .filter((one) => !known.includes(one.toLowerCase()))
    .join(', ');
  return [name, substances].filter(Boolean).join(': ') || words.t('Substance not named');
}

/** A reaction by its manifestations, or by its description where these are codes without a name. */
const reactionName = (words: Words, { manifestation, description }: Reaction): string | undefined =>
  concepts(words, (manifestation ?? []).filter(isNamed)) || description || concepts(words, manifestation) || undefined;

/** The reactions in words. */
export const reactionNames = (words: Words, { reaction }: AllergyIntolerance): string[] =>
  (reaction ?? []).flatMap((one) => reactionName(words, one) ?? []);

export const allergyDate = (a: AllergyIntolerance): string | undefined =>
  a.onsetDateTime ?? periodDate(a.onsetPeriod) ?? a.recordedDate;

/** High risk first, then the newest. */
function byRisk(all: readonly AllergyIntolerance[]): AllergyIntolerance[] {
  const at = (a: AllergyIntolerance): number => instant(allergyDate(a)) ?? Number.MIN_SAFE_INTEGER;
  return [...all].sort((a, b) => Number(isSevere(b)) - Number(isSevere(a)) || at(b) - at(a));
}

/** Returns whether an allergy is of the kind of which none is said to be known. */
const isOfKind = (a: AllergyIntolerance, of: Absence['of']): boolean =>
  of === 'all' || (a.category ?? []).some((category) => category === of);

export function allergyLists(all: readonly AllergyIntolerance[]): AllergyLists {
  const by = (wanted: ReturnType<typeof standingOf>): AllergyIntolerance[] =>
    all.filter((a) => standingOf(a) === wanted);
  const standing = by('standing');
  const saying = (is: Absence['is'] | undefined): AllergyIntolerance[] =>
    standing.filter((a) => absence(ENGLISH, a)?.is === is);
  const active = byRisk(saying(undefined));
  const [noneKnown, said] = [saying('none'), saying('said')];
  return {
    active,
    noneKnown,
    notAsked: saying('unknown'),
    said,
    past: by('over'),
    refuted: by('refuted'),
    errors: by('error'),
    contradictions: [...noneKnown, ...said].filter((a) =>
      active.some((one) => isOfKind(one, absence(ENGLISH, a)?.of ?? 'all')),
    ),
  };
}

/** One reaction: its manifestations, with severity, route, date, and the substance where the entry is about a class. */
export function reactionText(words: Words, reaction: Reaction, allergen: string): string {
  const { description, severity, exposureRoute, onset, substance, note } = reaction;
  const about = [
    severity && plain(words, severity),
    concept(words, exposureRoute),
    onset && shortDate(words, onset),
  ].filter(Boolean);
  const named = reactionName(words, reaction);
  const what = named ?? words.t('not named#reaction');
  const from = concept(words, substance);
  return [
    about.length > 0 ? `${what} (${about.join(', ')})` : what,
    from && from !== allergen && words.t('from {substance}', { substance: from }),
    named === description ? undefined : description,
    ...(note ?? []).map(({ text }) => text),
  ]
    .filter(Boolean)
    .join(', ');
}

/** When an allergy began, in whatever form it is recorded. */
export function allergyOnset(words: Words, a: AllergyIntolerance): string | undefined {
  if (a.onsetDateTime) return shortDate(words, a.onsetDateTime);
  return ageText(words, a.onsetAge, a.onsetRange) ?? a.onsetString ?? (period(words, a.onsetPeriod) || undefined);
}

/** What is not usual about an entry, in codes and words. */
export function allergyStatus(words: Words, a: AllergyIntolerance): string | undefined {
  const standing = standingOf(a);
  if (standing === 'error') return 'entered-in-error';
  const isGrave = standing === 'standing' && isSevere(a);
  return [isGrave ? graveText(words, a) : '', ...conditionStatus(a)].filter(Boolean).join(', ') || undefined;
}
