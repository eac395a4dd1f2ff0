import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfAllergies } from './titles.ts';

test('a title about allergies is known in many languages', () => {
  for (const title of [
    'Allergies and Adverse Reactions',
    'ALLERGIES, ADVERSE REACTIONS, ALERTS',
    'Drug allergies',
    'Alergias e intolerancias',
    'Reacciones adversas a medicamentos',
    'Allergien und Unverträglichkeiten',
    'Überempfindlichkeit',
    'Allergies et hypersensibilités',
    'Overgevoeligheden',
    'Alergias e reações adversas',
    'Allergie e intolleranze',
    'Medication intolerances',
    'Allergies and adverse reactions',
    'Alergias',
    'アレルギー',
    'Alergie, intolerance a varování',
    'Uczulenia',
    'Overfølsomhed',
    'Överkänslighet',
    'Yliherkkyydet',
    'アレルギー・不耐性反応',
    '알레르기',
    'Аллергии',
    'Αλλεργίες',
  ])
    assert.equal(isOfAllergies(title), true, title);
});

test('other titles are not', () => {
  for (const title of ['', 'Current Repeat Medications', 'Vaccinations', 'Problem list', 'Section 3', 'Letter', '経過'])
    assert.equal(isOfAllergies(title), false, title);
});
