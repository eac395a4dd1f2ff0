//! Laboratory tests by their names, for records with local codes.

import { namesOf } from '../../fhir/concept-codes.ts';
import type { Concept } from '../../fhir/types.ts';

/** Whole names, with hyphens for spaces. */
const NAMES = new Set([
  ...['wbc', 'white-blood-cells', 'white-blood-cell-count', 'leukocytes', 'leucocytes', 'leukozyten', 'leucocitos'],
  ...['rbc', 'red-blood-cells', 'erythrocytes', 'erythrozyten', 'eritrocitos', 'hematíes', 'hb', 'hgb', 'hemoglobin'],
  ...['haemoglobin', 'hämoglobin', 'hemoglobina', 'hémoglobine', 'hemoglobine', 'hct', 'hematocrit', 'haematocrit'],
  ...['hämatokrit', 'hematocrito', 'platelets', 'platelet-count', 'plt', 'thrombozyten', 'plaquetas', 'plaquettes'],
  ...['mcv', 'mch', 'mchc', 'rdw', 'neutrophils', 'lymphocytes', 'monocytes', 'eosinophils', 'basophils', 'blasts'],
  ...['sodium', 'natrium', 'sodio', 'potassium', 'kalium', 'potasio', 'chloride', 'chlorid', 'cloro', 'bicarbonate'],
  ...['glucose', 'glukose', 'glucosa', 'creatinine', 'kreatinin', 'creatinina', 'creatinine', 'créatinine', 'urea'],
  ...['bun', 'harnstoff', 'egfr', 'gfr', 'calcium', 'kalzium', 'calcio', 'magnesium', 'magnesio', 'phosphate'],
  ...['alt', 'ast', 'gpt', 'got', 'ggt', 'gamma-gt', 'alp', 'ldh', 'bilirubin', 'bilirubina', 'total-bilirubin'],
  ...['albumin', 'albúmina', 'total-protein', 'lipase', 'amylase', 'ck', 'ck-mb', 'troponin', 'troponin-i'],
  ...['troponin-t', 'hs-troponin', 'bnp', 'nt-probnp', 'd-dimer', 'd-dimere', 'crp', 'c-reactive-protein', 'esr'],
  ...['procalcitonin', 'lactate', 'laktat', 'lactato', 'inr', 'pt', 'ptt', 'aptt', 'quick', 'fibrinogen', 'ferritin'],
  ...['ferritina', 'iron', 'transferrin', 'tsh', 'ft3', 'ft4', 't3', 't4', 'hba1c', 'hemoglobin-a1c', 'cholesterol'],
  ...['total-cholesterol', 'colesterol', 'cholesterin', 'hdl', 'ldl', 'hdl-cholesterol', 'ldl-cholesterol'],
  ...['triglycerides', 'triglyzeride', 'triglicéridos', 'psa', 'cea', 'afp', 'ca-125', 'ca-19-9', 'ca-15-3', 'hcg'],
  ...['beta-hcg', 'vitamin-d', 'vitamin-b12', 'folate', 'uric-acid', 'harnsäure', 'ácido-úrico', 'ammonia', 'uacr'],
  ...['digoxin', 'lithium', 'vancomycin', 'rpr', 'vdrl', 'ana', 'blood-group', 'blutgruppe', 'grupo-sanguíneo'],
  ...['rh', 'rhesus-factor', 'urinalysis', 'mrsa', 'hiv', 'hcv', 'hbv', 'covid-19', 'sars-cov-2'],
]);

/** Parts of names that only laboratory tests have: antigens, antibodies, nucleic acids, cultures. */
const PARTS = new RegExp(
  String.raw`\b(hb[sec]ag|anti-?\s?h[bcai][sevc]\w*|hiv[- ]?[12]|ig[gma]|antibod(y|ies)|antigens?|antik(ö` +
    '|oe)rper|anticuerpos?|(rt-?)?pcr|naat|(blood|urine|stool|sputum|wound|throat) culture|(h[äa]mo' +
    String.raw`|blut|urin)kultur|(hemo|uro|copro)cultivo|gram stain)\b`,
  'i',
);

export const namesLabTest = (of: Concept | undefined): boolean =>
  namesOf(of).some((name) => NAMES.has(name.replace(/[\s_]+/g, '-')) || PARTS.test(name));
