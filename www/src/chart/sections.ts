//! The chart's sections, in the order in which a clinician reads them.

import { allergies } from './allergies/allergies.ts';
import { consents } from './care/consents.ts';
import { family } from './care/family.ts';
import { flags } from './care/flags.ts';
import { immunizations } from './care/immunizations.ts';
import { orders } from './care/orders.ts';
import { plan } from './care/plan.ts';
import { problems } from './care/problems.ts';
import { procedures } from './care/procedures.ts';
import { team } from './care/team.ts';
import { visits } from './care/visits.ts';
import { documents } from './documents/documents.ts';
import { medications } from './medications/medications.ts';
import { otherRecords } from './other-records.ts';
import { reports } from './reports/reports.ts';
import { labs } from './results/labs.ts';
import { otherObservations } from './results/other-observations.ts';
import { screening } from './results/screening.ts';
import { vitals } from './results/vitals.ts';
import type { Section } from './section/section.ts';

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
  otherObservations,
  family,
  consents,
  flags,
  plan,
  team,
  orders,
  visits,
  otherRecords,
];

/** The searches of all sections, in their order. */
export const SEARCHES: readonly string[] = SECTIONS.flatMap(({ queries }) => queries);
