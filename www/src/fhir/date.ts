export * from '#reading/fhir/date.ts';
