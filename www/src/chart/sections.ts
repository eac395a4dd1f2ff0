//! The chart's sections, in the order in which a clinician reads.

import { allergies } from './allergies.ts';
import { encounters, orders, plan, procedures, team } from './care.ts';
import { documents, reports } from './documents.ts';
import { immunizations } from './immunizations.ts';
import { medications } from './medications.ts';
import { problems } from './problems.ts';
import { labs, screening, vitals } from './results.ts';
import type { Section } from './section.ts';

export const SECTIONS: Section[] = [
  allergies,
  problems,
  medications,
  immunizations,
  vitals,
  labs,
  reports,
  documents,
  procedures,
  screening,
  plan,
  team,
  orders,
  encounters,
];
