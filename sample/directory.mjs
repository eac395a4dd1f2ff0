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

const directory = [];
/** Adds a resource to the directory, and returns it. */
const add = (resource) => {
  directory.push(resource);
  return resource;
};

// ── Organizations ─────────────────────────────────────────────────────────────────────────────────────────────────

const organization = (id, name, kind, identifier, telecom, where) =>
  add(
    profiled('Organization', 'us-core-organization', id, {
      identifier,
      active: true,
      type: [hl7('organization-type', ...kind)],
      name,
      telecom,
      address: [where],
    }),
  );
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
  add(
    profiled('Location', 'us-core-location', id, {
      identifier: [{ system: 'https://records.example.org/place', value: id }],
      status: 'active',
      name,
      mode: 'instance',
      type: [hl7('v3-RoleCode', ...kind)],
      telecom: [telecom ?? owner.telecom[0]],
      address: owner.address[0],
      managingOrganization: to(owner),
    }),
  );

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

/** practitioner('Dr. Tomás Villareal, DO', …): the name is written with its title and degrees. */
const practitioner = (text, gender, organization, nine, license) => {
  const [whole, ...suffix] = text.split(', ');
  const [title, plainName = title] = /^(Dr\.) (.*)$/.exec(whole)?.slice(1) ?? [whole];
  const given = plainName.split(' ');
  const family = given.pop();
  const id = `${given[0]}-${family}`
    .normalize('NFD')
    .replace(/[\p{M}']/gu, '')
    .toLowerCase();
  const prefix = title === plainName ? undefined : [title];
  return add(
    profiled('Practitioner', 'us-core-practitioner', id, {
      identifier: [npi(nine), { system: 'https://licensing.example.org/vermont', value: license }],
      active: true,
      name: [{ use: 'official', text, family, given, prefix, suffix }],
      telecom: [phone(organization.telecom[0].value), direct(`${id}@direct.${organization.id}.example.org`)],
      address: organization.address,
      gender,
    }),
  );
};

export const lindholm = practitioner('Dr. Grace Ottilie Lindholm, MD', 'female', juniperHill, '980020011', 'VT-10411');
export const quintero = practitioner('Marisol Quintero, LICSW', 'female', juniperHill, '980020022', 'VT-20517');
export const oreilly = practitioner("Siobhán O'Reilly, RN, CDCES", 'female', juniperHill, '980020033', 'VT-30622');
export const achterberg = practitioner('Dr. Samuel Achterberg, MD', 'male', lakeshore, '980020044', 'VT-10202');
export const villareal = practitioner('Dr. Tomás Villareal, DO', 'male', lakeshore, '980020055', 'VT-10733');
export const carvalho = practitioner('Inês Carvalho, CNM', 'female', lakeshore, '980020066', 'VT-40114');
export const matsuda = practitioner('Dr. Hiro Matsuda, MD', 'male', lakeshore, '980020077', 'VT-10854');
export const benAmi = practitioner('Dr. Leila Ben-Ami, MD', 'female', lakeshore, '980020088', 'VT-10966');
export const boateng = practitioner('Dr. Kwame Boateng, MD', 'male', lakeshore, '980020099', 'VT-11042');
export const demir = practitioner('Dr. Yusuf Demir, MD', 'male', lakeshore, '980020101', 'VT-11120');
export const haddad = practitioner('Dr. Nadia Haddad, MD', 'female', littleBirch, '980020112', 'VT-11233');
export const blackwood = practitioner('Owen J. Blackwood, PharmD', 'male', stillwater, '980020123', 'VT-50310');
/** A pathologist who is also a patient of this sample: Practitioner/priya-raman and Patient/priya-raman are one person. */
export const raman = practitioner('Dr. Priya Raman, MD', 'female', mapleRidge, '980020134', 'VT-11318');

// ── Where to send messages ────────────────────────────────────────────────────────────────────────────────────────

const mailbox = (organization, status = 'active') =>
  add(
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
    }),
  );

const juniperHillMailbox = mailbox(juniperHill);
const lakeshoreMailbox = mailbox(lakeshore);
const littleBirchMailbox = mailbox(littleBirch, 'off');

