// The resources that the stories share: organizations, places, practitioners, message addresses, medicines, forms. All
// of them are invented; telephone numbers are 555-01xx, and domains are example.org.

import { concept, extension, hl7, npi, period, plain, profiled, to } from './build.mjs';
import { device, loinc, role, rxnorm, specialty } from './codes.mjs';

const phone = (value, use = 'work') => ({ system: 'phone', value, use });
const email = (value, use = 'work') => ({ system: 'email', value, use });
const direct = (value) => ({
  extension: [extension('http://hl7.org/fhir/us/core/StructureDefinition/us-core-direct', { valueBoolean: true })],
  ...email(value),
});
const address = (line, city, postalCode, more) => ({
  use: 'work',
  line: [line].flat(),
  city,
  state: 'VT',
  postalCode,
  country: 'US',
  ...more,
});

// ── Organizations ─────────────────────────────────────────────────────────────────────────────────────────────────

const organization = (id, name, kind, identifier, telecom, where) =>
  profiled('Organization', 'us-core-organization', id, {
    identifier,
    active: true,
    type: [hl7('organization-type', ...kind)],
    name,
    telecom,
    address: [where],
  });
const provider = ['prov', 'Healthcare Provider'];

export const juniperHill = organization(
  'juniper-hill',
  'Juniper Hill Family Medicine',
  provider,
  [npi('980010011')],
  [phone('802-555-0110'), email('desk@juniper-hill.example.org')],
  address('48 Juniper Hill Road', 'Burlington', '05401'),
);

export const lakeshore = organization(
  'lakeshore-general',
  'Lakeshore General Hospital',
  provider,
  [npi('980010022')],
  [phone('802-555-0140'), { system: 'fax', value: '802-555-0148', use: 'work' }],
  address(['1 Harbor Terrace', 'Main Building'], 'Burlington', '05401'),
);

export const littleBirch = organization(
  'little-birch',
  'Little Birch Pediatrics',
  provider,
  [npi('980010033')],
  [phone('802-555-0160')],
  address('210 Orchard Street', 'Winooski', '05404'),
);

export const mapleRidge = organization(
  'maple-ridge-laboratory',
  'Maple Ridge Clinical Laboratory',
  provider,
  [npi('980010044'), { system: 'urn:oid:2.16.840.1.113883.4.7', value: '47D9990001' }],
  [phone('802-555-0170')],
  address('9 Quarry Lane', 'South Burlington', '05403'),
);

export const stillwater = organization(
  'stillwater-pharmacy',
  'Stillwater Community Pharmacy',
  provider,
  [npi('980010055')],
  [phone('802-555-0180')],
  address('77 Mill Street', 'Winooski', '05404'),
);

export const northernCommons = organization(
  'northern-commons',
  'Northern Commons Health Plan',
  ['pay', 'Payer'],
  [npi('980010066'), { system: 'urn:oid:2.16.840.1.113883.6.300', value: '99123' }],
  [phone('802-555-0190')],
  address('300 Elm Plaza', 'Montpelier', '05602'),
);

export const threeRivers = organization(
  'three-rivers-exchange',
  'Three Rivers Health Information Exchange',
  ['other', 'Other'],
  [npi('980010077')],
  [email('help@three-rivers.example.org')],
  address('12 Depot Square', 'Montpelier', '05602'),
);

export const openTable = organization(
  'open-table',
  'Open Table Food Shelf',
  ['cg', 'Community Group'],
  [{ system: 'https://community.example.org/partner', value: 'open-table' }],
  [phone('802-555-0195')],
  address('5 Market Alley', 'Burlington', '05401'),
);

export const saraswatiRoad = organization(
  'saraswati-road',
  'Saraswati Road Clinic',
  provider,
  [{ system: 'https://saraswati-road.example.org/site', value: 'SRC-1' }],
  [{ system: 'phone', value: '+91 20 5550 0142', use: 'work' }],
  { use: 'work', line: ['14 Saraswati Road'], city: 'Pune', state: 'Maharashtra', postalCode: '411004', country: 'IN' },
);

// ── Places ────────────────────────────────────────────────────────────────────────────────────────────────────────

const place = (id, name, owner, kind, telecom) =>
  profiled('Location', 'us-core-location', id, {
    identifier: [{ system: 'https://records.example.org/place', value: id }],
    status: 'active',
    name,
    mode: 'instance',
    type: [hl7('v3-RoleCode', ...kind)],
    telecom: [telecom ?? owner.telecom[0]],
    address: owner.address[0],
    managingOrganization: to(owner),
  });

