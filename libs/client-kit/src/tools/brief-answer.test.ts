import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../hostile-texts.testing.js';
import type { BriefRequest } from '../memory-backend.js';
import type { BriefAnswer } from '../memory-view.js';
import { toolByName } from './catalogue.js';
import { contextOf, memoryOf } from './samples.testing.js';
import { answerForAgent } from './tool.js';

const retrieve = toolByName('tempera_retrieve');

const briefOf = (texts: readonly string[], over: Partial<BriefAnswer> = {}): BriefAnswer => ({
  items: texts.map((text, index) => ({
    part: index === 0 ? 'ERROR' : 'TODO',
    text,
    why: index === 0 ? ['same error', 'file'] : ['open'],
    memory: memoryOf(),
  })),
  retrievalId: 'c3d4e5f6-0000-4000-8000-000000000003',
  leftOut: 0,
  tokens: 80,
  correctionCategories: [],
  searchedScopes: ['private', 'web-shop'],
  ...over,
});

describe('a brief', () => {
  it('tells part by part, what each has to do with the task, what corrections are about and how much was left out', async () => {
    const asked: BriefRequest[] = [];
    const answer = briefOf(['Error: x => y', 'Renew it.', 'Rotate it.'], {
      leftOut: 4,
      correctionCategories: [{ name: 'tests', count: 3 }],
    });
    const context = contextOf({
      brief: async (request) => {
        asked.push(request);
        return answer;
      },
    });
    const told = await retrieve.call({ query: 'x', brief: { files: ['a.ts'], type: 'debug' }, limit: 50 }, context);
    const text = answerForAgent(told);
    expect(asked).toMatchObject([{ task: 'x', files: ['a.ts'], type: 'DEBUG', limit: 10, project: 'web-shop' }]);
    expect(text).toContain('Corrections are mostly about: tests 3.');
    expect(text).toContain('The same error, resolved before\na1b2c3d4 · episode · web-shop · same error · file');
    expect(text).toContain('| Error: x => y');
    expect(text.match(/Open todos/g)).toHaveLength(1);
    expect(text).toContain('Left out for want of room: 4.');
    expect(text).toContain(`"retrieval_id": "${answer.retrievalId}"`);
    expect(told.structured['retrievalId']).toBe(answer.retrievalId);
  });

  it('says why there is nothing, and refuses a type that is none, or all beside it', async () => {
    const context = contextOf({ brief: () => Promise.resolve(briefOf([])) });
    expect(answerForAgent(await retrieve.call({ brief: {} }, context))).toContain('Why: no correction');
    await expect(retrieve.call({ brief: { type: 'party' } }, context)).rejects.toThrowError('type is one of: bugfix');
    await expect(retrieve.call({ brief: {}, all: true }, context)).rejects.toThrowError('brief or all');
  });

  it('keeps hostile texts in their envelopes', async () => {
    const texts = hostileTexts.map((text) => (typeof text === 'string' ? text : String(text)));
    const context = contextOf({ brief: () => Promise.resolve(briefOf(texts)) });
    const { structured } = await retrieve.call({ query: 'x', brief: {} }, context);
    for (const { content } of structured['items'] as { content: string }[]) {
      const lines = content.split('\n');
      expect(lines[0]).toMatch(/^<untrusted-memory-0{14}ab /);
      expect(lines.slice(1, -1).every((line) => line.startsWith('| '))).toBe(true);
    }
  });
});
