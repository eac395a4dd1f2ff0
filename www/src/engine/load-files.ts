//! A load of files: each is read as a stream and given to the engine piece by piece. Faults have the line of the file.

import type { LoadReport } from '../../pkg/edgechart.js';
import { isOlder, isOlderType } from '../fhir/older.ts';
import {
  deletionsIn,
  documentsOf,
  isBundleWithoutEntries,
  lineOf,
  mayHaveDeletions,
  type PlacedResource,
  parsedDocument,
  resourceAt,
  resourcesIn,
} from './documents.ts';
import {
  addCounts,
  type FilesReport,
  type LoadProgress,
  type NamedFile,
  ReportBuilder,
  type SharedId,
} from './file-report.ts';
import { textOf } from './file-text.ts';
import { IdSpaces } from './id-spaces.ts';
import { hasOddId, withLegalIds, withOwnId } from './ids.ts';
import { type DescribedPatient, nameAndBirthDate, People } from './people.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { otherJson, readable, readFault } from './readable.ts';
import { mayBeWrapped } from './wrapped.ts';

/** The part of the engine that loads a text. */
export interface Loader {
  load(text: string, now: string): LoadReport;
  /** Gives its memory back. */
  free?(): void;
}

/** The characters of a piece: some thousand resources, which take a fraction of a second. */
const PIECE = 4_000_000;
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

/** The documents of a piece, each parsed at most once. */
class ParsedPiece {
  readonly #piece: Piece;
  readonly #documents: ReturnType<typeof documentsOf>;
  readonly #parsed = new Map<number, unknown>();

  constructor(piece: Piece) {
    this.#piece = piece;
    this.#documents = documentsOf(piece);
  }

  #parsedAt(i: number): unknown {
    const known = this.#parsed.get(i);
    if (known !== undefined) return known;
    const parsed = parsedDocument(this.#documents[i]?.text ?? '');
    this.#parsed.set(i, parsed);
    return parsed;
  }

  textAt(line: number | undefined): string {
    return this.#documents[this.#piece.byLine ? (line ?? 1) - 1 - this.#piece.before : 0]?.text ?? '';
  }

  documentAt(line = 1): unknown {
    return this.#parsedAt(this.#piece.byLine ? line - 1 - this.#piece.before : 0);
  }

  /** The resource at a line of the file and a place in its document. */
  at({ line, place = '' }: { line?: number; place?: string }): PlacedResource | undefined {
    return resourceAt(this.documentAt(line), place);
  }

  /** All resources, with their lines and their spaces: a Bundle, or the file. */
  *all(file: string): Generator<PlacedResource & { line: number; space: string }, void> {
    for (const [i, document] of this.#documents.entries()) {
      const parsed = this.#parsedAt(i);
      this.#parsed.delete(i);
      for (const one of resourcesIn(parsed)) {
        yield { ...one, line: lineOf(document, one), space: IdSpaces.nameOf(file, document, one) };
      }
    }
  }
}

class Load {
  readonly progress: LoadProgress;
  readonly people = new People();
  /** The number of records that name a shared id and do not tell whom they mean, by that id. */
  readonly unclear: Record<string, number> = Object.create(null);
  readonly #builder = new ReportBuilder();
  readonly #loader: Loader;
  readonly #now: string;
  readonly #post: (progress: LoadProgress) => void;
  readonly #spaces: IdSpaces | undefined;
  #posted = 0;

  constructor(
    loader: Loader,
    files: NamedFile[],
    now: string,
    post: (progress: LoadProgress) => void,
    spaces: IdSpaces | undefined,
  ) {
    this.#loader = loader;
    this.#now = now;
    this.#post = post;
    this.#spaces = spaces;
    const allBytes = files.reduce((sum, { file }) => sum + file.size, 0);
    this.progress = { bytes: 0, allBytes, resources: 0, done: 0, files: files.length };
  }

