export * from '#reading/fhir/element-text.ts';
