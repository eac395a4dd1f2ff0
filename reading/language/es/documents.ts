//! Documents and the words of their sections.

const documentWords = {
  'replaced by the document of {date}': 'reemplazado por el documento del {date}',
  'replaced by another document': 'reemplazado por otro documento',
  'with an addition of {date}': 'con un añadido del {date}',
  'with an addition': 'con un añadido',
  'adds to the document of {date}': 'añade al documento del {date}',
  'adds to another document': 'añade a otro documento',
  'made from the document of {date}': 'hecho a partir del documento del {date}',
  'made from another document': 'hecho a partir de otro documento',
  'signs the document of {date}': 'firma el documento del {date}',
  'signs another document': 'firma otro documento',
  '“{title}” of {date}': '«{title}» del {date}',
  'As {document} words it: {title}': 'Tal como lo expresa {document}: {title}',
  '{n} note or attached file|{n} notes or attached files': '{n} nota o archivo adjunto|{n} notas o archivos adjuntos',
  'the words of {n} older document|the words of {n} older documents':
    'el texto de {n} documento anterior|el texto de {n} documentos anteriores',
  'Nothing is coded.': 'No hay nada codificado.',
  'What this summary lacks': 'Lo que falta en este resumen',
  'Not in this summary: {what}.': 'No está en este resumen: {what}.',
} as const;

/** The words of documents in a chart. */
const summaries = {
  '{n} day ago|{n} days ago': 'de hace {n} día|de hace {n} días',
  '{n} month ago|{n} months ago': 'de hace {n} mes|de hace {n} meses',
  '{n} year ago|{n} years ago': 'de hace {n} año|de hace {n} años',
  'Its sections': 'Sus apartados',
  'Other records name: {names}': 'Otros registros nombran: {names}',
  '{reason} (a list of {date} says so)': '{reason} (así lo dice una lista del {date})',
  '{reason} (a list without a date says so)': '{reason} (así lo dice una lista sin fecha)',
  'none known': 'ninguna conocida',
  'nil known': 'nada conocido',
  'not asked#why a section is empty': 'no se preguntó',
  'withheld#why a section is empty': 'información no compartida',
  'unavailable#why a section is empty': 'información no disponible',
  'not started#why a section is empty': 'sin empezar',
  'closed, no entries are added#why a section is empty': 'cerrado, no se añaden entradas',
  'no known allergies': 'sin alergias conocidas',
  'no known medications': 'sin medicación conocida',
  'no known problems': 'sin problemas conocidos',
  'no known procedures': 'sin procedimientos conocidos',
  'no known immunizations': 'sin vacunas conocidas',
  'no known devices': 'sin dispositivos conocidos',
} as const;

const others = {
  'struck out:': 'tachado:',
  'except: {provisions}': 'excepto: {provisions}',
  'Section without a title': 'Apartado sin título',
  '“{list}” names what is not in this chart: {names}.': '«{list}» nombra lo que no está en este expediente: {names}.',
} as const;

export const documents = { ...documentWords, ...summaries, ...others } as const;
