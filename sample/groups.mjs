// Groups that belong to no single story: lists of patients, for example for exports.

import { plain } from './build.mjs';

/** Returns the group of all patients of the sample, in the order of their ids. */
export const everybody = (patients) =>
  plain('Group', 'juniper-hill-patients', {
    active: true,
    type: 'person',
    actual: true,
    name: 'Patients of Juniper Hill',
    quantity: patients.length,
    member: patients.map((id) => ({ entity: { reference: `Patient/${id}` } })),
  });
