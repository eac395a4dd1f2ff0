//! A request for other tools: curl, an `.http` file, the fhirclient library.

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A curl command. With `--data-urlencode` nobody has to encode `|` and `+`. */
export function curl(url: string, secured = true): string {
  const { origin, pathname, search } = new URL(url);
  const parameters = [...new URLSearchParams(search.replaceAll('+', '%2B'))];
  const lines = [
    `curl -s ${parameters.length > 0 ? '--get ' : ''}${quoted(origin + pathname)}`,
    ...(secured ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...parameters.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ];
  return lines.join(' \\\n  ');
}

/** An address as a request line needs it: on one line, with the characters encoded that an `.http` file reads. */
export const requestTarget = (url: string): string => url.replace(/[|\s"<>^`{}]/g, encodeURIComponent);

export function http(url: string): string {
  return `GET ${requestTarget(url)}\nAuthorization: Bearer {{token}}\nAccept: application/fhir+json\n`;
}

export function fhirclient(url: string, base: string): string {
  const path = url.startsWith(`${base}/`) ? url.slice(base.length + 1) : url;
  const read = !path.includes('?');
  return [
    'import FHIR from "fhirclient";',
    '',
    'const client = await FHIR.oauth2.ready();',
    read
      ? `const resource = await client.request(${JSON.stringify(path)});`
      : `const pages = await client.request(${JSON.stringify(path)}, { pageLimit: 0, flat: true });`,
    '',
  ].join('\n');
}
