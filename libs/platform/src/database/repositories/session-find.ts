import { asId, type ProjectId, SESSION_GAP_HOURS, type SessionId, type TenantId, type UserId } from '@tempera/core';
import type { Tx } from '../context.js';

export interface SessionRequest {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly projectId: ProjectId | null;
  /** The client's own session key. */
  readonly clientKey: string | null;
  /** When the work was captured. */
  readonly at: Date;
}

/** The session a capture belongs to, by the rule of `linkSession` in core. */
export async function findOrStartSession(tx: Tx, request: SessionRequest): Promise<SessionId> {
  const { tenantId, userId, projectId, clientKey, at } = request;
  if (clientKey === null) return continueSession(tx, request);
  const rows = await tx.$queryRaw<{ id: string }[]>`/* kept */ 
    insert into work_session (tenant_id, user_id, project_id, client_key, started_at, last_at)
    values (${tenantId}::uuid, ${userId}::uuid, ${projectId}::uuid, ${clientKey}, ${at}, ${at})
    on conflict (tenant_id, user_id, project_id, client_key) where client_key is not null
      do update set last_at = greatest(work_session.last_at, excluded.last_at)
    returning id`;
  return asId<SessionId>(rows[0]?.id ?? '');
}

async function continueSession(tx: Tx, { tenantId, userId, projectId, at }: SessionRequest): Promise<SessionId> {
  const rows = await tx.$queryRaw<{ id: string }[]>`/* kept */ 
    with latest as (
      select id from work_session
      where tenant_id = ${tenantId}::uuid and user_id = ${userId}::uuid and project_id is not distinct from ${projectId}::uuid
        and ${at} between started_at - make_interval(hours => ${SESSION_GAP_HOURS})
          and last_at + make_interval(hours => ${SESSION_GAP_HOURS})
      order by last_at desc, id limit 1
    ), continued as (
      update work_session s set last_at = greatest(s.last_at, ${at}) from latest
      where s.tenant_id = ${tenantId}::uuid and s.id = latest.id returning s.id
    ), started as (
      insert into work_session (tenant_id, user_id, project_id, started_at, last_at)
      select ${tenantId}::uuid, ${userId}::uuid, ${projectId}::uuid, ${at}, ${at} where not exists (select from latest)
      returning id
    )
    select id from continued union all select id from started`;
  return asId<SessionId>(rows[0]?.id ?? '');
}
