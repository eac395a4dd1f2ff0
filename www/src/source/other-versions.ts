//! Elements of R5 (<https://hl7.org/fhir/R5/>), STU3 and DSTU2 that say the same as elements of R4 under other names. A
//! resource that has them, and none by which it would be read wrongly, is read as one of R4: else the chart would show
//! a medication without its name, or none of its dose.

import { isObject } from '#reading/shape.ts';

type Members = Record<string, unknown>;

/**
 * A copy with some members in the place of others, where it has the others and not these. The digits of numbers stay.
 */
function renamed(resource: Members, names: Readonly<Record<string, string>>): Members {
  const found = Object.keys(names).filter((name) => {
    const { [name]: now = '' } = names;
    return Object.hasOwn(resource, name) && !Object.hasOwn(resource, now);
  });
  if (found.length === 0) return resource;
  const made = { ...resource };
  for (const name of found) {
    made[names[name] ?? name] = made[name];
    delete made[name];
  }
  return made;
}

/** A CodeableReference of R5 as one of two elements. */
function parted(resource: Members, name: string, concept: string, reference: string): Members {
  const { [name]: value, ...others } = resource;
  if (!isObject(value) || !(isObject(value.concept) || isObject(value.reference))) return resource;
  return {
    ...others,
    ...(isObject(value.concept) ? { [concept]: value.concept } : {}),
    ...(isObject(value.reference) ? { [reference]: value.reference } : {}),
  };
}

/** The amounts of a dosage that R4 has within `doseAndRate`, by their names before. */
const AMOUNTS: Readonly<Record<string, string>> = {
  doseQuantity: 'doseQuantity',
  doseRange: 'doseRange',
  doseSimpleQuantity: 'doseQuantity',
  quantityQuantity: 'doseQuantity',
  quantityRange: 'doseRange',
  quantity: 'doseQuantity',
  rateRatio: 'rateRatio',
  rateRange: 'rateRange',
  rateQuantity: 'rateQuantity',
  rateSimpleQuantity: 'rateQuantity',
};

/** A dosage whose amounts are where R4 has them. */
function dosage(given: unknown): unknown {
  if (!isObject(given) || Object.hasOwn(given, 'doseAndRate')) return given;
  const names = Object.keys(AMOUNTS).filter((name) => isObject(given[name]));
  if (names.length === 0) return given;
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
  return { ...others, doseAndRate: [Object.fromEntries(names.map((name) => [AMOUNTS[name], given[name]]))] };
}

function withDosages(resource: Members): Members {
  const made = { ...resource };
  for (const name of ['dosage', 'dosageInstruction']) {
    const { [name]: all } = made;
    if (Array.isArray(all)) made[name] = all.map(dosage);
  }
  return made;
}

const withMedication = (resource: Members): Members =>
  parted(resource, 'medication', 'medicationCodeableConcept', 'medicationReference');

/** The adherence of a statement of R5, as a status of R4. */
const ADHERENCE: Readonly<Record<string, string>> = {
  'not-taking': 'not-taken',
  stopped: 'stopped',
  'on-hold': 'on-hold',
};

function withAdherence(resource: Members): Members {
  const { adherence, status } = resource;
  const coding = isObject(adherence) && isObject(adherence.code) ? adherence.code.coding : undefined;
  const codes = (Array.isArray(coding) ? coding : []).filter(isObject).map(({ code }) => String(code));
  const found = codes.flatMap((code) => (Object.hasOwn(ADHERENCE, code) ? (ADHERENCE[code] ?? []) : []))[0];
  if (found !== undefined && status !== 'entered-in-error') return { ...resource, status: found };
  // What was merely recorded may be taken or not.
  return status === 'recorded' ? { ...resource, status: codes.includes('taking') ? 'active' : 'unknown' } : resource;
}

/** A text as the note that R4 has in its place. */
function withNote(resource: Members, ...names: string[]): Members {
  const found = names.find((name) => typeof resource[name] === 'string');
  if (found === undefined) return resource;
  const { [found]: text, note, ...others } = resource;
  return { ...others, note: [...(Array.isArray(note) ? note : []), { text }] };
}

/** A Patient of DSTU2 has several family names, each in an item of a list. */
function withFamilyNames(resource: Members): Members {
  const { name } = resource;
  if (!Array.isArray(name)) return resource;
  const isOld = (one: unknown): one is Members & { family: unknown[] } => isObject(one) && Array.isArray(one.family);
  if (!name.some(isOld)) return resource;
  return { ...resource, name: name.map((one) => (isOld(one) ? { ...one, family: one.family.join(' ') } : one)) };
}

const dosed = (resource: Members): Members => withDosages(withMedication(resource));

/** By type, what makes a resource one of R4. */
const CHANGES: Readonly<Record<string, (resource: Members) => Members>> = {
  Patient: withFamilyNames,
  Observation: (resource) => withNote(resource, 'comment', 'comments'),
  MedicationRequest: dosed,
  MedicationDispense: dosed,
  MedicationStatement: (resource) => withAdherence(dosed(resource)),
  MedicationAdministration: (resource) =>
    renamed(withMedication(resource), {
      occurenceDateTime: 'effectiveDateTime',
      occurencePeriod: 'effectivePeriod',
    }),
  Medication: (resource) => {
    const { ingredient } = resource;
    if (!Array.isArray(ingredient)) return resource;
    const parts = ingredient.map((one) =>
      isObject(one) ? parted(one, 'item', 'itemCodeableConcept', 'itemReference') : one,
    );
    return { ...resource, ingredient: parts };
  },
  ServiceRequest: (resource) => {
    const { code } = resource;
    return isObject(code) && isObject(code.concept) ? { ...resource, code: code.concept } : resource;
  },
  Procedure: (resource) =>
    renamed(resource, {
      occurrenceDateTime: 'performedDateTime',
      occurrencePeriod: 'performedPeriod',
      occurrenceString: 'performedString',
      occurrenceAge: 'performedAge',
    }),
  Encounter: (resource) => {
    const { class: kinds, status } = resource;
    const [kind] = Array.isArray(kinds) ? kinds.filter(isObject) : [];
    const [coding] = kind && Array.isArray(kind.coding) ? kind.coding : [];
    return {
      ...renamed(resource, { actualPeriod: 'period' }),
      ...(isObject(coding) ? { class: coding } : {}),
      ...(status === 'completed' ? { status: 'finished' } : {}),
    };
  },
};

/** A resource in the form of R4, as far as another version says the same by other names. */
export function asR4(resource: unknown): unknown {
  if (!isObject(resource)) return resource;
  const { resourceType } = resource;
  const isKnown = typeof resourceType === 'string' && Object.hasOwn(CHANGES, resourceType);
  return isKnown ? (CHANGES[resourceType]?.(resource) ?? resource) : resource;
}
