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

  // Contents that only documents state in words.
  'All of the words': 'Todo el texto',
  'The rest is below.': 'El resto está abajo.',
  'In the words:': 'En el texto:',
  'In the words of the document': 'En palabras del documento',
  '{n}, and in words': '{n}, y en texto',
  'No note or file is recorded: the summary has words of such a kind, below.':
    'No consta ninguna nota ni archivo: el resumen tiene textos de ese tipo, abajo.',
  'No allergy is coded: answers on a form, under “Screening and social history”, say something of it.':
    'No hay alergias codificadas: lo que dice un cuestionario está en «Evaluaciones y antecedentes sociales».',
  'no entry; on a form: {words}': 'sin entradas; en un cuestionario: {words}',
  'Nothing is coded here: words of a document that may belong here stand in another section.':
    'Aquí no hay nada codificado: los textos de un documento que podrían corresponder aquí están en otro apartado.',
  'Nothing is coded here: words of a document that may say something of it are under “Notes and documents”.':
    'Aquí no hay nada codificado: lo que un documento podría decir al respecto está en «Notas y documentos».',
  'Nothing current is coded here: words of a document that may belong here stand in another section.':
    'Aquí no hay nada actual codificado: los textos que podrían corresponder aquí están en otro apartado.',
  'Nothing current is coded here: words of a document that may say something of it are under “Notes and documents”.':
    'Aquí no hay nada actual codificado: lo que un documento podría decir al respecto está en «Notas y documentos».',
  'Nothing is coded of these, but words in another section may belong to them: {sections}.':
    'De lo siguiente no hay nada codificado, pero podrían corresponder textos de otro apartado: {sections}.',
  'Nothing is coded of these, but words under “Notes and documents” may say something of them: {sections}.':
    'De lo siguiente no hay nada codificado, pero los textos de «Notas y documentos» podrían decir algo: {sections}.',
  'in other records': 'en otros registros',
  'no entry of its own': 'ninguna entrada propia',
  'the problem list names: {names}': 'la lista de problemas nombra: {names}',
  'the problem list says: {names}': 'la lista de problemas dice: {names}',
  'alerts name: {names}': 'las alertas nombran: {names}',
  'observations name: {names}': 'las observaciones nombran: {names}',
  'Allergies in other records': 'Alergias en otros registros',
  'No allergy has an entry of its own: other records name some, below.':
    'Ninguna alergia tiene entrada propia: otros registros nombran algunas, más abajo.',
  'no active entry': 'ninguna entrada activa',
  'coded as resolved or inactive: {names}': 'codificadas como resueltas o inactivas: {names}',
  'an older document has other words: compare': 'un documento anterior tiene otro texto: compárelo',
  'the summary has words on allergies, below: compare': 'el resumen tiene texto sobre alergias, abajo: compárelo',
  'The content of {n} attached file was not searched.|The content of {n} attached files was not searched.':
    'No se buscó en el contenido de {n} archivo adjunto.|No se buscó en el contenido de {n} archivos adjuntos.',
  'It carries the words of the source document as plain lines.':
    'Incluye el texto del documento de origen, en líneas sin formato.',
} as const;
