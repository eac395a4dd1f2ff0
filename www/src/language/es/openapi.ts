//! Descriptions of the interface, which the server gives in English. Not part of the catalogue: the reference alone
//! fetches them.

import type { Sentences } from '../sentences.ts';

const ofTypes: Sentences = {
  'Searches {type}': 'Busca {type}',
  'Searches {type}, with parameters that stay out of the address':
    'Busca {type}, con parámetros que no aparecen en la dirección',
  'Reads a version of a {type}': 'Lee una versión de un {type}',
  'Reads a {type}': 'Lee un {type}',
  'Needs no parameter.': 'No necesita ningún parámetro.',
  'Needs one of {names}.': 'Necesita uno de {names}.',
  "Under a patient's token, the patient is the token's where none is named.":
    'Con el token de un paciente, si no se nombra ninguno, es el paciente del token.',
  "Under a patient's token, that of the token where none is named.":
    'Con el token de un paciente, el del token si no se nombra ninguno.',
  'Looks at {elements} of one instance.': 'Mira {elements} de una misma instancia.',
  'Looks at {elements}.': 'Mira {elements}.',
  'It refers to: {types}.': 'Se refiere a: {types}.',
  'Its codes are of {system}.': 'Sus códigos son de {system}.',
  'They are those of the Practitioner that `practitioner` refers to.':
    'Son los del Practitioner al que se refiere `practitioner`.',
  'By {names}; each also with - before it.': 'Por {names}; cada uno también con - delante.',
  'What the matches refer to: `*`, or one of {names}, perhaps with the type of the target behind it.':
    'A qué se refieren los resultados: `*`, o uno de {names}, quizá con el tipo del destino detrás.',
  'With `_include:iterate` also what included resources refer to.':
    'Con `_include:iterate`, también a qué se refieren los recursos incluidos.',
  'What refers to the matches: a type and a parameter of it, such as `Provenance:target`.':
    'Qué se refiere a los resultados: un tipo y un parámetro suyo, como `Provenance:target`.',
  'With `_revinclude:iterate` also what refers to included resources.':
    'Con `_revinclude:iterate`, también qué se refiere a los recursos incluidos.',
  'The current version is kept alone; another one is 404.': 'Se conserva solo la versión actual; otra da 404.',
  'As GET.': 'Como GET.',
  'Parameters may stand in the address too.': 'Los parámetros pueden estar también en la dirección.',
  'Parameters may stand in the address, in a form, or in a Parameters resource.':
    'Los parámetros pueden estar en la dirección, en un formulario o en un recurso Parameters.',
};

