//! What the engine and the server say of faults: refusals of requests, faults of files, checks of tokens. They come in
//! English; their places in braces stand for names and values.

import type { Sentences } from '../sentences.ts';

const ofRequests: Sentences = {
  'This needs an access token, and none came.': 'Esto necesita un token de acceso, y no llegó ninguno.',
  'The access token is invalid.': 'El token de acceso no es válido.',
  'The access token has expired.': 'El token de acceso ha caducado.',
  'The authorization behind the access token has ended.': 'La autorización del token de acceso ya no está vigente.',
  'The access token does not open {type}.': 'El token de acceso no da acceso a {type}.',
  'The access token is for another patient.': 'El token de acceso es de otro paciente.',
  'The access token does not permit {act}.': 'El token de acceso no permite esto: {act}.',
  'it would need {scope}': 'necesitaría {scope}',
  'There is no such resource.': 'No existe tal recurso.',
  'no Route matched with those values': 'Ninguna ruta coincide con esos valores',
  '/<Type>, /<Type>/<id>, /<Type>/_search with one of: {names}':
    '/<Type>, /<Type>/<id>, /<Type>/_search con uno de: {names}',
  'Only the current version of a resource is kept, so there is no history.':
    'De un recurso se conserva solo la versión actual, así que no hay historial.',
  '/<Type>/<id>, /<Type>/<id>/_history/<its version>': '/<Type>/<id>, /<Type>/<id>/_history/<su versión>',
  'This is the base address of the FHIR API; resources are at the addresses below it.':
    'Esta es la base de la API de FHIR; lo que se lee o se busca está debajo de ella.',
  'This API only reads; the address does not take that method.':
    'Esta API es de solo lectura; la dirección no acepta ese método.',
  'Only JSON of FHIR 4.0 is offered.': 'Solo se ofrece JSON de FHIR 4.0.',
  'The body has a media type that is not read here.': 'El cuerpo es de un tipo que aquí no se lee.',
  'The length of the body is not declared.': 'No se declara la longitud del cuerpo.',
  'The body is too long.': 'El cuerpo es demasiado largo.',
  'There are too many requests; try again later.': 'Hay demasiadas solicitudes; inténtelo más tarde.',
  'The records did not answer; the same request may succeed later.':
    'Los registros no respondieron; la misma solicitud puede funcionar más tarde.',
  'The exports do not answer now; the same request may succeed later.':
    'Las exportaciones no responden ahora; la misma solicitud puede funcionar más tarde.',
  'The export has failed. None of its files is complete.': 'La exportación falló. Nada de ella está completo.',
  'The server cannot check the access token now; try again.':
    'Ahora no se puede saber si el token de acceso sigue siendo válido; inténtelo de nuevo.',
  'The server has failed.': 'Algo falló aquí.',
};

