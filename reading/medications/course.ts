//! A course of a medication, as data.

import type { DrugRecord } from './medication.ts';

/** A time in milliseconds since 1970. */
export interface Span {
  from: number;
  until: number;
}

/**
 * The end of a course. `ended`: a record has it. `active`: it goes on. `unknown`: it has ended or is on hold, and no
 * record says when, or no record says whether it goes on.
 */
export type CourseEnd = 'ended' | 'active' | 'unknown';

/** A kind of records by which a course is known. */
export type CourseSource = 'ordered' | 'reported' | 'dispensed';

export interface Course {
  name: string;
  resource: DrugRecord;
  /** The start, or the first time of which a record tells. In milliseconds since 1970. */
  from: number;
  /** The start as it is written. */
  since: string;
  /** True if a record has the start: the date of an order counts as one. */
  isStartKnown: boolean;
  end: CourseEnd;
  /** The end, or the last time of which a record tells; nothing where none does. In milliseconds since 1970. */
  until: number | undefined;
  /** The end as it is written, where it is. */
  ends?: string | undefined;
  /** The source of the end: written dates, a dispense, the ordered supply, or an administration. */
  by: 'dates' | 'dispense' | 'supply' | 'given' | undefined;
  /** The status in words, with its reason. */
  status: string;
  sources: CourseSource[];
  /** The number of times that it was given, as far as records tell. */
  given: number;
  /** The times in which it was given, where nothing else tells of the course. */
  spans?: Span[];
}

/** The courses of one medication, in order of their start. */
export interface CourseLine {
  name: string;
  courses: Course[];
}
