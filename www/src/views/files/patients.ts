//! The patients of opened files. There may be very many, so the engine looks for them, and only the first are shown.

import { bundle, ofType, type Patient } from '#reading/fhir/types.ts';
import { isShaped } from '#reading/shape.ts';
import { engine } from '../../engine/client.ts';
import { absentPatients } from '../../source/files.ts';
import { addPage, noResult, type Source } from '../../source/source.ts';

/** The most patients that are shown. */
const SHOWN = 100;

interface FoundPatients {
  list: Patient[];
  /** The number of patients that match. The list may have fewer. */
  total: number;
}

/** Escapes a text as a value of a search parameter (<https://hl7.org/fhir/R4/search.html#escaping>). */
export const searchValue = (text: string): string => encodeURIComponent(text.replace(/[\\,$|]/g, String.raw`\$&`));

const isId = (text: string): boolean => /^[A-Za-z0-9.-]{1,64}$/.test(text);

async function search(source: Source, query: string): Promise<FoundPatients> {
  const exchange = await source.search(query);
  const result = noResult([exchange]);
  addPage(result, exchange);
  const list = ofType('Patient', result.matches);
  const total = isShaped(bundle, exchange.body) ? exchange.body.total : undefined;
  return { list, total: total ?? list.length };
}

/** Returns a placeholder for a patient who has records, but no Patient resource. */
const withoutPatient = (id: string): Patient => ({ resourceType: 'Patient', id });

/** Finds the first patients, by id: a search needs a parameter, and a patient may have no value but the id. */
async function firstPatients(source: Source): Promise<FoundPatients> {
  const { value } = await engine('ids', 'files', 'Patient', SHOWN);
  const query = `Patient?_id=${value.ids.join(',')}&_count=${SHOWN}`;
  const found = value.ids.length > 0 ? (await search(source, query)).list : [];
  const absent = absentPatients().map(withoutPatient);
  return { list: [...found, ...absent].slice(0, SHOWN), total: value.total + absent.length };
}

/** Finds the patients whose name contains the text, or whose id matches it. Without a text, finds all. */
export async function patientsOfFiles(source: Source, text: string): Promise<FoundPatients> {
  const wanted = text.trim();
  if (wanted === '') return firstPatients(source);
  const named = await search(source, `Patient?name:contains=${searchValue(wanted)}&_count=${SHOWN}`);
  const byId = isId(wanted) ? (await search(source, `Patient?_id=${wanted}`)).list : [];
  const absent = absentPatients().filter((id) => id.toLowerCase().includes(wanted.toLowerCase()));
  const others = [...byId.filter(({ id }) => !named.list.some((one) => one.id === id)), ...absent.map(withoutPatient)];
  return { list: [...others, ...named.list].slice(0, SHOWN), total: named.total + others.length };
}
