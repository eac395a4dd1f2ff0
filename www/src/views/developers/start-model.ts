//! The state of the page for a first query: the token, the query, and its answer.

import { signal } from '@preact/signals-core';
import { errorText } from '../../error-text.ts';
import type { TokenSource } from '../../export/programs.ts';
import type { Exchange } from '../../http/exchange.ts';
import { exchange } from '../../http/send.ts';
import { freshSandboxToken, takeSandboxToken } from '../../smart/backend.ts';
import { discover } from '../../smart/discovery.ts';
import { backendClient, loadSandbox } from '../../smart/sandbox.ts';
import { sandboxToken } from '../../smart/sandbox-token.ts';
import { BASE } from '../../smart/server.ts';
import { session } from '../../smart/session.ts';
import { TOKEN_PLACE } from '../../smart/token-place.ts';
import { files } from '../../source/files.ts';
import { server } from '../../source/server.ts';

/** The patient of the first query, from the sample. A sandbox without this patient names another. */
const PATIENT = 'amara-okafor';
/** The scope of the programs. It opens the records that they ask for, and no others. */
const SCOPE = 'system/Observation.read';

export class StartModel {
  /** `undefined` until the server has answered whether it is a sandbox. */
  readonly source = signal<TokenSource | undefined>(undefined);
  readonly patient = signal(PATIENT);
  readonly token = sandboxToken;
  /** True while the whole token is shown. */
  readonly isTokenShown = signal(false);
  readonly answer = signal<Exchange | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  readonly isBusy = signal(false);
  /** The index of the shown program in the list. */
  readonly language = signal(0);

  /** True while the server is not asked: the user's own files are open, and this page sends nothing by itself. */
  readonly isHeld = signal(files.value.is === 'open');

  constructor() {
    if (!this.isHeld.value) void this.#load();
  }

  /** Asks the server what it offers, although files are open. */
  release(): void {
    this.isHeld.value = false;
    void this.#load();
  }

  /** The first query, below the FHIR base. */
  get query(): string {
    return `Observation?patient=${encodeURIComponent(this.patient.value)}&category=laboratory&_count=3`;
  }

  get url(): string {
    return `${BASE}/${this.query}`;
  }

  /** True if the query can be sent: with a token of the sandbox, which is requested if needed, or with a session. */
  get canAsk(): boolean {
    return this.source.value?.client !== undefined || session.value !== undefined;
  }

  async takeToken(): Promise<void> {
    await this.#doing(async () => {
      await takeSandboxToken();
    });
  }

  /** Sends the first query, with a token of the sandbox or, if the server has no sandbox, with the session's. */
  async ask(): Promise<void> {
    await this.#doing(async () => {
      const token = this.source.value?.client ? await freshSandboxToken() : undefined;
      const headers = { Accept: 'application/fhir+json', Authorization: `Bearer ${token}` };
      this.answer.value = token ? await exchange(this.url, { headers }) : await server().search(this.query);
    });
  }

  async #doing(act: () => Promise<void>): Promise<void> {
    this.isBusy.value = true;
    this.problem.value = undefined;
    try {
      await act();
    } catch (error) {
      this.problem.value = errorText(error);
    }
    this.isBusy.value = false;
  }

  async #load(): Promise<void> {
    const [sandbox, smart] = await Promise.all([
      loadSandbox().catch(() => undefined),
      discover().catch(() => undefined),
    ]);
    const client = sandbox && backendClient(sandbox.clients);
    const [first] = sandbox?.patients ?? [];
    if (first && !sandbox?.patients.some(({ id }) => id === PATIENT)) this.patient.value = first.id;
    const tokenEndpoint = smart?.token_endpoint;
    this.source.value =
      client?.secret && tokenEndpoint
        ? { place: TOKEN_PLACE, client: { tokenEndpoint, id: client.client_id, secret: client.secret, scope: SCOPE } }
        : { place: TOKEN_PLACE };
  }
}
