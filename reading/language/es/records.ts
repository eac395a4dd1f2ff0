//! Types of records and their words.

const orders = {
  'Order not named': 'Orden sin nombre',
  'Ordered by': 'Ordenado por',
  'Sent to': 'Enviado a',
} as const;

const roles = {
  'Admission diagnosis': 'Diagnóstico de ingreso',
  'Discharge diagnosis': 'Diagnóstico de alta',
  'Chief complaint': 'Motivo principal',
  Comorbidity: 'Comorbilidad',
} as const;

const procedures = {
  By: 'Realizado por',
} as const;

const overview = {
  'No laboratory result is recorded, and no other one is marked as abnormal.':
    'No consta ningún resultado de laboratorio, y ningún otro está marcado como anormal.',
  'No single laboratory result is recorded: the reports may have some.':
    'No consta ningún resultado de laboratorio por separado: los informes pueden tenerlos.',
  'No result is recorded.': 'No hay ningún resultado registrado.',
  'No latest result is marked as abnormal.': 'Ningún resultado reciente está marcado como anormal.',
  '{n} test has no mark and no range: not judged.|{n} tests have no mark and no range: not judged.':
    '{n} prueba no tiene ni marca ni intervalo: no se valora.|{n} pruebas no tienen ni marca ni intervalo: no se valoran.',
  Due: 'Pendiente',
  'Due date': 'Fecha probable de parto',
  'passed#due date': 'ya pasó',
  '{age} weeks today': 'hoy {age} semanas',
} as const;

/** The sections, and the texts for empty ones. */
const sections = {
  '{n} test is called normal without a range.|{n} tests are called normal without a range.':
    '{n} prueba se califica de normal sin intervalo.|{n} pruebas se califican de normales sin intervalo.',
  Ambulatory: 'Ambulatoria',
  Emergency: 'Urgencias',
  'In the field': 'Fuera del centro',
  'At home': 'A domicilio',
  Inpatient: 'Hospitalización',
  'Inpatient, acute': 'Hospitalización de agudos',
  'Inpatient, not acute': 'Hospitalización de no agudos',
  'Observation stay': 'Estancia en observación',
  'Before admission': 'Antes del ingreso',
  'Short stay': 'Estancia corta',
  Virtual: 'Virtual',
  'Unreadable text in the file': 'Texto ilegible en el archivo',
  Statement: 'Afirmación',
} as const;

const banner = {
  Died: 'Falleció',
  'Died {date}': 'Falleció: {date}',
  Sex: 'Sexo',
  Born: 'Nacimiento',
} as const;

const allergies = {
  Allergies: 'Alergias',
  'No known allergies.': 'Sin alergias conocidas.',
  'No known drug allergies.': 'Sin alergias conocidas a medicamentos.',
  'No known environmental allergies.': 'Sin alergias ambientales conocidas.',
  'No known food allergies.': 'Sin alergias alimentarias conocidas.',
  'Not asked: nobody has asked this patient about allergies.':
    'No se preguntó: nadie le ha preguntado a este paciente por sus alergias.',
  'Substance not named': 'Sustancia sin nombre',
  'high risk': 'riesgo alto',
  'severe reaction': 'reacción grave',
  Reaction: 'Reacción',
  'Severity and site': 'Gravedad y localización',
  'Amount and dose': 'Cantidad y dosis',
  'Kind and period': 'Tipo y periodo',
  Conditions: 'Enfermedades',
  'Last reaction': 'Última reacción',
  'Recorded by': 'Registrado por',
} as const;

const problems = {
  concern: 'preocupación',
  'Expected to end': 'Fin previsto',
  'Condition not named': 'Problema sin nombre',
  'State of the specimen': 'Estado de la muestra',
  'at age {age}': 'a la edad de {age}',
  Onset: 'Comienzo',
  Ended: 'Fin',
  Severity: 'Gravedad',
} as const;

const documents = {
  Document: 'Documento',
} as const;

/** The page of a single record. */
const record = {
  'taken off the list: {item}': 'retirado de la lista: {item}',
  Allergy: 'Alergia',
  Problem: 'Problema',
  Prescription: 'Receta',
  Fill: 'Surtido',
  Result: 'Resultado',
  Report: 'Informe',
  Note: 'Nota',
  Plan: 'Plan',
  'Role of a practitioner': 'Función de un profesional',
  Record: 'Registro',
  '{type} without a name': '{type} sin nombre',
  'used {time}': 'usado: {time}',
  'used, no date': 'usado, sin fecha',
  'Animal: {species}': 'Animal: {species}',
  'This record is not in use': 'Este expediente no está en uso',
  'Replaced by another record: {name}': 'Sustituido por otro expediente: {name}',
  'Another record is to be used too: {name}': 'Debe usarse también otro expediente: {name}',
  'Not named': 'Sin nombre',
  '{type}, not named here': '{type}, sin nombre aquí',
  'range {range}': 'intervalo {range}',
  Who: 'Quién',
} as const;

/** Measured values, their flags and ranges. */
const values = {
  Yes: 'Sí',
  No: 'No',
  'Not available: {reason}': 'No disponible: {reason}',
  'See its parts': 'Vea sus partes',
  'Its parts: {names}': 'Sus partes: {names}',
  'No value': 'Sin valor',
  'A value of the type {type}, not shown': 'Un valor del tipo {type}, que no se muestra',
  '{name}: no numbers.': '{name}: sin números.',
  '{name}: {n} result, {span}.|{name}: {n} results, {span}.':
    '{name}: {n} resultado, {span}.|{name}: {n} resultados, {span}.',
  '{from} to {until}': '{from} a {until}',
  'Latest {value}.': 'El más reciente: {value}.',
  'Latest {value}, {flag}.': 'El más reciente: {value}, {flag}.',
  'Reference range {range}.': 'Intervalo de referencia: {range}.',
  '{flagged} of {all} outside the range.': '{flagged} de {all} fuera del intervalo.',
} as const;

const faults = {
  File: 'Archivo',
  line: 'línea',
} as const;

/** The patient summary as a document, with the titles of the International Patient Summary. */
const summary = {
  'Patient summary': 'Resumen del paciente',
  Procedures: 'Procedimientos',
  'Medical devices': 'Dispositivos médicos',
  '{n} record that cannot be read|{n} records that cannot be read':
    '{n} registro que no se puede leer|{n} registros que no se pueden leer',
  'records beyond the most that a summary has': 'registros que exceden el máximo de un resumen',
  'sections that the person does not share': 'secciones que la persona no comparte',
  'what the access does not open: {types}': 'lo que el acceso no abre: {types}',
  'what the access opens only in part: {types}': 'lo que el acceso abre solo en parte: {types}',
  'Past problems': 'Problemas pasados',
  Pregnancy: 'Embarazo',
  'The newest result of each test: older ones are not in this summary.':
    'El resultado más reciente de cada prueba: los anteriores no están en este resumen.',
  'Plan of care': 'Plan de atención',
  'No information.': 'Sin información.',
  'edgechart, from the records at {base}': 'edgechart, a partir de los registros en {base}',
} as const;

const types = {
  Condition: 'Problema de salud',
  Communication: 'Comunicación',
  Consent: 'Consentimiento',
} as const;

export const records = {
  ...orders,
  ...roles,
  ...procedures,
  ...overview,
  ...sections,
  ...banner,
  ...allergies,
  ...problems,
  ...documents,
  ...record,
  ...values,
  ...faults,
  ...summary,
  ...types,
  'current#one problem': 'actual',
  'current#problems': 'actuales',
} as const;
