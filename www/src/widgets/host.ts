//! The connection of a widget to the host that shows it: JSON-RPC over messages (MCP Apps, 2026-01-26). A widget knows
//! no other way out.

import { isObject } from '#reading/shape.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What the host tells without being asked. */
export type Told = (method: string, params: Json) => void;

const METHOD_NOT_FOUND = -32601;

export class Host {
  /** The theme, the locale and the styles of the host. */
  context: Json = {};
  /** What the host does for a widget. */
  abilities: Json = {};
  readonly #told: Told;
  readonly #waiting = new Map<unknown, PromiseWithResolvers<Json>>();
  #asked = 0;

  constructor(told: Told) {
    this.#told = told;
  }

  /** Sends a message. A widget does not know the origin of its host. */
  #send(message: Json): void {
    parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  /** Asks the host, and resolves to its answer. */
  request(method: string, params: Json): Promise<Json> {
    this.#asked += 1;
    const answer = Promise.withResolvers<Json>();
    this.#waiting.set(this.#asked, answer);
    this.#send({ id: this.#asked, method, params });
    return answer.promise;
  }

  #receive(message: unknown): void {
    if (!isObject(message) || message.jsonrpc !== '2.0') return;
    const { id, method, params, result, error } = message;
    if (typeof method !== 'string') {
      const answer = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (isObject(result)) answer?.resolve(result);
      else answer?.reject(new Error(isObject(error) ? String(error.message) : ''));
      return;
    }
    if (id === undefined) {
      const told = isObject(params) ? params : {};
      if (method === 'ui/notifications/host-context-changed') this.context = { ...this.context, ...told };
      this.#told(method, told);
    } else if (method === 'ping' || method === 'ui/resource-teardown') this.#send({ id, result: {} });
    else this.#send({ id, error: { code: METHOD_NOT_FOUND, message: method } });
  }

  /** Connects. After that, the host sends the arguments and the result of the tool. */
  async connect(name: string): Promise<void> {
    addEventListener('message', ({ source, data }) => {
      if (source === parent) this.#receive(data);
    });
    const { hostContext, hostCapabilities } = await this.request('ui/initialize', {
      protocolVersion: '2026-01-26',
      appInfo: { name, version: '1' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    });
    if (isObject(hostContext)) this.context = hostContext;
    if (isObject(hostCapabilities)) this.abilities = hostCapabilities;
    this.#send({ method: 'ui/notifications/initialized', params: {} });
    new ResizeObserver(() => {
      const { width, height } = document.documentElement.getBoundingClientRect();
      const params = { width: Math.ceil(width), height: Math.ceil(height) };
      this.#send({ method: 'ui/notifications/size-changed', params });
    }).observe(document.documentElement);
  }
}
