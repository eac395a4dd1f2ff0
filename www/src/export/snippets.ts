//! A request for other tools: curl, an `.http` file, the fhirclient library. None holds a token: each names the place
//! that gives one.

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The value of the header Authorization in a shell. Where the variable is not set, the shell says where its value comes
 * from, and sends nothing.
 */
const bearerInShell = (tokenPlace: string): string =>
  `Bearer \${TOKEN:?is not set; an access token comes from ${tokenPlace.replace(/["\\$`}]/g, encodeURIComponent)}}`;

/** The pairs of a query, with its plus signs as they are. */
export const queryPairs = (search: string): [string, string][] => [
  ...new URLSearchParams(search.replaceAll('+', '%2B')),
];

/** A curl command. With `--data-urlencode` nobody has to encode `|` and `+`. Without a place it needs no token. */
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

/** An address as a request line needs it: on one line, with the characters encoded that an `.http` file reads. */
export const requestTarget = (url: string): string => url.replace(/[|\s"<>^`{}]/g, encodeURIComponent);

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
