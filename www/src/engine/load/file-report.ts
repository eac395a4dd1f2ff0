//! The report of a load of files: what was loaded and what was not, with the file and the line.

import type { PatientLink } from '../documents/linked.ts';

export interface NamedFile {
  /** The name, with its folders if a folder was chosen. */
  name: string;
  file: Blob;
}

export interface LoadProgress {
  /** The bytes that were read so far, and the bytes of all files. */
  bytes: number;
  allBytes: number;
  resources: number;
  /** The number of files that are done. */
  done: number;
  files: number;
}

export interface FilePlace {
  file: string;
  /** Counted from 1. Undefined if the whole file is meant. */
  line?: number;
  /** The place in the document of that line, such as `Bundle.entry[3]`. */
  place?: string;
}

/** A part of a file that was not loaded. */
export interface FileFault extends FilePlace {
  /** The fault of the whole file. The page has the message, since the engine's thread has no language. */
  code?: FileFaultCode;
  /** The engine's reason for a part of a file, or the browser's for one that is broken. */
  why?: string;
}

/**
 * The faults of files. `broken`: the file could not be read to its end; `cut-off`: its text ends too early;
 * `damaged`: a part of its text is not JSON.
 */
export type FileFaultCode =
  | 'empty'
  | 'zip'
  | 'archive'
  | 'pdf'
  | 'image'
  | 'office'
  | 'binary'
  | 'html'
  | 'cda'
  | 'fhir-xml'
  | 'markup'
  | 'hl7-v2'
  | 'health-card'
  | 'table'
  | 'text'
  | 'manifest'
  | 'other-json'
  | 'no-entries'
  | 'cut-off'
  | 'damaged'
  | 'broken';

/**
 * The kinds of remarks about a resource in the files:
 * - `older`, a version that is not used because another one is newer;
 * - `changed`, a version that has replaced an earlier one;
 * - `deleted`, a deletion of the resource;
 * - `mended`, an element was replaced or left out, so that the rest could be loaded;
 * - `past`, the resource is of an older version of FHIR;
 * - `unserved`, the engine does not know its type;
 * - `subset`, its source says that elements were left out;
 * - `undelivered`, the source says that something was not delivered;
 * - `placed`, it names no patient and was assigned to the only Patient of its document;
 * - `guessed`, a file whose bytes are not UTF-8 and were read as Windows-1252.
 */
export type RemarkKind =
  | 'older'
  | 'changed'
  | 'deleted'
  | 'mended'
  | 'past'
  | 'from-older'
  | 'from-r5'
  | 'unserved'
  | 'subset'
  | 'undelivered'
  | 'placed'
  | 'guessed';

/** A remark about a resource. */
export interface Remark extends FilePlace {
  kind: RemarkKind;
  type: string;
  id: string;
  /**
   * The detail. For `mended`: the id that was replaced, or the engine's reason. For `undelivered`:
   * `UndeliveredPart.what` and `says`, separated by a space.
   */
  why?: string;
}

export interface KnownPerson {
  /** The id in the engine. */
  patient: string;
  /** The id in the files. */
  id: string;
  /** The name and the birth date; the empty string if they are not known. */
  who: string;
  /** A file that has the person. */
  file: string;
}

/** Two people in files whom the user has declared to be one. The records of `other` go into the chart of `kept`. */
export interface SamePeople {
  kept: KnownPerson;
  other: KnownPerson;
}

export interface FilesReport {
  /** The number of resources that were loaded; one that occurs several times counts each time. */
  taken: number;
  /** The first faults. */
  faults: FileFault[];
  faultCount: number;
  /** The number of parts that are lost, by resource type; '' if the type is not known. */
  lost: Record<string, number>;
  /** The number of resources whose type the engine does not know, by type. */
  unserved: Record<string, number>;
  /** The number of resources of an older version of FHIR, by type. Only types that R4 has too are counted. */
  older: Record<string, number>;
  /** The number of resources of DSTU2 or STU3, and of those of R5, that were read as R4, by their type there. */
  fromOlder: Record<string, number>;
  fromR5: Record<string, number>;
  /** The first remarks of each kind. */
  remarks: Remark[];
  remarkCounts: Record<string, number>;
  /** True if the files contradict each other and were loaded as separate sources. */
  areApart: boolean;
  /** The number of parts that the source did not deliver, by resource type; '' if the type is not known. */
  undelivered: Record<string, number>;
  linked: PatientLink[];
  /** Groups of people who may be the same person, as their data suggest. Their charts are not joined. */
  alike: KnownPerson[][];
}

/** The maximum number of faults, and of remarks of each kind, that are kept. */
const MAX = 200;

const counts = (): Record<string, number> => Object.create(null);

export function addCounts(all: Record<string, number>, more: Record<string, number>): void {
  for (const [type, count] of Object.entries(more)) all[type] = (all[type] ?? 0) + count;
}

/** Collects the report of a load. */
export class ReportBuilder {
  readonly report: FilesReport = {
    taken: 0,
    faults: [],
    faultCount: 0,
    lost: counts(),
    unserved: counts(),
    older: counts(),
    fromOlder: counts(),
    fromR5: counts(),
    remarks: [],
    remarkCounts: counts(),
    areApart: false,
    undelivered: counts(),
    linked: [],
    alike: [],
  };

  lose(type: string): void {
    addCounts(this.report.lost, { [type]: 1 });
  }

  fault(fault: FileFault): void {
    this.report.faultCount += 1;
    if (this.report.faults.length < MAX) this.report.faults.push(fault);
  }

  /** Adds a remark. `line` returns the line of the record; it is called only if the remark is kept. */
  remark(remark: Remark, line?: () => number): void {
    const { remarks, remarkCounts } = this.report;
    addCounts(remarkCounts, { [remark.kind]: 1 });
    if ((remarkCounts[remark.kind] ?? 0) <= MAX) remarks.push(line ? { ...remark, line: line() } : remark);
  }
}
