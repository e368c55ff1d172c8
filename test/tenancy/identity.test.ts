import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RefreshRotation } from '@tempera/platform';
import { asSuperuser } from '../support/cluster.js';
import { openTestDatabase, type TestDatabase } from '../support/database.js';
import { makeOperator, makePerson, makeProject, makeTenant, type Person } from '../support/people.js';

const sha256 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(createHash('sha256').update(text).digest());
const secret = (): string => randomBytes(32).toString('base64url');
const day = 86_400;

describe('sessions, codes and tokens', () => {
  let database: TestDatabase;
  let operatorId: string;
  let owner: Person;

  beforeAll(async () => {
    database = await openTestDatabase();
    operatorId = await makeOperator(database);
    ({ owner } = await makeTenant(database.doors, operatorId));
  });
  afterAll(() => database.close());

  /** A session with a refresh token we know, opened by a code its user made for another device. */
  const openSession = async (person: Person): Promise<{ token: string; sessionId: string }> => {
    const [code, token] = [secret(), secret()];
    await database.doors.asTenant(person, (tx) =>
      tx.invitation.createMany({
        data: {
          tenantId: person.tenantId,
          displayName: person.name,
          role: person.tenantRole,
          userId: person.userId,
          invitedBy: person.userId,
          codeHash: sha256(code),
          expiresAt: new Date(Date.now() + 60_000),
        },
      }),
    );
    const opened = await database.doors.asSystem.redeemInvite({
      codeHash: sha256(code),
      client: 'laptop',
      refreshHash: sha256(token),
      keyId: 'k1',
      idleSeconds: 30 * day,
      absoluteSeconds: 90 * day,
    });
    expect(opened).toMatchObject({ userId: person.userId, tenantRole: person.tenantRole });
    return { token, sessionId: opened?.sessionId ?? '' };
  };
  const childOf = (token: string): string => createHash('sha256').update(`child of ${token}`).digest('base64url');
  const rotate = (token: string, child = childOf(token)): Promise<RefreshRotation | null> =>
    database.doors.asSystem.rotateRefresh({
      parentHash: sha256(token),
      childHash: sha256(child),
      keyId: 'k2',
      idleSeconds: 30 * day,
    });
  const check = (person: Person, sessionId: string, generation: number): Promise<unknown> =>
    database.doors.asSystem.checkSession({ tenantId: person.tenantId, userId: person.userId, sessionId, generation });

  it('give twenty parallel refreshes of one token the same child, and count one step', async () => {
    const { token } = await openSession(owner);
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(token)));
    expect(answers.filter((answer) => answer?.status === 'rotated')).toHaveLength(1);
    expect(answers.filter((answer) => answer?.status === 'repeated')).toHaveLength(19);
    expect(new Set(answers.map((answer) => answer?.generation))).toEqual(new Set([1]));
  });

  it('repeat a child whose answer was lost, until it is used', async () => {
    const { token } = await openSession(owner);
    expect(await rotate(token)).toMatchObject({ status: 'rotated', generation: 1 });
    expect(await rotate(token)).toMatchObject({ status: 'repeated', generation: 1 });
    expect(await database.doors.asSystem.findRefresh(sha256(childOf(token)))).toMatchObject({
      generation: 1,
      keyId: 'k2',
    });
    expect(await rotate(childOf(token))).toMatchObject({ status: 'rotated', generation: 2 });
  });

  it('refuse a repeated child that another key derived', async () => {
    const { token } = await openSession(owner);
    await rotate(token);
    expect(await rotate(token, secret())).toMatchObject({ status: 'refused' });
  });

  it('kill the family when a token two generations old comes back', async () => {
    const { token, sessionId } = await openSession(owner);
    await rotate(token);
    await rotate(childOf(token));
    expect(await rotate(token)).toMatchObject({ status: 'reused' });
    expect(await rotate(childOf(childOf(token)))).toMatchObject({ status: 'refused' });
    expect(await check(owner, sessionId, 2)).toBeNull();
    const audit = await database.doors.asTenant(owner, (tx) =>
      tx.audit.findMany({ where: { action: 'session.reuse', subjectId: sessionId } }),
    );
    expect(audit).toHaveLength(1);
  });

  it('kill the family when a parent comes back after an access token of its child was used', async () => {
    const { token, sessionId } = await openSession(owner);
    await rotate(token);
    expect(await check(owner, sessionId, 1)).toEqual({ tenantRole: 'owner', sessionKind: 'login', scopes: null });
    expect(await rotate(token)).toMatchObject({ status: 'reused' });
  });

  it('know nothing of a token that was never issued', async () => {
    expect(await rotate(secret())).toBeNull();
    expect(await database.doors.asSystem.findRefresh(sha256(secret()))).toBeNull();
    expect(await database.doors.asSystem.findPat(sha256(secret()))).toBeNull();
    expect(await database.doors.asSystem.findInvite(sha256(secret()))).toBeNull();
    expect(await database.doors.asSystem.redeemOperatorCode(sha256(secret()))).toBeNull();
  });

  it('let a session check pass only for its own user, tenant and generations', async () => {
    const { sessionId } = await openSession(owner);
    const other = await makePerson(database.doors, owner, 'Bo');
    expect(await check(owner, sessionId, 0)).toEqual({ tenantRole: 'owner', sessionKind: 'login', scopes: null });
    expect(await check(other, sessionId, 0)).toBeNull();
    expect(await check({ ...owner, tenantId: randomUUID() }, sessionId, 0)).toBeNull();
    expect(await check(owner, sessionId, 1)).toBeNull();
    expect(await check(owner, sessionId, -1)).toBeNull();
  });

  it('end a session at once when it is revoked, its user removed or its tenant suspended', async () => {
    const { tenantId, owner: boss } = await makeTenant(database.doors, operatorId, 'Brief');
    const person = await makePerson(database.doors, boss, 'Cy');
    const { sessionId } = await openSession(person);
    await database.doors.asTenant(person, (tx) =>
      tx.loginSession.updateMany({ where: { id: sessionId }, data: { revokedAt: new Date() } }),
    );
    expect(await check(person, sessionId, 0)).toBeNull();
    expect(await check(person, person.sessionId, 0)).not.toBeNull();
    await database.doors.asTenant(boss, (tx) =>
      tx.appUser.updateMany({ where: { tenantId, id: person.userId }, data: { status: 'removed' } }),
    );
    expect(await check(person, person.sessionId, 0)).toBeNull();
    await database.doors.asOperator(operatorId, (tx) =>
      tx.tenant.updateMany({ where: { id: tenantId }, data: { status: 'suspended' } }),
    );
    expect(await check(boss, boss.sessionId, 0)).toBeNull();
  });

  it('accept a code once, however many use it at the same time', async () => {
    const code = secret();
    await database.doors.asTenant(owner, (tx) =>
      tx.invitation.createMany({
        data: {
          tenantId: owner.tenantId,
          displayName: 'Di',
          role: 'member',
          invitedBy: owner.userId,
          codeHash: sha256(code),
          expiresAt: new Date(Date.now() + 60_000),
        },
      }),
    );
    const redeem = (): Promise<unknown> =>
      database.doors.asSystem.redeemInvite({
        codeHash: sha256(code),
        client: 'x',
        refreshHash: sha256(secret()),
        keyId: 'k1',
        idleSeconds: day,
        absoluteSeconds: day,
      });
    const answers = await Promise.all([redeem(), redeem(), redeem(), redeem()]);
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    const joined = await database.doors.asTenant(owner, (tx) => tx.appUser.count({ where: { displayName: 'Di' } }));
    expect(joined).toBe(1);
  });

  it('refuse an invitation by a member, and by an admin above his own role or for another user', async () => {
    const admin = await makePerson(database.doors, owner, 'Ed', { tenantRole: 'admin' });
    const member = await makePerson(database.doors, owner, 'Fay');
    const invite = (by: Person, role: string, userId?: string): Promise<unknown> =>
      database.doors.asTenant(by, (tx) =>
        tx.invitation.createMany({
          data: {
            tenantId: by.tenantId,
            displayName: 'x',
            role,
            invitedBy: by.userId,
            codeHash: sha256(secret()),
            expiresAt: new Date(),
            ...(userId === undefined ? {} : { userId }),
          },
        }),
      );
    await expect(invite(member, 'member')).rejects.toThrow();
    await expect(invite(admin, 'owner')).rejects.toThrow();
    await expect(invite(admin, 'member', member.userId)).rejects.toThrow();
    await expect(invite(admin, 'admin')).resolves.toEqual({ count: 1 });
  });

  it('find a personal token with its role and scopes until it is revoked', async () => {
    const token = secret();
    const tokenId = randomUUID();
    const { tenantId, userId, sessionId } = owner;
    const expiresAt = new Date(Date.now() + 60_000);
    await database.doors.asTenant(owner, (tx) =>
      tx.accessToken.createMany({
        data: {
          tenantId,
          id: tokenId,
          userId,
          sessionId,
          name: 'ci',
          tokenPrefix: 'x',
          tokenHash: sha256(token),
          scopes: ['read'],
          expiresAt,
        },
      }),
    );
    expect(await database.doors.asSystem.findPat(sha256(token))).toEqual({
      tenantId,
      userId,
      sessionId,
      tokenId,
      scopes: ['read'],
      tenantRole: 'owner',
    });
    await database.doors.asTenant(owner, (tx) =>
      tx.accessToken.updateMany({ where: { id: tokenId }, data: { revokedAt: new Date() } }),
    );
    expect(await database.doors.asSystem.findPat(sha256(token))).toBeNull();
  });

  it('tell the scopes of a machine at each check, and nothing once its token is revoked or too old', async () => {
    const { tenantId, userId } = owner;
    const [sessionId, tokenId] = [randomUUID(), randomUUID()];
    const expiresAt = new Date(Date.now() + 60_000);
    await database.doors.asTenant(owner, async (tx) => {
      await tx.$executeRaw`insert into login_session (tenant_id, id, user_id, kind, expires_at)
        values (${tenantId}::uuid, ${sessionId}::uuid, ${userId}::uuid, 'token', ${expiresAt})`;
      const row = { tenantId, id: tokenId, userId, sessionId, name: 'ci', tokenPrefix: 'x', expiresAt };
      await tx.accessToken.createMany({ data: [{ ...row, tokenHash: sha256(secret()), scopes: ['read', 'admin'] }] });
    });
    expect(await check(owner, sessionId, 0)).toMatchObject({ sessionKind: 'token', scopes: ['read', 'admin'] });
    const change = (sql: string): Promise<unknown> =>
      asSuperuser(database.adminUrl, (client) =>
        client.query(`update access_token set ${sql} where id = $1`, [tokenId]),
      );
    await change(`expires_at = now()`);
    expect(await check(owner, sessionId, 0)).toBeNull();
    await change(`expires_at = now() + interval '1 day', revoked_at = now()`);
    expect(await check(owner, sessionId, 0)).toBeNull();
    await expect(change(`scopes = '{}'`)).rejects.toThrow();
    await expect(change(`scopes = '{root}'`)).rejects.toThrow();
  });

  it('make a tenant with its schedule, its word to the worker and the head of its audit, for an operator only', async () => {
    const { tenantId, owner: boss } = await makeTenant(database.doors, operatorId, 'Fresh');
    const rows = await asSuperuser(database.adminUrl, (client) =>
      client.query(
        `select (select count(*)::int from schedule where tenant_id = $1) as schedules,
           (select count(*)::int from outbox where tenant_id = $1 and kind = 'schedule.changed' and subject_id = $1) as words,
           (select action from audit where tenant_id = $1 and seq = 1) as head`,
        [tenantId],
      ),
    );
    expect(rows.rows).toEqual([{ schedules: 1, words: 1, head: 'tenant.created' }]);
    await expect(makeTenant(database.doors, boss.userId, 'Stolen')).rejects.toThrow();
    expect(await database.doors.asSystem.checkOperator(operatorId)).toBe(true);
    expect(await database.doors.asSystem.checkOperator(boss.userId)).toBe(false);
  });

  it('keep one owner, whoever steps down', async () => {
    const { tenantId, owner: boss } = await makeTenant(database.doors, operatorId, 'Solo');
    const stepDown = (person: Person): Promise<unknown> =>
      database.doors.asTenant(person, (tx) =>
        tx.appUser.updateMany({ where: { tenantId, id: person.userId }, data: { role: 'admin' } }),
      );
    await expect(stepDown(boss)).rejects.toMatchObject({ kind: 'conflict', code: 'last-owner' });
    const second = await makePerson(database.doors, boss, 'Gus', { tenantRole: 'owner' });
    const both = await Promise.allSettled([stepDown(boss), stepDown(second)]);
    expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('make the maker of a project its maintainer, and show names but no addresses of colleagues', async () => {
    const projectId = await makeProject(database.doors, owner, 'rocket');
    const member = await makePerson(database.doors, owner, 'Hal', { projectId });
    const memberships = await database.doors.asTenant(member, (tx) => tx.membership.findMany({ where: { projectId } }));
    expect(Object.fromEntries(memberships.map((row) => [row.userId, row.role]))).toEqual({
      [owner.userId]: 'maintainer',
      [member.userId]: 'contributor',
    });
    const [names, users] = await database.doors.asTenant(member, async (tx) => [
      await tx.$queryRaw<{ name: string }[]>`select display_name as name from display_names(${[owner.userId]}::uuid[])`,
      await tx.appUser.findMany({ where: { id: owner.userId } }),
    ]);
    expect(names).toEqual([{ name: owner.name }]);
    expect(users).toEqual([]);
  });
});
