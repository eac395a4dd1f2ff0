//! The pages of our own server that a person opens from here. Another server may have none, or others.

import { words } from '../language/language.ts';
import { CLIENT_ID, HOME, other } from './server.ts';

const addressOf = (path: string, more: Record<string, string> = {}): string | undefined =>
  other ? undefined : `${path}?${new URLSearchParams({ ...more, ui_locales: words().language })}`;

/** Returns the address of the page on which a person sees and withdraws the permissions of apps, and signs out. */
export const appsUrl = (): string | undefined => addressOf('/oauth/manage');

/** Returns the address of the page that asks whether to sign out at the server, and then leads back here. */
export const signOutUrl = (): string | undefined =>
  addressOf('/oauth/logout', { client_id: CLIENT_ID, post_logout_redirect_uri: HOME });
