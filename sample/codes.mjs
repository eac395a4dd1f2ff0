// All codes that the stories use. Each line has the name that the stories use, and 'code display'.

const codes = (system, table) =>
  Object.fromEntries(
    Object.entries(table).map(([name, line]) => {
      const [code, ...display] = line.split(' ');
      return [name, { system, code, display: display.join(' ') || undefined }];
    }),
  );

const HL7 = 'http://terminology.hl7.org/CodeSystem/';
const CORE = 'http://hl7.org/fhir/us/core/CodeSystem/';

export const problem = codes('http://snomed.info/sct', {
  type2Diabetes: '44054006 Type 2 diabetes mellitus',
  diabeticKidney: '127013003 Disorder of kidney due to diabetes mellitus',
  kidneyStage3a: '700378005 Chronic kidney disease stage 3A',
  diabeticRetinopathy: '422034002 Retinopathy due to type 2 diabetes mellitus',
  diabeticFootUlcer: '371087003 Diabetic foot ulcer',
  hypoglycemia: '302866003 Hypoglycemia',
  hypertension: '59621000 Essential hypertension',
  hyperlipidemia: '55822004 Hyperlipidemia',
  noTransport: '713458007 Lack of access to transportation',
  bronchitis: '10509002 Acute bronchitis',
  pregnancy: '72892002 Normal pregnancy',
  gestationalDiabetes: '11687002 Gestational diabetes mellitus',
  ironDeficiency: '87522002 Iron deficiency anemia',
  neonatalJaundice: '387712008 Neonatal jaundice',
  asthma: '195967001 Asthma',
  asthmaExacerbation: '281239006 Exacerbation of asthma',
  strepThroat: '43878008 Streptococcal sore throat',
  viralPharyngitis: '195662009 Acute viral pharyngitis',
  heartFailure: '42343007 Congestive heart failure',
  atrialFibrillation: '49436004 Atrial fibrillation',
  sickSinus: '36083008 Sick sinus syndrome',
  copd: '13645005 Chronic obstructive lung disease',
  mildCognitive: '386805003 Mild cognitive disorder',
  walkingDisability: '228158008 Walking disability',
  hearingLoss: '15188001 Hearing loss',
  breastCancer: '254837009 Malignant neoplasm of breast',
  lymphedema: '234097001 Lymphedema',
  osteopenia: '312894000 Osteopenia',
  migraine: '37796009 Migraine',
  typhoid: '4834000 Typhoid fever',
  covid: '840539006 COVID-19',
  recurrentDepression: '66344007 Recurrent major depression',
  anxiety: '21897009 Generalized anxiety disorder',
  foodInsecurity: '733423003 Food insecurity',
  housingInstability: '1156191002 Housing instability',
  alteredMentalStatus: '419284004 Altered mental status',
});

export const icd10 = codes('http://hl7.org/fhir/sid/icd-10-cm', {
  diabetesWithKidney: 'E11.22 Type 2 diabetes mellitus with diabetic chronic kidney disease',
  diabetesWithHypoglycemia: 'E11.649 Type 2 diabetes mellitus with hypoglycemia without coma',
  hypertension: 'I10 Essential (primary) hypertension',
  hyperlipidemia: 'E78.5 Hyperlipidemia, unspecified',
  kidneyStage3a: 'N18.31 Chronic kidney disease, stage 3a',
  bronchitis: 'J20.9 Acute bronchitis, unspecified',
  gestationalDiabetes: 'O24.410 Gestational diabetes mellitus in pregnancy, diet controlled',
  asthmaExacerbation: 'J45.901 Unspecified asthma with (acute) exacerbation',
  strepThroat: 'J02.0 Streptococcal pharyngitis',
  heartFailure: 'I50.9 Heart failure, unspecified',
  breastCancer: 'C50.912 Malignant neoplasm of unspecified site of left female breast',
  migraine: 'G43.909 Migraine, unspecified, not intractable, without status migrainosus',
  depression: 'F33.1 Major depressive disorder, recurrent, moderate',
  foodInsecurity: 'Z59.41 Food insecurity',
  alteredMentalStatus: 'R41.82 Altered mental status, unspecified',
});

