//! Two answers to one question, compared: by the addresses of their resources, by their counts, or by their refusals.

import { issueText, plural } from '../fhir/text.ts';
import type { Bundle } from '../fhir/types.ts';

export interface Ids {
  matches: string[];
  included: string[];
  total: number | undefined;
}
export interface Difference {
  same: boolean;
  ordered: boolean;
  both: number;
  onlyEdge: string[];
  onlyLocal: string[];
}

export function idsOf(body: unknown): Ids {
  const bundle = body as (Bundle & { id?: string }) | undefined;
  if (bundle?.resourceType !== 'Bundle') {
    const one = body as { resourceType?: string; id?: string } | undefined;
    return { matches: one?.resourceType ? [`${one.resourceType}/${one.id}`] : [], included: [], total: undefined };
  }
  const of = (mode: string): string[] =>
    (bundle.entry ?? [])
      .filter(({ search }) => search?.mode === mode)
      .map(({ resource }) => `${resource?.resourceType}/${resource?.id}`);
  return { matches: of('match'), included: of('include'), total: bundle.total };
}

export function difference(edge: unknown, local: unknown): Difference {
  const [a, b] = [idsOf(edge), idsOf(local)];
  const [x, y] = [
    [...a.matches, ...a.included],
    [...b.matches, ...b.included],
  ];
  const [inX, inY] = [new Set(x), new Set(y)];
  const onlyEdge = x.filter((id) => !inY.has(id));
  const onlyLocal = y.filter((id) => !inX.has(id));
  // The order of what is included says nothing.
  const ordered = a.matches.join() === b.matches.join();
  return {
    same: ordered && onlyEdge.length === 0 && onlyLocal.length === 0,
    ordered,
    both: x.length - onlyEdge.length,
    onlyEdge,
    onlyLocal,
  };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export interface Answer {
  status: number;
  body: unknown;
}
export interface Verdict {
  same: boolean;
  says: string;
  onlyEdge: string[];
  onlyLocal: string[];
}

/** Whether a search asks for the number alone (<https://hl7.org/fhir/R4/search.html#summary>). */
export const countsOnly = (query: string): boolean => /[?&]_summary=count(?:&|$)/.test(query);

/** How the edge's answer and this browser's differ, in a sentence. */
export function verdict(query: string, edge: Answer, local: Answer): Verdict {
  const plain = (same: boolean, says: string): Verdict => ({ same, says, onlyEdge: [], onlyLocal: [] });
  const refusal = ({ status }: Answer): string => (status === 0 ? 'could not be reached' : `refuses with ${status}`);
  if (edge.status !== 200 && local.status !== 200) {
    if (edge.status !== local.status)
      return plain(false, `Neither answers: the edge ${refusal(edge)}, this browser ${refusal(local)}.`);
    const reason = issueText(edge.body) === issueText(local.body);
    return plain(
      reason,
      `Both refuse with ${edge.status}${reason ? ', for the same reason' : ', and say why in other words'}.`,
    );
  }
  if (edge.status !== 200)
    return plain(
      false,
      edge.status === 401
        ? 'Only this browser answers: the edge refuses with 401, since no token that it takes opens this.'
        : `Only this browser answers: the edge ${refusal(edge)}.`,
    );
  if (local.status !== 200) return plain(false, `Only the edge answers: this browser ${refusal(local)}.`);
  if (countsOnly(query)) {
    const [a, b] = [idsOf(edge.body).total, idsOf(local.body).total];
    return plain(
      a === b,
      a === b
        ? `Both count ${a ?? 'nothing'}. Resources were not asked for.`
        : `The edge counts ${a ?? 'nothing'}, this browser ${b ?? 'nothing'}.`,
    );
  }
  const { same, both, ordered, onlyEdge, onlyLocal } = difference(edge.body, local.body);
  return {
    same,
    onlyEdge,
    onlyLocal,
    says: same
      ? both === 0
        ? 'Both find nothing.'
        : `The same ${plural(both, 'resource')}, in the same order.`
      : `${both} in both${ordered ? '' : ', not in the same order'}.`,
  };
}
