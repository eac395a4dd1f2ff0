//! Names for references that have none: those of the resources that a record contains, such as `#1`.

const names = new WeakMap<object, string>();

/** Gives a reference the name of what it refers to. */
export const setReferenceName = (reference: object, name: string): void => void names.set(reference, name);

/** The name that a reference was given; nothing where it was given none. */
export const referenceName = (reference: object | undefined): string | undefined => reference && names.get(reference);
