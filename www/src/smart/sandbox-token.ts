//! The token of the sandbox that the pages for developers ask the server with. They share it. It is kept in memory
//! alone.

import { signal } from '@preact/signals-core';

export interface BackendToken {
  token: string;
  scope: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

/** Nothing until a page takes one, and after it is given back. */
export const sandboxToken = signal<BackendToken | undefined>(undefined);