const ofSearches: Sentences = {
  'What is referred to was not looked at where it is not in the record of the same patient, or the access token does not open it.':
    'No se miró aquello a lo que se hace referencia si no está en el expediente del mismo paciente o si el token de acceso no da acceso a ello.',
  '{type} has no search parameter "{name}".': '{type} no tiene ningún parámetro de búsqueda «{name}».',
  '{type} takes: {names}': '{type} acepta: {names}',
  '{type} is not indexed by "{name}" here.': 'Aquí {type} no está indexado por «{name}».',
  'The index {name} of {type} has: {names}': 'El índice {name} de {type} tiene: {names}',
  'The search parameter "{name}" of {type} has no modifier "{modifier}".':
    'El parámetro de búsqueda «{name}» de {type} no tiene el modificador «{modifier}».',
  '{name} takes {modifiers}': '{name} acepta {modifiers}',
  '{name} takes no modifier': '{name} no acepta ningún modificador',
  '"{text}" is not a date.': '«{text}» no es una fecha.',
  '"{text}" is not a prefix that dates take here.': '«{text}» no es un prefijo que aquí acepten las fechas.',
  '"{text}" is not a prefix that numbers take.': '«{text}» no es un prefijo que acepten los números.',
  '{forms}, after eq, ne, gt, lt, ge, le, sa, eb, ap or nothing':
    '{forms}, tras eq, ne, gt, lt, ge, le, sa, eb, ap o nada',
  'number, number|system|code or number||code': 'número, número|sistema|código o número||código',
  'YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm[:ss[.fff]][Z|+hh:mm|-hh:mm]':
    'AAAA, AAAA-MM, AAAA-MM-DD o AAAA-MM-DDThh:mm[:ss[.fff]][Z|+hh:mm|-hh:mm]',
  'a number such as 5.4 or 1e2': 'un número como 5.4 o 1e2',
  '"{text}" is not a number and its unit.': '«{text}» no es un número con su unidad.',
  '"{text}" is not a number of at most 18 digits.': '«{text}» no es un número de 18 cifras como máximo.',
  '"{text}" is not a number of matches.': '«{text}» no es un número de resultados.',
  '"{text}" is not a number.': '«{text}» no es un número.',
  '0 or more': '0 o más',
  '"{text}" is not an id.': '«{text}» no es un identificador.',
  '"{text}" is not a token.': '«{text}» no es un código.',
  'code, system|code, |code or system|; a comma, bar, dollar or backslash inside is escaped by \\':
    'código, sistema|código, |código o sistema|; una coma, barra, signo de dólar o barra inversa dentro se escapa con \\',
  '"{text}" has no type and value.': '«{text}» no tiene tipo y valor.',
  '"{name}" has no systems, as in "{text}".': '«{name}» no tiene sistemas, como en «{text}».',
  '"{text}" is neither true nor false.': '«{text}» no es ni true ni false.',
  'true or false': 'true o false',
  'A value of "{name}" is empty.': 'Un valor de «{name}» está vacío.',
  '"{name}" has no value.': '«{name}» no tiene valor.',
  '"{name}" has a control character.': '«{name}» tiene un carácter de control.',
  '"{name}" is there more than once.': '«{name}» aparece más de una vez.',
  '"{name}" does not take that value.': '«{name}» no acepta ese valor.',
  'one of: {values}': 'uno de: {values}',
  '"{name}" is supported with its default alone.': '«{name}» se admite solo con su valor por defecto.',
  '"{name}" takes at most {most} values at once, and has {n}.':
    '«{name}» acepta como máximo {most} valores a la vez, y tiene {n}.',
  'split the list over several searches': 'divida la lista en varias búsquedas',
  'A search takes at most {most} values in all.': 'Una búsqueda acepta como máximo {most} valores en total.',
  'A search takes at most {most} parameters that select.':
    'Una búsqueda acepta como máximo {most} parámetros que seleccionan.',
  'A search takes at most {most} parameters, and this has {n}.':
    'Una búsqueda acepta como máximo {most} parámetros, y esta tiene {n}.',
  'One part of a resource is asked for.': 'Se pide una sola parte de un recurso.',
  '_summary or _elements, once': '_summary o _elements, una vez',
  '"{text}" is not the name of an element.': '«{text}» no es el nombre de un elemento.',
  '{type} cannot be sorted by "{name}".': '{type} no se puede ordenar por «{name}».',
  '{type} sorts by: {names}, each also with - before it':
    '{type} se ordena por: {names}; cada uno también con - delante',
  'A search is sorted by at most {most} parameters.': 'Una búsqueda se ordena por {most} parámetros como máximo.',
  '"{name}" is sorted by more than once.': 'Se ordena por «{name}» más de una vez.',
  '"{text}" is not something that a search on {type} can include.':
    '«{text}» no es algo que una búsqueda de {type} pueda incluir.',
  '{type} includes: {names}': '{type} incluye: {names}',
  'A search includes at most {most} kinds of reference.':
    'Una búsqueda incluye como máximo {most} clases de referencias.',
  '"{name}" cannot be mixed with _summary=text.': '«{name}» no se puede combinar con _summary=text.',
  '"{text}" is not a reference that "{name}" can have.': '«{text}» no es una referencia que «{name}» pueda tener.',
  'an id, or Type/id with one of: {names}': 'un identificador, o Tipo/identificador con uno de: {names}',
  '"{name}" of {type} does not refer to a {other}.': '«{name}» de {type} no se refiere a un {other}.',
  '"{name}" of {type} refers to no "{other}".': '«{name}» de {type} no se refiere a ningún «{other}».',
  'The search parameter "{name}" of {type} is no reference, with which a chain begins.':
    'El parámetro de búsqueda «{name}» de {type} no es una referencia, con la que empieza una cadena.',
  'references of {type}: {names}': 'referencias de {type}: {names}',
  'No resource that "{name}" of {type} refers to has a search parameter "{other}".':
    'Ningún recurso al que se refiere «{name}» de {type} tiene un parámetro de búsqueda «{other}».',
  '{name} refers to: {names}': '{name} se refiere a: {names}',
  'There is no type "{type}", whose resources refer to others.':
    'No existe el tipo «{type}», cuyos recursos se refieran a otros.',
  '{type} has no search parameter "{name}" that refers to {other}.':
    '{type} no tiene ningún parámetro de búsqueda «{name}» que se refiera a {other}.',
  'references of {type} to {other}: {names}': 'referencias de {type} a {other}: {names}',
  'A chain follows at most {most} references.': 'Una cadena sigue como máximo {most} referencias.',
  '"_has" follows at most {most} references.': '«_has» sigue como máximo {most} referencias.',
  'A search on {type} needs one of these parameters: {names}.':
    'Una búsqueda de {type} necesita uno de estos parámetros: {names}.',
  'a patient as {name}=Patient/id': 'un paciente como {name}=Patient/id',
  'The request has a percent sign that encodes nothing.':
    'La solicitud tiene un signo de porcentaje que no codifica nada.',
  'a percent sign itself is written %25': 'un signo de porcentaje se escribe %25',
  'The cursor does not fit: it is bound to its query and to the client, the user and the patient of the token that it came with.':
    'El cursor no corresponde: está ligado a su consulta y al cliente, al usuario y al paciente del token con que llegó.',
  'follow the next link as it is': 'siga el enlace next tal cual',
  '"{text}" is no type that is served here.': '«{text}» no es un tipo que se ofrezca aquí.',
  '$everything has no parameter "{name}".': '$everything no tiene ningún parámetro «{name}».',
  '$lastn needs one of these parameters: {names}.': '$lastn necesita uno de estos parámetros: {names}.',
  '$lastn is about one patient at a time.': '$lastn trata de un paciente a la vez.',
  '$lastn needs the parameter patient or subject.': '$lastn necesita el parámetro patient o subject.',
  'A read has no parameter "{name}".': 'Una lectura no tiene ningún parámetro «{name}».',
  'A search takes at most {most} types.': 'Una búsqueda acepta como máximo {most} tipos.',
  'A search of several types needs patient, which says whose records it means.':
    'Una búsqueda de varios tipos indica con patient de quién son los registros.',
  'The compartment has no resources of these types.': 'El compartimento no tiene recursos de estos tipos.',
  '{type} belongs to no patient, and is searched by itself.':
    '{type} no pertenece a ningún paciente, y se busca por sí solo.',
  'It was left out.': 'Se omitió.',
  'Types were left out, because the access token does not open them.':
    'Se omitieron tipos, porque el token de acceso no les da acceso.',
  'No {type} was looked at: the access token does not open {other}.':
    'No se miró ningún {type}: el token de acceso no da acceso a {other}.',
};