export const allergen = codes('http://snomed.info/sct', {
  penicillin: '91936005 Allergy to penicillin',
  peanut: '91935009 Allergy to peanut',
  egg: '91930004 Allergy to egg protein',
  latex: '300916003 Latex allergy',
  dustMite: '232350006 House dust mite allergy',
  shellfish: '300913006 Shellfish allergy',
  notAsked: '1631000175102 Patient not asked',
  noneKnown: '716186003 No known allergy',
});

export const reaction = codes('http://snomed.info/sct', {
  hives: '247472004 Hives',
  rash: '271807003 Eruption of skin',
  cough: '49727002 Cough',
  anaphylaxis: '39579001 Anaphylaxis',
  nausea: '422587007 Nausea',
  itching: '418290006 Itching',
  sneezing: '76067001 Sneezing',
});

export const rxnorm = codes('http://www.nlm.nih.gov/research/umls/rxnorm', {
  metformin1000: '861004 metformin hydrochloride 1000 MG Oral Tablet',
  metforminER500: '860975 24 HR metformin hydrochloride 500 MG Extended Release Oral Tablet',
  empagliflozin10: '1545658 empagliflozin 10 MG Oral Tablet',
  glargine: '311041 insulin glargine 100 UNT/ML Injectable Solution',
  lisinopril10: '314076 lisinopril 10 MG Oral Tablet',
  losartan50: '979492 losartan potassium 50 MG Oral Tablet',
  atorvastatin40: '617311 atorvastatin 40 MG Oral Tablet',
  aspirin81: '243670 aspirin 81 MG Oral Tablet',
  ferrousSulfate: '310325 ferrous sulfate 325 MG Oral Tablet',
  albuterol: '745679 200 ACTUAT albuterol 0.09 MG/ACTUAT Metered Dose Inhaler',
  fluticasone: '895994 120 ACTUAT fluticasone propionate 0.044 MG/ACTUAT Metered Dose Inhaler',
  amoxicillin: '308189 amoxicillin 80 MG/ML Oral Suspension',
  furosemide40: '313988 furosemide 40 MG Oral Tablet',
  furosemideInjection: '1719286 10 ML furosemide 10 MG/ML Injection',
  metoprolol100: '866412 24 HR metoprolol succinate 100 MG Extended Release Oral Tablet',
  apixaban5: '1364445 apixaban 5 MG Oral Tablet',
  anastrozole1: '199224 anastrozole 1 MG Oral Tablet',
  naproxen220: '849574 naproxen sodium 220 MG Oral Tablet',
  sertraline50: '312941 sertraline 50 MG Oral Tablet',
  sertraline100: '312938 sertraline 100 MG Oral Tablet',
  lisinopril: '29046 lisinopril',
  codeine: '2670 codeine',
  aspirin: '1191 aspirin',
  vitaminD: '2418 cholecalciferol',
});

export const cvx = codes('http://hl7.org/fhir/sid/cvx', {
  hepB: '08 Hep B, adolescent or pediatric',
  hepBAdult: '43 Hep B, adult',
  bcg: '19 BCG',
  dtap: '20 DTaP',
  dtapHepBIpv: '110 DTaP-Hep B-IPV',
  hib: '48 Hib (PRP-T)',
  pcv20: '216 Pneumococcal conjugate PCV20, polysaccharide CRM197 conjugate, adjuvant, PF',
  pneumovax: '33 pneumococcal polysaccharide PPV23',
  rotavirus: '119 rotavirus, monovalent',
  mmr: '03 MMR',
  varicella: '21 varicella',
  hepA: '83 Hep A, ped/adol, 2 dose',
  tdap: '115 Tdap',
  influenza: '150 influenza, injectable, quadrivalent, preservative free',
  influenzaTrivalent: '140 Influenza, split virus, trivalent, PF',
  influenzaHighDose: '197 influenza, high-dose, quadrivalent',
  zoster: '187 zoster recombinant',
  covid: '208 COVID-19, mRNA, LNP-S, PF, 30 mcg/0.3 mL dose',
  covidCurrent: '309 COVID-19, mRNA, LNP-S, PF, tris-sucrose, 30 mcg/0.3 mL',
  nirsevimab: '306 RSV, mAb, nirsevimab-alip, 0.5 mL, neonate to 24 months',
});

