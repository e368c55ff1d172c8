import { z } from 'zod';

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** A memory as it may be injected: its title alone, and what lets a reader weigh it. */
export const injectedItem = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.string(),
  author: z.string().nullable(),
  isOwn: z.boolean(),
  at: moment,
});

const items = z.array(injectedItem);

/** What a session begins with. */
export const sessionStartView = z.object({
  /** Votes on what is shown name it. */
  retrievalId: z.string().nullable(),
  projectName: z.string(),
  lastHereAt: moment.nullable(),
  pinned: items,
  todos: items,
  userProfile: items,
  projectProfile: items,
  changed: items,
  relevant: items,
  leftOut: z.number(),
});

/** What a prompt brings up. */
export const promptInjectionView = z.object({ retrievalId: z.string().nullable(), items });

export type InjectedItem = z.output<typeof injectedItem>;
export type SessionStartView = z.output<typeof sessionStartView>;
export type PromptInjectionView = z.output<typeof promptInjectionView>;
