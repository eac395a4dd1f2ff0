//! A load of files: each is read as a stream and given to the engine piece by piece. Faults have the line of the file.

import type { LoadReport } from '../../pkg/edgechart.js';
import { olderIn } from '../fhir/older.ts';
import { textOf } from './file-text.ts';
import { type Piece, piecesOf } from './pieces.ts';

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

/** A part of a file that was not taken. */
export interface FileFault {
  file: string;
  /** Counted from 1. Nothing where the whole file is meant. */
  line?: number;
  /** The place in the document of that line, such as `Bundle.entry[3]`. */
  place?: string;
  /** What is wrong with the whole file: the page has the words, since this thread has no language. */
  code?: FileFaultCode;
  /** The engine's reason for a part of a file, or the browser's for one that is broken. */
  why?: string;
}

/** `broken`: the file could not be read to its end. */
export type FileFaultCode = 'empty' | 'zip' | 'binary' | 'markup' | 'broken';

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
}

/** The part of the engine that loads a text. */
export interface Loader {
  load(text: string, now: string): LoadReport;
}

/** The characters of a piece: some thousand resources, which take a fraction of a second. */
const PIECE = 4_000_000;
/** The number of faults that are kept. */
const FAULTS = 200;
/** The time between two reports while a long document is read, in milliseconds. */
const REPORT_INTERVAL = 150;
/** A document on a line of its own, without a resource. With it in front, the engine reads a text by line. */
const EMPTY_DOCUMENT = '{"resourceType":"Bundle"}\n';

/** The place that the engine names in a piece, such as `line 3, Bundle.entry[1]`, in the file. */
export function placeInFile(where: string, before: number): { line?: number; place?: string } {
  const [, line, place] = /^line (\d+)(?:, (.+))?$/.exec(where) ?? [];
  if (line === undefined) return where ? { place: where } : {};
  return { line: Number(line) + before, ...(place ? { place } : {}) };
}

/** The reason for a fault. In a document of one line, the line within it says nothing. */
export const reasonIn = (why: string, byLine: boolean): string =>
  byLine ? why.replace(/ at line 1 column (\d+)$/, ', at character $1') : why;

/** The reason why a text that begins like this cannot be a document. */
export function unreadable(text: string): FileFaultCode | undefined {
  const start = text.slice(0, 1_000).trimStart();
  if (start.startsWith('PK\u0003\u0004')) return 'zip';
  if (start.includes('\u0000')) return 'binary';
  if (start.startsWith('<')) return 'markup';
  return undefined;
}

class UnreadableError extends Error {
  readonly code: FileFaultCode;

  constructor(code: FileFaultCode) {
    super(code);
    this.code = code;
  }
}

/** The chunks of a text. Throws an `UnreadableError` before the rest of a long file is read in vain. */
async function* readable(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let isFirst = true;
  for await (const chunk of chunks) {
    const code = isFirst ? unreadable(chunk) : undefined;
    if (code) throw new UnreadableError(code);
    isFirst = false;
    yield chunk;
  }
}

const readFault = (error: unknown): Pick<FileFault, 'code' | 'why'> =>
  error instanceof UnreadableError ? { code: error.code } : { code: 'broken', why: String(error) };

/** Returns whether the engine has kept a form of the resource that it reports. */
const isKept = (why: string): boolean => /^\S+ comes again with another content/.test(why);

/** The type of the one resource in a faulty line, as far as it says it. */
export function typeIn(line: string): string {
  const types = [...line.matchAll(/"resourceType"\s*:\s*"([A-Za-z]+)"/g)].map(([, type = '']) => type);
  return types.length === 1 && types[0] !== 'Bundle' ? (types[0] ?? '') : '';
}

function addCounts(all: Record<string, number>, more: Record<string, number>): void {
  for (const [type, count] of Object.entries(more)) all[type] = (all[type] ?? 0) + count;
}

class Load {
  readonly report: FilesReport = {
    taken: 0,
    faults: [],
    faultCount: 0,
    lost: Object.create(null),
    unserved: Object.create(null),
    older: Object.create(null),
  };
  readonly progress: LoadProgress;
  readonly #loader: Loader;
  readonly #now: string;
  readonly #post: (progress: LoadProgress) => void;
  #posted = 0;

  constructor(loader: Loader, files: NamedFile[], now: string, post: (progress: LoadProgress) => void) {
    this.#loader = loader;
    this.#now = now;
    this.#post = post;
    const allBytes = files.reduce((sum, { file }) => sum + file.size, 0);
    this.progress = { bytes: 0, allBytes, resources: 0, done: 0, files: files.length };
  }

  /** Loads one file. An error while it is read is a fault of the file; one of the engine ends the load. */
  async file({ name, file }: NamedFile): Promise<void> {
    const end = this.progress.bytes + file.size;
    const chunks = textOf(file, (count) => {
      this.progress.bytes += count;
      if (performance.now() - this.#posted > REPORT_INTERVAL) this.#say();
    });
    const pieces = piecesOf(readable(chunks), PIECE);
    for (;;) {
      let next: IteratorResult<Piece, void>;
      try {
        next = await pieces.next();
      } catch (error) {
        this.#lose('');
        this.#fault({ file: name, ...readFault(error) });
        break;
      }
      if (next.done) break;
      this.#take(name, next.value);
      this.#say();
    }
    this.progress.bytes = end;
    this.progress.done += 1;
    this.#say();
  }

  #take(name: string, { text, before, byLine }: Piece): void {
    if (text.trim() === '') {
      this.#fault({ file: name, code: 'empty' });
      return;
    }
    const { resources, refused, unserved } = this.#loader.load(byLine ? EMPTY_DOCUMENT + text : text, this.#now);
    this.report.taken += resources;
    this.progress.resources = this.report.taken;
    const lines = refused.length > 0 && byLine ? text.split('\n') : [];
    for (const { where, why } of refused) {
      const { line = 0 } = placeInFile(where, -1);
      if (!isKept(why)) this.#lose(typeIn(lines[line - 1] ?? ''));
      this.#fault({ file: name, ...placeInFile(where, byLine ? before - 1 : before), why: reasonIn(why, byLine) });
    }
    addCounts(this.report.unserved, unserved);
    addCounts(this.report.older, olderIn(text, byLine));
  }

  #lose(type: string): void {
    addCounts(this.report.lost, { [type]: 1 });
  }

  #fault(fault: FileFault): void {
    this.report.faultCount += 1;
    if (this.report.faults.length < FAULTS) this.report.faults.push(fault);
  }

  #say(): void {
    this.#posted = performance.now();
    this.#post({ ...this.progress });
  }
}

/** Loads files one after the other, as one load: references between them are resolved whatever their order. */
export async function loadFiles(
  loader: Loader,
  files: NamedFile[],
  now: string,
  post: (progress: LoadProgress) => void,
): Promise<FilesReport> {
  const load = new Load(loader, files, now, post);
  for (const file of files) await load.file(file);
  return load.report;
}
