//! The timeline, find in the chart, and the frame of its views.

const comparison = {
  'Two visits compared': 'Comparación de dos visitas',
  'These two visits are not in this chart.': 'Estas dos visitas no están en este expediente.',
  'The timeline': 'La cronología',
  'Back to the timeline': 'Volver a la cronología',
  '{title} of the visits of {earlier} and {later}': '{title}: {earlier} y {later}',
  'none#at a visit': 'sin datos',
  Prescribed: 'Recetado',
  'No problem was recorded at these visits.': 'En estas visitas no se registró ningún problema.',
  'No result was recorded at these visits.': 'En estas visitas no se registró ningún resultado.',
  'No medication was recorded at these visits.': 'En estas visitas no se registró ningún medicamento.',
  'Also recorded': 'También se registró',
} as const;

const days = {
  Timeline: 'Cronología',
  Years: 'Años',
  Show: 'Mostrar',
  Everything: 'Todo',
  'the timeline': 'la cronología',
  'the visits': 'las visitas',
  'earlier entries': 'entradas anteriores',
  '{n} visit with {records}|{n} visits with {records}': '{n} visita con {records}|{n} visitas con {records}',
  'Not everything can be shown: {sections}. Their sections in the summary say why.':
    'No todo se puede mostrar: {sections}. Sus secciones en el resumen dicen por qué.',
  'Nothing with a date is shown.': 'No se muestra nada que tenga fecha.',
  'Records without a date': 'Registros sin fecha',
  'Show them': 'Mostrarlos',
  '{n} record without a date: not shown here.|{n} records without a date: not shown here.':
    '{n} registro sin fecha: no se muestra aquí.|{n} registros sin fecha: no se muestran aquí.',
  'Not granted, and not shown here: {sections}.': 'No autorizado, por lo que no se muestra aquí: {sections}.',
  'Could not be loaded, and not shown here: {sections}.':
    'No se pudo cargar, por lo que no se muestra aquí: {sections}.',
  'For#the reason of a visit': 'Motivo',
  Compare: 'Comparar',
  'Nothing else is recorded at this visit.': 'En esta visita no se registró nada más.',
  'Visits to compare': 'Visitas para comparar',
  and: 'y',
  'Choose a second visit to compare.': 'Elija otra visita para comparar.',
  'Show both': 'Mostrar ambas',
  'Clear#the chosen visits': 'Quitar',
  'No visit is chosen.': 'No hay ninguna visita elegida.',
  'One visit is chosen.': 'Hay una visita elegida.',
  'Two visits are chosen.': 'Hay dos visitas elegidas.',
} as const;

const find = {
  'Find in this chart': 'Buscar en este expediente',
  'Nothing is found': 'No se encontró nada',
  'Nothing is found in the records that this chart has loaded.':
    'No se encontró nada en los registros que este expediente ha cargado.',
  'The first {n} records; more words find fewer': 'Los primeros {n} registros; con más palabras se hallan menos',
  'Names and notes of the record stay in the language in which they were written.':
    'Los nombres y notas del registro quedan en el idioma en que se escribieron.',
  'Records that were found': 'Registros encontrados',
} as const;

/** The views of a chart. */
const frame = {
  'the chart': 'el expediente',
  results: 'los resultados',
  growth: 'el crecimiento',
  'There is no result of this test here.': 'Aquí no hay ningún resultado de esta prueba.',
  'The growth curves could not be loaded.': 'No se pudieron cargar las curvas de crecimiento.',
  'Other patients': 'Otros pacientes',
  'This chart': 'Este expediente',
  'Sections of the chart': 'Secciones del expediente',
  'The sample, looked at with {scopes}.': 'El ejemplo, visto con {scopes}.',
  'Show everything': 'Mostrar todo',
} as const;

export const timeline = { ...comparison, ...days, ...find, ...frame } as const;
