//! The notice and the list of records that a chart leaves out or that were replaced.

const notice = {
  'Are these the same person? Their charts are not joined.': '¿Son la misma persona? Sus expedientes no se han unido.',
  'These are the same person': 'Son la misma persona',
  'Keep apart': 'Mantener separados',
  'You put the records of {person} into this chart.': 'Usted añadió a este expediente los registros de {person}.',
  'another one here may be the same person': 'aquí hay otro que puede ser la misma persona',
  'Some ids stand for different records or people in these files. Each is kept apart.':
    'En estos archivos hay ids de varios registros o personas. Cada uno se mantiene separado.',
  '{n} record of the only patient of its document|{n} records of the only patients of their documents':
    '{n} registro del único paciente de su documento|{n} registros de los únicos pacientes de sus documentos',
  'Of the only patient of a document': 'Del único paciente de un documento',
  'These records name no patient. Their document has one Patient alone, in whose chart they are.':
    'Estos registros no nombran a ningún paciente. Su documento tiene un solo Patient, y están en su expediente.',
  'Its document has one Patient alone.': 'Su documento tiene un solo Patient.',
  'Left out of this chart:': 'Omitido en este expediente:',
  'Nothing is missing:': 'No falta nada:',
  'Not everything that belongs here can be shown.': 'No todo lo que corresponde aquí se puede mostrar.',
  'Nothing of this was read: it may be among what is left out of this chart.':
    'No se leyó nada de esto: puede estar entre lo que queda fuera de este expediente.',
  'More of this may be among what is left out of this chart.':
    'Puede haber más de esto entre lo que queda fuera de este expediente.',
  'Nothing was read of these, and they may be among what is left out of this chart: {sections}.':
    'No se leyó nada de lo siguiente, y puede estar entre lo que queda fuera de este expediente: {sections}.',
  'Nothing recorded of: {sections}.': 'No hay nada registrado de: {sections}.',
  'The age is not known: there is no Patient in your files.':
    'Se desconoce la edad: en sus archivos no hay ningún Patient.',
  'Show the list': 'Mostrar la lista',
  'What this chart leaves out': 'Lo que este expediente omite',
  'the list': 'la lista',
  Id: 'Id',
  'line {line}': 'línea {line}',
  'The first {shown} of {n}.': 'Los primeros {shown} de {n}.',
  '{n} area left out when access was given, or a part|{n} areas left out when access was given, or parts':
    '{n} área excluida al dar el acceso, entera o en parte|{n} áreas excluidas al dar el acceso, enteras o en parte',
  'Left out when access was given': 'Excluido al dar el acceso',
  'What was left out was not sent here.': 'Lo excluido no se envió aquí.',
  'To share it too, log out, and sign in again.': 'Para compartirlo también, cierre la sesión e iníciela de nuevo.',
  'Of {type} only some may be read: {conditions}.': 'De {type} solo se puede leer una parte: {conditions}.',
  'This app did not ask for it, so nothing was requested.': 'Esta aplicación no lo pidió, así que no se solicitó nada.',
  'This app did not ask for: {types}.': 'Esta aplicación no pidió: {types}.',
  'not asked for': 'no solicitado',
} as const;

