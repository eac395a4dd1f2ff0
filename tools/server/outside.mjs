// The servers outside, for the local ones: answers for the documents of three clients, in the form in which such
// clients publish theirs (a command line, an editor, a web client), and passes every other request on.

const documents = {
  'https://claude.ai/oauth/claude-code-client-metadata': [
    'Claude Code',
    ['http://localhost/callback', 'http://127.0.0.1/callback'],
  ],
  'https://vscode.dev/oauth/client-metadata.json': [
    'Visual Studio Code',
    ['http://127.0.0.1:33418/', 'http://localhost/', 'https://vscode.dev/redirect'],
  ],
  'https://claude.ai/oauth/mcp-oauth-client-metadata': ['Claude', ['https://claude.ai/api/mcp/auth_callback']],
};

export default {
  fetch(request) {
    if (!(request.url in documents)) return fetch(request);
    const [client_name, redirect_uris] = documents[request.url];
    const document = { client_id: request.url, client_name, client_uri: new URL(request.url).origin, redirect_uris };
    const grants = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };
    return Response.json({ ...document, ...grants, token_endpoint_auth_method: 'none' });
  },
};
