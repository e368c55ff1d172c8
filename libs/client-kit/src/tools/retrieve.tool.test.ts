import { describe, expect, it } from 'vitest';
import { AppError } from '../app-error.js';
import { hostileTexts } from '../hostile-texts.testing.js';
import type { RecallQuestion } from '../memory-backend.js';
import { toolByName } from './catalogue.js';
import { contextOf, detailOf, memoryOf, retrieveAnswerOf } from './samples.testing.js';
import { answerForAgent } from './tool.js';

const retrieve = toolByName('tempera_retrieve');
const OTHER = memoryOf({ id: 'f6a7b8c9-0000-4000-8000-000000000006', title: 'Another', text: 'Another text.' });

describe('tempera_retrieve', () => {
  it('B5: shows every hit with its id, its text and what speaks for it', async () => {
    const context = contextOf({ retrieve: () => Promise.resolve(retrieveAnswerOf([memoryOf(), OTHER])) });
    const answer = await retrieve.call({ query: 'pool' }, context);
    const text = answerForAgent(answer);
    expect(text).toContain('1. a1b2c3d4 · episode · web-shop · success · 87 % similar · 61 % useful');
    expect(text).toContain('| Raised the pool to 20 and closed clients in finally.');
    expect(text).toContain('| Error: timeout acquiring client => close in finally');
    expect(text).toContain('| Rejected: a bigger server because hides the leak');
    expect(text).toContain('| Same session: b2c3d4e5 Measured the pool');
    expect(text).toContain('author="Ana" age="3 days" trust="found helpful"');
    const hits = answer.structured['hits'] as { id: string; content: string }[];
    expect(hits.map((hit) => hit.id)).toEqual([memoryOf().id, OTHER.id]);
    for (const hit of hits) expect(hit.content).toMatch(/^<untrusted-memory-00000000000000ab [^\n]+\n\| [^\n]+/);
  });

  it('B6: echoes what was searched and hands the retrieval id on for feedback', async () => {
    const context = contextOf({ retrieve: () => Promise.resolve(retrieveAnswerOf([memoryOf()])) });
    const answer = await retrieve.call({ query: 'pool' }, context);
    const text = answerForAgent(answer);
    expect(text).toContain('Searched: private, project web-shop, tenant.');
    expect(text).toContain('"retrieval_id": "c3d4e5f6-0000-4000-8000-000000000003"');
    expect(answer.structured['searchedScopes']).toEqual(['private', 'project web-shop', 'tenant']);
  });

  it('asks for a vote on what has to do with the question alone', async () => {
    const found = retrieveAnswerOf([memoryOf(), OTHER]);
    const textFor = async (relevances: readonly number[]): Promise<string> => {
      const hits = found.hits.map((hit, index) => ({
        ...hit,
        explanation: { ...hit.explanation, relevance: relevances[index] ?? 0 },
      }));
      const context = contextOf({ retrieve: () => Promise.resolve({ ...found, hits }) });
      return answerForAgent(await retrieve.call({ query: 'pool' }, context));
    };
    expect(await textFor([0.87, 0.004])).toMatch(/episode_ids": \[of "a1b2c3d4"\]/);
    expect(await textFor([0.004, 0])).not.toContain('tempera_feedback');
  });

  it('B7: says why there is nothing, which is no error', async () => {
    const context = contextOf({ retrieve: () => Promise.resolve(retrieveAnswerOf([])) });
    const answer = await retrieve.call({ query: 'pool' }, context);
    expect(answerForAgent(answer)).toContain(
      'Nothing found. Searched: private, project web-shop, tenant. Why: nothing near enough',
    );
    expect(answer.structured['emptyReason']).toBe('nothing near enough');
    expect(answer.failed).toBeUndefined();
  });

  it('asks within the bound project and with the filters given', async () => {
    const asked: RecallQuestion[] = [];
    const context = contextOf({
      retrieve: (question) => {
        asked.push(question);
        return Promise.resolve(retrieveAnswerOf([]));
      },
    });
    await retrieve.call({ query: ' pool ', kinds: ['decision'], since: '2026-11-01', limit: 3 }, context);
    await retrieve.call({ query: 'pool', project: 'api', scope: 'project' }, context);
    await retrieve.call({ query: 'pool', scope: 'tenant' }, context);
    // Models fill lists that they may leave out.
    await retrieve.call({ query: 'pool', tags: [], kinds: [], files: [] }, context);
    expect(asked).toEqual([
      { query: 'pool', limit: 3, project: 'web-shop', kinds: ['DECISION'], since: '2026-11-01T00:00:00.000Z' },
      { query: 'pool', limit: 5, project: 'api', scope: 'PROJECT' },
      { query: 'pool', limit: 5, scope: 'TENANT' },
      { query: 'pool', limit: 5, project: 'web-shop' },
    ]);
  });

  it('4.1: holds every hostile text inside its envelope, in the text and in the structured answer', async () => {
    for (let start = 0; start < hostileTexts.length; start += 10) {
      const memories = hostileTexts
        .slice(start, start + 10)
        .map((text) =>
          memoryOf({ title: text, text, tags: [text], author: { displayName: text }, project: { slug: text } }),
        );
      const context = contextOf({ retrieve: () => Promise.resolve(retrieveAnswerOf(memories)) });
      const answer = await retrieve.call({ query: 'x', max_tokens: 20_000 }, context);
      let isInside = false;
      for (const line of answerForAgent(answer).split('\n')) {
        if (line.startsWith('<untrusted-memory-00000000000000ab ')) isInside = true;
        else if (line === '</untrusted-memory-00000000000000ab>') isInside = false;
        else expect(line.startsWith('| ')).toBe(isInside);
      }
      expect(isInside).toBe(false);
      const rest = JSON.stringify(answer.structured).replaceAll(/<\/?untrusted-memory-00000000000000ab/g, '');
      expect(rest).not.toMatch(/[<＜]\s*[/|]*\s*(?:system|untrusted|tool|function|im_)/i);
    }
  });

  it('keeps to its budget, names what it left out and how to get it', async () => {
    const long = Array.from({ length: 50 }, (_, index) =>
      memoryOf({ id: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000001`, text: 'word '.repeat(5_000) }),
    );
    const context = contextOf({ retrieve: () => Promise.resolve(retrieveAnswerOf(long)) });
    const answer = await retrieve.call({ query: 'x', limit: 50 }, context);
    const text = answerForAgent(answer);
    expect(text.length).toBeLessThan(2000 * 4 * 1.6);
    expect(text).toMatch(/Left out to keep the answer short: \d{8}/);
    const one = answerForAgent(
      await retrieve.call(
        { query: 'x' },
        contextOf({ retrieve: () => Promise.resolve(retrieveAnswerOf(long.slice(0, 1))) }),
      ),
    );
    expect(one).toContain('(cut; the whole: query 00000000)');
  });

  it('explains a hit when asked', async () => {
    const context = contextOf({ retrieve: () => Promise.resolve(retrieveAnswerOf([memoryOf()])) });
    const text = answerForAgent(await retrieve.call({ query: 'x', explain: true }, context));
    expect(text).toContain(
      'relevance 0.80 (cosine 0.81, keyword 0.30); trust 0.90 (found helpful); votes for like questions +0.20 (someone)',
    );
    expect(text).toContain('place 1, without learning 2');
  });

  it('shows one memory by its full or its short id', async () => {
    const ids: string[] = [];
    const context = contextOf({
      memory: (id) => {
        ids.push(id);
        return Promise.resolve(detailOf(memoryOf()));
      },
    });
    for (const query of ['A1B2C3D4', memoryOf().id]) {
      expect(answerForAgent(await retrieve.call({ query }, context))).toContain('| Raised the pool');
    }
    expect(ids).toEqual(['a1b2c3d4', memoryOf().id]);
  });

  it('names what is related once, with every way that leads to it', async () => {
    const other = { id: OTHER.id, title: 'Another' };
    const related = ['CONFLICT', 'NEIGHBOUR'].map((kind) => ({ kind, weight: 0.9, memory: other }));
    const context = contextOf({ memory: () => Promise.resolve({ ...detailOf(memoryOf()), related }) });
    const text = answerForAgent(await retrieve.call({ query: 'a1b2c3d4' }, context));
    expect(text.match(/f6a7b8c9/g)).toHaveLength(1);
    expect(text).toContain('| Related (conflict, neighbour): f6a7b8c9 Another');
  });

  it('lists an unknown or hidden full id back and fails', async () => {
    const context = contextOf({
      memory: () => Promise.reject(new AppError('not-found', 'no-memory', 'No such memory.')),
    });
    const answer = await retrieve.call({ query: memoryOf().id }, context);
    expect(answer.failed).toBe(true);
    expect(answer.structured['unknownIds']).toEqual([memoryOf().id]);
    expect(answerForAgent(answer)).toContain(`Unknown: ${memoryOf().id}`);
  });

  it('searches for eight hex characters that are no memory, such as a commit', async () => {
    const context = contextOf({
      memory: () => Promise.reject(new AppError('not-found', 'no-memory', 'No such memory.')),
      retrieve: () => Promise.resolve(retrieveAnswerOf([OTHER])),
    });
    const answer = await retrieve.call({ query: 'deadbeef' }, context);
    expect(answerForAgent(answer)).toContain('has the id deadbeef; searched for it as words');
    expect(answer.structured['unknownIds']).toEqual(['deadbeef']);
    expect(answer.structured['hits']).toHaveLength(1);
  });

  it('lists the newest with all, and how many there are', async () => {
    const context = contextOf({ memories: () => Promise.resolve({ nodes: [memoryOf()], totalCount: 7 }) });
    const text = answerForAgent(await retrieve.call({ all: true }, context));
    expect(text).toContain('The newest 1 of 7. Searched: project web-shop.');
    expect(text).toContain('a1b2c3d4 · episode');
  });
});
