//! The checks page.

export const checks = {
  'What this server promises, tested from this page as any other page could test it.':
    'Lo que este servidor promete, comprobado desde aquí, como podría hacerlo cualquier página ajena.',
  'Open a line to see the raw exchange.': 'Abra una línea para ver el intercambio tal cual.',
  'Run again': 'Ejecutar de nuevo',
  'Run {n} checks': 'Ejecutar {n} pruebas',
  '{passed} passed, {failed} failed, {skipped} skipped…':
    'Superadas: {passed}; no superadas: {failed}; omitidas: {skipped}…',
  '{passed} passed, {failed} failed, {skipped} skipped.':
    'Superadas: {passed}; no superadas: {failed}; omitidas: {skipped}.',
  'Not run': 'Sin ejecutar',
  Skipped: 'Omitida',
  Passed: 'Superada',
  Failed: 'No superada',
  '{n} exchange|{n} exchanges': '{n} intercambio|{n} intercambios',
  'of: {title}': 'de: {title}',

  Discovery: 'Descubrimiento',
  Refusals: 'Rechazos',
  Answers: 'Respuestas',
  'Other origins': 'Otros orígenes',
  'Sign-in': 'Inicio de sesión',

  'There is no token to ask with: sign in.': 'No hay un token con el que preguntar: inicie sesión.',
  'not said': 'no se indica',

  // Discovery
  'The SMART configuration names what an app needs': 'La configuración de SMART indica lo que una aplicación necesita',
  'SMART App Launch 2.2, conformance': 'SMART App Launch 2.2, conformidad',
  'All there.': 'Está todo.',
  'HTTP {status}, missing: {names}.': 'HTTP {status}; falta: {names}.',
  'PKCE: S256 is offered, plain is not': 'PKCE: se ofrece S256, y no plain',
  'RFC 7636; SMART forbids plain': 'RFC 7636; SMART prohíbe plain',
  'It offers {methods}.': 'Ofrece {methods}.',
  'It offers nothing.': 'No ofrece nada.',
  'The issuer is one string everywhere': 'El emisor es el mismo texto en todas partes',
  'RFC 8414, OpenID Discovery, SMART: compared exactly': 'RFC 8414, OpenID Discovery, SMART: se compara exactamente',
  'They say {issuers}.': 'Dicen {issuers}.',
  'The CapabilityStatement is FHIR R4 and needs no token': 'El CapabilityStatement es de FHIR R4 y no exige token',
  'FHIR RESTful API, capabilities': 'API RESTful de FHIR, capacidades',

  // Refusals
  'Without a token: 401 with a Bearer challenge and an OperationOutcome':
    'Sin token: 401 con un desafío Bearer y un OperationOutcome',
  'RFC 6750; FHIR': 'RFC 6750; FHIR',
  'no challenge': 'sin desafío',
  'A made-up token: 401, invalid_token': 'Un token inventado: 401, invalid_token',
  'RFC 6750, section 3.1': 'RFC 6750, sección 3.1',
  'What may not be seen is answered as what does not exist':
    'A lo que no se puede ver se responde como si no existiera',
  'Otherwise ids could be guessed': 'De otro modo se podrían adivinar identificadores',
  '404 with an OperationOutcome.': '404 con un OperationOutcome.',
  'An unknown parameter is refused, and the refusal says what the type takes':
    'Un parámetro desconocido se rechaza, y el rechazo dice cuáles acepta el tipo',
  'A search that ignores a filter finds too much': 'Una búsqueda que ignora un filtro encuentra demasiado',

  // Answers
  'Pages: links are followed to the end, nothing twice, nothing missing':
    'Páginas: siguiendo los enlaces hasta el final, nada se repite y nada falta',
  'FHIR paging; the order is stable': 'Paginación de FHIR; el orden es estable',
  'A link leads elsewhere: {url}.': 'Un enlace lleva a otro sitio: {url}.',
  'This session may not search laboratory results.': 'Esta sesión no puede buscar resultados de laboratorio.',
  '{n} resources on {pages} pages, total {total}.':
    '{n} recurso en {pages} páginas; total: {total}.|{n} recursos en {pages} páginas; total: {total}.',
  '{n} ids, {different} different, total {total}.': '{n} identificadores, {different} distintos; total: {total}.',

  // Other origins
  'CORS: the records may be asked from any origin, without cookies':
    'CORS: los registros se pueden solicitar desde cualquier origen, sin cookies',
  'Browser apps live elsewhere': 'Las aplicaciones de navegador están en otros sitios',
  'Access-Control-Allow-Origin: *, no credentials.': 'Access-Control-Allow-Origin: *, sin credenciales.',
  absent: 'ausente',
  'The preflight names Authorization': 'La solicitud preliminar nombra Authorization',
  'An asterisk does not cover it': 'Un asterisco no lo incluye',
  'nothing allowed': 'nada permitido',

  // Sign-in
  'A public app without PKCE gets no sign-in page':
    'Una aplicación pública sin PKCE no recibe una página de inicio de sesión',
  'RFC 9700: PKCE for public clients': 'RFC 9700: PKCE para clientes públicos',
  'Refused with {status}.': 'Se rechazó con {status}.',
  'Sent back with an error; a page cannot read where to.': 'Se devolvió con un error; una página no puede leer adónde.',
  'HTTP {status}: it went on.': 'HTTP {status}: siguió adelante.',
  'A redirect address that is not registered: no redirect at all':
    'Una dirección de redirección que no está registrada: ninguna redirección',
  'RFC 6749, 4.1.2.1: never send an answer to a stranger':
    'RFC 6749, 4.1.2.1: nunca enviar una respuesta a un desconocido',
  'A page with 400, and no redirect.': 'Una página con 400, sin redirección.',
  'It redirected.': 'Redirigió.',
  'A made-up code: 400, invalid_grant': 'Un código inventado: 400, invalid_grant',
  'RFC 6749, 5.2': 'RFC 6749, 5.2',
} as const;
