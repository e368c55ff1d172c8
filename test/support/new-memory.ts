import { asId, type TenantId, type UserId } from '@tempera/core';
import { type Identity, type NewMemory, toKeywords } from '@tempera/platform';

/** A private English memory of someone's that says nothing but its text and waits for its vectors. */
export const newMemory = (author: Identity, text: string, now: Date): NewMemory => ({
  tenantId: asId<TenantId>(author.tenantId),
  ownerId: asId<UserId>(author.userId),
  projectId: null,
  groupId: null,
  scope: 'private',
  kind: 'background',
  title: text.slice(0, 50),
  text,
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
  language: 'en',
  keywords: toKeywords(text),
  embeddingState: 'pending',
  sessionId: null,
  source: 'api',
  startedAt: now,
  endedAt: now,
  now,
});
