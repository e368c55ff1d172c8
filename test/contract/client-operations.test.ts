import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, getVariableValues, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import * as operations from '../../apps/mcp/src/graphql/operations.js';
import * as adminOperations from '../../apps/mcp/src/graphql/admin-operations.js';
import * as governanceOperations from '../../apps/mcp/src/graphql/governance-operations.js';
import * as idOperations from '../../apps/mcp/src/graphql/id-operations.js';
import * as identityOperations from '../../apps/mcp/src/graphql/identity-operations.js';
import * as memoryOperations from '../../apps/mcp/src/graphql/memory-operations.js';
import * as operatorOperations from '../../apps/mcp/src/graphql/operator-operations.js';
import * as sharingOperations from '../../apps/mcp/src/graphql/sharing-operations.js';
import * as transferOperations from '../../apps/mcp/src/graphql/transfer-operations.js';
import * as turnOperations from '../../apps/mcp/src/graphql/turn-operations.js';
import * as upkeepOperations from '../../apps/mcp/src/graphql/upkeep-operations.js';
import * as teamOperations from '../../apps/mcp/src/graphql/team-operations.js';
import * as recallOfTools from '../../libs/client-kit/src/graphql/recall-operations.js';
import * as upkeepOfTools from '../../libs/client-kit/src/graphql/upkeep-operations.js';
import { type CaptureRequest, type MemoryBackend, type RecallQuestion, toolByName } from '@tempera/client-kit';

const schema: GraphQLSchema = buildSchema(
  readFileSync(new URL('../../apps/api/schema.graphql', import.meta.url), 'utf8'),
);
const named = Object.entries({
  ...operations,
  ...teamOperations,
  ...identityOperations,
  ...idOperations,
  ...memoryOperations,
  ...adminOperations,
  ...operatorOperations,
  ...governanceOperations,
  ...sharingOperations,
  ...upkeepOperations,
  ...recallOfTools,
  ...upkeepOfTools,
  ...transferOperations,
  ...turnOperations,
});

const errorsOf = (query: string): string[] => validate(schema, parse(query)).map((error) => error.message);

/** What the schema says to the variables that the client really sends. */
const refusedVariables = (query: string, variables: Record<string, unknown>): string[] => {
  const operation = parse(query).definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const sent: unknown = JSON.parse(JSON.stringify(variables));
  const result = getVariableValues(schema, operation?.variableDefinitions ?? [], sent as Record<string, unknown>);
  return (result.errors ?? []).map((error) => error.message);
};

/** Calls a tool and catches what it sends; the answer does not matter here. */
const sentBy = async (tool: string, args: unknown): Promise<unknown> => {
  let sent: unknown;
  const keep = (request: unknown): Promise<never> => {
    sent = request;
    return Promise.reject(new Error('sent'));
  };
  const backend: MemoryBackend = {
    retrieve: keep,
    brief: keep,
    capture: keep,
    feedback: keep,
    memory: keep,
    memories: (first, filter) => keep({ first, filter }),
    status: keep,
    manage: keep,
    review: keep,
    consolidate: keep,
    cleanup: keep,
    startRun: keep,
    run: keep,
    previewPropagation: keep,
    stats: keep,
    trends: keep,
  };
  await toolByName(tool)
    .call(args, {
      backend,
      boundProject: 'web-shop',
      sessionKey: 'session',
      source: 'MCP',
      now: () => new Date(0),
      wait: () => Promise.resolve(),
      newId: () => '00000000-0000-4000-8000-000000000000',
      randomHex: () => '0'.repeat(16),
    })
    .catch(() => undefined);
  return sent;
};

const FULL_QUESTION = {
  query: 'why',
  limit: 50,
  kinds: ['episode', 'preference', 'background', 'decision', 'todo', 'correction', 'question'],
  tags: ['a'],
  files: ['b'],
  since: '2026-01-01',
  until: '2026-02-01T00:00:00+02:00',
  as_of: '2026-01-15',
  project: 'api',
};
const FULL_CAPTURE = {
  summary: 'text',
  title: 'title',
  outcome: 'partial',
  files_modified: ['a'],
  tags: ['b'],
  errors_resolved: [{ error: 'e', resolution: 'r' }, { error: 'e' }],
  alternatives: [{ approach: 'a', why_not: 'w', revisit_if: 'r' }],
  expires: '2027-01-01',
  pin: true,
  supersedes: 'a1b2c3d4',
  session_id: 's',
  project: 'api',
};

