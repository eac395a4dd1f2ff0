//! Differences between the words of the newest document on a section of the chart and its coded records.

import { html, nothing, type TemplateResult } from 'lit-html';
import { type CodedEntry, type Remark, remarks } from '#reading/documents/compare.ts';
import {
  bodyLinesOf,
  type DocumentSection,
  headsOf,
  linesOf,
  saysNothing,
  withStruck,
} from '#reading/documents/composition.ts';
import { type CodedDrug, type Difference, differences } from '#reading/documents/dose-numbers.ts';
import { standingOf } from '#reading/fhir/certainty.ts';
import { requestState } from '#reading/fhir/request-state.ts';
import { capital, clipped } from '#reading/fhir/text.ts';
import { type AllergyIntolerance, isOfType, type Observation, ofType } from '#reading/fhir/types.ts';
import { kept } from '#reading/kept.ts';
import { isNothingKnown, medication } from '#reading/medications/medication.ts';
import { recordedDose } from '#reading/medications/medication-dose.ts';
import { absenceText, allergyName, reactionNames } from '#reading/problems/allergy.ts';
import { t } from '../../language/message.ts';
import type { ChartStore } from '../store.ts';
import { type PartOfDocument, wordsFor } from './documents.ts';

/** Differences of words from coded records: what these do not have, or say otherwise. */
export interface Differences {
  amounts: Difference[];
  remarks: Remark[];
  /** True if the words have ranges or flags, which no coded result has. */
  hasRanges: boolean;
  /** True if the words say that there is nothing, where records are coded. */
  saysNone: boolean;
}

const NONE: Differences = { amounts: [], remarks: [], hasRanges: false, saysNone: false };

/** Returns whether words and records may differ, so that the words are open. */
export const hasDifference = ({ amounts, remarks, hasRanges, saysNone }: Differences): boolean =>
  amounts.length + remarks.length > 0 || hasRanges || saysNone;

/** The coded medications, as the chart shows them. */
function codedDrugs(store: ChartStore): (CodedDrug & CodedEntry)[] {
  const all = [...store.all().values()];
  const records = [...ofType('MedicationRequest', all), ...ofType('MedicationStatement', all)];
  return records
    .filter((one) => !isNothingKnown(one))
    .map((one) => {
      const [name, dose, state] = [medication(one, all), recordedDose(one), requestState(one)];
      const isCurrent = state === 'current' ? true : state === 'past' ? false : undefined;
      return { name, texts: [name, dose ?? ''], isCurrent, lacks: dose === undefined || dose === '' };
    });
}

/** An allergy as a coded entry. */
export function codedAllergy(a: AllergyIntolerance): CodedEntry {
  const standing = standingOf(a);
  const isCurrent = standing === 'standing' ? true : standing === 'over' ? false : undefined;
  return { name: allergyName(a), isCurrent, lacks: reactionNames(a).length === 0 };
}

/** The lines of the words of a section, without what is struck out. */
const linesOfSection = kept(({ div }: DocumentSection): string[] =>
  div === undefined ? [] : bodyLinesOf(withStruck(div, () => ' ')),
);

const linesIn = ({ sections }: PartOfDocument): string[] => sections.flatMap(linesOfSection);

/** Remarks on what the words of the newest document say of allergies, and the coded entries do not. */
export function allergyRemarks(all: readonly AllergyIntolerance[], store: ChartStore): Remark[] {
  const [newest] = wordsFor('allergies', store);
  const named = all.filter((a) => absenceText(a) === '');
  return newest ? remarks(linesIn(newest), named.map(codedAllergy), 'reaction') : [];
}

/** A column of ranges or flags in the head of a table, or a range in brackets behind a value. */
const RANGES = new RegExp(
  String.raw`\brange|flag|abnormal|referenz|referenci|reference|riferiment|valeurs? norm|norm(?:al)?(?:wert` +
    '|bereich|es)|interval',
  'i',
);
const BRACKETS = /[[(]\s*(?:[<>≤≥]\s*)?\d[\d.,]*\s*[-–]\s*\d/;

/** Returns whether the words have ranges or flags that the results which they list do not have. */
function hasRanges({ sections }: PartOfDocument, store: ChartStore): boolean {
  const listed = sections.flatMap(({ entries }) => entries.flatMap((address) => store.find(address) ?? []));
  const results = [...store.all().values()].filter(
    (one): one is Observation => isOfType('Observation', one) && one.category?.[0]?.coding?.[0]?.code !== 'vital-signs',
  );
  if (listed.length === 0 || results.some(({ referenceRange }) => referenceRange?.length)) return false;
  return sections.some(({ div = '' }) => {
    const [head = ''] = linesOf(div);
    return RANGES.test(headsOf(div) || head) || linesOf(div).some((line) => BRACKETS.test(line));
  });
}

/** Finds the differences between the words on a section of the chart and its records. */
export function differencesIn(id: string, store: ChartStore): Differences {
  const [newest] = wordsFor(id, store);
  if (!newest) return NONE;
  const lines = linesIn(newest);
  if (id === 'medications') {
    const drugs = codedDrugs(store);
    return { ...NONE, amounts: differences(lines, drugs), remarks: remarks(lines, drugs, 'dose') };
  }
  if (id === 'allergies') {
    return { ...NONE, remarks: allergyRemarks(ofType('AllergyIntolerance', [...store.all().values()]), store) };
  }
  const said = newest.sections.flatMap(({ div }) => div ?? []);
  const saysNone =
    said.length > 0 && said.every(saysNothing) && newest.sections.some(({ entries }) => entries.length > 0);
  return id === 'labs' ? { ...NONE, hasRanges: hasRanges(newest, store), saysNone } : { ...NONE, saysNone };
}

const name = (of: string): string => capital(clipped(of, 60));

/** A difference in words. */
export const remarkText = ({ kind, name: of, words }: Remark): string =>
  ({
    dose: () => t('No dose is coded of {name}; in the words: {words}', { name: name(of), words }),
    reaction: () => t('No reaction is coded to {name}; in the words: {words}', { name: name(of), words }),
    active: () => t('{name}: coded as over, active in the words', { name: name(of) }),
    over: () => t('{name}: coded as current, over in the words', { name: name(of) }),
  })[kind]();

const amountsText = (amounts: readonly Difference[]): string[] =>
  amounts.length === 0
    ? []
    : [
        t('In the words alone: {amounts}.', {
          amounts: amounts.map(({ drug, amounts: of }) => `${capital(drug)} ${of.join(', ')}`).join('; '),
        }),
      ];

/** The differences in words, one for each. */
export const differenceTexts = ({ amounts, remarks: all }: Differences): string[] => [
  ...amountsText(amounts),
  ...all.map(remarkText),
];

/** Says where words and records may differ, above the words. */
export function differencesView(found: Differences): TemplateResult | typeof nothing {
  if (!hasDifference(found)) return nothing;
  const { amounts, remarks: all, hasRanges: ranges, saysNone } = found;
  if (ranges) return html`<p class="compare">${t('No range is coded; the words have ranges or flags: see below.')}</p>`;
  if (saysNone) return html`<p class="compare">${t('The words say that there is nothing of it: compare.')}</p>`;
  const says = t("The summary's words and its coded entries may differ: compare.");
  const list = all.length > 0 ? html`<ul>${all.map((one) => html`<li>${remarkText(one)}</li>`)}</ul>` : nothing;
  return html`<div class="compare"><p>${says} ${amountsText(amounts)}</p>${list}</div>`;
}
