//! Two answers to one search compared: by the addresses of their resources, by their counts, or by their refusals.

import { issueText, plural } from '../fhir/text.ts';
import { bundle } from '../fhir/types.ts';
import { isShaped, object, string } from '../shape.ts';

/** The addresses of the resources of an answer. */
export interface AnswerIds {
  matches: string[];
  included: string[];
  total: number | undefined;
}

const identified = object({ resourceType: string, id: string });
const addressOf = (resource: unknown): string =>
  isShaped(identified, resource) ? `${resource.resourceType}/${resource.id}` : 'a resource without an id';

export function idsOf(body: unknown): AnswerIds {
  if (!isShaped(bundle, body)) {
    return { matches: isShaped(identified, body) ? [addressOf(body)] : [], included: [], total: undefined };
  }
  const { entry = [], total } = body;
  const inMode = (mode: string): string[] =>
    entry.filter(({ search }) => search?.mode === mode).map(({ resource }) => addressOf(resource));
  return { matches: inMode('match'), included: inMode('include'), total };
}

export interface Difference {
  same: boolean;
  /** True if the matches come in the same order; that of included resources has no meaning. */
  ordered: boolean;
  /** The number of resources in both. */
  both: number;
  onlyEdge: string[];
  onlyLocal: string[];
}

export function difference(edge: unknown, local: unknown): Difference {
  const [a, b] = [idsOf(edge), idsOf(local)];
  const [allOfA, allOfB] = [
    [...a.matches, ...a.included],
    [...b.matches, ...b.included],
  ];
  const [inA, inB] = [new Set(allOfA), new Set(allOfB)];
  const onlyEdge = allOfA.filter((id) => !inB.has(id));
  const onlyLocal = allOfB.filter((id) => !inA.has(id));
  const ordered = a.matches.join() === b.matches.join();
  const same = ordered && onlyEdge.length === 0 && onlyLocal.length === 0;
  return { same, ordered, both: allOfA.length - onlyEdge.length, onlyEdge, onlyLocal };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

export interface Answer {
  status: number;
  body: unknown;
}

export interface Comparison {
  same: boolean;
  says: string;
  onlyEdge: string[];
  onlyLocal: string[];
}

/** Returns whether a search asks for the number alone (<https://hl7.org/fhir/R4/search.html#summary>). */
export const countsOnly = (query: string): boolean => /[?&]_summary=count(?:&|$)/.test(query);

/** Says in a sentence how the edge's answer and this browser's differ. */
export function compareAnswers(query: string, edge: Answer, local: Answer): Comparison {
  if (edge.status !== 200 || local.status !== 200) return compareRefusals(edge, local);
  if (countsOnly(query)) {
    const [a = 'nothing', b = 'nothing'] = [idsOf(edge.body).total, idsOf(local.body).total];
    return a === b
      ? sentence(true, `Both count ${a}. Resources were not asked for.`)
      : sentence(false, `The edge counts ${a}, this browser ${b}.`);
  }
  const { same, both, ordered, onlyEdge, onlyLocal } = difference(edge.body, local.body);
  const agreement = both === 0 ? 'Both find nothing.' : `The same ${plural(both, 'resource')}, in the same order.`;
  const says = same ? agreement : `${both} in both${ordered ? '' : ', not in the same order'}.`;
  return { same, onlyEdge, onlyLocal, says };
}

function compareRefusals(edge: Answer, local: Answer): Comparison {
  if (edge.status !== 200 && local.status !== 200) {
    if (edge.status !== local.status) {
      return sentence(false, `Neither answers: the edge ${refusal(edge)}, this browser ${refusal(local)}.`);
    }
    const alike = issueText(edge.body) === issueText(local.body);
    const reasons = alike ? ', for the same reason' : ', and say why in other words';
    return sentence(alike, `Both refuse with ${edge.status}${reasons}.`);
  }
  if (local.status !== 200) return sentence(false, `Only the edge answers: this browser ${refusal(local)}.`);
  const why = edge.status === 401 ? 'refuses with 401, since no token that it takes opens this' : refusal(edge);
  return sentence(false, `Only this browser answers: the edge ${why}.`);
}

const refusal = ({ status }: Answer): string => (status === 0 ? 'could not be reached' : `refuses with ${status}`);

const sentence = (same: boolean, says: string): Comparison => ({ same, says, onlyEdge: [], onlyLocal: [] });
