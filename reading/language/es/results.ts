//! Tests, panels, trends, courses and growth.

const laboratory = {
  Specimen: 'Muestra',
  'report status: unknown': 'estado del informe: desconocido',
  'before: {value} ({date})': 'antes: {value} ({date})',
  'Panel without a name': 'Panel sin nombre',
} as const;

const panels = {
  'Complete blood count': 'Hemograma completo',
  'Basic metabolic panel': 'Panel metabólico básico',
  'Hepatic function panel': 'Panel de función hepática',
  'Comprehensive metabolic panel': 'Panel metabólico completo',
  'Lipid panel': 'Panel de lípidos',
  Urinalysis: 'Análisis de orina',
  Coagulation: 'Coagulación',
} as const;

const vitals = {
  'below {value}': 'menos de {value}',
  'at most {value}': 'como máximo {value}',
  'at least {value}': 'como mínimo {value}',
  'American Heart Association, Pediatric Advanced Life Support Provider Manual, 2016 (awake, by age)':
    'American Heart Association, Pediatric Advanced Life Support Provider Manual, 2016 (despierto, por edad)',
  'ACC/AHA guideline for high blood pressure in adults, 2017':
    'guía de ACC/AHA sobre la presión arterial alta en adultos, 2017',
  'American Academy of Pediatrics, guideline for high blood pressure in children and adolescents, 2017':
    'Academia Americana de Pediatría, guía sobre la presión arterial alta en niños y adolescentes, 2017',
  'MedlinePlus, National Library of Medicine, vital signs of adults at rest':
    'MedlinePlus, Biblioteca Nacional de Medicina, signos vitales de adultos en reposo',
  'PedsCases, Pediatric Vital Signs Reference Chart (PALS 2015; Canadian Paediatric Society 2015)':
    'PedsCases, Pediatric Vital Signs Reference Chart (PALS, 2015; Canadian Paediatric Society, 2015)',
  'AHA/ACC guideline for high blood pressure in adults, 2025, severe hypertension':
    'guía de AHA/ACC sobre la presión arterial alta en adultos, 2025, hipertensión grave',
  'Mayo Clinic, Hypoxemia, healthy values of a pulse oximeter':
    'Mayo Clinic, Hypoxemia, valores sanos de un pulsioxímetro',
  'World Health Organization, COVID-19 clinical management, severe disease at any age':
    'Organización Mundial de la Salud (WHO), COVID-19 clinical management, enfermedad grave a cualquier edad',
  'Royal College of Physicians, National Early Warning Score (NEWS) 2, 2017, the score 3 by one value':
    'Royal College of Physicians, National Early Warning Score (NEWS) 2, 2017, la puntuación 3 por un solo valor',
} as const;

const screening = {
  'Social history': 'Antecedentes sociales',
} as const;

const trend = {
  'up {by} since {date}': 'subió {by} desde {date}',
  'down {by} since {date}': 'bajó {by} desde {date}',
  'unchanged since {date}': 'sin cambios desde {date}',
  '{before} and {next}': '{before} y {next}',
  '{change} in {time}': '{change} en {time}',
  '{years} years': '{years} años',
  '{n} month|{n} months': '{n} mes|{n} meses',
} as const;

/** The medications under a trend. */
const courses = {
  filled: 'surtido',
  ordered: 'ordenado',
  'reported#a medication': 'informado',
  'given once|given {n} times': 'administrado una vez|administrado {n} veces',
  'No start recorded': 'Sin comienzo registrado',
  'No start recorded; reported {date}': 'Sin comienzo registrado; informado: {date}',
  'No end recorded; last given {date}': 'Sin fin registrado; administrado por última vez: {date}',
  'No end recorded': 'Sin fin registrado',
  'No end recorded; the last fill lasts until {date}': 'Sin fin registrado; el último surtido dura hasta {date}',
  'No end recorded; ordered for the time until {date}': 'Sin fin registrado; se ordenó para el periodo hasta {date}',
} as const;

const growth = {
  Weight: 'Peso',
  'Length or height': 'Longitud o estatura',
  'Head circumference': 'Perímetro cefálico',
  'Body mass index': 'Índice de masa corporal',
  WHO: 'OMS',
  CDC: 'CDC',
  'WHO Child Growth Standards, 2006': 'Patrones de Crecimiento Infantil de la OMS, 2006',
  'CDC Growth Charts, 2000': 'Tablas de Crecimiento de los CDC, 2000',
  'The date is not exact enough': 'La fecha no es lo bastante exacta',
  'The unit or the value is not known': 'Se desconoce la unidad o el valor',
  'The CDC has no curves after three years': 'Los CDC no tienen curvas después de los tres años',
  'Outside the ages of the curves': 'Fuera de las edades de las curvas',
  '{percentile}st percentile': 'percentil {percentile}',
  '{percentile}nd percentile': 'percentil {percentile}',
  '{percentile}rd percentile': 'percentil {percentile}',
  '{percentile}th percentile': 'percentil {percentile}',
  'below the {percentile}st percentile': 'por debajo del percentil {percentile}',
  'above the {percentile}th percentile': 'por encima del percentil {percentile}',
} as const;

export const results = { ...laboratory, ...panels, ...vitals, ...screening, ...trend, ...courses, ...growth } as const;
