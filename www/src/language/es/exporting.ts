//! The bulk export of the sandbox.

export const exporting = {
  Export: 'Exportar',
  'A backend client fetches the records of many patients at once, as files: Bulk Data.':
    'Un cliente de servidor obtiene de una vez, como archivos, los registros de muchos pacientes: “Bulk Data”.',
  'Here the sandbox’s own client does it, and the files are opened in this browser.':
    'Aquí lo hace el propio cliente del entorno de prueba, y los archivos se abren en este navegador.',
  'Export every patient': 'Exportar todos los pacientes',
  'The export is running': 'La exportación está en curso',
  'The server prepares the files': 'El servidor prepara los archivos',
  'The server says: {progress}': 'El servidor dice: {progress}',
  'Cancel the export': 'Cancelar la exportación',
  'There is nothing to export.': 'No hay nada que exportar.',
  'Fetching the files': 'Obteniendo los archivos',
  'The server named an address of another origin, which gets no token.':
    'El servidor indicó una dirección de otro origen, que no recibe ningún token.',
  '{file} broke off: of {count} lines {lines} came.': '{file} se interrumpió: de {count} líneas llegaron {lines}.',
} as const;
