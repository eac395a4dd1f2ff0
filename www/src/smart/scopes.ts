//! The scopes that the app asks for: one for each type, so that the user may deny each by itself. The engine has the
//! words for a scope (`Scopes.lines`).

import { BILLING, OTHER, typesOf } from '#reading/fhir/other-types.ts';
import type { Grant } from '../engine/types.ts';
import type { PlainMessage } from '../language/message.ts';
import type { SmartConfiguration } from './discovery.ts';
import type { LaunchKind, Session } from './session.ts';

/** The types of the chart, in its order. */
export const TYPES = [
  'Patient',
  'Flag',
  'AllergyIntolerance',
  'AdverseEvent',
  'Condition',
  'MedicationRequest',
  'MedicationDispense',
  'MedicationStatement',
  'MedicationAdministration',
  'Immunization',
  'Observation',
  'DiagnosticReport',
  'ImagingStudy',
  'Media',
  'DocumentReference',
  'Binary',
  'Procedure',
  'Device',
  'QuestionnaireResponse',
  'FamilyMemberHistory',
  'Consent',
  'CarePlan',
  'Goal',
  'CareTeam',
  'ServiceRequest',
  'Encounter',
  'Medication',
  'Provenance',
  'Practitioner',
  'PractitionerRole',
  'RelatedPerson',
  'Organization',
  'Location',
];

/** The types that the chart reads: the types that a launch requests, and the types that are requested on demand. */
const READ = [...new Set([...TYPES, ...typesOf(OTHER), ...typesOf(BILLING)])];

interface ScopeChoice {
  scope: string;
  /** True for a scope that a launch of this kind cannot do without. */
  always?: boolean;
}
interface ScopeGroup {
  title: PlainMessage;
  says: PlainMessage;
  choices: ScopeChoice[];
}

/** Returns the scopes that a launch may request, in the order of the form. */
export function scopeGroups(launch: LaunchKind): ScopeGroup[] {
  const level = launch === 'practitioner' ? 'user' : 'patient';
  const context = launch === 'ehr' ? 'launch' : 'launch/patient';
  return [
    {
      title: 'Context',
      says: 'Whose chart this is about.',
      choices: [{ scope: context, always: launch !== 'practitioner' }],
    },
    { title: 'Identity', says: 'Who signed in.', choices: [{ scope: 'openid' }, { scope: 'fhirUser' }] },
    { title: 'Session', says: 'Stay signed in without asking again.', choices: [{ scope: 'offline_access' }] },
    {
      title: 'Records',
      says: level === 'patient' ? 'Of the one patient.' : 'Of the patients whom the practitioner may see.',
      choices: TYPES.map((type) => ({ scope: `${level}/${type}.read` })),
    },
    {
      title: 'Or all at once',
      says: 'A wildcard opens exactly the types that the specification lists: not, for example, MedicationDispense.',
      choices: [{ scope: `${level}/*.read` }],
    },
  ];
}

/** Returns the scopes that a launch requests by default: all but the wildcard. */
export const defaultScopes = (launch: LaunchKind): string[] =>
  scopeGroups(launch)
    .slice(0, 4)
    .flatMap(({ choices }) => choices)
    .map(({ scope }) => scope);

export const scopesIn = (scopes: string): string[] => scopes.split(/\s+/).filter(Boolean);

/**
 * Returns whether a scope names a type, for reading and searching, without conditions: it opens the type, and the
 * engine need not be asked. A scope of the level `patient` needs one in context.
 */
export function isNamed(type: string, { scopes, patient }: Pick<Grant, 'scopes' | 'patient'>): boolean {
  const levels = patient === undefined ? ['user'] : ['user', 'patient'];
  const all = scopesIn(scopes);
  return levels.some((level) => all.includes(`${level}/${type}.read`) || all.includes(`${level}/${type}.rs`));
}

/** Returns the types that scopes name. A wildcard for all types is `*`. */
const typesIn = (scopes: string): Set<string> =>
  new Set(scopesIn(scopes).flatMap((scope) => /^(?:patient|user|system)\/(\*|[A-Z]\w+)\./.exec(scope)?.[1] ?? []));

/** Returns whether scopes name a type, or all types, under any condition. */
export function isAskedFor(type: string, scopes: string): boolean {
  const types = typesIn(scopes);
  return types.has(type) || types.has('*');
}

/** Returns the requested scopes, without wildcards if one was granted: nobody refused the types it does not open. */
export const refusable = ({ requested, scope }: Pick<Session, 'requested' | 'scope'>): string =>
  typesIn(scope).has('*')
    ? scopesIn(requested)
        .filter((one) => !typesIn(one).has('*'))
        .join(' ')
    : requested;

