//! The tools by their names.

import type { Tool } from './call.ts';
import { fetch } from './fetch.ts';
import { overview } from './overview.ts';
import { query } from './query.ts';
import { search } from './search.ts';
import { trend } from './trend.ts';

export const TOOLS: Readonly<Record<string, Tool>> = { overview, query, trend, search, fetch };
