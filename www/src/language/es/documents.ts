//! The Spanish words of documents: their kinds, and how they are shown.

const kinds = {
  PDF: 'PDF',
  XML: 'XML',
  JSON: 'JSON',
  'Web page (HTML)': 'Página web (HTML)',
  'Plain text': 'Texto sin formato',
  'Table (CSV)': 'Tabla (CSV)',
  'Formatted text (RTF)': 'Texto con formato (RTF)',
  'Word document': 'Documento de Word',
  'Picture (TIFF)': 'Imagen (TIFF)',
  'Picture (PNG)': 'Imagen (PNG)',
  'Picture (JPEG)': 'Imagen (JPEG)',
  'Picture (GIF)': 'Imagen (GIF)',
  'Picture (WebP)': 'Imagen (WebP)',
  'Picture (DICOM)': 'Imagen (DICOM)',
  'Drawing (SVG)': 'Dibujo (SVG)',
  'Archive (ZIP)': 'Archivo comprimido (ZIP)',
} as const;

const whose = {
  'This document names another person than this chart.': 'Este documento nombra a otra persona que este expediente.',
  'This document gives another birth date than this chart.':
    'Este documento indica otra fecha de nacimiento que este expediente.',
  'It names {named}; this chart is that of {patient}.': 'Nombra a {named}; este expediente es de {patient}.',
  'Find out whose it is before you use it.': 'Averigüe de quién es antes de usarlo.',
  'names another person': 'nombra a otra persona',
} as const;

/** The words of documents in a chart. */
const summaries = {
  'Summary written {date}': 'Resumen redactado el {date}',
  'Summary written {date} by {author}': 'Resumen redactado el {date} por {author}',
  '“{title}” written {date}': '«{title}», redactado el {date}',
  '“{title}” written {date} by {author}': '«{title}», redactado el {date} por {author}',
  'the newest of {n} documents': 'el más reciente de {n} documentos',
  'Newest record {date}': 'Registro más reciente: {date}',
  'As the summary of {date} words it': 'Tal como lo expresa el resumen del {date}',
  'As “{title}” of {date} words it': 'Tal como lo expresa «{title}», del {date}',
  '{title}: the words': '{title}: el texto',
  'The words of the summary': 'El texto del resumen',
  'The summary says: {reason}.': 'El resumen indica: {reason}.',
  'in words': 'en texto',
  'Nothing current is coded here: the summary has words on it, below.':
    'Aquí no hay nada vigente codificado: el resumen lo expresa con palabras, abajo.',
  'The summary of {date} says: {words}': 'El resumen del {date} dice: {words}',
  '{n} earlier document|{n} earlier documents': '{n} documento anterior|{n} documentos anteriores',
  'in the summary under: {heading}': 'en el resumen, bajo: {heading}',
} as const;

export const documents = {
  ...kinds,
  ...whose,
  'The record calls it {type}, which it is not.': 'El registro indica {type}, pero no lo es.',
  'no content in the record': 'el registro no tiene contenido',
  'The document is empty.': 'El documento está vacío.',
  'It was read as {charset}, which its record does not say.': 'Se leyó como {charset}, lo que su registro no indica.',
  'Compressed file (gzip)': 'Archivo comprimido (gzip)',
  'Formatted text: its words are shown, without layout and pictures.':
    'Texto con formato: se muestran sus palabras, sin diseño ni imágenes.',
  'About: {name}': 'Sobre: {name}',
  'The text is cut here: it is too long to be shown. The JSON has all of it.':
    'El texto está cortado aquí: es demasiado largo para mostrarlo. El JSON lo tiene todo.',
  'The document refers to a file, {address}, that is not in it.':
    'El documento remite a un archivo, {address}, que no contiene.',
  'Too large to be shown here, where the most is {size}.':
    'Es demasiado grande para mostrarlo aquí; el máximo es {size}.',
  'The first {shown} of {all} letters are shown. A copy has all.':
    'Se muestran los primeros {shown} de {all} caracteres. Una copia los tiene todos.',
  'A web page: its words are shown; nothing in it runs, and nothing is fetched.':
    'Una página web: se muestra su texto; nada en ella se ejecuta y no se descarga nada.',
  'The source of the document': 'El código fuente del documento',
  'Clinical document': 'Documento clínico',
  'a patient without a name': 'un paciente sin nombre',
  'The document names as its patient: {name}.': 'El documento indica como paciente a: {name}.',
  'The document has no text.': 'El documento no tiene texto.',
  'This section has no text.': 'Este apartado no tiene texto.',
  '[A picture of the document, not shown here]': '[Imagen del documento, no se muestra aquí]',
  '[Picture that is not loaded]': '[Imagen que no se carga]',
  '[Picture that is not loaded: {alt}]': '[Imagen que no se carga: {alt}]',
  'Open the PDF in a new tab': 'Abrir el PDF en otra pestaña',
  'It is opened from this page, and nothing is sent.': 'Se abre desde esta página y no se envía nada.',
  'Coded conclusion': 'Conclusión codificada',
  'PDF: {title}': 'PDF: {title}',
  'The record names content within it, {address}, which it does not hold.':
    'El registro remite a un contenido incluido en él, {address}, que no está.',
  ...summaries,
} as const;
