//! The words of records of types without their own words in the chart. Elements are named by their paths. For a type
//! that is missing from the table, the usual elements are read.

import { imageCounts, imagedSites, modalities, studyName } from '../care/imaging.ts';
import { recommendationsOf } from '../care/recommendations.ts';
import { statusOf } from '../fhir/certainty.ts';
import { pathLabel } from '../fhir/element-labels.ts';
import { firstText, firstWritten, textAt, valuesAt, valueText } from '../fhir/element-text.ts';
import { type ElementLine, elementTree } from '../fhir/element-tree.ts';
import { BILLING, typesOf } from '../fhir/other-types.ts';
import type { Resource } from '../fhir/types.ts';
import type { Words } from '../language/words.ts';
import { own } from '../own.ts';
import { outcomeText, seriousnessText, severityText, suspectedCauses } from '../problems/adverse-event.ts';
import { isObject } from '../shape.ts';

/** The elements of a type: the first of `what`, `when` and `who` that has a value, and all of `value`. */
interface Elements {
  what?: string[];
  when?: string[];
  who?: string[];
  value?: string[];
}

const USUAL: Required<Elements> = {
  what: ['code', 'type', 'title', 'name', 'description', 'category', 'serviceType', 'reasonCode', 'topic'],
  when: [
    ...['effectiveDateTime', 'effectivePeriod.start', 'occurrenceDateTime', 'occurrencePeriod.start', 'date'],
    ...['dateTime', 'period.start', 'period.end', 'start', 'started', 'authoredOn', 'recordedDate', 'recorded'],
    ...['issued', 'created', 'createdDateTime', 'servicePeriod.start', 'billablePeriod.start'],
  ],
  who: ['performer.actor', 'performer', 'author', 'requester', 'recorder', 'sender', 'assessor', 'asserter'],
  value: ['description', 'note'],
};

