// The guides that the build makes from docs/: their sections have the ids of their headings, their links lead to
// existing guides and sections, and markup in a document is shown as text.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { addressOf, DECISION, guide, slugOf } from '../../www/guides.mjs';
import { GUIDES } from '../../www/src/views/developers/guide-list.ts';

const all = new Map(GUIDES.map(({ name }) => [name, guide(name)]));
const idsIn = (html) => [...html.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id);

test('each guide has sections, and no id twice', () => {
  for (const [name, html] of all) {
    const ids = idsIn(html);
    assert.ok(ids.length > 1, name);
    assert.equal(new Set(ids).size, ids.length, name);
  }
});

test('links lead to guides and sections that are there, or out to other sites', () => {
  let links = 0;
  for (const [name, html] of all) {
    for (const [, href] of html.matchAll(/href="([^"]+)"/g)) {
      links += 1;
      if (href.startsWith('https://')) continue;
      const [, to, section] = /^\/guides\/([\w-]+)\.html(?:#(.+))?$/.exec(href) ?? [];
      assert.ok(all.has(to), `${name}: ${href}`);
      if (section) assert.ok(idsIn(all.get(to)).includes(section), `${name}: ${href}`);
    }
  }
  assert.ok(links > 50, `${links} links`);
});

test('what is no guide is named in text', () => {
  assert.equal(addressOf('storage.md', 'contract'), undefined);
  assert.equal(addressOf('../tests/cases/dates.json', 'contract'), undefined);
  assert.equal(addressOf('scopes.md', 'contract'), '/guides/scopes.html');
  assert.equal(addressOf('#documents', 'contract'), '/guides/contract.html#documents');
  assert.equal(addressOf(['ingest.md', 'who-may-send'].join('#'), 'contract'), '/guides/ingest.html#who-may-send');
  assert.equal(addressOf('https://hl7.org/fhir/', 'contract'), 'https://hl7.org/fhir/');
  assert.equal(addressOf('javascript:alert(1)', 'contract'), undefined);
  assert.doesNotMatch(
    [...all.values()].join(''),
    /<(?!\/?(?:h[1-4]|div|p|a|br|strong|em|del|code|pre|blockquote|hr|ul|ol|li|table|thead|tbody|tr|th|td)\b)/,
  );
});

test('no guide cites a decision, which is for who changes the code', () => {
  for (const name of all.keys())
    assert.doesNotMatch(readFileSync(`docs/${name}.md`, 'utf8').replace(DECISION, ''), /\]\(decisions\/\S+#/, name);
});

test('ids are those that links on GitHub have', () => {
  assert.equal(slugOf('A bulk export of another server'), 'a-bulk-export-of-another-server');
  assert.equal(slugOf('Rotation of the signing keys'), 'rotation-of-the-signing-keys');
  assert.equal(slugOf('`POST /ingest`: what it takes'), 'post-ingest-what-it-takes');
});
