// Every requirement of US Core 9.0.0 for a server, over HTTP (S), in its statement (M) or its authorization (A), has a
// test here or a reason why there is none. A row names ids, and a file with the text that shows them.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const FILE = join(process.env.DEFINITIONS ?? '../shared/definitions', 'guides/us-core-9.0.0-requirements.json');

const CASES = [
  ['0002 0014 0016', 'src/api/metadata.rs', 'fn each_guide_is_declared'],
  ['0015 0017', 'tests/edge/discovery.test.mjs', 'what US Core asks of a server and is not offered is told'],
  ['0049 0050', 'tests/cases/audit.json', 'included_as_far_as_each_is_opened'],
  ['0051 0052', 'tests/cases/compartments.json', 'by_post'],
  ['0055', 'tests/cases/tokens.json', 'system_and_code_match_together'],
  ['0058', 'tests/cases/references.json', 'a_type_and_id_is_a_patient'],
  ['0061 0062', 'docs/contract.md', 'the value is a range as long as its precision'],
  ['0063 0069', 'tests/us_core.rs', 'fn every_search_of_each_version_finds_resources_of_its_profiles_in_the_sample'],
  ['0070 0071', 'tests/cases/tokens.json', 'unknown_codes_in_a_list_do_no_harm'],
  ['0118 0119 0128', 'tests/edge/inferno-g10.test.mjs', '3.8.01 to 3.8.11 an EHR launches the app'],
  ['0120 0121 0130', 'tests/edge/discovery.test.mjs', 'every scope that is offered to a backend client is granted'],
  ['0123 0173', 'tests/edge/discovery.test.mjs', "introspect: 'introspection_endpoint'"],
  ['0124 0168', 'tests/edge/discovery.test.mjs', 'every scope of US Core 9.0.0 is listed'],
  ['0167', 'tests/edge/inferno-g10.test.mjs', '1.8.05 capabilities of a standalone launch'],
  ['0171', 'tests/signin/consent.rs', 'fn g10_9_26_parts_are_offered_and_granted_in_place_of_the_whole'],
  ['0190', 'tests/cases/missing.json', 'an_allergy_entered_in_error_has_its_status'],
  ['0199 0202', 'src/api/metadata.rs', '// CONF-0202, CONF-0199'],
  ['0200', 'tests/us_core.rs', '"_lastUpdated" => &["meta.lastUpdated"]'],
  ['0250 0402', 'src/search/include.rs', '"MedicationRequest:medication:Medication"'],
  ['0252 0259 0260 0842', 'src/search/combination.rs', '"patient+intent+encounter"'],
  ['0489', 'tests/cases/guides.json', 'U3_has_a_Provenance'],
  ['0570', 'docs/contract.md', 'SMART App Launch 2.2'],
  ['0839', 'docs/decisions/permission-and-sign-in.md', '## Binaries of records'],
];

const REASONS = {
  'an unknown code is no error here; the other codes are answered': '0072',
  'should or may; every scope of a type and filter by a token is granted': '0125 0129 0131',
  'codes are compared, not expanded': '0233 0234 0235 0236 0237 0238 0239 0240 0241 0242 0243 0244 0245',
  'may: category of MedicationRequest is in the sets r4 and IPA': '0262',
};

test('every requirement for a server has a test or a reason', { skip: !existsSync(FILE) }, () => {
  for (const [ids, file, text] of CASES) assert.ok(readFileSync(file, 'utf8').includes(text), `${ids}: ${file}`);
  const { rows } = JSON.parse(readFileSync(FILE, 'utf8'));
  // Scopes are compared with the published ones in tests/edge/discovery.test.mjs.
  const all = rows.filter(([, , , kind, , gist]) => 'SMA'.includes(kind) && !gist.startsWith('scope <level>/'));
  const named = [...CASES.map(([ids]) => ids), ...Object.values(REASONS)].flatMap((ids) => ids.split(' '));
  const ids = all.map(([id]) => id.replace('CONF-', ''));
  assert.deepEqual(named.sort(), ids.sort());
});