const TABLE: Readonly<Record<string, Elements>> = {
  AdverseEvent: {
    what: ['event', 'code', 'category'],
    when: ['date', 'occurrenceDateTime', 'occurrencePeriod.start', 'detected', 'recordedDate'],
    who: ['recorder', 'contributor'],
    value: ['resultingCondition'],
  },
  Appointment: {
    what: ['serviceType', 'appointmentType', 'reasonCode', 'description', 'serviceCategory'],
    when: ['start', 'requestedPeriod.start', 'created'],
    who: ['participant.actor'],
    value: ['description', 'patientInstruction', 'comment', 'cancelationReason'],
  },
  BodyStructure: {
    what: ['morphology', 'location', 'description'],
    value: ['location', 'locationQualifier', 'excludedStructure.structure', 'description'],
  },
  ClinicalImpression: {
    what: ['code', 'description', 'problem', 'summary'],
    when: ['effectiveDateTime', 'effectivePeriod.start', 'date'],
    value: [
      ...['summary', 'finding.itemCodeableConcept', 'finding.itemReference', 'resolved', 'prognosisCodeableConcept'],
      'note',
    ],
  },
  Communication: {
    what: ['topic', 'reasonCode', 'category', 'payload.contentString'],
    when: ['sent', 'received'],
    who: ['sender'],
    value: ['payload.contentString', 'statusReason', 'note'],
  },
  CommunicationRequest: {
    what: ['reasonCode', 'category', 'payload.contentString'],
    value: ['payload.contentString', 'note'],
  },
  Composition: { what: ['title', 'type'], value: ['section.title'] },
  Consent: {
    what: ['category', 'scope'],
    when: ['dateTime', 'provision.period.start'],
    who: ['performer', 'organization'],
    value: ['scope', 'policyRule', 'provision.type', 'provision.code', 'sourceAttachment'],
  },
  Coverage: {
    what: ['type', 'class.name'],
    when: ['period.start'],
    who: ['payor'],
    value: ['subscriberId', 'relationship', 'class.value'],
  },
  DetectedIssue: {
    what: ['code', 'detail'],
    when: ['identifiedDateTime', 'identifiedPeriod.start'],
    value: ['severity', 'detail', 'implicated', 'mitigation.action'],
  },
  DeviceRequest: {
    what: ['codeCodeableConcept', 'codeReference'],
    value: ['asNeededBoolean', 'asNeededCodeableConcept', 'reasonCode', 'note'],
  },
  DeviceUseStatement: {
    what: ['device'],
    when: ['timingDateTime', 'timingPeriod.start', 'recordedOn'],
    who: ['source'],
    value: ['usageStatus', 'usageReason', 'adherence', 'bodySite', 'reasonCode', 'note'],
  },
  EpisodeOfCare: { what: ['type'], who: ['managingOrganization', 'careManager'], value: ['diagnosis.condition'] },
  Flag: { what: ['code'], when: ['period.start', 'period.end'], value: ['category'] },
  GuidanceResponse: { what: ['reasonCode', 'moduleCanonical', 'moduleUri'], when: ['occurrenceDateTime'] },
  ImagingStudy: {
    when: ['started'],
    who: ['interpreter', 'referrer'],
    value: ['reasonCode', 'reasonReference', 'note'],
  },
  ImmunizationEvaluation: { what: ['targetDisease'], value: ['doseStatus', 'doseStatusReason', 'description'] },
  ImmunizationRecommendation: { what: ['recommendation.vaccineCode', 'recommendation.targetDisease'], value: [] },
  List: { what: ['title', 'code'], who: ['source'], value: ['mode', 'emptyReason', 'note'] },
  Media: {
    what: ['content.title', 'view', 'modality', 'type', 'content'],
    when: ['createdDateTime', 'createdPeriod.start', 'issued'],
    who: ['operator'],
    value: ['bodySite', 'reasonCode', 'note'],
  },
  MolecularSequence: { what: ['type', 'coordinateSystem'], value: ['variant.observedAllele', 'observedSeq'] },
  NutritionOrder: {
    what: ['oralDiet.type', 'enteralFormula.baseFormulaType', 'supplement.type'],
    when: ['dateTime'],
    who: ['orderer'],
    value: [
      ...['oralDiet.texture.modifier', 'oralDiet.fluidConsistencyType', 'oralDiet.instruction'],
      ...['excludeFoodModifier', 'foodPreferenceModifier', 'allergyIntolerance', 'supplement.type'],
      ...['supplement.instruction', 'enteralFormula.administration', 'enteralFormula.administrationInstruction'],
      'note',
    ],
  },
  RelatedPerson: { what: ['name', 'relationship'], when: ['period.start'], value: ['relationship', 'telecom'] },
  RequestGroup: { what: ['code', 'action.title'], value: ['reasonCode', 'action.description', 'note'] },
  ResearchSubject: { what: ['study'], when: ['period.start'] },
  RiskAssessment: {
    what: ['code', 'prediction.outcome', 'condition', 'method'],
    value: [
      ...['condition', 'prediction.outcome', 'prediction.qualitativeRisk', 'prediction.probabilityDecimal'],
      ...['prediction.probabilityRange', 'prediction.relativeRisk', 'prediction.whenPeriod', 'mitigation', 'note'],
    ],
  },
  Specimen: {
    what: ['type'],
    when: ['collection.collectedDateTime', 'collection.collectedPeriod.start', 'receivedTime'],
    who: ['collection.collector'],
    value: ['collection.bodySite', 'condition', 'note'],
  },
  SupplyDelivery: {
    what: ['suppliedItem.itemCodeableConcept', 'suppliedItem.itemReference', 'type'],
    who: ['supplier'],
    value: ['suppliedItem.quantity'],
  },
  SupplyRequest: { what: ['itemCodeableConcept', 'itemReference', 'category'], value: ['quantity', 'reasonCode'] },
  Task: { what: ['code', 'description'], value: ['description', 'statusReason', 'note'] },
  VisionPrescription: {
    what: [],
    when: ['dateWritten', 'created'],
    who: ['prescriber'],
    value: ['lensSpecification.eye'],
  },
};

/** The words of a record of any type. The caller adds `kind`. */
interface OtherWords {
  what: string | undefined;
  when: string | undefined;
  who: string | undefined;
  status: string | undefined;
  value: string | undefined;
}

/** Elements that need no label: text that people wrote, and values that make their element clear. */
const PLAIN = new Set([
  ...['description', 'note', 'summary', 'contentString', 'detail', 'instruction', 'patientInstruction', 'comment'],
  ...['bodySite', 'modality', 'category', 'location', 'finding.itemCodeableConcept'],
]);

/** Separates the items of a repeated element, of which a list of rows makes lines. */
export const LINE = ';\n';

/** Elements whose items are always told with all their parts. */
const IN_FULL = ['class', 'lensSpecification'];

/** Returns the items of an element with its name and all parts: what belongs together, or negates, stands together. */
function itemsText(words: Words, { resourceType }: Resource, items: readonly object[], path: string): string {
  const name = IN_FULL.includes(path) ? '' : `${pathLabel(words, resourceType, path)}: `;
  const text = ({ label, values, groups }: ElementLine): string =>
    [`${label}: ${values.join(', ')}`, ...groups.map((group) => `${label}: ${group.map(text).join(', ')}`)]
      .slice(values.length > 0 ? 0 : 1)
      .join(', ');
  const texts = items.map((item) =>
    elementTree(words, Object.defineProperties({ resourceType, id: '' }, Object.getOwnPropertyDescriptors(item)))
      .lines.map(text)
      .join(', '),
  );
  return texts.flatMap((one) => (one ? name + one : [])).join(LINE);
}

