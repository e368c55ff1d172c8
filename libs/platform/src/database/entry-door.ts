import type { DoorRole, Tx } from './context.js';
import type { DeviceAnswer, EntryDoor, SessionIds, WaitingDevice } from './entry-functions.js';
import { createProviderDoor } from './provider-door.js';

type Call = <T>(role: DoorRole, work: (tx: Tx) => Promise<T>) => Promise<T>;

const seconds = (value: number): string => `${value} seconds`;

const browsers = (call: Call): Pick<EntryDoor, 'redeemInBrowser' | 'findBrowser'> => ({
  redeemInBrowser: ({ codeHash, client, keyHash, lifeSeconds }) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<SessionIds[]>`
        select tenant_id as "tenantId", user_id as "userId", session_id as "sessionId"
        from redeem_in_browser(${codeHash}, ${client}, ${keyHash}, ${seconds(lifeSeconds)}::interval)`;
      return rows[0] ?? null;
    }),
  findBrowser: (keyHash) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<SessionIds[]>`
        select tenant_id as "tenantId", user_id as "userId", session_id as "sessionId" from find_browser(${keyHash})`;
      return rows[0] ?? null;
    }),
});

const devices = (call: Call): Pick<EntryDoor, 'createDeviceCode' | 'findDeviceCode' | 'redeemDeviceCode'> => ({
  createDeviceCode: ({ deviceHash, userHash, client, address, lifeSeconds }) =>
    call('mem_app', async (tx) => {
      const [row] = await tx.$queryRaw<{ outcome: 'made' | 'taken' | 'full' }[]>`
        select create_device_code(${deviceHash}, ${userHash}, ${client}, ${address},
          ${seconds(lifeSeconds)}::interval) as outcome`;
      if (!row) throw new Error('create_device_code returned no row');
      return row.outcome;
    }),
  findDeviceCode: (userHashes) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<WaitingDevice[]>`
        select id, client, address, created_at as "createdAt", expires_at as "expiresAt"
        from find_device_code(${userHashes.map((hash) => Buffer.from(hash))}::bytea[])`;
      return rows[0] ?? null;
    }),
  redeemDeviceCode: ({ deviceHash, refreshHash, keyId, idleSeconds, absoluteSeconds }) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<DeviceAnswer[]>`
        select status, tenant_id as "tenantId", user_id as "userId", session_id as "sessionId"
        from redeem_device_code(${deviceHash}, ${refreshHash}, ${keyId}, ${seconds(idleSeconds)}::interval,
          ${seconds(absoluteSeconds)}::interval)`;
      return rows[0] ?? null;
    }),
});

/** The part of the system door that browsers and devices come in by. */
export const createEntryDoor = (call: Call): EntryDoor => ({
  ...browsers(call),
  ...devices(call),
  ...createProviderDoor(call),
});
