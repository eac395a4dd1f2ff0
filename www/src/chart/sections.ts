//! The chart's sections, in the order in which a clinician reads them.

import { allergies } from './allergies.ts';
import { consents } from './consents.ts';
import { documents } from './documents.ts';
import { family } from './family.ts';
import { flags } from './flags.ts';
import { immunizations } from './immunizations.ts';
import { labs } from './labs.ts';
import { medications } from './medications.ts';
import { orders } from './orders.ts';
import { otherObservations } from './other-observations.ts';
import { otherRecords } from './other-records.ts';
import { plan } from './plan.ts';
import { problems } from './problems.ts';
import { procedures } from './procedures.ts';
import { reports } from './reports.ts';
import { screening } from './screening.ts';
import type { Section } from './section.ts';
import { team } from './team.ts';
import { visits } from './visits.ts';
import { vitals } from './vitals.ts';

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
