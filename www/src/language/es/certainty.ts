//! Certainty, absence, family, advance directives, other records, and the names of elements.

const words = {
  'Contradiction: “{statement}” is recorded too.': 'Contradicción: también está registrado «{statement}».',
  'contradictory entries': 'registros contradictorios',
  'text alone': 'solo texto',
  '{n} refuted entry|{n} refuted entries': '{n} registro descartado|{n} registros descartados',
  'no active entry; past or refuted ones are below': 'ningún registro activo; los anteriores o descartados están abajo',
  '{n} active diagnosis of a visit, not on the list|{n} active diagnoses of visits, not on the list':
    '{n} diagnóstico activo de una visita, fuera de la lista|{n} diagnósticos activos de visitas, fuera de la lista',
  '{n} further active diagnosis|{n} further active diagnoses':
    '{n} diagnóstico activo más|{n} diagnósticos activos más',
  '{n} refuted condition|{n} refuted conditions': '{n} problema descartado|{n} problemas descartados',
  '{n} other diagnosis of a visit|{n} other diagnoses of visits':
    '{n} diagnóstico más de una visita|{n} diagnósticos más de visitas',
  'done, {n} not done': 'realizados, {n} no realizado|realizados, {n} no realizados',
  'Advance directive': 'Voluntad anticipada',
  'Not loaded yet.': 'Aún sin cargar.',
  Research: 'Investigación',
  Privacy: 'Privacidad',
  Treatment: 'Tratamiento',
  'Subpotent: it may not protect.': 'Dosis subpotente: puede que no proteja.',
  '{n} other team|{n} other teams': '{n} equipo más|{n} equipos más',
  Diagnoses: 'Diagnósticos',
  'No data: no alert is recorded in this chart.': 'Sin datos: en este expediente no hay ninguna alerta registrada.',
  'No alert is in force.': 'Ninguna alerta está vigente.',
  '{n} past alert|{n} past alerts': '{n} alerta anterior|{n} alertas anteriores',
  'Alert not named': 'Alerta sin nombre',
  'not granted#alerts': 'no autorizadas',
  'No data: no history of the family is recorded in this chart.':
    'Sin datos: en este expediente no hay antecedentes familiares registrados.',
  'Relative not named': 'Familiar sin nombre',
  'health not known': 'salud desconocida',
  'No condition is recorded of this relative.': 'No hay ningún problema registrado de este familiar.',
  'Advance directives and consents': 'Voluntades anticipadas y consentimientos',
  'No data: no advance directive or consent is recorded in this chart.':
    'Sin datos: en este expediente no hay voluntades anticipadas ni consentimientos registrados.',
  'No advance directive or consent is in force.': 'Ninguna voluntad anticipada ni consentimiento está vigente.',
  Consents: 'Consentimientos',
  'Recorded as': 'Registrado como',
  'none known of a kind': 'ninguna conocida de un tipo',
  '{n} consent that is not in force|{n} consents that are not in force':
    '{n} consentimiento no vigente|{n} consentimientos no vigentes',
  Verified: 'Verificado',
  'Other records': 'Otros registros',
  'No record of another type is in this chart.': 'En este expediente no hay ningún registro de otro tipo.',
  'not loaded yet': 'aún sin cargar',
  'Load the other records': 'Cargar los otros registros',
  'Bills and insurance claims': 'Facturas y reclamaciones al seguro',
  'Look for bills and insurance claims': 'Buscar facturas y reclamaciones al seguro',
  '{n} further type|{n} further types': '{n} tipo más|{n} tipos más',
  '{types} could not be loaded: {why}.': 'No se pudieron cargar: {types} ({why}).',
  'This server does not say which records it has, so other types were not asked for.':
    'Este servidor no dice qué registros tiene, por lo que no se pidieron otros tipos.',
  'It has more than is listed here. The JSON has all of it.':
    'Contiene más de lo que aquí se muestra. El JSON lo tiene todo.',
} as const;

const labels = {
  Details: 'Detalles',
} as const;

export const certainty = { ...words, ...labels } as const;