describe('the operations of the client', () => {
  it.each(named)('%s is valid against the committed schema', (_name, query) => {
    expect(errorsOf(query)).toEqual([]);
  });

  it('are the only ones: nothing else in the client speaks GraphQL', () => {
    const client = new URL('../../apps/mcp/src/', import.meta.url);
    const elsewhere = readdirSync(client, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/operations\.ts$|\.test\.ts$|^testing/.test(file))
      .filter((file) => /\b(?:query|mutation) \w+ ?[({]/.test(readFileSync(new URL(file, client), 'utf8')));
    expect(elsewhere).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(80);
    expect(errorsOf('query X { me { nonsense } }')).toHaveLength(1);
  });

  it.each(['private', 'project', 'tenant'])('a question with every argument fits, scope %s', async (scope) => {
    const question = (await sentBy('tempera_retrieve', { ...FULL_QUESTION, scope })) as RecallQuestion;
    expect(question.kinds).toHaveLength(7);
    expect(refusedVariables(operations.RETRIEVE, { input: question })).toEqual([]);
    const list = (await sentBy('tempera_retrieve', { ...FULL_QUESTION, query: undefined, all: true, scope })) as object;
    expect(refusedVariables(operations.MEMORIES, { ...list })).toEqual([]);
  });

  it('a wish for a brief with every argument fits', async () => {
    const subject = { files: ['a.ts'], type: 'bugfix', domain: 'database' };
    const brief = await sentBy('tempera_retrieve', { query: 'why', brief: subject, limit: 50, max_tokens: 20_000 });
    expect(brief).toMatchObject({ task: 'why', type: 'BUGFIX', limit: 10, maxTokens: 20_000, project: 'web-shop' });
    expect(refusedVariables(operations.BRIEF, { input: brief })).toEqual([]);
  });

  const words: [string, string[]][] = [
    ['kind', FULL_QUESTION.kinds],
    ['task_type', ['bugfix', 'feature', 'refactor', 'test', 'docs', 'research', 'debug', 'setup', 'unknown']],
    ['outcome', ['success', 'partial', 'failure']],
    ['validity', ['forever', 'language', 'domain', 'project', 'dependency', 'workaround', 'none']],
    ['verification', ['untested', 'tests_pass', 'merged', 'stable', 'across_projects']],
    ['scope', ['private', 'project', 'tenant']],
  ];
  it.each(words)('a capture with every argument and each %s fits', async (argument, values) => {
    for (const value of values) {
      const request = (await sentBy('tempera_capture', { ...FULL_CAPTURE, [argument]: value })) as CaptureRequest;
      expect(request.text).toBe('text');
      expect(refusedVariables(operations.CAPTURE, { input: request })).toEqual([]);
    }
  });

  it('votes fit, and so does what the tools do not send', async () => {
    const vote = await sentBy('tempera_feedback', {
      episode_ids: ['00000000-0000-4000-8000-000000000000'],
      helpful: false,
      retrieval_id: '00000000-0000-4000-8000-000000000001',
      note: 'n',
      withdraw: true,
    });
    expect(refusedVariables(operations.FEEDBACK, { input: vote })).toEqual([]);
    expect(refusedVariables(operations.LOGIN, { input: { code: 'c', client: 'd' } })).toEqual([]);
    expect(refusedVariables(operations.REFRESH, { input: { refreshToken: 'r' } })).toEqual([]);
    expect(refusedVariables(operations.PROJECTS, { first: 100, after: null })).toEqual([]);
    expect(refusedVariables(operations.STATUS, { project: null })).toEqual([]);
    for (const action of ['consolidate', 'cleanup'] as const) {
      const input = await sentBy('tempera_review', { action, execute: true, project: 'api' });
      const query = action === 'cleanup' ? upkeepOperations.CLEANUP : upkeepOperations.CONSOLIDATE;
      expect(refusedVariables(query, { input })).toEqual([]);
    }
    expect(refusedVariables(operations.CAPTURE, { input: { txt: 'x' } })).not.toEqual([]);
  });
});
