//! Loads files: each is read as a stream and given to the engine in pieces. Faults have the line number of the file.

import { isOlder, isOlderType } from '#reading/versions/is-older.ts';
import type { LoadReport } from '../../../pkg/edgechart.js';
import { isPlaced, mayPlace, withOnlyPatient } from '../documents/claim.ts';
import { isBundleWithoutResources, lineOf, type PlacedResource } from '../documents/documents.ts';
import { baseIn } from '../documents/entries.ts';
import { patientBases, relativeToBase, withOwnId } from '../documents/ids.ts';
import { linksOf } from '../documents/linked.ts';
import { ParsedPiece } from '../documents/parsed-piece.ts';
import { isSubset, missingBy, Pages, type UndeliveredPart } from '../documents/undelivered.ts';
import type { Piece } from '../text/pieces.ts';
import { enginePiece, filePieces, type Rewrite } from './file-documents.ts';
import * as reports from './file-report.ts';
import { otherJson, readFault } from './readable.ts';
import { SimilarPatients } from './similar-patients.ts';
import { Sources } from './sources.ts';

/** The part of the engine that loads a text. */
export interface Loader {
  load(text: string, now: string): LoadReport;
  /** Frees its memory. */
  free?(): void;
}

/** The time between two progress reports while a long document is read, in milliseconds. */
const REPORT_INTERVAL = 150;
/** An empty document on a line of its own. The engine reads a text that begins with it line by line. */
const EMPTY_DOCUMENT = '{"resourceType":"Bundle"}\n';

/** Converts a place that the engine reports for a piece, such as `line 3, Bundle.entry[1]`, to a place in the file. */
export function placeInFile(where: string, before: number): { line?: number; place?: string } {
  const [, line, place] = /^line (\d+)(?:, (.+))?$/.exec(where) ?? [];
  if (line === undefined) return where ? { place: where } : {};
  return { line: Number(line) + before, ...(place ? { place } : {}) };
}

/** Returns the reason for a fault, without the line number within a document of one line. */
export const reasonIn = (why: string, byLine: boolean): string =>
  byLine ? why.replace(/ at line 1 column (\d+)$/, ', at character $1') : why;

/** The engine's refusals after which a form of the resource is kept, and what each means. */
const KEPT: [RegExp, 'older' | 'mended' | 'stray'][] = [
  [/^\S+ comes again with another content/, 'older'],
  [/It counts as that of the load$/, 'mended'],
  [/^\S+ belongs to nobody: /, 'stray'],
];

/** The engine's refusal of a resource without an id. Such a resource is given one. */
const WITHOUT_ID = /^[A-Za-z]+ without an id$/;

/** Returns the type of the resource in a faulty line, or the empty string if the type is unclear. */
export function typeIn(line: string): string {
  const types = [...line.matchAll(/"resourceType"\s*:\s*"([A-Za-z]+)"/g)].map(([, type = '']) => type);
  return types.length === 1 && types[0] !== 'Bundle' ? (types[0] ?? '') : '';
}

interface LoadOptions {
  load: (text: string) => LoadReport;
  files: reports.NamedFile[];
  post: (progress: reports.LoadProgress) => void;
  sources: Sources | undefined;
  rewrites: readonly Rewrite[];
}

/** Returns the address of a resource in a file, for a remark. */
const addressOf = ({ type, id, place }: Pick<PlacedResource, 'type' | 'id' | 'place'>, file: string) => ({
  ...{ type, id, file },
  ...(place ? { place } : {}),
});

class Load {
  readonly progress: reports.LoadProgress;
  readonly alike: SimilarPatients;
  /** The addresses of records that have several forms. */
  readonly several = new Set<string>();
  /** The FHIR bases of the patients that resources on lines of their own refer to. */
  readonly bases = new Set<string>();
  /** The FHIR bases in the full URLs of Patients. */
  readonly ofPatients = new Set<string>();
  /** True if a document with a single Patient has records without a patient. */
  canPlace = false;
  readonly #pages = new Pages();
  readonly #builder = new reports.ReportBuilder();
  readonly #load: (text: string) => LoadReport;
  readonly #post: (progress: reports.LoadProgress) => void;
  readonly #rewrites: readonly Rewrite[];
  #posted = 0;

  constructor({ load, files, post, sources, rewrites }: LoadOptions) {
    this.#load = load;
    this.#post = post;
    this.#rewrites = rewrites;
    this.alike = new SimilarPatients(sources);
    const allBytes = files.reduce((sum, { file }) => sum + file.size, 0);
    this.progress = { bytes: 0, allBytes, resources: 0, done: 0, files: files.length };
  }

  get report(): reports.FilesReport {
    return this.#builder.report;
  }

