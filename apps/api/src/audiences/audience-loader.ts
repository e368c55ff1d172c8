import { Inject, Injectable } from '@nestjs/common';
import type { MemoryId } from '@tempera/core';
import { type AudienceChangeRecord, type Doors, readAudienceChanges } from '@tempera/platform';
import DataLoader from 'dataloader';
import { groupedInOrderOf } from '../graphql/in-order-of.js';
import type { LoaderDefinition } from '../graphql/loaders.js';
import { DOORS } from '../platform/platform.tokens.js';

/** So many changes of one memory are told, the newest. */
export const CHANGES_SHOWN = 20;

/** Changes of audience, read once for all memories of a request. */
@Injectable()
export class AudienceLoader {
  readonly changes: LoaderDefinition<MemoryId, AudienceChangeRecord[]> = (caller) =>
    new DataLoader(async (ids) => {
      const found = await this.doors.asTenant(caller, (tx) =>
        readAudienceChanges(tx, caller.tenantId, ids, CHANGES_SHOWN),
      );
      return groupedInOrderOf(ids, found, ({ memoryId }) => memoryId);
    });

  constructor(@Inject(DOORS) private readonly doors: Doors) {}
}