export const clinic = place('juniper-hill-clinic', 'Juniper Hill Clinic', juniperHill, [
  'FMC',
  'Family medicine clinic',
]);
export const ward = place(
  'lakeshore-ward-4',
  'Lakeshore General, Ward 4',
  lakeshore,
  ['HU', 'Hospital unit'],
  phone('802-555-0144'),
);
export const emergencyRoom = place(
  'lakeshore-emergency',
  'Lakeshore General, Emergency',
  lakeshore,
  ['ER', 'Emergency room'],
  phone('802-555-0149'),
);
export const birthCenter = place(
  'lakeshore-birth-center',
  'Lakeshore Birth Center',
  lakeshore,
  ['HU', 'Hospital unit'],
  phone('802-555-0147'),
);
export const outpatients = place(
  'lakeshore-outpatients',
  'Lakeshore General, Outpatient Clinics',
  lakeshore,
  ['HOSP', 'Hospital'],
  phone('802-555-0146'),
);
export const pediatricOffice = place('little-birch-office', 'Little Birch Office', littleBirch, [
  'PEDC',
  'Pediatrics clinic',
]);

// ── Practitioners ─────────────────────────────────────────────────────────────────────────────────────────────────

const practitioner = (id, nine, name, gender, organization, license) =>
  profiled('Practitioner', 'us-core-practitioner', id, {
    identifier: [npi(nine), { system: 'https://licensing.example.org/vermont', value: license }],
    active: true,
    name: [
      {
        use: 'official',
        text: [[...(name.prefix ?? []), ...name.given, name.family].join(' '), ...(name.suffix ?? [])].join(', '),
        ...name,
      },
    ],
    telecom: [phone(organization.telecom[0].value), direct(`${id}@direct.${organization.id}.example.org`)],
    address: organization.address,
    gender,
  });
const doctor = (given, family, suffix = 'MD') => ({ family, given, prefix: ['Dr.'], suffix: [suffix] });

export const lindholm = practitioner(
  'grace-lindholm',
  '980020011',
  doctor(['Grace', 'Ottilie'], 'Lindholm'),
  'female',
  juniperHill,
  'VT-10411',
);
export const quintero = practitioner(
  'marisol-quintero',
  '980020022',
  { family: 'Quintero', given: ['Marisol'], suffix: ['LICSW'] },
  'female',
  juniperHill,
  'VT-20517',
);
export const oreilly = practitioner(
  'siobhan-oreilly',
  '980020033',
  { family: "O'Reilly", given: ['Siobhán'], suffix: ['RN', 'CDCES'] },
  'female',
  juniperHill,
  'VT-30622',
);
export const achterberg = practitioner(
  'samuel-achterberg',
  '980020044',
  doctor(['Samuel'], 'Achterberg'),
  'male',
  lakeshore,
  'VT-10202',
);
export const villareal = practitioner(
  'tomas-villareal',
  '980020055',
  doctor(['Tomás'], 'Villareal', 'DO'),
  'male',
  lakeshore,
  'VT-10733',
);
export const carvalho = practitioner(
  'ines-carvalho',
  '980020066',
  { family: 'Carvalho', given: ['Inês'], suffix: ['CNM'] },
  'female',
  lakeshore,
  'VT-40114',
);
export const matsuda = practitioner(
  'hiro-matsuda',
  '980020077',
  doctor(['Hiro'], 'Matsuda'),
  'male',
  lakeshore,
  'VT-10854',
);
export const benAmi = practitioner(
  'leila-ben-ami',
  '980020088',
  doctor(['Leila'], 'Ben-Ami'),
  'female',
  lakeshore,
  'VT-10966',
);
export const boateng = practitioner(
  'kwame-boateng',
  '980020099',
  doctor(['Kwame'], 'Boateng'),
  'male',
  lakeshore,
  'VT-11042',
);
export const demir = practitioner(
  'yusuf-demir',
  '980020101',
  doctor(['Yusuf'], 'Demir'),
  'male',
  lakeshore,
  'VT-11120',
);
export const haddad = practitioner(
  'nadia-haddad',
  '980020112',
  doctor(['Nadia'], 'Haddad'),
  'female',
  littleBirch,
  'VT-11233',
);
export const blackwood = practitioner(
  'owen-blackwood',
  '980020123',
  { family: 'Blackwood', given: ['Owen', 'J.'], suffix: ['PharmD'] },
  'male',
  stillwater,
  'VT-50310',
);
/** A pathologist who is also a patient of this sample: Practitioner/priya-raman and Patient/priya-raman are one person. */
export const raman = practitioner(
  'priya-raman',
  '980020134',
  doctor(['Priya'], 'Raman'),
  'female',
  mapleRidge,
  'VT-11318',
);