const ofKinds: Sentences = {
  'A canonical address, with or without `|version`.': 'Una dirección canónica, con `|versión` o sin ella.',
  'A decimal of at most 18 digits, after {prefixes} or nothing.':
    'Un decimal de 18 cifras como máximo, tras {prefixes} o nada.',
  'It is as precise as it is written: `1.0` is from 0.95 to 1.05.':
    'Es tan preciso como se escribe: `1.0` va de 0.95 a 1.05.',
  'A dollar in a value is written `\\$`.': 'Un signo de dólar en un valor se escribe `\\$`.',
  'A phone number, compared by its digits, or another contact, compared as a whole without regard to case and accents.':
    'Un número de teléfono, comparado por sus cifras, u otro contacto, comparado entero sin distinguir mayúsculas ni acentos.',
  'A text, compared as a whole without regard to case.': 'Un texto, comparado entero sin distinguir mayúsculas.',
  'A value of each part in its own form, with `$` between them: all in one instance of the element.':
    'Un valor de cada parte en su propia forma, con `$` entre ellos: todos en una misma instancia del elemento.',
  'A year, month, day or time, after {prefixes} or nothing.': 'Un año, mes, día u hora, tras {prefixes} o nada.',
  'Without a zone it is UTC.': 'Sin zona horaria es UTC.',
  'An address, compared exactly.': 'Una dirección, comparada exactamente.',
  'Both compare exactly.': 'Ambos se comparan exactamente.',
  'Codes compare without regard to case, systems exactly.':
    'Los códigos se comparan sin distinguir mayúsculas; los sistemas, exactamente.',
  'Codes compare without regard to case.': 'Los códigos se comparan sin distinguir mayúsculas.',
  'It takes no `:identifier` and no `:missing`.': 'No acepta `:identifier` ni `:missing`.',
  'Matches on a page.': 'Resultados en una página.',
  'The logical id.': 'El identificador lógico.',
  'Units of UCUM that are commensurable are converted.': 'Las unidades de UCUM que se pueden comparar se convierten.',
  'What a word begins with, without regard to case, accents and the spelling of spaces, hyphens and apostrophes.':
    'Cómo empieza una palabra, sin distinguir mayúsculas, acentos ni la escritura de espacios, guiones y apóstrofos.',
  'With `.parameter` or `:Type.parameter` after the name, a value of a parameter of the resource that it refers to, in the same record or in the directory.':
    'Con `.parameter` o `:Type.parameter` tras el nombre, un valor de un parámetro del recurso al que se refiere, en el mismo expediente o en el directorio.',
  'With `:below` after the name, it and those that begin with it and another segment; with `:above`, it and those that it begins with so.':
    'Con `:below` tras el nombre, ella y las que empiezan por ella y otro segmento; con `:above`, ella y aquellas con las que ella empieza así.',
  'With `:below` after the name, those that begin with it and a segment of a path or a version.':
    'Con `:below` tras el nombre, las que empiezan por ella y un segmento de una ruta o una versión.',
  'With `:contains` after the name, what stands anywhere; with `:exact`, the whole as it is written.':
    'Con `:contains` tras el nombre, lo que está en cualquier lugar; con `:exact`, el texto entero tal como está escrito.',
  'With `:identifier` after the name, the identifier by which it refers.':
    'Con `:identifier` tras el nombre, el identificador con el que se refiere.',
  'With `:missing` after the name, `true` or `false`: whether there is no such element.':
    'Con `:missing` tras el nombre, `true` o `false`: si falta ese elemento.',
  'With `:not`, none of them.': 'Con `:not`, ninguno de ellos.',
  'With `:not`, not this one.': 'Con `:not`, este no.',
  'With `:of-type`, `system|code|value`: the type and the value.':
    'Con `:of-type`, `system|code|value`: el tipo y el valor.',
  'With `:text`, what a word of a text or display begins with.':
    'Con `:text`, cómo empieza una palabra de un texto o de una descripción.',
  'With `:text`, what a word of the text of the type begins with.':
    'Con `:text`, cómo empieza una palabra del texto del tipo.',
  'With the name of a target type after the name, of that type.':
    'Con el nombre de un tipo de destino tras el nombre, de ese tipo.',
  '`code`, `system|code`, `|code` (in no system) or `system|` (any code).':
    '`code`, `system|code`, `|code` (sin sistema) o `system|` (cualquier código).',
  "`code`, or `system|code` with the system that the element's binding implies.":
    '`code`, o `system|code` con el sistema que implica el elemento.',
  '`id`, `Type/id`, or that below the FHIR base.': '`id`, `Type/id`, o eso mismo debajo de la base de FHIR.',
  '`number`, `number|system|code`, `number||code` (a code or the name of a unit) or `number|system|` (any code); the number is a decimal of at most 18 digits, after {prefixes} or nothing.':
    '`number`, `number|system|code`, `number||code` (un código o el nombre de una unidad) o `number|system|` (cualquier código); el número es un decimal de 18 cifras como máximo, tras {prefixes} o nada.',
  '`true` or `false`.': '`true` o `false`.',
  '`value`, `system|value`, `|value` (in no system) or `system|` (any value).':
    '`value`, `system|value`, `|value` (sin sistema) o `system|` (cualquier valor).',
};

