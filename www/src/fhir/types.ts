export * from '#reading/fhir/types.ts';
