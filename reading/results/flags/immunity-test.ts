//! Tests of immunity. A positive result is what a vaccination aims at, and the range of a laboratory is of those who
//! are not immune, or of those who are: it does not tell what is normal.

import type { Concept } from '../../fhir/types.ts';
import { remembered } from '../../remembered.ts';

/** Antibodies against what people are vaccinated against, by LOINC. */
const CODES = new Set([
  ...['16935-9', '5193-8', '10900-9', '22322-2', '5194-6', '39535-0'], // hepatitis B surface
  ...['8014-3', '5334-8', '25514-0', '8013-5'], // rubella
  ...['5403-1', '8047-3', '15410-6', '19162-7', '22602-1'], // varicella
  ...['5244-7', '20479-2', '35275-7', '22502-3', '7966-5', '6476-6', '22415-0', '25418-5'], // measles, mumps
  ...['20575-7', '13951-9', '32018-4'], // hepatitis A
]);

const DISEASE = new RegExp(
  'measles|mumps|rubella|rubeola|varicella|vzv|zoster|chicken ?pox|hepatitis b (virus )?surface' +
    String.raw`|hep(atitis)? ?a\b|\bhbs\b|\bhav\b|tetanus|diphtheria|polio|rabies|yellow fever|masern|röteln` +
    '|windpocken|sarampi[óo]n|rub[ée]ola|parotiditis|paperas|varicela|t[ée]tanos|difteria',
  'i',
);
const ANTIBODY =
  /\b(ab|abs|antibod(y|ies)|igg|titer|titre|immunity|immune|immunität|antikörper|anticuerpos?)\b|\banti/i;
/** An antigen, or an antibody of an infection that is under way. */
const INFECTION = /\b(igm|ag|antigen|antígeno|dna|rna|pcr|surface ag)\b|\bhbsag\b/i;
const ANTI_HBS = /\banti[- ]?hbs\b(?!ag)|\bhbs ?ab\b/i;

const kindOf = remembered((name): 'immunity' | 'infection' | 'neither' => {
  if (INFECTION.test(name)) return 'infection';
  return ANTI_HBS.test(name) || (DISEASE.test(name) && ANTIBODY.test(name)) ? 'immunity' : 'neither';
});

export const isImmunityTest = (of: Concept | undefined): boolean => {
  const codings = of?.coding ?? [];
  const kinds = [of?.text, ...codings.map(({ display }) => display)].map((one) => kindOf(one ?? ''));
  if (kinds.includes('infection')) return false;
  return kinds.includes('immunity') || codings.some(({ code }) => code !== undefined && CODES.has(code));
};
