import { describe, expect, it } from 'vitest';
import { AppError, isAppError } from '../app-error.js';
import type { MemoryBackend } from '../memory-backend.js';
import { toolByName, toolCatalogue } from './catalogue.js';
import { captureAnswerOf, contextOf, memoryOf, retrieveAnswerOf, statusAnswer } from './samples.testing.js';
import type { ToolAnswer } from './tool.js';
import { tellError } from './tool-error.js';

/** Words that only an agent can follow: names of tools and of their arguments. */
const FOR_AGENTS = new RegExp(
  [
    ...toolCatalogue.flatMap((tool) => [
      tool.name,
      ...Object.keys(tool.inputSchema.shape).filter((name) => name.includes('_')),
    ]),
    'call again',
    'the user',
    'summary',
    'Lines marked',
  ].join('|'),
);
const wordsOf = (answer: ToolAnswer): string =>
  answer.parts.map((part) => (part.type === 'text' ? (part.forPerson ?? part.text) : part.text)).join('\n');

const LONG = Array.from({ length: 40 }, (_, index) =>
  memoryOf({ id: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000001`, text: 'word '.repeat(5_000) }),
);
const answers: Partial<MemoryBackend> = {
  retrieve: ({ query }) => Promise.resolve(retrieveAnswerOf(query === 'nothing' ? [] : LONG)),
  memories: () => Promise.resolve({ nodes: LONG, totalCount: 40 }),
  memory: () => Promise.reject(new AppError('not-found', 'no-memory', 'No such memory.')),
  capture: () => Promise.resolve(captureAnswerOf({ memory: { ...captureAnswerOf().memory, scope: 'PRIVATE' } })),
  feedback: () => Promise.resolve({ recorded: [], rejected: [{ id: 'deadbeef', reason: 'no such memory' }] }),
  status: () => Promise.resolve(statusAnswer),
};
const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['tempera_retrieve', { query: 'pool', limit: 40 }],
  ['tempera_retrieve', { query: 'nothing' }],
  ['tempera_retrieve', { query: 'deadbeef' }],
  ['tempera_retrieve', { query: 'deadbeef-0000-4000-8000-000000000001' }],
  ['tempera_retrieve', { all: true }],
  ['tempera_retrieve', {}],
  ['tempera_retrieve', { all: true, query: 'x' }],
  ['tempera_retrieve', { query: 'x', since: 'yesterday' }],
  ['tempera_retrieve', { query: 'x', max_tokens: 1, kinds: ['nonsense'] }],
  ['tempera_capture', { summary: 'x' }],
  ['tempera_capture', { summary: ' ' }],
  ['tempera_capture', { summary: '\u200b' }],
  ['tempera_capture', { summary: 'x'.repeat(70_000) }],
  ['tempera_capture', { summary: 'x', scope: 'project' }],
  ['tempera_capture', { summary: 'x', expires: 'soon', task_type: 'nonsense' }],
  ['tempera_feedback', { episode_ids: ['x', 'deadbeef'], helpful: true }],
  ['tempera_feedback', { episode_ids: [], helpful: true }],
  ['tempera_status', {}],
  ['tempera_stats', { bucket: 'weekly' }],
  ['tempera_stats', { action: 'trends', since: 'spring' }],
];

describe('the words of the tools', () => {
  it.each(CALLS)('%s %j speaks to a person of commands and options, not of tools and arguments', async (tool, args) => {
    const context = contextOf(answers, { source: 'CLI', boundProject: null });
    const told = await toolByName(tool)
      .call(args, context)
      .then(wordsOf, (error: unknown) => {
        if (!isAppError(error)) throw error;
        return tellError(error, 'person').text;
      });
    expect(told).not.toMatch(FOR_AGENTS);
  });

  it('tell a person the whole line to vote with', async () => {
    const hits = contextOf({ retrieve: () => Promise.resolve(retrieveAnswerOf([memoryOf()])) }, { source: 'CLI' });
    expect(wordsOf(await toolByName('tempera_retrieve').call({ query: 'pool' }, hits))).toContain(
      '`tempera feedback helpful --episodes a1b2c3d4 --retrieval c3d4e5f6-0000-4000-8000-000000000003`',
    );
  });
});
