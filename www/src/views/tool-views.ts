//! The views that try this server, fetched together.

export { checks } from './checks.ts';
export { receipts } from './receipts.ts';
export { sandbox } from './sandbox.ts';
export { scopes } from './scopes.ts';
export { searchView } from './search/view.ts';
export { simulator } from './simulator.ts';
