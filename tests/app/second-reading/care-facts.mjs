// The facts about allergies and problems that a chart must show.

import { entry, hasCode, status, wordsOf } from './entry.mjs';
import { codesOf, isError } from './results.mjs';
import { list, names, plain } from './words.mjs';

/// SNOMED CT's codes, and those of the International Patient Summary, for "none known" and "nobody asked".
export const NONE_KNOWN = [
  ...['716186003', '409137002', '428607008', '429625007', 'no-known-allergies', 'no-known-medication-allergies'],
  ...['no-known-food-allergies', 'no-known-environmental-allergies'],
];
/// The codes for one kind only. They contradict active allergies of that kind.
const KINDS = { 'no-known-food-allergies': 'food', 'no-known-environmental-allergies': 'environment' };
export const NOT_ASKED = ['1631000175102', 'no-allergy-info'];
/// The corresponding codes for problems. Such an entry is not a problem.
const NO_PROBLEM = ['no-known-problems', 'no-problem-info', '160245001'];

export function allergyFacts(record) {
  const a = record.resource;
  const substances = list(a.reaction).flatMap(({ substance }) => (substance ? [substance] : []));
  const wanted = names(a.code).length > 0 ? names(a.code) : substances.flatMap(names);
  const isOver = hasCode(a.clinicalStatus, ['inactive', 'resolved']) || hasCode(a.verificationStatus, ['refuted']);
  const of = (kind, more) => entry(kind, record, wanted, undefined, more);
  if (isError(a)) return [of('allergy', { words: wordsOf('entered-in-error') })];
  if (hasCode(a.code, NONE_KNOWN)) {
    const category = codesOf(list(a.code)).flatMap((code) => KINDS[code] ?? [])[0];
    return isOver ? [] : [{ ...of('no allergy'), is: 'none known', in: 'allergies', category }];
  }
  if (hasCode(a.code, NOT_ASKED)) return isOver ? [] : [{ ...of('no allergy'), is: 'not asked', in: 'allergies' }];
  const certainty = wordsOf(status(a.verificationStatus), isOver ? status(a.clinicalStatus) : undefined);
  if (isOver)
    return [
      of('allergy', { words: certainty }),
      ...(wanted.length ? [{ ...of('allergy, over'), is: 'not in banner' }] : []),
    ];
  const said = list(a.reaction).flatMap(({ manifestation, description }) => {
    const words = list(manifestation).flatMap((one) => names(one).slice(0, 1));
    return words.length > 0 ? words : description ? [description] : [];
  });
  return [
    of('allergy', { words: certainty, isPlain: true }),
    { ...of('allergy in banner'), is: 'banner', categories: list(a.category) },
    ...said.map((word) => of('reaction', { words: [{ what: word, holds: (text) => text.includes(plain(word)) }] })),
    ...(a.criticality === 'high'
      ? [of('criticality', { words: [{ what: 'high', holds: (text) => /high/.test(text) }] })]
      : []),
  ];
}

export function conditionFacts(record) {
  const c = record.resource;
  const wanted = names(c.code);
  const date = c.onsetDateTime ?? c.onsetPeriod?.start ?? (c.onsetString || c.onsetAge ? undefined : c.recordedDate);
  const clinical = status(c.clinicalStatus);
  const verification = status(c.verificationStatus);
  const of = (kind, more) => entry(kind, record, wanted, date, more);
  if (isError(c)) return [of('condition', { words: wordsOf('entered-in-error') })];
  if (hasCode(c.code, NO_PROBLEM)) return [of('condition')];
  const isRefuted = verification === 'refuted';
  const isOver =
    ['inactive', 'resolved'].includes(clinical) ||
    (clinical === undefined && Boolean(c.abatementDateTime ?? c.abatementPeriod));
  const words = wordsOf(
    verification,
    ['remission', 'recurrence', 'relapse', 'inactive', 'resolved'].includes(clinical) ? clinical : undefined,
  );
  if (isRefuted || isOver)
    return [
      of('condition', { words }),
      ...(isRefuted ? [{ ...of('refuted'), is: 'not at a glance', tile: 'problems' }] : []),
    ];
  const isOfVisit =
    hasCode(list(c.category)[0], ['encounter-diagnosis']) &&
    codesOf(c.category).every((code) => code !== 'problem-list-item');
  return [
    of('current problem', { words, isPlain: !isOfVisit, in: 'problems' }),
    { ...of('problem at a glance'), is: 'at a glance', tile: 'problems', ...(isOfVisit ? { or: OF_VISITS } : {}) },
  ];
}

/// A word in a tile that counts the diagnoses of visits without naming them.
const OF_VISITS = /visit/;
