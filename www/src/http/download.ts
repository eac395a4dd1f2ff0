//! Downloads files as streams, and counts their bytes without decoding them.

import { parsed } from '#reading/fhir/json.ts';
import { errorText } from '../error-text.ts';
import type { Exchange } from './exchange.ts';
import { logExchange } from './log.ts';
import { headOf, unanswered } from './send.ts';

export interface Download {
  exchange: Exchange;
  /** The bytes of the file, unpacked by the browser. Undefined if the download is incomplete. */
  file: Blob | undefined;
}

/** Downloads a file and logs the exchange without the content. Like `exchange`, it never rejects. */
export async function downloadFile(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array) => void,
): Promise<Download> {
  const began = performance.now();
  let exchange = unanswered('GET', url, headers);
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      exchange.bytes += bytes.length;
      onBytes(bytes);
      controller.enqueue(bytes);
    },
  });
  try {
    const answer = await fetch(url, { headers, signal, cache: 'no-store', credentials: 'omit', redirect: 'error' });
    exchange = { ...exchange, ...headOf(answer) };
    if (answer.status !== 200) {
      const text = await answer.text();
      return { exchange: logged({ ...exchange, text, body: parsed(text) }, began), file: undefined };
    }
    const file = answer.body ? await new Response(answer.body.pipeThrough(counter)).blob() : new Blob();
    return { exchange: logged(exchange, began), file };
  } catch (error) {
    return { exchange: logged({ ...exchange, status: 0, text: errorText(error) }, began), file: undefined };
  }
}

const logged = (exchange: Exchange, began: number): Exchange =>
  logExchange({ ...exchange, ms: performance.now() - began });
