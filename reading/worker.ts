//! The Worker `reading`, which the main Worker asks to write documents. It has no binding, no secret and no address of
//! its own, and makes no request: it only knows the records of the request, which the main Worker has permitted.

import { compact, parsed } from './fhir/json.ts';
import type { Patient, Resource } from './fhir/types.ts';
import { spanish } from './language/es/catalogue.ts';
import { ENGLISH, Words } from './language/words.ts';
import { patientSummary } from './summary/patient-summary.ts';

/** The answer of a Worker. */
declare class Response {
  constructor(body: string);
}

const SPANISH = new Words({ language: 'es', locale: 'es-ES', catalogue: spanish });

/** A request for a summary. `entries` are entries of a Bundle. */
interface Asked {
  language: string;
  base: string;
  now: string;
  uuids: string[];
  closed: string[];
  isCut: boolean;
  patient: Patient;
  entries: { resource: Resource }[];
}

/** Returns the document for a request. */
export function summaryOf(text: string): string {
  const { language, base, now, uuids, closed, isCut, patient, entries } = parsed(text) as Asked;
  const words = language === 'es' ? SPANISH : ENGLISH;
  const uuid = () => uuids.shift() ?? '';
  const records = entries.map(({ resource }) => resource);
  return compact(
    patientSummary(words, patient, records, { base, now: new Date(now), uuid, closed, isCut, hasOnlyNewest: true }),
  );
}

export default {
  fetch: async (request: { text(): Promise<string> }) => new Response(summaryOf(await request.text())),
};
