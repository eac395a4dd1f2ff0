// A token like those of the command line that stems from no grant, as the tokens of trusted issuers do: nothing is
// asked of D1 for it.

import { readFileSync } from 'node:fs';
import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from 'jose';

/// Such a token, with these scopes; options as for `server.token`.
export async function unbound(server, scopes, options) {
  const like = server.token(scopes, options);
  const { sid, ...claims } = decodeJwt(like);
  if (!sid) throw new Error('the token that it is made of stems from no grant already');
  const jwk = /^SIGN_ES256_CURRENT='(.*)'$/m.exec(readFileSync(server.keys, 'utf8'))[1];
  const key = await importJWK(JSON.parse(jwk), 'ES256');
  return new SignJWT(claims).setProtectedHeader(decodeProtectedHeader(like)).sign(key);
}
