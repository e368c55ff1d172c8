import { Inject, Injectable } from '@nestjs/common';
import { type AuditRow, type Doors, exportAuditRows, listAudit, verifyAuditPage } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { DOORS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import type { AuditEntry, AuditExport, AuditFilter, KeptHeadInput } from './audit.types.js';
import { toVerdict } from './chain-verdict.mapper.js';
import type { ChainVerdict } from './chain-verdict.types.js';
import { parseAuditFilter, parseKeptHead } from './parse-audit.js';
import { hexOf, verifyChain } from './verify-chain.js';

const toEntry = ({ previousHash: _, ...row }: AuditRow): AuditEntry => ({
  ...row,
  seq: String(row.seq),
  details: JSON.stringify(row.details),
  hash: hexOf(row.hash),
});

/** What was done in a tenant, for its admins. */
@Injectable()
export class AuditService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    private readonly paging: Paging,
  ) {}

  /** Newest first. @throws AppError `forbidden` for who is no admin, `invalid-input` */
  async page(caller: Caller, args: PageArgs, given: AuditFilter | null): Promise<Page<AuditEntry>> {
    const filter = parseAuditFilter(given ?? {});
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'auditLog', filter });
    const [seq] = request.after ?? [];
    const position = { before: seq === undefined ? null : BigInt(seq), take: request.take };
    const rows = await this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      return listAudit(tx, caller.tenantId, filter, position);
    });
    return this.paging.pageOf(rows.map(toEntry), request, (entry) => [entry.seq]);
  }

  /** Oldest first, as JSON lines. @throws AppError `forbidden` for who is no admin */
  async export(caller: Caller, args: PageArgs): Promise<AuditExport> {
    const request = this.paging.request(args, { tenantId: caller.tenantId, list: 'exportAudit' });
    const after = BigInt(request.after?.[0] ?? 0);
    const rows = await this.doors.asTenant(caller, async (tx) => {
      await requireAdmin(tx);
      return exportAuditRows(tx, caller.tenantId, after, request.take);
    });
    const { nodes, pageInfo } = this.paging.pageOf(rows, request, (row) => [String(row.seq)]);
    return { lines: nodes.map(({ line }) => line), pageInfo };
  }

  /** Checks the chain, from its start or from where an earlier check ended. @throws AppError `forbidden`, `invalid-input` */
  async verify(caller: Caller, after: string | null, head: KeptHeadInput | null): Promise<ChainVerdict> {
    const bound = { tenantId: caller.tenantId, list: 'verifyAudit' };
    const [seq, hash] = this.paging.request({ first: 1, after }, bound).after ?? [];
    const from =
      seq === undefined || hash === undefined ? {} : { after: { seq: BigInt(seq), hash: Buffer.from(hash, 'hex') } };
    const kept = head === null ? null : parseKeptHead(head);
    await this.doors.asTenant(caller, requireAdmin);
    const check = await verifyChain(
      (position, limit) => this.doors.asTenant(caller, (tx) => verifyAuditPage(tx, position, limit)),
      { ...from, kept },
    );
    const end = [String(check.end.seq), hexOf(check.end.hash)];
    const { pageInfo } = this.paging.pageOf([end], this.paging.request({ first: 1 }, bound), (position) => position);
    return toVerdict(check, pageInfo.endCursor);
  }
}
