//! The user’s own files, the saved chart, and the types of resources.

const choice = {
  'Choose files…': 'Elegir archivos…',
  'Open other files…': 'Abrir otros archivos…',
  'A folder…': 'Una carpeta…',
  'Open FHIR R4 that a portal or a server gave you: Bundles, NDJSON, or either packed with gzip.':
    'Abra los datos FHIR R4 que le dio un portal o un servidor: Bundles o NDJSON, comprimidos con gzip o no.',
  'It is read, indexed and searched in this tab. Nothing is sent, and nothing is kept once the tab is closed.':
    'Se leen, se indexan y se buscan en esta pestaña. No se envía nada, y nada se conserva al cerrar la pestaña.',
  'Drop files or folders anywhere on this page': 'Suelte archivos o carpetas en cualquier lugar de esta página',
  'or choose them': 'o elíjalos',
  'Drop to open': 'Suelte para abrir',
  'in this browser alone': 'solo en este navegador',
  'There is no file in the folder whose name ends in .json, .ndjson, .jsonl or .gz.':
    'En la carpeta no hay ningún archivo cuyo nombre termine en .json, .ndjson, .jsonl o .gz.',
  'The files of this address are not open any more: they were in the memory of a tab alone. Open them again.':
    'Los archivos de esta dirección ya no están abiertos: solo estaban en la memoria de una pestaña. Ábralos de nuevo.',
  'Cancelled. Nothing of the files was kept.': 'Cancelado. No se conservó nada de los archivos.',
  'Your files are closed. Nothing of them was kept.': 'Sus archivos están cerrados. No se conservó nada de ellos.',
} as const;

const load = {
  '{n} file|{n} files': '{n} archivo|{n} archivos',
  'Opening {files}': 'Abriendo {files}',
  'Making the engine ready…': 'Preparando el motor…',
  '{percent} percent read': '{percent} por ciento leído',
  '{part} of {all} read': '{part} de {all} leídos',
  '{all} read': '{all} leídos',
  '{n} resource indexed|{n} resources indexed': '{n} recurso indexado|{n} recursos indexados',
  'file {number} of {files}': 'archivo {number} de {files}',
  Cancel: 'Cancelar',
  Cancelled: 'Cancelado',
  'Your files are closed': 'Sus archivos están cerrados',
  'Your files are open: {held}': 'Sus archivos están abiertos: {held}',
} as const;

const opened = {
  'no known patient': 'ningún paciente conocido',
  '{n} resource of {patients}|{n} resources of {patients}': '{n} recurso de {patients}|{n} recursos de {patients}',
  'They are in the memory of this tab alone, and gone when you close or reload it.':
    'Están solo en la memoria de esta pestaña y desaparecen cuando usted la cierra o la vuelve a cargar.',
  'Requests sent since you opened your files:\u00a0{number}':
    'Solicitudes enviadas desde que abrió sus archivos:\u00a0{number}',
  'Counted from the browser’s own list of what this page and the engine fetched.':
    'Según la lista del propio navegador de lo que esta página y el motor descargaron.',
  'Their addresses': 'Sus direcciones',
  'Choose a patient': 'Elegir un paciente',
  'No patient is among the resources, so there is no chart.':
    'Entre los recursos no hay ningún paciente, por lo que no hay expediente.',
  'Ask with a FHIR query': 'Consultar con FHIR',
  '{n} fault, listed below.|{n} faults, listed below.':
    '{n} error, que figura más abajo.|{n} errores, que figuran más abajo.',
  '{n} other file was left out.|{n} other files were left out.':
    'Se omitió {n} archivo más.|Se omitieron {n} archivos más.',
  '{patients} and {n} only named|{patients} and {n} only named':
    '{patients} y {n} que solo se nombra|{patients} y {n} que solo se nombran',
  'What is in the files': 'Lo que hay en los archivos',
  'Of an older FHIR': 'De un FHIR anterior',
  'These files have records of DSTU2 or STU3. edgechart reads FHIR R4, so that these cannot be shown:':
    'Estos archivos tienen registros de DSTU2 o STU3. edgechart lee FHIR R4, por lo que estos no se pueden mostrar:',
  'Types that are not shown': 'Tipos que no se muestran',
  'Without a type': 'Sin tipo',
} as const;

