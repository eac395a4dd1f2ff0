//! The record of a request and its answer.

/** One request and its answer, over the network or from the engine. */
export interface Exchange {
  where: 'edge' | 'local';
  method: string;
  url: string;
  /** Without secrets: only the beginning of a token is kept. */
  headers: Record<string, string>;
  /** The body of the request, without secrets. */
  sent?: string;
  at: Date;
  /** 0 where no answer came. */
  status: number;
  statusText?: string;
  answerHeaders: Record<string, string>;
  text: string;
  /** The parsed answer, not validated; undefined if it is not JSON. */
  body: unknown;
  ms: number;
  bytes: number;
  /** The number of rows that the database read for the answer, and of round trips to the database. */
  rowsRead?: number;
  trips?: number;
}
