//! Elements of R5 (<https://hl7.org/fhir/R5/>), STU3 and DSTU2 that mean the same as elements of R4 with other names. A
//! resource that has them, and no element that would be misread, is read as one of R4. Otherwise the chart would show
//! a medication without its name, or none of its dose.

import { isObject } from '#reading/shape.ts';

type Members = Record<string, unknown>;

/**
 * Returns a copy with some members renamed, if it has the old names and not the new ones. The digits of numbers stay.
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

/** Returns a resource with a CodeableReference of R5 as one of two elements. */
function parted(resource: Members, name: string, concept: string, reference: string): Members {
  const { [name]: value, ...others } = resource;
  if (!isObject(value) || !(isObject(value.concept) || isObject(value.reference))) return resource;
  return {
    ...others,
    ...(isObject(value.concept) ? { [concept]: value.concept } : {}),
    ...(isObject(value.reference) ? { [reference]: value.reference } : {}),
  };
}

/** The amounts of a dosage that R4 has within `doseAndRate`, by their older names. */
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

/** Returns a dosage with its amounts in the elements of R4. */
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
  // A medication of a recorded statement may be taken or not.
  return status === 'recorded' ? { ...resource, status: codes.includes('taking') ? 'active' : 'unknown' } : resource;
}

/** Returns a resource with texts as the note that R4 has in their place. */
function withNote(resource: Members, ...names: string[]): Members {
  const found = names.find((name) => typeof resource[name] === 'string');
  if (found === undefined) return resource;
  const { [found]: text, note, ...others } = resource;
  return { ...others, note: [...(Array.isArray(note) ? note : []), { text }] };
}

/** Joins the family names of a Patient of DSTU2, each of which is an item of a list. */
function withFamilyNames(resource: Members): Members {
  const { name } = resource;
  if (!Array.isArray(name)) return resource;
  const isOld = (one: unknown): one is Members & { family: unknown[] } => isObject(one) && Array.isArray(one.family);
  if (!name.some(isOld)) return resource;
  return { ...resource, name: name.map((one) => (isOld(one) ? { ...one, family: one.family.join(' ') } : one)) };
}

const dosed = (resource: Members): Members => withDosages(withMedication(resource));

/** The conversion of a resource to R4, by type. */
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

/** Returns a resource in the form of R4, as far as another version has the same meaning with other names. */
export function asR4(resource: unknown): unknown {
  if (!isObject(resource)) return resource;
  const { resourceType } = resource;
  const isKnown = typeof resourceType === 'string' && Object.hasOwn(CHANGES, resourceType);
  return isKnown ? (CHANGES[resourceType]?.(resource) ?? resource) : resource;
}
