//! The state of the launch form: who signs in, the scopes that are asked for, and the launch made of them.

import { engine } from '../../engine/client.ts';
import type { ScopeTable } from '../../engine/types.ts';
import { language } from '../../language/language.ts';
import { type PreparedLaunch, prepareLaunch } from '../../smart/launch.ts';
import { loadSandbox, type SandboxUser, usersFor } from '../../smart/sandbox.ts';
import { defaultScopes, scopeGroups } from '../../smart/scopes.ts';
import { errorText } from '../../source/http.ts';

export class LaunchModel {
  readonly kind: 'patient' | 'practitioner';
  readonly scopes: Set<string>;
  /** The users whom the sandbox suggests; none outside of a sandbox. */
  users: SandboxUser[] = [];
  user: SandboxUser | undefined;
  prepared: PreparedLaunch | undefined;
  problem: string | undefined;
  #words: ScopeTable | undefined;
  #updates = 0;
  readonly #redraw: () => void;

  constructor(kind: 'patient' | 'practitioner', redraw: () => void) {
    this.kind = kind;
    this.scopes = new Set(defaultScopes(kind));
    this.#redraw = redraw;
    loadSandbox()
      .then(
        (sandbox) => {
          this.users = usersFor(sandbox.users, kind);
          this.user = this.users[0];
        },
        () => undefined,
      )
      .finally(() => void this.#update());
  }

  /** The meaning of a scope. */
  wordsFor(scope: string): string {
    return this.#words?.lines.find((line) => line.scope === scope)?.says ?? '';
  }

  choose(scope: string, chosen: boolean): void {
    if (chosen) this.scopes.add(scope);
    else this.scopes.delete(scope);
    void this.#update();
  }

  setUser(name: string): void {
    this.user = this.users.find(({ username }) => username === name);
    void this.#update();
  }

  /** Prepares the launch again. An update that a later one overtook is dropped. */
  async #update(): Promise<void> {
    const mine = ++this.#updates;
    try {
      const scope = [...this.scopes].join(' ');
      const next = await prepareLaunch({ scope, launch: this.kind, user: this.user?.username });
      if (mine === this.#updates) {
        this.prepared = next;
        this.problem = undefined;
      }
      this.#redraw();
      this.#words ??= await scopeWords(this.kind);
    } catch (error) {
      this.problem = errorText(error);
    }
    this.#redraw();
  }
}

async function scopeWords(kind: 'patient' | 'practitioner'): Promise<ScopeTable> {
  const all = scopeGroups(kind).flatMap(({ choices }) => choices.map(({ scope }) => scope));
  return (await engine('scopes', all.join(' '), 'p', language())).value;
}
