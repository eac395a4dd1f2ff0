//! Elements of DSTU2 and STU3 whose form is another one in R4, such as a status that is two elements there.

import { own } from '../own.ts';
import { isObject, itemsOf } from '../shape.ts';
import { dosages } from './dosages.ts';
import * as step from './steps.ts';

/** The beginning of the addresses of code systems of HL7. */
export const TERMS = 'http://terminology.hl7.org/CodeSystem';

/** The patient of DSTU2. */
export const PATIENT = step.moved('patient', 'subject');
/** The visit of STU3. */
export const VISIT = step.moved('context', 'encounter', (value) =>
  isObject(value) && !('encounter' in value) ? value : undefined,
);
/** Notes that are a text, a note, or a list of these. */
export const NOTES: step.Step[] = [
  step.noted('note'),
  step.noted('notes'),
  step.listed('note'),
  step.moved('notes', 'note', (all) => itemsOf(all).map((one) => (typeof one === 'string' ? { text: one } : one))),
];
/** The ages of DSTU2, which are quantities. */
export const AGES = ['onset', 'abatement', 'age', 'deceased'].map((name) =>
  step.moved(`${name}Quantity`, `${name}Age`),
);
/** The reasons of DSTU2, each in an element of its type. */
export const REASONS: step.Step[] = [
  step.moved('reasonCodeableConcept', 'reasonCode', itemsOf),
  step.listed('reasonReference'),
];

/** The time of a request of DSTU2. */
export const SCHEDULED = step.movedChoice('scheduled', 'occurrence', 'DateTime', 'Period', 'Timing');

/** The agent of a requester of STU3. The organization stays beside it. */
export const REQUESTER: step.Step = (members) => {
  const { requester } = members;
  if (!isObject(requester) || !isObject(requester.agent)) return members;
  const { agent, onBehalfOf } = requester;
  return { ...members, requester: agent, ...step.memberOf('onBehalfOf', onBehalfOf) };
};

