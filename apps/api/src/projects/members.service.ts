import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { asId, type UserId } from '@tempera/core';
import {
  appendAudit,
  deleteMembership,
  type Doors,
  findUsers,
  type ProjectRecord,
  putMembership,
} from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { requireLogin } from '../auth/require-login.js';
import { parseUuid } from '../graphql/ids.js';
import { DOORS } from '../platform/platform.tokens.js';
import { requireAdmin } from '../tenants/tenant-roles.js';
import { noSuchUser } from '../users/no-such-user.js';
import type { AddMemberInput, Member } from './project.types.js';
import { requireMaintainer } from './require-maintainer.js';
import { requireProject } from './require-project.js';

const userIdOf = (text: string): UserId => {
  const id = parseUuid(text);
  if (id === null) throw noSuchUser();
  return asId<UserId>(id);
};

/** Who belongs to a project. What a removed person may see changes with their next statement. */
@Injectable()
export class MembersService {
  constructor(@Inject(DOORS) private readonly doors: Doors) {}

  /** Adds a person, or changes the role. @throws AppError `not-found`, `forbidden`, also to a machine for its own person */
  add(caller: Caller, input: AddMemberInput): Promise<Member> {
    return this.doors.asTenant(caller, async (tx) => {
      const project = await requireProject(tx, caller.tenantId, input.project);
      await requireMaintainer(tx, caller, project);
      const userId = userIdOf(input.userId);
      // Else whoever steals an admin's machine token gives its person a role that outlives it.
      if (userId === caller.userId) await requireLogin(tx, caller);
      const [user] = await findUsers(tx, caller.tenantId, [userId]);
      if (user === undefined) throw noSuchUser();
      await putMembership(tx, caller.tenantId, { projectId: project.id, userId, role: input.role });
      const details = { user: userId, role: input.role };
      await appendAudit(tx, { action: 'member.added', subjectKind: 'project', subjectId: project.id, details });
      return { userId, role: input.role };
    });
  }

  /** @throws AppError `not-found` also when the person is no member; `forbidden` for who is no admin */
  remove(caller: Caller, slug: string, user: string): Promise<ProjectRecord> {
    return this.doors.asTenant(caller, async (tx) => {
      const project = await requireProject(tx, caller.tenantId, slug);
      await requireAdmin(tx);
      const userId = userIdOf(user);
      if (!(await deleteMembership(tx, caller.tenantId, project.id, userId))) {
        throw new AppError('not-found', 'no-such-member', 'No such member.');
      }
      const details = { user: userId };
      await appendAudit(tx, { action: 'member.removed', subjectKind: 'project', subjectId: project.id, details });
      return project;
    });
  }
}
