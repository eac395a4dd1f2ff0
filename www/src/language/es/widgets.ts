//! The widgets that an assistant shows, the sentences of its tools, and the check of its answers.

const drawn = {
  Answer: 'Respuesta',
  'Waiting for the answer': 'A la espera de la respuesta',
  'There is nothing to draw.': 'No hay nada que dibujar.',
  'The host did not answer.': 'La aplicación del asistente no respondió.',
  'It was cancelled.': 'Se canceló.',
  Back: 'Volver',
  More: 'Más',
  Caution: 'Precaución',
  Quoted: 'Citado',
  'by {name}': 'por {name}',
  'Open the record': 'Abrir el registro',
  Complete: 'Completo',
  'Not complete': 'Incompleto',
  '{shown} of {total}': '{shown} de {total}',
  '{shown} of {total} shown': 'se muestran {shown} de {total}',
  'As of': 'Leído:',
  Past: 'Anteriores',
  '{n} record was entered in error and is not shown.|{n} records were entered in error and are not shown.':
    '{n} registro se introdujo por error y no se muestra.|{n} registros se introdujeron por error y no se muestran.',
  'Over time': 'A lo largo del tiempo',
  'Picture of {name}. The table of values says the same.': 'Gráfico de {name}. La tabla de valores dice lo mismo.',
  'Table of values': 'Tabla de valores',
  'Usual range': 'Intervalo habitual',
  Lowest: 'Mínimo',
  Highest: 'Máximo',
  Mean: 'Media',
  First: 'Primero',
  up: 'sube',
  down: 'baja',
  unchanged: 'sin cambios',
  'since {date}#a value': 'desde el {date}',
  '{n} value|{n} values': '{n} valor|{n} valores',
  '{n} outside of the range': '{n} fuera del intervalo',
  '{n} only a bound|{n} only bounds': '{n} solo como límite',
  '{n} without a date': '{n} sin fecha',
  '{n} entered in error': '{n} por error',
  'By period': 'Por periodo',
  'By month': 'Por mes',
  'By year': 'Por año',
  '{n} older period is left out.|{n} older periods are left out.':
    'Se omite {n} periodo anterior.|Se omiten {n} periodos anteriores.',
  '{n} value is of no period.|{n} values are of no period.':
    '{n} valor no es de ningún periodo.|{n} valores no son de ningún periodo.',
} as const;

const sentences = {
  'No current {name} among the {types} records that this app may see, which does not mean none.':
    'Nada actual ({name}) entre los registros {types} que esta aplicación puede ver; no significa que no haya.',
  'This app may not see such records.': 'Esta aplicación no puede ver esos registros.',
  'An entry says that no {names} are known, beside entries that name some.':
    'Una entrada dice que no se conocen {names}, junto a otras que dicen lo contrario.',
  'Not open to this app: {types}.': 'No abierto a esta aplicación: {types}.',
  '{count} facts that are past: ask with query.': '{count} datos anteriores: pregunte al asistente por ellos (query).',
  '{count} facts that did not fit: ask with query or trend.':
    '{count} datos que no cupieron: pregunte al asistente por ellos (query o trend).',
  'Records or tests beyond the first 1,000, or visits beyond the newest 50.':
    'Registros o pruebas después de los primeros 1000, o visitas anteriores a las 50 más recientes.',
  'No number with a date, in this period, among the results that this app may see.':
    'Ningún número con fecha, en este periodo, entre los resultados que esta aplicación puede ver.',
  '{count} older points that did not fit; they are in n, lowest, highest and mean.':
    '{count} valores anteriores que no cupieron; cuentan en el número de valores, el mínimo, el máximo y la media.',
  '{count} older points that did not fit.': '{count} valores anteriores que no cupieron.',
  'Results beyond the newest 1,000: ask with since and until.':
    'Resultados anteriores a los 1000 más recientes: pregunte por un periodo (since y until).',
  'Results that are no number: {count}. Ask with query.':
    'Resultados que no son un número: {count}. Pregúntelos con query.',
  'Records without the date "{name}".': 'Registros sin la fecha «{name}».',
  'Malformed records that cannot be read: {count}.': 'Registros mal formados que no se pueden leer: {count}.',
  'Their JSON: fetch with raw {addresses}.': 'Su JSON: pregunte al asistente por ellos (fetch con raw): {addresses}.',
} as const;

/** Checking the answer of an assistant. */
const receipts = {
  'Check an answer': 'Comprobar una respuesta',
  'Did the assistant repeat what the record says?': '¿Repitió el asistente lo que dice el expediente?',
  'Each number and date is compared with the receipts that came with its answers.':
    'Cada número y cada fecha se compara con los recibos que acompañaron sus respuestas.',
  'This happens in this browser: no text is sent, and no model is asked.':
    'Ocurre en este navegador: no se envía ningún texto ni se pregunta a ningún modelo.',
  'What the assistant wrote': 'Lo que escribió el asistente',
  Receipts: 'Recibos',
  'Ask the assistant for the receipts of its tools, or copy the results of the tools whole.':
    'Pida al asistente los recibos de sus herramientas o copie enteros los resultados de estas.',
  'A receipt tells what the record says: treat it like the record.':
    'Un recibo dice lo que consta en el expediente: trátelo como tal.',
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
  'Only numbers and dates are compared, by the name before them.':
    'Solo se comparan números y fechas, según el nombre que los precede.',
  'Words such as “high” or “stopped” are not.': 'No se comparan palabras como «alto» o «suspendido».',
  '{n} fact did not fit into the receipts.|{n} facts did not fit into the receipts.':
    '{n} dato no cupo en los recibos.|{n} datos no cupieron en los recibos.',
  'Look whether the records have changed since': 'Ver si los datos han cambiado desde entonces',
  'No record has changed since.': 'Ningún dato ha cambiado desde entonces.',
  'Changed since:': 'Cambió desde entonces:',
} as const;

export const widgets = { ...drawn, ...sentences, ...receipts } as const;
