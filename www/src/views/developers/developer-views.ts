//! The views for developers: the first steps, the reference and the guides. They are fetched together.

export { guides } from './guides.ts';
export { reference } from './reference/view.ts';
export { start } from './start.ts';