/** Returns the values at some paths, each with its label: foods to avoid must not read like foods to eat. */
function labelled(
  words: Words,
  resource: Resource,
  paths: readonly string[],
  what: string | undefined,
): string | undefined {
  const told = new Set<string>();
  const parts = paths.flatMap((path) => {
    const [element = ''] = path.split('.');
    const items = path === element ? [] : valuesAt(resource, element).filter(isObject);
    if (items.length > 1 || (items.length > 0 && IN_FULL.includes(element))) {
      if (told.has(element)) return [];
      told.add(element);
      return itemsText(words, resource, items, element);
    }
    const said = textAt(words, resource, path);
    if (said === undefined) return itemsText(words, resource, valuesAt(resource, path).filter(isObject), path) || [];
    if (said === what) return [];
    const name = path.split('.').at(-1) ?? path;
    return PLAIN.has(name) || PLAIN.has(path) ? said : `${pathLabel(words, resource.resourceType, path)}: ${said}`;
  });
  const elements = paths.map((path) => path.split('.')[0] ?? '');
  return [...new Set([...parts, ...groupsIn(words, resource, elements)])].join('; ') || undefined;
}

/** Elements whose groups are shown elsewhere, or are not about care. */
const TOLD_ELSEWHERE = [
  ...['contained', 'extension', 'modifierExtension', 'section', 'participant', 'attester', 'relatesTo'],
  ...['statusHistory', 'classHistory'],
];
const BILLS = typesOf(BILLING);

/**
 * Returns the lists of groups that no path names, each with all its parts. Types with words of their own tell theirs,
 * and bills are told by their names alone.
 */
const groupsIn = (words: Words, resource: Resource, named: readonly string[]): string[] =>
  own(OWN, resource.resourceType) || BILLS.includes(resource.resourceType)
    ? []
    : Object.entries(resource).flatMap(([name, value]) => {
        if (!Array.isArray(value) || named.includes(name) || TOLD_ELSEWHERE.includes(name)) return [];
        const isOfGroups = value.some((one) => isObject(one) && valueText(words, one) === undefined);
        return (isOfGroups && itemsText(words, resource, value.filter(isObject), name)) || [];
      });

/** Words of types that are not read path by path: the subject of a record, and a value that precedes the others. */
interface OwnWords {
  what?(words: Words, resource: Resource): string | undefined;
  value(words: Words, resource: Resource, included: readonly Resource[]): (string | undefined)[];
}

const withLabel = (label: string, said: string | undefined): string | undefined => said && `${label}: ${said}`;

/** Returns the items of a list. A removed item must not read like an item of the list. */
const listItems = (words: Words, list: Resource): string[] =>
  valuesAt(list, 'entry').flatMap((entry) => {
    const item = textAt(words, entry, 'item');
    if (item === undefined) return [];
    const flag = textAt(words, entry, 'flag');
    const said = flag ? `${item} (${flag})` : item;
    return valuesAt(entry, 'deleted').includes(true) ? words.t('taken off the list: {item}', { item: said }) : said;
  });

const OWN: Readonly<Record<string, OwnWords>> = {
  AdverseEvent: {
    value: (words, event, included) => [
      withLabel(words.t('Suspected cause'), suspectedCauses(words, event, included).join(', ')),
      withLabel(words.t('Seriousness'), seriousnessText(words, event)),
      withLabel(words.t('Severity'), severityText(words, event)),
      withLabel(words.t('Outcome'), outcomeText(words, event)),
    ],
  },
  ImmunizationRecommendation: {
    value: (words, record) => {
      const all = recommendationsOf(words, record);
      return [all.map(({ title, says }) => (all.length > 1 ? `${title}: ${says}` : says)).join(LINE)];
    },
  },
  List: { value: (words, list) => [listItems(words, list).join(', ')] },
  ImagingStudy: {
    what: studyName,
    value: (words, study) => [
      modalities(words, study),
      imagedSites(words, study).join(', '),
      imageCounts(words, study),
    ],
  },
};

/** Returns the words of a record by the elements of its type. Its value does not repeat its subject. */
export function otherWords(words: Words, resource: Resource, included: readonly Resource[] = []): OtherWords {
  const elements: Elements = own(TABLE, resource.resourceType) ?? {};
  const ofType = own(OWN, resource.resourceType);
  const what = ofType?.what ? ofType.what(words, resource) : firstText(words, resource, elements.what ?? USUAL.what);
  const said = (ofType?.value(words, resource, included) ?? []).filter((one) => one && one !== what);
  const value = [...said, labelled(words, resource, elements.value ?? USUAL.value, what)].filter(Boolean).join('; ');
  return {
    what,
    when: firstWritten(resource, [...(elements.when ?? []), ...USUAL.when]),
    who: firstText(words, resource, elements.who ?? USUAL.who),
    status: statusOf(resource),
    value: value || undefined,
  };
}