const faults = {
  'Not taken': 'No incluido',
  '{n} fault|{n} faults': '{n} error|{n} errores',
  'The first {shown} of {n} faults': 'Los primeros {shown} de {n} errores',
  '{faults}, by file and line. Everything else was taken.': '{faults}, por archivo y línea. Todo lo demás se incluyó.',
  Line: 'Línea',
  'whole file': 'todo el archivo',
  'The file is empty.': 'El archivo está vacío.',
  'It is a ZIP archive. Unpack it, and choose the files in it.':
    'Es un archivo ZIP. Descomprímalo y elija los archivos que contiene.',
  'It is not text.': 'No es texto.',
  'It is an archive of files. Unpack it, and choose the files in it.':
    'Es un archivo comprimido. Descomprímalo y elija los archivos que contiene.',
  'It is a PDF, which has no records that can be read as data. Ask for FHIR as JSON.':
    'Es un PDF, que no tiene registros que se puedan leer como datos. Pida FHIR en JSON.',
  'It is an image. Records are read as FHIR in JSON.': 'Es una imagen. Los registros se leen como FHIR en JSON.',
  'It is a document of a word processor or a spreadsheet. Records are read as FHIR in JSON.':
    'Es un documento de texto o una hoja de cálculo. Los registros se leen como FHIR en JSON.',
  'It is a web page (HTML), perhaps one for signing in, or an error, in place of the records.':
    'Es una página web (HTML), quizá la de inicio de sesión o un error, en lugar de los registros.',
  'It is a clinical document (C-CDA), which is not shown by itself. Ask for FHIR as JSON.':
    'Es un documento clínico (C-CDA), que no se muestra por sí solo. Pida FHIR en JSON.',
  'It is FHIR as XML. FHIR is read as JSON here: ask for that form.':
    'Es FHIR en XML. Aquí FHIR se lee en JSON: pídalo en ese formato.',
  'This is XML, but not FHIR. FHIR is read here as JSON.': 'Es XML y no es FHIR. Aquí FHIR se lee en JSON.',
  'It is a message of HL7 version 2. Records are read as FHIR in JSON.':
    'Es un mensaje de HL7 versión 2. Los registros se leen como FHIR en JSON.',
  'It is a SMART Health Card or Link, which is signed or encrypted, and cannot be read here.':
    'Es una SMART Health Card o un SMART Health Link, que está firmado o cifrado y no se puede leer aquí.',
  'It is a table (CSV). Records are read as FHIR in JSON.':
    'Es una tabla (CSV). Los registros se leen como FHIR en JSON.',
  'It is text, and neither JSON nor FHIR.': 'Es texto y no es ni JSON ni FHIR.',
  'It is the manifest of a bulk export, which names the files with the records. Choose those files.':
    'Es el manifiesto de una exportación masiva, que nombra los archivos con los registros. Elija esos archivos.',
  'This is JSON, but not FHIR: it has no resourceType and no resources.':
    'Es JSON y no es FHIR: no tiene resourceType ni recursos.',
  'It is a Bundle without records in it.': 'Es un Bundle que no contiene registros.',
  'Its text breaks off. What was whole before that was taken.':
    'El texto se interrumpe. Lo que estaba completo hasta ahí sí se leyó.',
  'A part of its text is not JSON, and was left out. The rest was taken.':
    'Una parte del texto no es JSON y se omitió. El resto sí se leyó.',
  'The files say that their source did not deliver all: {n}, listed in the chart.':
    'Los archivos indican que su origen no lo entregó todo: {n}; el expediente los enumera.',
  'Not in UTF-8, so that letters with accents may be wrong: {files}.':
    'No están en UTF-8, por lo que las letras con tilde pueden ser incorrectas: {files}.',
  'It could not be read to its end: {why}': 'No se pudo leer hasta el final: {why}',
  'The engine refused the question.': 'El motor rechazó la consulta.',
  'The engine could not be started.': 'No se pudo iniciar el motor.',
  'The engine was stopped.': 'El motor se detuvo.',
  'The sample could not be loaded: HTTP {status}.': 'No se pudo obtener el ejemplo: HTTP {status}.',
  'No files are open.': 'No hay archivos abiertos.',
  'The engine broke off ({why}). There may be more than its memory holds.':
    'El motor se interrumpió ({why}). Puede que haya más de lo que cabe en su memoria.',
} as const;

