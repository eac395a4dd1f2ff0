import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { clockDate, date } from '#reading/fhir/date.ts';
import { plain, quantity, reference } from '#reading/fhir/text.ts';
import type { Observation } from '#reading/fhir/types.ts';
import { Words } from '#reading/language/words.ts';
import { seriesOf, summary } from '#reading/results/trends/series.ts';
import { range, reading } from '#reading/results/values/reading.ts';
import { spanish } from './es/catalogue.ts';
import { pageLanguage, preferred, regional, words } from './language.ts';
import { rich, t } from './message.ts';

const inSpanish = (locale: string): void => {
  pageLanguage.value = new Words({ language: 'es', locale, catalogue: spanish });
};
const english = pageLanguage.value;
afterEach(() => {
  pageLanguage.value = english;
});

test('the language is the chosen one, or the first wanted one that there is', () => {
  assert.equal(preferred('es', ['en-US']), 'es');
  assert.equal(preferred(null, ['fr-CA', 'ES-mx', 'en']), 'es');
  assert.equal(preferred('fr', ['en-GB', 'es']), 'en');
  assert.equal(preferred(null, []), 'en');
  assert.equal(regional('es', ['en-US', 'es', 'es-MX', 'es-ES']), 'es-MX');
  assert.equal(regional('es', ['en-US']), 'es');
});

test('a message has its values in their places, and the form for its number', () => {
  assert.equal(t('{n} day|{n} days', { n: 1 }), '1 day');
  assert.equal(t('{n} day|{n} days', { n: 1234 }), '1,234 days');
  assert.equal(t('{n} day|{n} days', { n: 0 }), '0 days');
  assert.equal(t('since {date}', { date: '{n} | # <b>' }), 'since {n} | # <b>');
  const template = { a: 'template' };
  assert.deepEqual(rich('since {date}', { date: template }), ['since ', template, '']);
});

test('Spanish has its own words, forms, numbers and dates', () => {
  inSpanish('es-ES');
  assert.equal(t('{n} day|{n} days', { n: 1 }), '1 día');
  assert.equal(t('{n} day|{n} days', { n: 12_345 }), '12.345 días');
  assert.equal(words().decimal('7.20'), '7,20');
  assert.equal(words().number(0.5), '0,5');
  assert.equal(words().listed(['a', 'b', 'c']), 'a, b y c');
  assert.equal(date(words(), '2019-05-14').replaceAll('\u00a0', ' '), '14 de mayo de 2019');
  inSpanish('es-MX');
  assert.equal(words().decimal('7.20'), '7.20');
  assert.equal(words().number(12_345), '12,345');
});

test('English dates follow the region too', () => {
  pageLanguage.value = new Words({ language: 'en', locale: 'en-US' });
  assert.match(clockDate(words(), '2019-05-14T19:40').replaceAll(/\s/g, ' '), /^May 14, 2019, 7:40 PM$/);
});

test('codes of the data, units and reasons are translated, and names are not', () => {
  inSpanish('es-US');
  assert.equal(plain(words(), 'in-progress'), 'en curso');
  assert.equal(plain(words(), 'inactive, entered-in-error'), 'inactivo, registrado por error');
  assert.equal(plain(words(), 'no-such-code'), 'no such code');
  assert.equal(
    reference(words(), { reference: 'CareTeam/5f3c2a1b-0d4e-4f6a-8b7c-9d0e1f2a3b4c' }),
    'Equipo de atención, sin nombre aquí',
  );
  assert.equal(reference(words(), { display: 'Dr. Lindholm' }), 'Dr. Lindholm');
  assert.equal(quantity(words(), { value: 1, code: '{tbl}' })?.replace('\u00a0', ' '), '1 tableta');
  assert.equal(quantity(words(), { value: 30, code: 'd' })?.replace('\u00a0', ' '), '30 días');
  const observation: Observation = { resourceType: 'Observation', id: 'o' };
  const asked = { coding: [{ code: 'asked-unknown', display: 'Asked But Unknown' }] };
  assert.equal(
    reading(words(), { ...observation, dataAbsentReason: asked }),
    'No disponible: se preguntó, pero se desconoce',
  );
});

test('a trend is told in Spanish sentences, with the decimals of the region', () => {
  inSpanish('es-ES');
  const [series] = seriesOf(words(), [
    {
      resourceType: 'Observation',
      id: 'o',
      code: { text: 'A1c' },
      effectiveDateTime: '2019',
      valueQuantity: { value: 7.2, unit: '%' },
      referenceRange: [{ low: { value: 4, unit: '%' }, high: { value: 5.6, unit: '%' } }],
    },
  ]);
  assert.ok(series);
  assert.equal(range(words(), series.limits), '4–5,6%');
  assert.equal(
    summary(words(), series),
    'A1c: 1 resultado, 2019. El más reciente: 7,2%, alto. Intervalo de referencia: 4–5,6%. 1 de 1 fuera del intervalo.',
  );
});
