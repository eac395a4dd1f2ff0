//! The vital sign of a code: by LOINC, SNOMED CT, the codes of devices (ISO/IEEE 11073), or, without a LOINC code, by
//! its name in words. Only whole names match: `Fetal heart rate` is none of them.

import type { PlainMessage, Words } from '../language/words.ts';
import { own } from '../own.ts';
import { codesOf, namesOf } from './concept-codes.ts';
import type { Concept } from './types.ts';

/** A vital sign: LOINC code, name, codes with the same meaning, and names in words, with hyphens for spaces. */
interface Sign {
  code: string;
  name: PlainMessage;
  alike: readonly string[];
  words: readonly string[];
}

const SIGNS: readonly Sign[] = [
  {
    code: '85354-9',
    name: 'Blood pressure',
    alike: ['75367002', '55284-4', '35094-2'],
    words: [
      ...['blood-pressure', 'bp', 'blood-pressure-panel', 'blood-pressure-systolic-and-diastolic', 'nibp'],
      ...['blutdruck', 'presión-arterial', 'presion-arterial', 'tensión-arterial', 'tension-arterial'],
      ...['bloeddruk', 'pression-artérielle', 'pressão-arterial', '血圧', '血压', '血壓'],
    ],
  },
  {
    code: '8480-6',
    name: 'Systolic blood pressure',
    alike: ['271649006', '150017', '150021', '150037'],
    words: [
      ...['systolic-blood-pressure', 'systolic', 'systolic-bp', 'bp-systolic', 'blood-pressure-systolic', 'sbp'],
      ...['bp-sys', 'systolic-pressure', 'systolischer-blutdruck', 'blutdruck-systolisch', 'systolisch'],
      ...['presión-arterial-sistólica', 'presión-sistólica', 'tensión-arterial-sistólica', 'sistólica'],
      ...[
        'systolische-bloeddruk',
        'pression-artérielle-systolique',
        'pression-systolique',
        'systolique',
        '収縮期血圧',
        '收缩压',
        '收縮壓',
      ],
    ],
  },
  {
    code: '8462-4',
    name: 'Diastolic blood pressure',
    alike: ['271650006', '150018', '150022', '150038'],
    words: [
      ...['diastolic-blood-pressure', 'diastolic', 'diastolic-bp', 'bp-diastolic', 'blood-pressure-diastolic', 'dbp'],
      ...['bp-dia', 'diastolic-pressure', 'diastolischer-blutdruck', 'blutdruck-diastolisch', 'diastolisch'],
      ...['presión-arterial-diastólica', 'presión-diastólica', 'tensión-arterial-diastólica', 'diastólica'],
      ...[
        'diastolische-bloeddruk',
        'pression-artérielle-diastolique',
        'pression-diastolique',
        'diastolique',
        '拡張期血圧',
        '舒张压',
        '舒張壓',
      ],
    ],
  },
  {
    code: '8867-4',
    name: 'Heart rate',
    alike: ['364075005', '147842', '149530', '78564009'],
    words: [
      ...['heart-rate', 'hr', 'pulse', 'pulse-rate', 'heartbeat', 'herzfrequenz', 'puls', 'pulsfrequenz'],
      ...['frecuencia-cardíaca', 'frecuencia-cardiaca', 'pulso', 'hartslag', 'hartfrequentie', 'polsfrequentie'],
      ...['fréquence-cardiaque', 'pouls', 'frequência-cardíaca', '脈拍', '脈拍数', '心拍数', '心率', '脉搏', '脈搏'],
    ],
  },
  {
    code: '9279-1',
    name: 'Respiratory rate',
    alike: ['86290005', '151562', '151570'],
    words: [
      ...['respiratory-rate', 'respiration-rate', 'respirations', 'resp-rate', 'breathing-rate', 'atemfrequenz'],
      ...['frecuencia-respiratoria', 'ademhalingsfrequentie', 'ademfrequentie', 'fréquence-respiratoire'],
      ...['frequência-respiratória', '呼吸数', '呼吸频率', '呼吸頻率'],
    ],
  },
  {
    code: '59408-5',
    name: 'Oxygen saturation',
    alike: ['431314004', '150456'],
    words: [
      ...['oxygen-saturation', 'spo2', 'o2-saturation', 'o2-sat', 'o2sat', 'pulse-oximetry', 'pulse-ox'],
      ...['sauerstoffsättigung', 'saturación-de-oxígeno', 'saturacion-de-oxigeno', 'sat-o2', 'zuurstofsaturatie'],
      ...['saturation-en-oxygène', 'saturação-de-oxigênio', '酸素飽和度', '血氧饱和度', '血氧飽和度', '血氧'],
    ],
  },
  {
    code: '8310-5',
    name: 'Body temperature',
    alike: ['386725007', '150364'],
    words: [
      ...['body-temperature', 'temperature', 'temp', 'körpertemperatur', 'temperatur', 'temperatura'],
      ...['temperatura-corporal', 'lichaamstemperatuur', 'temperatuur', 'température', 'température-corporelle'],
      ...['体温', '體溫'],
    ],
  },
  {
    code: '29463-7',
    name: 'Weight',
    alike: ['27113001', '188736'],
    words: [
      ...['weight', 'body-weight', 'wt', 'gewicht', 'körpergewicht', 'peso', 'peso-corporal', 'lichaamsgewicht'],
      ...['poids', '体重', '體重'],
    ],
  },
  {
    code: '8302-2',
    name: 'Height',
    alike: ['50373000', '188740'],
    words: [
      ...['height', 'body-height', 'ht', 'größe', 'körpergröße', 'talla', 'estatura', 'lichaamslengte', 'taille'],
      ...['身長', '身高'],
    ],
  },
  {
    code: '39156-5',
    name: 'Body mass index',
    alike: ['60621009', '188752'],
    words: ['body-mass-index', 'bmi', 'body-mass-index-(bmi)', 'índice-de-masa-corporal', 'imc'],
  },
];

