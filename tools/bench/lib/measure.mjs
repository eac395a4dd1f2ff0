// Measures loading and searching a chart, both in Node and in a page.

/// The searches for each patient.
export const SEARCHES = {
  'patient, category, dates': (patient) =>
    `Observation?patient=${patient}&category=laboratory&date=ge2012-01-01&date=lt2019-01-01`,
  'patient, categories, date': (patient) =>
    `Observation?patient=${patient}&category=vital-signs,laboratory&date=ge2010-06-01&_count=200`,
  'patient, status, includes': (patient) =>
    `MedicationRequest?patient=${patient}&status=active&_include=MedicationRequest:medication&_revinclude=Provenance:target`,
};

/// The number of tries of a search. The fastest counts, since the machine may be busy.
const TRIES = 3;

/// Loads the texts one after the other, then runs all searches for each patient. Times are in milliseconds; `memory` is
/// that of the wasm module.
export async function measure(chart, memory, texts, patients) {
  const asked = {};
  let resources = 0;
  let loading = 0;
  for await (const text of texts) {
    const before = performance.now();
    resources += chart.load(text).resources;
    loading += performance.now() - before;
  }
  for (const [name, search] of Object.entries(SEARCHES)) {
    asked[name] = { times: patients.map(() => Infinity), entries: 0 };
    for (let k = 0; k < TRIES; k += 1) {
      for (const [at, patient] of patients.entries()) {
        const before = performance.now();
        const answer = chart.search(search(patient));
        asked[name].times[at] = Math.min(asked[name].times[at], performance.now() - before);
        if (k === 0) asked[name].entries += JSON.parse(answer).entry?.length ?? 0;
      }
    }
    if (asked[name].entries === 0) throw new Error(`${name}: nothing was found`);
  }
  return { resources, loading, bytes: memory.buffer.byteLength, asked };
}
