// Creates a patient with more records than any patient of a population.

/// Yields the lines of a patient with so many observations, one per day, modelled on those of a population in turn.
export function* largest(lines, { id, observations }) {
  const given = lines.filter((line) => line.startsWith('{"resourceType":"Observation"')).map(JSON.parse);
  yield JSON.stringify({ resourceType: 'Patient', id });
  for (let at = 0; at < observations; at += 1) {
    const { category, code, meta, valueQuantity } = given[at % given.length];
    yield JSON.stringify({
      ...{ resourceType: 'Observation', id: `${id}-${at}`, meta, status: 'final', category, code, valueQuantity },
      subject: { reference: `Patient/${id}` },
      effectiveDateTime: new Date(Date.UTC(1920, 0, 1) + at * 86_400_000).toISOString(),
    });
  }
}
