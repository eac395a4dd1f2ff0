//! The latest scores of an overview: totals of early warning, consciousness, depression, newborns and the like.
//!
//! A score is a number with the unit of scores, or a number without a unit whose code or name is that of a score. The
//! items of a score are left out where their total is known.

import { codesOf, namesOf } from '../fhir/concept-codes.ts';
import { newest } from '../fhir/date.ts';
import { valuesAt } from '../fhir/element-text.ts';
import { recordAddress, referredAddress } from '../fhir/record-address.ts';
import { isCancelled } from '../fhir/status-code.ts';
import { isEnteredInError } from '../fhir/text.ts';
import { type MeasuredValue, type Observation, type Quantity, referenceShape } from '../fhir/types.ts';
import { unaccented } from '../fhir/unaccented.ts';
import type { Words } from '../language/words.ts';
import { remembered } from '../remembered.ts';
import { isShaped } from '../shape.ts';
import { isOfOther } from './names/told-apart.ts';
import { groupsOf } from './panels/test-groups.ts';
import { readingsOf, type Sign } from './signs.ts';
import { quantityOf } from './values/measured-number.ts';
import { when } from './values/reading.ts';
import { ofSameSubject, withoutJudgement } from './values/subject.ts';

/** Codes of LOINC and SNOMED CT for frequent totals. */
const TOTALS: ReadonlySet<string> = new Set([
  // NEWS2, NEWS, SOFA, qSOFA, Glasgow.
  ...['1104051000000101', '1287358002', '96789-3', '96791-9', '9269-2', '248241002'],
  // PHQ-9, PHQ-2, GAD-7, EPDS, AUDIT-C, AUDIT, DAST-10, MMSE, MoCA.
  ...['44261-6', '55758-7', '70274-6', '99046-5', '75626-2', '75624-7', '82667-7', '72106-8', '72172-0', '720433000'],
  // Apgar after 1, 5 and 10 minutes.
  ...['9272-6', '9274-2', '9271-8', '169895004', '169909004', '169922007'],
  // Braden, Morse, NIHSS, ECOG, Karnofsky, pain.
  ...['38227-5', '59460-6', '72089-6', '89247-1', '89243-0', '72514-3', '38208-5'],
]);

/** Units of scores, in UCUM and as common files write them. */
const UNIT = /^[{(]?(?:score ?(?:of)?|scores?|points?|pts?|punkte?|puntos?|punten|punti)[)}]?$/i;
/** Units of a number without a unit. */
const NO_UNIT = /^(?:1|\{?#\}?|)$/;

/** Words for a score, and names of frequent ones that lack the word. */
const NAME = new RegExp(
  '(?:^|[^a-z])(?:score|puntuacion|puntaje|puntos totales|punktwert|gesamtpunktzahl|early[- ]warning' +
    String.raw`|news[- ]?2?(?: total)?$|[mp]ews\b|q?sofa\b|apache\b|gcs\b|glasgow|phq-?\d|gad-?7|apgar|mmse|moca\b` +
    String.raw`|meld\b|ecog\b|nihss|braden|waterlow|epds|audit-c|cha2ds2|has-bled|karnofsky|barthel)`,
);
/** Words of standardised values, which are no scores. */
const STANDARDISED = /(?:^|[^a-z])[tz][- ]?scores?(?:$|[^a-z])|percentile/;
const isNamed = remembered((name) => NAME.test(unaccented(name)));

const hasTotalCode = ({ code }: MeasuredValue): boolean => codesOf(code).some((one) => TOTALS.has(one));

const isTotal = (of: MeasuredValue): boolean =>
  hasTotalCode(of) || namesOf(of.code).some((name) => /\b(?:total|gesamt\w*)\b/.test(name));

const unitNamed = remembered((unit) => (UNIT.test(unit) ? 'score' : NO_UNIT.test(unit) ? 'none' : 'other'));

/** Returns the kind of unit that a number may have as a score; `undefined` for any other unit. */
function unitOf({ unit = '', code = '' }: Quantity): 'score' | 'none' | undefined {
  const kinds = [unitNamed(unit.trim()), unitNamed(code.trim())];
  if (kinds.includes('score')) return 'score';
  return kinds.includes('other') ? undefined : 'none';
}

export function isScore(of: MeasuredValue): boolean {
  const number = quantityOf(of);
  const unit = number && unitOf(number);
  if (unit === undefined) return false;
  const names = namesOf(of.code);
  if (names.some((name) => STANDARDISED.test(name))) return false;
  return unit === 'score' || hasTotalCode(of) || names.some(isNamed);
}

/** Returns the score of an observation: its own value, or its only component with a total. */
function scoreIn(o: Observation): Observation | undefined {
  if (isScore(o)) return o;
  if (!o.component?.length || quantityOf(o)) return undefined;
  const scores = o.component.filter(isScore);
  const [only, second] = scores.length > 1 ? scores.filter(isTotal) : scores;
  const { component: _, ...rest } = withoutJudgement(o);
  return only && !second ? ofSameSubject(o, { ...rest, ...only }) : undefined;
}

/**
 * Returns the addresses of the items of scores: what a score has or derives from, and what its panel has beside it. A
 * score in error or cancelled has none: it is no total that is known.
 */
function itemsOfScores(all: readonly Observation[]): Set<string> {
  const observations = all.filter((o) => !isEnteredInError(o) && !isCancelled(o.status));
  const totals = new Set(observations.filter((o) => isScore(o) && isTotal(o)).map(recordAddress));
  const items = new Set<string>();
  for (const o of observations) {
    const from = 'derivedFrom' in o ? valuesAt(o, 'derivedFrom') : [];
    const parts = [...(o.hasMember ?? []), ...from.filter((one) => isShaped(referenceShape, one))];
    const addresses = parts.map(({ reference }) => referredAddress(reference));
    const isOfScore = addresses.length > 0 && scoreIn(o) !== undefined;
    if (!isOfScore && !addresses.some((one) => totals.has(one))) continue;
    for (const one of addresses) if (isOfScore || !totals.has(one)) items.add(one);
  }
  return items;
}

/** Returns the latest score of each kind, the newest first. Scores of a donor, a fetus or the like are left out. */
export function latestScores(words: Words, observations: readonly Observation[]): Sign[] {
  const items = itemsOfScores(observations);
  const found = groupsOf(words, observations).flatMap((group): Sign[] =>
    isOfOther(group.latest)
      ? []
      : readingsOf(group).flatMap((one) => {
          const reading = items.has(recordAddress(one)) ? undefined : scoreIn(one);
          return reading ? [{ group, reading }] : [];
        }),
  );
  return newest(found, ({ reading }) => when(reading));
}
