//! Observations: the judgement of values, their ranges and units, and the section of other observations.

const ranges = {
  'called normal': 'marcado como normal',
  'Above the usual range of any age: {range}, {source}':
    'Por encima del intervalo habitual de cualquier edad: {range}, {source}',
  'Below the usual range of any age: {range}, {source}':
    'Por debajo del intervalo habitual de cualquier edad: {range}, {source}',
  'no usual range, since the age is not known': 'sin intervalo habitual, ya que se desconoce la edad',
} as const;

const values = {
  'only a bound (< or >)': 'solo un límite (< o >)',
} as const;

const others = {
  'Other observations': 'Otras observaciones',
  'No data: no other observation is recorded in this chart.':
    'Sin datos: en esta historia no consta ninguna otra observación.',
  'Observations of other categories could not be read: some may belong here.':
    'No se pudieron leer las observaciones de otras categorías: puede que algunas correspondan aquí.',
  Examination: 'Exploración',
  'Imaging#a category': 'Imagen',
  Therapy: 'Terapia',
  'Clinical test': 'Prueba clínica',
  'Without a category': 'Sin categoría',
  '{n} more test|{n} more tests': '{n} prueba más|{n} pruebas más',
} as const;

export const observations = { ...ranges, ...values, ...others } as const;