const ofSearches: Sentences = {
  'Searches and reads by id; nothing can be written.': 'Busca, y lee por identificador; no se puede escribir nada.',
  'HEAD answers as GET does, without a body.': 'HEAD responde como GET, sin cuerpo.',
  'In a query a comma is OR, and a repeated parameter is AND.':
    'En una consulta, una coma es O, y un parámetro repetido es Y.',
  '`_has:Type:reference:parameter` finds what a resource in the same record refers to that has a value of the parameter.':
    '`_has:Type:reference:parameter` encuentra aquello a lo que se refiere un recurso del mismo expediente que tiene un valor del parámetro.',
  'Results come newest first, by the clinical date of their type.':
    'Los resultados vienen del más reciente al más antiguo, por la fecha clínica de su tipo.',
  'A parameter that a type does not have is refused, or ignored under `Prefer: handling=lenient`.':
    'Un parámetro que un tipo no tiene se rechaza, o se ignora con `Prefer: handling=lenient`.',
  'Resources are described by FHIR itself: <https://hl7.org/fhir/R4/>.':
    'Los recursos los describe el propio FHIR: <https://hl7.org/fhir/R4/>.',
  'An app is registered beforehand by whoever runs the server, with the members of `x-registration` of this document: a client_id, its kind and keys, its addresses, and the scopes that it may ask for.':
    'Una aplicación la registra antes quien opera el servidor, con los miembros de `x-registration` de este documento: un client_id, su clase y sus claves, sus direcciones y los permisos que puede pedir.',
  "Searches several types of patients' records": 'Busca varios tipos de registros de pacientes',
  "Takes the parameters that each of the types has, and needs `patient`, but under a patient's token.":
    'Acepta los parámetros que tiene cada uno de los tipos, y necesita `patient`, salvo con el token de un paciente.',
  'Takes the parameters that each of the types has.': 'Acepta los parámetros que tiene cada uno de los tipos.',
  'Types come one after the other.': 'Los tipos vienen uno tras otro.',
  'A form goes to {address} behind it.': 'Un formulario va a {address} detrás de ella.',
  'A form goes to {address}.': 'Un formulario va a {address}.',
  'Searches all types in the compartment of a patient': 'Busca todos los tipos en el compartimento de un paciente',
  '`/fhir/r4/Patient/<id>/<Type>` searches one type with all its parameters, and so does `/<Type>/<id>/<Type>` in the compartment of a Device, an Encounter, a Practitioner or a RelatedPerson.':
    '`/fhir/r4/Patient/<id>/<Type>` busca un tipo con todos sus parámetros, y lo mismo `/<Type>/<id>/<Type>` en el compartimento de un Device, un Encounter, un Practitioner o un RelatedPerson.',
  'The record of a patient': 'El expediente de un paciente',
  'The record of a patient, with parameters that stay out of the address':
    'El expediente de un paciente, con parámetros que no aparecen en la dirección',
  'The record of the patient of the token': 'El expediente del paciente del token',
  'The record of the patient of the token, with parameters that stay out of the address':
    'El expediente del paciente del token, con parámetros que no aparecen en la dirección',
  'Resources come type by type, the Patient first.': 'Los recursos vienen tipo por tipo, primero el Patient.',
  'Beside them stand those of the directory that they refer to, two references deep.':
    'Junto a ellos están los del directorio a los que se refieren, hasta dos referencias.',
  'An entry `outcome` names the types that the token does not open.':
    'Una entrada `outcome` nombra los tipos a los que el token no da acceso.',
  'As for `/fhir/r4/Patient/{id}/$everything`, with the patient of the token.':
    'Como `/fhir/r4/Patient/{id}/$everything`, con el paciente del token.',
  'The newest observations of each code': 'Las observaciones más recientes de cada código',
  'The newest observations of each code, with parameters that stay out of the address':
    'Las observaciones más recientes de cada código, con parámetros que no aparecen en la dirección',
  'Needs `category` or `code`, and takes the other parameters of a search of Observation but `_sort`.':
    'Necesita `category` o `code`, y acepta los demás parámetros de una búsqueda de Observation salvo `_sort`.',
  'The number of observations of each code.': 'El número de observaciones de cada código.',
  'The patient.': 'El paciente.',
  'The same as `patient`.': 'Lo mismo que `patient`.',
  'The earliest date of care: what ended before it is left out.':
    'La fecha de atención más temprana: lo que terminó antes se omite.',
  'What has no clinical date stays.': 'Lo que no tiene fecha clínica se queda.',
  'The latest date of care: what started after it is left out.':
    'La fecha de atención más tardía: lo que empezó después se omite.',
  'The time since which resources have changed, by `meta.lastUpdated`.':
    'El momento desde el que cambiaron los recursos, según `meta.lastUpdated`.',
  'The wanted types.': 'Los tipos que se quieren.',
  'Where a page begins.': 'Dónde empieza una página.',
  'It comes in `next` links, which are followed as they are.': 'Viene en enlaces `next`, que se siguen tal cual.',
  'JSON is all there is.': 'Solo hay JSON.',
  'Counts before `Accept`.': 'Cuenta antes que `Accept`.',
  'Whether the answer is indented.': 'Si la respuesta va con sangría.',
  'Whether matches are counted over all pages.': 'Si los resultados se cuentan en todas las páginas.',
  'Where nothing is said, `total` is there if the page holds everything.':
    'Si no se indica nada, `total` está si la página lo contiene todo.',
  'The elements that are wanted of the matches, beside those that a resource cannot lack.':
    'Los elementos que se quieren de los resultados, además de los que no pueden faltar en un recurso.',
  'Not beside a summary.': 'No junto con un resumen.',
  'Resources that others contain are not found by themselves.':
    'Los recursos contenidos en otros no se encuentran por sí solos.',
  'Whether such a search finds what contains the resource. It is the only value.':
    'Indica si esa búsqueda encuentra lo que contiene el recurso. Es el único valor.',
  '`count`: the number of matches alone, of a search.': '`count`: solo el número de resultados de una búsqueda.',
  '`data`: all but the narrative.': '`data`: todo menos la narrativa.',
  '`text`: the narrative, without includes.': '`text`: la narrativa, sin inclusiones.',
  '`true`: the elements of a summary.': '`true`: los elementos de un resumen.',
  '`handling=lenient`: parameters that a type does not have are ignored, and the answer says so.':
    '`handling=lenient`: los parámetros que un tipo no tiene se ignoran, y la respuesta lo dice.',
  '`handling=strict`: an include of types that the token does not all open is refused, and not left out.':
    '`handling=strict`: una inclusión de tipos a los que el token no da acceso se rechaza, y no se omite.',
  '`meta.versionId` of the resource, as in its `ETag`.': '`meta.versionId` del recurso, como en su `ETag`.',
  'The `ETag` of what is there already.': 'El `ETag` de lo que ya se tiene.',
};

