import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceState } from '../care/device-state.ts';
import { ofType, type Resource } from '../fhir/types.ts';
import { ENGLISH } from '../language/words.ts';
import { devicesOf } from './devices.ts';
import { meaningOf } from './meaning.ts';

const device = (id: string, name: string, more: object = {}): Resource => ({
  resourceType: 'Device',
  id,
  ...{ type: { text: name }, ...more },
});
const use = (of: string, status: string, timingPeriod?: object): Resource => ({
  resourceType: 'DeviceUseStatement',
  id: `${of}-${status}`,
  ...{ status, device: { reference: `Device/${of}` }, ...(timingPeriod ? { timingPeriod } : {}) },
});
const procedure = (of: string, action: string, on: string, status = 'completed'): Resource => ({
  resourceType: 'Procedure',
  id: `${of}-${action}`,
  ...{
    status,
    performedDateTime: on,
    focalDevice: [{ action: { coding: [{ code: action }] }, manipulated: { reference: `Device/${of}` } }],
  },
});

/** The title, the state and the tag of each device. */
function said(records: Resource[], others: Resource[] = []): (string | undefined)[][] {
  const of = (type: string): Resource[] => records.filter(({ resourceType }) => resourceType === type);
  const find = (address: string) => others.find(({ resourceType, id }) => `${resourceType}/${id}` === address);
  const found = devicesOf(ENGLISH, ofType('Device', records), of('DeviceUseStatement'), ofType('Procedure', records), {
    find,
  });
  return found.map(({ title, state, tag }) => [title, state, tag?.replaceAll('\u00a0', ' ')]);
}

test('a use says whether its device is in use, in one entry with it', () => {
  const catheter = device('c', 'Urinary catheter');
  const until = { end: '2026-01-09' };
  const over = ['Urinary catheter', 'past', 'used until 9 Jan 2026, completed'];
  assert.deepEqual(said([catheter, use('c', 'completed', until)]), [over]);
  assert.deepEqual(said([use('c', 'completed', until)], [catheter]), [over], 'a device that names no patient');
  assert.deepEqual(said([catheter, use('c', 'completed', until), use('c', 'active')]), [
    ['Urinary catheter', 'current', undefined],
  ]);
  assert.deepEqual(said([catheter, use('c', 'intended')]), [['Urinary catheter', 'planned', 'intended']]);
  assert.deepEqual(said([catheter, use('c', 'entered-in-error')]), [['Urinary catheter', 'current', undefined]]);
  assert.deepEqual(said([catheter, use('c', 'not-done')]), [['Urinary catheter', 'past', 'not done']]);
  const lost = { ...use('c', 'completed'), usageStatus: { text: 'lent' }, adherence: { reason: [{ text: 'lost' }] } };
  assert.deepEqual(said([catheter, lost]), [['Urinary catheter', 'past', 'used, no date, completed, lent, lost']]);
  assert.deepEqual(said([use('x', 'active')]), [['Device x', 'current', undefined]]);
  assert.deepEqual(said([device('i', 'Pump', { status: 'inactive' })]), [['Pump', 'past', undefined]]);
});

test('a device without a name is called by its model, and a code that there is none is no implant', () => {
  assert.equal(said([device('m', '', { modelNumber: 'X-1', manufacturer: 'Maker' })])[0]?.[0], 'X-1');
  const none = device('n', 'No implanted devices');
  assert.equal(said([none])[0]?.[0], 'Recorded as text: “No implanted devices”');
  assert.equal(deviceState(ENGLISH, '', ofType('Device', [none])[0], [], []).isImplant, false);
});

test('a procedure says whether a device is still within the patient: the latest one decides', () => {
  const hip = device('h', 'Hip prosthesis');
  const [into, out] = [procedure('h', 'implanted', '2020-01-01'), procedure('h', 'explanted', '2025-01-01')];
  assert.deepEqual(said([hip, out]), [['Hip prosthesis', 'past', 'explanted 1 Jan 2025']]);
  const german = { ...out, focalDevice: [{ action: { text: 'Ausbau' }, manipulated: { reference: 'Device/h' } }] };
  assert.deepEqual(said([hip, german]), [['Hip prosthesis', 'past', 'Ausbau 1 Jan 2025']]);
  const modified = { ...out, modifierExtension: [{ url: 'http://x.example/negated', valueBoolean: true }] };
  assert.deepEqual(said([hip, modified]), [['Hip prosthesis', 'current', undefined]]);
  assert.deepEqual(said([hip, out, into]), [['Hip prosthesis', 'past', 'explanted 1 Jan 2025']]);
  const caution = meaningOf(ENGLISH, hip, [hip, out]).caution?.replaceAll('\u00a0', ' ');
  assert.equal(caution, 'explanted 1 Jan 2025', 'the opened record and find say it too');
  assert.deepEqual(said([hip, into]), [['Hip prosthesis', 'current', 'implanted 1 Jan 2020']]);
  const [again] = [procedure('h', 'implanted', '2026-01-01')];
  assert.deepEqual(said([hip, out, again]), [['Hip prosthesis', 'current', 'implanted 1 Jan 2026']]);
  const stays = (action: string, status?: string): void =>
    assert.equal(said([hip, procedure('h', action, '2025-01-01', status)])[0]?.[1], 'current');
  for (const status of ['not-done', 'Stopped', 'on-hold']) stays('explanted', status);
  for (const action of ['not removed', 'attempted removal']) stays(action);
  const removal = { ...procedure('h', '', '2025-01-01'), code: { text: 'Removal of prosthesis' } };
  const unsaid = { ...removal, focalDevice: [{ manipulated: { reference: 'Device/h' } }] };
  assert.deepEqual(said([hip, unsaid]), [['Hip prosthesis', 'past', 'Removal of prosthesis 1 Jan 2025']]);
});