export const ndc = codes('http://hl7.org/fhir/sid/ndc', {
  shingrix: '58160082311',
  fluzoneHighDose: '49281012165',
});

export const visitType = codes('http://snomed.info/sct', {
  checkUp: '185349003 Encounter for check up',
  followUp: '390906007 Follow-up encounter',
  symptom: '185345009 Encounter for symptom',
  emergency: '4525004 Emergency department patient visit',
  admission: '32485007 Hospital admission',
  wellChild: '410620009 Well child visit',
  prenatalFirst: '424441002 Prenatal initial visit',
  prenatal: '424619006 Prenatal visit',
  postnatal: '169762003 Postnatal visit',
  telemedicine: '448337001 Telemedicine consultation with patient',
  consultation: '11429006 Consultation',
});

export const procedure = codes('http://snomed.info/sct', {
  colonoscopy: '73761001 Colonoscopy',
  debridement: '36777000 Debridement',
  footExamination: '401191002 Diabetic foot examination',
  ophthalmoscopy: '53524009 Ophthalmoscopy',
  dietEducation: '11816003 Diet education',
  appendectomy: '80146002 Appendectomy',
  delivery: '177184002 Normal delivery procedure',
  nebulizer: '56251003 Nebulizer therapy',
  spirometry: '127783003 Spirometry',
  pacemaker: '307280005 Implantation of cardiac pacemaker',
  oxygen: '57485005 Oxygen therapy',
  lumpectomy: '392021009 Lumpectomy of breast',
  breastBiopsy: '122548005 Biopsy of breast',
  radiotherapy: '33195004 External beam radiation therapy procedure',
  medicationReview: '430193006 Medication reconciliation',
  depressionScreening: '171207006 Depression screening',
  foodPantry: '467771000124109 Assistance with application for food pantry program',
  hospice: '385763009 Hospice care',
  physiotherapy: '91251008 Physical therapy procedure',
});

/** Source of payment. The stories add the meaning of the number as text. */
export const payer = codes('https://nahdo.org/sopt', {
  medicareHmo: '111',
  medicaidHmo: '211',
  commercialHmo: '511',
  commercialPpo: '512',
});

/** CPT codes without descriptions, which belong to the AMA. The stories use their own texts. */
export const cpt = codes('http://www.ama-assn.org/go/cpt', {
  officeVisit: '99214',
  colonoscopy: '45378',
  pacemaker: '33208',
  lumpectomy: '19301',
});

export const requestCategory = codes('http://snomed.info/sct', {
  laboratory: '108252007 Laboratory procedure',
  imaging: '363679005 Imaging',
  counseling: '409063005 Counseling',
  education: '409073007 Education',
  surgical: '387713003 Surgical procedure',
  social: '410606002 Social service procedure',
});

export const device = codes('http://snomed.info/sct', {
  pacemaker: '14106009 Cardiac pacemaker',
  software: '706689003 Application program software',
});

export const specimenType = codes('http://snomed.info/sct', {
  blood: '119297000 Blood specimen',
  urine: '122575003 Urine specimen',
  throat: '258529004 Throat swab',
  nasopharynx: '258500001 Nasopharyngeal swab',
  tissue: '119376003 Tissue specimen',
});

export const finding = codes('http://snomed.info/sct', {
  neverSmoked: '266919005 Never smoked tobacco',
  formerSmoker: '8517006 Ex-smoker',
  someDaySmoker: '428041000124106 Occasional tobacco smoker',
  smokingUnknown: '266927001 Tobacco smoking consumption unknown',
  pregnant: '77386006 Pregnant',
  notPregnant: '60001007 Not pregnant',
  unsureOfPregnancy: '454381000124105 Not sure of desire to become pregnant',
  heterosexual: '20430005 Heterosexual',
  bisexual: '42035005 Bisexual',
  groupOPositive: '278147001 Blood group O Rh(D) positive',
  noGrowth: '264868006 No growth',
  detected: '260373001 Detected',
  positive: '10828004 Positive',
  negative: '260385009 Negative',
  present: '52101004 Present',
  yes: '373066001 Yes',
  weightLoss: '289169006 Weight loss',
  takesAsPrescribed: '1156699004 Complies with drug therapy',
  notForResuscitation: '304253006 Not for resuscitation',
});

