//! The interface of the engine's thread, with the shapes of its answers. The compiled engine (`src/browser/`) decides
//! everything that FHIR and SMART define; the app draws its answers.

import {
  anything,
  boolean,
  either,
  exactly,
  isShaped,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  type Shape,
  type ShapeValue,
  string,
  tuple,
} from '#reading/shape.ts';
import type {
  Cell,
  Check,
  Explanation,
  Grant,
  LoadReport,
  OperationOutcome,
  ScopeLine,
  ScopeRow,
} from '../../pkg/edgechart.js';
import {
  FILE_FAULT_CODES,
  type FileFault,
  type FileFaultCode,
  type FilePlace,
  type FilesReport,
  type KnownPerson,
  type LoadProgress,
  type NamedFile,
  REMARK_KINDS,
  type Remark,
  type SamePeople,
} from './file-report.ts';
import type { PatientLink } from './linked.ts';
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

/**
 * The records that the engine holds: the sample, an example of each type that the sample lacks, and those of the user's
 * own files.
 */
export type RecordsName = 'sample' | 'examples' | 'files';

/** The files that were loaded. */
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

/** The outcome of assigning records without a patient to a patient. */
export interface ClaimResult {
  count: number;
  nobodys: Record<string, number>;
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
  start(): null;
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
  /**
   * Assigns the records without a patient to this patient; without an argument, undoes that. The answer has the number
   * of assigned records, and the number of other records whose patient is not known, by type.
   */
  claim(patient: string | undefined): ClaimResult;
  /** Returns the places of the records that are found in the loaded files. */
  locate(addresses: string[]): RecordPlace[];
  /** Returns all records of a patient as NDJSON, including types that the chart does not read. */
  texts(records: RecordsName, patient: string): string;
  /** Adds records, as NDJSON, to those that `find` searches. A new `key` starts an empty index. Returns true. */
  remember(key: string, text: string): boolean;
  /**
   * Adds all records of a patient to those that `find` searches. Records of the types in `types` come first, in that
   * order. Returns true.
   */
  rememberAll(key: string, records: RecordsName, patient: string, types: readonly string[]): boolean;
  /**
   * Adds words that the page derives from records to the index of `find`. Each entry has the address of a record, its
   * name, and further words. Returns true.
   */
  describe(key: string, words: string[][]): boolean;
  /** Finds records by the words that people read in them. */
  find(words: string, most: number): Finding[];
}
export type Operation = keyof Engine;

const operationOutcome: Shape<OperationOutcome> = object({
  resourceType: oneOf('OperationOutcome'),
  issue: list(
    object(
      { severity: oneOf('error', 'warning'), code: string, details: object({ text: string }) },
      { diagnostics: string, expression: list(string) },
    ),
  ),
});
const cell: Shape<Cell> = object({ open: boolean, by: list(string) }, { narrowed: list(string), why: string });
const explanation: Shape<Explanation> = object(
  {
    type: string,
    criteria: list(object({ param: string, kind: string, says: string }, { added: boolean })),
    includes: list(object({ include: string, brings: string, says: string }, { reverse: boolean, leftOut: boolean })),
    order: string,
  },
  {
    refused: operationOutcome,
    statement: object({ text: string, binds: list(either(string, number)) }),
  },
);

const fileFaultCode: Shape<FileFaultCode> = oneOf(...FILE_FAULT_CODES);
const filePlace = { line: number, place: string };
const fileFault: Shape<FileFault> = object({ file: string }, { ...filePlace, code: fileFaultCode, why: string });
const remark: Shape<Remark> = object(
  {
    kind: oneOf(...REMARK_KINDS),
    type: string,
    id: string,
    file: string,
  },
  { ...filePlace, why: string },
);
const knownPerson: Shape<KnownPerson> = object({
  patient: string,
  id: string,
  who: string,
  file: string,
});
const samePeople: Shape<SamePeople> = object({ kept: knownPerson, other: knownPerson });
const patientLink: Shape<PatientLink> = object({ patient: string, other: string, type: string });

