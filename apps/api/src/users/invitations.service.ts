import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  type Doors,
  findUsers,
  hashSecret,
  insertInvitation,
  myTenantRole,
  newSecret,
  type NewInvitation,
  type Tx,
} from '@tempera/platform';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../auth/caller.js';
import { requireLogin } from '../auth/require-login.js';
import { requireText } from '../graphql/require-text.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireProject } from '../projects/require-project.js';
import { forbidden, isAtMost, requireAdmin } from '../tenants/tenant-roles.js';
import { INVITATION_LIFE_MS } from './invitation-life.js';
import { noSuchUser } from './no-such-user.js';
import { optionalEmail } from './optional-email.js';
import type { Invitation, InviteUserInput, LoginCode } from './user.types.js';

/** Long enough to walk over to another machine. */
const LOGIN_CODE_LIFE_MS = 3_600_000;

/** One-time codes: for new people, and for oneself on another machine. */
@Injectable()
export class InvitationsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws AppError `forbidden` for who is no admin or gives more than he has; `not-found` for an unknown project */
  async invite(caller: Caller, input: InviteUserInput): Promise<Invitation> {
    const displayName = requireText(input.displayName, 'displayName', 200);
    const email = optionalEmail(input.email);
    const code = newSecret('invitation');
    return this.doors.asTenant(caller, async (tx) => {
      // Else whoever steals an admin's machine token makes an admin that outlives it.
      await requireLogin(tx, caller);
      const own = await requireAdmin(tx);
      if (!isAtMost(input.role, own)) throw forbidden('No one can invite into a higher role than their own.');
      const project = await invitedProject(tx, caller, input);
      const row = this.row(
        caller,
        { displayName, email, role: input.role, project, userId: null, code },
        INVITATION_LIFE_MS,
      );
      await insertInvitation(tx, caller.tenantId, row);
      await appendAudit(tx, { action: 'user.invited', subjectKind: 'invitation', subjectId: row.id });
      return { id: row.id, code, expiresAt: row.expiresAt };
    });
  }

  /** A code that logs the caller in on another machine, for an hour. @throws AppError `forbidden` for a machine's token */
  async loginCode(caller: Caller): Promise<LoginCode> {
    const code = newSecret('login');
    return this.doors.asTenant(caller, async (tx) => {
      await requireLogin(tx, caller);
      const [self] = await findUsers(tx, caller.tenantId, [caller.userId]);
      const role = await myTenantRole(tx);
      if (self === undefined || role === null) throw noSuchUser();
      const { displayName, email } = self;
      const row = this.row(
        caller,
        { displayName, email, role, project: null, userId: caller.userId, code },
        LOGIN_CODE_LIFE_MS,
      );
      await insertInvitation(tx, caller.tenantId, row);
      await appendAudit(tx, { action: 'login-code.made', subjectKind: 'invitation', subjectId: row.id });
      return { code, expiresAt: row.expiresAt };
    });
  }

  private row(
    caller: Caller,
    {
      code,
      ...columns
    }: Pick<NewInvitation, 'displayName' | 'email' | 'role' | 'project' | 'userId'> & { readonly code: string },
    lifeMs: number,
  ): NewInvitation {
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + lifeMs);
    return { id: randomUUID(), ...columns, codeHash: hashSecret(code), invitedBy: caller.userId, createdAt, expiresAt };
  }
}

const invitedProject = async (tx: Tx, caller: Caller, input: InviteUserInput): Promise<NewInvitation['project']> => {
  if (input.project === undefined || input.project === null) {
    if (input.projectRole === undefined || input.projectRole === null) return null;
    throw new AppError('invalid-input', 'project-role-alone', '`projectRole` needs a `project`.');
  }
  const { id } = await requireProject(tx, caller.tenantId, input.project);
  return { id, role: input.projectRole ?? 'contributor' };
};
