import type pg from 'pg';
import { asSuperuser } from '../../support/cluster.js';
import type { Acknowledged } from './writers.js';

/** What of the acknowledged writes is wrong in the database; each should be nought. */
export interface Wrong {
  readonly lost: number;
  readonly doubled: number;
  /** Memories without a proof, standing, session, or without both a vector and a job that will make one. */
  readonly 'half-written': number;
  /** Answered writes whose memory has another id than the answer named. */
  readonly misnamed: number;
}

const HALF = `select count(*)::int as count from memory m
  where not exists (select from proof p where (p.tenant_id, p.memory_id, p.session_id) = (m.tenant_id, m.id, m.session_id))
    or not exists (select from memory_stat s where (s.tenant_id, s.memory_id) = (m.tenant_id, m.id))
    or not exists (select from work_session w where (w.tenant_id, w.id) = (m.tenant_id, m.session_id))
    or m.keyword_count = 0
    or not case m.embedding_state
      when 'ready' then exists (select from embedding e where (e.tenant_id, e.memory_id) = (m.tenant_id, m.id))
      when 'pending' then exists (select from outbox o where (o.tenant_id, o.subject_id) = (m.tenant_id, m.id) and o.done_at is null)
      else false end`;

/** Counts what is wrong, by SQL as superuser: what a door shows is not what is asked here. */
export const lookForWrong = (adminUrl: string, writes: readonly Acknowledged[]): Promise<Wrong> =>
  asSuperuser(adminUrl, async (client) => {
    const stored = new Map<string, string[]>();
    const { rows } = await client.query<{ id: string; text: string }>('select id::text, text from memory');
    for (const { id, text } of rows) stored.set(text, [...(stored.get(text) ?? []), id]);
    const idsOf = (write: Acknowledged): string[] => stored.get(write.text) ?? [];
    return {
      lost: writes.filter((write) => idsOf(write).length === 0).length,
      doubled: [...stored.values()].filter((ids) => ids.length > 1).length,
      'half-written': await countOf(client, HALF),
      misnamed: writes.filter((write) => idsOf(write).length > 0 && !idsOf(write).includes(write.id)).length,
    };
  });

const countOf = async (client: pg.Client, query: string): Promise<number> =>
  (await client.query<{ count: number }>(query)).rows[0]?.count ?? Number.NaN;
