//! Medications, immunizations, procedures, orders, visits, the overview.

const medications = {
  'Medication not named': 'Medicamento sin nombre',
  '{n} refill|{n} refills': '{n} resurtido|{n} resurtidos',
  '{n} fill, latest {date}|{n} fills, latest {date}': '{n} surtido: {date}|{n} surtidos; el último: {date}',
  'prepared {date}': 'preparado: {date}',
  'status unknown': 'estado desconocido',
  'Reported by': 'Informado por',
  'Prescribed by': 'Recetado por',
  'Handed over by': 'Entregado por',
  Supply: 'Cantidad',
  'current#one medication': 'actual',
  'current#medications': 'actuales',
  'No current medication.': 'Ningún medicamento actual.',
  'On hold': 'En pausa',
  'Not to be taken': 'No deben tomarse',
  'Not begun yet#medications': 'Aún no iniciados',
  'Planned, not ordered#medications': 'Planificados, aún no prescritos',
  'not to take: {name}': 'no tomar: {name}',
  'its period ended {date}': 'su periodo terminó el {date}',
  'this medication was entered in error': 'este medicamento se registró por error',
  'also among the current ones': 'también entre los actuales',
  'Not clear whether taken': 'No está claro si se toman',
  'Not clear whether taken:': 'No está claro si se toma:',
  'planned in the record': 'planificado según el registro',
  'source says active; its period ended {date}': 'la fuente lo da por activo; su periodo terminó el {date}',
  'active in the record; its course ended about {date}':
    'activo según el registro; su tratamiento terminó hacia el {date}',
  'active in the record; its supply for {time} ended about {date}':
    'activo según el registro; el suministro para {time} terminó hacia el {date}',
  'recorded {date}': 'registrado: {date}',
  'ordered {date}': 'prescrito: {date}',
  'reported {date}': 'declarado: {date}',
  'reported: since {date}': 'declarado: desde el {date}',
  'reported#medication': 'declarado',
  'how often is unclear': 'la frecuencia no está clara',
  'no dose recorded': 'sin dosis registrada',
  'Handed over, without an order that is shown here': 'Entregados, sin una orden que se muestre aquí',
  '{n} past medication|{n} past medications': '{n} medicamento anterior|{n} medicamentos anteriores',
} as const;

const orders = {
  'Order not named': 'Orden sin nombre',
  'Ordered by': 'Ordenado por',
  'Sent to': 'Enviado a',
  'open#one order': 'pendiente',
  'open#orders': 'pendientes',
  'No open order.': 'Ninguna orden pendiente.',
  'Planned, not ordered': 'Planificadas, aún no ordenadas',
  '{n} earlier order|{n} earlier orders': '{n} orden anterior|{n} órdenes anteriores',
} as const;

const immunizations = {
  'Vaccine not named': 'Vacuna sin nombre',
  'no reason is recorded': 'no hay ningún motivo registrado',
  Dose: 'Dosis',
  Lot: 'Lote',
  'except: {provisions}': 'excepto: {provisions}',
  'No care plan is current.': 'Ningún plan de cuidados está vigente.',
  '{n} earlier plan|{n} earlier plans': '{n} plan anterior|{n} planes anteriores',
  'within {time}': 'en un plazo de {time}',
  'done, {n} planned': 'realizados, {n} planificado|realizados, {n} planificados',
  '{words}, {n} not done': '{words}, {n} no realizado|{words}, {n} no realizados',
  'taken off the list: {item}': 'retirado de la lista: {item}',
  'Given by': 'Administrada por',
  'Reported: {origin}': 'Informada: {origin}',
  'Reported, not seen': 'Informada, no presenciada',
  'given#one immunization': 'administrada',
  'given#immunizations': 'administradas',
  '{given}, {n} not given': '{given}, {n} no administrada|{given}, {n} no administradas',
} as const;

const procedures = {
  'Procedure not named': 'Procedimiento sin nombre',
  By: 'Realizado por',
  At: 'Lugar',
  'Why not': 'Por qué no',
  'serial {number}': 'número de serie {number}',
  'No procedure is recorded in this chart.': 'En este expediente no hay ningún procedimiento registrado.',
  'Implanted devices': 'Dispositivos implantados',
  Devices: 'Dispositivos',
} as const;

const visits = {
  '{n} earlier visit|{n} earlier visits': '{n} visita anterior|{n} visitas anteriores',
} as const;

const overview = {
  'At a glance': 'De un vistazo',
  'No current problem is recorded.': 'No hay ningún problema actual registrado.',
  concern: 'preocupación',
  'No current medication is recorded.': 'No hay ningún medicamento actual registrado.',
  'Abnormal results': 'Resultados anormales',
  'No result is recorded.': 'No hay ningún resultado registrado.',
  'No latest result is marked as abnormal.': 'Ningún resultado reciente está marcado como anormal.',
  '{n} test has no mark and no range: not judged.|{n} tests have no mark and no range: not judged.':
    '{n} prueba no tiene ni marca ni intervalo: no se valora.|{n} pruebas no tienen ni marca ni intervalo: no se valoran.',
  'No vital sign is recorded.': 'No hay ningún signo vital registrado.',
  'Last visit': 'Última visita',
  'No visit is recorded.': 'No hay ninguna visita registrada.',
  'No visit is recorded that has taken place.': 'No consta ninguna visita que haya tenido lugar.',
  Due: 'Pendiente',
  'No open order, date of a goal, or supply that ends is recorded.':
    'No hay ninguna orden pendiente, fecha de una meta ni suministro por terminar.',
  'Could not be loaded.': 'No se pudo cargar.',
  '{n} more': '{n} más',
  'up {by} since {date}': 'subió {by} desde {date}',
  'down {by} since {date}': 'bajó {by} desde {date}',
  'unchanged since {date}': 'sin cambios desde {date}',
  'Order for {date}': 'Orden para el {date}',
  'Order was for {date}': 'Orden prevista para: {date}',
  'Order open': 'Orden pendiente',
  'Goal by {date}': 'Meta para el {date}',
  'Order until {date}': 'Orden vigente hasta el {date}',
  'last done {date}': 'última vez el {date}',
  'Goal was for {date}': 'Meta que era para el {date}',
  'Last fill ends {date}': 'La última entrega termina el {date}',
  'Last fill ended {date}': 'La última entrega terminó el {date}',
} as const;

export const care = {
  ...medications,
  ...orders,
  ...immunizations,
  ...procedures,
  ...visits,
  ...overview,
} as const;
