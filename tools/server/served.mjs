// Lists the served resource types and their search parameters, as the command line reports them.

import { execFileSync } from 'node:child_process';

export const EDGECHART = 'build/edgechart';
const SEARCH = /^\/fhir\/r4\/([A-Z]\w*)$/;

/// Returns the served types in alphabetical order, each with the names of its parameters: {type: {parameters}}.
export function servedTypes() {
  const { paths } = JSON.parse(execFileSync(EDGECHART, ['openapi'], { encoding: 'utf8' }));
  const found = Object.entries(paths).filter(([path]) => SEARCH.test(path));
  return Object.fromEntries(
    found.map(([path, { get }]) => [
      SEARCH.exec(path)[1],
      { parameters: get.parameters.map(({ name }) => name).filter(Boolean) },
    ]),
  );
}
