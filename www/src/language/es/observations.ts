//! Observations: the judgement of values, their ranges and units, and the section of other observations.

const interpretations = {
  '{value} (recorded as {recorded})': '{value} (registrado como {recorded})',
  'Critically abnormal': 'Anormal crítico',
  'Significantly high': 'Significativamente alto',
  'Significantly low': 'Significativamente bajo',
  'Above the threshold': 'Por encima del umbral',
  'Below the threshold': 'Por debajo del umbral',
  'Outside the threshold': 'Fuera del umbral',
  Normal: 'Normal',
  Positive: 'Positivo',
  Negative: 'Negativo',
  Detected: 'Detectado',
  'Not detected': 'No detectado',
  Present: 'Presente',
  Absent: 'Ausente',
  Reactive: 'Reactivo',
  'Weakly reactive': 'Débilmente reactivo',
  'Non-reactive': 'No reactivo',
  Indeterminate: 'Indeterminado',
  Equivocal: 'Dudoso',
  Resistant: 'Resistente',
  'Not susceptible': 'No sensible',
  'Synergy: resistant': 'Sinergia: resistente',
  Intermediate: 'Intermedio',
  Susceptible: 'Sensible',
  'Moderately susceptible': 'Moderadamente sensible',
  'Very susceptible': 'Muy sensible',
  'Susceptible, depending on the dose': 'Sensible, dependiente de la dosis',
  'Synergy: susceptible': 'Sinergia: sensible',
  'No breakpoint is defined': 'Sin punto de corte definido',
  'Below what can be measured': 'Por debajo de lo medible',
  'Above what can be measured': 'Por encima de lo medible',
  'Significantly up': 'Aumento significativo',
  'Significantly down': 'Descenso significativo',
  Better: 'Mejor',
  Worse: 'Peor',
  'Not enough evidence': 'Evidencia insuficiente',
  'The quality control failed': 'Falló el control de calidad',
  'Toxic to the cells': 'Tóxico para las células',
  'Anti-complementary': 'Anticomplementario',
  Carrier: 'Portador',
  Expected: 'Esperado',
  Unexpected: 'Inesperado',
  'Held for medical review': 'Retenido para revisión médica',
  '“Normal” by the laboratory': '«Normal» según el laboratorio',
} as const;

const vitalSigns = {
  'Blood pressure': 'Presión arterial',
  'Systolic blood pressure': 'Presión arterial sistólica',
  'Diastolic blood pressure': 'Presión arterial diastólica',
  'Heart rate': 'Frecuencia cardíaca',
  'Respiratory rate': 'Frecuencia respiratoria',
  'Oxygen saturation': 'Saturación de oxígeno',
  'Body temperature': 'Temperatura corporal',
  Height: 'Estatura',
} as const;

const ranges = {
  'Several ranges may apply, and none was used.': 'Pueden corresponder varios intervalos y no se usó ninguno.',
  'Its range is for others, or for whom it is cannot be told.':
    'Su intervalo es para otras personas, o no se puede saber para quién es.',
  'Its range is in another unit, and was not compared.': 'Su intervalo está en otra unidad y no se comparó.',
  'Its range is the wrong way round, and was not used.': 'Su intervalo está invertido y no se usó.',
  'Called normal, but outside its range.': 'Marcado como normal, pero fuera de su intervalo.',
  'It is below its range.': 'Está por debajo de su intervalo.',
  'It is above its range.': 'Está por encima de su intervalo.',
  'Only a bound is known: it may be within its range or outside.':
    'Solo se conoce un límite: puede estar dentro o fuera de su intervalo.',
  'A test of immunity: its range does not tell what is normal.':
    'Prueba de inmunidad: su intervalo no indica qué es normal.',
  'coded as {code}': 'codificado como {code}',
  'age {ages}': 'edad {ages}',
  'called normal': 'marcado como normal',
  '{mark}, called normal': '{mark}, marcado como normal',
  'above usual ({source})': 'por encima de lo habitual ({source})',
  'below usual ({source})': 'por debajo de lo habitual ({source})',
  'above usual at any age ({source})': 'por encima de lo habitual a cualquier edad ({source})',
  'below usual at any age ({source})': 'por debajo de lo habitual a cualquier edad ({source})',
  'Above the usual range of any age: {range}, {source}':
    'Por encima del intervalo habitual de cualquier edad: {range}, {source}',
  'Below the usual range of any age: {range}, {source}':
    'Por debajo del intervalo habitual de cualquier edad: {range}, {source}',
  '{urgent} ({source})': '{urgent} ({source})',
  'urgent: above {value}': 'urgente: más de {value}',
  'urgent: below {value}': 'urgente: menos de {value}',
  'urgent: {value} or more': 'urgente: {value} o más',
  'urgent: {value} or less': 'urgente: {value} o menos',
  'no usual range, since the age is not known': 'sin intervalo habitual, ya que se desconoce la edad',
  'The age at the measurement is not known: only what is unusual at any age is marked.':
    'Se desconoce la edad en el momento de la medición: solo se marca lo que es inusual a cualquier edad.',
} as const;

const values = {
  'Series of {n} point|Series of {n} points': 'Serie de {n} punto|Serie de {n} puntos',
  'one every {period}\u00a0ms': 'uno cada {period}\u00a0ms',
  'from {low} to {high}': 'de {low} a {high}',
  'lower limit {value}': 'límite inferior {value}',
  'upper limit {value}': 'límite superior {value}',
  'not known yet': 'aún se desconoce',
  'held back': 'reservado',
  'in the text alone': 'solo en el texto',
  'the measurement failed': 'la medición falló',
  'too low to be a number': 'demasiado bajo para ser un número',
  'too high to be a number': 'demasiado alto para ser un número',
  '{n} is only a bound.|{n} are only bounds.': '{n} es solo un límite.|{n} son solo límites.',
  '{n} is preliminary.|{n} are preliminary.': '{n} es preliminar.|{n} son preliminares.',
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
  'code {code}': 'código {code}',
  'without a code': 'sin código',
  Systolic: 'Sistólica',
  Diastolic: 'Diastólica',
} as const;

export const observations = { ...interpretations, ...vitalSigns, ...ranges, ...values, ...others } as const;
