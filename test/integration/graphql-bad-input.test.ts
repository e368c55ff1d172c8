import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { createTenant, type GraphQLClient, RefusedError } from '../support/graphql-client.js';
import { operations, places, readSchema, withValue } from '../support/schema-walk.js';

let api: TestApi;
let owner: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  owner = await createTenant(await api.operator(), 'Acme');
});
afterAll(() => api.close());

/** What nobody sends by intention, and what attackers send first. */
const HOSTILE: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\ud800',
  'x'.repeat(65_537),
  '漢'.repeat(30_000),
  "'; drop table memory; --",
  '%00%ff\\',
  '../../etc/passwd',
  '00000000-0000-4000-8000-000000000000',
  '00000000-0000-4000-8000-00000000000g',
  '\u202e\u200b\u001b[31m',
  '0001-01-01T00:00:00Z',
  '275760-09-13T00:00:00Z',
  '2026-02-30',
  -1,
  0,
  101,
  2_147_483_647,
  -2_147_483_648,
  9e15,
  1.5,
  true,
  null,
  [],
  [null],
  {},
  { __proto__: null, constructor: 1 },
  Array.from({ length: 2_000 }, () => 'x'),
];

/** Each place meets a fifth of the values, each value a fifth of the places; all meet all in the long form. */
const SHARE = process.env['TEMPERA_FULL'] === '1' ? 1 : 5;

/** Logging out would end the session that the others need. */
const SKIPPED = new Set(['logout']);

const outcomeOf = async (document: string, variables: Record<string, unknown>): Promise<string> => {
  try {
    await owner.send(document, variables);
    return 'DATA';
  } catch (error) {
    if (!(error instanceof RefusedError)) return `NO ANSWER (${String(error)})`;
    return error.status >= 500 ? `STATUS ${error.status}` : error.code;
  }
};

it('no value in any place of any argument is a fault of ours, and the service lives on', async () => {
  const faults: string[] = [];
  let [attempts, place] = [0, 0];
  for (const operation of operations(readSchema())) {
    if (SKIPPED.has(operation.name)) continue;
    for (const { path } of places(operation)) {
      place += 1;
      for (const value of HOSTILE.filter((_, index) => (index + place) % SHARE === 0)) {
        attempts += 1;
        const outcome = await outcomeOf(operation.document, withValue(operation, path, value));
        const isFault = ['INTERNAL', 'UNAVAILABLE', 'UNAUTHORIZED'].includes(outcome) || /^(NO|STATUS) /.test(outcome);
        if (isFault)
          faults.push(`${operation.name} ${path.join('.')} = ${JSON.stringify(value)?.slice(0, 40)}: ${outcome}`);
      }
    }
  }
  process.stdout.write(`bad input: ${attempts} attempts, ${faults.length} faults\n`);
  expect(faults).toEqual([]);
  await owner.send('{ me { user { id } } }');
}, 600_000);
