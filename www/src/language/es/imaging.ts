//! The Spanish words of imaging studies, pictures and adverse events.

const studies = {
  'Imaging study not named': 'Estudio de imagen sin nombre',
  'Read by': 'Interpretado por',
  '{n} imaging study|{n} imaging studies': '{n} estudio de imagen|{n} estudios de imagen',
  '{n} picture|{n} pictures': '{n} imagen|{n} imágenes',
  'Pictures and recordings': 'Imágenes y grabaciones',
  'Picture or recording': 'Imagen o grabación',
  'View#of a picture': 'Vista',
  'Open#a picture': 'Abrir',
  'imaging studies': 'estudios de imagen',
  'pictures and recordings': 'imágenes y grabaciones',
} as const;

const events = {
  'Adverse events': 'Eventos adversos',
  'adverse events': 'eventos adversos',
  '{n} adverse event|{n} adverse events': '{n} evento adverso|{n} eventos adversos',
  'Serious adverse events': 'Eventos adversos graves',
  'Adverse event not named': 'Evento adverso sin nombre',
  'suspected: {cause}': 'sospecha: {cause}',
  'It led to': 'Dio lugar a',
} as const;

export const imaging = { ...studies, ...events } as const;
