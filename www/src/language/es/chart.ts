//! The chart: banner, allergies, sections, records.

/** The sections, and what an empty one means. */
const sections = {
  'Sections without records': 'Apartados sin registros',
  'Show all {n}': 'Mostrar todo: {n}',
  'Show fewer': 'Mostrar menos',
  'severe first, social circumstances last': 'graves primero, circunstancias de vida al final',
  '{count}, {more}': '{count}, {more}',
  '{n} unclear|{n} unclear': '{n} no claro|{n} no claros',
  '{n} on hold|{n} on hold': '{n} en pausa|{n} en pausa',
  '{n} given|{n} given': '{n} administrado|{n} administrados',
  '{n} filled|{n} filled': '{n} surtido|{n} surtidos',
  '{n} planned|{n} planned': '{n} previsto|{n} previstos',
  '{n} of changed meaning|{n} of changed meaning': '{n} de significado alterado|{n} de significado alterado',
  'Devices that are to be used': 'Dispositivos que se usarán',
  '{n} past device|{n} past devices': '{n} dispositivo anterior|{n} dispositivos anteriores',
  Made: 'Fabricado',
  '{n} past|{n} past': '{n} anterior|{n} anteriores',
  '{n} not to be done|{n} not to be done': '{n} que no debe hacerse|{n} que no deben hacerse',
  '{n} not given|{n} not given': '{n} no administrado|{n} no administrados',
  '{n} not done|{n} not done': '{n} no realizado|{n} no realizados',
  '{n} device|{n} devices': '{n} dispositivo|{n} dispositivos',
  'No data: this chart holds no entry about allergies. That does not mean that there are none.':
    'Sin datos: este expediente no tiene ningún registro de alergias. Eso no significa que no las haya.',
  'Problems and health concerns': 'Problemas y preocupaciones de salud',
  'No data: no condition is recorded in this chart.':
    'Sin datos: en este expediente no hay ningún problema de salud registrado.',
  Reports: 'Informes',
  'No data: no report is recorded in this chart.': 'Sin datos: en este expediente no hay ningún informe registrado.',
  'Notes and documents': 'Notas y documentos',
  'No data: no document is recorded in this chart.':
    'Sin datos: en este expediente no hay ningún documento registrado.',
  'Care plan and goals': 'Plan de atención y metas',
  'No data: no plan is recorded in this chart.': 'Sin datos: en este expediente no hay ningún plan registrado.',
  'No data: no care team is recorded in this chart.':
    'Sin datos: en este expediente no hay ningún equipo de atención registrado.',
  'There is more than is shown: the search has further pages.':
    'Hay más de lo que se muestra: la búsqueda tiene más páginas.',
  'These records could not be shown: {why}': 'No se pudieron mostrar estos registros: {why}',
  '{n} record could not be shown: {why}.|{n} records could not be shown: {why}.':
    'No se pudo mostrar {n} registro: {why}.|No se pudieron mostrar {n} registros: {why}.',
  'not granted': 'no autorizado',
  'not granted#allergies': 'acceso no autorizado',
  Request: 'Solicitud',
  'behind {title}': 'de {title}',
  '{title}: the requests': '{title}: las solicitudes',
} as const;

/** Texts about records that a section leaves out. */
const omissions = {
  'not all shown': 'incompleto',
  'not all can be shown': 'no todo se puede mostrar',
  'Your files have records of types that are not shown: {types}.':
    'Sus archivos tienen registros de tipos que no se muestran: {types}.',
  'Your files have records of an older FHIR (DSTU2 or STU3), which cannot be shown: {types}.':
    'Sus archivos tienen registros de un FHIR anterior (DSTU2 o STU3), que no se pueden mostrar: {types}.',
  'Your files have records that name no patient, and are in no chart: {types}.':
    'Sus archivos tienen registros que no nombran a ningún paciente y no están en ningún expediente: {types}.',
  'Parts of your files could not be taken, and may belong here: {n}.':
    'No se pudieron incluir partes de sus archivos, que podrían corresponder aquí: {n}.',
  'This server speaks FHIR {version}. Records in another form than that of FHIR R4 cannot be shown.':
    'Este servidor usa FHIR {version}. No se pueden mostrar los registros que no tienen la forma de FHIR R4.',
  'This server may have records of types that are not shown: {types}.':
    'Este servidor puede tener registros de tipos que no se muestran: {types}.',
  'Records of an older FHIR (DSTU2 or STU3) cannot be shown: {n}.':
    'No se pueden mostrar los registros de un FHIR anterior (DSTU2 o STU3): {n}.',
  'This record is of an older FHIR (DSTU2 or STU3), and cannot be shown.':
    'Este registro es de un FHIR anterior (DSTU2 o STU3) y no se puede mostrar.',
  'The server reports an error: {text}': 'El servidor comunica un error: {text}',
} as const;

