//! The timeline, and the comparison of visits.

/** The records of a visit, by their kinds. */
const counts = {
  '{n} problem|{n} problems': '{n} problema|{n} problemas',
  '{n} allergy|{n} allergies': '{n} alergia|{n} alergias',
  '{n} report|{n} reports': '{n} informe|{n} informes',
  '{n} procedure|{n} procedures': '{n} procedimiento|{n} procedimientos',
  '{n} immunization|{n} immunizations': '{n} vacuna|{n} vacunas',
  '{n} prescription|{n} prescriptions': '{n} receta|{n} recetas',
  '{n} order|{n} orders': '{n} orden|{n} órdenes',
  '{n} note|{n} notes': '{n} nota|{n} notas',
  '{n} questionnaire|{n} questionnaires': '{n} cuestionario|{n} cuestionarios',
  '{n} plan|{n} plans': '{n} plan|{n} planes',
  '{n} goal|{n} goals': '{n} meta|{n} metas',
  '{n} record|{n} records': '{n} registro|{n} registros',
  '{records}, {n} abnormal': '{records}, {n} anormal|{records}, {n} anormales',
  '{names} and {n} more': '{names} y {n} más',
} as const;

const comparison = {
  Recorded: 'Registrado',
  Reason: 'Motivo',
  Place: 'Lugar',
  'At both': 'En ambas',
  'Only later': 'Solo en la posterior',
  'Only earlier': 'Solo en la anterior',
  Same: 'Igual',
  Changed: 'Cambió',
  'Not comparable': 'No se puede comparar',
} as const;

/** The views of a chart. */
const frame = {
  '{n} entry|{n} entries': '{n} entrada|{n} entradas',
} as const;

export const timeline = { ...counts, ...comparison, ...frame } as const;
