//! Descriptions of the interface, which the server gives in English. Not part of the catalogue: the reference alone
//! fetches them.

import type { OpenApiWords } from '../../views/developers/reference/words.ts';

export const openApi: OpenApiWords = { texts: {}, patterns: [] };
