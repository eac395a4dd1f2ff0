//! Elements of DSTU2 and STU3 whose form is another one in R4, such as a status that is two elements there.

import { own } from '../own.ts';
import { isObject, itemsOf } from '../shape.ts';
import { dosages } from './dosages.ts';
import {
  changed,
  codesOf,
  listed,
  type Members,
  memberOf,
  moved,
  movedChoice,
  noted,
  objectsOf,
  oneConcept,
  recoded,
  type Step,
  within,
  without,
  wordsOf,
} from './steps.ts';

/** The beginning of the addresses of code systems of HL7. */
export const TERMS = 'http://terminology.hl7.org/CodeSystem';

/** The patient of DSTU2. */
export const PATIENT = moved('patient', 'subject');
/** The visit of STU3. */
export const VISIT = moved('context', 'encounter', (value) =>
  isObject(value) && !('encounter' in value) ? value : undefined,
);
/** Notes that are a text, a note, or a list of these. */
export const NOTES: Step[] = [
  noted('note'),
  noted('notes'),
  listed('note'),
  moved('notes', 'note', (all) => itemsOf(all).map((one) => (typeof one === 'string' ? { text: one } : one))),
];
/** The ages of DSTU2, which are quantities. */
export const AGES = ['onset', 'abatement', 'age', 'deceased'].map((name) => moved(`${name}Quantity`, `${name}Age`));
/** The reasons of DSTU2, each in an element of its type. */
export const REASONS: Step[] = [moved('reasonCodeableConcept', 'reasonCode', itemsOf), listed('reasonReference')];

/** The time of a request of DSTU2. */
export const SCHEDULED = movedChoice('scheduled', 'occurrence', 'DateTime', 'Period', 'Timing');

/** The agent of a requester of STU3. The organization stays beside it. */
export const REQUESTER: Step = (members) => {
  const { requester } = members;
  if (!isObject(requester) || !isObject(requester.agent)) return members;
  const { agent, onBehalfOf } = requester;
  return { ...members, requester: agent, ...memberOf('onBehalfOf', onBehalfOf) };
};

/** Family names of DSTU2 are a list. */
export const familyNames = (name: string): Step =>
  within(
    name,
    changed('family', (value) => (Array.isArray(value) ? value.join(' ') : undefined)),
  );

/** The statuses of an allergy of DSTU2: each is a clinical status, a verification status, or both. */
const ALLERGY_STATUS: Readonly<Record<string, [clinical: string, verification: string]>> = {
  active: ['active', ''],
  unconfirmed: ['active', 'unconfirmed'],
  confirmed: ['active', 'confirmed'],
  inactive: ['inactive', ''],
  resolved: ['resolved', ''],
  refuted: ['', 'refuted'],
  'entered-in-error': ['', 'entered-in-error'],
};

/** Writes the status of an allergy as the two of R4. */
export function withAllergyStatus(allergy: Members): Members {
  const { status, ...others } = allergy;
  const found = typeof status === 'string' ? own(ALLERGY_STATUS, status) : undefined;
  if (!found || others.clinicalStatus !== undefined || others.verificationStatus !== undefined) return allergy;
  const [clinicalStatus, verificationStatus] = found;
  return {
    ...others,
    ...memberOf('clinicalStatus', clinicalStatus || undefined),
    ...memberOf('verificationStatus', verificationStatus || undefined),
  };
}

/** The statuses of a goal, as its lifecycle in R4 and, for some, its achievement. */
const GOAL_STATUS: Readonly<Record<string, [lifecycle: string, achievement?: string]>> = {
  proposed: ['proposed'],
  planned: ['planned'],
  accepted: ['accepted'],
  rejected: ['rejected'],
  'in-progress': ['active', 'in-progress'],
  'on-target': ['active', ''],
  'ahead-of-target': ['active', ''],
  'behind-target': ['active', ''],
  sustaining: ['active', 'sustaining'],
  achieved: ['completed', 'achieved'],
  'on-hold': ['on-hold'],
  cancelled: ['cancelled'],
  'entered-in-error': ['entered-in-error'],
};

