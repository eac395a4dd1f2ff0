//! Imaging, and the events of studies.

const modalities = {
  'Bone densitometry': 'Densitometría ósea',
  'Computed radiography': 'Radiografía computarizada',
  'Computed tomography': 'Tomografía computarizada',
  'Digital radiography': 'Radiografía digital',
  Electrocardiography: 'Electrocardiografía',
  Electroencephalography: 'Electroencefalografía',
  Electromyography: 'Electromiografía',
  Endoscopy: 'Endoscopia',
  'General microscopy': 'Microscopía general',
  'Intraoral radiography': 'Radiografía intraoral',
  'Intravascular ultrasound': 'Ecografía intravascular',
  Mammography: 'Mamografía',
  'Magnetic resonance': 'Resonancia magnética',
  'Nuclear medicine': 'Medicina nuclear',
  'Optical coherence tomography': 'Tomografía de coherencia óptica',
  'Ophthalmic photography': 'Fotografía oftálmica',
  'Positron emission tomography': 'Tomografía por emisión de positrones',
  'Panoramic radiography': 'Radiografía panorámica',
  Fluoroscopy: 'Fluoroscopia',
  'Conventional radiography': 'Radiografía convencional',
  'Image of radiotherapy': 'Imagen de radioterapia',
  'Slide microscopy': 'Microscopía de preparaciones',
  Ultrasound: 'Ecografía',
  Angiography: 'Angiografía',
  Photograph: 'Fotografía',
} as const;

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

export const imaging = { ...modalities, ...studies, ...events } as const;
