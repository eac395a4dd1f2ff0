//! A load of files: each is read as a stream and given to the engine piece by piece. Faults have the line of the file.

import { isOlder, isOlderType } from '#reading/versions/is-older.ts';
import type { LoadReport } from '../../pkg/edgechart.js';
import { isPlaced, mayPlace, withOnlyPatient } from './claim.ts';
import { isBundleWithoutResources, lineOf, type PlacedResource } from './documents.ts';
import { baseIn } from './entries.ts';
import { enginePiece, filePieces, type Rewrite } from './file-documents.ts';
import {
  addCounts,
  type FilesReport,
  type KnownPerson,
  type LoadProgress,
  type NamedFile,
  ReportBuilder,
  type SamePeople,
} from './file-report.ts';
import { patientBases, relativeToBase, withOwnId } from './ids.ts';
import { linksOf } from './linked.ts';
import { ParsedPiece } from './parsed-piece.ts';
import type { Piece } from './pieces.ts';
import { otherJson, readFault } from './readable.ts';
import { SimilarPatients } from './similar-patients.ts';
import { Sources } from './sources.ts';
import { isSubset, missingBy, Pages, type UndeliveredPart } from './undelivered.ts';

/** The part of the engine that loads a text. */
export interface Loader {
  load(text: string, now: string): LoadReport;
  /** Gives its memory back. */
  free?(): void;
}

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

/** The engine's reasons by which a form of the resource is kept, and what they say of it. */
const KEPT: [RegExp, 'older' | 'mended' | 'stray'][] = [
  [/^\S+ comes again with another content/, 'older'],
  [/It counts as that of the load$/, 'mended'],
  [/^\S+ belongs to nobody: /, 'stray'],
];

/** A resource of a type without an id, which is given one. */
const WITHOUT_ID = /^[A-Za-z]+ without an id$/;

/** The type of the one resource in a faulty line, as far as it says it. */
export function typeIn(line: string): string {
  const types = [...line.matchAll(/"resourceType"\s*:\s*"([A-Za-z]+)"/g)].map(([, type = '']) => type);
  return types.length === 1 && types[0] !== 'Bundle' ? (types[0] ?? '') : '';
}

class Load {
  readonly progress: LoadProgress;
  readonly alike: SimilarPatients;
  /** The addresses of records of which there are several forms. */
  readonly several = new Set<string>();
  /** The FHIR bases of the patients whom resources on lines of their own name. */
  readonly bases = new Set<string>();
  /** The FHIR bases in the addresses of Patients. */
  readonly ofPatients = new Set<string>();
  /** True if a document with one Patient has records that name nobody. */
  canPlace = false;
  readonly #pages = new Pages();
  readonly #builder = new ReportBuilder();
  readonly #loader: Loader;
  readonly #now: string;
  readonly #post: (progress: LoadProgress) => void;
  readonly #rewrites: readonly Rewrite[];
  #posted = 0;

  constructor(
    loader: Loader,
    files: NamedFile[],
    now: string,
    post: (progress: LoadProgress) => void,
    sources: Sources | undefined,
    rewrites: readonly Rewrite[],
  ) {
    this.#loader = loader;
    this.#now = now;
    this.#post = post;
    this.alike = new SimilarPatients(sources);
    this.#rewrites = rewrites;
    const allBytes = files.reduce((sum, { file }) => sum + file.size, 0);
    this.progress = { bytes: 0, allBytes, resources: 0, done: 0, files: files.length };
  }

  get report(): FilesReport {
    return this.#builder.report;
  }

