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
 * - `past`, it is of an older FHIR;
 * - `unserved`, the engine does not know its type;
 * - `twin`, a Patient whose id is also that of another person;
 * - `unclear`, it names an id that two people have, and does not tell which of them is meant;
 * - `corrected`, a Patient of whom another form has another name or birth date;
 * - `namesake`, another record has its id too, so that it was given another one;
 * - `subset`, its source says that it left elements of it out;
 * - `undelivered`, the source says that something was not delivered;
 * - `placed`, it names no patient, and was placed with the one to whom others of its Bundle lead;
 * - `guessed`, a file whose bytes are no UTF-8, read as Windows-1252.
 */
export const REMARK_KINDS = [
  'older',
  'changed',
  'deleted',
  'mended',
  'past',
  'unserved',
  'twin',
  'unclear',
  'corrected',
  'namesake',
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
   * The detail: of what was mended, the id that was replaced, or the engine's reason. Of a Patient, the name and the
   * birth date. Of what was not delivered, what it is and the words for it, with a space between them. Of what was
   * placed, what led to its patient.
   */
  why?: string;
}

/** A person of the files: the id here, what the Patient says, and a file that has it. */
export interface KnownPerson {
  patient: string;
  who: string;
  file: string;
}

/** An id that several people have, each of whom has another one here. */
export interface SharedId {
  id: string;
  /** The people, with their ids here, what their Patient says of them, and a file that has it. */
  people: KnownPerson[];
  /** The patients of the records that do not tell whom they mean, with their ids here, and their file. */
  unclear: { patient: string; file: string }[];
  /** The number of these records. */
  records: number;
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
  /** The number of resources of an older FHIR, by type: they are of types that R4 has too. */
  older: Record<string, number>;
  /** The first remarks of each kind. */
  remarks: Remark[];
  /** The number of all remarks, by kind. */
  remarkCounts: Record<string, number>;
  /** The ids that several people have. */
  sharedIds: SharedId[];
  /** The number of what the source did not deliver, by the type of the records; '' where it is not known. */
  undelivered: Record<string, number>;
  /** The links between Patients. */
  linked: PatientLink[];
  /** People of one name and birth date, whose charts are not joined: nothing says whether they are one. */
  alike: KnownPerson[][];
  /** The addresses of the devices that are the software of the sources. */
  writers: string[];
}

/** The number of faults, and of remarks of each kind, that are kept. */
const MOST = 200;

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
    remarks: [],
    remarkCounts: counts(),
    sharedIds: [],
    undelivered: counts(),
    linked: [],
    alike: [],
    writers: [],
  };

  lose(type: string): void {
    addCounts(this.report.lost, { [type]: 1 });
  }

  fault(fault: FileFault): void {
    this.report.faultCount += 1;
    if (this.report.faults.length < MOST) this.report.faults.push(fault);
  }

  /** `line`: gives the line of the record, which is looked for only where the remark is kept. */
  remark(remark: Remark, line?: () => number): void {
    const { remarks, remarkCounts } = this.report;
    addCounts(remarkCounts, { [remark.kind]: 1 });
    if ((remarkCounts[remark.kind] ?? 0) <= MOST) remarks.push(line ? { ...remark, line: line() } : remark);
  }
}
