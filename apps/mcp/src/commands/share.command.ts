import { AppError } from '@tempera/client-kit';
import { z } from 'zod';
import {
  AUDIENCE_CHANGES,
  DEMOTE_MEMORY,
  SHARE_MEMORY,
  TRANSFER_MEMORY,
  UNDO_AUDIENCE_CHANGE,
} from '../graphql/sharing-operations.js';
import { audienceText, placedShape, placeShape, readAudience } from './audience.js';
import type { AddCommand } from './command.js';
import { PEOPLE } from './known-id.js';
import { named, showDone } from './lists.js';
import { addVerb, type Call, type Verbs } from './verb.js';

const sharedShape = z.object({
  memory: placedShape,
  proposal: z.object({ id: z.string(), to: placeShape }).nullable(),
});

const tell = (call: Call, done: string, memory: z.output<typeof placedShape>, value: unknown = memory): void =>
  showDone(call, done, `${memory.id.slice(0, 8)} is seen by ${audienceText(memory)}.`, value);

const share = async (call: Call): Promise<void> => {
  const input = readAudience(call, null);
  const shared = await call.asker.ask(SHARE_MEMORY, { input }, 'shareMemory', sharedShape, true);
  const { memory, proposal } = shared;
  if (proposal === null) tell(call, 'Shared:', memory, shared);
  else {
    const told = `${memory.id.slice(0, 8)} to ${audienceText(proposal.to)}, as proposal ${proposal.id}: someone there decides. Until then it is seen by ${audienceText(memory)}.`;
    showDone(call, 'Proposed', told, shared);
  }
};

const demote = async (call: Call): Promise<void> => {
  const input = readAudience(call, 'PRIVATE');
  tell(call, 'Done:', await call.asker.ask(DEMOTE_MEMORY, { input }, 'demoteMemory', placedShape, true));
};

const changesShape = z.object({
  audienceChanges: z.array(z.object({ id: z.string(), number: z.number(), undoneBy: z.string().nullable() })),
});

const undo = async (call: Call): Promise<void> => {
  const found = await call.asker.ask(AUDIENCE_CHANGES, { id: call.args[0] }, 'memory', changesShape, true);
  const [latest] = found.audienceChanges;
  if (latest === undefined) {
    throw new AppError('conflict', 'nothing-to-undo', 'Nobody changed who sees this memory.', {
      details: { fix: 'There is nothing to take back.' },
    });
  }
  const variables = { id: latest.id };
  tell(
    call,
    'Undone:',
    await call.asker.ask(UNDO_AUDIENCE_CHANGE, variables, 'undoAudienceChange', placedShape, false),
  );
};

const transfer = async (call: Call): Promise<void> => {
  const [memoryId, userId] = call.args;
  const memory = await call.asker.ask(TRANSFER_MEMORY, { memoryId, userId }, 'transferMemory', placedShape, true);
  showDone(call, 'Transferred', `${memory.id.slice(0, 8)}; it is seen by ${audienceText(memory)}.`, memory);
};

const VERBS: Verbs = {
  share: {
    args: '<id>',
    typedIds: 1,
    summary: 'show a memory of yours to more people',
    description:
      'Shows a memory of yours to a project, a group of projects or the whole tenant; where you may not, it is proposed to those who may.',
    options: [
      ['--project [slug]', "the project's people (default: the memory's own)"],
      ['--group [slug]', 'the people of a group of projects'],
      ['--tenant', 'everyone in the tenant'],
    ],
    examples: ['share a1b2c3d4 --project web-shop', 'share a1b2c3d4 --tenant'],
    run: share,
  },
  unshare: {
    args: '<id>',
    typedIds: 1,
    summary: 'show a memory of yours to fewer people, or to nobody else',
    options: [
      ['--project [slug]', 'to a project only'],
      ['--group [slug]', 'to a group of projects only'],
    ],
    question: ([id]) => `Show ${named(id ?? '')} to fewer people?`,
    examples: ['unshare a1b2c3d4', 'unshare a1b2c3d4 --project web-shop --yes'],
    run: demote,
  },
  'undo-share': {
    args: '<id>',
    typedIds: 1,
    summary: 'take the latest change of who sees a memory back',
    question: ([id]) => `Take the latest change of who sees ${named(id ?? '')} back?`,
    examples: ['undo-share a1b2c3d4'],
    run: undo,
  },
  transfer: {
    args: '<id> <user>',
    typedIds: 1,
    ids: { 1: PEOPLE },
    summary: 'give a shared memory to another person',
    question: ([id, user]) => `Give ${named(id ?? '')} to ${named(user ?? '')}?`,
    examples: ['transfer a1b2c3d4 0192f0c4-0000-4000-8000-000000000001'],
    run: transfer,
  },
};

/** `tempera share`, `unshare`, `undo-share` and `transfer` */
export const addSharing: AddCommand = (program, world) => {
  const by = { sender: 'person', root: program.name() } as const;
  for (const [word, verb] of Object.entries(VERBS)) addVerb(program, word, verb, by, world);
};
