export * from '#reading/fhir/text.ts';
