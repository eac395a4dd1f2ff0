//! The widgets that an assistant shows, and the sentences of its tools.

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
  'An entry says that no allergy is known, beside allergies.':
    'Una entrada dice que no se conocen alergias, junto a alergias.',
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
  'Results beyond the newest 1,000: ask with since and until.':
    'Resultados anteriores a los 1000 más recientes: pregunte por un periodo (since y until).',
} as const;

export const widgets = { ...drawn, ...sentences } as const;
