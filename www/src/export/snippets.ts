//! A request as it is sent, and for other tools: curl, an `.http` file, the fhirclient library. The snippets for tools
//! hold no token: each names the page that gives one.

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The value of the Authorization header in a shell. If the variable TOKEN is not set, the shell says where to get a
 * token, and sends nothing.
 */
const bearerInShell = (tokenPlace: string): string =>
  `Bearer \${TOKEN:?is not set; an access token comes from ${tokenPlace.replace(/["\\$`}]/g, encodeURIComponent)}}`;

/** Returns a curl command, with a token if `tokenPlace` is given. `--data-urlencode` makes curl encode `|` and `+`. */
export function curl(url: string, tokenPlace?: string): string {
  const { origin, pathname, search } = new URL(url);
  // A plus sign stays a plus sign.
  const parameters = [...new URLSearchParams(search.replaceAll('+', '%2B'))];
  const lines = [
    `curl -s ${parameters.length > 0 ? '--get ' : ''}${shellQuoted(origin + pathname)}`,
    ...(tokenPlace === undefined ? [] : [`-H "Authorization: ${bearerInShell(tokenPlace)}"`]),
    ...parameters.map(([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`),
  ];
  return lines.join(' \\\n  ');
}

/** Where the token of a request comes from. */
export interface TokenSource {
  /** The address of a page that gives a token. */
  place: string;
  /** A client whose secret is public, such as that of a sandbox. */
  client?: { tokenEndpoint: string; id: string; secret: string; scope: string };
}

/** Returns the commands for a shell that get a token, if a client is given, and ask for a search. */
export const commands = (url: string, { client, place }: TokenSource): string =>
  [
    ...(client
      ? [
          `TOKEN=$(curl -s -u ${shellQuoted(`${client.id}:${client.secret}`)} \\`,
          `  -d grant_type=client_credentials -d ${shellQuoted(`scope=${client.scope}`)} \\`,
          `  ${shellQuoted(client.tokenEndpoint)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
          '',
        ]
      : []),
    curl(`${url}&_pretty=true`, place),
  ].join('\n');

/** Returns an address for a request line: on one line, with the characters encoded that an `.http` file interprets. */
const requestTarget = (url: string): string => url.replace(/[|\s"<>^`{}]/g, encodeURIComponent);

/** Returns the text of a request: its line, a token unless it needs none, and a body with its media type. */
export function sentRequest(line: string, token: string | undefined, body?: { type: string; text: string }): string {
  return [
    line,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body ? [`Content-Type: ${body.type}`, '', body.text] : ['Accept: application/fhir+json']),
  ].join('\n');
}

export function http(url: string, tokenPlace: string): string {
  return [
    `# An access token comes from ${tokenPlace}`,
    '@token = paste-your-token',
    '',
    `GET ${requestTarget(url)}`,
    'Authorization: Bearer {{token}}',
    'Accept: application/fhir+json',
    '',
  ].join('\n');
}

export function fhirclient(url: string, base: string, tokenPlace: string): string {
  const path = url.startsWith(`${base}/`) ? url.slice(base.length + 1) : url;
  const read = !path.includes('?');
  return [
    'import FHIR from "fhirclient";',
    '',
    '// The token is that of the launch which led back to this page. Where launches begin, and other tokens:',
    `// ${tokenPlace}`,
    'const client = await FHIR.oauth2.ready();',
    read
      ? `const resource = await client.request(${JSON.stringify(path)});`
      : `const pages = await client.request(${JSON.stringify(path)}, { pageLimit: 0, flat: true });`,
    '',
  ].join('\n');
}
