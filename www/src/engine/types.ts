//! The interface of the compiled engine (`src/browser/`), with the shapes of its answers. The engine decides everything
//! that FHIR and SMART define; the app draws what it answers.

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

/** The records that the engine holds: the sample, and those of the user's own files. */
export type RecordsName = 'sample' | 'files';

/** The files that were loaded. */
export interface LoadedFiles extends FilesReport {
  counts: Record<string, number>;
  /** The number of resources whose patient is not known, by type: they are in no chart. */
  nobodys: Record<string, number>;
  /** The ids of patients who have records, and of whom there is no Patient. */
  absentPatients: string[];
  /** The number of the records of each of them. */
  absentRecords: Record<string, number>;
  /** The number of their records, by type. */
  absent: Record<string, number>;
}

/** The outcome of taking records that name no patient for ones of a patient. */
export interface ClaimResult {
  count: number;
  nobodys: Record<string, number>;
}

/** The place of a record in the files that were loaded. */
export interface RecordPlace extends FilePlace {
  /** `Type/id`. */
  address: string;
}

/** The ids of a type: the number of all, and the first of them. */
export interface IdList {
  total: number;
  ids: string[];
}

/** The operations of the engine. */
export interface Engine {
  /** Loads the sample, once. */
  open(): LoadReport;
  /** Does nothing: it is answered once the engine can be used. */
  start(): null;
  /** Loads files in place of those that were loaded before. `same`: people who are one, as somebody has said. */
  loadFiles(files: NamedFile[], same: SamePeople[]): LoadedFiles;
  /** `index` names the parameters by which a server finds, such as `us-core`: others are refused as there. */
  search(records: RecordsName, query: string, grant: Grant | undefined, index: string | undefined): string;
  read(records: RecordsName, type: string, id: string, grant: Grant | undefined): string;
  counts(records: RecordsName): Record<string, number>;
  ids(records: RecordsName, type: string, most: number): IdList;
  /** The words of the lines are in a language, by its tag. */
  scopes(text: string, patient: string | undefined, language: string): ScopeTable;
  /** `index` is that of searches. */
  explain(query: string, grant: Grant | undefined, base: string, index: string | undefined): Explanation;
  /** Checks a token with a JWK Set at a time, in seconds since 1970. */
  verify(token: string, jwks: object, now: number, expected: ExpectedClaims): Check[];
  /** `index` is that of searches; empty, it names all of R4. */
  capabilities(base: string, index: string): string;
  /**
   * The addresses of the records of a patient; without one, of those whose patient is not known, and with `absent`, of
   * those of patients of whom there is no Patient.
   */
  addresses(records: RecordsName, patient: string | undefined, absent: boolean): string[];
  /**
   * Takes the records that name no patient for ones of this patient; without one, for none of any again. The answer has
   * the number of those taken, and by type that of the others whose patient is not known.
   */
  claim(patient: string | undefined): ClaimResult;
  /** The places of records in the files that were loaded, as far as they are found. */
  locate(addresses: string[]): RecordPlace[];
  /** All records of a patient as NDJSON, also of types that the chart does not read. */
  texts(records: RecordsName, patient: string): string;
  /** Adds records, as NDJSON, to those that `find` looks through. A new `key` begins with none. Returns true. */
  remember(key: string, text: string): boolean;
  /**
   * Adds all records of a patient to those that `find` looks through, those of some types first, in their order.
   * Returns true.
   */
  rememberAll(key: string, records: RecordsName, patient: string, types: readonly string[]): boolean;
  /**
   * Adds words that the page makes of records to those by which `find` looks: for each record its address, its name,
   * and others. Returns true.
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
const recordsName = oneOf('sample', 'files');

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

/** A call of an operation, as it is posted to the engine's thread. */
export type EngineCall = { [O in Operation]: { id: number; operation: O; args: Parameters<Engine[O]> } }[Operation];

const callEnvelope = object({ id: number, operation: string, args: anything });
const isOperation = (name: string): name is Operation => Object.hasOwn(ARGUMENTS, name);

export const engineCall: Shape<EngineCall> = (value, path) => {
  if (!isShaped(callEnvelope, value)) return callEnvelope(value, path);
  const { operation, args } = value;
  return isOperation(operation) ? ARGUMENTS[operation](args, operation) : `${operation} is no operation`;
};

/**
 * A fault of the thread itself: the page has the words, since the thread has no language. `says` is what the error
 * says, in English, or the HTTP status of the sample.
 */
const engineFault = object({
  code: oneOf('not-started', 'stopped', 'no-sample', 'no-files', 'broke-off', 'other'),
  says: string,
});
export type EngineFault = ShapeValue<typeof engineFault>;

/**
 * The reply to a call: its answer, the OperationOutcome that the engine refused it with, or a fault of the thread. `ms`
 * is the engine's own time.
 */
export const engineReply = either(
  object({ id: number, ok: exactly(true), value: anything, ms: number }),
  either(
    object({ id: number, ok: exactly(false), fault: engineFault, ms: number }),
    object({ id: number, ok: exactly(false), outcome: anything, ms: number }),
  ),
);
export type EngineReply = ShapeValue<typeof engineReply>;

/** A request that a thread sent: its address, and its time in milliseconds since 1970. */
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
/** Requests that the engine's thread sent. */
const engineRequests = object({ requests: list(object({ url: string, at: number })) });

/** A message of the engine's thread. */
export const engineMessage = either(engineReply, either(engineProgress, engineRequests));
export type EngineMessage = ShapeValue<typeof engineMessage>;