const ofSignIn: Sentences = {
  'The CapabilityStatement': 'El CapabilityStatement',
  'How an app finds the authorization server': 'Cómo encuentra una aplicación el servidor de autorización',
  'The service base URLs: a Bundle of Endpoint and Organization (45 CFR 170.404(b)(2))':
    'Las direcciones base del servicio: un Bundle de Endpoint y Organization (45 CFR 170.404(b)(2))',
  '404 where none are configured.': '404 si no hay ninguna configurada.',
  'The authorization server, as OpenID Connect describes it':
    'El servidor de autorización, como lo describe OpenID Connect',
  'The authorization server, as RFC 8414 describes it': 'El servidor de autorización, como lo describe RFC 8414',
  'Where an app sends its user, who signs in, picks a patient and consents':
    'Adonde una aplicación envía a su usuario, que inicia sesión, elige un paciente y da su consentimiento',
  'What is wrong with the app or with the address to come back to is said on a page; everything else by a redirect to there, with `error`, `error_description`, `state` and `iss`.':
    'Lo que está mal en la aplicación o en la dirección de regreso se dice en una página; todo lo demás, con una redirección a ella, con `error`, `error_description`, `state` e `iss`.',
  'Consent leads there with `code`, `state` and `iss`.': 'El consentimiento lleva allí con `code`, `state` e `iss`.',
  'A code is good once, for 60 seconds.': 'Un código sirve una sola vez, durante 60 segundos.',
  "One of the app's registration, exactly.": 'Una de las del registro de la aplicación, exactamente.',
  'Scopes, separated by blanks.': 'Permisos, separados por espacios.',
  'Those that the app is not approved for are left out.': 'Los que la aplicación no tiene aprobados se omiten.',
  'Without it, all of its registration.': 'Si falta, todos los de su registro.',
  'Comes back as it is.': 'Vuelve tal cual.',
  'The address of the FHIR base.': 'La dirección de la base de FHIR.',
  'PKCE (RFC 7636).': 'PKCE (RFC 7636).',
  'A public client needs it.': 'Un cliente público lo necesita.',
  'The handle of a launch by an EHR, with the scope `launch`.':
    'El identificador de un inicio desde un sistema de expedientes, con el permiso `launch`.',
  'Comes back in the identity token.': 'Vuelve en el token de identidad.',
  '`none`: show nothing, and say what would have to be shown.':
    '`none`: no mostrar nada, y decir lo que habría que mostrar.',
  '`login`, `consent`: show it though it was done before.': '`login`, `consent`: mostrarlo aunque ya se haya hecho.',
  'The name of who will probably sign in; it stands in the form.':
    'El nombre de quien probablemente iniciará sesión; aparece en el formulario.',
  'The same, with the parameters as a form': 'Lo mismo, con los parámetros como formulario',
  'An access token for a code, for a refresh token, or for a client that acts for itself':
    'Un token de acceso por un código, por un token de renovación, o para un cliente que actúa por sí mismo',
  'A client with a secret sends it by HTTP Basic; one with a key pair sends a signed `client_assertion`; a public one says its `client_id`.':
    'Un cliente con un secreto lo envía por HTTP Basic; uno con un par de claves envía una `client_assertion` firmada; uno público dice su `client_id`.',
  'The code.': 'El código.',
  'With a code: as at authorize.': 'Con un código: como en la autorización.',
  'With a code: what its challenge was made of.': 'Con un código: aquello de lo que se hizo su desafío.',
  'The refresh token.': 'El token de renovación.',
  'It is good once; the answer has the next.': 'Sirve una sola vez; la respuesta trae el siguiente.',
  'With a refresh token: the same or less.': 'Con un token de renovación: los mismos o menos.',
  'For a client itself: all that it is approved for, where it is missing.':
    'Para un cliente por sí mismo: todos aquellos para los que está aprobado, si falta.',
  'The client.': 'El cliente.',
  'One that proves itself otherwise need not say it.': 'Uno que se identifica de otro modo no tiene que indicarlo.',
  'A JWT (RFC 7523) with `iss` and `sub` the client, `aud` the address of the token endpoint or the issuer, `jti`, and `exp` within five minutes; signed by RS384 or ES384 with a registered key.':
    'Un JWT (RFC 7523) con el cliente en `iss` y `sub`, la dirección del punto de tokens o el emisor en `aud`, `jti`, y `exp` dentro de cinco minutos; firmado con RS384 o ES384 y una clave registrada.',
  'What a token is worth (RFC 7662)': 'Qué vale un token (RFC 7662)',
  'A client asks about its own tokens; one that is registered for it asks about all.':
    'Un cliente pregunta por sus propios tokens; uno registrado para ello pregunta por todos.',
  'It proves itself as at the token endpoint, or by an access token of its own.':
    'Se identifica como en el punto de tokens, o con un token de acceso propio.',
  'Gives a token back (RFC 7009)': 'Devuelve un token (RFC 7009)',
  'All that stems from the same authorization ends with it, at once.':
    'Todo lo que procede de la misma autorización termina con él, de inmediato.',
  'A token that is not known is as good as given back.': 'Un token desconocido se da por devuelto.',
  'An access token or a refresh token.': 'Un token de acceso o de renovación.',
  'Where a person sees what apps may do, and withdraws it':
    'Donde una persona ve lo que pueden hacer las aplicaciones, y lo retira',
  'Where an EHR makes a launch of an app (SMART App Launch)':
    'Donde un sistema de expedientes inicia una aplicación (SMART App Launch)',
  'With an access token of a backend client that acts for itself and is registered with the scope `launch`.':
    'Con un token de acceso de un cliente de servidor que actúa por sí mismo y está registrado con el permiso `launch`.',
  'The app.': 'La aplicación.',
  'Who works in the EHR, by the name to sign in with.':
    'Quién trabaja en el sistema de expedientes, con el nombre de su inicio de sesión.',
  'The id of the patient whose chart is open.': 'El identificador del paciente cuyo expediente está abierto.',
  'The id of the encounter that is open: one of that patient.':
    'El identificador de la consulta que está abierta: una de ese paciente.',
  'What the app is to do.': 'Qué debe hacer la aplicación.',
  'It comes back in the token response.': 'Vuelve en la respuesta con el token.',
  'false where the EHR shows who the patient is.': 'false si el sistema de expedientes muestra quién es el paciente.',
  'Where an app sends its user to sign out (OpenID Connect RP-Initiated Logout 1.0)':
    'Adonde una aplicación envía a su usuario para cerrar la sesión (OpenID Connect RP-Initiated Logout 1.0)',
  'Also by POST.': 'También por POST.',
  'With an identity token of the session that is open in the browser the user is signed out at once, else asked first.':
    'Con un token de identidad de la sesión abierta en el navegador, la sesión se cierra de inmediato; si no, se pregunta antes.',
  'The identity token of the user; it may have expired.': 'El token de identidad del usuario; puede haber caducado.',
  'The style of this server for apps (SMART App Launch, `smart_style_url`)':
    'El estilo de este servidor para aplicaciones (SMART App Launch, `smart_style_url`)',
  'At the address that a token response has.': 'En la dirección que trae la respuesta con el token.',
  'Other contents have another address.': 'Otro contenido tiene otra dirección.',
  'The keys that tokens are signed with': 'Las claves con que se firman los tokens',
};

