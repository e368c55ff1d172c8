import type { RunRef } from '../../temporal/contract.js';
import type { Tx } from '../context.js';
import { inOpenPlace, ofPage, type PageOfMemories } from './page-of-memories.js';

/** Active memories whose time was over by the end of a run's date, and is over now. */
export const pageOfExpired = (tx: Tx, { tenantId, runDate }: RunRef, page: PageOfMemories): Promise<{ id: string }[]> =>
  tx.$queryRaw<{ id: string }[]>`
    select m.id from memory m join tenant t on t.id = m.tenant_id
    where m.tenant_id = ${tenantId}::uuid and m.state = 'active' and m.expires_at <= now()
      and (m.expires_at at time zone t.time_zone)::date <= ${runDate}::date and ${inOpenPlace} and ${ofPage(page)}
    order by m.id limit ${page.limit}::int for no key update of m`;

/** Puts memories away because their time is over; whoever may restore them, may. */
export const archiveExpired = async (tx: Tx, tenantId: string, ids: readonly string[], now: Date): Promise<void> => {
  await tx.$executeRaw`
    update memory m set state = 'archived', state_reason = 'expired', updated_at = ${now}
    where m.tenant_id = ${tenantId}::uuid and m.id = any (${[...ids]}::uuid[]) and m.state = 'active'`;
};
