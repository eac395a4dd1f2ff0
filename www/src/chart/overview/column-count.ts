//! The number of columns of an overview, by the width of the page.

import { signal } from '@preact/signals-core';

const PHONE = matchMedia('(max-width: 760px)');
const TABLET = matchMedia('(max-width: 960px)');

const counted = (): number => (PHONE.matches ? 1 : TABLET.matches ? 2 : 3);
const current = signal(counted());
for (const query of [PHONE, TABLET])
  query.addEventListener('change', () => {
    // A print has the columns of its page.
    if (!matchMedia('print').matches) current.value = counted();
  });

/** Returns the number of columns. What reads it is drawn again when it changes. */
export const columnCount = (): number => current.value;
