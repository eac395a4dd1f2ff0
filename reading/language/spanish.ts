//! Spanish, with the catalogue of the reading and the names of types.

import { spanish, types } from './es/catalogue.ts';
import { Words } from './words.ts';

export const SPANISH: Words = new Words({ language: 'es', locale: 'es-ES', catalogue: { ...types, ...spanish } });
