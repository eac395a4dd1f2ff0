//! The state of the launch form: who signs in, the requested scopes, and the launch that they make.

import { type Signal, signal } from '@preact/signals-core';
import { engine } from '../../engine/client.ts';
import type { ScopeTable } from '../../engine/types.ts';
import { errorText } from '../../error-text.ts';
import { words } from '../../language/language.ts';
import { type PreparedLaunch, prepareLaunch } from '../../smart/launch.ts';
import { loadSandbox, type SandboxUser, usersFor } from '../../smart/sandbox.ts';
import { defaultScopes, scopeGroups } from '../../smart/scopes.ts';

export class LaunchModel {
  readonly kind: 'patient' | 'practitioner';
  readonly scopes: Signal<ReadonlySet<string>>;
  /** The users whom the sandbox suggests; none outside of a sandbox. */
  readonly users = signal<SandboxUser[]>([]);
  /** True until the server has said whether it has users to suggest. */
  readonly isAsking = signal(true);
  readonly user = signal<SandboxUser | undefined>(undefined);
  readonly prepared = signal<PreparedLaunch | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  readonly #words = signal<ScopeTable | undefined>(undefined);
  #updates = 0;

  constructor(kind: 'patient' | 'practitioner') {
    this.kind = kind;
    this.scopes = signal(new Set(defaultScopes(kind)));
    loadSandbox()
      .then(
        (sandbox) => {
          const users = usersFor(sandbox.users, kind);
          this.users.value = users;
          this.user.value = users[0];
        },
        () => undefined,
      )
      .finally(() => {
        this.isAsking.value = false;
        void this.#update();
      });
  }

  wordsFor(scope: string): string {
    return this.#words.value?.lines.find((line) => line.scope === scope)?.says ?? '';
  }

  choose(scope: string, chosen: boolean): void {
    const scopes = new Set(this.scopes.value);
    if (chosen) scopes.add(scope);
    else scopes.delete(scope);
    this.scopes.value = scopes;
    void this.#update();
  }

  setUser(name: string): void {
    this.user.value = this.users.value.find(({ username }) => username === name);
    void this.#update();
  }

  /** Prepares the launch again. The launch is dropped if a later update has begun meanwhile. */
  async #update(): Promise<void> {
    const mine = ++this.#updates;
    try {
      const scope = [...this.scopes.value].join(' ');
      const next = await prepareLaunch({ scope, launch: this.kind, user: this.user.value?.username });
      if (mine === this.#updates) {
        this.prepared.value = next;
        this.problem.value = undefined;
      }
      this.#words.value ??= await scopeWords(this.kind);
    } catch (error) {
      if (mine === this.#updates) this.problem.value = errorText(error);
    }
  }
}

async function scopeWords(kind: 'patient' | 'practitioner'): Promise<ScopeTable> {
  const all = scopeGroups(kind).flatMap(({ choices }) => choices.map(({ scope }) => scope));
  return (await engine('scopes', all.join(' '), 'p', words().language)).value;
}
