//! The sandbox token with which the pages for developers send requests to the server. They share it. It is stored in
//! memory only.

import { signal } from '@preact/signals-core';

export interface BackendToken {
  token: string;
  scope: string;
  /** The time for which it is good, in seconds. */
  life: number;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

/** Nothing until a page takes one, and after it is given back. */
export const sandboxToken = signal<BackendToken | undefined>(undefined);
