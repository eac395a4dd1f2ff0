//! Conditions by where they belong: on the problem list, among the health concerns, or with their encounter.

import { nameBesideAbsence } from '../fhir/absence.ts';
import { unnamed } from '../fhir/absent-words.ts';
import { conditionStatus, isModified, type Standing, standingOf } from '../fhir/certainty.ts';
import { instant, newest, periodDate } from '../fhir/date.ts';
import { siteText } from '../fhir/site.ts';
import { concept, hasCode, isNamed } from '../fhir/text.ts';
import type { Condition } from '../fhir/types.ts';
import { kept } from '../kept.ts';
import { ENGLISH, type Words } from '../language/words.ts';

export const onset = (c: Condition): string | undefined =>
  c.onsetDateTime ?? periodDate(c.onsetPeriod) ?? c.recordedDate;
const inCategory = (c: Condition, code: string): boolean =>
  (c.category ?? []).some((category) => hasCode(category, code));

/** Returns whether a condition is on a list of its own, and not only the diagnosis of one encounter. */
export const isListed = (c: Condition): boolean =>
  !inCategory(c, 'encounter-diagnosis') || inCategory(c, 'problem-list-item') || isConcern(c);

/** Returns whether a condition is a health concern and not also on the problem list (US Core). */
const isConcern = (c: Condition): boolean => inCategory(c, 'health-concern') && !inCategory(c, 'problem-list-item');

export const problemName = (words: Words, c: Condition): string =>
  nameBesideAbsence(words, c.code) ?? unnamed(words, words.t('Condition not named'), c.code);

/** Returns the keys by which two conditions are the same: their codes, or their names if they have none. */
function keysOf(c: Condition): string[] {
  // What is changed in a way that is not understood may say the opposite.
  if (isModified(c)) return [`id|${c.id}`];
  const codes = (c.code?.coding ?? []).flatMap(({ system, code }) => (code ? `${system ?? ''}|${code}` : []));
  return codes.length > 0 ? codes : [`text|${problemName(ENGLISH, c).toLowerCase()}`];
}

const siteOf = kept((c: Condition): string | undefined => siteText(ENGLISH, c)?.toLowerCase());

const plainName = (c: Condition): string => problemName(ENGLISH, c).toLowerCase();

/** Groups conditions of one code, name and site: a code may be coarse. Each group is in the order of its first one. */
export function byProblem(conditions: readonly Condition[]): [Condition, ...Condition[]][] {
  const groups = Map.groupBy(conditions, (c) =>
    JSON.stringify([keysOf(c).sort(), plainName(c), conditionStatus(c), siteOf(c)]),
  );
  return [...groups.values()].flatMap(([first, ...more]): [Condition, ...Condition[]][] =>
    first ? [[first, ...more]] : [],
  );
}

/** Codes of ICD-10 for circumstances: social ones (Z55 to Z65), and external causes (V to Y). */
const CIRCUMSTANCE_CODE = /^(?:Z(?:5[5-9]|6[0-5])|[V-Y]\d\d)/i;
const isIcd10 = (system = ''): boolean => /icd-10|2\.16\.840\.1\.113883\.6\.(?:90|3)$/i.test(system);
/** Words for circumstances that are not diseases: work, housing, education, the law and accidents. */
const CIRCUMSTANCE = new RegExp(
  String.raw`\b(?:employ(?:ed|ment)|unemploy(?:ed|ment)|education|school|housing|homeless(?:ness)?|labou?r force` +
    '|criminal|social (?:contact|isolation|migrant)|refugee|military|transport(?:ation)? (?:problem|insecurity)' +
    '|accident|victim|risk activity|medication review due)\\b',
  'i',
);

/** Returns whether a condition is a circumstance and not a disease: a social finding or an external cause. */
const isCircumstance = (c: Condition): boolean =>
  inCategory(c, 'sdoh') ||
  (c.code?.coding ?? []).some(({ system, code }) => isIcd10(system) && CIRCUMSTANCE_CODE.test(code ?? '')) ||
  CIRCUMSTANCE.test(problemName(ENGLISH, c));

