//! The texts of documents for the search of a chart: sections, and attachments that need no request to a server.

import { binaryOf, textsIn, textsOfBinary } from '#reading/documents/texts-in-record.ts';
import { recordAddress } from '#reading/fhir/record-address.ts';
import type { Resource } from '#reading/fhir/types.ts';
import type { ChartStore } from '../../chart/loading/store.ts';
import { words } from '../../language/language.ts';

/** The most files that are read for one chart. Others are counted as not searched. */
const MAX = 300;

/** The texts of a chart's documents, and the number of files that are not searched. */
export class DocumentTexts {
  readonly #store: ChartStore;
  /** The number of files that are not searched, by the record that has them. */
  readonly #unread = new Map<string, number>();
  #read = 0;

  constructor(store: ChartStore) {
    this.#store = store;
  }

  /** The number of files that are not searched. */
  get unread(): number {
    return [...this.#unread.values()].reduce((sum, n) => sum + n, 0);
  }

  /** Returns the texts of a record. Files that need a request to a server are not read. */
  async of(resource: Resource): Promise<string[]> {
    const { texts, unread } = textsIn(words(), resource);
    if (unread.length === 0) return texts;
    let missing = 0;
    for (const attachment of unread) {
      const address = this.#store.source.name === 'session' ? undefined : binaryOf(attachment);
      const found =
        address && this.#read < MAX ? textsOfBinary(words(), attachment, await this.#binary(address)) : undefined;
      if (found) texts.push(...found);
      else missing += 1;
    }
    this.#unread.set(recordAddress(resource), missing);
    return texts;
  }

  async #binary(address: string): Promise<unknown> {
    this.#read += 1;
    try {
      return (await this.#store.source.read(address)).body;
    } catch {
      return undefined;
    }
  }
}
