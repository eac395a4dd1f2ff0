// A local OpenID provider that signs everybody in as one subject: node-oidc-provider, with pages that work without
// scripts. For tests, and for `make dev PROVIDER=on`.

import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

/// Starts a provider whose client is the edgechart server at `origin`. `who.subject` is the subject that signs in.
export async function startProvider({ origin, port = 0, secret = 'the-secret-of-a-test' }) {
  const server = createServer().listen(port, 'localhost');
  await once(server, 'listening');
  const issuer = `http://localhost:${server.address().port}`;
  const who = { subject: 'amara', logins: 0 };
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'edgechart', client_secret: secret, redirect_uris: [`${origin}/oauth/callback`] }],
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: 'amara@hospital.example' }) }),
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the test provider'] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
  });
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url.startsWith('/interaction/')) return answer(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (request.method === 'GET' && prompt.name === 'login') {
      response.setHeader('content-type', 'text/html');
      return response.end(
        `<!doctype html><html lang=en><title>Identity provider</title>
          <form method=post><button>Sign in as ${who.subject}</button></form>`,
      );
    }
    if (prompt.name === 'login') {
      who.logins += 1;
      return provider.interactionFinished(request, response, { login: { accountId: who.subject } });
    }
    const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    grant.addOIDCScope('openid');
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  });
  const close = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return { issuer, secret, who, close };
}

// As a program, runs the provider for the server at an origin, with the secret of its client.
if (import.meta.filename === process.argv[1]) {
  const [, , origin, secret] = process.argv;
  await startProvider({ origin, secret, port: 9090 });
}
