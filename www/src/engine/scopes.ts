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

interface Scope {
  suffix: string;
  /** The addresses of its resources. */
  own: Set<string>;
  /** True if it has two people of one id. */
  isMixed: boolean;
}

export class Scopes {
  readonly #all: ReadonlyMap<string, Scope>;
  readonly #shared: ReadonlySet<string>;

  constructor(all: ReadonlyMap<string, Scope>, shared: ReadonlySet<string>) {
    this.#all = all;
    this.#shared = shared;
  }

  /** The name of the scope of a resource: an entry has that of its Bundle, another one that of its file. */
  static nameOf(file: string, { before }: TextDocument, { place }: Pick<PlacedResource, 'place'>): string {
    return place === '' ? file : `${file}\n${before + 1}`;
  }

  /** The place of a scope. */
  static placeOf(scope: string): { file: string; line?: number } {
    const [file = '', line] = scope.split('\n');
    return { file, ...(line ? { line: Number(line) } : {}) };
  }

  /** Reads files for the addresses in their scopes. */
  static async of(files: NamedFile[], people: People): Promise<Scopes> {
    const own = new Map<string, Set<string>>();
    const mentioned = new Map<string, Set<string>>();
    const shared = people.sharedIds;
    const note = (all: Map<string, Set<string>>, scope: string, text: string): void => {
      all.set(scope, (all.get(scope) ?? new Set()).add(text));
    };
    for (const { name, file } of files) {
      const pieces = piecesOf(readable(textOf(file, () => undefined)), PIECE);
      try {
        for await (const piece of pieces) {
          for (const document of documentsOf(piece)) {
            const { text } = withLegalIds(document.text);
            const placed = [...resourcesIn(parsedDocument(text))];
            for (const one of placed) note(own, Scopes.nameOf(name, document, one), `${one.type}/${one.id}`);
            const [first] = placed;
            if (!first) continue;
            for (const [, id = ''] of text.matchAll(/Patient\/([A-Za-z0-9.-]{1,64})(?=["/])/g)) {
              if (shared.has(id)) note(mentioned, Scopes.nameOf(name, document, first), id);
            }
          }
        }
      } catch {
        // The fault of a file that cannot be read to its end is told by the load.
      }
    }
    const all = new Map<string, Scope>();
    for (const [scope, addresses] of own) {
      const suffix = people.suffixOf(scope, (id) => mentioned.get(scope)?.has(id) ?? false);
      if (suffix !== undefined) all.set(scope, { suffix, own: addresses, isMixed: people.isMixed(scope) });
    }
    return new Scopes(all, shared);
  }

  /** A document with the ids of its scope. */
  renamed(file: string, document: TextDocument): string {
    const placed = [...resourcesIn(parsedDocument(document.text))];
    const [first] = placed;
    const scope = first && this.#all.get(Scopes.nameOf(file, document, first));
    if (!scope) return document.text;
    const other = (id: string): string => {
      const long = `${id}-${scope.suffix}`;
      return isLegalId(long) ? long : legalId(long);
    };
    // Of two people in one file of lines, each has an id of its own, and neither has the records.
    const idOf = ({ type, id, place, resource }: PlacedResource): string =>
      scope.isMixed && type === 'Patient' && this.#shared.has(id) && place === ''
        ? legalId(`${id} ${JSON.stringify(resource)}`)
        : other(id);
    const ofOwn = new Map(placed.map((one) => [one.id, idOf(one)]));
    return withIds(document.text, ofOwn, (type, id) =>
      scope.own.has(`${type}/${id}`) || (type === 'Patient' && this.#shared.has(id)) ? other(id) : undefined,
    );
  }
}