const saveChart = {
  'the whole chart': 'el expediente completo',
  '{records} of this chart, made into a file in this browser.':
    '{records} de este expediente, en un archivo que se crea en este navegador.',
  'Not complete, since not all was granted, loaded or readable: {sections}.':
    'Incompleto, porque no todo se autorizó, se cargó o se pudo leer: {sections}.',
  Download: 'Descargar',
  'A FHIR document in the form of the International Patient Summary.':
    'Un documento FHIR con la forma del Resumen Internacional del Paciente.',
  'All records in one FHIR Bundle.': 'Todos los registros en un Bundle de FHIR.',
  'One record per line, for programs.': 'Un registro por línea, para programas de carga.',
  'On paper': 'En papel',
  Print: 'Imprimir',
} as const;

export const files = {
  ...choice,
  ...load,
  ...opened,
  ...faults,
  ...saveChart,

  // Sharing a summary by a link, and opening one.
  'A link for somebody else': 'Un enlace para otra persona',
  'Whoever has the link, and the passcode, sees this summary as it is now, without signing in.':
    'Quien tenga el enlace y el código ve este resumen tal como está ahora, sin iniciar sesión.',
  'The file is too large.': 'El archivo es demasiado grande.',
  'It is encrypted here: the server cannot read it.': 'Se cifra aquí: el servidor no puede leerlo.',
  'What it holds': 'Qué contiene',
  'Name, without people’s names': 'Nombre, sin nombres de personas',
  'Days for which it opens': 'Días durante los que se abre',
  'Passcode, at least 6 characters': 'Código, de al menos 6 caracteres',
  'Tell the passcode by another way than the link. If it is left empty, the link alone opens the summary.':
    'Comunique el código por una vía distinta del enlace. Si se deja vacío, basta el enlace para abrir el resumen.',
  'Make the link': 'Crear el enlace',
  'It opens until {until}. It holds: {sections}.': 'Se abre hasta el {until}. Contiene: {sections}.',
  'Open the link': 'Abrir el enlace',
  'It is shown only now. To end it earlier: {page}': 'Solo se muestra ahora. Para terminarlo antes: {page}',
  'QR code of the link': 'Código QR del enlace',
  'Shared record': 'Expediente compartido',
  'Somebody shares health records with you.': 'Alguien comparte con usted un expediente clínico.',
  'They are decrypted in this tab, and gone when you close it.':
    'Se descifra en esta pestaña y desaparece cuando usted la cierra.',
  'Passcode, as the person told you': 'Código que le dio la persona',
  'This passcode is wrong. {n} attempt is left.|This passcode is wrong. {n} attempts are left.':
    'Este código es incorrecto. Queda {n} intento.|Este código es incorrecto. Quedan {n} intentos.',
  'This link opens nothing: it has expired, it was ended, or it never was.':
    'Este enlace no abre nada: venció, se terminó o nunca existió.',
  'There is no link in the address of this page, or it was cut off. Copy all of it.':
    'No hay ningún enlace en la dirección de esta página, o está cortado. Cópielo completo.',
} as const;
