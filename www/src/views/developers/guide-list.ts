//! The list of guides for those who use or run the server, in display order. The build makes them from `docs/`.

import type { PlainMessage } from '../../language/message.ts';

interface ListedGuide {
  /** The name of the file, without its extension. */
  name: string;
  says: PlainMessage;
}

interface GuideGroup {
  title: PlainMessage;
  guides: ListedGuide[];
}

export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'For apps#guides',
    guides: [
      { name: 'sign-in', says: 'How an app gets a token of a person.' },
      { name: 'scopes', says: 'What each scope opens, type by type.' },
      { name: 'registration', says: 'What the operator of the server must know of an app.' },
      { name: 'contract', says: 'What a client may rely on.' },
      { name: 'paging', says: 'How to get the next page, and how to count.' },
      { name: 'search-parameters', says: 'Every type with its search parameters.' },
      { name: 'permission', says: 'How a token decides which records an answer has.' },
      { name: 'export', says: 'The records of many patients as files.' },
    ],
  },
  {
    title: 'For those who run a server#guides',
    guides: [
      { name: 'operations', says: 'Configuring, deploying, watching and repairing.' },
      { name: 'ingest', says: 'How records get into the server.' },
      { name: 'payers', says: 'For a payer: the APIs that United States law asks for.' },
      { name: 'europe', says: 'For a hospital in Europe: the Health Data API and summaries.' },
      { name: 'assistants', says: 'For an AI assistant: one address to paste, and what it is told.' },
      { name: 'security', says: 'Threats, and what stops each of them.' },
      { name: 'glossary', says: 'The terms of the project, each with one meaning.' },
    ],
  },
];

export const GUIDES: readonly ListedGuide[] = GUIDE_GROUPS.flatMap(({ guides }) => guides);

export const guideUrl = (name: string): string => `/guides/${name}.html`;
