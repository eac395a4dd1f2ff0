//! The first page, lists of patients, reference, sandbox, export, simulator.

const home = {
  'Read a patient’s whole record as one chart.': 'Lea todo el historial de un paciente en un solo expediente.',
  'edgechart serves health records for reading: FHIR R4, US Core, SMART on FHIR.':
    'edgechart ofrece expedientes médicos para su lectura: FHIR R4, US Core, SMART on FHIR.',
  'One engine, compiled twice: it answers at the edge, and the same code searches in this browser, without a network.':
    'Un solo motor, compilado dos veces: responde en el servidor perimetral (“edge”), y el mismo código busca en ' +
    'este navegador, sin red.',
  'Looking for the server…': 'Buscando el servidor…',
  'The server is not asked: while your own record is open, this page sends nothing by itself.':
    'No se consulta al servidor: mientras su propio expediente está abierto, esta página no envía nada por sí sola.',
  'The server answers, but reports a fault (HTTP {status}).':
    'El servidor responde, pero tiene problemas (HTTP {status}).',
  '{host} is up · FHIR R4 · US Core · sign-in ready':
    '{host} funciona · FHIR R4 · US Core · inicio de sesión disponible',
  '{host} is up · FHIR R4 · US Core · no sign-in here': '{host} funciona · FHIR R4 · US Core · sin inicio de sesión',
  'No server in reach. The offline sample works all the same.':
    'No hay ningún servidor al alcance. El ejemplo sin conexión funciona de todos modos.',
  'You are signed in. {chart} or look at {session}.': 'Su sesión está iniciada. {chart} o consulte {session}.',
  'your session': 'su sesión',
  'Open a chart': 'Abrir un expediente',
  'Open the chart#or the session': 'Abra el expediente',
  'Ten years of Amara Okafor’s records, and ten more patients, in this browser.':
    'Diez años de registros de Amara Okafor, y otros diez pacientes, en este navegador.',
  'No login; nothing leaves the page.': 'Sin iniciar sesión; nada sale de la página.',
  'Problems, medicines, results and notes of one person: from a FHIR server, from files, or from the sample.':
    'Problemas, medicamentos, resultados y notas de una persona: de un servidor FHIR, de archivos o del ejemplo.',
  'Open the sample chart': 'Abrir el expediente de ejemplo',
  'Open your own files': 'Abrir sus propios archivos',
  'See your own records. You decide what this app may see.':
    'Vea sus propios registros. Usted decide qué puede ver esta aplicación.',
  'of the launch as a patient': 'del inicio como paciente',
  'Sign in with a practitioner’s rights, choose a patient, and read the chart.':
    'Inicie sesión con los derechos de un profesional, elija un paciente y lea el expediente.',
  'of the launch as a practitioner': 'del inicio como profesional',
  'Sign in': 'Iniciar sesión',
  'Sign in as {user}': 'Iniciar sesión como {user}',
  Options: 'Opciones',
  'Start from an EHR': 'Iniciar desde un sistema de expedientes',
  'A simulated record system with a patient already open starts this app: the EHR launch.':
    'Un sistema de expedientes simulado, con un paciente ya abierto, inicia esta aplicación: el “EHR launch”.',
  'Your files are open in this tab. Go on reading, or close them.':
    'Sus archivos están abiertos en esta pestaña. Siga leyendo, o ciérrelos.',
  'Go on': 'Continuar',
  'Drop files anywhere on this page: FHIR Bundles or NDJSON, packed with gzip or not.':
    'Suelte archivos en cualquier lugar de esta página: Bundles de FHIR o NDJSON, comprimidos con gzip o no.',
  'They are read in this tab alone; nothing is sent.': 'Se leen solo en esta pestaña; no se envía nada.',
} as const;

