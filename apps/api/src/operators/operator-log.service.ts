import { Inject, Injectable } from '@nestjs/common';
import { type Doors, listOperatorLog, type OperatorLogRow, verifyOperatorLogPage } from '@tempera/platform';
import { toVerdict } from '../audit/chain-verdict.mapper.js';
import type { ChainVerdict } from '../audit/chain-verdict.types.js';
import { hexOf, verifyChain } from '../audit/verify-chain.js';
import type { OperatorCaller } from '../auth/caller.js';
import { type Page, type PageArgs, Paging } from '../graphql/paging.js';
import { DOORS } from '../platform/platform.tokens.js';
import { insideOperatorDoor } from './inside-operator-door.js';
import type { OperatorLogEntry } from './operator-log.types.js';

const toEntry = (row: OperatorLogRow): OperatorLogEntry => ({
  ...row,
  seq: String(row.seq),
  details: JSON.stringify(row.details),
  hash: hexOf(row.hash),
});

/** What operators did. */
@Injectable()
export class OperatorLogService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    private readonly paging: Paging,
  ) {}

  /** Newest first. */
  async page(operator: OperatorCaller, args: PageArgs): Promise<Page<OperatorLogEntry>> {
    const request = this.paging.request(args, { tenantId: 'operators', list: 'operatorLog' });
    const [seq] = request.after ?? [];
    const before = seq === undefined ? null : BigInt(seq);
    const rows = await insideOperatorDoor(this.doors, operator, (tx) => listOperatorLog(tx, before, request.take));
    return this.paging.pageOf(rows.map(toEntry), request, (entry) => [entry.seq]);
  }

  /** Checks the chain from its start. */
  async verify(operator: OperatorCaller): Promise<ChainVerdict> {
    const check = await verifyChain((after, limit) =>
      insideOperatorDoor(this.doors, operator, (tx) => verifyOperatorLogPage(tx, after, limit)),
    );
    return toVerdict(check, null);
  }
}
