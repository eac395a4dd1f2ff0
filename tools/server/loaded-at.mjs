/// The load time of records in tests and benchmarks. It is before any `lastUpdated` of a record.
export const LOADED_AT = '2001-01-01T00:00:00.000Z';
