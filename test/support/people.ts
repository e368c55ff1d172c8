import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Doors, Identity, TenantRole } from '@tempera/platform';
import { asSuperuser } from './cluster.js';
import type { TestDatabase } from './database.js';

/** Role of a user in a project. */
export type ProjectRole = 'maintainer' | 'contributor' | 'reader';

/** A tenant with its owner, joined by the owner's code as in life. */
export interface TestTenant {
  readonly tenantId: string;
  readonly owner: Person;
}

/** A user with a login session. */
export interface Person extends Identity {
  readonly name: string;
  readonly sessionId: string;
  readonly tenantRole: TenantRole;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const secret = (): string => randomBytes(32).toString('base64url');
const day = 86_400;

/** An operator, made as `npm run operator-code` makes one. */
export const makeOperator = async (database: Pick<TestDatabase, 'doors' | 'adminUrl'>): Promise<string> => {
  const code = secret();
  await asSuperuser(database.adminUrl, (client) =>
    client.query(`select create_operator_code('tester', $1, interval '15 minutes')`, [sha256(code)]),
  );
  const operatorId = await database.doors.asSystem.redeemOperatorCode(sha256(code));
  if (operatorId === null) throw new Error('the operator code was not accepted');
  return operatorId;
};

const joinByCode = async (doors: Doors, code: string, name: string): Promise<Person> => {
  const opened = await doors.asSystem.redeemInvite({
    codeHash: sha256(code),
    client: 'test',
    refreshHash: sha256(secret()),
    keyId: 'test',
    idleSeconds: 30 * day,
    absoluteSeconds: 90 * day,
  });
  if (opened === null) throw new Error(`the code of ${name} was not accepted`);
  return { name, ...opened };
};

/** A new tenant with its owner. */
export const makeTenant = async (doors: Doors, operatorId: string, name = 'Acme'): Promise<TestTenant> => {
  const code = secret();
  const { tenantId } = await doors.asSystem.createTenant(operatorId, {
    name,
    timeZone: 'UTC',
    ownerName: `${name} owner`,
    codeHash: sha256(code),
    codeSeconds: 7 * day,
  });
  return { tenantId, owner: await joinByCode(doors, code, `${name} owner`) };
};

/** A new user, invited by `inviter` and joined, with a role in the tenant and perhaps one in a project. */
export const makePerson = async (
  doors: Doors,
  inviter: Identity,
  name: string,
  options: { readonly tenantRole?: TenantRole; readonly projectId?: string; readonly projectRole?: ProjectRole } = {},
): Promise<Person> => {
  const code = secret();
  await doors.asTenant(inviter, (tx) =>
    tx.invitation.createMany({
      data: {
        tenantId: inviter.tenantId,
        displayName: name,
        role: options.tenantRole ?? 'member',
        codeHash: Uint8Array.from(sha256(code)),
        invitedBy: inviter.userId,
        expiresAt: new Date(Date.now() + 7 * day * 1000),
        ...(options.projectId === undefined
          ? {}
          : { projectId: options.projectId, projectRole: options.projectRole ?? 'contributor' }),
      },
    }),
  );
  return joinByCode(doors, code, name);
};

/** A new project; its maker becomes its maintainer. */
export const makeProject = async (doors: Doors, maker: Identity, slug: string): Promise<string> => {
  const id = randomUUID();
  await doors.asTenant(maker, (tx) =>
    tx.project.createMany({
      data: { tenantId: maker.tenantId, id, slug, name: slug, createdBy: maker.userId },
    }),
  );
  return id;
};

/** Puts a user into a project, by someone who may. */
export const addMember = (
  doors: Doors,
  by: Identity,
  projectId: string,
  userId: string,
  role: ProjectRole = 'contributor',
): Promise<unknown> =>
  doors.asTenant(by, (tx) => tx.membership.createMany({ data: { tenantId: by.tenantId, projectId, userId, role } }));
