export * from '#reading/own.ts';
