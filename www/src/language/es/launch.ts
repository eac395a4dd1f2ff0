//! Launch, callback, log-out, servers.

export const launch = {
  // The launch form.
  'You sign in as a patient, and decide what this app may see.':
    'Usted inicia sesión como paciente y decide qué puede ver esta aplicación.',
  'You sign in as a practitioner, and choose a patient.': 'Usted inicia sesión como profesional y elige un paciente.',
  'Sign in and choose what to share': 'Iniciar sesión y elegir qué compartir',
  'the server’s addresses': 'las direcciones del servidor',
  'Without a server there is still the {sample}.': 'Sin servidor, queda el {sample}.',
  'offline sample': 'ejemplo sin conexión',
  'Who signs in': 'Quién inicia sesión',
  'Somebody else': 'Otra persona',
  'All test users': 'Todos los usuarios de prueba',
  'What is asked for: {n} scope|What is asked for: {n} scopes':
    'Lo que se pide: {n} permiso|Lo que se pide: {n} permisos',
  'The request, parameter by parameter': 'La solicitud, parámetro por parámetro',
  Server: 'Servidor',
  Client: 'Cliente',
  '{client}, public: it has no secret, so PKCE is demanded':
    '{client}, público: no tiene secreto, por eso se exige PKCE',
  'The authorization request': 'La solicitud de autorización',
  'The request that the button sends you to': 'La solicitud a la que lleva el botón',
  'PKCE verifier, kept in this tab': 'Verificador PKCE, guardado en esta pestaña',

  'Whose chart this is about.': 'De quién es el expediente.',
  Identity: 'Identidad',
  'Who signed in.': 'Quién inició sesión.',
  'Stay signed in without asking again.': 'Mantener la sesión sin volver a preguntar.',
  'Of the one patient.': 'De un solo paciente.',
  'Of the patients whom the practitioner may see.': 'De los pacientes que el profesional puede ver.',
  'Or all at once': 'O todo a la vez',
  'A wildcard opens exactly the types that the specification lists: not, for example, MedicationDispense.':
    'Un comodín abre solo los tipos que enumera la especificación: no abre, por ejemplo, MedicationDispense.',

  // The answer of the authorization server.
  'Signing in': 'Iniciando sesión',
  'Not signed in': 'Sesión no iniciada',
  'The sign-in was interrupted: this page was reloaded, or opened without the server’s answer.':
    'El inicio de sesión se interrumpió: esta página se recargó o se abrió sin la respuesta del servidor.',
  'Each answer is good for one use. Nothing was lost; sign in again.':
    'Cada respuesta sirve una sola vez. No se perdió nada; inicie sesión de nuevo.',
  'the tokens': 'los tokens',
  'Passed:': 'Correcto:',
  'Failed:': 'Incorrecto:',
  'Go back and sign in again.': 'Vuelva e inicie sesión de nuevo.',
  'The state is one that this tab made, and it is used once':
    'El valor state es uno que creó esta pestaña y se usa una sola vez',
  'unknown state': 'state desconocido',
  'The answer that came here was used before, is old, or belongs to another tab.':
    'La respuesta que llegó aquí ya se usó, es antigua o es de otra pestaña.',
  'Nothing was sent to the server.': 'No se envió nada al servidor.',
  'The answer names its issuer, and it is {issuer}': 'La respuesta nombra a su emisor, que es {issuer}',
  'wrong issuer': 'emisor incorrecto',
  'The answer came from another authorization server than the one that was asked.':
    'La respuesta vino de un servidor de autorización distinto del consultado.',
  'The code was not sent anywhere.': 'El código no se envió a ninguna parte.',
  'The server gave a code': 'El servidor dio un código',
  'The code was exchanged with its PKCE verifier': 'El código se canjeó con su verificador PKCE',
  'the exchange failed': 'el canje falló',
  'The identity token is for this app, carries our nonce, and its signature is good':
    'El token de identidad es para esta aplicación, lleva nuestro nonce y su firma es válida',
  'The app asked for something that it may not have. Choose other scopes.':
    'La aplicación pidió algo que no puede tener. Elija otros permisos.',
  'Somebody must sign in first. Sign in again.': 'Primero alguien debe iniciar sesión. Inicie sesión de nuevo.',
  'Somebody must first say what the app may see. Sign in again.':
    'Primero alguien debe decir qué puede ver la aplicación. Inicie sesión de nuevo.',
  'Somebody must first choose a patient. Sign in again.':
    'Primero alguien debe elegir un paciente. Inicie sesión de nuevo.',
  'Something at the server did not work. Nothing was shared; sign in again in a moment.':
    'Algo no funcionó en el servidor. No se compartió nada; inicie sesión de nuevo en un momento.',
  'The server is busy. Sign in again in a moment.': 'El servidor está ocupado. Inicie sesión de nuevo en un momento.',
  'Nobody declined: whoever signed in may not see these records. Sign in as somebody who may.':
    'Nadie negó el permiso: quien inició sesión no puede ver estos registros. Inicie sesión como quien pueda.',
  'The server refused the request itself. Go back and sign in again.':
    'El servidor rechazó la solicitud misma. Vuelva e inicie sesión de nuevo.',
  'Start the app in the record system again: each launch from there can be used for a short time.':
    'Vuelva a iniciar la aplicación en el sistema de expedientes: cada inicio desde allí sirve por poco tiempo.',

  // The launch by an EHR.
  'EHR launch': 'Inicio desde un sistema de expedientes',
  'An EHR launch needs iss and launch in the address. To see one, start it in the simulator.':
    'Este inicio necesita iss y launch en la dirección. Para ver uno, ábralo en el simulador.',
  'the sign-in of the server that launched this app': 'el inicio de sesión del servidor que abrió esta aplicación',

  // Other servers.
  'Another server': 'Otro servidor',
  'Enter its address': 'Indique su dirección',
  'Are your records on another server? {link}': '¿Sus registros están en otro servidor? {link}',
  'This is the server that the app came from. It needs no page of its own.':
    'Este es el servidor del que vino la aplicación. No necesita una página aparte.',
  'The app does not launch at {iss}: it takes https, and http at this machine alone. Nothing was sent there.':
    'La aplicación no se inicia en {iss}: admite https, y http solo en este equipo. No se envió nada allí.',
  'The app launches at any server of SMART on FHIR where it is registered. What is entered stays on this device.':
    'La aplicación se inicia en todo servidor SMART on FHIR donde esté registrada. Sus datos quedan en este equipo.',
  'Launch at another server': 'Inicio en otro servidor',
  'This app is launched at {base}.': 'Esta aplicación se inicia en {base}.',
  'Choose a server': 'Elegir un servidor',
  'Back to edgechart': 'Volver a edgechart',
  'its sign-in': 'su inicio de sesión',
  'what it offers': 'lo que ofrece',
  'This device does not know this server:': 'Este dispositivo no conoce este servidor:',
  'A server that this device does not know launches this app:':
    'Un servidor que este dispositivo no conoce inicia esta aplicación:',
  'Nothing was sent to it. Go on only if you trust it with what you do here.':
    'No se le envió nada. Continúe solo si le confía lo que hace aquí.',
  'Ask this server': 'Consultar este servidor',
  'Your session': 'Su sesión',
  '{n} scope granted|{n} scopes granted': '{n} permiso autorizado|{n} permisos autorizados',
  'FHIR base of the server': 'Base FHIR del servidor',
  'Redirect address': 'Dirección de redirección',
  'the redirect address': 'la dirección de redirección',
  'Launch address': 'Dirección de inicio',
  'the launch address': 'la dirección de inicio',
  'Kind of client': 'Tipo de cliente',
  'Public, with PKCE (S256): it has no secret, and none is asked for':
    'Público, con PKCE (S256): no tiene secreto y no se pide ninguno',
  'It calls itself': 'Se llama a sí mismo',
  'You sign in at': 'Usted inicia sesión en',
  'Register the app there': 'Registre la aplicación allí',
  'Who runs the server registers an app, and gives it a client id. It needs this of it:':
    'Quien administra el servidor registra una aplicación y le da un identificador de cliente. Necesita esto de ella:',
  'Enter what it gave': 'Escriba lo que recibió',
  'Client id': 'Identificador de cliente',
  'Scopes that it may ask for': 'Permisos que puede pedir',
  'Both are kept on this device, until you forget the server. No password or secret is.':
    'Ambos se guardan en este dispositivo hasta que olvide el servidor. No se guarda ninguna contraseña ni secreto.',
  'Sign in as a patient': 'Iniciar sesión como paciente',
  'Sign in as a practitioner': 'Iniciar sesión como profesional',
  'Keep it, and sign in': 'Guardar e iniciar sesión',
  'Change#the action': 'Cambiar',
  'Asking {base}': 'Preguntando a {base}',
  'Forgotten: {base}': 'Olvidado: {base}',
  'Servers on this device': 'Servidores en este dispositivo',
  Servers: 'Servidores',
  'Its addresses of this app': 'Sus direcciones de esta aplicación',
  'Server of this page': 'Servidor de esta página',
  'This page is for servers of other origins.': 'Esta página es para servidores de otros orígenes.',
  'This page is for another server: {name}, at {origin}.': 'Esta página es de otro servidor: {name}, en {origin}.',
  'What another server sends stays in this tab.': 'Lo que envía otro servidor se queda en esta pestaña.',
  '{host} did not answer this page: it is out of reach, or it does not let pages of other origins ask it (CORS).':
    '{host} no respondió a esta página: está fuera de alcance o no permite solicitudes de otros orígenes (CORS).',
  '{host} has no SMART configuration there: it answered {status}.':
    '{host} no tiene allí una configuración SMART: respondió {status}.',
  'The SMART configuration of {host} is not JSON.': 'La configuración SMART de {host} no es JSON.',
  '{host} names no address to sign in at.': '{host} no indica ninguna dirección para iniciar sesión.',
  '{host} names an address that is not https: {address}': '{host} indica una dirección que no es https: {address}',
  '{host} does not announce PKCE with S256, as SMART App Launch 2 demands. Without it, no sign-in begins.':
    '{host} no anuncia PKCE con S256, como exige SMART App Launch 2. Sin ello no empieza ningún inicio de sesión.',
  'The answer came to the address of this one server': 'La respuesta llegó a la dirección que es solo de este servidor',
  'The answer names no issuer, and this server does not say that it would: the state is its own':
    'La respuesta no nombra a su emisor y este servidor no dice que lo haría: el state es suyo',
  '{path} is not the address of a record.': '{path} no es la dirección de ningún registro.',
  'no answer': 'sin respuesta',

  // What another server cannot do.
  '{n} thing that this server cannot do|{n} things that this server cannot do':
    '{n} cosa que este servidor no puede hacer|{n} cosas que este servidor no puede hacer',
  'It does not say what it can do, so it is asked for everything.': 'No dice qué puede hacer, así que se le pide todo.',
  'It speaks FHIR {version}. This chart is made for FHIR 4.0.1.':
    'Habla FHIR {version}. Este expediente está hecho para FHIR 4.0.1.',
  'It has no records of these types: {types}.': 'No tiene registros de estos tipos: {types}.',
  'Staying signed in was not granted: the session ends with its first token.':
    'No se autorizó mantener la sesión: esta termina con su primer token.',
  'It does not revoke tokens: after a log-out they last until they expire.':
    'No revoca tokens: después de cerrar la sesión terminan a su hora.',
  'Who recorded these is not shown: this server does not offer it.':
    'No se muestra quién los registró: este servidor no lo ofrece.',
  'Who recorded it is not shown: this server does not offer it.':
    'No se muestra quién lo registró: este servidor no lo ofrece.',
  'Names of some medications may be missing: this server does not send them along.':
    'Pueden faltar nombres de medicamentos: este servidor no los envía junto con ellos.',
  'Names of some members may be missing: this server does not send them along.':
    'Pueden faltar nombres de miembros: este servidor no los envía junto con ellos.',
  'This server has no records of the type {type}.': 'Este servidor no tiene registros del tipo {type}.',
  'This server has no records of the type {type} in the form of FHIR R4.':
    'Este servidor no tiene registros del tipo {type} en la forma de FHIR R4.',
  'This server has records of the type {type}, but they cannot be searched.':
    'Este servidor tiene registros del tipo {type}, pero no permite buscarlos.',
  'This server does not give out single records of the type {type}.':
    'Este servidor no permite leer registros del tipo {type} por separado.',
  'This server cannot search records of the type {type} by patient.':
    'Este servidor no puede buscar registros del tipo {type} por paciente.',
  'This server does not offer them: {sections}.': 'Este servidor no los ofrece: {sections}.',
  'Not offered by this server.': 'Este servidor no los ofrece.',
  'not offered by this server': 'este servidor no las ofrece',
  'not offered': 'no ofrecido',
  consents: 'consentimientos',
  problems: 'problemas de salud',
  immunizations: 'vacunas',
  procedures: 'procedimientos',
  visits: 'visitas',
  medications: 'medicamentos',
  orders: 'órdenes',

  // Servers, tokens, requests.
  'This server publishes no backend client.': 'Este servidor no publica ningún cliente de backend.',
  'The server gave no token: {why}.': 'El servidor no dio ningún token: {why}.',
  'The server could not be discovered: HTTP {status}.': 'No se pudo consultar el servidor: HTTP {status}.',
  'The server names no authorization endpoint.': 'El servidor no indica ninguna dirección de autorización.',
  'The server names no revocation endpoint.': 'El servidor no indica ninguna dirección de revocación.',
  'This server is not a sandbox, or it is out of reach.':
    'Este servidor no es un entorno de prueba o está fuera de alcance.',
  'The simulator is not at this origin.': 'El simulador no está en este origen.',
  'The simulator answered {status}.': 'El simulador respondió {status}.',
  'It is the one that this launch made.': 'Es el que creó este inicio.',
  'It is not the one that this launch made.': 'No es el que creó este inicio.',
  'The server has no RSA key of that name.': 'El servidor no tiene ninguna clave RSA de ese nombre.',
  'RS256: good, checked by this browser’s WebCrypto.': 'RS256: válida, comprobada por WebCrypto de este navegador.',
  'RS256: it does not fit.': 'RS256: no coincide.',
  'code exchange': 'canje del código',
  keys: 'claves',
  refresh: 'renovación',
  '(the answer is on the session page, and nowhere else)':
    '(la respuesta está en la página de la sesión y en ningún otro lugar)',
  '({what}: secrets are not kept here)': '({what}: los secretos no se guardan aquí)',
  'A further page could not be read: {why}': 'No se pudo leer otra página: {why}',
  'The link to a further page leads elsewhere, and was not followed: {link}':
    'El enlace a otra página lleva a otro lugar y no se siguió: {link}',

  // The requests of a page as a file.

  // The end of a session.
  'You are signed out': 'Su sesión está cerrada',
  'Nobody is signed in in this tab.': 'Nadie ha iniciado sesión en esta pestaña.',
  'The records of this address are shown to the person who signs in.':
    'Los registros de esta dirección se muestran a quien inicie sesión.',
  'What apps may do, at the server': 'Qué pueden hacer las aplicaciones, en el servidor',
  'Open the sample': 'Abrir el ejemplo',
  'Its access is being ended…': 'Se está retirando su acceso…',
  'The access of this app has ended. This server has no log-out: you may still be signed in there.':
    'El acceso de esta aplicación terminó. Este servidor no permite cerrar su propia sesión: en sus páginas puede seguir abierta.',
  'The access of this app has ended. The sign-in at the server ends next…':
    'El acceso de esta aplicación terminó. Ahora termina la sesión en el servidor…',
  'The access of this app has ended, and so has your sign-in at the server.':
    'El acceso de esta aplicación terminó, y su sesión en el servidor también.',
  'Nothing of it is kept here. The server could not be told ({why}): there it may go on until it expires.':
    'Aquí no se guarda nada de ella. No se pudo avisar al servidor ({why}): allí puede seguir hasta que caduque.',
  'Nothing of it is kept here. This server does not revoke tokens: they last until they expire.':
    'Aquí no se guarda nada de ella. Este servidor no revoca tokens: terminan a su hora.',
  'The server no longer accepts this session: it has expired, or the access was withdrawn.':
    'El servidor ya no acepta esta sesión: caducó o se retiró el acceso.',
  'The session has expired. It could not be prolonged: staying signed in was not granted.':
    'La sesión caducó. No se pudo prolongar: no se autorizó mantenerla abierta.',

  // The kinds of refusals, shown above the English message of the engine or a server.
  'The request cannot be read.': 'La solicitud no se puede leer.',
  'A value of the request cannot be read.': 'Un valor de la solicitud no se puede leer.',
  'The request lacks something that it needs.': 'A la solicitud le falta algo que necesita.',
  'The request asks for something that is not offered here.': 'La solicitud pide algo que aquí no se ofrece.',
  'This does not exist, or the access that was given does not include it.':
    'Esto no existe, o el acceso concedido no lo incluye.',
  'Nobody is signed in here, or the access was withdrawn.': 'Nadie ha iniciado sesión aquí, o el acceso fue retirado.',
  'The access has expired. Please sign in again.': 'El acceso ha caducado. Inicie sesión de nuevo.',
  'The access that was given does not include this.': 'El acceso concedido no incluye esto.',
  'Something was left out, since the access that was given does not include it.':
    'Se omitió algo que el acceso concedido no incluye.',
  'This is too much to be answered at once.': 'Esto es demasiado para responderlo de una vez.',
  'There are too many requests. Please try again later.': 'Hay demasiadas solicitudes. Inténtelo más tarde.',
  'The records did not answer. Please try again later.': 'Los registros no respondieron. Inténtelo más tarde.',
  'The server has failed.': 'El servidor ha fallado.',
  'Something could not be loaded.': 'Algo no se pudo cargar.',
  'The request was refused.': 'La solicitud fue rechazada.',
  '{why}#in English': 'El motivo, en inglés: {why}',
} as const;
