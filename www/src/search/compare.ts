//! Two answers, compared by the addresses of their resources.

import type { Bundle } from '../fhir/types';

export interface Ids { matches: string[]; included: string[]; total: number | undefined }
export interface Difference { same: boolean; ordered: boolean; both: number; onlyEdge: string[]; onlyLocal: string[] }

export function idsOf(body: unknown): Ids {
  const bundle = body as (Bundle & { id?: string }) | undefined;
  if (bundle?.resourceType !== 'Bundle') {
    const one = body as { resourceType?: string; id?: string } | undefined;
    return { matches: one?.resourceType ? [`${one.resourceType}/${one.id}`] : [], included: [], total: undefined };
  }
  const of = (mode: string): string[] => (bundle.entry ?? []).filter(({ search }) => search?.mode === mode).map(({ resource }) => `${resource?.resourceType}/${resource?.id}`);
  return { matches: of('match'), included: of('include'), total: bundle.total };
}

export function difference(edge: unknown, local: unknown): Difference {
  const [a, b] = [idsOf(edge), idsOf(local)];
  const [x, y] = [[...a.matches, ...a.included], [...b.matches, ...b.included]];
  const [inX, inY] = [new Set(x), new Set(y)];
  const onlyEdge = x.filter((id) => !inY.has(id));
  const onlyLocal = y.filter((id) => !inX.has(id));
  // The order of what is included says nothing.
  const ordered = a.matches.join() === b.matches.join();
  return { same: ordered && onlyEdge.length === 0 && onlyLocal.length === 0, ordered, both: x.length - onlyEdge.length, onlyEdge, onlyLocal };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] ?? 0 : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
