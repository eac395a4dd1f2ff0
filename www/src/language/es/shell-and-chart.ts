//! The frame of the app and of the chart: who is signed in, the ends of sessions, addresses of records.

export const shellAndChart = {
  'Signed in as {name}': 'Sesión de {name}',
  'You logged out, or the session ended, in another tab.': 'Cerró la sesión, o esta terminó, en otra pestaña.',
  'The session ended in another tab: it has expired, or it was revoked.':
    'La sesión terminó en otra pestaña: ha caducado o se revocó.',
  'Its access token was revoked: the whole grant has ended.':
    'Se revocó su token de acceso: toda la autorización ha terminado.',

  'You declined': 'Usted no dio su permiso',
  'Nothing was shared, and this app may see nothing. The offline sample needs no permission.':
    'No se compartió nada y esta app no puede ver nada. El ejemplo sin conexión no necesita permiso.',
  'To share a part alone, sign in again and leave out the rest.':
    'Para compartir solo una parte, inicie sesión de nuevo y excluya el resto.',
  'This sign-in is over': 'Este inicio de sesión ya terminó',
  'You are signed in as before, and may go on.': 'Su sesión sigue abierta y puede continuar.',
  'To sign in, begin again: each sign-in gets an answer of its own.':
    'Para iniciar sesión, comience de nuevo: cada inicio recibe su propia respuesta.',
  'In technical terms:': 'En términos técnicos:',
  'How the answer was checked': 'Cómo se comprobó la respuesta',

  'The record that this address names is not among those of this chart that can be shown.':
    'El registro de esta dirección no está entre los que se pueden mostrar de este expediente.',

  'What could not be loaded is marked in its place. Nothing is said of what it holds.':
    'Lo que no se pudo cargar está señalado en su lugar. Nada se dice de su contenido.',
  'Not loaded, since the server did not answer: see above.': 'No se cargó: el servidor no respondió (vea arriba).',

  'printed {date}': 'impreso el {date}',

  Activities: 'Actividades',
  'not to be done': 'no debe hacerse',
  'Written by': 'Elaborado por',
  'Notes#of a record': 'Notas',

  'The person in the sample is invented.': 'La persona del ejemplo es inventada.',
  'What you share leaves the protection of the server: keep it as you keep other papers of this person.':
    'Lo que se lleve ya no lo protege el servidor: guárdelo como los demás documentos de esta persona.',
  'They are the records of your files, as they were read. They are made in this tab, and nothing is sent.':
    'Son los registros de sus archivos, tal como se leyeron. Se preparan en esta pestaña y no se envía nada.',
  'The open page, unfolded; each sheet says whose chart it is, when it was printed, and its number.':
    'La página abierta, sin nada plegado; en cada hoja, de quién es, cuándo se imprimió y su número.',
} as const;
