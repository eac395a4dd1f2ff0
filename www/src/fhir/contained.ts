export * from '#reading/fhir/contained.ts';
