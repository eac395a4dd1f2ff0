//! Imaging, and the events of studies.

const studies = {
  'left#side': 'izquierdo',
  'right#side': 'derecho',
  'both sides': 'ambos lados',
  midline: 'línea media',
  '{n} series|{n} series': '{n} serie|{n} series',
  '{n} image|{n} images': '{n} imagen|{n} imágenes',
} as const;

const events = {
  'An adverse event is not an allergy entry: it does not say whether there is an allergy.':
    'Un evento adverso no es una entrada sobre alergias: no indica si hay una alergia.',
  'Suspected cause': 'Causa sospechada',
  'serious#event': 'grave',
  'not serious#event': 'no grave',
  'serious: it led to death': 'grave: causó la muerte',
  'serious: a danger to life': 'grave: puso en peligro la vida',
  'serious: it led to a stay in hospital': 'grave: requirió hospitalización',
  'serious: it led to a disability': 'grave: causó discapacidad',
  'serious: a birth defect': 'grave: anomalía congénita',
  'serious: treated to prevent lasting harm': 'grave: se trató para evitar un daño permanente',
  'resolved#event': 'resuelto',
  'recovering#event': 'en recuperación',
  'ongoing#event': 'en curso',
  'resolved with sequelae#event': 'resuelto con secuelas',
  'fatal#event': 'mortal',
} as const;

export const imaging = { ...studies, ...events } as const;
