//! Sharing a summary by a link, and opening one.

export const healthLinks = {
  'A link for somebody else': 'Un enlace para otra persona',
  'Whoever has the link, and the passcode, sees this summary as it is now, without signing in.':
    'Quien tenga el enlace y el código ve este resumen tal como está ahora, sin iniciar sesión.',
  'The file is too large.': 'El archivo es demasiado grande.',
  'It is encrypted here: the server cannot read it.': 'Se cifra aquí: el servidor no puede leerlo.',
  'What it holds': 'Qué contiene',
  'Name, without people’s names': 'Nombre, sin nombres de personas',
  'Days for which it opens': 'Días durante los que se abre',
  'Passcode, at least 6 characters': 'Código, de al menos 6 caracteres',
  'Tell the passcode by another way than the link. If it is left empty, the link alone opens the summary.':
    'Comunique el código por una vía distinta del enlace. Si se deja vacío, basta el enlace para abrir el resumen.',
  'Make the link': 'Crear el enlace',
  'It opens until {until}. It holds: {sections}.': 'Se abre hasta el {until}. Contiene: {sections}.',
  'Open the link': 'Abrir el enlace',
  'It is shown only now. To end it earlier: {page}': 'Solo se muestra ahora. Para terminarlo antes: {page}',
  'QR code of the link': 'Código QR del enlace',
  'Shared record': 'Expediente compartido',
  'Somebody shares health records with you.': 'Alguien comparte con usted un expediente clínico.',
  'They are decrypted in this tab, and gone when you close it.':
    'Se descifra en esta pestaña y desaparece cuando usted la cierra.',
  'Passcode, as the person told you': 'Código que le dio la persona',
  'This passcode is wrong. {n} attempt is left.|This passcode is wrong. {n} attempts are left.':
    'Este código es incorrecto. Queda {n} intento.|Este código es incorrecto. Quedan {n} intentos.',
  'This link opens nothing: it has expired, it was ended, or it never was.':
    'Este enlace no abre nada: venció, se terminó o nunca existió.',
  'There is no link in the address of this page, or it was cut off. Copy all of it.':
    'No hay ningún enlace en la dirección de esta página, o está cortado. Cópielo completo.',
} as const;