/** Writes the status of a goal as its lifecycle and its achievement. */
export function withGoalStatus(goal: Members): Members {
  const { status, ...others } = goal;
  const found = typeof status === 'string' ? own(GOAL_STATUS, status) : undefined;
  if (!found || others.lifecycleStatus !== undefined) return goal;
  const [lifecycleStatus, code] = found;
  // R4 has no code for some statuses, whose words stay.
  const achievement = code ? { coding: [{ system: `${TERMS}/goal-achievement`, code }] } : { text: status };
  return { ...others, lifecycleStatus, ...(code === undefined ? {} : { achievementStatus: achievement }) };
}

/** Writes the date and the amount of a goal as its target. */
export function withTarget(goal: Members): Members {
  const { targetDate, targetQuantity, ...others } = goal;
  const target = { ...memberOf('dueDate', targetDate), ...memberOf('detailQuantity', targetQuantity) };
  return Object.keys(target).length === 0 || others.target ? goal : { ...others, target: [target] };
}

/** The classes of visits of DSTU2, as codes of v3 ActCode. */
const CLASSES: Readonly<Record<string, string>> = {
  inpatient: 'IMP',
  outpatient: 'AMB',
  ambulatory: 'AMB',
  emergency: 'EMER',
  home: 'HH',
  field: 'FLD',
  daytime: 'SS',
  virtual: 'VR',
};

export const visitClass = (value: unknown): unknown => {
  if (typeof value !== 'string') return undefined;
  const code = own(CLASSES, value);
  return code ? { system: `${TERMS}/v3-ActCode`, code, display: value } : { display: value };
};

export const numberOnly = (value: unknown): unknown => (typeof value === 'number' ? value : undefined);

/** The doses of a series of vaccinations. */
export const PROTOCOL = [
  moved('doseSequence', 'doseNumberPositiveInt'),
  moved('seriesDoses', 'seriesDosesPositiveInt', numberOnly),
  moved('doseTarget', 'targetDisease', itemsOf),
  listed('targetDisease'),
];

/** Writes why a vaccine was given, or was not. */
export function withExplanation(immunization: Members): Members {
  const { explanation, ...others } = immunization;
  if (!isObject(explanation)) return immunization;
  const { reason, reasonNotGiven } = explanation;
  return {
    ...(reason === undefined ? {} : { reasonCode: itemsOf(reason) }),
    ...(reasonNotGiven === undefined ? {} : { statusReason: oneConcept(reasonNotGiven) }),
    ...others,
  };
}

/** The people of an immunization, each with a function. */
export const asPerformer =
  (name: string, code: string): Step =>
  (members) => {
    const { [name]: actor, ...others } = members;
    if (!isObject(actor)) return members;
    const made = { actor, function: { coding: [{ system: `${TERMS}/v2-0443`, code }] } };
    return { ...others, performer: [...itemsOf(others.performer), made] };
  };

/** Writes how a cause was assessed in the element of R4. Codes of STU3 such as `causality1` say nothing. */
export function withCausality(entity: Members): Members {
  const { causalityAssessment: assessment, causalityMethod: method, ...others } = entity;
  return isObject(assessment) ? { ...others, causality: [{ assessment, ...memberOf('method', method) }] } : entity;
}

/** The extension of GP Connect (England) with the name of a vaccine, where the code of the vaccine is not known. */
const VACCINATION = /-VaccinationProcedure-\d$/;

/** Writes the name of a vaccine that only an extension has. */
export function withVaccine(immunization: Members): Members {
  const { vaccineCode, extension } = immunization;
  const isNamed = codesOf(vaccineCode).some((code) => code !== 'UNK') || (isObject(vaccineCode) && vaccineCode.text);
  const found = objectsOf(extension).find(({ url }) => VACCINATION.test(String(url)));
  return isNamed || !isObject(found?.valueCodeableConcept)
    ? immunization
    : { ...immunization, vaccineCode: found.valueCodeableConcept };
}

