// Groups that are no part of one story: lists of patients, such as an export asks for.

import { plain } from './build.mjs';

/** The group of all patients of the sample, in the order of their ids. */
export const everybody = (patients) =>
  plain('Group', 'juniper-hill-patients', {
    active: true,
    type: 'person',
    actual: true,
    name: 'Patients of Juniper Hill',
    quantity: patients.length,
    member: patients.map((id) => ({ entity: { reference: `Patient/${id}` } })),
  });
