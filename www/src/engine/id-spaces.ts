//! The parts of files in which an id has one meaning: a Bundle, or a file of resources by line. Where two parts have
//! two people under one id, the ids of one of them are made others, so that nothing of the two comes together.

import { documentsOf, type PlacedResource, parsedDocument, resourcesIn, type TextDocument } from './documents.ts';
import type { NamedFile } from './file-report.ts';
import { textOf } from './file-text.ts';
import { isLegalId, legalId, withIds, withLegalIds } from './ids.ts';
import type { People } from './people.ts';
import { piecesOf } from './pieces.ts';
import { readable } from './readable.ts';

/** The characters of a piece. */
const PIECE = 4_000_000;

interface IdSpace {
  suffix: string;
  /** The addresses of its resources. */
  own: Set<string>;
  /** True if it has two people of one id. */
  isMixed: boolean;
}

export class IdSpaces {
  readonly #all: ReadonlyMap<string, IdSpace>;
  readonly #shared: ReadonlySet<string>;

  constructor(all: ReadonlyMap<string, IdSpace>, shared: ReadonlySet<string>) {
    this.#all = all;
    this.#shared = shared;
  }

  /** The name of the space of a resource: an entry has that of its Bundle, another one that of its file. */
  static nameOf(file: string, { before }: TextDocument, { place }: Pick<PlacedResource, 'place'>): string {
    return place === '' ? file : `${file}\n${before + 1}`;
  }

  /** The place of a space. */
  static placeOf(space: string): { file: string; line?: number } {
    const [file = '', line] = space.split('\n');
    return { file, ...(line ? { line: Number(line) } : {}) };
  }

  /** Reads files for the addresses in their spaces. */
  static async of(files: NamedFile[], people: People): Promise<IdSpaces> {
    const own = new Map<string, Set<string>>();
    const mentioned = new Map<string, Set<string>>();
    const shared = people.sharedIds;
    const note = (all: Map<string, Set<string>>, space: string, text: string): void => {
      all.set(space, (all.get(space) ?? new Set()).add(text));
    };
    for (const { name, file } of files) {
      const pieces = piecesOf(readable(textOf(file, () => undefined)), PIECE);
      try {
        for await (const piece of pieces) {
          for (const document of documentsOf(piece)) {
            const { text } = withLegalIds(document.text);
            const placed = [...resourcesIn(parsedDocument(text))];
            for (const one of placed) note(own, IdSpaces.nameOf(name, document, one), `${one.type}/${one.id}`);
            const [first] = placed;
            if (!first) continue;
            for (const [, id = ''] of text.matchAll(/Patient\/([A-Za-z0-9.-]{1,64})(?=["/])/g)) {
              if (shared.has(id)) note(mentioned, IdSpaces.nameOf(name, document, first), id);
            }
          }
        }
      } catch {
        // The fault of a file that cannot be read to its end is told by the load.
      }
    }
    const all = new Map<string, IdSpace>();
    for (const [space, addresses] of own) {
      const suffix = people.suffixOf(space, (id) => mentioned.get(space)?.has(id) ?? false);
      if (suffix !== undefined) all.set(space, { suffix, own: addresses, isMixed: people.isMixed(space) });
    }
    return new IdSpaces(all, shared);
  }

  /** A document with the ids of its space. */
  renamed(file: string, document: TextDocument): string {
    const placed = [...resourcesIn(parsedDocument(document.text))];
    const [first] = placed;
    const space = first && this.#all.get(IdSpaces.nameOf(file, document, first));
    if (!space) return document.text;
    const other = (id: string): string => {
      const long = `${id}-${space.suffix}`;
      return isLegalId(long) ? long : legalId(long);
    };
    // Of two people in one file of lines, each has an id of its own, and neither has the records.
    const idOf = ({ type, id, place, resource }: PlacedResource): string =>
      space.isMixed && type === 'Patient' && this.#shared.has(id) && place === ''
        ? legalId(`${id} ${JSON.stringify(resource)}`)
        : other(id);
    const ofOwn = new Map(placed.map((one) => [one.id, idOf(one)]));
    return withIds(document.text, ofOwn, (type, id) =>
      space.own.has(`${type}/${id}`) || (type === 'Patient' && this.#shared.has(id)) ? other(id) : undefined,
    );
  }
}
