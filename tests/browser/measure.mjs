// Loads a chart and asks it, against the clock. In Node and in a page alike.

/// What is asked of each patient.
export const SEARCHES = {
  'patient, category, dates': (patient) => `Observation?patient=${patient}&category=laboratory&date=ge2012-01-01&date=lt2019-01-01`,
  'patient, categories, date': (patient) => `Observation?patient=${patient}&category=vital-signs,laboratory&date=ge2010-06-01&_count=200`,
  'patient, status, includes': (patient) => `MedicationRequest?patient=${patient}&status=active&_include=MedicationRequest:medication&_revinclude=Provenance:target`,
};

/// Loads the texts one after the other, then asks everything of each patient, in turn and not twice in a row. Times are
/// milliseconds; `memory` is the module's own.
export async function measure(chart, memory, texts, patients) {
  const times = Object.fromEntries(Object.keys(SEARCHES).map((name) => [name, []]));
  let resources = 0;
  let loading = 0;
  let entries = 0;
  for await (const text of texts) {
    const before = performance.now();
    resources += chart.load(text).resources;
    loading += performance.now() - before;
  }
  for (const [name, search] of Object.entries(SEARCHES)) {
    for (const patient of patients) {
      const before = performance.now();
      const answer = chart.search(search(patient));
      times[name].push(performance.now() - before);
      entries += JSON.parse(answer).entry?.length ?? 0;
    }
  }
  if (entries === 0) throw new Error('nothing was found');
  return { resources, loading, bytes: memory.buffer.byteLength, times, entries };
}
