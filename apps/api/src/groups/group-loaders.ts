import { Inject, Injectable } from '@nestjs/common';
import type { GroupId, ProjectId } from '@tempera/core';
import { type Doors, findGroupProjects, findGroups, type GroupRecord } from '@tempera/platform';
import DataLoader from 'dataloader';
import { groupedInOrderOf, inOrderOf } from '../graphql/in-order-of.js';
import type { LoaderDefinition } from '../graphql/loaders.js';
import { DOORS } from '../platform/platform.tokens.js';

/** What lists of groups, and whatever names a group, read: one query for all of them. */
@Injectable()
export class GroupLoaders {
  /** Visible groups by id; null for the others. */
  readonly byId: LoaderDefinition<GroupId, GroupRecord | null> = (caller) =>
    new DataLoader(async (ids) => {
      const found = await this.doors.asTenant(caller, (tx) => findGroups(tx, caller.tenantId, ids));
      return inOrderOf(ids, found, ({ id }) => id);
    });

  readonly projects: LoaderDefinition<GroupId, { readonly projectId: ProjectId }[]> = (caller) =>
    new DataLoader(async (ids) => {
      const found = await this.doors.asTenant(caller, (tx) => findGroupProjects(tx, caller.tenantId, ids));
      return groupedInOrderOf(ids, found, ({ groupId }) => groupId);
    });

  constructor(@Inject(DOORS) private readonly doors: Doors) {}
}
