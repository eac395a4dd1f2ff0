//! Checking the answer of an assistant.

export const receipts = {
  'Check an answer': 'Comprobar una respuesta',
  'Did the assistant repeat what the record says? Each number and date is compared with the receipts that came with its answers.':
    '¿Repitió el asistente lo que dice el expediente? Cada número y cada fecha se compara con los recibos que acompañaron sus respuestas.',
  'This happens in this browser: no text is sent, and no model is asked.':
    'Ocurre en este navegador: no se envía ningún texto ni se pregunta a ningún modelo.',
  'What the assistant wrote': 'Lo que escribió el asistente',
  Receipts: 'Recibos',
  'Ask the assistant for the receipts of its tools, or copy the results of the tools whole. A receipt tells what the record says: treat it like the record.':
    'Pida al asistente los recibos de sus herramientas o copie enteros los resultados de estas. Un recibo dice lo que consta en el expediente: trátelo como tal.',
  Check: 'Comprobar',
  'There is no receipt in these texts.': 'No hay ningún recibo en estos textos.',
  'A receipt cannot be read.': 'Un recibo no se puede leer.',
  'A receipt is of another server, or signed with a key that this server no longer has.':
    'Un recibo es de otro servidor o está firmado con una clave que este servidor ya no tiene.',
  'A receipt was changed: its signature is wrong.': 'Un recibo fue modificado: su firma no es válida.',
  'in the record': 'consta en el expediente',
  'another value': 'otro valor',
  'not there': 'no consta',
  'not judged': 'no comprobado',
  'The record: {known}': 'El expediente: {known}',
  'Only numbers and dates are compared, by the name before them. Words such as “high” or “stopped” are not.':
    'Solo se comparan números y fechas, según el nombre que los precede. No se comparan palabras como «alto» o «suspendido».',
  '{n} fact did not fit into the receipts.|{n} facts did not fit into the receipts.':
    '{n} dato no cupo en los recibos.|{n} datos no cupieron en los recibos.',
  'Look whether the records have changed since': 'Ver si los datos han cambiado desde entonces',
  'No record has changed since.': 'Ningún dato ha cambiado desde entonces.',
  'Changed since:': 'Cambió desde entonces:',
} as const;