// ── Where to send messages ────────────────────────────────────────────────────────────────────────────────────────

const mailbox = (organization, status = 'active') =>
  plain('Endpoint', `${organization.id}-direct`, {
    identifier: [{ system: 'https://three-rivers.example.org/endpoint', value: `${organization.id}-direct` }],
    status,
    connectionType: {
      system: 'http://terminology.hl7.org/CodeSystem/endpoint-connection-type',
      code: 'direct-project',
      display: 'Direct Project',
    },
    name: `Direct mailbox of ${organization.name}`,
    managingOrganization: to(organization),
    payloadType: [hl7('endpoint-payload-type', 'any', 'Any')],
    address: `mailto:records@direct.${organization.id}.example.org`,
  });

const juniperHillMailbox = mailbox(juniperHill);
const lakeshoreMailbox = mailbox(lakeshore);
const littleBirchMailbox = mailbox(littleBirch, 'off');

// ── Roles ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const practitionerRole = (person, organization, [code, specialty], fields) =>
  profiled('PractitionerRole', 'us-core-practitionerrole', `${person.id}-${organization.id}`, {
    active: true,
    practitioner: to(person),
    organization: to(organization),
    code: [concept(code)],
    specialty: [concept(specialty)],
    telecom: [phone(organization.telecom[0].value), direct(`${person.id}@direct.${organization.id}.example.org`)],
    ...fields,
  });
const atJuniperHill = { location: [to(clinic)], endpoint: [to(juniperHillMailbox)] };
const atLakeshore = (place) => ({ location: [to(place)], endpoint: [to(lakeshoreMailbox)] });

export const lindholmRole = practitionerRole(lindholm, juniperHill, [role.primaryCare, specialty.familyMedicine], {
  period: period('2015-09'),
  ...atJuniperHill,
});
export const quinteroRole = practitionerRole(
  quintero,
  juniperHill,
  [role.socialWorker, specialty.socialWork],
  atJuniperHill,
);
export const oreillyRole = practitionerRole(oreilly, juniperHill, [role.nurse, specialty.nursing], atJuniperHill);
export const achterbergRole = practitionerRole(
  achterberg,
  lakeshore,
  [role.physician, specialty.hospitalist],
  atLakeshore(ward),
);
export const villarealRole = practitionerRole(
  villareal,
  lakeshore,
  [role.physician, specialty.emergency],
  atLakeshore(emergencyRoom),
);
export const carvalhoRole = practitionerRole(
  carvalho,
  lakeshore,
  [role.midwife, specialty.midwifery],
  atLakeshore(birthCenter),
);
export const matsudaRole = practitionerRole(
  matsuda,
  lakeshore,
  [role.cardiologist, specialty.cardiology],
  atLakeshore(outpatients),
);
export const benAmiRole = practitionerRole(
  benAmi,
  lakeshore,
  [role.physician, specialty.oncology],
  atLakeshore(outpatients),
);
export const boatengRole = practitionerRole(
  boateng,
  lakeshore,
  [role.endocrinologist, specialty.endocrinology],
  atLakeshore(outpatients),
);
export const demirRole = practitionerRole(
  demir,
  lakeshore,
  [role.radiologist, specialty.radiology],
  atLakeshore(outpatients),
);
export const haddadRole = practitionerRole(haddad, littleBirch, [role.pediatrician, specialty.pediatrics], {
  location: [to(pediatricOffice)],
  endpoint: [to(littleBirchMailbox)],
});
export const blackwoodRole = practitionerRole(blackwood, stillwater, [role.pharmacist, specialty.pharmacy]);
export const ramanRole = practitionerRole(raman, mapleRidge, [role.pathologist, specialty.pathology]);

/** He had a clinic at Juniper Hill until 2019. */
const formerRole = practitionerRole(achterberg, juniperHill, [role.physician, specialty.internalMedicine], {
  active: false,
  period: period('2011-04-01', '2019-06-28'),
  ...atJuniperHill,
});