const ofFiles: Sentences = {
  'it is not JSON': 'no es JSON',
  'it is not JSON: {why}': 'no es JSON: {why}',
  'it is not UTF-8: {why}': 'no es UTF-8: {why}',
  'it is not gzip: {why}': 'no es gzip: {why}',
  'it has no resourceType': 'no tiene resourceType',
  'its resourceType is not a string': 'su resourceType no es un texto',
  'resourceType or id comes twice': 'resourceType o id aparece dos veces',
  'it is an array, and no resource': 'es una lista, y no un recurso',
  'it is a string, and no resource': 'es un texto, y no un recurso',
  'it is null, and no resource': 'es null, y no un recurso',
  'it is a boolean, and no resource': 'es un valor booleano, y no un recurso',
  'it is a number, and no resource': 'es un número, y no un recurso',
  'it is not a Bundle': 'no es un Bundle',
  'it is not a Bundle: {why}': 'no es un Bundle: {why}',
  'it is a Bundle in too many Bundles': 'es un Bundle dentro de demasiados Bundles',
  'it is no entry': 'no es una entrada',
  'it is not an object, and no entry': 'no es un objeto, ni una entrada',
  'a member of it comes twice': 'un miembro suyo aparece dos veces',
  'its fullUrl is not a string': 'su fullUrl no es un texto',
  'it deletes a resource, and has one': 'elimina un recurso, y contiene uno',
  'it is the outcome of a request, and no record': 'es el resultado de una solicitud, y no un registro',
  'they are the input or output of an operation, and no record':
    'son la entrada o la salida de una operación, y no un registro',
  'it is faulty, and further faults of the document are not listed':
    'es defectuoso, y los demás defectos del documento no se enumeran',
  '{type} without an id': '{type} sin id',
  '{type} with an id that is none: 1 to 64 of A-Z a-z 0-9 - .':
    '{type} con un id que no lo es: de 1 a 64 caracteres de A-Z a-z 0-9 - .',
  '{record} cannot be read: {why}': '{record} no se puede leer: {why}',
  '{record} comes again with another content, and the last one counts':
    '{record} aparece otra vez con otro contenido, y cuenta el último',
  '{record} belongs to nobody: no entry of its Bundle is {other}':
    '{record} no pertenece a nadie: ninguna entrada de su Bundle es {other}',
  'the member {name} comes twice': 'el miembro {name} aparece dos veces',
  'it is nested more than {most} deep': 'tiene más de {most} niveles anidados',
  'it is longer than {most} bytes': 'tiene más de {most} bytes',
  'it is longer than {most} bytes: divide it': 'tiene más de {most} bytes: divídalo',
  'there are more than {most}: send them as NDJSON': 'hay más de {most}: envíelos como NDJSON',
  '{element} is in the future: {time}. It counts as that of the load':
    '{element} está en el futuro: {time}. Cuenta el de la carga',
  '{element} is no time: {time}. It counts as that of the load':
    '{element} no es una hora: {time}. Cuenta el de la carga',
  // serde_json
  '{why}, at character {at}': '{why}, en el carácter {at}',
  '{why} at line {line} column {column}': '{why}, en la línea {line}, columna {column}',
  'expected value': 'se esperaba un valor',
  'expected ident': 'se esperaba un valor',
  'expected `:`': 'se esperaba `:`',
  'expected `,` or `}`': 'se esperaba `,` o `}`',
  'expected `,` or `]`': 'se esperaba `,` o `]`',
  'key must be a string': 'un nombre debe ser un texto',
  'trailing comma': 'hay una coma de más',
  'trailing characters': 'hay caracteres de más',
  'invalid number': 'número no válido',
  'number out of range': 'número fuera de rango',
  'invalid escape': 'escape no válido',
  'EOF while parsing a value': 'el texto termina en medio de un valor',
  'EOF while parsing a string': 'el texto termina en medio de una cadena',
  'EOF while parsing an object': 'el texto termina en medio de un objeto',
  'EOF while parsing a list': 'el texto termina en medio de una lista',
  'control character (\\u0000-\\u001F) found while parsing a string': 'hay un carácter de control en una cadena',
};

