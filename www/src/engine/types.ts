//! What the compiled engine takes and gives (`src/browser.rs`). Nothing of FHIR is decided on this side.

export interface Grant { scopes: string; patient?: string; patients?: string[] | 'all'; client?: string }

export interface LoadReport {
  resources: number;
  refused: { where: string; why: string }[];
  unserved: Record<string, number>;
  unresolved: number;
}

export interface Cell { open: boolean; by: string[]; narrowed?: string[]; why?: string }
export interface Row { type: string; read: Cell; search: Cell }
export interface ScopeLine { scope: string; says: string; refused?: string }
export interface ScopeTable { lines: ScopeLine[]; matrix: Row[] }

export interface Criterion { param: string; kind: string; says: string; added?: boolean }
export interface Explanation {
  type: string;
  criteria: Criterion[];
  includes: unknown[];
  order: string;
  refused?: unknown;
  statement?: { text: string; binds: (string | number)[] };
}

export interface TokenCheck { check: string; ok: boolean; says: string }
export interface Expected { issuer?: string; audience?: string; type: 'access' | 'id' }

/** What the engine can be asked, and what it answers. */
export interface Engine {
  /** Loads the sample, once. */
  open(base: string): LoadReport;
  search(query: string, grant: Grant | undefined): string;
  read(type: string, id: string, grant: Grant | undefined): string;
  counts(): Record<string, number>;
  scopes(text: string, patient: string | undefined): ScopeTable;
  explain(query: string, grant: Grant | undefined, base: string): Explanation;
  verify(token: string, jwks: object, now: number, expected: Expected): TokenCheck[];
  capabilities(base: string): string;
}

export type Op = keyof Engine;
export interface Ask { id: number; op: Op; args: unknown[] }
export type Told =
  | { id: number; ok: true; value: unknown; ms: number }
  | { id: number; ok: false; outcome: unknown; ms: number };
