export * from '#reading/fhir/record-address.ts';