const counts = {
  '{n} part of the files that could not be read|{n} parts of the files that could not be read':
    '{n} parte de los archivos que no se pudo leer|{n} partes de los archivos que no se pudieron leer',
  '{n} other entry of this person|{n} other entries of this person':
    '{n} ficha más de esta persona|{n} fichas más de esta persona',
  '{n} part that the source did not deliver|{n} parts that the source did not deliver':
    '{n} parte que el origen no entregó|{n} partes que el origen no entregó',
  '{n} record without elements that its source left out|{n} records without elements that their source left out':
    '{n} registro sin elementos que su origen omitió|{n} registros sin elementos que su origen omitió',
  '{n} file whose letters may be wrong|{n} files whose letters may be wrong':
    '{n} archivo con letras que pueden ser incorrectas|{n} archivos con letras que pueden ser incorrectas',
  '{n} record of an older FHIR|{n} records of an older FHIR':
    '{n} registro de un FHIR anterior|{n} registros de un FHIR anterior',
  '{n} record of a patient who is not in the files|{n} records of patients who are not in the files':
    '{n} registro de un paciente que no está en los archivos|{n} registros de pacientes que no están en los archivos',
  '{n} record that names no patient|{n} records that name no patient':
    '{n} registro que no nombra a ningún paciente|{n} registros que no nombran a ningún paciente',
  '{n} resource of an unknown type|{n} resources of unknown types':
    '{n} recurso de un tipo desconocido|{n} recursos de tipos desconocidos',
  '{n} record with another version|{n} records with other versions':
    '{n} registro con otra versión|{n} registros con otras versiones',
  '{n} record that was deleted|{n} records that were deleted':
    '{n} registro que se eliminó|{n} registros que se eliminaron',
  '{n} record whose id or time of change was replaced|{n} records whose id or time of change was replaced':
    '{n} registro cuyo id o momento de cambio se reemplazó|{n} registros cuyo id o momento de cambio se reemplazó',
  '{n} record in no section ({types})|{n} records in no section ({types})':
    '{n} registro que no está en ninguna sección ({types})|{n} registros que no están en ninguna sección ({types})',
  '{n} list that goes on|{n} lists that go on': '{n} lista que continúa|{n} listas que continúan',
  '{n} record that could not be read|{n} records that could not be read':
    '{n} registro que no se pudo leer|{n} registros que no se pudieron leer',
  '{n} record with fields that could not be read|{n} records with fields that could not be read':
    '{n} registro con campos que no se pudieron leer|{n} registros con campos que no se pudieron leer',
} as const;

