//! The frame of every page.

export const shell = {
  'Skip to the content': 'Ir al contenido',
  Search: 'Buscar',
  Scopes: 'Permisos',
  'Scope explorer': 'Explorador de permisos',
  Session: 'Sesión',
  Checks: 'Pruebas',
  Reference: 'Referencia',
  Sandbox: 'Entorno de prueba',
  Chart: 'Expediente',
  Menu: 'Menú',
  Main: 'Principal',
  Requests: 'Solicitudes',
  'Developer mode': 'Modo de desarrollo',
  'Developer mode on: requests, JSON and scopes are shown':
    'Modo de desarrollo activado: se muestran las solicitudes, el JSON y los permisos',
  'Developer mode off': 'Modo de desarrollo desactivado',
  'Theme: {theme}': 'Tema: {theme}',
  'Theme: {theme}. Change it': 'Tema: {theme}. Cambiarlo',
  'the system’s': 'el del sistema',
  light: 'claro',
  dark: 'oscuro',
  'This language could not be loaded. Is there a connection?': 'No se pudo cargar este idioma. ¿Hay conexión?',
  'Your files': 'Sus archivos',
  'Signed in': 'Sesión iniciada',
  'Signed out': 'Sesión cerrada',
  'Offline sample': 'Ejemplo local',
  '{files} · {n} request sent|{files} · {n} requests sent':
    '{files} · {n} solicitud enviada|{files} · {n} solicitudes enviadas',
  'Back to your session': 'Volver a su sesión',
  'Log out': 'Cerrar sesión',
  'Your files stay in this tab.': 'Sus archivos se quedan en esta pestaña.',
  'Synthetic patients only.': 'Solo pacientes sintéticos.',
  'Test users': 'Usuarios de prueba',
  'This page could not be opened': 'No se pudo abrir esta página',
  'Your own record': 'Su propio expediente',
  'the page': 'la página',
  'This session ends within two minutes. {launch} to go on.':
    'Esta sesión termina en menos de dos minutos. {launch} para continuar.',
  'This session ends now. {launch} to go on.': 'Esta sesión termina ahora. {launch} para continuar.',
  'Sign in again': 'Inicie sesión de nuevo',
  'You are signed out.': 'Su sesión está cerrada.',
  Dismiss: 'Descartar',

  // Who is signed in, the ends of sessions, addresses of records.
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
