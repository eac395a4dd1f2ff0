// A client that sends records to a server of the benchmarks.

const SECRET = 'a-secret-of-the-bench';

/// The registration of the client, for `apps` of `stage`.
export const SENDER = { client_id: 'bench', kind: 'ingest', secret: SECRET, scopes: 'system/*.write' };

/// Resolves to an access token of the client.
export async function senderToken({ url }) {
  const granted = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${SENDER.client_id}:${SECRET}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return (await granted.json()).access_token;
}
