import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.js';
import { createTenant, type GraphQLClient } from '../support/graphql-client.js';

let api: TestApi;
let owner: GraphQLClient;

beforeAll(async () => {
  api = await startTestApi({ profile: 'production' });
  owner = await createTenant(await api.operator(), 'Acme');
});
afterAll(() => api.close());

interface Answer {
  readonly status: number;
  readonly codes: readonly string[];
  readonly text: string;
  readonly milliseconds: number;
}

const codesOf = (text: string): string[] => {
  try {
    const { errors = [] } = JSON.parse(text) as { errors?: { extensions?: { code?: string } }[] };
    return errors.map(({ extensions }) => extensions?.code ?? 'NONE');
  } catch {
    return ['NO JSON'];
  }
};

const post = async (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> => {
  const start = performance.now();
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, codes: codesOf(text), text, milliseconds: performance.now() - start };
};
const send = (query: string, variables: unknown = {}): Promise<Answer> => post(JSON.stringify({ query, variables }));

/** Memories are related to memories, so a valid document can be as deep as anyone likes. */
const nested = (depth: number): string => {
  const inner = (level: number): string => {
    if (level === depth) return '__typename';
    return `${level % 2 === 0 ? 'memory' : 'related'} { ${inner(level + 1)} }`;
  };
  return `{ memories(first: 1) { nodes { ${inner(3)} } } }`;
};

const viaFragments = (count: number, last: string): string => {
  const fragments = Array.from({ length: count }, (_, index) => `fragment F${index} on Query { ...F${index + 1} }`);
  return `{ ...F0 } ${fragments.join(' ')} fragment F${count} on Query { ${last} }`;
};

/** Fragments that each spread the next twice: 2^n fields in a short document. */
const doubling = (count: number): string => {
  const fragments = Array.from(
    { length: count },
    (_, index) => `fragment F${index} on Service { ...F${index + 1} ...F${index + 1} }`,
  );
  return `{ service { ...F0 } } ${fragments.join(' ')} fragment F${count} on Service { version }`;
};