const lists = {
  'Parts that could not be read': 'Partes que no se pudieron leer',
  'They may be records of this person.': 'Pueden ser registros de esta persona.',
  'Of patients who are not in the files': 'De pacientes que no están en los archivos',
  'They name a patient whose Patient record is missing. They are in charts of their own.':
    'Nombran a un paciente del que no hay ningún Patient. Están en expedientes propios.',
  'Records that name no patient': 'Registros que no nombran a ningún paciente',
  'They do not say whose they are, or name somebody who is not there. They may be of this person.':
    'No dicen de quién son o nombran a un paciente que no se encuentra. No están en ningún expediente y pueden ser suyos.',
  'Your files lack parts that their source did not deliver, and that may belong here: {n}.':
    'A sus archivos les faltan partes que el origen no entregó y que pueden corresponder aquí: {n}.',
  '{n} record of another patient is left out.|{n} records of other patients are left out.':
    'Se omite {n} registro de otro paciente.|Se omiten {n} registros de otros pacientes.',
  '{n} record of another patient|{n} records of other patients':
    '{n} registro de otro paciente|{n} registros de otros pacientes',
  'Of other patients': 'De otros pacientes',
  'The server answered with records of other patients than the one that was asked for.':
    'El servidor respondió con registros de pacientes distintos del que se pidió.',
  'The server counts {total} records, and gave {n}: some are missing here.':
    'El servidor cuenta {total} registros y entregó {n}: aquí faltan algunos.',
  'The link to a further page leads back to one that was read: there may be more than is shown.':
    'El enlace a otra página lleva de vuelta a una ya leída: puede haber más de lo que se muestra.',
  'There was no answer within {n} seconds.': 'No hubo respuesta en {n} segundos.',
  'They may be of several people.': 'Pueden ser de varias personas.',
  'Other entries of this person': 'Otras fichas de esta persona',
  'A Patient names another one as the same person. The records of each are in a chart of its own.':
    'Un Patient nombra a otro como la misma persona. Los registros de cada uno están en un expediente propio.',
  'Not delivered by the source': 'No entregado por el origen',
  'The files say that there is more than they have: further pages of a search, or answers that failed.':
    'Los archivos indican que hay más de lo que contienen: más páginas de una búsqueda o respuestas que fallaron.',
  'Records in part': 'Registros parciales',
  'Their source sent a part of each alone (SUBSETTED). What they seem to lack may be recorded there.':
    'Su origen envió solo una parte de cada uno (SUBSETTED). Lo que parece faltar puede estar registrado allí.',
  'Letters that may be wrong': 'Letras que pueden ser incorrectas',
  'These files are not in UTF-8. They were read as Windows-1252, which has the letters of Western Europe.':
    'Estos archivos no están en UTF-8. Se leyeron como Windows-1252, que tiene las letras de Europa occidental.',
  'Of unknown types': 'De tipos desconocidos',
  'They are of types that FHIR R4 does not have.': 'Son de tipos que FHIR R4 no tiene.',
  'This server gives out observations by category alone: those without one could not be asked for.':
    'Este servidor solo entrega observaciones por categoría: las que no tienen ninguna no se pudieron pedir.',
  'It gave none of these categories: {categories}.': 'No entregó ninguna de estas categorías: {categories}.',
  'There is no Patient here: name, sex and birth date are not known.':
    'Aquí no hay ningún Patient: no se conocen el nombre, el sexo ni la fecha de nacimiento.',
  'Replaced by another version': 'Reemplazados por otra versión',
  'The newer version of a record counts: by meta.lastUpdated, then by meta.versionId, then by its place.':
    'Cuenta la versión más reciente de un registro: por meta.lastUpdated, luego por meta.versionId y luego por su lugar.',
  Deleted: 'Eliminados',
  'The files say that these records were deleted.': 'Los archivos dicen que estos registros se eliminaron.',
  'Ids and times that were replaced': 'Ids y momentos que se reemplazaron',
  'Their id or their time of change cannot be used as it is in the file. Nothing else of them changed.':
    'Su id o su momento de cambio no se puede usar como está en el archivo. Nada más de ellos cambió.',
  'In no section': 'En ninguna sección',
  'They are records of this person of kinds that the chart has no section for. “Share or print” has them.':
    'Son registros de esta persona de clases para las que el expediente no tiene sección. Están en «Compartir o imprimir».',
  'Lists that go on': 'Listas que continúan',
  'There is more than was read. It is also missing in trends, the timeline, find and what is shared.':
    'Hay más de lo que se leyó. También falta en las tendencias, la cronología, la búsqueda y lo que se descarga.',
  'Records that could not be read': 'Registros que no se pudieron leer',
  'An element that is needed to understand them does not have the form of FHIR.':
    'Un elemento necesario para entenderlos no es como lo define FHIR.',
  'Fields that could not be read': 'Campos que no se pudieron leer',
  'These elements do not have the form of FHIR, and were left out. The rest of each record is shown.':
    'Estos elementos no son como los define FHIR y se omitieron. El resto de cada registro se muestra.',
} as const;

