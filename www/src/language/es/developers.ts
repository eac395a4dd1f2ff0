//! The pages for developers: the first steps, the guides, the reference.

const bar = {
  Developers: 'Desarrolladores',
  'For developers': 'Para desarrolladores',
  'Getting started': 'Primeros pasos',
  Guides: 'Guías',
} as const;

const start = {
  'A token, a query, and the same query as commands that run as they are.':
    'Un token, una consulta y la misma consulta como comandos que funcionan tal cual.',
  'A token': 'Un token',
  'A token for a person comes from a sign-in: {patient}, {practitioner}, or {ehr}.':
    'Un token de una persona se obtiene con un inicio de sesión: {patient}, {practitioner} o {ehr}.',
  'as a patient#a way to sign in': 'como paciente',
  'as a practitioner#a way to sign in': 'como profesional',
  'from an EHR#a way to sign in': 'desde un sistema de expedientes',
  'This server is a sandbox: it publishes a client that gets a token by its secret alone.':
    'Este servidor es un entorno de prueba: publica un cliente que obtiene un token solo con su secreto.',
  'Get a token': 'Obtener un token',
  'Get another token': 'Obtener otro token',
  'The token': 'El token',
  'Token of the sandbox': 'Token de prueba',
  'Build an app': 'Crear una aplicación',
  'the token': 'el token',
  'the token as a variable of a shell': 'el token como variable de una terminal',
  '{token} is good. It is kept in this page alone.': '{token} es válido. Se conserva solo en esta página.',
  'It is valid for {life}, until {time}: {left} are left.': 'Dura {life}, hasta las {time}: quedan {left}.',
  'The token has expired. A query from this page gets another one.':
    'El token ha caducado. Una consulta desde esta página obtiene otro.',
  'Until then, the query is asked with your session.': 'Mientras tanto, la consulta se hace con su sesión.',
  'The answer here is that of the sample, in this browser.':
    'La respuesta que se muestra es la del ejemplo, en este navegador.',
  'the request': 'la solicitud',
  'the answer': 'la respuesta',
  'the sample in this browser': 'el ejemplo en este navegador',
  'This server publishes no client. Tokens are for registered apps: whoever runs the server registers one.':
    'Este servidor no publica ningún cliente. Los tokens son para aplicaciones registradas: las registra quien opera ' +
    'el servidor.',
  'Registering an app': 'Registro de una aplicación',
  'Signing in#a guide': 'Inicio de sesión',
  'What scopes open': 'A qué dan acceso los permisos',
  'The first query': 'La primera consulta',
  'The newest laboratory results of {patient}, three of them:':
    'Los tres resultados de laboratorio más recientes de {patient}:',
  'Ask the server': 'Consultar al servidor',
  'Change it in the search': 'Cambiarla en la búsqueda',
  'The same in a shell': 'Lo mismo en una terminal',
  'With “curl” chosen, the commands get a token of their own, send the request and print the answer.':
    'Si elige «curl», los comandos obtienen su propio token, consultan e imprimen la respuesta.',
  'The command of curl takes the token from the environment variable {variable}.':
    'El comando de curl toma el token de la variable de entorno {variable}.',
  'Form of the request': 'Forma de la solicitud',
  'The secret is public, and works nowhere else.': 'El secreto es público y no sirve en ningún otro lugar.',
  'Next steps': 'Qué sigue',
  'an app that people sign in to.': 'una aplicación en la que las personas inician sesión.',
  'Paging and counts': 'Páginas y recuentos',
  'how to get more than the first page.': 'cómo obtener más que la primera página.',
  'what a token opens.': 'a qué da acceso un token.',
  'how to register a client of your own.': 'cómo se registra un cliente propio.',
} as const;

