// Kai Nakamura, 23, registered last week and has not been seen yet. An almost empty chart: most searches find nothing.

import { at, chart, period, to } from '../build.mjs';
import { allergen, language, race as races, role, visitType } from '../codes.mjs';
import { email, home, male, mrn, notHispanic, official, patient, phone, race, speaks } from '../demographics.mjs';
import { clinic, juniperHill, lindholm, lindholmRole, threeRivers } from '../directory.mjs';
import { membership, openChoice } from '../membership.mjs';

export const person = patient('kai-nakamura', {
  extension: [
    race('Native Hawaiian and Japanese', [races.pacific, races.asian], [races.nativeHawaiian]),
    notHispanic,
    ...male,
  ],
  identifier: [mrn(juniperHill, 'JH-003340')],
  name: [official('Kai Nakamura')],
  telecom: [phone('802-555-0181', 'mobile'), email('kai@mail.example.org')],
  gender: 'male',
  birthDate: '2003-07-21',
  address: [home('5 Sugarhouse Road', 'Richmond', '05477', { start: '2026-10-01' })],
  communication: speaks(language.english),
  generalPractitioner: [to(lindholm)],
});

const kai = chart(person, 'kai');

membership(kai, openChoice, ['INDIVIDUAL', 'Individual'], '9024410501', period('2026-10-01'));
kai.visit('2026-10-29-first', visitType.checkUp, '09:00-09:45', undefined, clinic, {
  status: 'planned',
});
kai.allergy('not-asked', allergen.notAsked, {
  verification: 'unconfirmed',
  recordedDate: '2026-10-21',
});
kai.careTeam('care-team', [[role.primaryCare, lindholmRole]], {
  status: 'proposed',
  period: period('2026-10-29'),
});
kai.carePlan('first-visit', 'First visit', ['Ask about everything.'], {
  status: 'draft',
  period: period('2026-10-29'),
});

kai.signed(at('2026-10-21', '22:00:00.000'), lindholm, juniperHill, threeRivers);

export default kai.records;