const reasons = {
  'Another form of this record, or its deletion, is newer or came later, and counts.':
    'Otra forma de este registro, o su eliminación, es más reciente o vino después, y es la que cuenta.',
  'This form replaced an earlier one, which does not count any more.':
    'Esta forma reemplazó a una anterior, que ya no cuenta.',
  'The files say that this record was deleted.': 'Los archivos dicen que este registro se eliminó.',
  'It had no id, and was given one.': 'No tenía id y se le dio uno.',
  'Its source left elements of it out.': 'Su origen omitió elementos de este registro.',
  'Some of its bytes are not UTF-8, and were read as Windows-1252.':
    'Algunos de sus bytes no son UTF-8 y se leyeron como Windows-1252.',
  'The source says: {text}': 'El origen dice: {text}',
  'The source counts {n} matches of this search, and the file has fewer.':
    'El origen cuenta {n} resultados de esta búsqueda, y el archivo tiene menos.',
  'It is one page of a search with {n} matches, and the next page is not among the files.':
    'Es una página de una búsqueda con {n} resultados, y la página siguiente no está entre los archivos.',
  'It is one page of a search, and the next page is not among the files.':
    'Es una página de una búsqueda, y la página siguiente no está entre los archivos.',
  'This chart has replaced it.': 'Este expediente la reemplazó.',
  'It has replaced this chart.': 'Reemplazó este expediente.',
  'It is linked with this chart.': 'Está vinculada con este expediente.',
  'It names {who}, who is not found.': 'Nombra a {who}, y no se encuentra.',
  'Its time of change could not be read: it counts as that of the load.':
    'No se pudo leer la hora de su último cambio: cuenta la de la carga.',
  'Its id in the file has signs that are not allowed, and was replaced: {id}':
    'Su id en el archivo tiene signos no permitidos y se reemplazó: {id}',
  '{n} record of FHIR R5, read as R4|{n} records of FHIR R5, read as R4':
    '{n} registro de FHIR R5, leído como R4|{n} registros de FHIR R5, leídos como R4',
  'Of FHIR R5, read as R4': 'De FHIR R5, leídos como R4',
  '{n} record of STU3 or DSTU2, read as R4|{n} records of STU3 or DSTU2, read as R4':
    '{n} registro de STU3 o DSTU2, leído como R4|{n} registros de STU3 o DSTU2, leídos como R4',
  'Of STU3 or DSTU2, read as R4': 'De STU3 o DSTU2, leídos como R4',
  'Their elements with one meaning in R4 are shown under its names. What has none stays as it is in the file.':
    'Sus elementos con un solo significado en R4 se muestran con sus nombres. Los demás quedan como en el archivo.',
  'It is of STU3 or DSTU2, and was read as FHIR R4.': 'Es de STU3 o DSTU2 y se leyó como FHIR R4.',
  'It is of FHIR R5, and was read as R4.': 'Es de FHIR R5 y se leyó como R4.',
  'It is of an older FHIR (DSTU2 or STU3).': 'Es de un FHIR anterior (DSTU2 o STU3).',
  'FHIR R4 has no such type.': 'FHIR R4 no tiene ese tipo.',
  'Its patient is not in the files.': 'Su paciente no está en los archivos.',
  'It names no patient.': 'No nombra a ningún paciente.',
  'No section shows it.': 'Ninguna sección lo muestra.',
  'Left out: {elements}': 'Omitido: {elements}',
} as const;

const elsewhere = {
  '{n} record that names no patient is shown here.|{n} records that name no patient are shown here.':
    'Aquí se muestra {n} registro que no nombra a ningún paciente, marcado.|Aquí se muestran {n} registros que no ' +
    'nombran a ningún paciente, marcados.',
  'What was replaced or placed in this chart': 'Lo que se reemplazó o se asignó en este expediente',
  '{n} record that names no patient was not searched.|{n} records that name no patient were not searched.':
    '{n} registro que no nombra a ningún paciente no se buscó.|{n} registros que no nombran a ningún paciente no se ' +
    'buscaron.',
  'Your files have records of patients who are not in them, in charts of their own: {types}.':
    'Sus archivos tienen registros de pacientes que no están en ellos, en expedientes propios: {types}.',
  '{n} record has unreadable fields: {fields}.|{n} records have unreadable fields: {fields}.':
    '{n} registro tiene campos que no se pudieron leer: {fields}.|{n} registros tienen campos que no se pudieron ' +
    'leer: {fields}.',
  'This chart has loaded these records. The server may have others.':
    'Estos son los registros que este expediente ha cargado. El servidor puede tener otros.',
  'No such record is here. Bills and insurance claims may name some: they are under “Other records”.':
    'No hay aquí registros así. Facturas y reclamaciones de seguros, en «Otros registros», pueden nombrar algunos.',
} as const;

export const leftOut = { ...notice, ...counts, ...lists, ...reasons, ...elsewhere } as const;
