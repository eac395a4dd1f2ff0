export * from '#reading/fhir/json.ts';
