// Answers the addresses of exports in the browser, for cases that a real server does not produce on purpose, such as a
// truncated file.

const ndjson = (resources) => resources.map((resource) => `${JSON.stringify(resource)}\n`).join('');

/// Answers the requests of a person's pages for exports. `files`: lists of resources by type. `polls`: the answers of
/// the status before the manifest, as [status, headers, body]. `manifest` changes the manifest, `text` the text of a
/// file. Returns the requests that came, as `METHOD path`, and may be changed while the page runs.
export async function fakeExports({ context }, origin, { files = {}, errors = [], polls = [], ...changes } = {}) {
  const base = `${origin}/fhir/r4`;
  const status = `${base}/$export-status/one`;
  const fake = {
    asked: [],
    polls: [...polls],
    manifest: (whole) => whole,
    text: (_type, whole) => whole,
    kickOff: [202, { 'content-location': status }, ''],
    isGone: false,
    ...changes,
  };
  const all = [
    ...Object.entries(files).map(([type, list]) => ({ kind: 'output', type, list })),
    ...(errors.length > 0 ? [{ kind: 'error', type: 'OperationOutcome', list: errors }] : []),
  ].map((file, i) => ({ ...file, url: `${base}/$export-file/one/${i}.ndjson` }));
  const listed = (kind) =>
    all.filter((file) => file.kind === kind).map(({ type, url, list }) => ({ type, url, count: list.length }));
  const reply = (route, [code, headers, body]) =>
    route.fulfill({
      status: code,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  const note = (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    fake.asked.push(`${request.method()} ${decodeURIComponent(pathname + search)}`);
    return request;
  };
  await context.route(/\$export(\?|$)/, (route) => {
    note(route);
    return reply(route, fake.kickOff);
  });
  await context.route(/\$export-status\//, (route) => {
    const request = note(route);
    if (fake.isGone) {
      const issue = [{ severity: 'error', code: 'not-found', diagnostics: 'there is no such export' }];
      return reply(route, [404, {}, { resourceType: 'OperationOutcome', issue }]);
    }
    if (request.method() === 'DELETE') {
      fake.isGone = true;
      return reply(route, [202, {}, '']);
    }
    const poll = fake.polls.length > 1 ? fake.polls.shift() : fake.polls[0];
    if (poll) return reply(route, poll);
    const manifest = fake.manifest({
      transactionTime: '2026-11-26T08:30:15.123456Z',
      request: `${base}/Patient/$export`,
      requiresAccessToken: true,
      output: listed('output'),
      error: listed('error'),
    });
    return reply(route, [200, { expires: 'Fri, 27 Nov 2026 08:30:15 GMT' }, manifest]);
  });
  await context.route(/\$export-file\//, (route) => {
    const request = note(route);
    const { type, list } = all.find(({ url }) => url === request.url());
    return reply(route, [200, { 'content-type': 'application/fhir+ndjson' }, fake.text(type, ndjson(list))]);
  });
  return fake;
}