/**
 * Returns the conditions under which scopes open the records of a type, such as `category=http://s|laboratory`. There
 * are none if the scopes open all records of the type, or no records.
 */
export function conditionsOf(type: string, scopes: string): string[] {
  const naming = scopesIn(scopes).filter((scope) => isAskedFor(type, scope));
  const conditions = naming.map((scope) => scope.split('?')[1] ?? '');
  return conditions.includes('') ? [] : conditions;
}

/** Returns a condition of a scope in words: parameters with their values, without the systems of codes. */
export const conditionText = (condition: string): string =>
  [...new URLSearchParams(condition)]
    .map(
      ([name, values]) =>
        `${name} ${values
          .split(',')
          .map((value) => value.replace(/^.*\|/, ''))
          .join(', ')}`,
    )
    .join(', ');

/** The types of a session by their permissions. */
export interface AllowedTypes {
  whole: string[];
  /** Types of which only a part may be read. */
  part: string[];
  /** Types that were requested, and not allowed. */
  not: string[];
}

/** Returns the types that the chart reads, by their permissions. */
export function allowedTypes({ scope, requested }: Pick<Session, 'scope' | 'requested'>): AllowedTypes {
  const [conditions, plain] = [true, false].map((isPart) =>
    typesIn(
      scopesIn(scope)
        .filter((one) => one.includes('?') === isPart)
        .join(' '),
    ),
  );
  const asked = typesIn(requested);
  const has = (types: Set<string> | undefined, type: string): boolean => !!types?.has(type) || !!types?.has('*');
  const found: AllowedTypes = { whole: [], part: [], not: [] };
  for (const type of READ) {
    if (has(plain, type)) found.whole.push(type);
    else if (has(conditions, type)) found.part.push(type);
    else if (has(asked, type)) found.not.push(type);
  }
  return found;
}

/**
 * Returns the scopes to register at another server: one for each type of the server, at each level, in the syntax that
 * its capabilities announce. A server that announces no permissions gets the syntax of SMART 1.
 */
export function suggestedScopes(
  { capabilities }: Pick<SmartConfiguration, 'capabilities'>,
  has: (type: string) => boolean,
): string {
  const may = (capability: string): boolean => capabilities?.includes(capability) ?? true;
  const access = capabilities?.includes('permission-v2') ? 'rs' : 'read';
  const records = (level: string): string[] => TYPES.filter(has).map((type) => `${level}/${type}.${access}`);
  return [
    ...(may('launch-ehr') ? ['launch'] : []),
    'launch/patient',
    ...(may('sso-openid-connect') ? ['openid', 'fhirUser'] : []),
    ...(may('permission-offline') ? ['offline_access'] : []),
    ...records('patient'),
    ...(capabilities?.includes('permission-user') ? records('user') : []),
  ].join(' ');
}

/** Returns the scopes registered at another server that a launch requests, by its context and its level. */
export function scopesOfLaunch(registered: string, launch: LaunchKind): string {
  const all = scopesIn(registered);
  const records = all.filter((scope) => /^(?:patient|user)\//.test(scope));
  const ofLevel = records.filter((scope) => scope.startsWith(launch === 'practitioner' ? 'user/' : 'patient/'));
  const others = all.filter((scope) => !records.includes(scope) && !/^launch(?:\/|$)/.test(scope));
  const asksPatient = launch === 'patient' || all.includes('launch/patient');
  const context = launch === 'ehr' ? ['launch'] : asksPatient ? ['launch/patient'] : [];
  return [...context, ...others, ...(ofLevel.length > 0 ? ofLevel : records)].join(' ');
}

/**
 * Returns the scopes that another server granted, as our engine reads them. At our server, a wildcard means the types
 * that its contract lists. At another server, it means all types. The other server applies the filters of its scopes.
 */
export function readingScopes(granted: string): string {
  const read = scopesIn(granted).flatMap((scope) => {
    const [, level, type = '', access = ''] =
      /^(patient|user)\/(\*|[A-Z]\w+)\.(read|\*|c?r?u?d?s?)(?:\?|$)/.exec(scope) ?? [];
    const actions = access === 'read' || access === '*' ? 'rs' : access.replace(/[cud]/g, '');
    if (!level || !actions) return [];
    return (type === '*' ? READ : READ.filter((one) => one === type)).map((one) => `${level}/${one}.${actions}`);
  });
  return [...new Set(read)].join(' ');
}
