//! What the app asks for: each scope on its own, so that each may be denied on its own. What a scope means in words is the
//! engine's to say (`Scopes.lines`).

/** The types of the chart, in its order. */
export const TYPES = [
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
] as const;

export interface Choice {
  scope: string;
  always?: boolean;
}
export interface Group {
  title: string;
  says: string;
  choices: Choice[];
}

export function groupsFor(launch: 'patient' | 'practitioner' | 'ehr'): Group[] {
  const level = launch === 'patient' ? 'patient' : launch === 'ehr' ? 'patient' : 'user';
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

export const usual = (launch: 'patient' | 'practitioner' | 'ehr'): string[] =>
  groupsFor(launch)
    .slice(0, 4)
    .flatMap(({ choices }) => choices)
    .map(({ scope }) => scope);