  get report(): FilesReport {
    return this.#builder.report;
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
        this.#builder.lose('');
        this.#builder.fault({ file: name, ...readFault(error) });
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

  #take(file: string, read: Piece): void {
    if (read.text.trim() === '') {
      this.#builder.fault({ file, code: 'empty' });
      return;
    }
    const piece = this.#mended(file, read);
    const { text, before, byLine } = piece;
    const { resources, refused, unserved, replaced } = this.#loader.load(
      byLine ? EMPTY_DOCUMENT + text : text,
      this.#now,
    );
    const parsed = new ParsedPiece(piece);
    const mayBeUnclear = this.#spaces !== undefined && text.includes('-unclear-');
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
      this.#builder.remark({ kind: why, type, id, file, ...place });
    }
    if (!byLine && resources === 0 && refused.length === 0 && isBundleWithoutEntries(parsed.documentAt()))
      this.#builder.fault({ file, code: 'no-entries' });
    this.progress.resources = this.report.taken;
    addCounts(this.report.unserved, unserved);
    if (mayHaveDeletions(text)) this.#delete(file, piece);
    this.#look(file, parsed, unserved, mayBeUnclear);
  }

  /** Deletes what entries say to be gone. They are told as the deletions that requests make. */
  #delete(file: string, piece: Piece): void {
    for (const document of documentsOf(piece)) {
      const deletions = mayHaveDeletions(document.text) && deletionsIn(parsedDocument(document.text));
      if (!deletions) continue;
      this.#loader.load(JSON.stringify(deletions), this.#now);
      for (const one of resourcesIn(deletions)) {
        this.#builder.remark({ kind: 'deleted', type: one.type, id: one.id, file, line: document.before + 1 });
      }
    }
  }

  #refuse(file: string, place: { line?: number; place?: string }, why: string, parsed: ParsedPiece): void {
    const kept = KEPT.find(([reason]) => reason.test(why))?.[1];
    const found = parsed.at(place);
    const type = found?.type || typeIn(parsed.textAt(place.line));
    if (kept === undefined) this.#builder.lose(type);
    else if (kept !== 'stray') {
      const reason = kept === 'mended' ? { why } : {};
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

  /** The piece with ids that FHIR allows, and that are not those of another person. */
  #mended(file: string, piece: Piece): Piece {
    if (!this.#spaces && !hasOddId(piece.text) && !mayBeWrapped(piece.text)) return piece;
    const documents = documentsOf(piece).map((document) => {
      const { text, replaced } = withLegalIds(document.text);
      for (const one of replaced) {
        const { type, id, legal, place } = one;
        const at = { line: lineOf(document, one), ...(place ? { place } : {}) };
        this.#builder.remark({ kind: 'mended', type, id: legal, file, ...at, why: id });
      }
      return this.#spaces ? this.#spaces.renamed(file, { ...document, text }) : text;
    });
    return { ...piece, text: documents.join('\n') };
  }

  /** Looks at the resources of a piece for what the engine does not tell. */
  #look(file: string, parsed: ParsedPiece, unserved: Record<string, number>, mayBeUnclear: boolean): void {
    for (const { line, place, space, ...one } of parsed.all(file)) {
      const { type, id } = one;
      const at = { type, id, file, line, ...(place ? { place } : {}) };
      if (!this.#spaces) this.people.note({ ...one, place }, space);
      const unclear = mayBeUnclear ? this.#unclearIn(one.resource) : undefined;
      if (unclear !== undefined) {
        addCounts(this.unclear, { [unclear]: 1 });
        this.#builder.remark({ kind: 'unclear', ...at, why: unclear });
      }
      // A Patient is read all the same, to know whose a chart is.
      if (type !== 'Patient' && isOlder(one.resource)) {
        if (!isOlderType(type)) addCounts(this.report.older, { [type]: 1 });
        this.#builder.remark({ kind: 'past', ...at });
      } else if (Object.hasOwn(unserved, type)) this.#builder.remark({ kind: 'unserved', ...at });
    }
  }

  /** The shared id that a resource names without telling whom of its people it means. */
  #unclearIn(resource: object): string | undefined {
    for (const [, id = ''] of JSON.stringify(resource).matchAll(/"Patient\/([A-Za-z0-9.-]+)["/]/g)) {
      const unclear = this.#spaces?.unclear.get(id);
      if (unclear) return unclear.id;
    }
    return undefined;
  }

  /** Says of whom there are two with one id, and of whom there are forms that differ in name or birth date. */
  tellPeople(people: People, patientId: (one: DescribedPatient) => string): void {
    const tell = (kind: 'twin' | 'corrected', id: string, { patient, space }: DescribedPatient): void =>
      this.#builder.remark({
        kind,
        type: 'Patient',
        id,
        ...IdSpaces.placeOf(space),
        why: nameAndBirthDate(patient),
      });
    for (const one of people.twins) tell('twin', one.id, one);
    for (const one of people.corrected) tell('corrected', patientId(one), one);
  }

  #say(): void {
    this.#posted = performance.now();
    this.#post({ ...this.progress });
  }
}

/** What loaded the files, and its report. */
export interface FilesLoad<L extends Loader> {
  loader: L;
  report: FilesReport;
}

/**
 * Loads files one after the other, as one load: references between them are resolved whatever their order. Where two
 * people have one id, the files are loaded again by another loader, and each file has people of its own.
 */
export async function loadFiles<L extends Loader>(
  newLoader: () => L,
  files: NamedFile[],
  now: string,
  post: (progress: LoadProgress) => void,
): Promise<FilesLoad<L>> {
  const loader = newLoader();
  const load = new Load(loader, files, now, post, undefined);
  for (const file of files) await load.file(file);
  const { people } = load;
  if (people.sharedIds.size === 0) {
    load.tellPeople(people, ({ id }) => id);
    return { loader, report: load.report };
  }
  const spaces = await IdSpaces.of(files, people);
  loader.free?.();
  const other = newLoader();
  const again = new Load(other, files, now, post, spaces);
  for (const file of files) await again.file(file);
  again.tellPeople(people, ({ id, at }) => spaces.patientId(id, at));
  again.report.sharedIds = sharedIds(people, spaces, again.unclear);
  return { loader: other, report: again.report };
}

/** The ids that several people have, and the numbers of the records that may be of any of them. */
function sharedIds(people: People, spaces: IdSpaces, records: Readonly<Record<string, number>>): SharedId[] {
  const all = new Map<string, SharedId>();
  for (const { id, at, patient, space } of people.shared) {
    const shared = all.get(id) ?? { id, people: [], unclear: [], records: records[id] ?? 0 };
    const { file } = IdSpaces.placeOf(space);
    shared.people.push({ patient: spaces.patientId(id, at), who: nameAndBirthDate(patient), file });
    all.set(id, shared);
  }
  for (const [patient, { id, space }] of spaces.unclear) {
    all.get(id)?.unclear.push({ patient, file: IdSpaces.placeOf(space).file });
  }
  return [...all.values()];
}