const banner = {
  'Your files have records of this patient and no Patient: name, sex and birth date are not known.':
    'Sus archivos tienen registros de este paciente sin un Patient: no se conocen nombre, sexo ni nacimiento.',
  'Patient {id}': 'Paciente {id}',
  'Patient record': 'Registro del paciente',
  'Patient: the request': 'Paciente: la solicitud',
  'Record number': 'Número de expediente',
  died: 'falleció',
  'Twin or multiple: {order}': 'Parto múltiple: {order}',
  'Age at death': 'Edad al fallecer',
  'unknown#age': 'desconocida',
  'not recorded': 'no registrado',
  'Lives at': 'Domicilio',
  'Lived at': 'Domicilio anterior',
  Language: 'Idioma',
  'General practitioner': 'Médico de cabecera',
  'No such patient in the sample': 'El paciente no está en el ejemplo',
  'The sample holds no patient with the id {id}.': 'El ejemplo no tiene ningún paciente con el identificador {id}.',
  'The address may be mistyped.': 'Puede que la dirección esté mal escrita.',
  'This session sees no such patient': 'Esta sesión no ve a ese paciente',
  'The server shows this session no patient with the id {id}.':
    'El servidor no muestra a esta sesión ningún paciente con el identificador {id}.',
  'The address may be mistyped, or the record may be one that was not shared.':
    'Puede que la dirección esté mal escrita, o que el expediente no se haya compartido.',
  'Patients of this session': 'Pacientes de esta sesión',
  'No such patient in your files': 'El paciente no está en sus archivos',
  'Your files hold no patient with the id {id}.': 'Sus archivos no tienen ningún paciente con el identificador {id}.',
  'The address may be of files that were open before.':
    'Puede que la dirección sea de archivos que estuvieron abiertos antes.',
  'Patients of your files': 'Pacientes de sus archivos',
  'no record number': 'sin número de expediente',
  'Sample record, a synthetic person': 'Expediente de ejemplo de una persona sintética',
  'Record at {host}': 'Expediente en {host}',
  'Record from files that were opened in a browser': 'Expediente de archivos que se abrieron en un navegador',
  '{page} of {pages}': '{page} de {pages}',
} as const;

const allergies = {
  'Allergies: {names}': 'Alergias: {names}',
  'High risk:': 'Riesgo alto:',
  'Recorded {date}': 'Registrado: {date}',
  'looking…': 'buscando…',
  'could not be loaded': 'no se pudieron cargar',
  'nothing is recorded, which does not mean that there are none':
    'no hay nada registrado, lo que no significa que no las haya',
  '{n} resolved or inactive entry|{n} resolved or inactive entries':
    '{n} registro resuelto o inactivo|{n} registros resueltos o inactivos',
} as const;

const problems = {
  'unknown; recorded {date}': 'se desconoce; registrado: {date}',
  'No current problem is on the list.': 'No hay ningún problema actual en la lista.',
  'Health concerns': 'Preocupaciones de salud',
  '{n} past problem|{n} past problems': '{n} problema pasado|{n} problemas pasados',
} as const;

const documents = {
  'A document': 'Un documento',
  'The whole record': 'El registro completo',
  '{n} replaced or withdrawn document|{n} replaced or withdrawn documents':
    '{n} documento reemplazado o retirado|{n} documentos reemplazados o retirados',
  "The document's data is damaged: it is not base64.": 'Los datos del documento están dañados: no son base64.',
  'Keep a copy': 'Guardar una copia',
  'no type given': 'sin tipo indicado',
  "The document's text": 'El texto del documento',
  'The document as it is written': 'El documento tal como está escrito',
  'Picture from the record; it has no description': 'Imagen del expediente; no tiene descripción',
  'This kind of document is not opened inside the chart.': 'Este tipo de documento no se abre dentro del expediente.',
  'Keep a copy, and open it with a program that you trust.':
    'Guarde una copia y ábrala con un programa en el que confíe.',
  'Open {address}': 'Abrir {address}',
  'The record names no content.': 'El registro no indica ningún contenido.',
  '{kind} at another address.': '{kind} en otra dirección.',
  '{kind} at another address, {host}.': '{kind} en otra dirección, {host}.',
  'It is not fetched from here, and no token goes there.':
    'No se descarga desde aquí, y no se envía ningún token a esa dirección.',
} as const;

const reports = {
  'Results of this report': 'Resultados de este informe',
  'not shown here': 'no se muestra aquí',
  Picture: 'Imagen',
  '{n} document|{n} documents': '{n} documento|{n} documentos',
} as const;

const planAndTeam = {
  'by {date}': 'para {date}',
  Goals: 'Metas',
  'The patient': 'El paciente',
  Member: 'Integrante',
} as const;

/** A record by itself. */
const record = {
  What: 'Qué',
  'In its own words': 'En sus propias palabras',
  'Where it comes from': 'De dónde viene',
  'Ask for its provenance': 'Solicitar su procedencia',
  'its provenance': 'su procedencia',
  'No provenance is recorded for it.': 'No hay ninguna procedencia registrada.',
  Agent: 'Participante',
  'for {name}': 'en nombre de {name}',
  'What it refers to': 'A qué hace referencia',
  'The record as JSON': 'El registro como JSON',
  '{address}, version {version}, last changed {date}': '{address}, versión {version}, último cambio: {date}',
  Profile: 'Perfil',
  '{address} as JSON': '{address} como JSON',
} as const;

/** Measured values, their flags and ranges. */
const values = {
  'Reference range {range}': 'Intervalo de referencia: {range}',
  'Reference range of {name} {range}': 'Intervalo de referencia de {name}: {range}',
  'no unit': 'sin unidad',
  'outside the range': 'fuera del intervalo',
  'flagged by the laboratory': 'señalado por el laboratorio',
  'far outside it, or critical': 'muy fuera de él, o crítico',
  'far outside it': 'muy fuera de él',
  'far out': 'muy alejado',
} as const;

export const chart = {
  ...sections,
  ...omissions,
  ...banner,
  ...allergies,
  ...problems,
  ...documents,
  ...reports,
  ...planAndTeam,
  ...record,
  ...values,
} as const;
