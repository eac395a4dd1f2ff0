//! Texts that state that none are known, and texts that may name something.

/** Texts which state that no allergy is known. */
export const NO_ALLERGY = [
  ...['Nil known', 'None.', 'No known', 'NKDA', 'NKDA - no known drug allergies', 'No known allergy (situation)'],
  ...['No known allergies to drugs', 'Patient states no allergies', 'No history of allergies', 'Allergies: none'],
  ...['No known drug, food, or latex allergies', 'No known drug allergies. No known food allergies.'],
  ...['No adverse drug reactions', 'Pt. denies any food allergies', 'No Known Drug/Food Allergies'],
  ...['No refiere alergias', 'No hay alergias', 'Alergias: ninguna', 'No hay ninguna alergia conocida'],
  ...['Sin alergias a medicamentos', 'Niega alergias medicamentosas', 'Nega alergias', 'Nessuna allergia nota'],
  ...['Keine bekannt', 'Keine Allergien bekannt', 'Geen allergie bekend', 'Geen bekende allergieën', 'Aucune allergie'],
  ...['Pas d’allergie connue', 'Inga kända allergier', '無已知藥物過敏', 'アレルギーなし'],
  ...['Keine bekannten Arzneimittelallergien', 'Keine Medikamentenallergie', 'Geen geneesmiddelenallergie'],
];

/** Texts of allergies that may name one. */
export const ALLERGY = [
  ...['No penicillin', 'No latex', 'No latex - allergy', 'No food: allergy', 'No latex, allergy', 'No medications'],
  ...['Allergy to nickel, no known cause', 'No known allergies except latex', 'Alergia al níquel, sin causa conocida'],
  ...['Latex allergy, no food allergy', 'Food allergy, no drug allergies', 'No drug allergy. Food allergy.'],
  ...['No drug allergies, food', 'No drug allergy, food allergy', 'Patient denies no allergies', 'Sin', 'Nilotinib'],
  ...[
    'Food allergy',
    'Drug allergy, no history',
    'No other allergies',
    'No longer allergic',
    'Keine Pollenallergie',
    'No allergic rhinitis',
  ],
];

/** Texts which state that there is no medication. */
export const NO_MEDICATION = [
  ...['No known medications', 'No current medications.', 'no regular medication', 'None', 'Keine Medikation', 'Nil'],
  ...['Not taking any medications', 'Patient not on any regular medicines', 'Patient takes no medications'],
  ...['Nil regular medications', 'Sin medicación habitual', 'No toma medicación', 'Medication unknown'],
  ...['No medication given', 'No drugs administered', 'Nimmt keine Medikamente', 'Keine Dauermedikation'],
  ...['Aucun traitement en cours', 'Ne prend aucun médicament'],
];

/** Texts of medications that may name one. */
export const MEDICATION = [
  ...['No known medication allergies', 'Nonacog', 'Nil-G', 'None of these: aspirin', 'Sin', 'Unknown', 'NO'],
  ...[
    'No medication except aspirin',
    'Keine Medikamente außer Aspirin',
    'No drugs: aspirin',
    'Not taking aspirin',
    'Given aspirin',
  ],
];
