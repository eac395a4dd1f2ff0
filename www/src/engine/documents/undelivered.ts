//! Finds parts that a source did not deliver, as the files themselves say: further pages of a search, errors beside the
//! records, failed responses of a batch.

import { isObject } from '#reading/shape.ts';
import { type Members, objectsIn, textAt } from './documents.ts';

/** A part that was not delivered. */
export interface UndeliveredPart {
  /** The type of the records; the empty string if it is not known. */
  type: string;
  place: string;
  /** `page`: a further page of a search; `total`: the rest of its matches; `error`: an error beside the records. */
  what: 'page' | 'total' | 'error';
  /** The number of matches that the source reports, or the message of an error. */
  says: string;
}

const linkOf = (bundle: Members, ...relations: string[]): string =>
  textAt(
    objectsIn(bundle.link).find((link) => relations.includes(textAt(link, 'relation'))),
    'url',
  );

/** Returns the type in the URL of a search, or the empty string. */
const typeIn = (url: string): string => /(?:^|\/)([A-Z][A-Za-z]+)(?:\/_search)?(?:\?|$)/.exec(url)?.[1] ?? '';

/** Issue codes which say that something is missing, whatever the severity. */
const MISSING = new Set(['incomplete', 'suppressed', 'too-costly', 'throttled', 'timeout', 'forbidden', 'security']);

/** Returns the messages of an outcome that says that something is missing, or `undefined` for another outcome. */
export function missingBy(outcome: unknown): string | undefined {
  const issues = isObject(outcome) ? objectsIn(outcome.issue) : [];
  const grave = issues.filter(
    (issue) => ['error', 'fatal'].includes(textAt(issue, 'severity')) || MISSING.has(textAt(issue, 'code')),
  );
  if (grave.length === 0) return undefined;
  const words = grave.map(
    (issue) => textAt(issue.details, 'text') || textAt(issue, 'diagnostics') || textAt(issue, 'code'),
  );
  return [...new Set(words)].join(' ');
}

/** Yields the failed responses of a batch. A deletion (410) is not a failure. */
function* failedAnswers({ entry }: Members): Generator<UndeliveredPart, void> {
  for (const [i, one] of (Array.isArray(entry) ? entry : []).entries()) {
    if (!isObject(one) || one.resource !== undefined || !isObject(one.response)) continue;
    const status = textAt(one.response, 'status');
    if (!/^[45]\d\d/.test(status) || status.startsWith('410')) continue;
    const says = missingBy(one.response.outcome) ?? `HTTP ${status}`;
    const type = typeIn(textAt(one.request, 'url') || textAt(one, 'fullUrl'));
    yield { type, place: `Bundle.entry[${i}]`, what: 'error', says };
  }
}

/** The search pages of a load. The pages of a search may be in several files. */
export class Pages {
  readonly #open: { file: string; line: number; next: string; total: string }[] = [];
  readonly #selves = new Set<string>();
  /** The URLs of pages that have a previous page. */
  readonly #further = new Set<string>();

  /** Yields the parts that a document lacks. Missing pages are reported by `missing`, when all pages are known. */
  *note(document: unknown, file: string, line: number): Generator<UndeliveredPart, void> {
    if (!isObject(document) || document.resourceType !== 'Bundle') return;
    yield* failedAnswers(document);
    if (document.type !== 'searchset') return;
    const [self, next, before] = [['self'], ['next'], ['previous', 'prev']].map((all) => linkOf(document, ...all));
    const total = typeof document.total === 'number' ? document.total : 0;
    if (self) this.#selves.add(self);
    if (self && before) this.#further.add(self);
    if (next) this.#open.push({ file, line, next, total: total > 0 ? String(total) : '' });
    const matches = objectsIn(document.entry).filter(({ search }) => !/include|outcome/.test(textAt(search, 'mode')));
    if (next || before || total <= matches.length || matches.length === 0) return;
    yield { type: typeIn(self ?? ''), place: '', what: 'total', says: String(total) };
  }

  /** The further pages that no file has. */
  get missing(): (UndeliveredPart & { file: string; line: number })[] {
    const named = new Set(this.#open.map(({ next }) => next));
    // The `self` link of a page may differ from the `next` link of the page before.
    const spare = [...this.#further].filter((self) => !named.has(self)).map(typeIn);
    return this.#open.flatMap(({ file, line, next, total }) => {
      if (this.#selves.has(next)) return [];
      const at = spare.indexOf(typeIn(next));
      if (at >= 0) {
        spare.splice(at, 1);
        return [];
      }
      return [{ file, line, type: typeIn(next), place: '', what: 'page' as const, says: total }];
    });
  }
}

/** Returns whether a resource is marked as incomplete (<https://hl7.org/fhir/R4/search.html#summary>). */
export const isSubset = ({ meta }: Members): boolean =>
  isObject(meta) && objectsIn(meta.tag).some((tag) => textAt(tag, 'code') === 'SUBSETTED');
