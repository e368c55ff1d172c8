import { Inject, Injectable } from '@nestjs/common';
import type { ProjectId } from '@tempera/core';
import {
  type Doors,
  findMemberships,
  findProjects,
  findRemotes,
  type MembershipRecord,
  type ProjectRecord,
} from '@tempera/platform';
import DataLoader from 'dataloader';
import { groupedInOrderOf, inOrderOf } from '../graphql/in-order-of.js';
import type { LoaderDefinition } from '../graphql/loaders.js';
import { DOORS } from '../platform/platform.tokens.js';

/** What lists of projects, and whatever names a project, read: one query for all of them. */
@Injectable()
export class ProjectLoaders {
  /** Visible projects by id; null for the others. */
  readonly byId: LoaderDefinition<ProjectId, ProjectRecord | null> = (caller) =>
    new DataLoader(async (ids) => {
      const found = await this.doors.asTenant(caller, (tx) => findProjects(tx, caller.tenantId, ids));
      return inOrderOf(ids, found, ({ id }) => id);
    });

  /** Visible memberships of each project. */
  readonly members: LoaderDefinition<ProjectId, MembershipRecord[]> = (caller) =>
    new DataLoader(async (ids) => {
      const found = await this.doors.asTenant(caller, (tx) => findMemberships(tx, caller.tenantId, ids));
      return groupedInOrderOf(ids, found, ({ projectId }) => projectId);
    });

  readonly remotes: LoaderDefinition<ProjectId, { readonly remote: string }[]> = (caller) =>
    new DataLoader(async (ids) => {
      const found = await this.doors.asTenant(caller, (tx) => findRemotes(tx, caller.tenantId, ids));
      return groupedInOrderOf(ids, found, ({ projectId }) => projectId);
    });

  constructor(@Inject(DOORS) private readonly doors: Doors) {}
}
