import { errorTable } from '@tempera/client-kit';
import fc from 'fast-check';
import { type DocumentNode, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportAttack } from '../support/attack-report.js';
import { faultsOf } from '../support/fuzz/answer-shape.js';
import { type FuzzedRequest, makeRequest } from '../support/fuzz/document.js';
import { readSchema } from '../support/schema-walk.js';
import { type Actor, type FuzzWorld, openFuzzWorld } from './fuzz-world.js';

const REQUESTS = process.env['TEMPERA_FULL'] === '1' ? 20_000 : 2_000;
/** As many at once: fewer than the pool has connections, so that nobody is told to wait. */
const WIDTH = 4;
/** An operator's token lives ten minutes. */
const RENEW_EVERY = 400;
const SEED = 20_261_130;
/** Whose turn it is; people can do most. */
const TURNS = ['owner', 'viewer', 'owner', 'operator', 'owner', 'viewer', 'anonymous'];

const schema = readSchema();
const CODES: ReadonlySet<string> = new Set(Object.values(errorTable).map(({ graphqlCode }) => graphqlCode));

let world: FuzzWorld;
beforeAll(async () => {
  world = await openFuzzWorld();
}, 120_000);
afterAll(() => world.close());

interface Outcome {
  readonly code: string;
  readonly faults: readonly string[];
}

const parsed = (query: string): DocumentNode | undefined => {
  try {
    return parse(query, { noLocation: true });
  } catch {
    return undefined;
  }
};

const post = async (
  actor: Actor,
  { query, variables }: FuzzedRequest,
  id: string,
): Promise<{ status: number; text: string }> => {
  const client = actor.client();
  const token = await client.token().catch(() => 'ended');
  const response = await fetch(`${client.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-request-id': id,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, text: await response.text() };
};

const outcomeOf = (actor: Actor, request: FuzzedRequest, status: number, text: string): Outcome => {
  const code = /"code":"([A-Z_]+)","requestId"/.exec(text)?.[1] ?? 'DATA';
  const faults = actor.foreign.filter((word) => text.includes(word)).map((word) => `tells ${word}`);
  if (status >= 500) faults.push(`status ${status}`);
  if (text.includes('"INTERNAL"')) faults.push('INTERNAL');
  try {
    faults.push(...faultsOf(schema, parsed(request.query), JSON.parse(text), CODES));
  } catch {
    faults.push(`no JSON: ${text.slice(0, 100)}`);
  }
  return { code, faults };
};

/**
 * A busy machine may shed a request, and an earlier document may have ended the asker's session; asked again, it must be
 * answered.
 */
const attempt = async (actor: Actor, request: FuzzedRequest, id: string): Promise<Outcome> => {
  let { status, text } = await post(actor, request, id);
  const isOut = status === 401 && actor.name !== 'anonymous';
  if (isOut) await actor.renew();
  if (isOut || text.includes('"UNAVAILABLE"')) ({ status, text } = await post(actor, request, id));
  return outcomeOf(actor, request, status, text);
};

/** A fault with what makes it happen again, and what the service said of it in its log. */
const show = (actor: Actor, { query, variables }: FuzzedRequest, faults: readonly string[], id: string): string => {
  const lines = world.api.logged().split('\n');
  const said = lines.filter((line) => line.includes(`"${id}"`) && /INTERNAL|err/.test(line)).join('\n  ');
  const asked = `${query.slice(0, 1_500)}\n  ${JSON.stringify(variables).slice(0, 500)}`;
  return `${actor.name}: ${faults.join('; ')}\n  ${asked}\n  ${said.slice(0, 2_000)}`;
};

describe('attack 3.8: documents made at random from the schema', () => {
  it('get no fault of ours, no answer against the schema and no word of strangers, whoever asks', async () => {
    const faults: string[] = [];
    const codes = new Map<string, number>();
    const turns = TURNS.map((name) => world.actors.find((actor) => actor.name === name));
    const reached = new Set<string>();
    const draws = fc.sample(fc.gen(), { numRuns: REQUESTS, seed: SEED });
    let next = 0;
    const walk = async (): Promise<void> => {
      for (let n = next++; n < REQUESTS; n = next++) {
        const [actor, draw] = [turns[n % turns.length], draws[n]];
        if (actor === undefined || draw === undefined) throw new Error('nobody asks');
        if (n >= RENEW_EVERY && n % RENEW_EVERY < turns.length) await actor.renew();
        const request = makeRequest(draw, schema, world.names, actor.isTheirs);
        const id = `fuzzed-${n}`;
        const outcome = await attempt(actor, request, id);
        codes.set(outcome.code, (codes.get(outcome.code) ?? 0) + 1);
        if (outcome.code === 'DATA') for (const field of request.fields) reached.add(`${request.kind} ${field}`);
        if (outcome.faults.length > 0) faults.push(show(actor, request, outcome.faults, id));
      }
    };
    await Promise.all(Array.from({ length: WIDTH }, walk));
    const answers = [...codes].map(([code, count]) => `${count} ${code}`).join(', ');
    reportAttack(
      '3.8',
      REQUESTS,
      { faults: faults.length },
      `four actors, ${reached.size} fields answered: ${answers}`,
    );
    expect(faults.slice(0, 10)).toEqual([]);
    // Else the documents were refused before they reached anything, and prove nothing.
    expect(codes.get('DATA') ?? 0).toBeGreaterThan(REQUESTS / 10);
    await expect((await world.api.operator()).send('{ instanceHealth { version } }')).resolves.toMatchObject({
      instanceHealth: { version: expect.any(String) as string },
    });
  }, 7_200_000);
});
