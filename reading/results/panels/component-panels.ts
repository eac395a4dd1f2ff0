//! Panels whose tests are the components of one observation. Each test is read as a result, with its own flag and
//! range.

import type { Observation } from '../../fhir/types.ts';
import { ENGLISH, type Words } from '../../language/words.ts';
import { withAbout } from '../names/told-apart.ts';
import { value } from '../values/reading.ts';
import { ofSameSubject, withoutJudgement } from '../values/subject.ts';
import { isPressure } from './pressure.ts';
import { groupsOf, type TestGroup, withKey } from './test-groups.ts';

interface ComponentPanel {
  name: string;
  tests: TestGroup[];
}

/** Returns whether the components of an observation are its results. A blood pressure is a single result. */
const isOfComponents = (o: Observation): boolean =>
  (o.component?.length ?? 0) > 0 && value(ENGLISH, o) === undefined && !isPressure(o);

function partsOf(o: Observation): Observation[] {
  const { component = [], ...rest } = withoutJudgement(o);
  return component.map((part) => ofSameSubject(o, { ...rest, ...part }));
}

/** Returns the panels of components among observations, and the other observations. Tests link to a panel's trend. */
export function componentPanels(
  words: Words,
  observations: readonly Observation[],
): {
  panels: ComponentPanel[];
  others: Observation[];
} {
  const panels = groupsOf(words, observations.filter(isOfComponents)).map(({ key, name, list, latest }) => ({
    name: withAbout(words, latest, name),
    tests: groupsOf(words, list.flatMap(partsOf)).map((test) => withKey(test, key)),
  }));
  return { panels, others: observations.filter((o) => !isOfComponents(o)) };
}