/** Returns whether the severity of a condition is severe: by SNOMED CT, or in words. */
const isSevere = ({ severity }: Condition): boolean =>
  hasCode(severity, '24484000', 'severe') || /^(?:severe|grave|schwer)\b/i.test(concept(ENGLISH, severity) ?? '');

/** Sorts conditions: severe ones first, circumstances last, otherwise in their order. */
export function byWeight<T>(all: readonly T[], of: (one: T) => Condition): T[] {
  const weight = (c: Condition): number => (isSevere(c) ? 0 : isCircumstance(c) ? 2 : 1);
  const groups = Map.groupBy(all, (one) => weight(of(one)));
  return [0, 1, 2].flatMap((at) => groups.get(at) ?? []);
}

/** Returns the last day on which a list entry shows that the problem is over. */
const lastKnown = (c: Condition): number | undefined =>
  instant(c.abatementDateTime ?? periodDate(c.abatementPeriod) ?? c.recordedDate ?? onset(c));

type ByKey = Map<string, Condition[]>;

function addTo(all: ByKey, c: Condition): void {
  for (const key of keysOf(c)) {
    const same = all.get(key) ?? [];
    same.push(c);
    all.set(key, same);
  }
}

function byKey(conditions: readonly Condition[]): ByKey {
  const all: ByKey = new Map();
  for (const c of conditions) addTo(all, c);
  return all;
}

/** Returns the conditions about the same problem: of the same name and site. Without a name or a site, any is meant. */
function samesOf(c: Condition, all: ByKey): Condition[] {
  const site = siteOf(c);
  const name = c.code && isNamed(c.code) ? plainName(c) : undefined;
  return keysOf(c)
    .flatMap((key) => all.get(key) ?? [])
    .filter((one) => site === undefined || [undefined, site].includes(siteOf(one)))
    .filter((one) => name === undefined || name === plainName(one));
}

/** The conditions of a chart by the list in which they are shown. */
interface ProblemLists {
  listed: Condition[];
  concerns: Condition[];
  /**
   * Active encounter diagnoses, without duplicates, the newest first. Those that a current list entry repeats, and
   * those that the list ends at a later date, are omitted.
   */
  ofVisits: Condition[];
  past: Condition[];
  refuted: Condition[];
  /** The other encounter diagnoses. */
  otherVisits: Condition[];
  errors: Condition[];
}

const byStanding = (all: readonly Condition[]): Partial<Record<Standing, Condition[]>> =>
  Object.fromEntries(Map.groupBy(all, standingOf));

export function problemLists(conditions: readonly Condition[]): ProblemLists {
  const all = newest(conditions, onset);
  const { error: errors = [], refuted = [], standing: current = [], over = [] } = byStanding(all);
  const listed = current.filter(isListed);
  const known = byKey(listed);
  const past = over.filter(isListed);
  const ended = byKey(past);
  // A list entry may show that a problem is over, at a later date than the encounter with this diagnosis.
  const isOver = (visit: Condition): boolean => {
    const at = instant(visit.recordedDate ?? onset(visit));
    return at !== undefined && samesOf(visit, ended).some((one) => (lastKnown(one) ?? -Infinity) >= at);
  };
  const ofVisits = current.filter((c) => {
    if (isListed(c) || samesOf(c, known).length > 0 || isOver(c)) return false;
    addTo(known, c);
    return true;
  });
  const shown = new Set([...listed, ...ofVisits]);
  return {
    listed: listed.filter((c) => !isConcern(c)),
    concerns: listed.filter(isConcern),
    ofVisits,
    past,
    refuted,
    otherVisits: [...current.filter((c) => !shown.has(c)), ...over.filter((c) => !isListed(c))],
    errors,
  };
}
