/// When the servers and charts of tests and benches load: before anything that says itself when it was last updated.
export const LOADED_AT = '2001-01-01T00:00:00.000Z';
