//! The search page, and the parts that all pages have: copying, notices, requests.

export const playground = {
  // Parts
  'Copy {what}': 'Copiar {what}',
  '{what} copied': 'Copiado: {what}',
  'Copying is not allowed here: select the text instead': 'Aquí no se permite copiar: seleccione el texto en su lugar',
  'Loading {what}…': 'Cargando {what}…',
  'It was left out when access was given, so nothing was requested.':
    'Se excluyó al dar el acceso, así que no se solicitó nada.',
  'The server could not be reached.': 'No se pudo contactar con el servidor.',
  'This browser answered {status}.': 'Este navegador respondió {status}.',
  'It would be refused with {status}.': 'Se rechazaría con {status}.',
  '{n} match on this page, more follow|{n} matches on this page, more follow':
    '{n} coincidencia en esta página; hay más|{n} coincidencias en esta página; hay más',
  '{n} on this page, more follow': '{n} en esta página; hay más',
  'Next page': 'Página siguiente',
  'this browser': 'este navegador',
  '{n} row read|{n} rows read': '{n} fila leída|{n} filas leídas',
  '… {n} more characters': '… {n} carácter más|… {n} caracteres más',
  'The request': 'La solicitud',
  'The headers of the answer': 'Los encabezados de la respuesta',
  'The answer': 'La respuesta',
  'What this part of the page asked.': 'Lo que solicitó esta parte de la página.',
  'Everything that this page asked, newest first.':
    'Todo lo que solicitó esta página; lo más reciente aparece primero.',
  'Tokens are cut off; set {variable} to your own.': 'Los tokens están recortados; asigne el suyo a {variable}.',
  'Nothing yet.': 'Nada todavía.',

  // The query
  'One engine, in two places: on the server and in this browser.':
    'Un mismo motor en dos lugares: en el servidor y en este navegador.',
  'Ask the server, the sample in this browser, or both, and compare the answers by id and by text.':
    'Consulte el servidor, el ejemplo en este navegador o ambos, y compare las respuestas por identificador y por texto.',
  'Ask your own files, in this browser, as a server would be asked.':
    'Consulte sus propios archivos en este navegador, como se consultaría un servidor.',
  'The sample': 'El ejemplo',
  'Query, below {address}': 'Consulta, bajo {address}',
  'The database is D1. It bills the rows that it reads; each exchange with it takes time.':
    'La base de datos es D1. Cobra las filas que lee; cada intercambio con ella lleva tiempo.',
  'Run on the server': 'Ejecutar en el servidor',
  'Run in this browser': 'Ejecutar en este navegador',
  'Run both': 'Ejecutar en ambos',
  Times: 'Veces',
  'Asked of your files, in this tab alone.': 'Se consultan sus archivos, solo en esta pestaña.',
  'Everything in them is open.': 'Todo lo que contienen está abierto.',
  'Asked with the sandbox’s backend token: {scopes}.':
    'Se consulta con el token de backend del entorno de prueba: {scopes}.',
  'Give it back': 'Devolverlo',
  'Asked with this session’s scopes, on the server and in this browser.':
    'Se consulta con los permisos de esta sesión, en el servidor y en este navegador.',
  'Without a sign-in everything is open in this browser, and nothing on the server.':
    'Sin iniciar sesión, todo está abierto en este navegador, y nada en el servidor.',
  'A run on the server takes the sandbox’s token, unless you gave it back.':
    'Al ejecutar en el servidor se usa el token del entorno de prueba, salvo que lo haya devuelto.',
  'Take the sandbox’s backend token': 'Usar el token de backend del entorno de prueba',
  'Add a parameter': 'Añadir un parámetro',
  'Parameter {number}': 'Parámetro {number}',
  'Value of {name}': 'Valor de {name}',
  'Remove {name}': 'Quitar {name}',
  'Saved examples': 'Ejemplos guardados',
  'One for each row of the contract that finds something in the sample':
    'Uno por cada fila del contrato que encuentra algo en el ejemplo',
  'The contract': 'El contrato',
  'Choose…': 'Elegir…',
  'Run all {n}': 'Ejecutar los {n}',
  'Run all': 'Ejecutar todos',

  // The plan and the cost
  'How it is understood': 'Cómo se interpreta',
  'left out: no scope opens it': 'omitido: ningún permiso lo abre',
  'added by the grant': 'añadido por la autorización',
  Cost: 'Costo',
  'It is measured when the query runs.': 'Se mide cuando se ejecuta la consulta.',
  'The cost of this query where it was run': 'El costo de esta consulta donde se ejecutó',
  'Median of {n}': 'Mediana de {n}',
  'First time': 'Primer tiempo',
  'Rows read in the database': 'Filas leídas en la base de datos',
  'Exchanges with the database': 'Intercambios con la base de datos',
  'none#feminine': 'ninguna',

  // The answers
  'the server': 'el servidor',
  'nothing#count': 'un número desconocido',
  'No answer yet': 'Sin respuesta todavía',
  'To compare with': 'Para comparar',
  'Run the query.': 'Ejecute la consulta.',
  'Run the query, on the server or in this browser.': 'Ejecute la consulta, en el servidor o en este navegador.',
  'Nothing else was run.': 'No se ejecutó nada más.',
  Count: 'Recuento',
  Matches: 'Coincidencias',
  '{found} of {total}': '{found} de {total}',
  Included: 'Incluidos',
  'Show the answer of {name}': 'Mostrar la respuesta que dio {name}',

  // The difference
  'a resource without an id': 'un recurso sin identificador',
  'Both find nothing.': 'Ninguna de las dos encuentra nada.',
  'None in both.': 'Nada en común.',
  'The same {n} resource, in the same order|The same {n} resources, in the same order':
    'El mismo recurso ({n}), en el mismo orden|Los mismos {n} recursos, en el mismo orden',
  '{n} in both': '{n} en ambas',
  '{n} in both, not in the same order': '{n} en ambas, no en el mismo orden',
  '{found}, {n} with different texts.': '{found}, {n} con texto distinto.|{found}, {n} con textos distintos.',
  'Both count {count}. Resources were not asked for.': 'Ambas cuentan {count}. No se pidieron los recursos.',
  '{first} counts {a}, {second} {b}.': '{first} cuenta {a}; {second}, {b}.',
  'Only {name} answers: {why}.': 'Solo responde {name}: {why}.',
  'Neither answers: {first}, {second}.': 'Ninguna responde: {first}, y {second}.',
  '{name} refuses with 401, since no token that it takes opens this':
    '{name} rechaza la consulta con 401, porque ningún token que acepte la permite',
  '{name} refuses with {status}': '{name} rechaza la consulta con {status}',
  '{name} could not be reached': 'no se pudo contactar con {name}',
  'Both refuse with {status}, for the same reason.': 'Ambas son rechazos con {status}, por el mismo motivo.',
  'Both refuse with {status}, and say why in other words.':
    'Ambas son rechazos con {status}, con el motivo en otras palabras.',
  'Their texts are equal.': 'Sus textos son iguales.',
  'Only in the answer of {name}': 'Solo en la respuesta que dio {name}',
  'In both': 'En ambas',
  'Different texts': 'Textos distintos',
  '{found} of {n} match|{found} of {n} matches': '{found} de {n} coincidencia|{found} de {n} coincidencias',

  // The run over all examples
  '{n} row|{n} rows': '{n} fila|{n} filas',
  'Every row of the contract': 'Todas las filas del contrato',
  'Each saved example with both answers': 'Cada ejemplo guardado con ambas respuestas',
  Row: 'Fila',
  Query: 'Consulta',
  Difference: 'Diferencia',
  'Running: {done} of {all}': 'En curso: {done} de {all}',
  '{same} of {all} the same on the server and in this browser, {different} different.':
    '{same} de {all} iguales en el servidor y en este navegador, {different} diferentes.',
  '{answered} of {all} answered in this browser.': '{answered} de {all} con respuesta en este navegador.',
  'Sign in, or take the sandbox’s backend token, to ask the server as well.':
    'Inicie sesión, o use el token de backend del entorno de prueba, para consultar también el servidor.',
} as const;
