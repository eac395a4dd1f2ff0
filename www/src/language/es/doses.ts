//! Doses and their timing, and the medications that are reported or given.

const medications = {
  'reported medications': 'medicamentos informados',
  'given medications': 'medicamentos administrados',
  '{n} administration, latest {date}|{n} administrations, latest {date}':
    '{n} administración: {date}|{n} administraciones; la última: {date}',
  'Given by#medication': 'Administrado por',
  'Time#of a medication': 'Tiempo',
  'Reported {date}': 'Informado: {date}',
  'The prescription of {date}': 'La receta del {date}',
  'Not taken#medications': 'No se toman',
  'Not given#medications': 'No administrados',
  'Names of some medications may be missing.': 'Pueden faltar los nombres de algunos medicamentos.',
  'Do not take': 'No debe tomarse',
  'reported: {dose}': 'informado: {dose}',
  'followed by another prescription': 'seguido de otra receta',
  'handed over {date}': 'entregado: {date}',
  'Being given: {names}': 'Se está administrando: {names}',
  'Last given: {name}, {date}': 'Administrado por última vez: {name}, {date}',
  'What was given is with its orders.': 'Lo administrado está junto a sus órdenes.',
  'No administration is recorded.': 'No hay ninguna administración registrada.',
  'What was given is not shown.': 'Lo administrado no se muestra.',
  'What was given is still being loaded.': 'Aún se está cargando lo administrado.',
  'What was given came later, and is not drawn.': 'Lo administrado llegó más tarde y no está dibujado.',
  'Draw it': 'Dibujarlo',
  'Given, without an order that is shown here': 'Administrados, sin una orden que se muestre aquí',
  'not given once|not given {n} times': 'no administrado una vez|no administrado {n} veces',
  'Latest fill': 'Último surtido',
  'latest fill: {dose}': 'último surtido: {dose}',
  '{n} earlier fill|{n} earlier fills': '{n} surtido anterior|{n} surtidos anteriores',
  'valid {time}': 'válida {time}',
  'Follows#a prescription': 'Sigue a',
  'Followed by#a prescription': 'Seguida por',
  'This contradicts the medications below.': 'Esto contradice los medicamentos que siguen.',
} as const;

export const doses = { ...medications } as const;