/** The codes of both numbers of a blood pressure, in any position and by any method. */
export const SYSTOLIC = ['8480-6', '8459-0', '8460-8', '8461-6', '8479-8', '76534-7'];
export const DIASTOLIC = ['8462-4', '8453-3', '8454-1', '8455-8', '76535-4'];

const NAMES: Readonly<Record<string, PlainMessage>> = Object.fromEntries(SIGNS.map(({ code, name }) => [code, name]));
const ALIKE: ReadonlyMap<string, string> = new Map(
  SIGNS.flatMap(({ code, alike }) => alike.map((one) => [one, code] as const)),
);
const WORDS: ReadonlyMap<string, string> = new Map(
  SIGNS.flatMap(({ code, words }) => words.map((one) => [one, code] as const)),
);

/** Returns whether a system is LOINC, by its address or its OID. */
export const isLoinc = (system: string | undefined): boolean =>
  system === 'http://loinc.org' || /loinc\.org|2\.16\.840\.1\.113883\.6\.1$/.test(system ?? '');

export const isOfLoinc = (of: Concept | undefined): boolean =>
  of?.coding?.some(({ system, code }) => code && isLoinc(system)) ?? false;

/** Words next to the name of a vital sign that do not change its identity: the method, the site and the person. */
const BESIDE = new RegExp(
  String.raw`\((?:[°º]?[fc]|adult|bpm|mmhg|kg|cm|lbs?|%|ra|oral)\)|\b(oral(ly)?|axillary|rectal|tympanic` +
    '|temporal|ear|core|on room air|room air|by pulse oximetry|in arterial blood|(at )?rest(ing)?' +
    '|sitting|standing|supine|lying|(left|right) arm|non-?invasive|automatic|automated|manual|measured' +
    String.raw`|adult|peripheral)\b|[.,:]`,
  'g',
);
/** Methods of measuring a temperature that have another usual range. */
const BY_ANOTHER_WAY = /axillar|rectal|tympan|temporal|\bear\b/i;

/** Returns the code of a named vital sign, with the code of the tympanic temperature for another method. */
function codesNamed(name: string): string[] {
  const named = (words: string): string | undefined => WORDS.get(words.trim().replace(/[\s_-]+/g, '-'));
  const code = named(name) ?? named(name.replace(BESIDE, ' '));
  if (code === undefined) return [];
  return code === '8310-5' && BY_ANOTHER_WAY.test(name) ? [code, '8333-7'] : [code];
}

const NONE: readonly string[] = [];

/** Returns the LOINC codes of the vital sign of a concept that lacks them. Most concepts have a LOINC code. */
function meantCodes(of: Concept): readonly string[] {
  const { coding = [] } = of;
  if (coding.some(({ code }) => code !== undefined && ALIKE.has(code)))
    return coding.flatMap(({ code }) => ALIKE.get(code ?? '') ?? []);
  if (coding.some(({ system, code }) => isLoinc(system) || (code !== undefined && own(NAMES, code) !== undefined)))
    return NONE;
  return (
    namesOf(of)
      .map(codesNamed)
      .find((one) => one.length > 0) ?? NONE
  );
}

/** Returns the codes of a concept, with the LOINC code of its vital sign. */
export const vitalCodes = (of: Concept | undefined): string[] => (of ? [...codesOf(of), ...meantCodes(of)] : []);

/** Returns the LOINC code of the vital sign that a concept without a LOINC code names; `undefined` for others. */
export const vitalCodeMeant = (of: Concept | undefined): string | undefined =>
  vitalCodes(of).find((code) => own(NAMES, code));

/** Returns whether a concept has one of some codes, itself or by the vital sign that it names. */
export const isVital = (of: Concept | undefined, ...codes: readonly string[]): boolean =>
  of !== undefined && (hasCode(of, codes) || meantCodes(of).some((code) => codes.includes(code)));

const hasCode = ({ coding }: Concept, codes: readonly string[]): boolean =>
  coding?.some(({ code }) => code !== undefined && codes.includes(code)) === true;

/** Returns the name of a vital sign by its LOINC code; `undefined` for other codes. */
export const vitalName = (words: Words, code: string | undefined): string | undefined => {
  const name = own(NAMES, code ?? '');
  return name && words.t(name);
};

/** LOINC names of body measurements other than the vital signs. */
const OF_THE_BODY: readonly PlainMessage[] = [
  'Body weight',
  'Body height',
  'Body mass index (BMI)',
  'Head Occipital-frontal circumference',
];

/** Returns the name of a vital sign by its device code (ISO/IEEE 11073); `undefined` for other codes. */
export const deviceSignName = (words: Words, code: string | undefined): string | undefined =>
  vitalName(words, ALIKE.get(code ?? ''));

const BY_NAME: ReadonlyMap<string, PlainMessage> = new Map(
  [...SIGNS.map(({ name }) => name), ...OF_THE_BODY].map((name) => [name.toLowerCase(), name]),
);

/** Returns the translation of the English name of a vital sign or body measurement; `undefined` for other words. */
export const vitalTranslated = (words: Words, said: string): string | undefined => {
  const name = BY_NAME.get(said.trim().toLowerCase());
  return name && words.t(name);
};
