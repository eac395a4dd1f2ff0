export * from '#reading/fhir/placed.ts';
