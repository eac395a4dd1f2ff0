//! Where a developer gets a token for the server of the page. Copies of requests name it, and hold no token.

import { isOtherPage } from '../routes.ts';
import { BASE, ORIGIN } from './server.ts';

/** The address of the page that gives a token; of another server, the document that says where its tokens come from. */
export const TOKEN_PLACE = isOtherPage ? `${BASE}/.well-known/smart-configuration` : `${ORIGIN}/#/developers`;
