//! Spanish, with the catalogue of the reading alone.

import { spanish } from './es/catalogue.ts';
import { Words } from './words.ts';

export const SPANISH: Words = new Words({ language: 'es', locale: 'es-ES', catalogue: spanish });