export const observable = codes('http://snomed.info/sct', { packYears: '401201003 Cigarette pack-years' });

export const role = codes('http://snomed.info/sct', {
  patient: '116154003 Patient',
  primaryCare: '453231000124104 Primary care provider',
  caregiver: '133932002 Caregiver',
  cardiologist: '17561000 Cardiologist',
  endocrinologist: '61894003 Endocrinologist',
  pediatrician: '82296001 Pediatrician',
  midwife: '309453006 Registered midwife',
  pathologist: '61207006 Medical pathologist',
  radiologist: '66862007 Radiologist',
  pharmacist: '46255001 Pharmacist',
  nurse: '224535009 Registered nurse',
  socialWorker: '106328005 Social worker',
  physician: '309343006 Physician',
});

export const specialty = codes('http://nucc.org/provider-taxonomy', {
  familyMedicine: '207Q00000X Family Medicine Physician',
  internalMedicine: '207R00000X Internal Medicine Physician',
  hospitalist: '208M00000X Hospitalist Physician',
  pediatrics: '208000000X Pediatrics Physician',
  emergency: '207P00000X Emergency Medicine Physician',
  midwifery: '367A00000X Advanced Practice Midwife',
  cardiology: '207RC0000X Cardiovascular Disease Physician',
  oncology: '207RX0202X Medical Oncology Physician',
  pathology: '207ZP0102X Anatomic Pathology & Clinical Pathology Physician',
  radiology: '2085R0202X Diagnostic Radiology Physician',
  endocrinology: '207RE0101X Endocrinology, Diabetes & Metabolism Physician',
  pharmacy: '183500000X Pharmacist',
  socialWork: '1041C0700X Clinical Social Worker',
  nursing: '163W00000X Registered Nurse',
});

