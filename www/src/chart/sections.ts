//! The chart's sections, in the order in which a clinician reads.

import { allergies } from './allergies';
import { encounters, orders, plan, procedures, team } from './care';
import { documents, reports } from './documents';
import { immunizations } from './immunizations';
import { medications } from './medications';
import { problems } from './problems';
import { labs, screening, vitals } from './results';
import type { Section } from './section';

export const SECTIONS: Section[] = [
  allergies, problems, medications, immunizations, vitals, labs, reports, documents, procedures, screening, plan, team, orders, encounters,
];
