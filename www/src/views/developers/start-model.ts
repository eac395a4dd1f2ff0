//! The state of the page for a first query: the token, the query beside its answer, and the chosen language.

import { signal } from '@preact/signals-core';
import { Clock } from '../../drawing.ts';
import { attempt } from '../../error-text.ts';
import type { TokenSource } from '../../export/snippets.ts';
import type { Exchange } from '../../http/exchange.ts';
import { askWithSandboxToken, takeSandboxToken } from '../../smart/backend.ts';
import { discover } from '../../smart/discovery.ts';
import { backendClient, loadSandbox } from '../../smart/sandbox.ts';
import { sandboxToken } from '../../smart/sandbox-token.ts';
import { BASE } from '../../smart/server.ts';
import { session } from '../../smart/session.ts';
import { TOKEN_PLACE } from '../../smart/token-place.ts';
import { files } from '../../source/files.ts';
import { Trial } from './trial.ts';

/** The patient of the first query, from the sample. A sandbox without this patient names another. */
const PATIENT = 'amara-okafor';
/** The scope of the commands. It opens the records that they ask for, and no others. */
const SCOPE = 'system/Observation.read';

/** The first query, below the FHIR base. */
const queryOf = (patient: string): string =>
  `Observation?patient=${encodeURIComponent(patient)}&category=laboratory&_count=3`;

export class StartModel extends Trial {
  /** `undefined` until the server has answered whether it is a sandbox. */
  readonly source = signal<TokenSource | undefined>(undefined);
  readonly patient = signal(PATIENT);
  readonly token = sandboxToken;
  /** The reason why no token came. */
  readonly refusal = signal<string | undefined>(undefined);
  readonly clock = new Clock(1_000);
  /** True if neither the server nor its list of users answered. */
  readonly isOffline = signal(false);
  /** True while the query is shown as commands for a shell, and not as a request. */
  readonly isForShell = signal(false);

  /** True while the server is not asked: the user has chosen files, and this page sends nothing by itself. */
  readonly isHeld = signal(files.value.is !== 'closed');

  constructor() {
    super(`${new URL(BASE).pathname}/${queryOf(PATIENT)}`);
    this.begin();
    if (!this.isHeld.value) void this.#load();
  }

  /** Asks the server what it offers, although files are open. */
  release(): void {
    this.isHeld.value = false;
    void this.#load();
  }

  get url(): string {
    return `${BASE}/${queryOf(this.patient.value)}`;
  }

  /** True if the query can be sent: with a token of the sandbox, which is requested if needed, or with a session. */
  get canAsk(): boolean {
    return this.source.value?.client !== undefined || session.value !== undefined;
  }

  async takeToken(): Promise<void> {
    this.isBusy.value = true;
    await attempt(this.refusal, takeSandboxToken);
    this.isBusy.value = false;
  }

  /** Sends the query with a token of the sandbox or, if the server has no sandbox, with the session's. */
  protected override async fromServer(): Promise<Exchange> {
    return this.source.value?.client ? askWithSandboxToken(this.url) : super.fromServer();
  }

  async #load(): Promise<void> {
    const [sandbox, smart] = await Promise.all([
      loadSandbox().catch(() => undefined),
      discover().catch(() => undefined),
    ]);
    const client = sandbox && backendClient(sandbox.clients);
    const [first] = sandbox?.patients ?? [];
    if (first && !sandbox?.patients.some(({ id }) => id === PATIENT)) this.patient.value = first.id;
    this.target.value = new URL(this.url).pathname + new URL(this.url).search;
    this.isOffline.value = !sandbox && !smart;
    const tokenEndpoint = smart?.token_endpoint;
    this.source.value =
      client?.secret && tokenEndpoint
        ? { place: TOKEN_PLACE, client: { tokenEndpoint, id: client.client_id, secret: client.secret, scope: SCOPE } }
        : { place: TOKEN_PLACE };
  }
}
