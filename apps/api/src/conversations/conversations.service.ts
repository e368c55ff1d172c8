import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  askForDistil,
  type ConversationRecord,
  type Doors,
  type FactRecord,
  listConversations,
  listFacts,
  type Tx,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { parseUuid } from '../graphql/ids.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { DOORS } from '../platform/platform.tokens.js';
import { type Conversation, FACTS_SHOWN } from './conversation.types.js';

const noSuchConversation = (): AppError => new AppError('not-found', 'no-such-conversation', 'No such conversation.');

/** What came of a person's conversations, for that person alone. */
@Injectable()
export class ConversationsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    private readonly paging: Paging,
  ) {}

  /** One's own, the one that went on last first. */
  async page(caller: Caller, args: PageArgs): Promise<Page<Conversation>> {
    const { tenantId, userId } = caller;
    const request = this.paging.request(args, { tenantId, list: 'conversations', filter: userId });
    const [lastTurnAtText, id] = request.after ?? [];
    const after = lastTurnAtText === undefined || id === undefined ? null : { lastTurnAtText, id };
    return this.doors.asTenant(caller, async (tx) => {
      const rows = await listConversations(tx, { tenantId, userId, after, take: request.take });
      const page = this.paging.pageOf<ConversationRecord>(rows, request, (row) => [row.lastTurnAtText, row.id]);
      return { ...page, nodes: await withFacts(tx, caller, page.nodes) };
    });
  }

  /** Has a conversation distilled without waiting for it to be quiet. @throws AppError `not-found` */
  async distilNow(caller: Caller, given: string): Promise<Conversation> {
    const { tenantId, userId } = caller;
    const id = parseUuid(given);
    if (id === null) throw noSuchConversation();
    return this.doors.asTenant(caller, async (tx) => {
      const rows = await listConversations(tx, { tenantId, userId, id, after: null, take: 1 });
      const [conversation] = await withFacts(tx, caller, rows);
      if (conversation === undefined) throw noSuchConversation();
      await askForDistil(tx, tenantId, id);
      return conversation;
    });
  }
}

const withFacts = async (
  tx: Tx,
  { tenantId }: Caller,
  rows: readonly ConversationRecord[],
): Promise<Conversation[]> => {
  const facts = await listFacts(tx, { tenantId, conversationIds: rows.map(({ id }) => id), most: FACTS_SHOWN });
  return rows.map((row) =>
    toConversation(
      row,
      facts.filter(({ conversationId }) => conversationId === row.id),
    ),
  );
};

const toConversation = (row: ConversationRecord, facts: readonly FactRecord[]): Conversation => ({
  ...{ id: row.id, project: row.project, client: row.client, summary: row.summary },
  ...{ startedAt: row.startedAt, lastTurnAt: row.lastTurnAt, turns: row.turns, kept: row.kept },
  state: row.distilledTurns < row.turns ? 'waiting' : row.waiting > 0 ? 'keeping' : 'distilled',
  refused: Object.entries(row.refused)
    .map(([reason, count]) => ({ reason, count }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1)),
  facts: [...facts],
});
