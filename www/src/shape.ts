export * from '#reading/shape.ts';
