//! The Spanish words for contents that only documents state in words.

export const documentWords = {
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
  'observations name: {names}': 'las observaciones nombran: {names}',
  'Allergies in other records': 'Alergias en otros registros',
  'No allergy has an entry of its own: other records name some, below.':
    'Ninguna alergia tiene entrada propia: otros registros nombran algunas, más abajo.',
  'no active entry': 'ninguna entrada activa',
  'coded as resolved or inactive: {names}': 'codificadas como resueltas o inactivas: {names}',
  'the summary has words on allergies, below: compare': 'el resumen tiene texto sobre alergias, abajo: compárelo',
  'The content of {n} attached file was not searched.|The content of {n} attached files was not searched.':
    'No se buscó en el contenido de {n} archivo adjunto.|No se buscó en el contenido de {n} archivos adjuntos.',
  'It carries the words of the source document as plain lines.':
    'Incluye el texto del documento de origen, en líneas sin formato.',
} as const;
