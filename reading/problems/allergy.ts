//! Allergies and intolerances: the allergen, the risk, and contradictions between entries.

import { type Absence, allergyAbsence, inDoubt, nameBesideAbsence } from '../fhir/absence.ts';
import { unnamed } from '../fhir/absent-words.ts';
import { conditionStatus, modifierText, standingOf } from '../fhir/certainty.ts';
import { instant, period, periodDate, shortDate } from '../fhir/date.ts';
import { ageText, valuesAt } from '../fhir/element-text.ts';
import { conceptIn } from '../fhir/loose.ts';
import { normalCode } from '../fhir/status-code.ts';
import { concept, concepts, isNamed, plain } from '../fhir/text.ts';
import type { AllergyIntolerance, Concept } from '../fhir/types.ts';
import { joined } from '../joined.ts';
import { ENGLISH, type Words } from '../language/words.ts';

type Reaction = NonNullable<AllergyIntolerance['reaction']>[number];

/** The entries about allergies by their statement. */
interface AllergyLists {
  /** High risk first, then the newest. */
  active: AllergyIntolerance[];
  /** Entries that state that none are known, in general or of a kind. */
  noneKnown: AllergyIntolerance[];
  /** Entries that state that nobody asked, or that nothing is known. */
  notAsked: AllergyIntolerance[];
  /** Entries whose text states that none are known, without a code, or that are changed in an unknown way. */
  said: AllergyIntolerance[];
  past: AllergyIntolerance[];
  refuted: AllergyIntolerance[];
  errors: AllergyIntolerance[];
  /** Entries that state that none are known, despite an active allergy of the kind. */
  contradictions: AllergyIntolerance[];
}

/**
 * The extension with a substance in place of a code, and with the stated risk of exposure to the substance
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

/**
 * Returns the statement in place of an allergy: by the code, unless a reaction contradicts it, or that no reaction to
 * one substance is known.
 */
function absence(words: Words, a: AllergyIntolerance): Absence | undefined {
  const isContradicted = (a.reaction ?? []).some((one) => one.substance || isSevereReaction(one));
  const coded = isContradicted ? undefined : allergyAbsence(words, a.code);
  if (coded || concept(words, a.code) !== undefined) return coded && inDoubt(coded, a);
  const exposure = exposureOf(a);
  if (!exposure?.isNone) return undefined;
  const substance = concept(words, exposure.substance) ?? '';
  return { is: 'none', of: 'other', text: words.t('No known allergy to {substance}.', { substance }) };
}

/** Returns whether an entry states that no allergy at all is known, not only none of one kind or to one substance. */
export const isNoneOfAll = (a: AllergyIntolerance): boolean => absence(ENGLISH, a)?.of === 'all';

/** Returns the words of an entry in place of an allergy; empty for an allergy. */
export const absenceText = (words: Words, a: AllergyIntolerance): string => absence(words, a)?.text ?? '';

/** Names of a reaction that is severe by nature. */
const ANAPHYLAXIS = /anaphyla|anafil[aá]|アナフィラキシー|過敏性休克|过敏性休克/i;

/** Returns whether a reaction was severe: by its severity, or as anaphylaxis. */
const isSevereReaction = (of: Reaction): boolean =>
  normalCode(of.severity) === 'severe' ||
  ANAPHYLAXIS.test([concepts(ENGLISH, of.manifestation), of.description].filter(Boolean).join(' '));

export const isHighRisk = ({ criticality }: AllergyIntolerance): boolean => normalCode(criticality) === 'high';

export const isSevere = (a: AllergyIntolerance): boolean => isHighRisk(a) || (a.reaction ?? []).some(isSevereReaction);

/** Returns the reason why an allergy is grave: the risk in its criticality, or else a severe reaction. */
export function graveText(words: Words, a: AllergyIntolerance): string | undefined {
  if (isHighRisk(a)) return words.t('high risk');
  return isSevere(a) ? words.t('severe reaction') : undefined;
}

/** Returns the allergen: the code of the entry, with further substances of its reactions. */
export function allergyName(words: Words, a: AllergyIntolerance): string {
  const { code, reaction = [] } = a;
  const all = [...new Set(reaction.flatMap(({ substance }) => concept(words, substance) ?? []))];
  const reacted = absence(words, a)
    ? undefined
    : all.join(', ') || unnamed(words, words.t('Substance not named'), code);
  const name = nameBesideAbsence(words, code, reacted) ?? concept(words, exposureOf(a)?.substance);
  const known = name?.toLowerCase() ?? '';
  const substances = all.filter((one) => !known.includes(one.toLowerCase())).join(', ');
  return [name, substances].filter(Boolean).join(': ') || unnamed(words, words.t('Substance not named'), code);
}

/** Returns the name of an allergy, with what makes it grave and what changes its meaning. */
export function briefAllergy(words: Words, a: AllergyIntolerance): string {
  const more = joined(graveText(words, a), modifierText(words, a));
  return more ? `${allergyName(words, a)} (${more})` : allergyName(words, a);
}

/** Returns a reaction by its manifestations, or by its description if the manifestations are codes without a name. */
const reactionName = (words: Words, { manifestation, description }: Reaction): string | undefined =>
  concepts(words, (manifestation ?? []).filter(isNamed)) || description || concepts(words, manifestation) || undefined;

export const reactionNames = (words: Words, { reaction }: AllergyIntolerance): string[] =>
  (reaction ?? []).flatMap((one) => reactionName(words, one) ?? []);

export const allergyDate = (a: AllergyIntolerance): string | undefined =>
  a.onsetDateTime ?? periodDate(a.onsetPeriod) ?? a.recordedDate;

/** Sorts allergies: high risk first, then the newest. */
function byRisk(all: readonly AllergyIntolerance[]): AllergyIntolerance[] {
  const at = (a: AllergyIntolerance): number => instant(allergyDate(a)) ?? Number.MIN_SAFE_INTEGER;
  return [...all].sort((a, b) => Number(isSevere(b)) - Number(isSevere(a)) || at(b) - at(a));
}

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

/** Returns a reaction: manifestations, severity, route, date, and the substance if the entry is about a class. */
export function reactionText(words: Words, reaction: Reaction, allergen: string): string {
  const { description, severity, exposureRoute, onset, substance, note, certainty } = reaction;
  const about = [
    severity && plain(words, severity),
    certainty && certainty !== 'confirmed' ? plain(words, certainty) : undefined,
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

/** Returns the onset of an allergy, in any recorded form. */
export function allergyOnset(words: Words, a: AllergyIntolerance): string | undefined {
  if (a.onsetDateTime) return shortDate(words, a.onsetDateTime);
  return ageText(words, a.onsetAge, a.onsetRange) ?? a.onsetString ?? (period(words, a.onsetPeriod) || undefined);
}

/** Returns the unusual statuses of an entry, in codes and words. */
export function allergyStatus(words: Words, a: AllergyIntolerance): string | undefined {
  const standing = standingOf(a);
  if (standing === 'error') return 'entered-in-error';
  const isGrave = standing === 'standing' && isSevere(a);
  return [isGrave ? graveText(words, a) : '', ...conditionStatus(a)].filter(Boolean).join(', ') || undefined;
}