  /** Loads one file. An error while it is read is a fault of the file; one of the engine ends the load. */
  async file({ name, file }: NamedFile): Promise<void> {
    const end = this.progress.bytes + file.size;
    let isGuessed = false;
    const pieces = filePieces(
      file,
      (count) => {
        this.progress.bytes += count;
        if (performance.now() - this.#posted > REPORT_INTERVAL) this.#say();
      },
      () => {
        isGuessed = true;
      },
    );
    const { taken } = this.report;
    for (;;) {
      let next: IteratorResult<Piece, void>;
      try {
        next = await pieces.next();
      } catch (error) {
        this.#builder.lose('');
        this.#builder.fault({ file: name, ...readFault(error) });
        break;
      }
      if (next.done) break;
      this.#take(name, next.value);
      this.#say();
    }
    if (isGuessed && this.report.taken > taken) this.#builder.remark({ kind: 'guessed', type: '', id: '', file: name });
    this.progress.bytes = end;
    this.progress.done += 1;
    this.#say();
  }

  #take(file: string, read: Piece): void {
    if (read.text.trim() === '') {
      this.#builder.fault({ file, code: 'empty' });
      return;
    }
    const given = new ParsedPiece(read);
    const piece = this.#written(file, read, given);
    const { text, before, byLine } = piece;
    const { resources, refused, unserved, replaced } = this.#loader.load(
      byLine ? EMPTY_DOCUMENT + text : text,
      this.#now,
    );
    const parsed = piece === read ? given : new ParsedPiece(piece);
    const placeOf = (where: string) => placeInFile(where, byLine ? before - 1 : before);
    this.report.taken += resources;
    for (const { where, why } of refused) {
      const place = placeOf(where);
      if (WITHOUT_ID.test(why) && this.#takeWithId(file, place, parsed.textAt(place.line))) continue;
      this.#refuse(file, place, reasonIn(why, byLine), parsed);
    }
    for (const { where, why } of replaced) {
      const place = placeOf(where);
      const { type, id } = parsed.at(place) ?? { type: '', id: '' };
      if (why !== 'deleted') this.#hasSeveral(type, id);
      this.#builder.remark({ kind: why, type, id, file, ...place });
    }
    for (const { line, lost, isCutOff } of piece.damaged ?? []) {
      for (let n = 0; n < lost; n += 1) this.#builder.lose('');
      this.#builder.fault({ file, line, code: isCutOff ? 'cut-off' : 'damaged' });
    }
    const isEmpty = !byLine && resources === 0 && refused.length === 0 && replaced.length === 0;
    if (isEmpty && isBundleWithoutResources(parsed.documentAt())) this.#builder.fault({ file, code: 'no-entries' });
    this.progress.resources = this.report.taken;
    addCounts(this.report.unserved, unserved);
    if (byLine) for (const base of patientBases(text)) this.bases.add(base);
    this.#look(file, parsed, unserved);
  }

  #hasSeveral(type: string, id: string): void {
    if (type !== '' && id !== '') this.several.add(`${type}/${id}`);
  }

  #refuse(file: string, place: { line?: number; place?: string }, why: string, parsed: ParsedPiece): void {
    const kept = KEPT.find(([reason]) => reason.test(why))?.[1];
    const found = parsed.at(place);
    const type = found?.type || typeIn(parsed.textAt(place.line));
    if (kept === undefined) this.#builder.lose(type);
    else if (kept !== 'stray') {
      const reason = kept === 'mended' ? { why } : {};
      if (kept === 'older') this.#hasSeveral(type, found?.id ?? '');
      this.#builder.remark({ kind: kept, type, id: found?.id ?? '', file, ...place, ...reason });
    }
    const other =
      /^it has no resourceType$/.test(why) && !place.place ? otherJson(parsed.documentAt(place.line)) : undefined;
    this.#builder.fault({ file, ...place, ...(other ? { code: other } : { why }) });
  }

  /** Loads a document that is a resource without an id, with one that follows from its text. */
  #takeWithId(file: string, place: { line?: number; place?: string }, text: string): boolean {
    const { resources, refused } = this.#loader.load(withOwnId(text), this.#now);
    if (resources !== 1 || refused.length > 0) return false;
    this.report.taken += resources;
    this.#builder.remark({ kind: 'mended', type: typeIn(text), id: '', file, ...place, why: '' });
    return true;
  }

  /** The piece with records of R4, and with ids that FHIR allows and that are not those of another record. */
  #written(file: string, piece: Piece, parsed: ParsedPiece): Piece {
    return enginePiece(file, piece, this.#rewrites, parsed, ({ given, replaced, changed }) => {
      for (const one of replaced) {
        const { type, id, legal, place } = one;
        const at = { type, id: legal, file, ...(place ? { place } : {}) };
        this.#builder.remark({ kind: 'mended', ...at, why: id }, () => lineOf(given, one));
      }
      for (const one of changed) {
        const { type, id, place, from } = one;
        addCounts(from === 'R5' ? this.report.fromR5 : this.report.fromOlder, { [type]: 1 });
        const at = { type, id, file, ...(place ? { place } : {}) };
        this.#builder.remark({ kind: from === 'R5' ? 'from-r5' : 'from-older', ...at }, () => lineOf(given, one));
      }
    });
  }

  /** Looks at the resources of a piece for what the engine does not tell. */
  #look(file: string, parsed: ParsedPiece, unserved: Record<string, number>): void {
    for (const { document, line: first, resources } of parsed.all()) {
      for (const one of this.#pages.note(document, file, first)) this.#lacks(one, file, () => first);
      const all: PlacedResource[] = [];
      for (const { placed, lineAt } of resources) {
        const { type, id, place, resource } = placed;
        if (this.#rewrites.length === 0 && !this.canPlace && place !== '') all.push(placed);
        const at = { type, id, file, ...(place ? { place } : {}) };
        if (type === 'Patient') {
          const base = baseIn(placed.fullUrl, type);
          if (base !== '') this.ofPatients.add(base);
          this.alike.note(placed, file);
        }
        if (type === 'Patient') this.report.linked.push(...linksOf(resource, id));
        if (isPlaced(resource)) this.#builder.remark({ kind: 'placed', ...at }, lineAt);
        if (isSubset(resource)) this.#builder.remark({ kind: 'subset', ...at }, lineAt);
        const missing = type === 'OperationOutcome' ? missingBy(resource) : undefined;
        if (missing !== undefined) this.#lacks({ type: '', place, what: 'error', says: missing }, file, lineAt);
        // A Patient is read all the same, to know whose a chart is.
        if (type !== 'Patient' && isOlder(resource)) {
          if (!isOlderType(type)) addCounts(this.report.older, { [type]: 1 });
          this.#builder.remark({ kind: 'past', ...at }, lineAt);
        } else if (Object.hasOwn(unserved, type)) this.#builder.remark({ kind: 'unserved', ...at }, lineAt);
      }
      this.canPlace ||= mayPlace(document, all);
    }
  }

  /** Says what the source of a file did not deliver. */
  #lacks({ type, place, what, says }: UndeliveredPart, file: string, line: () => number): void {
    addCounts(this.report.undelivered, { [type]: 1 });
    const at = { file, ...(place ? { place } : {}) };
    this.#builder.remark({ kind: 'undelivered', type, id: '', ...at, why: `${what} ${says}` }, line);
  }

  /** Says what is known once all files were read. */
  end(): void {
    for (const { file, line, ...one } of this.#pages.missing) this.#lacks(one, file, () => line);
  }

  #say(): void {
    this.#posted = performance.now();
    this.#post({ ...this.progress });
  }
}

