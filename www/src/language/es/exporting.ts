//! Bulk exports of the sandbox.

const form = {
  Export: 'Exportar',
  'A backend client fetches the records of many patients at once, as files: Bulk Data.':
    'Un cliente de servidor obtiene de una vez, como archivos, los registros de muchos pacientes: “Bulk Data”.',
  'Here the sandbox’s own client does it, and you see each step.':
    'Aquí lo hace el propio cliente del entorno de prueba, y usted ve cada paso.',
  'Whose records': 'Registros de quién',
  'Every patient': 'Todos los pacientes',
  'All records of patients, and the people and places that they refer to.':
    'Todos los registros de los pacientes, y las personas y los lugares que mencionan.',
  'A group': 'Un grupo',
  'The same, of the members of one Group.': 'Lo mismo, de los miembros de un Group.',
  'The whole server': 'Todo el servidor',
  'Also what belongs to no patient.': 'También lo que no pertenece a ningún paciente.',
  'Id of the Group': 'Identificador del Group',
  'Start the export': 'Iniciar la exportación',
  'address#of a request': 'la dirección',
} as const;

const states = {
  'The export is running': 'La exportación está en curso',
  'The export is complete: {held}': 'La exportación está completa: {held}',
  'The export is cancelled. The server keeps nothing of it.':
    'La exportación está cancelada. El servidor no conserva nada de ella.',
  'The export is deleted. The server keeps nothing of it.':
    'La exportación está eliminada. El servidor no conserva nada de ella.',
  'The server prepares the files': 'El servidor prepara los archivos',
  'The server says: {progress}': 'El servidor dice: {progress}',
  'The server has not said yet how far it is.': 'El servidor aún no ha dicho cuánto lleva.',
  'Cancel the export': 'Cancelar la exportación',
} as const;

const complete = {
  '{n} resource in {files}|{n} resources in {files}': '{n} recurso en {files}|{n} recursos en {files}',
  '{held}. They stay at the server until you delete them, or they expire.':
    '{held}. Permanecen en el servidor hasta que usted los elimine o caduquen.',
  'There is nothing to export.': 'No hay nada que exportar.',
  'Open them in this browser': 'Abrirlos en este navegador',
  'Another export': 'Otra exportación',
  'Delete this export': 'Eliminar esta exportación',
  'State of the records': 'Estado de los registros',
  'Kept until': 'Se conserva hasta',
  Deletions: 'Eliminaciones',
  'Notes of the server': 'Notas del servidor',
  'The server says of this export:': 'El servidor dice de esta exportación:',
  'Files#of an export': 'Archivos',
  'Resources#a number': 'Recursos',
  'Fetching the files': 'Obteniendo los archivos',
} as const;

const problems = {
  'This server exports nothing.': 'Este servidor no exporta nada.',
  'The server named an address of another origin, which gets no token.':
    'El servidor indicó una dirección de otro origen, que no recibe ningún token.',
  'The server does not have this export any more.': 'El servidor ya no tiene esta exportación.',
  '{file} broke off: of {count} lines {lines} came.': '{file} se interrumpió: de {count} líneas llegaron {lines}.',
} as const;

export const exporting = { ...form, ...states, ...complete, ...problems } as const;
