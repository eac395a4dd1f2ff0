//! The sections of the chart to which titles of documents' sections belong, in English, Spanish, German, French, Dutch,
//! Portuguese and Italian, and the plainest of Japanese, Chinese, Korean, Czech, Polish, Hungarian, Russian, Greek,
//! Turkish and the languages of Scandinavia and Finland. A title is read where no code says what a section
//! is about.

import { unaccented } from '../fhir/unaccented.ts';

/**
 * Beginnings of words by the section of the chart. The first row that fits counts, so that narrower ones come first.
 */
const TITLES: readonly (readonly [place: string, ...titles: RegExp[]])[] = [
  // What is told as a story, with words of other rows in its title.
  [
    'documents',
    /\b(reason|motivo|motif|reden|grund|motiu)\w* (for|de|del|della|da|do|du|des|der|van|voor|fur|d) ?(the )?\w+/,
    /chief complaint|presenting complaint|uberweisungsgrund|einweisungsgrund|verwijsreden|opnamereden/,
    /discharge (instruction|summar|advice|diet|note)|hospital course|clinical course|course of (the )?stay/,
    /instrucciones|instructions (de|a la) sortie|instrucoes|istruzioni|patient instruction|instructions?$/,
    /present(ing)? illness|enfermedad actual|maladie actuelle|doenca atual|anamnesi patologica prossima/,
    /physical exam|exploracion|examen (fisico|physique|clinique)/,
    /korperliche|lichamelijk|esame obiettivo|exame fisico/,
    /review of systems|systemanamnese|evolucion|evolution|epikris|verlauf|beloop|evolucao|decorso|conclus/,
    /advice|patient information|provision of|health education|patient education/,
  ],
  [
    'family',
    /famil\w*[- ]?(health )?(histor|anamnes|geschicht|voorgesch)/,
    /(histor|anteced|anamnes)\w* (de |da |della )?(la )?famil/,
    /家族|가족|rodinn|rodzinn|семейн|наследств/,
  ],
  [
    'allergies',
    /allerg|alerg|adverse (drug )?(reaction|event)|unvertraglich|intoleran|overgevoelig|\bh?[iy]persensi/,
    /アレルキー|過敏|过敏|알레르기|알러지|аллерг|αλλεργ|alerji|uczuleni|overf.lsom|overkanslig|yliherk|不耐/,
    /reacci\w+ adversa|reac\w+ adversa|reazioni avverse|effets indesirables|bijwerking/,
  ],
  [
    'immunizations',
    /im+uni[sz]|inmuni|imuni|vac+in|vacun|vaksin|impf|inenting|shots given/,
    /予防接種|疫苗|예방접종|백신|ockovan|szczep|rokot|oltas|привив|вакцин|εμβολι/,
  ],
  [
    'screening',
    /social|sozial|sociaal|sociale|tobacco|tabac|tabak/,
    /smok|alcohol|lifestyle|habits?\b|habitos|mode de vie|leefstijl|rauch/,
    /estilo de vida|stile di vita|functional|funcional|funktion|fonction|functione|funzional|(mental|cognitive) stat/,
  ],
  [
    'problems',
    /(medical|health|disease|illness|surgical and medical) (past )?histor/,
    /histor\w* of (past )?(illness|disease)|past histor/,
    /past medical|anteced\w* (personal|medic|patol|pathol|morbid)/,
    /historia (medica|patolog|morbid)|vorerkrank|vorgeschicht/,
    /osobn\w* anamnez|既往|과거력|병력/,
    /anamnesi (patolog|medica|remota)|voorgeschiedenis|krankengeschichte|hauptdiagnos|nebendiagnos|dauerdiagnos/,
  ],
  [
    'medications',
    /medica(?!l)|medicin|medikament|medikation|arznei|\bdrugs?\b|prescri|prescrip|verordnung|\bmeds?\b|repeats?\b/,
    /pharma|farma|geneesmid|medicijn|medicac|traitement|tratamiento (actual|habitual|cronico|farm|al )|terap|remed/,
    /\btherapie\b|inhaler|insulin|薬|藥|药|処方/,
    /medikac|\blek(y|i|ow\w*)?\b|legemid|l.gemid|lakemedel|laakit|laakke|gyogyszer|ilac|лекарств|φαρμακ|투약|약물|처방/,
  ],
  [
    'plan',
    /\bplan(s|e|o|ned|es|os)?\b|\w+plan\b|piano|recom+[ae]nd|empfehl|aanbevel|raccomand|follow.?up|\bgoals?\b/,
    /appointment|procedere|prozedere|vorgehen|\bziele?\b|termine\b|suivi|objecti|objetiv|obiettiv|rendez.vous|beleid/,
    /doelen|afspra|\bmetas\b|segui(miento|mento)|\bcitas\b|controlli|tratamiento|treatment plan|zu erledigen|to do/,
    /doporucen|zalecen|рекоменд|計画|方針|계획/,
  ],
  [
    'consents',
    /advance|directive|preferenc|resuscit|\bdnr\b|voluntad/,
    /verfugung|wilsver|dir?etivas|disposizioni|consen|einwillig/,
  ],
  ['flags', /\brisks?\b|alert|warning|riesgo|risiko|warnhin|\bcave\b|risque|risico|waarschuw|rischi|avvert/],
  ['vitals', /vital|vitaux|vitais|constantes|biometr|ハイタル|활력/],
  [
    'reports',
    /imaging|radiolog|x.?ray|bildgeb|imagen|imagem/,
    /imagerie|beeldvorm|immagin|ultraso|diagnostic (stud|report)|patholog\w* report|画像|放射線|영상/,
  ],
  [
    'labs',
    /\bresult|laborat|\blabs?\b|labor\b|laborwert|investigation|\btests?\b|analit/,
    /analys|analis|uitslag|bepaling|pruebas|esami|exames|examens|vysled|wynik|検査|檢驗|检验|검사|анализ/,
  ],
  [
    'procedures',
    /procedur|surger|surgical|operation|operati|procedim|cirug|quirurg|eingriff|chirurg|intervent|intervenc|ingrep/,
    /verrichting|treatments?\b|implant|device|equipment|dispositi|medizinprod|hilfsmittel|hulpmiddel|trattament/,
    /手術|手术|수술|zabieg|операц|\bvykon/,
  ],
  [
    'problems',
    /problem|diagnos|condition|disease|illness|comorb|concern|enfermedad|krankheit|erkrank/,
    /診断|診斷|诊断|傷病|病名|진단|질환|onemocn|chorob|rozpozn|sygdom|sykdom|sjukdom|sairau|betegseg|диагноз|διαγνωσ/,
    /anamnez|заболеван/,
    /maladie|patholog|patolog|aandoen|ziekte|doenc|malatti|klacht|anteced|anamnes/,
  ],
  [
    'other-observations',
    /observat|finding|befund|observacion|hallazg|bevinding|achado/,
    /pregnan|obstet|embaraz|schwanger|grossesse|zwanger|gravid/,
  ],
  ['team', /care team|equipo|zorgteam|equipe|behandelteam|behandler/],
  [
    'visits',
    /encounter|\bvisits?\b|consult|care events?|hospitali|admission|encuentro/,
    /besuch|aufenthalt|sejour|opname|contact|atendiment|ricover/,
  ],
  ['other', /payer|payor|insur|coverage|seguro|versicher|assurance|verzeker|assicur/],
];

/** A title without signs above letters, in lower case, with single spaces. */
const plainTitle = (title: string): string =>
  unaccented(title)
    .replace(/([a-z])(?=[A-Z][a-z])/g, '$1 ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    // Syllables of Korean are one letter each.
    .normalize('NFC');

/** The section of the chart for a title; nothing where it tells of none. */
export function placeOfTitle(title: string): string | undefined {
  const plain = plainTitle(title);
  return TITLES.find(([, ...titles]) => titles.some((one) => one.test(plain)))?.[0];
}
