//! Descriptions of the sandbox's patients, and the names of its apps, as the server sends them.

export const sandboxPatients: Readonly<Record<string, string>> = {
  'type 2 diabetes: 264 laboratory results over ten years (several pages), fills, contained and external medications, a C-CDA and a PDF, data-absent reasons, an old name and address':
    'diabetes tipo 2: 264 resultados de laboratorio en diez años (varias páginas), surtidos, medicamentos contenidos y externos, un C-CDA y un PDF, razones de datos ausentes, un nombre y una dirección anteriores',
  'a pregnancy from intent to birth: gestational diabetes, a fetal scan with a picture, no known allergy':
    'un embarazo desde el deseo hasta el parto: diabetes gestacional, una ecografía fetal con una imagen, sin alergias conocidas',
  "a newborn: head, length, percentiles, a blood pressure that is missing, a vaccine not given; his mother's chart is cited in his":
    'un recién nacido: perímetro cefálico, talla, percentiles, una presión arterial que falta, una vacuna no administrada; en su expediente se cita el de su madre',
  'twin one: asthma, an emergency night with oxygen, a peanut anaphylaxis':
    'gemelo uno: asma, una noche de urgencias con oxígeno, una anafilaxia por cacahuate',
  'twin two: the same codes on the same days; resolved and unconfirmed allergies; a result that was filed in error':
    'gemelo dos: los mismos códigos en los mismos días; alergias resueltas y sin confirmar; un resultado registrado por error',
  'a pacemaker, admissions, an EKG; cognitive, functional and disability status; he has died':
    'un marcapasos, ingresos, un electrocardiograma; estado cognitivo, funcional y de discapacidad; ha fallecido',
  'breast cancer in remission, a recurrence of lymphedema, pathology; an alert, a directive, a medication without an order; an entry in error':
    'cáncer de mama en remisión, una recurrencia de linfedema, anatomía patológica; una alerta, voluntades anticipadas, un medicamento sin receta; un registro por error',
  'records from abroad: +05:30, years alone, text alone; the same id as a practitioner':
    'registros del extranjero: +05:30, solo años, solo texto; el mismo identificador que un profesional',
  'screenings for hunger and depression with their questionnaires; food and housing':
    'tamizajes de hambre y depresión con sus cuestionarios; alimentación y vivienda',
  'a chart made of missing data': 'un expediente hecho de datos que faltan',
  'an almost empty chart': 'un expediente casi vacío',
  'Clinic portal (a secret)': 'Portal de la clínica (un secreto)',
  'Care planner (a key pair)': 'Planificador de cuidados (un par de claves)',
  'Population export (a key pair)': 'Exportación de población (un par de claves)',
  'Registry export (HTTP Basic)': 'Exportación de registro (HTTP Basic)',
  'An EHR that launches apps': 'Un sistema de expedientes que inicia aplicaciones',
  'A resource server that asks about tokens': 'Un servidor de recursos que pregunta por tokens',
  'An app for allergies alone': 'Una aplicación solo para alergias',
  'An assistant on this computer': 'Un asistente en este equipo',
  'An app that was switched off': 'Una aplicación desactivada',
};