/** The shape of each operation's answer. */
export const ANSWERS: { [O in Operation]: Shape<ReturnType<Engine[O]>> } = {
  open: object({
    resources: number,
    refused: list(object({ where: string, why: string })),
    unserved: record(number),
    unresolved: number,
    replaced: list(object({ where: string, why: oneOf('older', 'changed', 'deleted') })),
  }),
  start: exactly(null),
  loadFiles: object({
    taken: number,
    faults: list(fileFault),
    faultCount: number,
    lost: record(number),
    unserved: record(number),
    older: record(number),
    fromOlder: record(number),
    fromR5: record(number),
    nobodys: record(number),
    absentPatients: list(string),
    absentRecords: record(number),
    absent: record(number),
    remarks: list(remark),
    remarkCounts: record(number),
    areApart: boolean,
    undelivered: record(number),
    linked: list(patientLink),
    alike: list(list(knownPerson)),
    counts: record(number),
  }),
  search: string,
  read: string,
  counts: record(number),
  claim: object({ count: number, nobodys: record(number) }),
  ids: object({ total: number, ids: list(string) }),
  scopes: object({
    lines: list(object({ scope: string, says: string }, { refused: string })),
    matrix: list(object({ type: string, read: cell, search: cell })),
  }),
  explain: explanation,
  verify: list(object({ check: string, ok: boolean, says: string })),
  capabilities: string,
  addresses: list(string),
  locate: list(object({ address: string, file: string }, filePlace)),
  texts: string,
  remember: boolean,
  rememberAll: boolean,
  describe: boolean,
  find: list(object({ address: string, element: string, text: string })),
};

const grant: Shape<Grant> = object(
  { scopes: string },
  { patient: string, patients: either(exactly('all'), list(string)), fhirUser: string, client: string },
);
const expectedClaims: Shape<ExpectedClaims> = object(
  { type: oneOf('access', 'id') },
  { issuer: string, audience: string },
);

const blob: Shape<Blob> = (value, path) => (value instanceof Blob ? undefined : `${path} is not a file`);
const namedFile: Shape<NamedFile> = object({ name: string, file: blob });
const recordsName = oneOf('sample', 'examples', 'files');

/** The shape of each operation's arguments. */
const ARGUMENTS: { [O in Operation]: Shape<Parameters<Engine[O]>> } = {
  open: tuple(),
  start: tuple(),
  loadFiles: tuple(list(namedFile), list(samePeople)),
  search: tuple(recordsName, string, optional(grant), optional(string)),
  read: tuple(recordsName, string, string, optional(grant)),
  counts: tuple(recordsName),
  ids: tuple(recordsName, string, number),
  scopes: tuple(string, optional(string), string),
  explain: tuple(string, optional(grant), string, optional(string)),
  verify: tuple(string, record(anything), number, expectedClaims),
  capabilities: tuple(string, string),
  addresses: tuple(recordsName, optional(string), boolean),
  claim: tuple(optional(string)),
  locate: tuple(list(string)),
  texts: tuple(recordsName, string),
  remember: tuple(string, string),
  rememberAll: tuple(string, recordsName, string, list(string)),
  describe: tuple(string, list(list(string))),
  find: tuple(string, number),
};

/** A call of an operation as a message to the engine's thread. */
export type EngineCall = { [O in Operation]: { id: number; operation: O; args: Parameters<Engine[O]> } }[Operation];

const callEnvelope = object({ id: number, operation: string, args: anything });
const isOperation = (name: string): name is Operation => Object.hasOwn(ARGUMENTS, name);

export const engineCall: Shape<EngineCall> = (value, path) => {
  if (!isShaped(callEnvelope, value)) return callEnvelope(value, path);
  const { operation, args } = value;
  return isOperation(operation) ? ARGUMENTS[operation](args, operation) : `${operation} is no operation`;
};

/**
 * A fault of the thread itself. The page has the message, since the thread has no language. `says` is the message of
 * the error, in English, or the HTTP status of the sample.
 */
const engineFault = object({
  code: oneOf('not-started', 'stopped', 'no-sample', 'no-files', 'broke-off', 'other'),
  says: string,
});
export type EngineFault = ShapeValue<typeof engineFault>;

/**
 * The reply to a call: its answer, the OperationOutcome of a refusal, or a fault of the thread. `ms` is the time of the
 * engine alone.
 */
export const engineReply = either(
  object({ id: number, ok: exactly(true), value: anything, ms: number }),
  either(
    object({ id: number, ok: exactly(false), fault: engineFault, ms: number }),
    object({ id: number, ok: exactly(false), outcome: anything, ms: number }),
  ),
);
export type EngineReply = ShapeValue<typeof engineReply>;

/** A request that a thread sent: its URL, and its time in milliseconds since 1970. */
export interface SentRequest {
  url: string;
  at: number;
}

const progress: Shape<LoadProgress> = object({
  bytes: number,
  allBytes: number,
  resources: number,
  done: number,
  files: number,
});
/** The progress of a call. */
const engineProgress = object({ id: number, progress });
/** The requests that the engine's thread sent. */
const engineRequests = object({ requests: list(object({ url: string, at: number })) });

/** A message from the engine's thread. */
export const engineMessage = either(engineReply, either(engineProgress, engineRequests));
export type EngineMessage = ShapeValue<typeof engineMessage>;
