//! A search as a complete program that also gets its token: for a shell, Node and Python. Each program runs as it is.
//! It prints each Observation in a line (id, date, name, value); the shell commands print the JSON.

import { queryPairs, shellQuoted } from './snippets.ts';

/** Where the token of a program comes from. */
export interface TokenSource {
  /** The address of a page that gives a token, for a program without a client. */
  place: string;
  /** A client whose secret is public, such as that of a sandbox. */
  client?: { tokenEndpoint: string; id: string; secret: string; scope: string };
}

export interface Program {
  language: 'curl' | 'JavaScript' | 'Python';
  /** The name of the file for the program. Absent for shell commands. */
  file?: string;
  /** The command that runs the program. */
  run?: string;
  text: string;
}

/** Returns the programs that request an address. */
export const programs = (url: string, token: TokenSource): Program[] => [
  { language: 'curl', text: shell(url, token) },
  { language: 'JavaScript', file: 'first-query.mjs', run: 'node first-query.mjs', text: javascript(url, token) },
  { language: 'Python', file: 'first_query.py', run: 'python3 first_query.py', text: python(url, token) },
];

/** Returns a string literal for JavaScript and Python. Their escapes agree for printable characters. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function address(url: string): { path: string; pairs: [string, string][] } {
  const { origin, pathname, search } = new URL(url);
  return { path: origin + pathname, pairs: queryPairs(search) };
}

function shell(url: string, { client, place }: TokenSource): string {
  const { path, pairs } = address(url);
  const token = client
    ? [
        `TOKEN=$(curl -s -u ${shellQuoted(`${client.id}:${client.secret}`)} \\`,
        `  -d grant_type=client_credentials -d ${shellQuoted(`scope=${client.scope}`)} \\`,
        `  ${shellQuoted(client.tokenEndpoint)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
      ]
    : [`: "\${TOKEN:?is not set; an access token comes from ${place}}"`];
  const query = [
    `curl -s --get ${shellQuoted(path)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...[...pairs, ['_pretty', 'true']].map((pair) => `--data-urlencode ${shellQuoted(pair.join('='))}`),
  ].join(' \\\n  ');
  return [...token, '', query].join('\n');
}

const indented = (lines: string[], by: number): string[] => lines.map((line) => `${' '.repeat(by)}${line}`);

function javascript(url: string, { client, place }: TokenSource): string {
  const { path, pairs } = address(url);
  const token = client
    ? [
        `const granted = await fetch(${quoted(client.tokenEndpoint)}, {`,
        '  method: "POST",',
        `  headers: { Authorization: "Basic " + btoa(${quoted(`${client.id}:${client.secret}`)}) },`,
        `  body: new URLSearchParams({ grant_type: "client_credentials", scope: ${quoted(client.scope)} }),`,
        '});',
        'if (!granted.ok) throw new Error(await granted.text());',
        'const { access_token: token } = await granted.json();',
      ]
    : [`// An access token comes from ${place}`, 'const token = process.env.TOKEN;'];
  return [
    ...token,
    '',
    'const query = new URLSearchParams([',
    ...indented(
      pairs.map(([name, value]) => `[${quoted(name)}, ${quoted(value)}],`),
      2,
    ),
    ']);',
    `const found = await fetch(${quoted(`${path}?`)} + query, { headers: { Authorization: "Bearer " + token } });`,
    'if (!found.ok) throw new Error(await found.text());',
    'const bundle = await found.json();',
    'for (const { resource } of bundle.entry ?? []) {',
    '  const { id, effectiveDateTime = "", code, valueQuantity: { value = "", unit = "" } = {} } = resource;',
    '  const name = code?.text ?? code?.coding?.[0]?.display ?? "";',
    '  console.log(id, effectiveDateTime, name, value, unit);',
    '}',
  ].join('\n');
}

function python(url: string, { client, place }: TokenSource): string {
  const { path, pairs } = address(url);
  const token = client
    ? [
        `credentials = base64.b64encode(${quoted(`${client.id}:${client.secret}`)}.encode()).decode()`,
        `form = {"grant_type": "client_credentials", "scope": ${quoted(client.scope)}}`,
        'request = Request(',
        `    ${quoted(client.tokenEndpoint)},`,
        '    data=urlencode(form).encode(),',
        '    headers={"Authorization": f"Basic {credentials}"},',
        ')',
        'token = json.load(urlopen(request))["access_token"]',
      ]
    : [`# An access token comes from ${place}`, 'token = os.environ["TOKEN"]'];
  return [
    ...(client ? ['import base64', 'import json'] : ['import json', 'import os']),
    'from urllib.parse import urlencode',
    'from urllib.request import Request, urlopen',
    '',
    ...token,
    '',
    'query = urlencode([',
    ...indented(
      pairs.map(([name, value]) => `(${quoted(name)}, ${quoted(value)}),`),
      4,
    ),
    '])',
    `request = Request(${quoted(`${path}?`)} + query, headers={"Authorization": f"Bearer {token}"})`,
    'bundle = json.load(urlopen(request))',
    'for entry in bundle.get("entry", []):',
    '    resource = entry["resource"]',
    '    code, value = resource.get("code", {}), resource.get("valueQuantity", {})',
    '    coding = (code.get("coding") or [{}])[0]',
    '    name = code.get("text") or coding.get("display", "")',
    '    date = resource.get("effectiveDateTime", "")',
    '    print(resource["id"], date, name, value.get("value", ""), value.get("unit", ""))',
  ].join('\n');
}