/** Writes the diagnoses at admission and discharge as diagnoses with a role. */
export function withDiagnoses(visit: Members): Members {
  const { hospitalization: stay } = visit;
  const roles = [
    ['admittingDiagnosis', 'AD'],
    ['dischargeDiagnosis', 'DD'],
  ] as const;
  if (!isObject(stay) || !roles.some(([name]) => Object.hasOwn(stay, name))) return visit;
  const made = roles.flatMap(([name, code]) =>
    itemsOf(stay[name]).map((condition) => ({
      condition,
      use: { coding: [{ system: `${TERMS}/diagnosis-role`, code }] },
    })),
  );
  const hospitalization = without(stay, ...roles.map(([name]) => name));
  return { ...visit, hospitalization, diagnosis: [...itemsOf(visit.diagnosis), ...made] };
}

/** The relations of observations that have an element of their own in R4. The others stay. */
const RELATED: Readonly<Record<string, string>> = { 'has-member': 'hasMember', 'derived-from': 'derivedFrom' };

/** Writes the results that belong to a result, and those that it was derived from. */
export function withRelated(observation: Members): Members {
  if (!Array.isArray(observation.related)) return observation;
  const { related, ...others } = observation;
  const left: unknown[] = [];
  const made: Members = { ...others };
  for (const one of itemsOf(related)) {
    const name = isObject(one) && typeof one.type === 'string' ? own(RELATED, one.type) : undefined;
    if (name && isObject(one) && isObject(one.target)) made[name] = [...itemsOf(made[name]), one.target];
    else left.push(one);
  }
  return left.length === itemsOf(related).length ? observation : { ...made, ...memberOf('related', left) };
}

/** The reliability of a value, as a status. A value that could not be completed for an error is one cancelled. */
const RELIABILITY: Readonly<Record<string, string>> = {
  ...{ ok: 'final', ongoing: 'preliminary', early: 'preliminary', error: 'cancelled' },
  ...{ questionable: 'questionable', calibrating: 'calibrating', unknown: 'reliability unknown' },
};

/** Writes the reliability of a result as its status. A preliminary one remains so beside words of doubt. */
export function withReliability(observation: Members): Members {
  const { reliability, ...others } = observation;
  const found = own(RELIABILITY, String(reliability));
  if (found === undefined) return observation;
  if (found === 'final' || ['entered-in-error', 'cancelled'].includes(String(others.status))) return others;
  const isBoth = others.status === 'preliminary' && !['preliminary', 'cancelled'].includes(found);
  return { ...others, status: isBoth ? `preliminary, ${found}` : found };
}

/** Writes whether a medication is taken as its status. What is not known stays. */
export function withTaken(statement: Members): Members {
  const { taken, ...others } = statement;
  if (taken === 'n') return others.status === 'entered-in-error' ? others : { ...others, status: 'not-taken' };
  return taken === 'y' ? others : statement;
}

/** Returns the actors of performers of STU3, which have roles, and of the performer of DSTU2. */
export function performers(value: unknown): unknown {
  const all = itemsOf(value);
  const made = all.map((one) => (isObject(one) && isObject(one.actor) ? one.actor : one));
  return Array.isArray(value) && made.every((one, i) => one === all[i]) ? undefined : made;
}

export const REQUEST_STATUS = recoded('status', {
  suspended: 'on-hold',
  cancelled: 'revoked',
  proposed: 'draft',
  planned: 'draft',
  requested: 'active',
  received: 'active',
  accepted: 'active',
  'in-progress': 'active',
  review: 'active',
  rejected: 'revoked',
  failed: 'revoked',
  aborted: 'revoked',
});

/** The intent of requests of DSTU2, all of which are orders. */
export const ORDER: Step = (members) => ({ intent: 'order', ...members });

/** Statuses of items by which an order of DSTU2 is over, if all its items have the same. */
const ITEM_OVER: readonly unknown[] = ['completed', 'cancelled', 'rejected', 'failed', 'suspended'];

function withItemStatus(order: Members): Members {
  const [first, ...more] = objectsOf(order.item).map(({ status }) => status);
  const isOver = ITEM_OVER.includes(first) && more.every((one) => one === first);
  return isOver && order.status !== 'entered-in-error' ? { ...order, status: first } : order;
}

/** Writes an element of the items of an order as one of the order. */
const ofItems =
  (name: string): Step =>
  (order) => ({
    ...memberOf(
      name,
      objectsOf(order.item).flatMap((item) => item[name] ?? []),
    ),
    ...order,
  });