  /** Loads one file. A read error becomes a fault of the file; an error of the engine ends the load. */
  async file({ name, file }: reports.NamedFile): Promise<void> {
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
    const { resources, refused, unserved, replaced } = this.#load(byLine ? EMPTY_DOCUMENT + text : text);
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
    reports.addCounts(this.report.unserved, unserved);
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

  /** Loads a document that is a resource without an id, with an id that is derived from its text. */
  #takeWithId(file: string, place: { line?: number; place?: string }, text: string): boolean {
    const { resources, refused } = this.#load(withOwnId(text));
    if (resources !== 1 || refused.length > 0) return false;
    this.report.taken += resources;
    this.#builder.remark({ kind: 'mended', type: typeIn(text), id: '', file, ...place, why: '' });
    return true;
  }

  /** The piece with records of R4, and with ids that FHIR allows and that are not those of another record. */
  #written(file: string, piece: Piece, parsed: ParsedPiece): Piece {
    return enginePiece(file, piece, this.#rewrites, parsed, ({ given, replaced, changed }) => {
      for (const one of replaced) {
        const at = addressOf({ ...one, id: one.legal }, file);
        this.#builder.remark({ kind: 'mended', ...at, why: one.id }, () => lineOf(given, one));
      }
      for (const one of changed) {
        const isR5 = one.from === 'R5';
        reports.addCounts(isR5 ? this.report.fromR5 : this.report.fromOlder, { [one.type]: 1 });
        const kind = isR5 ? 'from-r5' : 'from-older';
        this.#builder.remark({ kind, ...addressOf(one, file) }, () => lineOf(given, one));
      }
    });
  }

  /** Collects from the resources of a piece what the engine does not report. */
  #look(file: string, parsed: ParsedPiece, unserved: Record<string, number>): void {
    for (const { document, line: first, resources } of parsed.all()) {
      for (const one of this.#pages.note(document, file, first)) this.#lacks(one, file, () => first);
      const all: PlacedResource[] = [];
      for (const { placed, lineAt } of resources) {
        const { type, id, place, resource } = placed;
        const at = addressOf(placed, file);
        if (this.#rewrites.length === 0 && !this.canPlace && place !== '') all.push(placed);
        if (type === 'Patient') {
          const base = baseIn(placed.fullUrl, type);
          if (base !== '') this.ofPatients.add(base);
          this.alike.note(placed, file);
          this.report.linked.push(...linksOf(resource, id));
        }
        if (isPlaced(resource)) this.#builder.remark({ kind: 'placed', ...at }, lineAt);
        if (isSubset(resource)) this.#builder.remark({ kind: 'subset', ...at }, lineAt);
        const missing = type === 'OperationOutcome' ? missingBy(resource) : undefined;
        if (missing !== undefined) this.#lacks({ type: '', place, what: 'error', says: missing }, file, lineAt);
        // A Patient is read even if it is of an older version, since the chart needs its name.
        if (type !== 'Patient' && isOlder(resource)) {
          if (!isOlderType(type)) reports.addCounts(this.report.older, { [type]: 1 });
          this.#builder.remark({ kind: 'past', ...at }, lineAt);
        } else if (Object.hasOwn(unserved, type)) this.#builder.remark({ kind: 'unserved', ...at }, lineAt);
      }
      this.canPlace ||= mayPlace(document, all);
    }
  }

  /** Reports a part that the source of a file did not deliver. */
  #lacks({ type, place, what, says }: UndeliveredPart, file: string, line: () => number): void {
    reports.addCounts(this.report.undelivered, { [type]: 1 });
    const at = addressOf({ type, id: '', place }, file);
    this.#builder.remark({ kind: 'undelivered', ...at, why: `${what} ${says}` }, line);
  }

  /** Reports the missing pages, which are known once all files are read. */
  end(): void {
    for (const { file, line, ...one } of this.#pages.missing) this.#lacks(one, file, () => line);
  }

  #say(): void {
    this.#posted = performance.now();
    this.#post({ ...this.progress });
  }
}

/** The result of a load: the loader with the records, its report, and the rewrites that it applied. */
interface FilesLoad<L extends Loader> {
  loader: L;
  report: reports.FilesReport;
  rewrites: readonly Rewrite[];
  /** Returns the groups of people who may be one. `absent` lists patients without a Patient resource. */
  alike(absent: readonly string[]): reports.KnownPerson[][];
}

/**
 * Loads files one after the other, as one load: references between files are resolved in any order. If the files
 * contradict each other, or the user has declared two people to be one, the files are loaded again with other ids and a
 * new loader.
 */
export async function loadFiles<L extends Loader>(
  newLoader: () => L,
  files: reports.NamedFile[],
  now: string,
  post: (progress: reports.LoadProgress) => void,
  same: readonly reports.SamePeople[] = [],
): Promise<FilesLoad<L>> {
  const rewrites: Rewrite[] = [];
  let loader = newLoader();
  const read = async (sources?: Sources): Promise<Load> => {
    const load = new Load({ load: (text) => loader.load(text, now), files, post, sources, rewrites });
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
 * Returns the FHIR base of the server that resources on lines of their own come from: the only base of the patients
 * that they refer to, unless a Patient is known to come from another server.
 */
function sourceBase({ bases, ofPatients }: Load): string | undefined {
  const [only] = bases;
  return bases.size === 1 && [...ofPatients].every((base) => `${base}/` === only) ? only : undefined;
}
