//! The comparison of two answers to searches: by the addresses and texts of their resources, by their counts, or by
//! their refusals.

import { printed } from '#reading/fhir/json.ts';
import { capital, issueText } from '#reading/fhir/text.ts';
import { bundle } from '#reading/fhir/types.ts';
import { isShaped, object, string } from '#reading/shape.ts';
import { t } from '../language/message.ts';

/** The addresses of the resources of an answer. */
interface AnswerIds {
  matches: string[];
  included: string[];
  total: number | undefined;
}

const identified = object({ resourceType: string, id: string });
const addressOf = (resource: unknown): string =>
  isShaped(identified, resource) ? `${resource.resourceType}/${resource.id}` : t('a resource without an id');

export function idsOf(body: unknown): AnswerIds {
  if (!isShaped(bundle, body)) {
    return { matches: isShaped(identified, body) ? [addressOf(body)] : [], included: [], total: undefined };
  }
  const { entry = [], total } = body;
  const inMode = (mode: string): string[] =>
    entry.filter(({ search }) => search?.mode === mode).map(({ resource }) => addressOf(resource));
  return { matches: inMode('match'), included: inMode('include'), total };
}

/** Returns the texts of the resources of an answer, by their addresses. Resources without an id are left out. */
export function textsOf(body: unknown): Map<string, string> {
  const resources = isShaped(bundle, body) ? (body.entry ?? []).map(({ resource }) => resource) : [body];
  return new Map(resources.filter((one) => isShaped(identified, one)).map((one) => [addressOf(one), printed(one)]));
}

interface Difference {
  same: boolean;
  /** True if the matches of both are in the same order. The order of included resources has no meaning. */
  ordered: boolean;
  /** The addresses in both. */
  both: string[];
  onlyFirst: string[];
  onlySecond: string[];
  /** The addresses in both whose resources have different texts. */
  changed: string[];
}

export function difference(first: unknown, second: unknown): Difference {
  const [a, b] = [idsOf(first), idsOf(second)];
  const [allOfA, allOfB] = [
    [...a.matches, ...a.included],
    [...b.matches, ...b.included],
  ];
  const [inA, inB] = [new Set(allOfA), new Set(allOfB)];
  const [textsOfA, textsOfB] = [textsOf(first), textsOf(second)];
  const onlyFirst = allOfA.filter((id) => !inB.has(id));
  const onlySecond = allOfB.filter((id) => !inA.has(id));
  const both = allOfA.filter((id) => inB.has(id));
  const changed = [...new Set(both)].filter((id) => textsOfA.get(id) !== textsOfB.get(id));
  const [matchesOfA, matchesOfB] = [new Set(a.matches), new Set(b.matches)];
  const inOrder = (matches: string[], others: Set<string>): string => matches.filter((id) => others.has(id)).join();
  const ordered = inOrder(a.matches, matchesOfB) === inOrder(b.matches, matchesOfA);
  const same = a.matches.join() === b.matches.join() && onlyFirst.length === 0 && onlySecond.length === 0;
  return { same, ordered, both, onlyFirst, onlySecond, changed };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

export const PLACES = { edge: 'the server', local: 'this browser' } as const;

/** An answer at one of two places. */
export interface Answer {
  where: keyof typeof PLACES;
  query: string;
  status: number;
  body: unknown;
}

/** Returns the name of the place of an answer, for sentences. */
export const placeOf = ({ where }: Pick<Answer, 'where'>): string => t(PLACES[where]);

/** `same`: both have equal texts of the same resources in the same order, the same count, or the same refusal. */
export interface Comparison extends Omit<Difference, 'ordered'> {
  says: string;
}

/** Returns whether a search requests only the count (<https://hl7.org/fhir/R4/search.html#summary>). */
export const countsOnly = (query: string): boolean => /[?&]_summary=count(?:&|$)/.test(query);

/** Compares two answers to one query, with a sentence about the difference. */
export function compareAnswers(first: Answer, second: Answer): Comparison {
  if (first.status !== 200 || second.status !== 200) return compareRefusals(first, second);
  if (countsOnly(first.query)) return compareCounts(first, second);
  const { ordered, ...found } = difference(first.body, second.body);
  return { ...found, same: found.same && found.changed.length === 0, says: differenceText({ ordered, ...found }) };
}

function differenceText({ same, ordered, both, changed }: Difference): string {
  const n = both.length;
  if (n === 0) return same ? t('Both find nothing.') : t('None in both.');
  const found = same
    ? t('The same {n} resource, in the same order|The same {n} resources, in the same order', { n })
    : ordered
      ? t('{n} in both', { n })
      : t('{n} in both, not in the same order', { n });
  return changed.length === 0 ? `${found}.` : t('{found}, {n} with different texts.', { found, n: changed.length });
}

function compareCounts(first: Answer, second: Answer): Comparison {
  const nothing = t('nothing#count');
  const [a = nothing, b = nothing] = [idsOf(first.body).total, idsOf(second.body).total];
  return a === b
    ? sentence(true, t('Both count {count}. Resources were not asked for.', { count: a }))
    : sentence(
        false,
        t('{first} counts {a}, {second} {b}.', { first: capital(placeOf(first)), a, second: placeOf(second), b }),
      );
}

function compareRefusals(first: Answer, second: Answer): Comparison {
  const answering = [first, second].find(({ status }) => status === 200);
  if (answering) {
    const refusing = answering === first ? second : first;
    const untrusted = refusing.where === 'edge' && refusing.status === 401;
    const why = untrusted
      ? t('{name} refuses with 401, since no token that it takes opens this', { name: placeOf(refusing) })
      : refusal(refusing);
    return sentence(false, t('Only {name} answers: {why}.', { name: placeOf(answering), why }));
  }
  if (first.status !== second.status) {
    return sentence(
      false,
      t('Neither answers: {first}, {second}.', { first: refusal(first), second: refusal(second) }),
    );
  }
  const alike = issueText(first.body) === issueText(second.body);
  const { status } = first;
  return alike
    ? sentence(true, t('Both refuse with {status}, for the same reason.', { status }))
    : sentence(false, t('Both refuse with {status}, and say why in other words.', { status }));
}

function refusal(answer: Answer): string {
  const [name, { status }] = [placeOf(answer), answer];
  return status === 0
    ? t('{name} could not be reached', { name })
    : t('{name} refuses with {status}', { name, status });
}

const sentence = (same: boolean, says: string): Comparison => ({ ...difference(undefined, undefined), same, says });
