// All patients are insured with Northern Commons, with different products, groups and card numbers.

import { concept, hl7, to } from './build.mjs';
import { payer } from './codes.mjs';
import { northernCommons } from './directory.mjs';

const product = (type, kind, value, name) => ({ type: concept(type, kind), plan: [value, name] });

export const openChoice = product(payer.commercialPpo, 'Commercial PPO', 'NC-PPO-2', 'Northern Commons Open Choice');
export const neighborhood = product(payer.commercialHmo, 'Commercial HMO', 'NC-HMO-1', 'Northern Commons Neighborhood');
export const senior = product(payer.medicareHmo, 'Medicare HMO', 'NC-MA-3', 'Northern Commons Senior');
export const basicCare = product(payer.medicaidHmo, 'Medicaid HMO', 'NC-DR-2', 'Northern Commons Basic Care');
export const familyCare = product(payer.medicaidHmo, 'Medicaid HMO', 'NC-DR-9', 'Northern Commons Family Care');

/** membership(…, openChoice, ['GVHN-17', 'The employer'], '4471902201', period). The last two digits are the person. */
export const membership = (chart, { type, plan }, group, number, when, { slug = 'coverage', ...fields } = {}) =>
  chart.coverage(slug, {
    identifier: [
      {
        type: hl7('v2-0203', 'MB', 'Member Number'),
        system: 'https://northern-commons.example.org/member',
        value: number,
      },
    ],
    type,
    subscriberId: number.slice(0, -2),
    relationship: hl7('subscriber-relationship', 'self', 'Self'),
    period: when,
    payor: [to(northernCommons)],
    class: [coverageClass('group', 'Group', group), coverageClass('plan', 'Plan', plan)],
    ...fields,
  });

const coverageClass = (code, display, [value, name]) => ({ type: hl7('coverage-class', code, display), value, name });
