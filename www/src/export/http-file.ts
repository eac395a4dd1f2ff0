//! The requests of a page as an `.http` file. It uses the syntax that the REST Client of VS Code and the HTTP client of
//! JetBrains share: variables, `###` between requests, `{{…}}` in addresses, headers and forms. The file holds no
//! token: secrets are variables whose values the user fills in.

import type { Exchange } from '../http/exchange.ts';
import { t } from '../language/message.ts';
import { countsOnly, idsOf } from '../search/compare.ts';
import { requestTarget } from './snippets.ts';

/** The form fields that are secret, or belong to a sign-in that is over. */
const SECRET_FIELDS = [
  'code',
  'code_verifier',
  'refresh_token',
  'token',
  'client_secret',
  'client_assertion',
  'password',
];

/** Returns the text of a file with the requests to the server, oldest first. `newestFirst` has all requests. */
export function httpFile(newestFirst: readonly Exchange[], base: string, tokenPlace: string): string {
  const requests = newestFirst.filter(({ where }) => where === 'edge').reverse();
  const variables = new Map<string, string>();
  const parts = requests.map((one, i) => requestPart(one, i + 1, base, variables));
  const head = [
    `# ${t('Requests of edgechart, in the order in which they were made.')}`,
    `# ${t('It holds no token: replace the values that begin with "paste-your".')}`,
    `# ${t('An access token comes from {place}', { place: tokenPlace })}`,
    `@base = ${base}`,
    ...[...variables].map(([name, value]) => `@${name} = ${value}`),
  ];
  return `${[head.join('\n'), ...parts].join('\n\n')}\n`;
}

function requestPart(one: Exchange, number: number, base: string, variables: Map<string, string>): string {
  const secret = (name: string): string => {
    variables.set(name, `paste-your-${name.replaceAll('_', '-')}`);
    return `{{${name}}}`;
  };
  const header = ([name, value]: [string, string]): string => `${name}: ${headerValue(name, value, secret)}`;
  const target = requestTarget(new URL(one.url, base).href);
  const isBelow = target === base || target.startsWith(`${base}/`) || target.startsWith(`${base}?`);
  return [
    `### ${number}`,
    `# ${outcomeOf(one)}`,
    `${one.method} ${isBelow ? `{{base}}${target.slice(base.length)}` : target}`,
    ...Object.entries(one.headers).map(header),
    ...(one.sent === undefined ? [] : ['', formBody(one, secret)]),
  ].join('\n');
}

function headerValue(name: string, value: string, secret: (name: string) => string): string {
  if (!/^authorization$/i.test(name)) return value;
  const [scheme = ''] = value.split(' ');
  return `${scheme} ${secret(scheme.toLowerCase() === 'bearer' ? 'token' : 'credentials')}`;
}

/** Returns the form of a request with its secrets as variables. The log cuts their values and ends them with `…`. */
function formBody({ sent = '', headers }: Exchange, secret: (name: string) => string): string {
  const type = Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return sent;
  const pairs = sent.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    return SECRET_FIELDS.includes(name) || value.endsWith('…') ? `${name}=${secret(name)}` : pair;
  });
  return pairs.join('&');
}

/** Returns the outcome of a request in words: the status, the number of resources and the time. */
function outcomeOf({ status, body, url, at }: Exchange): string {
  const [date = '', time = ''] = at.toISOString().slice(0, 19).split('T');
  if (status === 0) return t('No answer that the page could see on {date} at {time} UTC', { date, time });
  const { matches, included, total } = idsOf(body);
  const isSearch = status === 200 && typeof body === 'object' && body !== null && 'entry' in body;
  const counted = status === 200 && countsOnly(url) && total !== undefined;
  const brought = counted
    ? [t('counts {count}', { count: String(total) })]
    : [
        ...(isSearch ? [t('{n} match|{n} matches', { n: matches.length })] : []),
        ...(isSearch && included.length > 0 ? [t('{n} included', { n: included.length })] : []),
      ];
  return t('Answered {what} on {date} at {time} UTC', { what: [String(status), ...brought].join(', '), date, time });
}
