//! The kinds of refusals, shown above the English message of the engine or a server.

export const refusals = {
  'The request cannot be read.': 'La solicitud no se puede leer.',
  'A value of the request cannot be read.': 'Un valor de la solicitud no se puede leer.',
  'The request lacks something that it needs.': 'A la solicitud le falta algo que necesita.',
  'The request asks for something that is not offered here.': 'La solicitud pide algo que aquí no se ofrece.',
  'This does not exist, or the access that was given does not include it.':
    'Esto no existe, o el acceso concedido no lo incluye.',
  'Nobody is signed in here, or the access was withdrawn.': 'Nadie ha iniciado sesión aquí, o el acceso fue retirado.',
  'The access has expired. Please sign in again.': 'El acceso ha caducado. Inicie sesión de nuevo.',
  'The access that was given does not include this.': 'El acceso concedido no incluye esto.',
  'Something was left out, since the access that was given does not include it.':
    'Se omitió algo que el acceso concedido no incluye.',
  'This is too much to be answered at once.': 'Esto es demasiado para responderlo de una vez.',
  'There are too many requests. Please try again later.': 'Hay demasiadas solicitudes. Inténtelo más tarde.',
  'The records did not answer. Please try again later.': 'Los registros no respondieron. Inténtelo más tarde.',
  'The server has failed.': 'El servidor ha fallado.',
  'Something could not be loaded.': 'Algo no se pudo cargar.',
  'The request was refused.': 'La solicitud fue rechazada.',
  '{why}#in English': 'El motivo, en inglés: {why}',
} as const;