export const loinc = codes('http://loinc.org', {
  // Notes
  consultNote: '11488-4 Consult note',
  dischargeSummary: '18842-5 Discharge summary',
  historyAndPhysical: '34117-2 History and physical note',
  procedureNote: '28570-0 Procedure note',
  progressNote: '11506-3 Progress note',
  imagingStudy: '18748-4 Diagnostic imaging study',
  laboratoryReport: '11502-2 Laboratory report',
  pathologyStudy: '11526-1 Pathology study',
  operationNote: '11504-8 Surgical operation note',
  emergencyNote: '34111-5 Emergency department Note',
  advanceDirectives: '42348-3 Advance healthcare directives',
  livingWill: '86533-7 Patient Living will',
  portableOrder: '93037-0 Portable medical order form',
  instructions: '69730-0 Instructions',
  summaryOfCare: '34133-9 Summary of episode note',
  // Kinds of report
  cardiology: 'LP29708-2 Cardiology',
  pathology: 'LP7839-6 Pathology',
  radiology: 'LP29684-5 Radiology',
  chestXray: '36643-5 XR Chest 2 Views',
  fetalUltrasound: '11525-3 US Pelvis and Fetus for pregnancy',
  ekgStudy: '11524-6 EKG study',
  metabolicPanel: '24320-4 Basic metabolic 1998 panel - Serum or Plasma',
  lipidPanel: '24331-1 Lipid 1996 panel - Serum or Plasma',
  bloodCount: '58410-2 CBC panel - Blood by Automated count',
  urinalysis: '24356-8 Urinalysis complete panel - Urine',
  bloodGroup: '882-1 ABO and Rh group [Type] in Blood',
  urineColor: '5778-6 Color of Urine',
  urineCulture: '630-4 Bacteria identified in Urine by Culture',
  strepAntigen: '78012-2 Streptococcus pyogenes Ag [Presence] in Throat by Rapid immunoassay',
  covidRna: '94500-6 SARS-CoV-2 (COVID-19) RNA [Presence] in Respiratory system specimen by NAA with probe detection',
  // Social history
  smoking: '72166-2 Tobacco smoking status',
  occupation: '11341-5 History of Occupation',
  industry: '86188-0 History of Occupation Industry',
  pregnancyStatus: '82810-3 Pregnancy status',
  pregnancyIntent: '86645-9 Pregnancy intention in the next year - Reported',
  sexualOrientation: '76690-7 Sexual orientation',
  // Preferences
  treatmentPreference: '75773-2 Goals, preferences, and priorities for medical treatment [Reported]',
  careExperiencePreference: '95541-9 Care experience preference',
  livingWillOnFile: '45473-6 Advance directive - living will',
  // Tests and examinations
  ekgImpression: '8601-7 EKG impression',
  ejectionFraction: '10230-1 Left ventricular Ejection fraction',
  jugularVein: '69428-1 Jugular vein distension',
  fetalHeartRate: '55283-6 Fetal Heart rate',
  hearingRight: '54109-4 Newborn hearing screen of Ear - right',
  hearingLeft: '54108-6 Newborn hearing screen of Ear - left',
  fev1Ratio: '19926-5 FEV1/FVC',
  hipBoneDensity: '46278-8 DXA Hip-L ArMass BMD',
  exerciseMinutes: '55411-3 Exercise duration',
  capillaryRefill: '44963-7 Capillary refill Time Nail Bed',
  cognitiveNarrative: '11332-4 History of Cognitive Function Narrative',
  depressionSeverity: '94023-9 Depression severity',
  // Screening
  hungerPanel: '88121-9 Hunger Vital Sign [HVS]',
  hungerWorried: '88122-7 (I/We) worried whether (my/our) food would run out before (I/we) got money to buy more.',
  hungerDidNotLast: "88123-5 The food that (I/we) bought just didn't last, and (I/we) didn't have money to get more.",
  hungerRisk: '88124-3 Food insecurity risk [HVS]',
  householdSize: '63512-8 How many people are living or staying at this address?',
  transport:
    '93030-5 Has lack of transportation kept you from medical appointments, meetings, work, or from getting things needed for daily living',
  phq9Panel: '44249-1 PHQ-9 quick depression assessment panel [Reported.PHQ]',
  phq9Interest: '44250-9 Little interest or pleasure in doing things in last 2 weeks',
  phq9Down: '44255-8 Feeling down, depressed, or hopeless in last 2 weeks',
  phq9Sleep: '44259-0 Trouble falling or staying asleep, or sleeping too much',
  phq9Tired: '44254-1 Feeling tired or having little energy',
  phq9Appetite: '44251-7 Poor appetite or overeating',
  phq9Failure: '44258-2 Feeling bad about yourself-or that you are a failure or have let yourself or your family down',
  phq9Concentration: '44252-5 Trouble concentrating on things, such as reading the newspaper or watching television',
  phq9Total: '44261-6 Patient Health Questionnaire 9 item (PHQ-9) total score [Reported]',
  phq2Total: '55758-7 Patient Health Questionnaire 2 item (PHQ-2) total score [Reported]',
  auditCTotal: '75626-2 Total score [AUDIT-C]',
  activeDays:
    '89555-7 How many days per week did you engage in moderate to strenuous physical activity in the last 30 days',
  activeMinutes:
    '68516-4 On those days that you engage in moderate to strenuous exercise, how many minutes, on average, do you exercise',
  moca: '72172-0 Total score [MoCA]',
  ecog: '89247-1 ECOG Performance Status score',
  fallRisk: '59460-6 Fall risk total [Morse Fall Scale]',
  walking: '69859-7 Do you have serious difficulty walking or climbing stairs [ACS]',
  hearing: '69856-3 Are you deaf, or do you have serious difficulty hearing [ACS]',
  apgar1: '9272-6 1 minute Apgar Score',
  apgar5: '9274-2 5 minute Apgar Score',
  // Answers
  yes: 'LA33-6 Yes',
  no: 'LA32-8 No',
  oftenTrue: 'LA28397-0 Often true',
  sometimesTrue: 'LA6729-3 Sometimes true',
  neverTrue: 'LA28398-8 Never true',
  atRisk: 'LA19952-3 At risk',
  severalDays: 'LA6569-3 Several days',
  moreThanHalf: 'LA6570-1 More than half the days',
  nearlyEveryDay: 'LA6571-9 Nearly every day',
  moderate: 'LA6751-7 Moderate',
  pass: 'LA10392-1 Pass',
});

