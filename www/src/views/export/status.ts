//! When a running export is asked for again.

/** The bounds of a pause between two requests, in seconds. */
const SHORTEST = 1;
const MAX_LENGTH = 60;

/**
 * Returns the seconds until the next status request: the value of `Retry-After`, which is in seconds or a date (RFC
 * 9110, section 10.2.3). Without it, each pause is twice as long. `asked` is the number of requests so far.
 */
export function pauseOf(retryAfter: string | undefined, asked: number, now: number): number {
  const said = retryAfter === undefined ? Number.NaN : Number(retryAfter);
  const until = Number.isNaN(said) ? (Date.parse(retryAfter ?? '') - now) / 1_000 : said;
  const wanted = Number.isNaN(until) ? SHORTEST * 2 ** asked : until;
  return Math.min(Math.max(wanted, SHORTEST), MAX_LENGTH);
}