const guides = {
  'How to build an app for this server, and how to run one of your own.':
    'Cómo crear una aplicación para este servidor y cómo operar un servidor propio.',
  'The guides are in English.': 'Las guías están en inglés.',
  'How to get the next page, and how to count.': 'Cómo obtener la página siguiente y cómo contar.',
  'For apps#guides': 'Para aplicaciones',
  'For those who run a server#guides': 'Para quienes operan un servidor',
  'How an app gets a token of a person.': 'Cómo obtiene una aplicación el token de una persona.',
  'What each scope opens, type by type.': 'A qué da acceso cada permiso, tipo por tipo.',
  'What the operator of the server must know of an app.':
    'Lo que debe saber de una aplicación quien opera el servidor.',
  'What a client may rely on.': 'Con qué puede contar un cliente.',
  'Every type with its search parameters.': 'Cada tipo con sus parámetros de búsqueda.',
  'How a token decides which records an answer has.': 'Cómo decide un token qué registros tiene una respuesta.',
  'The records of many patients as files.': 'Los registros de muchos pacientes como archivos.',
  'Configuring, deploying, watching and repairing.': 'Configurar, desplegar, vigilar y reparar.',
  'How records get into the server.': 'Cómo llegan los registros al servidor.',
  'For a payer: the APIs that United States law asks for.':
    'Para una aseguradora: las API que pide la ley de Estados Unidos.',
  'For an AI assistant: one address to paste, and what it is told.':
    'Para un asistente de IA: una dirección que pegar y lo que se le dice.',
  'For a hospital in Europe: the Health Data API and summaries.':
    'Para un hospital en Europa: la API de datos de salud y los resúmenes.',
  'Threats, and what stops each of them.': 'Amenazas, y qué detiene cada una.',
  'The terms of the project, each with one meaning.': 'Los términos del proyecto, cada uno con un significado.',
} as const;

const reference = {
  'The server offers nothing of this name.': 'El servidor no ofrece nada con este nombre.',
  'Sign-in and tokens': 'Inicio de sesión y tokens',
  'Records of several types': 'Registros de varios tipos',
  'Types and operations': 'Tipos y operaciones',
  'All types by name': 'Todos los tipos por nombre',
  'Patients and people': 'Pacientes y personas',
  'Problems and allergies': 'Problemas y alergias',
  'Results and measurements': 'Resultados y mediciones',
  'Medications and vaccinations': 'Medicamentos y vacunas',
  'Visits and appointments': 'Visitas y citas',
  'Procedures, orders and plans': 'Procedimientos, órdenes y planes',
  'Documents and forms': 'Documentos y formularios',
  'Insurance and billing': 'Seguros y facturación',
  'Practitioners and organizations': 'Profesionales y organizaciones',
  'Origin and access': 'Origen y acceso',
  'Research and quality': 'Investigación y calidad',
  'Substances and products': 'Sustancias y productos',
  'Definitions and other types': 'Definiciones y otros tipos',
  'An example': 'Un ejemplo',
  'Members of the answer': 'Elementos de la respuesta',
  'The sample has no record of this type: this is an example.':
    'Los pacientes del ejemplo no tienen registros de este tipo: este es un modelo.',
  'Elements in FHIR R4': 'Elementos en FHIR R4',
  Export: 'Exportar',
  'Sending records': 'Envío de registros',
  'The server': 'El servidor',
  'Try it': 'Probar',
  'For example {value}': 'Por ejemplo, {value}',
  'A number from 0 to 200; 50 where nothing is said.': 'Un número de 0 a 200; si no se indica, 50.',
  'Names of elements of the top level, with commas between them.':
    'Nombres de elementos del nivel superior, separados por comas.',
  'The records of this server are indexed by these. Sorting and includes go by the same.':
    'Los registros de este servidor están indexados por estos. El orden y las inclusiones usan los mismos.',
  'Parameters of FHIR R4 that this server is not indexed by: {n}':
    'Parámetros de FHIR R4 por los que este servidor no está indexado: {n}',
  'A search by one of them is refused: `400 not-supported`.':
    'Una búsqueda por uno de ellos se rechaza: `400 not-supported`.',
  'Ask the sample in this browser': 'Consultar el ejemplo en este navegador',
  'Answered without a token.': 'Se responde sin token.',
  'Needs an access token.': 'Necesita un token de acceso.',
  'query#a part of a request': 'consulta',
  'path#a part of a request': 'ruta',
  'header#a part of a request': 'encabezado',
  'body#a part of a request': 'cuerpo',
  'Search parameters': 'Parámetros de búsqueda',
  'Parameters that every type has': 'Parámetros que tiene cada tipo',
  'How values are written': 'Cómo se escriben los valores',
  Addresses: 'Direcciones',
  'Every type, parameter and operation of this server.': 'Todos los tipos, parámetros y operaciones de este servidor.',
  'every type, parameter and operation, to be tried in place.':
    'cada tipo, parámetro y operación, para probarlos allí mismo.',
} as const;

export const developers = { ...bar, ...start, ...guides, ...reference } as const;
