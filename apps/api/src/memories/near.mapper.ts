import type { Caller } from '../auth/caller.js';
import type { NearMemory } from './capture.types.js';
import type { CloseMemory } from './look-around.js';
import { toMemory } from './memory.mapper.js';

/** Shows the caller what lies near a text. */
export const nearMapper =
  (caller: Caller, now: Date) =>
  ({ record, similarity, differences }: CloseMemory): NearMemory => ({
    memory: toMemory(record, caller.userId, now),
    similarity,
    differences: [...differences],
  });
