import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Guide, searchGuides, textOfHtml } from './guide-text.ts';

const section = (id: string, title: string, html: string): Guide['sections'][number] => ({ id, title, level: 2, html });
const GUIDES: Guide[] = [
  {
    name: 'ingest',
    title: 'Sending records',
    sections: [
      section('', '', '<p>Records get in.</p>'),
      section('a-job', 'A job', '<p>It has <code>parts</code> &amp; an end. A token is needed.</p>'),
    ],
  },
  {
    name: 'sign-in',
    title: 'Signing in',
    sections: [section('tokens', 'Tokens', `<p>${'x '.repeat(200)}a refresh token ${'y '.repeat(200)}</p>`)],
  },
];

test('the text of a section is without tags and entities', () => {
  assert.equal(textOfHtml('<p>a &lt;b&gt; &amp;lt; <code>c</code>\n<em>d</em></p>'), 'a <b> &lt; c d');
});

test('sections are found by all words, those first that have them in their headings', () => {
  const found = (query: string): string[] =>
    searchGuides(GUIDES, query).map(({ guide, section: id }) => `${guide}#${id}`);
  assert.deepEqual(found('token'), ['sign-in#tokens', 'ingest#a-job']);
  assert.deepEqual(found('PARTS end'), ['ingest#a-job']);
  assert.deepEqual(found('parts refresh'), []);
  assert.deepEqual(found('  '), []);
});

test('a guide that is named so comes first, and words are found by their beginnings', () => {
  const named = (query: string): string[] =>
    searchGuides(
      [
        {
          name: 'contract',
          title: 'The contract',
          sections: [section('permission', 'Permission', '<p>Encounter.</p>')],
        },
        {
          name: 'permission',
          title: 'Permission: from a scope to rows',
          sections: [section('', '', '<p>It counts.</p>'), section('more', 'More', '<p>More.</p>')],
        },
      ],
      query,
    ).map(({ guide, section: id }) => `${guide}#${id}`);
  assert.deepEqual(named('permission'), ['permission#', 'contract#permission', 'permission#more']);
  assert.deepEqual(named('rights'), named('permission'));
  assert.deepEqual(named('count'), ['permission#']);
});

test('a hit has the text around the word', () => {
  const [hit] = searchGuides(GUIDES, 'refresh');
  assert.match(hit?.text ?? '', /^…(?:x )+a refresh token (?:y ?)+…$/);
  assert.ok((hit?.text.length ?? 0) < 250);
});
