import type { MemoryContent } from '../database/repositories/memory-record.js';
import { type Keywords, toKeywords } from '../search/text/exports.js';
import { fullTextOf } from './memory-title.js';

/** The words by which a memory is found: of its text, its tags and its files. */
export const keywordsOf = (content: MemoryContent): Keywords =>
  toKeywords([fullTextOf(content), ...content.tags, ...content.filesModified].join('\n'));
