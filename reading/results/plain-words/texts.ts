//! The tests that have plain words, and the texts that each language has.

import type { Flag } from '../flags/flag-signs.ts';

/** The tests with plain words, by their LOINC codes. */
export const PLAIN_TESTS = {
  // sugar
  averageSugar: ['4548-4', '17856-6', '59261-8', '4549-2'],
  fastingSugar: ['1558-6', '14771-0'],
  sugar: ['2345-7', '2339-0', '14749-6', '15074-8', '41653-7', '2340-8'],
  // fats
  fats: ['57698-3', '24331-1'],
  cholesterol: ['2093-3', '14647-2'],
  hdl: ['2085-9', '14646-4'],
  ldl: ['13457-7', '18262-6', '2089-1', '22748-8', '39469-2'],
  nonHdl: ['43396-1', '70204-3'],
  triglycerides: ['2571-8', '14927-8'],
  // kidneys
  creatinine: ['2160-0', '38483-4', '14682-9'],
  filtration: ['98979-8', '62238-1', '33914-3', '48642-3', '48643-1', '77147-7'],
  urea: ['3094-0', '6299-2', '22664-7', '3091-6'],
  uricAcid: ['3084-1', '14933-6'],
  urineAlbumin: ['9318-7', '14959-1', '32294-1', '1754-1', '14957-5'],
  // salts and minerals
  basicPanel: ['51990-0', '24320-4', '24321-2'],
  fullPanel: ['24323-8', '24322-0'],
  sodium: ['2951-2', '2947-0'],
  potassium: ['2823-3', '6298-4'],
  chloride: ['2075-0', '2069-3'],
  bicarbonate: ['2028-9', '20565-8', '1963-8'],
  calcium: ['17861-6', '49765-1', '2000-8'],
  magnesium: ['2601-3', '19123-9'],
  phosphate: ['2777-1', '14879-1'],
  lactate: ['2524-7', '32693-4'],
  // liver and pancreas
  liverPanel: ['24325-3'],
  protein: ['2885-2'],
  albumin: ['1751-7'],
  bilirubin: ['1975-2', '14631-6'],
  alp: ['6768-6'],
  alt: ['1742-6', '1743-4', '1744-2'],
  ast: ['1920-8', '30239-8'],
  ggt: ['2324-2'],
  lipase: ['3040-3'],
  // heart, muscles, clotting, inflammation
  ck: ['2157-6'],
  troponin: ['10839-9', '6598-7', '67151-1', '89579-7'],
  heartPeptide: ['33762-6', '30934-4'],
  dDimer: ['48065-7', '48066-5'],
  inr: ['6301-6', '34714-6'],
  prothrombin: ['5902-2'],
  crp: ['1988-5', '30522-7'],
  sedimentation: ['4537-7', '30341-2'],
  // hormones, iron, vitamins
  tsh: ['3016-3', '11580-8', '11579-0'],
  thyroidHormone: ['3024-7', '14920-3', '3051-0', '3053-6'],
  ferritin: ['2276-4'],
  iron: ['2498-4'],
  ironSaturation: ['2502-3'],
  b12: ['2132-9'],
  folate: ['2284-8'],
  vitaminD: ['1989-3', '62292-8'],
  psa: ['2857-1'],
  pregnancyHormone: ['21198-7', '19080-1', '2106-3', '2118-8'],
  // blood count
  bloodCount: ['58410-2', '57021-8', '57782-5'],
  whiteCells: ['6690-2', '26464-8'],
  redCells: ['789-8', '26453-1'],
  hemoglobin: ['718-7', '30313-1', '59260-0'],
  hematocrit: ['4544-3', '20570-8'],
  mcv: ['787-2', '30428-7'],
  mch: ['785-6', '28539-5', '786-4', '28540-3'],
  rdw: ['788-0', '21000-5'],
  platelets: ['777-3', '26515-7'],
  neutrophils: ['770-8', '751-8'],
  lymphocytes: ['736-9', '731-0'],
  monocytes: ['5905-5', '742-7'],
  eosinophils: ['713-8', '711-2'],
  basophils: ['706-2', '704-7'],
  bloodGroup: ['882-1', '883-9', '10331-7'],
  // urine
  urinePanel: ['24356-8', '24357-6'],
  urineSugar: ['5792-7', '25428-4'],
  urineProtein: ['20454-5', '5804-0', '2888-6'],
  urineBlood: ['5794-3'],
  urineKetones: ['5797-6', '2514-8'],
  urineWhiteCells: ['5799-2'],
  urineNitrite: ['5802-4'],
  urineAcid: ['2756-5', '5803-2'],
  urineCulture: ['630-4'],
  // infections
  bloodCulture: ['600-7'],
  covid: ['94500-6', '94309-2', '94558-4', '94531-1'],
  strep: ['78012-2'],
  hiv: ['56888-1', '7917-8', '75622-1'],
  hepatitisB: ['5195-3', '5196-1'],
  hepatitisC: ['16128-1', '13955-0'],
  // vital signs and the body
  bloodPressure: ['85354-9', '55284-4', '96607-7'],
  systolic: ['8480-6', '8459-0', '8460-8', '8461-6', '96608-5'],
  diastolic: ['8462-4', '8453-3', '8454-1', '8455-8', '96609-3'],
  heartRate: ['8867-4'],
  breathing: ['9279-1'],
  oxygen: ['59408-5', '2708-6'],
  temperature: ['8310-5'],
  weight: ['29463-7', '3141-9'],
  height: ['8302-2', '8306-3', '3137-7'],
  bmi: ['39156-5'],
  headSize: ['9843-4', '8287-5'],
} as const;

/** A name in plain words, and a sentence on what is measured. */
export type PlainTest = readonly [name: string, says: string];

/** The statuses of results that need an explanation. */
type ResultStatus =
  | 'registered'
  | 'preliminary'
  | 'partial'
  | 'amended'
  | 'corrected'
  | 'appended'
  | 'cancelled'
  | 'entered-in-error'
  | 'unknown';

/** The plain words of a language. */
export interface PlainTexts {
  tests: Readonly<Record<keyof typeof PLAIN_TESTS, PlainTest>>;
  statuses: Readonly<Record<ResultStatus, string>>;
  flags: Readonly<Record<Flag, string>>;
}
