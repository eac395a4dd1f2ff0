//! The use of oauth4webapi in this app. Its requests are logged without secrets, and its errors are put in words.

import * as oauth from 'oauth4webapi';
import { joinedBy } from '#reading/joined.ts';
import { anything, checked, record } from '#reading/shape.ts';
import { errorText } from '../error-text.ts';
import { logExchange } from '../http/log.ts';
import { headOf, unanswered } from '../http/send.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { BASE } from './server.ts';

type FetchOptions = oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>;
interface OAuthOptions {
  [oauth.allowInsecureRequests]: boolean;
  [oauth.customFetch]: (url: string, options: FetchOptions) => Promise<Response>;
}

/**
 * Returns the options of a request, which gets an entry in the log. Plain HTTP is allowed only if the page itself, or
 * another server on this machine, uses it.
 */
export function oauthOptions(what: PlainMessage): OAuthOptions {
  return {
    [oauth.allowInsecureRequests]: location.protocol === 'http:' || BASE.startsWith('http:'),
    [oauth.customFetch]: async (url, { method, headers, redirect, body }) => {
      const request = unanswered(method, url, { 'Content-Type': 'application/x-www-form-urlencoded' });
      const began = performance.now();
      const answer = await fetch(url, { method, headers, redirect, ...(body ? { body } : {}) });
      logExchange({
        ...request,
        ...headOf(answer),
        text: t('(the answer is on the session page, and nowhere else)'),
        ms: performance.now() - began,
        sent: t('({what}: secrets are not kept here)', { what: t(what) }),
      });
      return answer;
    },
  };
}

/** Returns the members of a token response, including those that oauth4webapi does not define. */
export const responseMembers = (response: oauth.TokenEndpointResponse): Record<string, unknown> =>
  checked(record(anything), { ...response }, 'the token response');

export function oauthErrorText(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    return joinedBy(': ', error.error, error.error_description);
  }
  return errorText(error);
}
