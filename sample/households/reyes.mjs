// What the Reyes twins have in common: birthday, mother, address, cover, visits, vaccines, asthma. Their records are
// similar on purpose: same codes, same days, ids that differ by one name. A server must never mix them up.

import { at, chart, concept, dosage, period, quantity, to } from '../build.mjs';
import * as codes from '../codes.mjs';
import { ethnicity, home, interpreterNeeded, male, mrn, patient, phone, race, speaks } from '../demographics.mjs';
import { haddad, haddadRole, littleBirch, mapleRidge, pediatricOffice, raman } from '../directory.mjs';
import { vitals } from '../measures.mjs';
import { familyCare, membership } from '../membership.mjs';

const address = home('91 Railyard Row', 'Winooski', '05404', { start: '2020-02' });

export const twin = (given, order, number) =>
  patient(`${short(given)}-reyes`, {
    extension: [
      race('Other: mestizo'),
      ethnicity('Hispanic or Latino', codes.race.hispanic, [codes.race.mexican]),
      ...male,
      interpreterNeeded(codes.finding.yes),
    ],
    identifier: [mrn(littleBirch, number)],
    name: [{ use: 'official', text: `${given} Reyes Galindo`, family: 'Reyes Galindo', given: [given] }],
    telecom: [phone('802-555-0131', 'home')],
    gender: 'male',
    birthDate: '2018-06-14',
    address: [address],
    multipleBirthInteger: order,
    communication: speaks(codes.language.spanish, codes.language.english),
    generalPractitioner: [to(haddad)],
    contact: [
      {
        relationship: [concept('Mother')],
        name: { family: 'Galindo', given: ['Lucía'] },
        telecom: [phone('802-555-0132', 'mobile')],
      },
    ],
  });

export const short = (given) => given.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the records that both twins have. `his` has the numbers that differ. */
export function shared(person, his) {
  const name = short(person.name[0].given[0]);
  const boy = chart(person, name);

  const mother = boy.relative(`lucia-mother-of-${name}`, {
    relationship: [concept(codes.relationship.mother)],
    name: [{ family: 'Galindo', given: ['Lucía'], text: 'Lucía Galindo' }],
    telecom: [phone('802-555-0132', 'mobile')],
    address: [address],
    communication: [{ language: concept(codes.language.spanish), preferred: true }],
  });
  membership(boy, familyCare, ['FAMILY', 'Family Medicaid'], his.member, period('2020-03-01'));

  const wellChild = (day) =>
    boy.visit(
      `${day}-well-child`,
      codes.visitType.wellChild,
      `${his.hour}-${his.hour.replace(':00', ':25')}`,
      haddad,
      pediatricOffice,
      { reasonCode: [concept(codes.visitType.wellChild)] },
    );
  const visits = ['2024-08-13', '2025-08-12', '2026-08-11'].map(wellChild);
  visits.map((visit, i) =>
    vitals(boy, visit.id.slice(name.length + 1, name.length + 11), visit.period.start, his.measured[i], {
      encounter: to(visit),
      performer: [to(haddad)],
    }),
  );

  const asthma = boy.problem('asthma', [codes.problem.asthma, 'Asthma, with colds and cats'], {
    onsetDateTime: '2022',
    asserted: '2022-11-08',
    recordedDate: '2022-11-08',
    recorder: to(haddad),
  });
  const puffs = (text, times) => dosage(text, times, quantity('2', 'puffs', '{puff}'));
  const inhaler = { numberOfRepeatsAllowed: 3, quantity: quantity('1', 'inhaler', '{inhaler}') };
  const ordered = {
    encounter: to(visits[1]),
    authoredOn: at('2025-08-12', '10:30'),
    requester: to(haddad),
    reportedBoolean: false,
    reasonReference: [to(asthma)],
    dispenseRequest: inhaler,
  };
  boy.prescription('albuterol', codes.rxnorm.albuterol, {
    ...ordered,
    dosageInstruction: puffs('Two puffs with the spacer when he wheezes', { frequency: 1, period: 4, periodUnit: 'h' }),
  });
  boy.prescription('fluticasone', codes.rxnorm.fluticasone, {
    ...ordered,
    dosageInstruction: puffs('Two puffs morning and evening, then rinse', { frequency: 2 }),
  });

  const shot = (slug, code, day, more) => boy.vaccine(slug, code, day, { performer: [{ actor: to(haddad) }], ...more });
  const flu = shot('flu-2025', codes.cvx.influenzaTrivalent, at('2025-10-21', '16:30'));
  shot('hepatitis-b-1', codes.cvx.hepB, '2018-06-14');
  shot('dtap-5', codes.cvx.dtap, '2022-08-16', { protocolApplied: [{ doseNumberPositiveInt: 5 }] });
  shot('mmr-1', codes.cvx.mmr, '2019-06-18');
  shot('mmr-2', codes.cvx.mmr, '2022-08-16');
  shot('varicella-2', codes.cvx.varicella, '2022-08-16');
  shot('hepatitis-a-1', codes.cvx.hepA, '2019-06-18');

  const throatVisit = boy.visit(
    '2026-02-03-throat',
    codes.visitType.symptom,
    `${his.hour}-${his.hour.replace(':00', ':15')}`,
    haddad,
    pediatricOffice,
    { reasonCode: [concept('Sore throat')] },
  );
  const swab = boy.specimen('2026-02-03-throat', codes.specimenType.throat, at('2026-02-03', his.hour));
  const strep = boy.lab('2026-02-03-strep', codes.loinc.strepAntigen, {
    encounter: to(throatVisit),
    effectiveDateTime: at('2026-02-03', his.hour),
    issued: at('2026-02-03', '12:00:00'),
    performer: [to(mapleRidge)],
    specimen: to(swab),
    valueCodeableConcept: concept(his.strep),
  });
  boy.labReport('2026-02-03-strep', codes.loinc.strepAntigen, [strep], {
    encounter: to(throatVisit),
    effectiveDateTime: at('2026-02-03', his.hour),
    issued: at('2026-02-03', '12:00:00'),
    performer: [to(raman), to(mapleRidge)],
  });

  boy.procedure('spirometry', codes.procedure.spirometry, {
    performedDateTime: at('2025-08-12', '10:40'),
    encounter: to(visits[1]),
    performer: [{ actor: to(haddad) }],
  });
  boy.result('2025-fev1-ratio', codes.observationCategory.procedure, codes.loinc.fev1Ratio, {
    effectiveDateTime: at('2025-08-12', '10:40'),
    encounter: to(visits[1]),
    performer: [to(haddad)],
    valueQuantity: quantity(his.fev, '%'),
  });

  const team = boy.careTeam(
    'care-team',
    [
      [codes.role.pediatrician, haddadRole],
      [codes.role.caregiver, mother],
      [codes.role.patient, person],
    ],
    {
      name: 'Asthma team',
      period: period('2022-11-08'),
    },
  );
  const plan = boy.carePlan(
    'asthma-plan',
    'Asthma, green to red',
    [
      'Green: breathes easily, plays, sleeps. Two puffs of fluticasone morning and evening.',
      'Yellow: coughs at night. Add two puffs of albuterol every four hours, and call.',
      'Red: cannot finish a sentence. Albuterol, and 911.',
    ],
    { period: period('2025-08-12', '2026-12-31'), careTeam: [to(team)], addresses: [to(asthma)] },
  );
  boy.goal('sleep', 'To sleep through the night without coughing', {
    startDate: '2025-08-12',
    target: [{ dueDate: '2026-12-31' }],
    addresses: [to(asthma)],
  });

  return { boy, visits, throatVisit, asthma, flu, plan };
}
