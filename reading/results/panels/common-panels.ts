//! Common panels of the laboratory by the LOINC codes of their tests (<https://loinc.org/panels/>), for records that
//! name no panel. Older versions of a panel are merged with the current one, since a reader sees them as one panel.

import type { PlainMessage } from '../../language/words.ts';

export interface CommonPanel {
  name: PlainMessage;
  /** The codes of the panel itself. */
  codes: readonly string[];
  /** The codes of its tests, in reading order. */
  tests: readonly string[];
}

const ELECTROLYTES_AND_KIDNEY = [
  ...['2951-2', '2947-0'], // sodium
  ...['2823-3', '6298-4'], // potassium
  ...['2075-0', '2069-3'], // chloride
  ...['2028-9', '20565-8'], // carbon dioxide
  ...['33037-3', '1863-0'], // anion gap
  ...['3094-0', '6299-2'], // urea nitrogen
  ...['2160-0', '38483-4'], // creatinine
  '3097-3', // urea nitrogen to creatinine
  ...['98979-8', '62238-1', '33914-3', '48642-3', '48643-1'], // filtration rate
  ...['2345-7', '2339-0', '1558-6'], // glucose
  ...['17861-6', '49765-1'], // calcium
];
const LIVER = [
  '2885-2', // protein
  '1751-7', // albumin
  ...['10834-0', '1759-0'], // globulin, albumin to globulin
  '1975-2', // bilirubin
  '6768-6', // alkaline phosphatase
  '1742-6', // alanine aminotransferase
  '1920-8', // aspartate aminotransferase
];

/** The common panels. Smaller panels precede the panels that contain them. */
export const COMMON_PANELS: readonly CommonPanel[] = [
  {
    name: 'Complete blood count',
    codes: ['58410-2', '57021-8', '57782-5'],
    tests: [
      ...['6690-2', '789-8', '718-7', '4544-3', '787-2', '785-6', '786-4', '788-0', '21000-5', '777-3', '32623-1'],
      ...['770-8', '736-9', '5905-5', '713-8', '706-2', '751-8', '731-0', '742-7', '711-2', '704-7'],
    ],
  },
  { name: 'Basic metabolic panel', codes: ['51990-0', '24320-4', '24321-2'], tests: ELECTROLYTES_AND_KIDNEY },
  { name: 'Hepatic function panel', codes: ['24325-3'], tests: [...LIVER, '1968-7', '1971-1'] },
  {
    name: 'Comprehensive metabolic panel',
    codes: ['24323-8', '24322-0'],
    tests: [...ELECTROLYTES_AND_KIDNEY, ...LIVER],
  },
  {
    name: 'Lipid panel',
    codes: ['57698-3', '24331-1'],
    tests: ['2093-3', '2085-9', '13457-7', '18262-6', '2089-1', '43396-1', '13458-5', '9830-1', '2571-8'],
  },
  {
    name: 'Urinalysis',
    codes: ['24356-8', '24357-6'],
    tests: [
      ...['5778-6', '5767-9', '5811-5', '5803-2', '2756-5', '5792-7', '5797-6', '2514-8', '20454-5', '5804-0'],
      ...['5799-2', '5802-4', '5770-3', '20405-7', '5818-0', '5794-3'],
    ],
  },
  { name: 'Coagulation', codes: ['34528-0', '34529-8'], tests: ['5902-2', '6301-6', '14979-9', '3173-2'] },
];
