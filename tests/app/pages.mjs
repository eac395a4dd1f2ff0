// The pages of the app without a chart. Tests of every view add their own pages.

export const PAGES = [
  '/#/search',
  '/#/scopes',
  '/#/session',
  '/#/access',
  '/#/launch/patient',
  '/#/launch/practitioner',
  '/#/ehr',
  '/#/checks',
  '/#/developers',
  '/#/reference',
  '/#/reference/Observation',
  '/#/reference/everythingOfPatient',
  '/#/guides',
  '/#/signed-out',
  '/sandbox.html',
  '/launch.html',
  '/check.html',
];
