//! The report of a load of files: what was taken, and what not, with the file and the line.

import type { PatientLink } from './linked.ts';

export interface NamedFile {
  /** The name, with its folders where a folder was chosen. */
  name: string;
  file: Blob;
}

/** The state of a load. */
export interface LoadProgress {
  /** The bytes that were read, of all bytes of the files. */
  bytes: number;
  allBytes: number;
  resources: number;
  /** The number of files that are done. */
  done: number;
  files: number;
}

/** Where something stands in the files. */
export interface FilePlace {
  file: string;
  /** Counted from 1. Nothing where the whole file is meant. */
  line?: number;
  /** The place in the document of that line, such as `Bundle.entry[3]`. */
  place?: string;
}

/** A part of a file that was not taken. */
export interface FileFault extends FilePlace {
  /** What is wrong with the whole file: the page has the words, since this thread has no language. */
  code?: FileFaultCode;
  /** The engine's reason for a part of a file, or the browser's for one that is broken. */
  why?: string;
}

/**
 * Faults of files. `broken`: the file could not be read to its end; `cut-off`: its text breaks off;
 * `damaged`: a part of its text is no JSON.
 */
export const FILE_FAULT_CODES = [
  'empty',
  'zip',
  'archive',
  'pdf',
  'image',
  'office',
  'binary',
  'html',
  'cda',
  'fhir-xml',
  'markup',
  'hl7-v2',
  'health-card',
  'table',
  'text',
  'manifest',
  'other-json',
  'no-entries',
  'cut-off',
  'damaged',
  'broken',
] as const;
export type FileFaultCode = (typeof FILE_FAULT_CODES)[number];

/**
 * What is remarkable about a resource that is in the files:
 * - `older`, a form that does not count since another one is newer;
 * - `changed`, a form that has replaced an earlier one;
 * - `deleted`, a deletion of it;
 * - `mended`, an element of it was replaced or left out, so that the rest could be taken;
 * - `past`, it is of an older FHIR, and cannot be read;
 * - `from-older` and `from-r5`, it is of DSTU2 or STU3, or of R5, and was read as R4;
 * - `unserved`, the engine does not know its type;
 * - `subset`, its source says that it left elements of it out;
 * - `undelivered`, the source says that something was not delivered;
 * - `placed`, it names no patient, and was placed with the only Patient of its document;
 * - `guessed`, a file whose bytes are no UTF-8, read as Windows-1252.
 */
export const REMARK_KINDS = [
  'older',
  'changed',
  'deleted',
  'mended',
  'past',
  'from-older',
  'from-r5',
  'unserved',
  'subset',
  'undelivered',
  'placed',
  'guessed',
] as const;
export type RemarkKind = (typeof REMARK_KINDS)[number];

/** A remark about a resource. */
export interface Remark extends FilePlace {
  kind: RemarkKind;
  type: string;
  id: string;
  /**
   * The detail: of what was mended, the id that was replaced, or the engine's reason. Of what was not delivered, what
   * it is and the words for it, with a space between them.
   */
  why?: string;
}

/** A person of the files. */
export interface KnownPerson {
  /** The id here. */
  patient: string;
  /** The id in the files. */
  id: string;
  /** The name and the birth date; the empty text where they are not known. */
  who: string;
  /** A file that has the person. */
  file: string;
}

/** Two people of files who are one, as somebody has said. The records of `other` are in the chart of `kept`. */
export interface SamePeople {
  kept: KnownPerson;
  other: KnownPerson;
}

export interface FilesReport {
  /** The number of resources that were taken, each as often as it came. */
  taken: number;
  /** The first faults. */
  faults: FileFault[];
  /** The number of all faults. */
  faultCount: number;
  /** The number of parts that are lost, by the type of their resource; those of which it is not known under ''. */
  lost: Record<string, number>;
  /** The number of resources of types that the engine does not know, by type. */
  unserved: Record<string, number>;
  /** The number of resources of an older FHIR that cannot be read, by type: they are of types that R4 has too. */
  older: Record<string, number>;
  /** The number of resources of DSTU2 or STU3, and of those of R5, that were read as R4, by their type there. */
  fromOlder: Record<string, number>;
  fromR5: Record<string, number>;
  /** The first remarks of each kind. */
  remarks: Remark[];
  /** The number of all remarks, by kind. */
  remarkCounts: Record<string, number>;
  /** True where the files contradict each other, so that each is a source of its own. */
  areApart: boolean;
  /** The number of what the source did not deliver, by the type of the records; '' where it is not known. */
  undelivered: Record<string, number>;
  /** The links between Patients. */
  linked: PatientLink[];
  /** Groups of people who may be one, since what is known of them fits. Their charts are not joined. */
  alike: KnownPerson[][];
}

/** The number of faults, and of remarks of each kind, that are kept. */
const MAX = 200;

const counts = (): Record<string, number> => Object.create(null);

export function addCounts(all: Record<string, number>, more: Record<string, number>): void {
  for (const [type, count] of Object.entries(more)) all[type] = (all[type] ?? 0) + count;
}

/** A report that grows. */
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

  /** `line`: gives the line of the record, which is looked for only where the remark is kept. */
  remark(remark: Remark, line?: () => number): void {
    const { remarks, remarkCounts } = this.report;
    addCounts(remarkCounts, { [remark.kind]: 1 });
    if ((remarkCounts[remark.kind] ?? 0) <= MAX) remarks.push(line ? { ...remark, line: line() } : remark);
  }
}
