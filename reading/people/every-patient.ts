//! Searches that together find every patient with a sex, a birth date, or a name with a Latin letter. A search on
//! Patient needs a condition, and the mere presence of a value is none.

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'].join(',');

export const EVERY_PATIENT: readonly string[] = [
  'gender=male,female,other,unknown',
  'birthdate=ge1000',
  `name:contains=${LETTERS}`,
];
