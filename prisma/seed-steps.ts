import { z } from 'zod';
import { Refused, type SeedClient } from './seed-client.js';
import { SEED_QUESTION, type SeedMemory } from './seed-memories.js';
import type { SeedState, SeedStateFile } from './seed-state.js';

export const PROJECT = { slug: 'tempera-team', name: 'Tempera Team' } as const;
const TENANT_NAME = 'My team';

const sessionShape = z.object({ accessToken: z.string(), refreshToken: z.string() });

/** A tenant whose owner has an invitation and nothing else yet. */
export const createTenant = async (client: SeedClient, operatorCode: string): Promise<SeedState> => {
  const { operatorLogin } = await client.send(
    'mutation ($code: String!) { operatorLogin(code: $code) { accessToken } }',
    { code: operatorCode },
    z.object({ operatorLogin: z.object({ accessToken: z.string() }) }),
  );
  const { createTenant: created } = await client.as(operatorLogin.accessToken).send(
    `mutation ($input: CreateTenantInput!) { createTenant(input: $input) { tenant { id } ownerInvitation { code } } }`,
    { input: { name: TENANT_NAME, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, ownerName: 'Owner' } },
    z.object({
      createTenant: z.object({
        tenant: z.object({ id: z.uuid() }),
        ownerInvitation: z.object({ code: z.string() }),
      }),
    }),
  );
  return { tenantId: created.tenant.id, invitationCode: created.ownerInvitation.code, finished: false };
};

const openSession = async (client: SeedClient, state: SeedState): Promise<z.infer<typeof sessionShape>> => {
  if (state.refreshToken !== undefined) {
    const { refresh } = await client.send(
      'mutation ($token: String!) { refresh(input: { refreshToken: $token }) { accessToken refreshToken } }',
      { token: state.refreshToken },
      z.object({ refresh: sessionShape }),
    );
    return refresh;
  }
  const { login } = await client.send(
    'mutation ($code: String!) { login(input: { code: $code, client: "npm start" }) { accessToken refreshToken } }',
    { code: state.invitationCode },
    z.object({ login: sessionShape }),
  );
  return login;
};

/** Logs the owner in, or goes on with the login of an earlier start; the new token is kept before it is used. */
export const logIn = async (client: SeedClient, file: SeedStateFile, state: SeedState): Promise<SeedClient> => {
  const { accessToken, refreshToken } = await openSession(client, state);
  file.write({ tenantId: state.tenantId, refreshToken, finished: state.finished });
  return client.as(accessToken);
};

const ensureProject = async (owner: SeedClient): Promise<void> => {
  try {
    await owner.send(
      'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }',
      { input: PROJECT },
      z.unknown(),
    );
  } catch (error) {
    // An earlier start made it and was ended before it had captured everything.
    if (!(error instanceof Refused) || error.code !== 'CONFLICT') throw error;
  }
};

/** The project and its memories; keys make a second try repeat nothing. */
export const capture = async (owner: SeedClient, memories: readonly SeedMemory[]): Promise<number> => {
  await ensureProject(owner);
  const inputs = memories.map(({ key, ...memory }) => ({
    ...memory,
    scope: 'PROJECT',
    project: PROJECT.slug,
    validity: 'PROJECT',
    source: 'IMPORT',
    merge: 'NEVER',
    idempotencyKey: `first-run:${key}`,
    // Memories of one session lend to each other, and these have nothing to do with one another.
    sessionKey: `first-run:${key}`,
  }));
  const { captureMany } = await owner.send(
    'mutation ($inputs: [CaptureInput!]!) { captureMany(inputs: $inputs) { captured failed results { error { message } } } }',
    { inputs },
    z.object({
      captureMany: z.object({
        captured: z.number(),
        failed: z.number(),
        results: z.array(z.object({ error: z.object({ message: z.string() }).nullable() })),
      }),
    }),
  );
  const failure = captureMany.results.find(({ error }) => error !== null)?.error;
  if (failure) throw new Error(`A memory of the first run was refused: ${failure.message}`);
  return captureMany.captured;
};

export interface SeedAnswer {
  readonly title: string;
  readonly text: string;
  readonly similarity: number;
}

/** The best answer to the first question; null when nothing was found. */
export const ask = async (owner: SeedClient): Promise<SeedAnswer | null> => {
  const { retrieve } = await owner.send(
    `mutation ($input: RetrieveInput!) { retrieve(input: $input) { hits { similarity memory { title text } } } }`,
    { input: { query: SEED_QUESTION, project: PROJECT.slug, limit: 3 } },
    z.object({
      retrieve: z.object({
        hits: z.array(z.object({ similarity: z.number(), memory: z.object({ title: z.string(), text: z.string() }) })),
      }),
    }),
  );
  const [best] = retrieve.hits;
  return best === undefined ? null : { ...best.memory, similarity: best.similarity };
};

/** A code with which the owner logs in on this machine or another. */
export const loginCode = async (owner: SeedClient): Promise<string> => {
  const { createLoginCode } = await owner.send(
    'mutation { createLoginCode { code } }',
    {},
    z.object({ createLoginCode: z.object({ code: z.string() }) }),
  );
  return createLoginCode.code;
};
