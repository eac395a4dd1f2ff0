//! The interface of the engine's thread. The compiled engine (`src/browser/`) decides
//! everything that FHIR and SMART define; the app draws its answers.

import type { Cell, Check, Explanation, Grant, LoadReport, ScopeLine, ScopeRow } from '../../pkg/edgechart.js';
import type { FilePlace, FilesReport, LoadProgress, NamedFile, SamePeople } from './load/file-report.ts';
import type { Finding } from './text-index.ts';

export type { Cell, Check, Explanation, Finding, Grant, LoadReport, ScopeLine, ScopeRow };

export interface ScopeTable {
  lines: ScopeLine[];
  matrix: ScopeRow[];
}
/** The claims that a token must have. */
export interface ExpectedClaims {
  issuer?: string;
  audience?: string;
  type: 'access' | 'id';
}

/** The records that the engine holds: the sample, an example of each type it lacks, and those of the user's files. */
export type RecordsName = 'sample' | 'examples' | 'files';

export interface LoadedFiles extends FilesReport {
  counts: Record<string, number>;
  /** The number of resources whose patient is not known, by type. They are in no chart. */
  nobodys: Record<string, number>;
  /** The ids of patients who have records but no Patient resource. */
  absentPatients: string[];
  /** The number of records of each of these patients. */
  absentRecords: Record<string, number>;
  /** The number of records of all of these patients, by type. */
  absent: Record<string, number>;
}

/** The place of a record in the files that were loaded. */
export interface RecordPlace extends FilePlace {
  /** `Type/id`. */
  address: string;
}

/** The ids of a type: their total number, and the first of them. */
export interface IdList {
  total: number;
  ids: string[];
}

export interface Engine {
  /** Loads the sample, once. */
  open(): LoadReport;
  /** Does nothing. The answer comes once the engine can be used. */
  start(): void;
  /** Loads files in place of those that were loaded before. `same`: people whom the user has declared to be one. */
  loadFiles(files: NamedFile[], same: SamePeople[]): LoadedFiles;
  /** `index` names the search parameters of a server, such as `us-core`. Others are refused, as on that server. */
  search(records: RecordsName, query: string, grant: Grant | undefined, index: string | undefined): string;
  read(records: RecordsName, type: string, id: string, grant: Grant | undefined): string;
  counts(records: RecordsName): Record<string, number>;
  ids(records: RecordsName, type: string, most: number): IdList;
  /** Explains scopes in a language, given by its tag. */
  scopes(text: string, patient: string | undefined, language: string): ScopeTable;
  /** `index` has the same meaning as in `search`. */
  explain(query: string, grant: Grant | undefined, base: string, index: string | undefined): Explanation;
  /** Checks a token with a JWK Set. `now` is in seconds since 1970. */
  verify(token: string, jwks: object, now: number, expected: ExpectedClaims): Check[];
  /** `index` has the same meaning as in `search`; the empty string stands for all of R4. */
  capabilities(base: string, index: string): string;
  /**
   * Returns the addresses of a patient's records; without a patient, of records whose patient is not known; with
   * `absent`, of the records of patients without a Patient resource.
   */
  addresses(records: RecordsName, patient: string | undefined, absent: boolean): string[];
  /** Returns the places of the records that are found in the loaded files. */
  locate(addresses: string[]): RecordPlace[];
  /** Returns all records of a patient as NDJSON, including types that the chart does not read. */
  texts(records: RecordsName, patient: string): string;
  /** Adds records, as NDJSON, to those that `find` searches. A new `key` starts an empty index. */
  remember(key: string, text: string): void;
  /** Adds all records of a patient to those that `find` searches: those of `types` first, in that order. */
  rememberAll(key: string, records: RecordsName, patient: string, types: readonly string[]): void;
  /** Adds words derived from records to the index of `find`: for each record its address, its name, and more words. */
  describe(key: string, words: string[][]): void;
  /** Finds records by the words that people read in them. */
  find(words: string, most: number): Finding[];
}
export type Operation = keyof Engine;

/** A call of an operation as a message to the engine's thread. */
export type EngineCall = { [O in Operation]: { id: number; operation: O; args: Parameters<Engine[O]> } }[Operation];

/**
 * A fault of the thread itself. The page has the message, since the thread has no language. `says` is the message of
 * the error, in English, or the HTTP status of the sample.
 */
export interface EngineFault {
  code: 'not-started' | 'stopped' | 'no-sample' | 'no-files' | 'broke-off' | 'other';
  says: string;
}

/**
 * The reply to a call: its answer, the OperationOutcome of a refusal, or a fault of the thread. `ms` is the time of the
 * engine alone.
 */
export type EngineReply = { id: number; ms: number } & (
  | { ok: true; value: unknown }
  | { ok: false; fault: EngineFault }
  | { ok: false; outcome: unknown }
);

/** A request that a thread sent: its URL, and its time in milliseconds since 1970. */
export interface SentRequest {
  url: string;
  at: number;
}

/** A message from the engine's thread: a reply, the progress of a call, or the requests that the thread sent. */
export type EngineMessage = EngineReply | { id: number; progress: LoadProgress } | { requests: SentRequest[] };
