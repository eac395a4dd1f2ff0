//! Procedures, and the devices that they left behind.

import { html, nothing } from 'lit-html';
import { newest, periodDate } from '../fhir/date.ts';
import { concept, concepts, isEnteredInError, reference, references } from '../fhir/text.ts';
import { type Device, ofType, type Procedure } from '../fhir/types.ts';
import { t } from '../language/message.ts';
import { reasons } from './reasons.ts';
import { labelled, type Row, rows } from './row.ts';
import type { Section } from './section.ts';

const performed = (p: Procedure): string | undefined => p.performedDateTime ?? periodDate(p.performedPeriod);

export const procedures: Section = {
  id: 'procedures',
  title: 'Procedures and devices',
  queries: ['Procedure?patient={patient}&_count=200', 'Device?patient={patient}&_count=200'],
  nothing: 'No data: no procedure is recorded in this chart.',
  show([found, devices], context) {
    const all = newest(ofType('Procedure', found?.matches), performed);
    const item = (p: Procedure): Row => ({
      resource: p,
      when: performed(p),
      title: concept(p.code) ?? t('Procedure not named'),
      status: p.status === 'completed' ? undefined : p.status,
      tone: isEnteredInError(p) ? 'error' : p.status === 'not-done' ? 'quiet' : 'plain',
      details: [
        p.performedString,
        labelled(t('For'), reasons(p, context.store)),
        labelled(t('By'), references((p.performer ?? []).flatMap(({ actor }) => actor ?? []))),
        labelled(t('At'), reference(p.location)),
        labelled(t('Why not'), concept(p.statusReason)),
        ...(p.note ?? []).map(({ text }) => text),
      ],
    });
    const implants = ofType('Device', devices?.matches);
    const device = (d: Device): Row => ({
      resource: d,
      when: d.manufactureDate,
      title: d.deviceName?.[0]?.name ?? concept(d.type) ?? t('Device'),
      status: d.status === 'active' ? undefined : d.status,
      details: [
        d.deviceName?.[0]?.name ? concept(d.type) : undefined,
        [d.manufacturer, d.serialNumber ? t('serial {number}', { number: d.serialNumber }) : '']
          .filter(Boolean)
          .join(', '),
        concepts(d.safety),
      ],
    });
    return {
      count: all.length,
      none: all.length === 0 ? 'No procedure is recorded in this chart.' : undefined,
      body: html`${all.length ? rows(all.map(item), context) : nothing}
        ${implants.length ? html`<h3>${t('Implanted devices')}</h3>${rows(implants.map(device), context)}` : nothing}`,
    };
  },
};
