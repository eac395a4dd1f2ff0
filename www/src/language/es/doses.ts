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
  'Names of some medications may be missing.': 'Pueden faltar los nombres de algunos medicamentos.',
  'What was given is not shown.': 'Lo administrado no se muestra.',
  'What was given came later, and is not drawn.': 'Lo administrado llegó más tarde y no está dibujado.',
  'Draw it': 'Dibujarlo',
  'Given, without an order that is shown here': 'Administrados, sin una orden que se muestre aquí',
  'not given once|not given {n} times': 'no administrado una vez|no administrado {n} veces',
  'Latest fill': 'Último surtido',
  '{n} earlier fill|{n} earlier fills': '{n} surtido anterior|{n} surtidos anteriores',
  'Follows#a prescription': 'Sigue a',
  'Followed by#a prescription': 'Seguida por',
  'This contradicts the medications below.': 'Esto contradice los medicamentos que siguen.',
} as const;

export const doses = { ...medications } as const;
