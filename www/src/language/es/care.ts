//! Medications, immunizations, procedures, orders, visits, imaging studies, adverse events, the overview.

const medications = {
  Discharge: 'Alta',
  taken: 'se toma',
  '{n} administration, latest {date}|{n} administrations, latest {date}':
    '{n} administración: {date}|{n} administraciones; la última: {date}',
  'Given by#medication': 'Administrado por',
  'Time#of a medication': 'Tiempo',
  'Reported {date}': 'Informado: {date}',
  'The prescription of {date}': 'La receta del {date}',
  'Names of some medications may be missing.': 'Pueden faltar los nombres de algunos medicamentos.',
  'Given, without an order that is shown here': 'Administrados, sin una orden que se muestre aquí',
  'not given once|not given {n} times': 'no administrado una vez|no administrado {n} veces',
  'Latest fill': 'Último surtido',
  '{n} earlier fill|{n} earlier fills': '{n} surtido anterior|{n} surtidos anteriores',
  'Follows#a prescription': 'Sigue a',
  'Followed by#a prescription': 'Seguida por',
  '{n} fill, latest {date}|{n} fills, latest {date}': '{n} surtido: {date}|{n} surtidos; el último: {date}',
  'Prescribed by': 'Recetado por',
  'Filled by': 'Surtido por',
  'current#one medication': 'actual',
  'current#medications': 'actuales',
  'No current medication.': 'Ningún medicamento actual.',
  'Not to be taken': 'No deben tomarse',
  'Planned, not ordered#medications': 'Planificados, aún no prescritos',
  'Not clear whether taken': 'No está claro si se toman',
  'Filled, without an order that is shown here': 'Surtidos, sin una orden que se muestre aquí',
  '{n} past medication|{n} past medications': '{n} medicamento anterior|{n} medicamentos anteriores',
} as const;

const orders = {
  'open#one order': 'pendiente',
  'open#orders': 'pendientes',
  'No open order.': 'Ninguna orden pendiente.',
  'Planned, not ordered': 'Planificadas, aún no ordenadas',
  '{n} earlier order|{n} earlier orders': '{n} orden anterior|{n} órdenes anteriores',
} as const;

const immunizations = {
  'Recommended immunizations': 'Vacunas recomendadas',
  'no reason is recorded': 'no hay ningún motivo registrado',
  'No care team is current.': 'Ningún equipo de atención está vigente.',
  'No care plan is current.': 'Ningún plan de cuidados está vigente.',
  '{n} earlier plan|{n} earlier plans': '{n} plan anterior|{n} planes anteriores',
  'within {time}': 'en un plazo de {time}',
  'done, {n} planned': 'realizados, {n} planificado|realizados, {n} planificados',
  '{words}, {n} not done': '{words}, {n} no realizado|{words}, {n} no realizados',
  'Reported: {origin}': 'Informada: {origin}',
  'Reported, not seen': 'Informada, no presenciada',
  'given#one immunization': 'administrada',
  'given#immunizations': 'administradas',
  '{given}, {n} not given': '{given}, {n} no administrada|{given}, {n} no administradas',
} as const;

const procedures = {
  At: 'Lugar',
  'Why not': 'Por qué no',
  'Why it was asked': 'Por qué se preguntó',
  'serial {number}': 'número de serie {number}',
  'No procedure is recorded in this chart.': 'En este expediente no hay ningún procedimiento registrado.',
  'Implanted devices': 'Dispositivos implantados',
  Devices: 'Dispositivos',
} as const;

const overview = {
  'At a glance': 'De un vistazo',
  'No current problem is recorded.': 'No hay ningún problema actual registrado.',
  'No current medication is recorded.': 'No hay ningún medicamento actual registrado.',
  'Abnormal results': 'Resultados anormales',
  'No vital sign of the patient has a valid value.': 'Ningún signo vital del paciente tiene un valor válido.',
  'No vital sign is recorded.': 'No hay ningún signo vital registrado.',
  'Last visit': 'Última visita',
  Scores: 'Puntuaciones',
  'No visit is recorded.': 'No hay ninguna visita registrada.',
  'No visit is recorded that has taken place.': 'No consta ninguna visita que haya tenido lugar.',
  'No open order of a service, goal date or ending supply is recorded.':
    'No hay ninguna orden pendiente de un servicio, fecha de una meta ni suministro por terminar.',
  'Could not be loaded.': 'No se pudo cargar.',
} as const;

const studies = {
  'Imaging study': 'Estudio de imágenes',
  'Imaging study not named': 'Estudio de imagen sin nombre',
  'Read by': 'Interpretado por',
  '{n} imaging study|{n} imaging studies': '{n} estudio de imagen|{n} estudios de imagen',
  '{n} picture|{n} pictures': '{n} imagen|{n} imágenes',
  'Pictures and recordings': 'Imágenes y grabaciones',
  'Picture or recording': 'Imagen o grabación',
  'View#of a picture': 'Vista',
  'Open#a picture': 'Abrir',
} as const;

const events = {
  'Adverse events': 'Eventos adversos',
  '{n} adverse event|{n} adverse events': '{n} evento adverso|{n} eventos adversos',
  'Serious adverse events': 'Eventos adversos graves',
  'Adverse event not named': 'Evento adverso sin nombre',
  'suspected: {cause}': 'sospecha: {cause}',
  'It led to': 'Dio lugar a',
} as const;

export const care = {
  ...medications,
  ...orders,
  ...immunizations,
  ...procedures,
  ...overview,
  ...studies,
  ...events,
} as const;
