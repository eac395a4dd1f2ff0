export * from '#reading/fhir/older.ts';
