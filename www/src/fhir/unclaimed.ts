export * from '#reading/fhir/unclaimed.ts';
