import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { reportAttack } from '../support/attack-report.js';
import { createTenant, GraphQLClient } from '../support/graphql-client.js';
import { OPERATORS, PUBLIC } from '../support/open-operations.js';
import { operations, readSchema } from '../support/schema-walk.js';

const all = operations(readSchema());
let api: TestApi;
let owner: GraphQLClient;
let operator: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi();
  operator = await api.operator();
  owner = await createTenant(operator, 'Acme');
});
afterAll(() => api.close());

const codeOf = async (client: GraphQLClient, { document, variables }: (typeof all)[number]): Promise<string> => {
  try {
    await client.send(document, { ...variables });
    return 'DATA';
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    return String(code);
  }
};

describe('attack 2.17: every operation, by who asks', () => {
  it('is closed without a token, but for a written list', async () => {
    const anonymous = new GraphQLClient(api.url);
    const open: string[] = [];
    for (const operation of all) {
      const code = await codeOf(anonymous, operation);
      if (PUBLIC.includes(operation.name)) open.push(operation.name);
      else expect({ name: operation.name, code }).toEqual({ name: operation.name, code: 'UNAUTHENTICATED' });
    }
    reportAttack('2.17', all.length, { accepted: open.filter((name) => !PUBLIC.includes(name)).length });
    expect(open.sort()).toEqual(PUBLIC);
    expect(await codeOf(anonymous, named('service'))).toBe('DATA');
  });

  it("is closed to an operator's token, but for operators' own operations", async () => {
    for (const operation of all) {
      if (PUBLIC.includes(operation.name) || OPERATORS.includes(operation.name)) continue;
      const code = await codeOf(operator, operation);
      expect({ name: operation.name, code }).toEqual({ name: operation.name, code: 'UNAUTHENTICATED' });
    }
  });

  it("keeps operators' operations from a tenant's owner", async () => {
    for (const name of OPERATORS) expect(await codeOf(owner, named(name))).toBe('UNAUTHENTICATED');
  });

  it('serves three paths beside /graphql and no other', async () => {
    for (const path of ['/livez', '/readyz', '/.well-known/jwks.json']) {
      expect((await fetch(api.url + path)).status).toBe(200);
    }
    for (const path of ['/', '/graphiql', '/playground', '/metrics', '/.env', '/graphql/../livez/x', '/admin']) {
      expect((await fetch(api.url + path)).status).toBeGreaterThanOrEqual(400);
    }
  });

  it('publishes the public half of the keys and nothing else', async () => {
    const text = await (await fetch(`${api.url}/.well-known/jwks.json`)).text();
    for (const key of api.keys.keys) {
      expect(text).not.toContain(key.kty === 'EC' ? key.d : key.k);
      expect(text.includes(key.kid)).toBe(key.kty === 'EC');
    }
  });
});

const named = (name: string): (typeof all)[number] => {
  const operation = all.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return operation;
};
