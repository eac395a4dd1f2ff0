//! Texts that state that none are known, and texts that may name something.

/** Texts about allergies, whether they state that none are known. */
export const ALLERGY_TEXTS: readonly [text: string, isNone: boolean][] = [
  ...[
    ...['Nil known', 'None.', 'No known', 'NKDA', 'NKDA - no known drug allergies', 'No known allergy (situation)'],
    ...['No known allergies to drugs', 'Patient states no allergies', 'No history of allergies', 'Allergies: none'],
    ...['No known drug, food, or latex allergies', 'No known drug allergies. No known food allergies.'],
    ...['No known drug allergies and no food allergies', 'No adverse drug reactions', 'Pt. denies any food allergies'],
    ...['No refiere alergias', 'No hay alergias', 'Alergias: ninguna', 'No hay ninguna alergia conocida'],
    ...['Sin alergias a medicamentos', 'Niega alergias medicamentosas'],
    ...['Keine bekannt', 'Keine Allergien bekannt', 'Geen allergie bekend', 'Geen bekende allergieën'],
    ...['Pas d’allergie connue', 'Aucune allergie', 'Nessuna allergia nota', 'Nega alergias', 'Inga kända allergier'],
    ...['無已知藥物過敏', 'アレルギーなし'],
  ].map((text): [string, boolean] => [text, true]),
  ...[
    ...['No penicillin', 'No latex', 'No latex - allergy', 'No food: allergy', 'No latex, allergy', 'No medications'],
    ...['Allergy to nickel, no known cause', 'No known allergies except latex', 'No known allergies but pollen'],
    ...['Latex allergy, no food allergy', 'Food allergy, no drug allergies', 'No drug allergy. Food allergy.'],
    ...['No drug allergies, food', 'No drug allergy, food allergy', 'Patient denies no allergies', 'Sin', 'Nilotinib'],
    ...['Food allergy', 'Drug allergy, no history', 'No other allergies', 'Non-drug allergy', 'Sin gluten', ''],
    ...['No longer allergic', 'No allergic rhinitis', 'Alergia al níquel, sin causa conocida', 'None of these: eggs'],
  ].map((text): [string, boolean] => [text, false]),
];

/** Texts about medications, whether they state that there is none. */
export const MEDICATION_TEXTS: readonly [text: string, isNone: boolean][] = [
  ...[
    ...['No known medications', 'No current medications.', 'no regular medication', 'None', 'Keine Medikation'],
    ...['Not taking any medications', 'Patient not on any regular medicines', 'Patient takes no medications', 'Nil'],
    ...['Nil regular medications', 'Sin medicación habitual', 'No toma medicación', 'Ninguna medicación'],
  ].map((text): [string, boolean] => [text, true]),
  ...[
    ...['No known medication allergies', 'Nonacog', 'Nil-G', 'None of these: aspirin', 'Sin', 'Unknown', 'NO'],
    ...['No medication except aspirin', 'No drugs: aspirin', 'Not taking aspirin'],
  ].map((text): [string, boolean] => [text, false]),
];
