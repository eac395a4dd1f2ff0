//! One request and its answer.

/** One request and its answer, over the network or from the engine. */
export interface Exchange {
  where: 'edge' | 'local';
  method: string;
  url: string;
  /** Without secrets: of a token only the beginning is kept. */
  headers: Record<string, string>;
  /** The body of the request, without secrets. */
  sent?: string;
  at: Date;
  /** 0 where no answer came. */
  status: number;
  statusText?: string;
  answerHeaders: Record<string, string>;
  text: string;
  /** The parsed answer, unchecked; nothing where it is no JSON. */
  body: unknown;
  ms: number;
  bytes: number;
  /** Rows that the database read for the answer, and the round trips to it. */
  rowsRead?: number;
  trips?: number;
}
