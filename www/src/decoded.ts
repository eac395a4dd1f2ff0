export * from '#reading/decoded.ts';