export const occupation = codes(`${HL7}PHOccupationalDataForHealthODH`, {
  nursingAssistant: '31-1014.00.007136 Certified Nursing Assistant (CNA) [Nursing Assistants]',
  homeNursing: '621610.008495 Home nursing services',
});

export const race = codes('urn:oid:2.16.840.1.113883.6.238', {
  americanIndian: '1002-5 American Indian or Alaska Native',
  navajo: '1382-1 Navajo',
  asian: '2028-9 Asian',
  asianIndian: '2029-7 Asian Indian',
  black: '2054-5 Black or African American',
  african: '2060-2 African',
  pacific: '2076-8 Native Hawaiian or Other Pacific Islander',
  nativeHawaiian: '2079-2 Native Hawaiian',
  white: '2106-3 White',
  hispanic: '2135-2 Hispanic or Latino',
  mexican: '2148-5 Mexican',
  notHispanic: '2186-5 Not Hispanic or Latino',
});

export const tribe = codes(`${HL7}v3-TribalEntityUS`, { navajo: '170 Navajo Nation, Arizona, New Mexico & Utah' });

export const language = codes('urn:ietf:bcp:47', {
  english: 'en English',
  spanish: 'es Spanish',
  navajo: 'nv Navajo',
  swedish: 'sv Swedish',
  marathi: 'mr Marathi',
  igbo: 'ig Igbo',
});

export const actCode = codes(`${HL7}v3-ActCode`, {
  ambulatory: 'AMB ambulatory',
  emergency: 'EMER emergency',
  inpatient: 'IMP inpatient encounter',
  virtual: 'VR virtual',
  firstFill: 'FF First Fill',
  refill: 'RF Refill',
});

export const actReason = codes(`${HL7}v3-ActReason`, {
  objection: 'PATOBJ patient objection',
  outOfStock: 'OSTOCK product out of stock',
  precaution: 'MEDPREC medical precaution',
});

export const relationship = codes(`${HL7}v3-RoleCode`, {
  husband: 'HUSB husband',
  mother: 'MTH mother',
  daughter: 'DAU natural daughter',
  partner: 'DOMPART domestic partner',
  neighbor: 'NBOR neighbor',
  sibling: 'SIB sibling',
});

export const screening = codes(`${CORE}us-core-category`, {
  sdoh: 'sdoh SDOH',
  functional: 'functional-status Functional Status',
  disability: 'disability-status Disability Status',
  cognitive: 'cognitive-status Cognitive Status',
});

export const preference = codes(`${CORE}us-core-category`, {
  treatment: 'treatment-intervention-preference Treatment Intervention Preference',
  careExperience: 'care-experience-preference Care Experience Preference',
  directives: 'observation-adi-documentation Observation ADI Documentation',
});

export const route = codes('http://snomed.info/sct', {
  mouth: '26643006 Oral route',
  vein: '47625008 Intravenous route',
});

export const observationCategory = codes(`${HL7}observation-category`, {
  vitalSigns: 'vital-signs Vital Signs',
  laboratory: 'laboratory Laboratory',
  socialHistory: 'social-history Social History',
  survey: 'survey Survey',
  exam: 'exam Exam',
  imaging: 'imaging Imaging',
  procedure: 'procedure Procedure',
  activity: 'activity Activity',
});

export const conditionCategory = {
  ...codes(`${HL7}condition-category`, {
    problem: 'problem-list-item Problem List Item',
    encounter: 'encounter-diagnosis Encounter Diagnosis',
  }),
  ...codes(`${CORE}condition-category`, { concern: 'health-concern Health Concern' }),
};

export const absent = codes(`${HL7}data-absent-reason`, {
  unknown: 'unknown Unknown',
  declined: 'asked-declined Asked But Declined',
});
