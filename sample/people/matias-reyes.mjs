// Matías Reyes Galindo, 8, the younger twin. Asthma too, milder; eggs made him sick once, now he eats pancakes. One
// reading of his brother's was filed under his name: withdrawn, but still there, and still pointing at Mateo's night.

import { textNote } from '../attachments.mjs';
import { at, concept, dosage, quantity, to } from '../build.mjs';
import { actCode, allergen, finding, loinc, observationCategory, problem, reaction, rxnorm } from '../codes.mjs';
import { haddad, littleBirch, stillwater, threeRivers, villareal } from '../directory.mjs';
import { shared, twin } from '../households/reyes.mjs';
import { mateo, night } from './mateo-reyes.mjs';

export const person = twin('Matías', 2, 'LB-20180614-2');

const matias = shared(person, {
  hour: '11:00',
  member: '2209154702',
  fev: '84.0',
  strep: finding.negative,
  measured: [
    { weight: '20.4', height: '115.6', bmi: '15.3', bmiPercentile: '47', pressure: '94/58', heartRate: '94' },
    { weight: '23.1', height: '121.9', bmi: '15.5', bmiPercentile: '46', pressure: '96/60', heartRate: '90' },
    {
      weight: '25.8',
      height: '127.9',
      bmi: '15.8',
      bmiPercentile: '48',
      pressure: '96/60',
      heartRate: '86',
      oxygen: '99',
    },
  ],
});
const { boy } = matias;

boy.allergy('egg', allergen.egg, {
  clinical: 'resolved',
  category: ['food'],
  onsetDateTime: '2019',
  recordedDate: '2019-06-18',
  lastOccurrence: '2021-03',
  reaction: [{ manifestation: [concept(reaction.rash)], severity: 'mild' }],
});
/** His brother's peanut allergy. He was never exposed or tested, so it is neither confirmed nor ruled out. */
boy.allergy('peanut', allergen.peanut, {
  verification: 'unconfirmed',
  category: ['food'],
  recordedDate: '2020-04-14',
});

boy.diagnosis('sore-throat', problem.viralPharyngitis, {
  clinical: 'resolved',
  encounter: to(matias.throatVisit),
  abatementDateTime: '2026-02-07',
  recordedDate: '2026-02-03',
});

/** An entry in error, which refers to an encounter in another patient's chart. */
boy.simple('wrong-twin-peak-flow', observationCategory.exam, 'Peak flow', {
  status: 'entered-in-error',
  encounter: to(night),
  effectiveDateTime: at('2025-11-15', '06:50'),
  performer: [to(villareal)],
  valueQuantity: quantity('170', 'L/min'),
  note: [{ text: "Mateo's value, filed under Matías. Withdrawn." }],
});
boy.simple('2026-08-peak-flow', observationCategory.exam, 'Peak flow', {
  encounter: to(matias.visits[2]),
  effectiveDateTime: at('2026-08-11', '11:10'),
  performer: [to(haddad)],
  valueQuantity: quantity('215', 'L/min'),
});

boy.document(
  'school-letter',
  loinc.progressNote,
  textNote(`
  To the school nurse: Matías may carry his inhaler. He eats eggs again. No peanuts until he has been tested.
`),
  { date: at('2026-08-11', '11:20'), author: [to(haddad)], custodian: to(littleBirch), visit: matias.visits[2] },
);

const oldAntibiotic = boy.prescription('amoxicillin', rxnorm.amoxicillin, {
  status: 'cancelled',
  encounter: to(matias.throatVisit),
  authoredOn: at('2026-02-03', '11:10'),
  requester: to(haddad),
  reportedBoolean: false,
  statusReason: concept('Test came back negative'),
  reasonCode: [concept('Sore throat')],
  dosageInstruction: dosage('5 mL three times a day', { frequency: 3 }, quantity('5', 'mL')),
  dispenseRequest: {
    numberOfRepeatsAllowed: 0,
    quantity: quantity('150', 'mL'),
  },
});
boy.dispense('amoxicillin-2026-02-03', oldAntibiotic, actCode.firstFill, undefined, {
  status: 'cancelled',
  performer: [{ actor: to(stillwater) }],
});

boy.signed(at('2026-09-30', '22:00:04.000'), haddad, littleBirch, threeRivers);
/** A provenance with targets of both twins, so it belongs to no single chart. */
const ofBoth = [mateo.flu, matias.flu, mateo.plan, matias.plan];
boy.provenance('and-mateo-flu-provenance', at('2025-10-21', '16:45:00.000'), ofBoth, to(haddad), littleBirch);

export default boy.records;
