//! Names of codes that are often sent without a display: vital signs, and the answers of LOINC and SNOMED CT that say
//! yes, no, positive or negative.

import { type PlainMessage, t } from '../language/message.ts';
import { own } from '../own.ts';
import { deviceSignName, isLoinc, vitalName } from './vital-codes.ts';

const ANSWERS: Readonly<Record<string, PlainMessage>> = {
  '10828004': 'Positive',
  '260385009': 'Negative',
  '260373001': 'Detected',
  '260415000': 'Not detected',
  '11214006': 'Reactive',
  '131194007': 'Non-reactive',
  '42425007': 'Equivocal',
  '82334004': 'Indeterminate',
  '17621005': 'Normal',
  '263654008': 'Abnormal',
  '75540009': 'High',
  '62482003': 'Low',
  '281302008': 'High',
  '281300000': 'Low',
  '281301001': 'Normal',
  '52101004': 'Present',
  '2667000': 'Absent',
  '373066001': 'Yes',
  '373067005': 'No',
  'LA6576-8': 'Positive',
  'LA6577-6': 'Negative',
  'LA11882-0': 'Detected',
  'LA11883-8': 'Not detected',
  'LA11884-6': 'Indeterminate',
  'LA9633-4': 'Present',
  'LA9634-2': 'Absent',
  'LA33-6': 'Yes',
  'LA32-8': 'No',
};

const isTerminology = (system: string): boolean =>
  isLoinc(system) || system === 'http://snomed.info/sct' || system === 'urn:oid:2.16.840.1.113883.6.96';

/** The English name of an answer by its code, which has a translation; nothing for other codes. */
export const answerNamed = (system: string, code: string | undefined): PlainMessage | undefined =>
  isTerminology(system) ? own(ANSWERS, code ?? '') : undefined;

/** The nomenclature of medical devices, ISO/IEEE 11073-10101. */
const DEVICES = 'urn:iso:std:iso:11073:10101';

/** The name of a code in the language of the page; nothing for one that is not known here. */
export function knownName(system: string, code: string | undefined): string | undefined {
  const answer = answerNamed(system, code);
  if (answer) return t(answer);
  return isLoinc(system) ? vitalName(code) : system === DEVICES ? deviceSignName(code) : undefined;
}
