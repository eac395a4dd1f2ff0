//! The rows of the cases of certainty.

/** A record with its place and its words. The text is empty for a plain fact. */
export interface CertaintyCase {
  name: string;
  resource: { resourceType: string; id: string } & Record<string, unknown>;
  /** The list of a condition or an allergy; `-` for other types, of which only the words are checked. */
  where: string;
  en: string;
}

type Members = Record<string, unknown>;

/** Returns a function that makes cases of records of a type with lists, with the elements that all of them have. */
export const listed =
  (type: string, common: Members) =>
  (name: string, more: Members, where: string, en = ''): CertaintyCase => ({
    name,
    resource: { resourceType: type, id: 'a', ...common, ...more },
    where,
    en,
  });

/** The same for a type without lists. */
export const row =
  (type: string, common: Members = {}) =>
  (name: string, more: Members, en = ''): CertaintyCase =>
    listed(type, common)(name, more, '-', en);

/** The words of the cases that are others in Spanish. */
export const IN_SPANISH: Readonly<Record<string, string>> = {
  'about: Donor': 'sobre: Donor',
  'about: Donor, Twin': 'sobre: Donor, Twin',
  recurrence: 'recurrencia',
  remission: 'en remisión',
  inactive: 'inactivo',
  resolved: 'resuelto',
  ended: 'terminado',
  'an end is recorded': 'consta un final',
  refuted: 'descartado',
  'entered in error': 'registrado por error',
  unconfirmed: 'sin confirmar',
  differential: 'diagnóstico diferencial',
  'remission, provisional': 'en remisión, provisional',
  'not done': 'no realizado',
  'in progress': 'en curso',
  'status unknown': 'estado desconocido',
  'changed by something not understood: the rules http://example.org/rules':
    'modificada por algo que no se entiende: las reglas http://example.org/rules',
  'not given': 'no administrada',
  'do not perform': 'no realizar',
  proposal: 'propuesta',
  draft: 'borrador',
  'on hold': 'en pausa',
  revoked: 'revocado',
  preliminary: 'preliminar',
  partial: 'parcial',
  registered: 'registrado',
  cancelled: 'cancelado',
  amended: 'modificado',
  corrected: 'corregido',
  appended: 'ampliado',
  proposed: 'propuesto',
  rejected: 'rechazado',
  suspended: 'suspendido',
  planned: 'planificado',
  'health unknown': 'salud desconocida',
  'proposal, do not perform': 'propuesta, no realizar',
  noshow: 'no se presentó',
  'do not take': 'no tomar',
  'potential, did not happen': 'potencial, no ocurrió',
};