const ofFiles: Sentences = {
  'Sends records, which are loaded in the background': 'Envía registros, que se cargan en segundo plano',
  'For clients of the kind `ingest`, with the scope `system/*.write`.':
    'Para clientes de la clase `ingest`, con el permiso `system/*.write`.',
  'The body may be compressed (`Content-Encoding: gzip`), and needs a `Content-Length`.':
    'El cuerpo puede ir comprimido (`Content-Encoding: gzip`), y necesita un `Content-Length`.',
  'The FHIR base of the server that the records come from.':
    'La base de FHIR del servidor del que vienen los registros.',
  'Absolute references below it are those of this server.':
    'Las referencias absolutas debajo de ella son las de este servidor.',
  'A request with the same key is the same job.': 'Una solicitud con la misma clave es el mismo trabajo.',
  'The progress and the faults of a job': 'El avance y los fallos de un trabajo',
  'For the client that sent the file.': 'Para el cliente que envió el archivo.',
  '202 while the job goes on.': '202 mientras el trabajo sigue.',
  'Begins an export of all records (Bulk Data Access)':
    'Comienza una exportación de todos los registros (Bulk Data Access)',
  'Begins an export of all records, with parameters in a resource':
    'Comienza una exportación de todos los registros, con parámetros en un recurso',
  'Begins an export of the records of all patients (Bulk Data Access)':
    'Comienza una exportación de los registros de todos los pacientes (Bulk Data Access)',
  'Begins an export of the records of all patients, with parameters in a resource':
    'Comienza una exportación de los registros de todos los pacientes, con parámetros en un recurso',
  'Begins an export of the records of the members of a group (Bulk Data Access)':
    'Comienza una exportación de los registros de los miembros de un grupo (Bulk Data Access)',
  'Begins an export of the records of the members of a group, with parameters in a resource':
    'Comienza una exportación de los registros de los miembros de un grupo, con parámetros en un recurso',
  'What the token opens, whether it belongs to patients or not.':
    'Aquello a lo que da acceso el token, pertenezca a pacientes o no.',
  'What belongs to patients, and what of the directory these refer to.':
    'Lo que pertenece a pacientes, y aquello del directorio a lo que se refiere.',
  'What belongs to the members, and what of the directory these refer to.':
    'Lo que pertenece a los miembros, y aquello del directorio a lo que se refiere.',
  'For clients that act for themselves, with `system/` scopes.':
    'Para clientes que actúan por sí mismos, con permisos `system/`.',
  '404 where the deployment exports nothing.': '404 si la instalación no exporta nada.',
  'For clients that act for themselves with the scope `metrics`.':
    'Para clientes que actúan por sí mismos con el permiso `metrics`.',
  'The parameters are those of GET, in a Parameters resource.':
    'Los parámetros son los de GET, en un recurso Parameters.',
  '`patient` names patients, by a reference each.': '`patient` nombra pacientes, cada uno con una referencia.',
  'The format of the files.': 'El formato de los archivos.',
  'Resources that have changed after this instant.': 'Los recursos que cambiaron después de este momento.',
  'Resources that have changed before this instant.': 'Los recursos que cambiaron antes de este momento.',
  'The elements that go out, as `element` or `Type.element`, beside those that a resource cannot lack.':
    'Los elementos que salen, como `element` o `Type.element`, además de los que no pueden faltar en un recurso.',
  'Searches of which what they find goes out; several of one type are alternatives.':
    'Búsquedas de las que sale lo que encuentran; varias de un mismo tipo son alternativas.',
  'They are written as `Type?parameter=value`, encoded, without `patient`, chains and what shapes an answer.':
    'Se escriben como `Type?parameter=value`, codificadas, sin `patient`, sin cadenas y sin lo que da forma a la respuesta.',
  'Goes by all that it is about.': 'Se rige por todo aquello de lo que trata.',
  'Files of blocks, each of one patient, and not of one type.':
    'Archivos de bloques, cada uno de un paciente, y no de un tipo.',
  'It is taken, and changes nothing: the list of files comes when it is complete.':
    'Se acepta y no cambia nada: la lista de archivos llega cuando está completa.',
  'The progress of an export, and the list of its files': 'El avance de una exportación, y la lista de sus archivos',
  'For the client that began it.': 'Para el cliente que la comenzó.',
  '202 while it goes on.': '202 mientras sigue.',
  'Cancels an export, or deletes it with its files': 'Cancela una exportación, o la elimina con sus archivos',
  'A file of an export': 'Un archivo de una exportación',
  'NDJSON, a resource a line; with gzip where `Accept-Encoding` takes it.':
    'NDJSON, un recurso por línea; con gzip si `Accept-Encoding` lo acepta.',
  'Each encoding has an `ETag` and ranges of its own.': 'Cada codificación tiene su propio `ETag` y sus rangos.',
  'The token needs a scope for the type.': 'El token necesita un permiso para el tipo.',
  'One range of bytes.': 'Un rango de bytes.',
  'Counts and backlog, as Prometheus reads them': 'Recuentos y trabajo pendiente, como los lee Prometheus',
  'The counts are those of one isolate.': 'Los recuentos son los de un solo proceso.',
};

