//! The medications under a trend: bars on the time axis of the plot, and a table that says the same in words.

import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { typeOf } from '#reading/fhir/record-address.ts';
import { capital } from '#reading/fhir/text.ts';
import { keptWhile } from '#reading/kept.ts';
import type { Course, CourseLine } from '#reading/medications/course.ts';
import { courseSourcesText, sinceText, untilText } from '#reading/medications/course-words.ts';
import { type Courses, coursesOf } from '#reading/medications/courses.ts';
import { t, words } from '../../language/message.ts';
import { aside } from '../../parts/notice.ts';
import { n } from '../../plot/axes.ts';
import { type Bar, barsOf, DOTS } from '../../plot/course-bars.ts';
import { LEFT, RIGHT, type Scale } from '../../plot/scale.ts';
import type { ChartStore, SearchState } from '../loading/store.ts';
import { recordButton } from '../record/record-link.ts';
import { absentPart } from '../section/absent.ts';
import { MEDICATION_SEARCHES, recordsIn } from './medications.ts';

/** The heights of a line and of its bar, in units of the picture. */
const LINE = 23;
const BAR = 17;
/** The approximate width of a letter. Names without room are cut; the table has them in full. */
const LETTER = 6.4;

export const courseSearches = (store: ChartStore): SearchState[] =>
  MEDICATION_SEARCHES.map((query) => store.load(query));

/** Returns the courses of a chart, made again when one of their searches, or the language, has changed. */
export const coursesIn = keptWhile(
  (store: ChartStore) => [words(), ...courseSearches(store)],
  (store): Courses =>
    coursesOf(
      words(),
      recordsIn(courseSearches(store).flatMap((state) => (state.is === 'loaded' ? [state.found] : []))),
    ),
);

/** A line of the picture: the name of a medication, and its bars. */
interface Drawn {
  name: string;
  bars: Bar[];
}

const drawnLines = (lines: CourseLine[], { x, width }: Scale): Drawn[] =>
  lines
    .map((line) => ({ name: line.name, bars: barsOf(line, x, LEFT, width - RIGHT) }))
    .filter(({ bars }) => bars.length > 0);

/** Draws the bars, for use under a plot with the same scale. `at` is the selected moment. */
export function courseBars(lines: CourseLine[], scale: Scale, at: number | undefined): TemplateResult | typeof nothing {
  const drawn = drawnLines(lines, scale);
  if (drawn.length === 0) return nothing;
  const { width, x } = scale;
  const height = drawn.length * LINE + 6;
  const active = drawn.filter(({ bars }) => bars.some(({ course }) => course.end === 'active')).length;
  const counted = t('{medications} in the time of the plot, {active} of them active.', {
    medications: t('{n} medication|{n} medications', { n: drawn.length }),
    active,
  });
  return html`<p class="courses-title" aria-hidden="true">${t(
    'Medications, as they were ordered, reported and given',
  )}</p>
    <svg class="courses" viewBox=${`0 0 ${width} ${height}`} role="img"
    aria-label=${`${counted} ${t('The table below has their dates.')}`}>
    ${at === undefined ? nothing : svg`<line class="cursor" x1=${n(x(at))} x2=${n(x(at))} y1="0" y2=${height}></line>`}
    ${drawn.map(({ name, bars }, i) => lineView(name, bars, i * LINE + 3, width))}</svg>`;
}

/** Draws a name where it fits: in its first bar, else after the last bar, else before the first. */
function nameView(name: string, bars: Bar[], y: number, width: number): TemplateResult {
  const [first, last] = [bars[0], bars.at(-1)];
  const [start, end] = [first ? startOf(first) : LEFT, last ? endOf(last) : LEFT];
  const long = name.length * LETTER;
  const places: { x: number; anchor: 'start' | 'end'; room: number }[] = [
    { x: (first?.x ?? LEFT) + 7, anchor: 'start', room: (first?.width ?? 0) - 14 },
    { x: end + 6, anchor: 'start', room: width - end - 8 },
    { x: start - 6, anchor: 'end', room: start - 8 },
  ];
  const roomiest = places.reduce((a, b) => (b.room > a.room ? b : a));
  const { x, anchor, room } = places.find((place) => place.room >= long) ?? roomiest;
  const letters = Math.max(3, Math.floor(room / LETTER));
  const shown = name.length > letters ? `${name.slice(0, letters - 1).trimEnd()}…` : name;
  return svg`<text x=${n(x)} y=${y + BAR - 4} text-anchor=${anchor}>${shown}</text>`;
}

