import type { MemoryContent, MemoryRecord } from '../database/repositories/memory-record.js';
import { describe, expect, it } from 'vitest';
import { mergeContent } from './merge-content.js';

const content = (changes: Partial<MemoryContent>): MemoryContent => ({
  kind: 'episode',
  title: 'old',
  text: 'old text',
  taskType: null,
  outcome: null,
  tags: [],
  filesModified: [],
  errorsResolved: [],
  alternatives: [],
  validity: 'none',
  verification: 'untested',
  pinned: false,
  expiresAt: null,
  ...changes,
});

// Of a record only its content is read.
const record = (changes: Partial<MemoryContent>): MemoryRecord => content(changes) as MemoryRecord;

describe('a merged memory', () => {
  it('says the newer text, and what either knew beside it', () => {
    const merged = mergeContent(
      record({
        tags: ['a', 'b'],
        errorsResolved: [
          { error: 'E1', resolution: 'old way' },
          { error: 'E2', resolution: 'kept' },
        ],
        outcome: 'success',
        validity: 'forever',
        verification: 'merged',
        pinned: true,
      }),
      content({ text: 'new text', tags: ['b', 'c'], errorsResolved: [{ error: 'E1', resolution: 'new way' }] }),
    );
    expect(merged).toMatchObject({
      text: 'new text',
      tags: ['b', 'c', 'a'],
      errorsResolved: [
        { error: 'E1', resolution: 'new way' },
        { error: 'E2', resolution: 'kept' },
      ],
      outcome: 'success',
      validity: 'forever',
      verification: 'merged',
      pinned: true,
    });
  });

  it('takes from the newer what it says', () => {
    const merged = mergeContent(
      record({ outcome: 'failure', validity: 'project', verification: 'untested' }),
      content({ outcome: 'success', validity: 'workaround', verification: 'tests_pass' }),
    );
    expect(merged).toMatchObject({ outcome: 'success', validity: 'workaround', verification: 'tests_pass' });
  });
});