const ofTokens: Sentences = {
  '(none)': '(ninguno)',
  'It is too long for a token.': 'Es demasiado largo para un token.',
  'It is not three parts with dots between them.': 'No son tres partes separadas por puntos.',
  'Its first part is not a JSON object in base64url.': 'Su primera parte no es un objeto JSON en base64url.',
  'Its second part is not a JSON object in base64url.': 'Su segunda parte no es un objeto JSON en base64url.',
  'Its third part is not base64url.': 'Su tercera parte no es base64url.',
  'Three parts: header, claims and signature.': 'Tres partes: encabezado, declaraciones y firma.',
  'The key set has its key, {key}.': 'El conjunto de claves tiene su clave, {key}.',
  'It is signed by {algorithm}; taken is {usual}.': 'Está firmado con {algorithm}; se acepta {usual}.',
  'Its header demands nothing that is not understood.': 'Su encabezado no exige nada que no se entienda.',
  'Its header demands what is not understood: {what}.': 'Su encabezado exige algo que no se entiende: {what}.',
  "Its type is {type}. An access token's is at+jwt.": 'Su tipo es {type}. El de un token de acceso es at+jwt.',
  "Its type is {type}. An identity token's is JWT, or none.":
    'Su tipo es {type}. El de un token de identidad es JWT, o ninguno.',
  'There is no key set: it has no list of keys.': 'No hay un conjunto de claves: no tiene una lista de claves.',
  'The key that it names is for another algorithm than {algorithm}.':
    'La clave que nombra es para otro algoritmo que {algorithm}.',
  'The key set has no key {key}.': 'El conjunto de claves no tiene la clave {key}.',
  'The key set has several keys that it may mean.':
    'El conjunto de claves tiene varias claves a las que puede referirse.',
  'Without its key, the signature cannot be checked.': 'Sin su clave, la firma no se puede comprobar.',
  'The key is not a public key on P-256.': 'La clave no es una clave pública de P-256.',
  'The signature is that of the key over header and claims.':
    'La firma es la de la clave sobre el encabezado y las declaraciones.',
  'The signature is not that of the key: the token was changed, or signed by another.':
    'La firma no es la de la clave: el token fue modificado, o lo firmó otro.',
  'The third part is not a signature of ES256.': 'La tercera parte no es una firma de ES256.',
  'It was issued by {issuer}; expected is {expected}.': 'Lo emitió {issuer}; se espera {expected}.',
  'It is for {audience}; expected is {expected}.': 'Es para {audience}; se espera {expected}.',
  'Its {claim} is not a time.': 'Su {claim} no es una hora.',
  'It does not say since when it is good.': 'No dice desde cuándo es válido.',
  'It is good since {time}.': 'Es válido desde {time}.',
  'It does not say when it ends.': 'No dice cuándo termina.',
  'It ends at {time}, in {n} s.': 'Termina a las {time}, dentro de {n} s.',
  'It ended at {time}, {n} s ago.': 'Terminó a las {time}, hace {n} s.',
};

export const refusals: Sentences = { ...ofRequests, ...ofSearches, ...ofFiles, ...ofTokens };
