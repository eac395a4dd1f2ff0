// Nobody knows the name: brought in from the bus station on the night of 19 September, gone before breakfast.
// A chart made of what is missing: no name, no birthday, unknown tobacco, a pressure half taken.

import { textNote } from '../attachments.mjs';
import { at, chart, concept, hl7, missing, period, to, unknown } from '../build.mjs';
import { actCode, allergen, finding, icd10, loinc, problem, screening, visitType } from '../codes.mjs';
import { ethnicity, mrn, patient, race, sexUnknown } from '../demographics.mjs';
import { emergencyRoom, lakeshore, mapleRidge, threeRivers, villareal } from '../directory.mjs';
import { labs, vitals } from '../measures.mjs';

const notKnown = { system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor', code: 'UNK', display: 'unknown' };

export const person = patient('unidentified-0919', {
  extension: [race('Unknown', [notKnown]), ethnicity('Unknown'), ...sexUnknown],
  identifier: [mrn(lakeshore, 'LG UNK 0919')],
  name: [{ use: 'temp', text: 'Unidentified, 19 September', ...missing('unknown') }],
  gender: 'unknown',
  _birthDate: missing('unknown'),
});

const guest = chart(person, 'unidentified');

const night = guest.visit(
  'night',
  visitType.emergency,
  period(at('2026-09-19', '01:48'), at('2026-09-19', '06:20')),
  villareal,
  emergencyRoom,
  {
    kind: actCode.emergency,
    reasonCode: [concept('Found confused at the bus station')],
    hospitalization: { dischargeDisposition: hl7('discharge-disposition', 'aadvice', 'Left against advice') },
  },
);
guest.diagnosis('confusion', [icd10.alteredMentalStatus, problem.alteredMentalStatus], {
  clinical: null,
  verification: null,
  encounter: to(night),
  recordedDate: at('2026-09-19', '02:30'),
});
guest.allergy('not-asked', allergen.notAsked, {
  verification: null,
  recordedDate: at('2026-09-19', '01:55'),
});
vitals(
  guest,
  'arrival',
  at('2026-09-19', '01:52'),
  { pressure: '146/unknown', heartRate: '108', temperature: '35.4', breathing: '20', oxygen: '95' },
  { encounter: to(night) },
);
labs(
  guest,
  'arrival',
  at('2026-09-19', '01:58'),
  { glucose: '61' },
  {
    encounter: to(night),
    issued: at('2026-09-19', '02:20:00'),
    performer: [to(mapleRidge)],
  },
);
guest.lab('alcohol', 'Alcohol in blood', {
  encounter: to(night),
  effectiveDateTime: at('2026-09-19', '01:58'),
  performer: [to(mapleRidge)],
  dataAbsentReason: unknown,
  status: 'cancelled',
});
guest.social('us-core-smokingstatus', 'smoking', loinc.smoking, {
  effectiveDateTime: at('2026-09-19', '02:10'),
  valueCodeableConcept: concept(finding.smokingUnknown),
});
guest.simple('orientation', screening.cognitive, 'Oriented to place', {
  effectiveDateTime: at('2026-09-19', '02:05'),
  performer: [to(villareal)],
  encounter: to(night),
  valueBoolean: false,
});
guest.document(
  'night',
  loinc.emergencyNote,
  textNote(`
  Cold, confused, sugar 61. Warm tea with sugar, a blanket. By five the month was right, but no name came. Gone at six, shoes and all.
`),
  {
    date: at('2026-09-19', '06:40'),
    author: [to(villareal)],
    custodian: to(lakeshore),
    context: { encounter: [to(night)] },
  },
);

guest.signed(at('2026-09-19', '07:00:00.000'), villareal, lakeshore, threeRivers);

export default guest.records;
