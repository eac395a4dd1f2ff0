//! The courses of a medication as bars on the time axis of a plot.

import type { Course, CourseLine } from '#reading/medications/course.ts';

/** A part of a course as a bar, in units of the picture. */
export interface Bar {
  course: Course;
  x: number;
  width: number;
  /** The left end: an edge, a notch if the course began before the picture, or dots if the start is unknown. */
  left: 'edge' | 'notch' | 'dots';
  /** The right end: an edge, an arrow if the course continues beyond the picture, or dots if the end is unknown. */
  right: 'edge' | 'arrow' | 'dots';
}

/** The length of the dotted part. */
export const DOTS = 26;

/** Returns the bars of a line between two edges of a picture, without courses that are outside them. */
export function barsOf({ courses }: CourseLine, x: (at: number) => number, left: number, right: number): Bar[] {
  return courses.flatMap((course): Bar[] => {
    const whole = { from: course.from, until: course.until };
    const spans = course.spans ?? [whole];
    return spans.flatMap(({ from, until }, i): Bar[] => {
      const isLast = i === spans.length - 1;
      const start = x(from);
      const end = isLast && course.end === 'active' ? Infinity : x(until ?? from);
      if (start > right || end < left) return [];
      const begin = Math.max(left, start);
      return [
        {
          course,
          x: begin,
          width: Math.max(0, Math.min(right, end) - begin),
          left: start < left ? 'notch' : course.isStartKnown || i > 0 ? 'edge' : 'dots',
          right: end > right ? 'arrow' : isLast && course.end === 'unknown' ? 'dots' : 'edge',
        },
      ];
    });
  });
}
