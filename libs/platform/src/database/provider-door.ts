import type { DoorRole, Tx } from './context.js';
import type { KnownTenant, OidcPurpose, ProviderDoor, SessionIds } from './entry-functions.js';

type Call = <T>(role: DoorRole, work: (tx: Tx) => Promise<T>) => Promise<T>;

const seconds = (value: number): string => `${value} seconds`;

const flows = (call: Call): Pick<ProviderDoor, 'startOidcFlow' | 'takeOidcFlow'> => ({
  startOidcFlow: ({ stateHash, address, lifeSeconds, why }) =>
    call('mem_app', async (tx) => {
      const codeHash = why.purpose === 'invitation' ? why.codeHash : null;
      const { tenantId, userId, sessionId } =
        why.purpose === 'link' ? why : { tenantId: null, userId: null, sessionId: null };
      const rows = await tx.$queryRaw<{ started: boolean }[]>`
        select start_oidc_flow(${stateHash}, ${why.purpose}, ${address}, ${codeHash}, ${tenantId}::uuid, ${userId}::uuid,
          ${sessionId}::uuid, ${seconds(lifeSeconds)}::interval) as started`;
      return rows[0]?.started ?? false;
    }),
  takeOidcFlow: (stateHash) =>
    call('mem_app', async (tx) => {
      // The table's checks give each purpose its columns.
      const rows = await tx.$queryRaw<OidcPurpose[]>`
        select purpose, code_hash as "codeHash", tenant_id as "tenantId", user_id as "userId", session_id as "sessionId"
        from take_oidc_flow(${stateHash})`;
      return rows[0] ?? null;
    }),
});

const identities = (call: Call): Omit<ProviderDoor, 'startOidcFlow' | 'takeOidcFlow'> => ({
  findIdentities: ({ issuer, subject }) =>
    call(
      'mem_app',
      (tx) => tx.$queryRaw<KnownTenant[]>`
        select tenant_id as "tenantId", tenant_name as "tenantName" from find_identities(${issuer}, ${subject})`,
    ),
  openByIdentity: ({ issuer, subject, tenantId, client, keyHash, lifeSeconds }) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<SessionIds[]>`
        select tenant_id as "tenantId", user_id as "userId", session_id as "sessionId"
        from open_by_identity(${issuer}, ${subject}, ${tenantId}::uuid, ${client}, ${keyHash},
          ${seconds(lifeSeconds)}::interval)`;
      return rows[0] ?? null;
    }),
  redeemWithIdentity: ({ codeHash, issuer, subject, client, keyHash, lifeSeconds }) =>
    call('mem_app', async (tx) => {
      const rows = await tx.$queryRaw<SessionIds[]>`
        select tenant_id as "tenantId", user_id as "userId", session_id as "sessionId"
        from redeem_with_identity(${codeHash}, ${issuer}, ${subject}, ${client}, ${keyHash},
          ${seconds(lifeSeconds)}::interval)`;
      return rows[0] ?? null;
    }),
});

/** The part of the system door that people come in by whom a provider vouched for. */
export const createProviderDoor = (call: Call): ProviderDoor => ({ ...flows(call), ...identities(call) });