const patients = {
  Patients: 'Pacientes',
  'Those that this session may see.': 'Los que esta sesión puede ver.',
  'The sample population: synthetic people, each with a story.':
    'Los pacientes del ejemplo: personas sintéticas, cada una con su historia.',
  'Those in the files that you opened.': 'Los de los archivos que usted abrió.',
  'Looked at with {scopes}.': 'Vistos con {scopes}.',
  'Find by name': 'Buscar por nombre',
  'Find by name or id': 'Buscar por nombre o identificador',
  '{n} patient|{n} patients': '{n} paciente|{n} pacientes',
  'The first {shown} of {n} patients.': 'Los primeros {shown} de {n} pacientes.',
  'There are more patients than these.': 'Hay más pacientes que estos.',
  'Named by records, without a Patient in the files': 'Nombrados en registros, sin un Patient en los archivos',
  'Find others by name or id.': 'Busque otros por nombre o identificador.',
  'birth date unknown': 'fecha de nacimiento desconocida',
  deceased: 'ha fallecido',
} as const;

const reference = {
  'the description of the interface': 'la descripción de la interfaz',
  'The server is out of reach.': 'El servidor no está al alcance.',
  'What holds for every request': 'Lo que vale para toda solicitud',
  required: 'obligatorio',
  Body: 'Cuerpo',
} as const;

const sandbox = {
  'the sandbox': 'el entorno de prueba',
  'Synthetic data.': 'Datos sintéticos.',
  'No patient here exists; every password and secret is public, and works nowhere else.':
    'Ninguno de estos pacientes existe; las contraseñas y los secretos son públicos y no sirven en otro lugar.',
  '{caption} in a table': '{caption} en una tabla',
  Users: 'Usuarios',
  User: 'Usuario',
  'Is#the person of a user': 'Es',
  'May see': 'Puede ver a',
  'every patient': 'todos los pacientes',
  'Start an app from the EHR': 'Iniciar una aplicación desde el sistema de expedientes',
  'Shows#a patient': 'Muestra',
  Apps: 'Aplicaciones',
  App: 'Aplicación',
  Kind: 'Clase',
  Secret: 'Secreto',
  'none#a secret': 'ninguno',
  'disabled#an app': 'inhabilitada',
  'Redirects and launch': 'Redirecciones e inicio',
  'launch: {address}': 'inicio: {address}',
  '{n} named': '{n} indicado|{n} indicados',
} as const;

const simulator = {
  'In a clinic the record system starts the app: it knows who works and which chart is open, and hands both over.':
    'En una clínica, el sistema de expedientes inicia la aplicación: sabe quién trabaja y qué expediente está ' +
    'abierto, y le entrega ambos datos.',
  'Here you play the record system. You sign in as the practitioner that you choose.':
    'Aquí usted hace de sistema de expedientes e inicia sesión como el profesional que elija.',
  'The chart shows {what}.': 'El expediente muestra {what}.',
  'This server has no simulator.': 'Este servidor no tiene simulador.',
  'There is nothing to start: it takes a practitioner, a patient who is loaded, and an app of this server.':
    'No hay nada que iniciar: hace falta un profesional, un paciente cargado y una aplicación de este servidor.',
  'Practitioner at work': 'Profesional que trabaja',
  'Chart that is open': 'Expediente abierto',
  'Visit that is open': 'Consulta abierta',
  'the latest of the chart': 'la última del expediente',
  'no visit': 'ninguna consulta',
  'App to start': 'Aplicación que se inicia',
  'Starting it signs you in as {user}, whose password is {password}':
    'Al iniciarla usted inicia sesión como {user}, con la contraseña {password}',
  'Prepare the launch': 'Preparar el inicio',
  'Start the app in a new tab': 'Iniciar la aplicación en una pestaña nueva',
  'The EHR opens {address}, which works once.': 'El sistema de expedientes abre {address}, que sirve una sola vez.',
} as const;

const unknown = {
  'There is no such page': 'Esta página no existe',
  'Nothing is at {address}. The address may be mistyped, or cut off.':
    'No hay nada en {address}. Puede que la dirección esté mal escrita o incompleta.',
  'To the first page': 'Ir a la página inicial',
} as const;

export const pages = {
  ...home,
  ...patients,
  ...reference,
  ...sandbox,
  ...simulator,
  ...unknown,
} as const;