/** Family names of DSTU2 are a list. */
export const familyNames = (name: string): step.Step =>
  step.within(
    name,
    step.changed('family', (value) => (Array.isArray(value) ? value.join(' ') : undefined)),
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
export function withAllergyStatus(allergy: step.Members): step.Members {
  const { status, ...others } = allergy;
  const found = typeof status === 'string' ? own(ALLERGY_STATUS, status) : undefined;
  if (!found || others.clinicalStatus !== undefined || others.verificationStatus !== undefined) return allergy;
  const [clinicalStatus, verificationStatus] = found;
  return {
    ...others,
    ...step.memberOf('clinicalStatus', clinicalStatus || undefined),
    ...step.memberOf('verificationStatus', verificationStatus || undefined),
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
export function withGoalStatus(goal: step.Members): step.Members {
  const { status, ...others } = goal;
  const found = typeof status === 'string' ? own(GOAL_STATUS, status) : undefined;
  if (!found || others.lifecycleStatus !== undefined) return goal;
  const [lifecycleStatus, code] = found;
  // R4 has no code for some statuses, whose words stay.
  const achievement = code ? { coding: [{ system: `${TERMS}/goal-achievement`, code }] } : { text: status };
  return { ...others, lifecycleStatus, ...(code === undefined ? {} : { achievementStatus: achievement }) };
}

/** Writes the date and the amount of a goal as its target. */
export function withTarget(goal: step.Members): step.Members {
  const { targetDate, targetQuantity, ...others } = goal;
  const target = { ...step.memberOf('dueDate', targetDate), ...step.memberOf('detailQuantity', targetQuantity) };
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
  step.moved('doseSequence', 'doseNumberPositiveInt'),
  step.moved('seriesDoses', 'seriesDosesPositiveInt', numberOnly),
  step.moved('doseTarget', 'targetDisease', itemsOf),
  step.listed('targetDisease'),
];

/** Writes why a vaccine was given, or was not. */
export function withExplanation(immunization: step.Members): step.Members {
  const { explanation, ...others } = immunization;
  if (!isObject(explanation)) return immunization;
  const { reason, reasonNotGiven } = explanation;
  return {
    ...(reason === undefined ? {} : { reasonCode: itemsOf(reason) }),
    ...(reasonNotGiven === undefined ? {} : { statusReason: step.oneConcept(reasonNotGiven) }),
    ...others,
  };
}

/** The people of an immunization, each with a function. */
export const asPerformer =
  (name: string, code: string): step.Step =>
  (members) => {
    const { [name]: actor, ...others } = members;
    if (!isObject(actor)) return members;
    const made = { actor, function: { coding: [{ system: `${TERMS}/v2-0443`, code }] } };
    return { ...others, performer: [...itemsOf(others.performer), made] };
  };

/** Writes how a cause was assessed in the element of R4. Codes of STU3 such as `causality1` say nothing. */
export function withCausality(entity: step.Members): step.Members {
  const { causalityAssessment: assessment, causalityMethod: method, ...others } = entity;
  return isObject(assessment) ? { ...others, causality: [{ assessment, ...step.memberOf('method', method) }] } : entity;
}

/** The extension of GP Connect (England) with the name of a vaccine, where the code of the vaccine is not known. */
const VACCINATION = /-VaccinationProcedure-\d$/;

/** Writes the name of a vaccine that only an extension has. */
export function withVaccine(immunization: step.Members): step.Members {
  const { vaccineCode, extension } = immunization;
  const isNamed =
    step.codesOf(vaccineCode).some((code) => code !== 'UNK') || (isObject(vaccineCode) && vaccineCode.text);
  const found = step.objectsOf(extension).find(({ url }) => VACCINATION.test(String(url)));
  return isNamed || !isObject(found?.valueCodeableConcept)
    ? immunization
    : { ...immunization, vaccineCode: found.valueCodeableConcept };
}

/** Writes the diagnoses at admission and discharge as diagnoses with a role. */
export function withDiagnoses(visit: step.Members): step.Members {
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
  const hospitalization = step.without(stay, ...roles.map(([name]) => name));
  return { ...visit, hospitalization, diagnosis: [...itemsOf(visit.diagnosis), ...made] };
}

/** The relations of observations that have an element of their own in R4. The others stay. */
const RELATED: Readonly<Record<string, string>> = { 'has-member': 'hasMember', 'derived-from': 'derivedFrom' };

/** Writes the results that belong to a result, and those that it was derived from. */
export function withRelated(observation: step.Members): step.Members {
  if (!Array.isArray(observation.related)) return observation;
  const { related, ...others } = observation;
  const left: unknown[] = [];
  const made: step.Members = { ...others };
  for (const one of itemsOf(related)) {
    const name = isObject(one) && typeof one.type === 'string' ? own(RELATED, one.type) : undefined;
    if (name && isObject(one) && isObject(one.target)) made[name] = [...itemsOf(made[name]), one.target];
    else left.push(one);
  }
  return left.length === itemsOf(related).length ? observation : { ...made, ...step.memberOf('related', left) };
}

/** The reliability of a value, as a status. A value that could not be completed for an error is one cancelled. */
const RELIABILITY: Readonly<Record<string, string>> = {
  ...{ ok: 'final', ongoing: 'preliminary', early: 'preliminary', error: 'cancelled' },
  ...{ questionable: 'questionable', calibrating: 'calibrating', unknown: 'reliability unknown' },
};

/** Writes the reliability of a result as its status. A preliminary one remains so beside words of doubt. */
export function withReliability(observation: step.Members): step.Members {
  const { reliability, ...others } = observation;
  const found = own(RELIABILITY, String(reliability));
  if (found === undefined) return observation;
  if (found === 'final' || ['entered-in-error', 'cancelled'].includes(String(others.status))) return others;
  const isBoth = others.status === 'preliminary' && !['preliminary', 'cancelled'].includes(found);
  return { ...others, status: isBoth ? `preliminary, ${found}` : found };
}

/** Writes whether a medication is taken as its status. What is not known stays. */
export function withTaken(statement: step.Members): step.Members {
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

export const REQUEST_STATUS = step.recoded('status', {
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
export const ORDER: step.Step = (members) => ({ intent: 'order', ...members });

/** Statuses of items by which an order of DSTU2 is over, if all its items have the same. */
const ITEM_OVER: readonly unknown[] = ['completed', 'cancelled', 'rejected', 'failed', 'suspended'];

function withItemStatus(order: step.Members): step.Members {
  const [first, ...more] = step.objectsOf(order.item).map(({ status }) => status);
  const isOver = ITEM_OVER.includes(first) && more.every((one) => one === first);
  return isOver && order.status !== 'entered-in-error' ? { ...order, status: first } : order;
}

/** Writes an element of the items of an order as one of the order. */
const ofItems =
  (name: string): step.Step =>
  (order) => ({
    ...step.memberOf(
      name,
      step.objectsOf(order.item).flatMap((item) => item[name] ?? []),
    ),
    ...order,
  });

/** The steps of all types that become a ServiceRequest. */
export const SERVICE_REQUEST: step.Step[] = [
  PATIENT,
  VISIT,
  REQUESTER,
  withItemStatus,
  REQUEST_STATUS,
  step.moved('orderer', 'requester'),
  step.moved('orderedOn', 'authoredOn'),
  step.moved('date', 'authoredOn'),
  step.moved('dateSent', 'authoredOn'),
  step.moved('recipient', 'performer'),
  step.moved('serviceRequested', 'code', step.oneConcept),
  step.moved('type', 'category', itemsOf),
  step.listed('category'),
  step.moved('specialty', 'performerType'),
  step.moved('groupIdentifier', 'requisition'),
  step.changed('priority', (value) => step.codesOf(value)[0] ?? step.wordsOf(value)),
  step.moved('reason', 'reasonCode', itemsOf),
  ...SCHEDULED,
  step.moved('fulfillmentTime', 'occurrencePeriod'),
  step.listed('performer'),
  step.noted('description'),
  ...NOTES,
  ...REASONS,
  ORDER,
  ...['bodySite', 'specimen'].map(ofItems),
  step.moved('item', 'code', (all) => step.oneConcept(step.objectsOf(all).flatMap(({ code }) => code ?? []))),
];

export const MEDICATION_REQUEST: step.Step[] = [
  PATIENT,
  VISIT,
  REQUESTER,
  step.listed('category'),
  step.moved('dateWritten', 'authoredOn'),
  step.moved('prescriber', 'requester'),
  step.moved('reasonEnded', 'statusReason'),
  ...REASONS,
  ...NOTES,
  dosages('dosageInstruction'),
  step.within('substitution', step.moved('allowed', 'allowedBoolean'), step.moved('type', 'allowedCodeableConcept')),
];

/** The prism of a lens, whose base is beside its amount. */
export function withPrism(lens: step.Members): step.Members {
  const { prism: amount, base, ...others } = lens;
  return typeof amount === 'number' ? { ...others, prism: [{ amount, ...step.memberOf('base', base) }] } : lens;
}

/** The form and the ingredients of a product of DSTU2. */
export function withProduct(medication: step.Members): step.Members {
  const { product, ...others } = medication;
  if (!isObject(product)) return medication;
  const parts = step.objectsOf(product.ingredient).map(({ item, amount, ...rest }) => ({
    ...rest,
    itemReference: item,
    ...step.memberOf('strength', amount),
  }));
  return { ...step.memberOf('form', product.form), ...step.memberOf('ingredient', parts), ...others };
}

/** The first author of a plan; the others have contributed to it. */
export function withAuthor(plan: step.Members): step.Members {
  const { author: all, ...others } = plan;
  if (!Array.isArray(all)) return plan;
  const [author, ...contributor] = all;
  return { ...others, ...step.memberOf('author', author), ...step.memberOf('contributor', contributor) };
}

/** Writes the accession number of a study as one of its identifiers. */
export function withAccession(study: step.Members): step.Members {
  const { accession, identifier, ...others } = study;
  return isObject(accession) ? { ...others, identifier: [...itemsOf(identifier), accession] } : study;
}

/** Writes the ordered item of a supply without the element around it. That of DSTU2 is a reference. */
export function withOrderedItem(request: step.Members): step.Members {
  const { orderedItem, ...others } = request;
  if (!isObject(orderedItem)) return request;
  const isReference = 'reference' in orderedItem || 'display' in orderedItem;
  return { ...(isReference ? { itemReference: orderedItem } : orderedItem), ...others };
}

/** The groups and the questions of a group of answers, as items. */
export function formItems({ group, question }: step.Members): step.Members[] {
  const groups = step.objectsOf(group).map(({ linkId, title, text, ...inside }) => ({
    ...step.memberOf('linkId', linkId),
    ...step.memberOf('text', title ?? text),
    ...step.memberOf('item', formItems(inside)),
  }));
  const questions = step.objectsOf(question).map(({ linkId, text, answer }) => ({
    ...step.memberOf('linkId', linkId),
    ...step.memberOf('text', text),
    ...step.memberOf(
      'answer',
      step.objectsOf(answer).map(({ group: inside, ...one }) => ({
        ...one,
        ...step.memberOf('item', formItems({ group: inside })),
      })),
    ),
  }));
  return [...groups, ...questions];
}