/** The steps of all types that become a ServiceRequest. */
export const SERVICE_REQUEST: Step[] = [
  PATIENT,
  VISIT,
  REQUESTER,
  withItemStatus,
  REQUEST_STATUS,
  moved('orderer', 'requester'),
  moved('orderedOn', 'authoredOn'),
  moved('date', 'authoredOn'),
  moved('dateSent', 'authoredOn'),
  moved('recipient', 'performer'),
  moved('serviceRequested', 'code', oneConcept),
  moved('type', 'category', itemsOf),
  listed('category'),
  moved('specialty', 'performerType'),
  moved('groupIdentifier', 'requisition'),
  changed('priority', (value) => codesOf(value)[0] ?? wordsOf(value)),
  moved('reason', 'reasonCode', itemsOf),
  ...SCHEDULED,
  moved('fulfillmentTime', 'occurrencePeriod'),
  listed('performer'),
  noted('description'),
  ...NOTES,
  ...REASONS,
  ORDER,
  ...['bodySite', 'specimen'].map(ofItems),
  moved('item', 'code', (all) => oneConcept(objectsOf(all).flatMap(({ code }) => code ?? []))),
];

export const MEDICATION_REQUEST: Step[] = [
  PATIENT,
  VISIT,
  REQUESTER,
  listed('category'),
  moved('dateWritten', 'authoredOn'),
  moved('prescriber', 'requester'),
  moved('reasonEnded', 'statusReason'),
  ...REASONS,
  ...NOTES,
  dosages('dosageInstruction'),
  within('substitution', moved('allowed', 'allowedBoolean'), moved('type', 'allowedCodeableConcept')),
];

/** The prism of a lens, whose base is beside its amount. */
export function withPrism(lens: Members): Members {
  const { prism: amount, base, ...others } = lens;
  return typeof amount === 'number' ? { ...others, prism: [{ amount, ...memberOf('base', base) }] } : lens;
}

/** The form and the ingredients of a product of DSTU2. */
export function withProduct(medication: Members): Members {
  const { product, ...others } = medication;
  if (!isObject(product)) return medication;
  const parts = objectsOf(product.ingredient).map(({ item, amount, ...rest }) => ({
    ...rest,
    itemReference: item,
    ...memberOf('strength', amount),
  }));
  return { ...memberOf('form', product.form), ...memberOf('ingredient', parts), ...others };
}

/** The first author of a plan; the others have contributed to it. */
export function withAuthor(plan: Members): Members {
  const { author: all, ...others } = plan;
  if (!Array.isArray(all)) return plan;
  const [author, ...contributor] = all;
  return { ...others, ...memberOf('author', author), ...memberOf('contributor', contributor) };
}

/** Writes the accession number of a study as one of its identifiers. */
export function withAccession(study: Members): Members {
  const { accession, identifier, ...others } = study;
  return isObject(accession) ? { ...others, identifier: [...itemsOf(identifier), accession] } : study;
}

/** Writes the ordered item of a supply without the element around it. That of DSTU2 is a reference. */
export function withOrderedItem(request: Members): Members {
  const { orderedItem, ...others } = request;
  if (!isObject(orderedItem)) return request;
  const isReference = 'reference' in orderedItem || 'display' in orderedItem;
  return { ...(isReference ? { itemReference: orderedItem } : orderedItem), ...others };
}

/** The groups and the questions of a group of answers, as items. */
export function formItems({ group, question }: Members): Members[] {
  const groups = objectsOf(group).map(({ linkId, title, text, ...inside }) => ({
    ...memberOf('linkId', linkId),
    ...memberOf('text', title ?? text),
    ...memberOf('item', formItems(inside)),
  }));
  const questions = objectsOf(question).map(({ linkId, text, answer }) => ({
    ...memberOf('linkId', linkId),
    ...memberOf('text', text),
    ...memberOf(
      'answer',
      objectsOf(answer).map(({ group: inside, ...one }) => ({
        ...one,
        ...memberOf('item', formItems({ group: inside })),
      })),
    ),
  }));
  return [...groups, ...questions];
}
