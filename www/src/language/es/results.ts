//! Results: laboratory, vital signs, screening, trends, growth.

const plainWords = {
  'In edgechart’s own words, not the laboratory’s.': 'Con palabras propias de edgechart, no del laboratorio.',
  'A mark compares a value with its range. What it means for a person, their care team can say.':
    'Una marca compara un valor con su intervalo. Lo que significa para una persona lo puede decir su equipo de salud.',
} as const;

const laboratory = {
  'Other results': 'Otros resultados',
  'Single tests': 'Pruebas sueltas',
  '{title}, {from} to {to}': '{title}, de {from} a {to}',
  'result of one test': 'resultado de una prueba',
  'results of {n} test|results of {n} tests': 'resultados de {n} prueba|resultados de {n} pruebas',
  'Latest results of each test': 'Los resultados más recientes de cada prueba',
  Latest: 'Último',
  Before: 'Anterior',
  '2 before': '2 antes',
  '3 before': '3 antes',
  '{title}: the values of the latest days, with change, reference range and trend':
    '{title}: los valores de los últimos días, con el cambio, el intervalo de referencia y la tendencia',
  '{title}: the latest values of each test, each with its date, with change, reference range and trend':
    '{title}: los últimos valores de cada prueba con su fecha, el cambio, el intervalo de referencia y la tendencia',
  'Last on {date}': 'Último, {date}',
  'no range given': 'sin intervalo indicado',
  'no comparison': 'sin comparación',
  same: 'igual',
  '{same} since {date}': '{same} desde {date}',
  'up by {by} {unit} since {date}': 'subió {by} {unit} desde {date}',
  'down by {by} {unit} since {date}': 'bajó {by} {unit} desde {date}',
} as const;

const vitals = {
  reading: 'medición',
  readings: 'mediciones',
  '{n} reading|{n} readings': '{n} medición|{n} mediciones',
  'Growth curves': 'Curvas de crecimiento',
} as const;

const screening = {
  Screening: 'Evaluación',
  'No answer': 'Sin respuesta',
  'Not shown here': 'No se muestra aquí',
  'Single findings': 'Hallazgos sueltos',
  Preferences: 'Preferencias',
  '{n} questionnaire as answered|{n} questionnaires as answered':
    '{n} cuestionario con sus respuestas|{n} cuestionarios con sus respuestas',
} as const;

const trend = {
  'the trend': 'la tendencia',
  'Result {place} of {all}': 'Resultado {place} de {all}',
  Earlier: 'Anterior',
  'Years that are drawn': 'Años que se muestran',
  'All years': 'Todos los años',
  '{n} year|{n} years': '{n} año|{n} años',
  Later: 'Posterior',
  'Compare with this one': 'Comparar con este',
  'Stop comparing': 'Dejar de comparar',
  'All results of this test': 'Todos los resultados de esta prueba',
  '{n} result|All {n} results, newest first': '{n} resultado|Los {n} resultados, los más recientes primero',
  'Download as CSV': 'Descargar como CSV',
  'No date': 'Sin fecha',
  'There are no numbers to draw.': 'No hay números que dibujar.',
} as const;

/** The medications under a trend. */
const courses = {
  'Medications, as they were ordered, reported and given':
    'Medicamentos, según se ordenaron, se informaron y se administraron',
  '{medications} in the time of the plot, {active} of them active.':
    '{medications} en el periodo de la gráfica; activos: {active}.',
  'The table below has their dates.': 'La tabla de abajo tiene sus fechas.',
  'Medications in the time of the plot': 'Medicamentos en el periodo de la gráfica',
  'Medications in the time of the plot. Orders and fills do not tell whether they were taken.':
    'Medicamentos en el periodo de la gráfica. Las órdenes y los surtidos no dicen si se tomaron.',
  'Without a date, and not among them: {names}.': 'Sin fecha, y por eso no están entre ellos: {names}.',
  From: 'Desde',
  Until: 'Hasta',
  '{n} earlier one without a recorded end is left out.|{n} earlier ones without a recorded end are left out.':
    '{n} anterior sin fin registrado no se muestra.|{n} anteriores sin fin registrado no se muestran.',
} as const;

const growth = {
  'No measurement of growth before the age of 20 is recorded.':
    'No hay ninguna medición de crecimiento registrada antes de los 20 años.',
  'The growth standards are by sex, male or female.': 'Los patrones de crecimiento son por sexo, masculino o femenino.',
  'This record says neither, so that no percentile is given.':
    'Este expediente no indica ninguno de los dos, por lo que no se da ningún percentil.',
  'No measurement has an exact date and a unit of the growth standards, so that no percentile is given.':
    'Ninguna medición tiene fecha exacta y unidad de los patrones de crecimiento; por eso no se da ningún percentil.',
  'Percentiles for boys, by the sex in the record, from the {standards}.':
    'Percentiles para niños, según el sexo en el expediente. Fuente: {standards}.',
  'Percentiles for girls, by the sex in the record, from the {standards}.':
    'Percentiles para niñas, según el sexo en el expediente. Fuente: {standards}.',
  '{standard} (to two years)': '{standard} (hasta los dos años)',
  '{standard} (from two years)': '{standard} (desde los dos años)',
  '{before} and the {next}': '{before} y {next}',
  'Ages are not corrected for preterm birth.': 'Las edades no están corregidas por nacimiento prematuro.',
  'Length and height are taken as they are recorded.': 'La longitud y la estatura se toman tal como están registradas.',
  'Percentiles {percentiles}': 'Percentiles {percentiles}',
  '{title}: all measurements': '{title}: todas las mediciones',
  '{title}: all measurements with their percentiles, newest first':
    '{title}: todas las mediciones con sus percentiles, las más recientes primero',
  '{title}: all measurements, newest first': '{title}: todas las mediciones, las más recientes primero',
  Percentile: 'Percentil',
  Curves: 'Curvas',
  'not known': 'se desconoce',
  '{title}: no measurement at the ages of this chart.': '{title}: ninguna medición a las edades de esta gráfica.',
  '{n} measurement|{n} measurements': '{n} medición|{n} mediciones',
  '{title}: {measurements} on the percentile curves of the {standard}.':
    '{title}: {measurements} sobre las curvas de percentiles de {standard}.',
  'Latest {value} at {age}.': 'La más reciente: {value}; edad: {age}.',
  'Latest {value} at {age}, {percentile}.': 'La más reciente: {value}; edad: {age}; {percentile}.',
} as const;

const ranges = {
  'called normal': 'marcado como normal',
  'Above the usual range of any age: {range}, {source}':
    'Por encima del intervalo habitual de cualquier edad: {range}, {source}',
  'Below the usual range of any age: {range}, {source}':
    'Por debajo del intervalo habitual de cualquier edad: {range}, {source}',
  'no usual range, since the age is not known': 'sin intervalo habitual, ya que se desconoce la edad',
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
} as const;

export const results = {
  ...laboratory,
  ...vitals,
  ...screening,
  ...trend,
  ...courses,
  ...growth,
  ...plainWords,
  ...ranges,
  ...others,
} as const;
