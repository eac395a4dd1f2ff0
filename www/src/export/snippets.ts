//! A request as it is sent, and for other tools: curl, an `.http` file, the fhirclient library. The snippets for tools
//! hold no token: each names the page that gives one.

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The value of the Authorization header in a shell. If the variable TOKEN is not set, the shell says where to get a
 * token, and sends nothing.
 */
const bearerInShell = (tokenPlace: string): string =>
  `Bearer \${TOKEN:?is not set; an access token comes from ${tokenPlace.replace(/["\\$`}]/g, encodeURIComponent)}}`;

/** Returns the pairs of a query. A plus sign stays a plus sign. */
export const queryPairs = (search: string): [string, string][] => [
  ...new URLSearchParams(search.replaceAll('+', '%2B')),
];

/** Returns a curl command, with a token if `tokenPlace` is given. `--data-urlencode` makes curl encode `|` and `+`. */
export function curl(url: string, tokenPlace?: string): string {
  const { origin, pathname, search } = new URL(url);
  const parameters = queryPairs(search);
  const lines = [
    `curl -s ${parameters.length > 0 ? '--get ' : ''}${shellQuoted(origin + pathname)}`,
    ...(tokenPlace === undefined ? [] : [`-H "Authorization: ${bearerInShell(tokenPlace)}"`]),
    ...parameters.map(([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`),
  ];
  return lines.join(' \\\n  ');
}

/** Returns an address for a request line: on one line, with the characters encoded that an `.http` file interprets. */
export const requestTarget = (url: string): string => url.replace(/[|\s"<>^`{}]/g, encodeURIComponent);

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