/** A role without a person: the telephone service at night. */
const nightLine = profiled('PractitionerRole', 'us-core-practitionerrole', 'juniper-hill-night-line', {
  active: true,
  organization: to(juniperHill),
  code: [concept('Nurse advice line, 5 p.m. to 8 a.m.')],
  specialty: [concept(specialty.nursing)],
  location: [to(clinic)],
  telecom: [phone('802-555-0119')],
});

/** The exchange's gateway transmits records. It is a device, so each reference to it also names its owner. */
export const gateway = plain('Device', 'three-rivers-gateway', {
  status: 'active',
  deviceName: [{ name: 'Three Rivers document gateway', type: 'user-friendly-name' }],
  type: concept(device.software),
  owner: to(threeRivers),
});

// ── Medicines ─────────────────────────────────────────────────────────────────────────────────────────────────────

const medicine = (id, code, fields) =>
  profiled('Medication', 'us-core-medication', id, {
    code: concept(code),
    status: 'active',
    ...fields,
  });

export const empagliflozin = medicine('empagliflozin-10-mg', rxnorm.empagliflozin10);
export const apixaban = medicine('apixaban-5-mg', rxnorm.apixaban5);
export const furosemideInjection = medicine('furosemide-injection', rxnorm.furosemideInjection);

// ── Forms ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const FORMS = 'https://forms.juniper-hill.example.org/Questionnaire/';
const howTrue = [loinc.oftenTrue, loinc.sometimesTrue, loinc.neverTrue].map((valueCoding) => ({ valueCoding }));

const form = (id, title, item, fields) =>
  plain('Questionnaire', id, {
    url: FORMS + id,
    version: '2',
    name: title.replace(/[^A-Za-z0-9]/g, ''),
    title,
    status: 'active',
    subjectType: ['Patient'],
    date: '2024-01-15',
    publisher: 'Juniper Hill Family Medicine',
    ...fields,
    item,
  });

export const hungerForm = form(
  'hunger-vital-sign',
  'Two questions about food',
  [
    {
      linkId: 'worried',
      code: [loinc.hungerWorried],
      text: loinc.hungerWorried.display,
      type: 'choice',
      answerOption: howTrue,
    },
    {
      linkId: 'did-not-last',
      code: [loinc.hungerDidNotLast],
      text: loinc.hungerDidNotLast.display,
      type: 'choice',
      answerOption: howTrue,
    },
  ],
  { code: [loinc.hungerPanel] },
);

export const checkInForm = form('check-in', 'Before your visit', [
  {
    linkId: 'home',
    text: 'Your home',
    type: 'group',
    item: [
      {
        linkId: 'home.people',
        code: [loinc.householdSize],
        text: 'How many people live with you, you included?',
        type: 'decimal',
      },
      { linkId: 'home.place', text: 'Where are you living now?', type: 'string' },
    ],
  },
  { linkId: 'sleep', text: 'How many hours did you sleep last night?', type: 'decimal' },
  {
    linkId: 'safe',
    text: 'Is there something about your home that worries you?',
    type: 'choice',
    answerOption: [{ valueCoding: loinc.yes }, { valueCoding: loinc.no }],
    item: [{ linkId: 'safe.what', text: 'If you like, tell us what.', type: 'string' }],
  },
]);

export default [
  juniperHill,
  lakeshore,
  littleBirch,
  mapleRidge,
  stillwater,
  northernCommons,
  threeRivers,
  openTable,
  saraswatiRoad,
  clinic,
  ward,
  emergencyRoom,
  birthCenter,
  outpatients,
  pediatricOffice,
  lindholm,
  quintero,
  oreilly,
  achterberg,
  villareal,
  carvalho,
  matsuda,
  benAmi,
  boateng,
  demir,
  haddad,
  blackwood,
  raman,
  lindholmRole,
  quinteroRole,
  oreillyRole,
  achterbergRole,
  villarealRole,
  carvalhoRole,
  matsudaRole,
  benAmiRole,
  boatengRole,
  demirRole,
  haddadRole,
  blackwoodRole,
  ramanRole,
  formerRole,
  nightLine,
  juniperHillMailbox,
  lakeshoreMailbox,
  littleBirchMailbox,
  gateway,
  empagliflozin,
  apixaban,
  furosemideInjection,
  hungerForm,
  checkInForm,
];
