//! Codes of the value sets that FHIR requires, as `plain` writes them: statuses, genders, kinds. Like the units of
//! counted things, they come with the data. The words agree with «registro», unless only one kind of record has the
//! code.

const statuses = {
  active: 'activo',
  'on hold': 'en pausa',
  draft: 'borrador',
  revoked: 'revocado',
  completed: 'completado',
  stopped: 'suspendido',
  cancelled: 'cancelado',
  'entered in error': 'registrado por error',
  unknown: 'desconocido',
  preparation: 'en preparación',
  'in progress': 'en curso',
  'not done': 'no realizado',
  declined: 'rechazado',
  // Encounter
  planned: 'planificado',
  arrived: 'llegada registrada',
  triaged: 'triaje realizado',
  onleave: 'ausencia temporal',
  finished: 'finalizado',
  // Specimen
  unsatisfactory: 'insatisfactoria',
  // Observation, DiagnosticReport, DocumentReference
  registered: 'registrado',
  partial: 'parcial',
  preliminary: 'preliminar',
  final: 'definitivo',
  amended: 'modificado',
  corrected: 'corregido',
  implanted: 'implantado',
  explanted: 'explantado',
  manipulated: 'manipulado',
  appended: 'ampliado',
  current: 'vigente',
  superseded: 'reemplazado',
  // CareTeam, Goal
  proposed: 'propuesto',
  suspended: 'suspendido',
  inactive: 'inactivo',
  accepted: 'aceptado',
  rejected: 'rechazado',
  improving: 'en mejoría',
  worsening: 'en empeoramiento',
  'no change': 'sin cambios',
  achieved: 'lograda',
  sustaining: 'mantenida',
  'not achieved': 'no lograda',
  'no progress': 'sin avance',
  'not attainable': 'inalcanzable',
  // Condition, AllergyIntolerance
  recurrence: 'recurrencia',
  relapse: 'recaída',
  remission: 'en remisión',
  resolved: 'resuelto',
  unconfirmed: 'sin confirmar',
  provisional: 'provisional',
  differential: 'diagnóstico diferencial',
  confirmed: 'confirmado',
  refuted: 'descartado',
  // The app's own words in place of a status
  'not given': 'no administrada',
  'not known whether taken': 'no se sabe si se toma',
  'an end is recorded': 'consta un final',
  discontinued: 'suspendido',
  aborted: 'interrumpido',
  subpotent: 'subpotente',
  'do not take': 'no tomar',
  'do not perform': 'no realizar',
} as const;

const intents = {
  proposal: 'propuesta',
  plan: 'plan',
  directive: 'directiva',
  order: 'orden',
  'original order': 'orden original',
  'reflex order': 'orden refleja',
  'filler order': 'orden de quien la cumple',
  'instance order': 'orden de una sola vez',
  option: 'opción',
} as const;

const allergies = {
  food: 'alimento',
  medication: 'medicamento',
  environment: 'ambiente',
  biologic: 'producto biológico',
  allergy: 'alergia',
  intolerance: 'intolerancia',
  'unable to assess': 'no se puede evaluar',
  mild: 'leve',
  moderate: 'moderada',
  severe: 'grave',
} as const;

const genders = {
  male: 'masculino',
  female: 'femenino',
  other: 'otro',
} as const;

const flags = {
  high: 'alto',
  low: 'bajo',
  abnormal: 'anormal',
} as const;

/** Reasons for an absent value: their codes, and their displays in lower case. */
const absentReasons = {
  'asked unknown': 'se preguntó, pero se desconoce',
  'asked but unknown': 'se preguntó, pero se desconoce',
  'temp unknown': 'se desconoce por ahora',
  'temporarily unknown': 'se desconoce por ahora',
  'not asked': 'no se preguntó',
  'asked declined': 'no quiso responder',
  'asked but declined': 'no quiso responder',
  masked: 'oculto',
  'not applicable': 'no corresponde',
  unsupported: 'no se admite',
  'as text': 'solo como texto',
  error: 'error',
  'not a number': 'no es un número',
  'not a number (nan)': 'no es un número',
  'negative infinity': 'infinito negativo',
  'negative infinity (ninf)': 'infinito negativo',
  'positive infinity': 'infinito positivo',
  'positive infinity (pinf)': 'infinito positivo',
  'not performed': 'no se realizó',
  'not permitted': 'no se permite',
} as const;

/** The roles of entities in the making of a record (Provenance). */
const roles = {
  derivation: 'derivación',
  revision: 'revisión',
  quotation: 'cita',
  source: 'fuente',
  removal: 'eliminación',
} as const;

/** Statuses, kinds and decisions of the types without a section of their own. */
const others = {
  booked: 'reservada',
  pending: 'pendiente',
  noshow: 'no se presentó',
  waitlist: 'en lista de espera',
  requested: 'solicitado',
  received: 'recibido',
  ready: 'listo',
  unavailable: 'no disponible',
  retired: 'retirado',
  'health unknown': 'salud desconocida',
  deny: 'denegar',
  permit: 'permitir',
  routine: 'de rutina',
  urgent: 'urgente',
  asap: 'lo antes posible',
  stat: 'inmediata',
  actual: 'ocurrido',
  potential: 'potencial',
  'did not happen': 'no ocurrió',
} as const;

const units = {
  year: 'año',
  years: 'años',
  month: 'mes',
  months: 'meses',
  week: 'semana',
  weeks: 'semanas',
  day: 'día',
  days: 'días',
  hours: 'horas',
  tablet: 'tableta',
  tablets: 'tabletas',
  capsule: 'cápsula',
  capsules: 'cápsulas',
  drop: 'gota',
  drops: 'gotas',
  puff: 'inhalación',
  puffs: 'inhalaciones',
  inhaler: 'inhalador',
  inhalers: 'inhaladores',
  unit: 'unidad',
  units: 'unidades',
  dose: 'dosis',
  doses: 'dosis',
  patch: 'parche',
  patches: 'parches',
  in: 'pulg',
  ft: 'pies',
  'beats/min': 'latidos/min',
  'breaths/min': 'respiraciones/min',
} as const;

export const codes = {
  ...statuses,
  ...intents,
  ...allergies,
  ...genders,
  ...flags,
  ...absentReasons,
  ...roles,
  ...others,
  ...units,
  'code {code} ({terminology}), without a name': 'código {code} ({terminology}), sin nombre',
  'code {code}, without a name': 'código {code}, sin nombre',
} as const;
