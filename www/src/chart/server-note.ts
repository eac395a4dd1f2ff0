//! The note above a chart of another server: what that server cannot do, and what the chart therefore lacks.

import { signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit-html';
import { withoutEmpty } from '#reading/joined.ts';
import { setWhenDone } from '../drawing.ts';
import { t, words } from '../language/message.ts';
import type { SourceName } from '../routes.ts';
import { discover, type SmartConfiguration } from '../smart/discovery.ts';
import { TYPES } from '../smart/scopes.ts';
import { other } from '../smart/server.ts';
import { type Session, session } from '../smart/session.ts';
import {
  type Abilities,
  isBeforeR4,
  isR4,
  obstacleText,
  planOf,
  provenanceQuery,
  recordsOf,
  withoutText,
} from '../source/abilities.ts';
import { serverAbilities } from '../source/server-abilities.ts';
import { SEARCHES } from './sections.ts';

/** The facts that are known about the server. */
interface ServerFacts {
  abilities: Abilities | 'unknown' | undefined;
  configuration: SmartConfiguration | undefined;
  session: Session;
}

/** Returns sentences about what the server cannot do. */
export function shortcomings({ abilities, configuration, session }: ServerFacts): string[] {
  if (abilities !== 'unknown')
    return [...(abilities ? ofRecords(abilities) : []), ...ofSession(session, configuration)];
  const unknown = t('It does not say what it can do, so it is asked for everything.');
  return [unknown, ...ofSession(session, configuration)];
}

/** The types that come with other records, or that are read when something refers to them. */
const NOT_SEARCHED = ['Patient', 'Binary', 'Medication', 'Provenance', 'Practitioner', 'PractitionerRole'];

function ofRecords(abilities: Abilities): string[] {
  const { fhirVersion = '' } = abilities;
  const absent = (isBeforeR4(abilities) ? [] : TYPES).filter(
    (type) => !abilities.types.has(type) && !NOT_SEARCHED.includes(type),
  );
  const plans = SEARCHES.map((query) => planOf(query, abilities));
  const others = plans.flatMap((plan) => {
    if (plan.is === 'asked') return plan.without.flatMap((include) => withoutText(include) ?? []);
    return plan.obstacle.lacks === 'type' ? [] : [obstacleText(plan.obstacle)];
  });
  const types = words().listed(absent.map(recordsOf));
  return withoutEmpty(
    !isR4(abilities) && t('It speaks FHIR {version}. This chart is made for FHIR 4.0.1.', { version: fhirVersion }),
    types && t('It has no records of these types: {types}.', { types }),
    ...new Set(others),
    !provenanceQuery('Condition', 'x', abilities) &&
      t('Who recorded these is not shown: this server does not offer it.'),
  );
}

const ofSession = ({ refreshToken }: Session, configuration: SmartConfiguration | undefined): string[] =>
  withoutEmpty(
    !refreshToken && t('Staying signed in was not granted: the session ends with its first token.'),
    configuration &&
      !configuration.revocation_endpoint &&
      t('It does not revoke tokens: after a log-out they last until they expire.'),
  );

const configuration = signal<SmartConfiguration | undefined>(undefined);
let isAsked = false;

/** Draws the note on a chart of the session, if the page is for another server. */
export function serverNote(source: SourceName): TemplateResult | typeof nothing {
  const now = session.value;
  if (!other || source !== 'session' || !now) return nothing;
  if (!isAsked) {
    isAsked = true;
    // If discovery fails, the note omits what it would have told.
    setWhenDone(configuration, discover());
  }
  const all = shortcomings({ abilities: serverAbilities.value, configuration: configuration.value, session: now });
  if (all.length === 0) return nothing;
  const title = t('{n} thing that this server cannot do|{n} things that this server cannot do', { n: all.length });
  return html`<details class="folded server-note"><summary>${title}</summary>
    <ul>${all.map((says) => html`<li>${says}</li>`)}</ul></details>`;
}
