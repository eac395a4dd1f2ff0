//! What the compiled engine takes and gives (`src/browser/`). Nothing of FHIR is decided on this side.

import type { Check, Explanation, Grant, LoadReport, ScopeLine, ScopeRow } from '../../pkg/edgechart.js';

export type {
  Cell,
  Check,
  Explanation,
  Grant,
  LoadReport,
  OperationOutcome,
  ScopeLine,
  ScopeRow,
} from '../../pkg/edgechart.js';

export interface ScopeTable {
  lines: ScopeLine[];
  matrix: ScopeRow[];
}
export interface Expected {
  issuer?: string;
  audience?: string;
  type: 'access' | 'id';
}

/** What the engine can be asked, and what it answers. */
export interface Engine {
  /** Loads the sample, once. */
  open(): LoadReport;
  search(query: string, grant: Grant | undefined): string;
  read(type: string, id: string, grant: Grant | undefined): string;
  counts(): Record<string, number>;
  scopes(text: string, patient: string | undefined): ScopeTable;
  explain(query: string, grant: Grant | undefined, base: string): Explanation;
  verify(token: string, jwks: object, now: number, expected: Expected): Check[];
  capabilities(base: string): string;
}

export type Op = keyof Engine;
export interface Ask {
  id: number;
  op: Op;
  args: unknown[];
}
export type Told =
  | { id: number; ok: true; value: unknown; ms: number }
  | { id: number; ok: false; outcome: unknown; ms: number };
