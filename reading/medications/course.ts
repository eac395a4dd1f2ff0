//! A course of a medication, as data.

import type { DrugRecord } from './medication.ts';

/** A time in milliseconds since 1970. */
export interface Span {
  from: number;
  until: number;
}

/** A kind of record from which a course is known. */
export type CourseSource = 'ordered' | 'reported' | 'dispensed';

export interface Course {
  name: string;
  resource: DrugRecord;
  /** The start, or the earliest time in the records, in milliseconds since 1970. */
  from: number;
  /** The start as written. */
  since: string;
  /** True if a record has the start. The date of an order counts as the start. */
  isStartKnown: boolean;
  /**
   * `ended`: a record has the end. `active`: the course continues. `unknown`: the course has ended or is on hold, and
   * no record has the date, or no record shows whether the course continues.
   */
  end: 'ended' | 'active' | 'unknown';
  /** The end, or the latest time in the records, in milliseconds since 1970; `undefined` if there is none. */
  until: number | undefined;
  /** The end as written, if a record has it. */
  ends?: string | undefined;
  /** The source of the end: written dates, a dispense, the ordered supply, or an administration. */
  by: 'dates' | 'dispense' | 'supply' | 'given' | undefined;
  /** The status in words, with its reason. */
  status: string;
  sources: CourseSource[];
  givenCount: number;
  /** The times of the administrations, if only administrations show the course. */
  spans?: Span[];
}

/** The courses of one medication, in order of their start. */
export interface CourseLine {
  name: string;
  courses: Course[];
}