const answers: Sentences = {
  'The CapabilityStatement.': 'El CapabilityStatement.',
  'JSON.': 'JSON.',
  'The Bundle.': 'El Bundle.',
  'The token.': 'El token.',
  'The file.': 'El archivo.',
  'The range.': 'El rango.',
  'The resource.': 'El recurso.',
  'The metrics.': 'Las métricas.',
  'A page for the user.': 'Una página para el usuario.',
  'A page of matches and of what they include.': 'Una página de resultados y de lo que incluyen.',
  'Back to the app.': 'De vuelta a la aplicación.',
  'No, and why (RFC 6749, section 5.2).': 'No, y por qué (RFC 6749, sección 5.2).',
  'It has not changed.': 'No ha cambiado.',
  'It is complete.': 'Está completa.',
  'It is gone.': 'Ya no está.',
  'It is over.': 'Se acabó.',
  'It goes on.': 'Sigue.',
  'It was accepted.': 'Se aceptó.',
  'The job goes on.': 'El trabajo sigue.',
  'The job has ended.': 'El trabajo ha terminado.',
  "The handle, and the address to open in the user's browser where the app registered one.":
    'El identificador, y la dirección que hay que abrir en el navegador del usuario si la aplicación registró una.',
  '`active`, and nothing else where it is false.': '`active`, y nada más si es false.',
  'The request is not one that can be answered; each issue says why.':
    'La solicitud no se puede responder; cada aviso dice por qué.',
  'There is no token, it is not good, or it does not open this.': 'No hay token, no es válido, o no da acceso a esto.',
  "There is no such resource within the token's reach.": 'No existe tal recurso al alcance del token.',
  'Another form than JSON is wanted.': 'Se quiere un formato distinto de JSON.',
  'There is no Content-Length.': 'No hay Content-Length.',
  'The body is too long.': 'El cuerpo es demasiado largo.',
  'The body is not a form.': 'El cuerpo no es un formulario.',
  'The file has none of these bytes.': 'El archivo no tiene ninguno de esos bytes.',
  'Too many tokens come from one network.': 'Llegan demasiados tokens de una misma red.',
  'The records did not answer, or something broke.': 'Los registros no respondieron, o algo falló.',
  "The server cannot check now whether the token's grant is active.":
    'Ahora no se puede saber si la autorización del token está vigente.',
};

export const openApi: Sentences = { ...ofTypes, ...ofKinds, ...ofSearches, ...ofSignIn, ...ofFiles, ...answers };