describe('attack 3.1: documents that are too much', () => {
  const documents: Record<string, string> = {
    'depth 9': nested(9),
    'depth 100': nested(100),
    'depth 5,000': nested(5_000),
    'depth 9 through a fragment named __schema': `{ memories(first: 1) { nodes { ...__schema } } }
      fragment __schema on Memory { related { memory { related { memory { related { memory { id } } } } } } }`,
    'a fragment that spreads itself': '{ ...A } fragment A on Query { ...A }',
    'fragments in a circle': '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
    'an unused fragment in a circle': '{ service { version } } fragment A on Query { ...A }',
    'fields doubled by fragments': doubling(20),
    '10,000 aliases of __typename': `{ ${Array.from({ length: 10_000 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
    '16 aliases': `{ ${Array.from({ length: 16 }, (_, i) => `a${i}: service { version }`).join(' ')} }`,
    '51 directives': `{ service { version ${'@include(if: true) '.repeat(51)} } }`,
    '51 directives on a fragment': `{ service { ...F } } fragment F on Service { ${'version @skip(if: false) '.repeat(51)} }`,
    '1,001 tokens': `{ ${'__typename '.repeat(1_000)} }`,
    '500 directives': `{ service { version ${'@include(if: true) '.repeat(500)} } }`,
    '100 nested lists in a literal': `mutation { feedback(input: { memoryIds: ${'['.repeat(100)}${']'.repeat(100)}, helpful: true }) { recorded } }`,
    'an empty document': '',
    'two operations without a name': 'query A { service { version } } query B { service { version } }',
  };

  it('refuses each before any resolver, as bad input', async () => {
    const times: number[] = [];
    for (const [name, query] of Object.entries(documents)) {
      const answer = await send(query);
      expect({ name, status: answer.status }).toEqual({ name, status: 400 });
      expect({ name, codes: new Set(answer.codes) }).toEqual({ name, codes: new Set(['BAD_USER_INPUT']) });
      times.push(answer.milliseconds);
    }
    times.sort((a, b) => a - b);
    const [median = 0, slowest = 0] = [times[times.length >> 1], times.at(-1)];
    process.stdout.write(
      `attack 3.1: ${times.length} attempts, 0 accepted; median ${Math.round(median)} ms, slowest ${Math.round(slowest)} ms\n`,
    );
    expect(median).toBeLessThan(500);
  });

  it('lets through what a client needs: eight levels, also through many fragments', async () => {
    // Eight levels with `related` once, as deep as the schema goes without telling of the related of the related.
    await owner.send('{ memories(first: 1) { nodes { related { memory { project { members { user { id } } } } } } } }');
    expect((await owner.refused(nested(9))).message).toContain('levels');
    expect((await send(viaFragments(50, 'service { version }'))).status).toBe(200);
  });

  it('refuses a body over 1 MiB with 413 in the shape of GraphQL, and takes one just below', async () => {
    const padding = (length: number): string =>
      JSON.stringify({ query: '{ service { version } }', variables: { x: 'y'.repeat(length) } });
    const over = await post(padding(1024 * 1024));
    expect(over.status).toBe(413);
    expect(over.codes).toEqual(['BAD_USER_INPUT']);
    expect((await post(padding(1024 * 1024 - 200))).status).toBe(200);
  });

  it('refuses half a million items in a list variable', async () => {
    const ids = Array.from({ length: 250_000 }, () => 1);
    const answer = await send(
      'mutation ($ids: [ID!]!) { feedback(input: { memoryIds: $ids, helpful: true }) { recorded } }',
      { ids },
    );
    expect(answer.codes[0]).toMatch(/BAD_USER_INPUT|UNAUTHENTICATED/);
    expect(answer.status).toBeLessThan(500);
  });
});

describe('attack 3.3: page sizes', () => {
  it.each([0, -1, 101, 2_147_483_647])('refuses first: %d', async (first) => {
    for (const list of ['projects', 'users', 'tokens']) {
      const refused = await owner.refused(`query ($first: Int!) { ${list}(first: $first) { nodes { id } } }`, {
        first,
      });
      expect(refused.code).toBe('BAD_USER_INPUT');
    }
  });

  it.each([2_147_483_648, null, 1.5, '10', undefined])('refuses first: %j', async (first) => {
    const answer = await send('query ($first: Int!) { projects(first: $first) { nodes { id } } }', { first });
    expect(answer.codes).toEqual(['BAD_USER_INPUT']);
  });

  it('requires first', async () => {
    expect((await send('{ projects { nodes { id } } }')).codes).toEqual(['BAD_USER_INPUT']);
  });
});

describe('attack 3.4: other ways to send', () => {
  const mutation = 'mutation { operatorLogin(code: "x") { accessToken } }';

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/graphql',
  ])('refuses a POST as %s', async (contentType) => {
    const answer = await post(JSON.stringify({ query: '{ service { version } }' }), { 'content-type': contentType });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.text).not.toContain('"data"');
  });

  it('refuses a mutation by GET, and a GET without the preflight header', async () => {
    const url = `${api.url}/graphql?query=${encodeURIComponent(mutation)}`;
    expect((await fetch(url, { headers: { 'apollo-require-preflight': '1' } })).status).toBe(405);
    const plain = await fetch(`${api.url}/graphql?query=${encodeURIComponent('{ service { version } }')}`);
    expect(plain.status).toBe(400);
  });

  it('refuses a batch', async () => {
    const answer = await post(
      JSON.stringify([{ query: '{ service { version } }' }, { query: '{ service { version } }' }]),
    );
    expect(answer.status).toBe(400);
    expect(answer.codes).toEqual(['BAD_USER_INPUT']);
  });

  it('refuses persisted queries, which would be stored', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    expect((await post(JSON.stringify({ query: '{ service { version } }', extensions }))).codes).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  it.each([
    ['broken JSON', '{"query": '],
    ['a number', '5'],
    ['a text', '"query"'],
    ['null', 'null'],
    ['an empty body', ''],
    ['a query that is a number', '{"query": 5}'],
    ['variables that are a list', '{"query": "{ service { version } }", "variables": [1]}'],
    ['an operation name that is an object', '{"query": "{ service { version } }", "operationName": {}}'],
    ['a name that no operation has', '{"query": "query A { service { version } }", "operationName": "B"}'],
    [
      '100,000 nested lists',
      `{"query": "{ service { version } }", "variables": {"x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    ],
  ])('answers %s with 400 or below', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBeLessThan(500);
    expect(answer.codes).not.toContain('INTERNAL');
    expect(answer.codes).not.toContain('NO JSON');
  });

  it('refuses bytes that are no UTF-8 and other encodings', async () => {
    const query = JSON.stringify({ query: '{ service { version } }', variables: { x: 'é' } });
    const bodies: [Uint8Array, string][] = [
      [Buffer.from(query, 'utf16le'), 'utf-16le'],
      [Buffer.from(query, 'latin1'), 'iso-8859-1'],
      [Buffer.from(query, 'latin1'), 'utf-8'],
    ];
    for (const [body, charset] of bodies) {
      const answer = await post(body, { 'content-type': `application/json; charset=${charset}` });
      expect(answer.status).toBe(415);
      expect(answer.codes).toEqual(['BAD_USER_INPUT']);
    }
    expect((await post(query, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
  });
});

describe('attack 3.5: learning the schema', () => {
  it('refuses introspection in production', async () => {
    for (const query of ['{ __schema { types { name } } }', '{ __type(name: "User") { fields { name } } }']) {
      expect((await send(query)).codes).toEqual(['BAD_USER_INPUT']);
    }
  });

  it('proposes no names for misspelt fields, arguments, types or values', async () => {
    const misspelt = [
      '{ servce { version } }',
      '{ service { versio } }',
      '{ projects(frst: 1) { nodes { id } } }',
      'mutation { inviteUser(input: { displayNme: "x" }) { code } }',
      'mutation { inviteUser(input: { displayName: "x", role: OWNR }) { code } }',
      'query ($x: Strin) { service { version } }',
    ];
    for (const query of misspelt) expect((await send(query)).text).not.toContain('Did you mean');
    const variable = await send(
      'mutation ($role: TenantRole!) { inviteUser(input: { displayName: "x", role: $role }) { code } }',
      {
        role: 'OWNR',
      },
    );
    expect(variable.text).not.toContain('Did you mean');
  });

  it('has no page for browsers', async () => {
    const page = await fetch(`${api.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(await page.text()).not.toContain('<html');
    expect((await fetch(`${api.url}/`)).status).toBe(404);
    expect(page.headers.get('x-powered-by')).toBeNull();
  });
});

describe('texts that cannot be stored', () => {
  const CREATE = 'mutation ($name: String!) { createProject(input: { slug: "x", name: $name }) { id } }';

  it('refuses NUL and halves of surrogate pairs in any argument', async () => {
    for (const name of ['a\u0000b', 'a\ud800', '\udc00b', '\ud83d']) {
      expect((await owner.refused(CREATE, { name })).code).toBe('BAD_USER_INPUT');
    }
    expect((await send('mutation { operatorLogin(code: "a\\u0000b") { accessToken } }')).codes).toEqual([
      'BAD_USER_INPUT',
    ]);
    expect((await send('mutation { operatorLogin(code: "\\ud800") { accessToken } }')).codes).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  it('takes whole pairs', async () => {
    await owner.send('mutation ($n: String!) { createProject(input: { slug: "pairs", name: $n }) { id } }', {
      n: 'ok 😀 漢字',
    });
  });

  it('refuses wrong types of arguments as bad input, in variables and in literals', async () => {
    const literals = ['name: 5', 'name: null', 'name: ["a"]', 'name: {a: 1}', 'name: true', 'name: ENUM'];
    for (const literal of literals) {
      const { codes } = await send(`mutation { createProject(input: { slug: "x", ${literal} }) { id } }`);
      expect({ literal, codes: new Set(codes) }).toEqual({ literal, codes: new Set(['BAD_USER_INPUT']) });
    }
    for (const name of [5, null, ['a'], { a: 1 }, true]) {
      expect((await send(CREATE, { name })).codes).toEqual(['BAD_USER_INPUT']);
    }
  });
});

describe('request ids', () => {
  it('sends back the id that came, when it may stand in a log, and makes one otherwise', async () => {
    const ids = async (id: string): Promise<string | null> =>
      (await fetch(`${api.url}/livez`, { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await ids('trace-12345')).toBe('trace-12345');
    expect(await ids('{"level":60}')).toMatch(/^[0-9a-f-]{36}$/);
    const answer = await post(JSON.stringify({ query: '{ me { user { id } } }' }), { 'x-request-id': 'trace-12345' });
    expect(answer.text).toContain('"requestId":"trace-12345"');
  });
});
