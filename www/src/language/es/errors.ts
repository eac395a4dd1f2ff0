//! The errors of the server, with their causes and what to do about them.

const ofRecords = {
  'A parameter, modifier or value of a request is not one that the type has.':
    'Un parámetro, modificador o valor de una solicitud no es de los que tiene el tipo.',
  'The diagnostics list what the type takes. `Prefer: handling=lenient` has unknown parameters ignored.':
    'El diagnóstico indica lo que acepta el tipo. Con `Prefer: handling=lenient` se ignoran los parámetros desconocidos.',
  'FHIR R4 has the parameter, and the records of this server are not indexed by it.':
    'FHIR R4 tiene el parámetro, pero los registros de este servidor no están indexados por él.',
  'The diagnostics name the index and the parameters that it has. The page of the type marks the others.':
    'El diagnóstico nombra el índice y los parámetros que tiene. La página del tipo indica los demás.',
  'A value cannot be read, such as a date without its month in two digits.':
    'Un valor no se puede leer, como una fecha sin el mes en dos cifras.',
  'Write it as the kind of the parameter says; the issue names the parameter.':
    'Escríbalo como lo indica la clase del parámetro; el aviso nombra el parámetro.',
  'A search of patients’ records names no patient, and the token has none.':
    'Una búsqueda en registros de pacientes no nombra a ningún paciente, y el token no tiene ninguno.',
  'Add `patient`, or what else the diagnostics name.': 'Añada `patient`, o lo que indique el diagnóstico.',
  'No token came, or it is not good: wrong issuer, wrong audience, changed, or withdrawn.':
    'No llegó ningún token, o no es válido: de otro emisor, para otro destinatario, modificado o revocado.',
  'Send `Authorization: Bearer` with a token of this server. Get another one where it was withdrawn.':
    'Envíe `Authorization: Bearer` con un token de este servidor. Si fue revocado, obtenga otro.',
  'The token has expired.': 'El token ha caducado.',
  'Use the refresh token, or ask for another access token.': 'Use el token de renovación, o pida otro token de acceso.',
  'The token is good, and does not open this: its scopes or its patient are others.':
    'El token es válido, pero no da acceso a esto: sus permisos o su paciente son otros.',
  'WWW-Authenticate names the missing scope. Ask for it at the next launch. RFC 6750 has 403 for this.':
    'WWW-Authenticate nombra el permiso que falta. Pídalo en el próximo inicio. RFC 6750 indica 403 para esto.',
  'There is no such resource, or none within the reach of the token.':
    'No existe tal recurso, o ninguno al alcance del token.',
  'Search for it. What may not be seen is answered as what does not exist.':
    'Búsquelo. A lo que no se puede ver se responde como si no existiera.',
  'There is no such address: a type that FHIR R4 does not have, or a history.':
    'No existe tal dirección: un tipo que FHIR R4 no tiene, o un historial.',
  'The diagnostics list the addresses. Only the current version of a resource is kept.':
    'El diagnóstico enumera las direcciones. De un recurso se conserva solo la versión actual.',
  'The address does not take the method: the interface is for reading.':
    'La dirección no acepta el método: la interfaz es de solo lectura.',
  'The header Allow lists the methods.': 'El encabezado Allow enumera los métodos.',
  'Another format than JSON was asked for.': 'Se pidió un formato distinto de JSON.',
  'Send `Accept: application/fhir+json`, and no other `_format`.':
    'Envíe `Accept: application/fhir+json`, y ningún otro `_format`.',
  'The body is too long.': 'El cuerpo es demasiado largo.',
  'Split the request.': 'Divida la solicitud.',
  'The body is of a type that the address does not read.': 'El cuerpo es de un tipo que la dirección no lee.',
  'The diagnostics list the types. A search takes a form.':
    'El diagnóstico enumera los tipos. Una búsqueda acepta un formulario.',
  'Too many requests came from one network or one client.':
    'Llegaron demasiadas solicitudes de una misma red o de un mismo cliente.',
  'Wait as long as the header Retry-After says, in seconds.':
    'Espere lo que indica el encabezado Retry-After, en segundos.',
  'Something broke in the server, or its database did not answer.':
    'Algo falló en el servidor, o su base de datos no respondió.',
  'Try again later, and tell whoever runs the server the header X-Request-Id.':
    'Inténtelo más tarde, e indique a quien opera el servidor el encabezado X-Request-Id.',
  'A part of the server cannot be used now.': 'Una parte del servidor no se puede usar por ahora.',
} as const;

const ofOAuth = {
  'A parameter is missing, comes twice, or cannot be read.': 'Un parámetro falta, llega dos veces o no se puede leer.',
  'The description names it.': 'La descripción lo nombra.',
  'The client is not known, or it did not prove who it is.': 'El cliente no se conoce, o no demostró quién es.',
  'Check the id, and the secret or the key with which the assertion is signed.':
    'Revise el identificador, y el secreto o la clave con que se firma la aserción.',
  'The code or the refresh token was used before, has expired, or is another client’s.':
    'El código o el token de renovación ya se usó, ha caducado o es de otro cliente.',
  'A code is good once, for a minute. Begin another launch.':
    'Un código sirve una sola vez, durante un minuto. Comience otro inicio.',
  'The kind of the client may not use this way to a token.':
    'La clase de cliente no puede usar esta forma de obtener un token.',
  'People sign in to an app; backend clients act for themselves.':
    'En una aplicación inician sesión personas; los clientes de servidor actúan por sí mismos.',
  'The value of grant_type is not one of those that are offered.':
    'El valor de grant_type no es de los que se ofrecen.',
  'The SMART configuration lists them.': 'La configuración de SMART los enumera.',
  'The client is approved for none of the scopes.': 'El cliente no está aprobado para ninguno de los permisos.',
  'Ask for the scopes of the registration, or have it changed.':
    'Pida los permisos del registro, o haga que se modifique.',
  'The person declined, or may see no patient.': 'La persona se negó, o no puede ver a ningún paciente.',
  'Say what happened, and offer to begin again.': 'Diga qué ocurrió, y ofrezca volver a empezar.',
  'The app asked with prompt=none, and nobody is signed in.':
    'La aplicación preguntó con prompt=none, y nadie tiene la sesión iniciada.',
  'Begin a launch that shows pages.': 'Comience un inicio que muestre páginas.',
} as const;

export const errors = { ...ofRecords, ...ofOAuth } as const;
