//! The page of a session that somebody wanted to open while signed out. It is opened after the sign-in, in the same
//! tab.

import { isOtherPage, OTHER_PAGE } from '../routes.ts';
import { keepText, keptText } from '../storage.ts';
import { serverKey } from './server.ts';

const KEY = serverKey('wanted-page');
/** The pages that are remembered: those of a session. */
const OF_SESSION = /^#\/session\/(?:chart|patients)(?:\/|$)/;

export function rememberPage(hash: string): void {
  if (OF_SESSION.test(hash)) keepText('sessionStorage', KEY, hash);
}

/** Returns the address of the page and deletes it from the storage. */
export function takePage(): string | undefined {
  const hash = keptText('sessionStorage', KEY) ?? '';
  keepText('sessionStorage', KEY, undefined);
  return OF_SESSION.test(hash) ? `${isOtherPage ? OTHER_PAGE : '/'}${hash}` : undefined;
}
