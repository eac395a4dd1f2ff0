//! Fetches all modules and data that views of records need and that are not loaded yet, before files are opened, so
//! that nothing is fetched while they are open.

import { loadExamples } from '../../search/examples.ts';
import { serviceWorkerSettled } from '../../service-worker.ts';
import { searchedTypes } from '../../source/searched-types.ts';

/** Letters of each subset of the typeface. */
const LETTERS = 'aő';

export async function prepare(): Promise<void> {
  await Promise.all([
    import('../../chart/save-chart.ts'),
    import('../../growth/view.ts'),
    import('../../language/es/catalogue.ts'),
    import('../tool-views.ts'),
    import('../developers/developer-views.ts'),
    // Without the server, the engine says what can be searched, and there are no examples.
    searchedTypes().catch(() => undefined),
    loadExamples().catch(() => undefined),
    document.fonts.load('1em Hyperlegible', LETTERS).catch(() => undefined),
  ]);
  // The service worker fetches the same files again. The page cannot count its requests, so it waits for them.
  await serviceWorkerSettled();
}
