//! The scopes that the app asks for: one for each type, so that the user may deny each by itself. The engine has the
//! words for a scope (`Scopes.lines`).

import type { LaunchKind } from './session.ts';

/** The types of the chart, in its order. */
const TYPES = [
  'Patient',
  'AllergyIntolerance',
  'Condition',
  'MedicationRequest',
  'MedicationDispense',
  'Immunization',
  'Observation',
  'DiagnosticReport',
  'DocumentReference',
  'Binary',
  'Procedure',
  'Device',
  'QuestionnaireResponse',
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

export interface ScopeChoice {
  scope: string;
  /** True for a scope that a launch of this kind cannot do without. */
  always?: boolean;
}
export interface ScopeGroup {
  title: string;
  says: string;
  choices: ScopeChoice[];
}

/** The scopes that a launch may ask for, in the order of the form. */
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

/** The scopes that a launch asks for at first: all but the wildcard. */
export const defaultScopes = (launch: LaunchKind): string[] =>
  scopeGroups(launch)
    .slice(0, 4)
    .flatMap(({ choices }) => choices)
    .map(({ scope }) => scope);