/** The loader of files, its report, and the ways in which it has written their documents. */
interface FilesLoad<L extends Loader> {
  loader: L;
  report: FilesReport;
  rewrites: readonly Rewrite[];
  /** The groups of people who may be one, among them patients of whom there is no Patient. */
  alike(absent: readonly string[]): KnownPerson[][];
}

/**
 * Loads files one after the other, as one load: references between them are resolved whatever their order. Where they
 * contradict each other, or two people are one as somebody has said, they are loaded again by another loader, with
 * other ids.
 */
export async function loadFiles<L extends Loader>(
  newLoader: () => L,
  files: NamedFile[],
  now: string,
  post: (progress: LoadProgress) => void,
  same: readonly SamePeople[] = [],
): Promise<FilesLoad<L>> {
  const rewrites: Rewrite[] = [];
  let loader = newLoader();
  const read = async (sources?: Sources): Promise<Load> => {
    const load = new Load(loader, files, now, post, sources, rewrites);
    for (const file of files) await load.file(file);
    load.end();
    return load;
  };
  const readAgain = (sources?: Sources): Promise<Load> => {
    loader.free?.();
    loader = newLoader();
    return read(sources);
  };
  let load = await read();
  const base = sourceBase(load);
  if (base !== undefined) rewrites.push((_, { text }) => relativeToBase(text, base));
  if (load.canPlace) rewrites.push((_, { text }) => withOnlyPatient(text));
  if (rewrites.length > 0) load = await readAgain();
  if (load.several.size > 0 || load.ofPatients.size > 1 || same.length > 0) {
    const sources = await Sources.of(files, load.several, same, rewrites);
    if (sources.isNeeded) {
      rewrites.push(sources.rewrite);
      load = await readAgain(sources);
      load.report.areApart = sources.areSeveral;
    }
  }
  return { loader, report: load.report, rewrites, alike: (absent) => load.alike.groups(absent) };
}

/**
 * The FHIR base of the server that resources on lines of their own are from: the one base of the patients whom they
 * name, where no Patient is known to be of another server.
 */
function sourceBase({ bases, ofPatients }: Load): string | undefined {
  const [only] = bases;
  return bases.size === 1 && [...ofPatients].every((base) => `${base}/` === only) ? only : undefined;
}