/** Returns the left end of a bar, including its dots. */
const startOf = ({ x, left }: Bar): number => x - (left === 'dots' ? DOTS : 0);

const endOf = ({ x, width, right }: Bar): number => x + Math.max(width, 3) + (right === 'dots' ? DOTS : 0);

const lineView = (name: string, bars: Bar[], y: number, width: number): TemplateResult =>
  svg`<g>${bars.map((bar) => barView(bar, y))}${nameView(name, bars, y, width)}</g>`;

function barView({ course, x, width, left, right }: Bar, y: number): TemplateResult {
  const [middle, bottom] = [y + BAR / 2, y + BAR];
  const [tip, notch] = [right === 'arrow' ? 6 : 0, left === 'notch' ? 6 : 0];
  const end = x + Math.max(width, 3);
  const path = `M${n(x)} ${y}L${n(end - tip)} ${y}L${n(end)} ${n(middle)}L${n(end - tip)} ${bottom}L${n(x)}
    ${bottom}L${n(x + notch)} ${n(middle)}Z`;
  const dots = (from: number, to: number): TemplateResult =>
    svg`<line class="course-dots" x1=${n(from)} x2=${n(to)} y1=${n(middle)} y2=${n(middle)}></line>`;
  return svg`<path class="course" data-end=${course.end} d=${path}></path>${
    left === 'dots' ? dots(x - DOTS, x - 3) : nothing
  }${right === 'dots' ? dots(end + 3, end + DOTS) : nothing}`;
}

/** Draws the courses between the edges of a plot as a table, and says what the table leaves out. */
export function courseTable({ lines, undated }: Courses, scale: Scale | undefined, store: ChartStore): TemplateResult {
  const drawn = scale ? drawnLines(lines, scale) : [];
  const courses = [...new Set(drawn.flatMap(({ bars }) => bars.map(({ course }) => course)))];
  const earlier = lines
    .flatMap((line) => line.courses)
    .filter(({ end, until, from }) => scale && end === 'unknown' && scale.x(until ?? from) < LEFT).length;
  return html`${
    courses.length > 0
      ? html`<div class="table-frame lined" tabindex="0" role="region" aria-label=${t(
          'Medications in the time of the plot',
        )}>
      <table class="plain courses-table"><caption>${t(
        'Medications in the time of the plot. Orders and fills do not tell whether they were taken.',
      )}</caption>
      <thead><tr><th scope="col">${t('Medication')}</th>${heads().map(
        (head) => html`<th scope="col">${head}</th>`,
      )}</tr></thead>
      <tbody>${courses.map((course) => courseRow(course, store))}</tbody></table></div>`
      : nothing
  }${aside(
    earlier > 0 &&
      t('{n} earlier one without a recorded end is left out.|{n} earlier ones without a recorded end are left out.', {
        n: earlier,
      }),
  )}${aside(
    undated.length > 0 && t('Without a date, and not among them: {names}.', { names: words().listed(undated) }),
  )}${courseSearches(store).map((state, i) => absentPart(state, typeOf(MEDICATION_SEARCHES[i] ?? '')))}`;
}

const heads = (): string[] => [t('From'), t('Until'), t('Status'), t('Source')];

function courseRow(course: Course, store: ChartStore): TemplateResult {
  const cells = [
    sinceText(words(), course),
    untilText(words(), course),
    capital(course.status),
    courseSourcesText(words(), course),
  ];
  return html`<tr><th scope="row">${recordButton(store, course.resource, course.name)}</th>${heads().map(
    (head, i) => html`<td class=${i < 2 ? nothing : 'quiet'} data-head=${head}>${cells[i]}</td>`,
  )}</tr>`;
}
