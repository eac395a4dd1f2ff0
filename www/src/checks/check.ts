//! A check of the server, and the means to make one.

import { issuesOf } from '#reading/fhir/text.ts';
import type { Exchange } from '../http/exchange.ts';
import { exchange, type RequestOptions } from '../http/send.ts';
import { type PlainMessage, t } from '../language/message.ts';
import { requestBackendToken } from '../smart/backend.ts';
import { loadSandbox } from '../smart/sandbox.ts';
import { ORIGIN } from '../smart/server.ts';
import { session } from '../smart/session.ts';

/** Sends a request to an address at this origin. */
export type SendRequest = (path: string, options?: RequestOptions) => Promise<Exchange>;

export interface CheckResult {
  /** Nothing where the check was skipped. */
  ok: boolean | undefined;
  says: string;
}

export interface ServerCheck {
  title: PlainMessage;
  /** The specification, or the reason. */
  why: PlainMessage;
  run(ask: SendRequest): Promise<CheckResult>;
}

const yes = (says: string): CheckResult => ({ ok: true, says });
export const no = (says: string): CheckResult => ({ ok: false, says });
export const skip = (says: string): CheckResult => ({ ok: undefined, says });
export const passIf = (ok: boolean, good: string, bad: string): CheckResult => (ok ? yes(good) : no(bad));

/** The challenge of a refusal. */
export const authenticate = ({ answerHeaders }: Exchange): string => answerHeaders['www-authenticate'] ?? '';
export const isOutcome = ({ body }: Exchange): boolean => issuesOf(body).length > 0;

/** A token with a patient whom it opens: the session's, else the sandbox's backend token. */
async function anyToken(): Promise<{ token: string; patient: string } | undefined> {
  const now = session.value;
  if (now?.patient) return { token: now.accessToken, patient: now.patient };
  try {
    const [{ token }, { patients }] = await Promise.all([requestBackendToken(), loadSandbox()]);
    const [patient] = patients;
    return patient && { token, patient: patient.id };
  } catch {
    return undefined;
  }
}

/** Returns a check that sends its requests with a token, for a patient whom it opens. */
export const withToken =
  (run: (ask: SendRequest, patient: string) => Promise<CheckResult>): ServerCheck['run'] =>
  async (ask) => {
    const found = await anyToken();
    if (!found) return skip(t('There is no token to ask with: sign in.'));
    return run((path) => ask(path, { headers: { Authorization: `Bearer ${found.token}` } }), found.patient);
  };

/** Returns a `SendRequest` that keeps the exchanges. */
export const recordingSender =
  (kept: Exchange[]): SendRequest =>
  async (path, options) => {
    const one = await exchange(new URL(path, ORIGIN).href, options);
    kept.push(one);
    return one;
  };
