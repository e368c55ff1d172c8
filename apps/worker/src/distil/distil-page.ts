import { redact } from '@tempera/client-kit';
import { distil, type Distillation, factIdentity } from '@tempera/core';
import {
  type Doors,
  holdConversation,
  type Identity,
  insertDistilled,
  noteDistilled,
  readTurns,
  type TurnRow,
} from '@tempera/platform';
import { createHash } from 'node:crypto';

/** New turns that are read at once, in the thread that also tells the engine that the worker lives. */
const MOST_TURNS = 40;
/** Turns before them, which tell what the new ones speak of. */
const CONTEXT = 20;
/** What is refused is kept for its owner to see why; the rest is counted nowhere. */
const MOST_REFUSED = 200;

interface PageTools {
  readonly doors: Pick<Doors, 'asTenant'>;
  readonly now: () => Date;
}

export interface DistilledPage {
  readonly isMore: boolean;
  readonly pending: number;
  readonly refused: number;
}

const NOTHING: DistilledPage = { isMore: false, pending: 0, refused: 0 };

/**
 * Draws from the next turns of a conversation that are new or fuller than they were. Its facts, the promise that they are kept and the place it has
 * got to are one transaction, which begins with holding the conversation: read twice at once, it is drawn from once.
 */
export const distilPage = async (
  { doors, now }: PageTools,
  identity: Identity,
  conversationId: string,
): Promise<DistilledPage> => {
  const { tenantId, userId } = identity;
  const read = await doors.asTenant(identity, (tx) =>
    readTurns(tx, tenantId, conversationId, { context: CONTEXT, limit: MOST_TURNS }),
  );
  if (read === null || read.turns.length === read.from) return NOTHING;
  // Reading takes a while, and nothing but SQL is waited for inside a door.
  const found = distil(
    read.turns.map(toTurn),
    { bearsSecret, isOwnGround: read.hasProject, isOver: (end) => end <= now() },
    read.from,
  );
  const facts = rowsOf(found);
  return doors.asTenant(identity, async (tx) => {
    const held = await holdConversation(tx, tenantId, conversationId);
    if (held === null) return NOTHING;
    // Somebody else was faster, or a turn came in between: look again.
    if (held.distilledTurns !== read.distilledTurns || held.distilledAt?.getTime() !== read.distilledAt?.getTime())
      return { ...NOTHING, isMore: true };
    const { pending, refused } = await insertDistilled(tx, { tenantId, userId, conversationId, facts, now: now() });
    await noteDistilled(tx, {
      tenantId,
      conversationId,
      turns: read.upTo,
      at: read.keptUpTo,
      summary: found.summary,
      isToKeep: pending > 0,
    });
    return { isMore: read.isMore, pending, refused };
  });
};

const toTurn = ({ prompt, answer, tools, at, branch }: TurnRow) => ({ prompt, answer, tools, at, branch });

const bearsSecret = (text: string): boolean => text.includes('[REDACTED:') || redact(text).removed.length > 0;

const rowsOf = ({ facts, refused }: Distillation) => [
  ...facts.map(({ kind, content, ...details }) => ({
    key: keyOf({ kind, content }),
    kind,
    content,
    reason: null,
    details,
  })),
  ...refused.slice(0, MOST_REFUSED).map(({ kind, content, reason }) => ({
    ...{ key: keyOf({ kind, content }), kind, reason, details: {} },
    content: content.slice(0, 1_000),
  })),
];

const keyOf = (fact: Pick<Distillation['facts'][number], 'kind' | 'content'>): Uint8Array =>
  createHash('sha256').update(factIdentity(fact)).digest();