// ── Roles ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const roleOf = (person, code, specialty, organization, fields) =>
  add(
    profiled('PractitionerRole', 'us-core-practitionerrole', `${person.id}-${organization.id}`, {
      active: true,
      practitioner: to(person),
      organization: to(organization),
      code: [concept(code)],
      specialty: [concept(specialty)],
      telecom: [phone(organization.telecom[0].value), direct(`${person.id}@direct.${organization.id}.example.org`)],
      ...fields,
    }),
  );
const atJuniperHill = { location: [to(clinic)], endpoint: [to(juniperHillMailbox)] };
const atLakeshore = (person, code, specialty, place) =>
  roleOf(person, code, specialty, lakeshore, { location: [to(place)], endpoint: [to(lakeshoreMailbox)] });

export const lindholmRole = roleOf(lindholm, role.primaryCare, specialty.familyMedicine, juniperHill, {
  period: period('2015-09'),
  ...atJuniperHill,
});
export const quinteroRole = roleOf(quintero, role.socialWorker, specialty.socialWork, juniperHill, atJuniperHill);
roleOf(oreilly, role.nurse, specialty.nursing, juniperHill, atJuniperHill);
export const achterbergRole = atLakeshore(achterberg, role.physician, specialty.hospitalist, ward);
atLakeshore(villareal, role.physician, specialty.emergency, emergencyRoom);
export const carvalhoRole = atLakeshore(carvalho, role.midwife, specialty.midwifery, birthCenter);
export const matsudaRole = atLakeshore(matsuda, role.cardiologist, specialty.cardiology, outpatients);
export const benAmiRole = atLakeshore(benAmi, role.physician, specialty.oncology, outpatients);
export const boatengRole = atLakeshore(boateng, role.endocrinologist, specialty.endocrinology, outpatients);
export const demirRole = atLakeshore(demir, role.radiologist, specialty.radiology, outpatients);
export const haddadRole = roleOf(haddad, role.pediatrician, specialty.pediatrics, littleBirch, {
  location: [to(pediatricOffice)],
  endpoint: [to(littleBirchMailbox)],
});
roleOf(blackwood, role.pharmacist, specialty.pharmacy, stillwater);
roleOf(raman, role.pathologist, specialty.pathology, mapleRidge);

/** He had a clinic at Juniper Hill until 2019. */
roleOf(achterberg, role.physician, specialty.internalMedicine, juniperHill, {
  active: false,
  period: period('2011-04-01', '2019-06-28'),
  ...atJuniperHill,
});

/** A role without a person: the telephone service at night. */
add(
  profiled('PractitionerRole', 'us-core-practitionerrole', 'juniper-hill-night-line', {
    active: true,
    organization: to(juniperHill),
    code: [concept('Nurse advice line, 5 p.m. to 8 a.m.')],
    specialty: [concept(specialty.nursing)],
    location: [to(clinic)],
    telecom: [phone('802-555-0119')],
  }),
);

/** The exchange's gateway transmits records. It is a device, so each reference to it also names its owner. */
export const gateway = add(
  plain('Device', 'three-rivers-gateway', {
    status: 'active',
    deviceName: [{ name: 'Three Rivers document gateway', type: 'user-friendly-name' }],
    type: concept(device.software),
    owner: to(threeRivers),
  }),
);

// ── Medicines ─────────────────────────────────────────────────────────────────────────────────────────────────────

const medicine = (id, code, fields) =>
  add(
    profiled('Medication', 'us-core-medication', id, {
      code: concept(code),
      status: 'active',
      ...fields,
    }),
  );

export const empagliflozin = medicine('empagliflozin-10-mg', rxnorm.empagliflozin10);
export const apixaban = medicine('apixaban-5-mg', rxnorm.apixaban5);
export const furosemideInjection = medicine('furosemide-injection', rxnorm.furosemideInjection);

// ── Forms ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const FORMS = 'https://forms.juniper-hill.example.org/Questionnaire/';
const howTrue = [loinc.oftenTrue, loinc.sometimesTrue, loinc.neverTrue].map((valueCoding) => ({ valueCoding }));

const form = (id, title, item, fields) =>
  add(
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
    }),
  );

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

export default directory;
