import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  appendAudit,
  type Doors,
  findLoginSession,
  hashSecret,
  insertLoginIdentity,
  isUniqueViolation,
  type KeyRing,
  type KnownTenant,
  newSecret,
  type OidcPurpose,
  type ProviderIdentity,
  type SessionIds,
} from '@tempera/platform';
import { asId, type TenantId, type UserId } from '@tempera/core';
import { createHmac, randomUUID } from 'node:crypto';
import { type Clock, CLOCK, DOORS, KEYS } from '../platform/platform.tokens.js';
import { BROWSER_LIFE_SECONDS } from '../web/browser-sessions.js';
import { type OidcChecks, OidcClient } from './oidc-client.js';
import { proofOf, readProof } from './tenant-choice.js';

/** How long somebody may take at the provider. */
export const FLOW_LIFE_SECONDS = 600;
const MAX_SECRET_LENGTH = 200;

/** What came of a flow: a browser's session to keep, a link that was made, or a tenant to choose. */
export type OidcOutcome =
  | { readonly kind: 'opened'; readonly browserSecret: string }
  | { readonly kind: 'linked' }
  | { readonly kind: 'choose'; readonly proof: string; readonly tenants: readonly KnownTenant[] };

const unknownIdentity = (): AppError =>
  new AppError(
    'unauthenticated',
    'identity-unknown',
    'Nobody here is known by this sign-in. Accept an invitation with it, or sign in with a code and link it.',
  );
const flowOver = (): AppError =>
  new AppError('unauthenticated', 'flow-over', 'This sign-in took too long, or was finished already; start again.');
const identityTaken = (): AppError =>
  new AppError('conflict', 'identity-taken', 'This sign-in belongs to somebody in this tenant already.');

/** Everything that ties answer to question derives from one secret, which only the browser that asked holds. */
const checksOf = (secret: string): OidcChecks => {
  const derive = (label: string): string => createHmac('sha256', secret).update(label).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
};

/** Ways to the provider and back; each is gone once. */
@Injectable()
export class OidcFlowsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(KEYS) private readonly keys: KeyRing,
    private readonly client: OidcClient,
  ) {}

  /** @returns where to send the browser, and the secret that its cookie keeps meanwhile */
  async start(why: OidcPurpose, address: string): Promise<{ readonly location: string; readonly secret: string }> {
    const secret = newSecret('browser');
    const checks = checksOf(secret);
    const location = await this.client.address(checks);
    const stateHash = hashSecret(checks.state);
    const isStarted = await this.doors.asSystem.startOidcFlow({
      stateHash,
      address,
      lifeSeconds: FLOW_LIFE_SECONDS,
      why,
    });
    if (isStarted) return { location, secret };
    throw new AppError('limit-exceeded', 'too-many-sign-ins', 'Too many sign-ins are on their way; try again later.', {
      details: { limit: 'sign-ins', retryAfterSeconds: FLOW_LIFE_SECONDS },
    });
  }

  /**
   * @param secret of the browser's cookie
   * @param search the query that the browser brought back from the provider
   * @throws AppError `unauthenticated`, `conflict`, `unavailable`
   */
  async finish(secret: string | null, search: string, client: string): Promise<OidcOutcome> {
    if (secret === null || secret.length > MAX_SECRET_LENGTH) throw flowOver();
    const checks = checksOf(secret);
    if (new URLSearchParams(search).get('state') !== checks.state) throw flowOver();
    // Ended before anything else: whatever comes of it, this state is good no more.
    const why = await this.doors.asSystem.takeOidcFlow(hashSecret(checks.state));
    if (why === null) throw flowOver();
    const identity = await this.client.identify(search, checks);
    if (why.purpose === 'link') return this.link(why, identity);
    if (why.purpose === 'invitation') return this.redeem(why.codeHash, identity, client);
    const tenants = await this.doors.asSystem.findIdentities(identity);
    const [only] = tenants;
    if (only === undefined) throw unknownIdentity();
    if (tenants.length === 1) return this.open(identity, only.tenantId, client);
    return { kind: 'choose', tenants, proof: proofOf(this.keys.set, identity, secret, this.clock.now()) };
  }

  /** After a choice of tenants. @throws AppError `unauthenticated` */
  choose(secret: string | null, proof: string, tenantId: string | null, client: string): Promise<OidcOutcome> {
    const identity = readProof(this.keys.set, proof, secret ?? '', this.clock.now());
    if (tenantId === null) throw unknownIdentity();
    return this.open(identity, tenantId, client);
  }

  private async open(identity: ProviderIdentity, tenantId: string, client: string): Promise<OidcOutcome> {
    const browserSecret = newSecret('browser');
    const keyHash = hashSecret(browserSecret);
    const input = { ...identity, tenantId, client, keyHash, lifeSeconds: BROWSER_LIFE_SECONDS };
    if ((await this.doors.asSystem.openByIdentity(input)) === null) throw unknownIdentity();
    return { kind: 'opened', browserSecret };
  }

  private async redeem(codeHash: Uint8Array, identity: ProviderIdentity, client: string): Promise<OidcOutcome> {
    const browserSecret = newSecret('browser');
    const keyHash = hashSecret(browserSecret);
    const input = { ...identity, codeHash, client, keyHash, lifeSeconds: BROWSER_LIFE_SECONDS };
    const redeemed = await this.doors.asSystem.redeemWithIdentity(input).catch((error: unknown) => {
      throw isUniqueViolation(error) ? identityTaken() : error;
    });
    if (redeemed === null) {
      const message = 'This code is unknown, used or too old; ask for a new one.';
      throw new AppError('unauthenticated', 'code-refused', message);
    }
    return { kind: 'opened', browserSecret };
  }

  /** Only while the browser's session that asked for it lives: whoever ended it meanwhile did not want this. */
  private async link(ids: SessionIds, identity: ProviderIdentity): Promise<OidcOutcome> {
    const [tenantId, userId] = [asId<TenantId>(ids.tenantId), asId<UserId>(ids.userId)];
    const now = this.clock.now();
    const row = { ...identity, id: randomUUID(), userId, createdAt: now };
    const work = this.doors.asTenant({ tenantId, userId }, async (tx) => {
      const session = await findLoginSession(tx, tenantId, ids.sessionId);
      if (session === null || session.revokedAt !== null || session.expiresAt <= now) throw flowOver();
      await insertLoginIdentity(tx, tenantId, row);
      await appendAudit(tx, { action: 'identity.linked', subjectKind: 'identity', subjectId: row.id });
    });
    await work.catch((error: unknown) => {
      throw isUniqueViolation(error) ? identityTaken() : error;
    });
    return { kind: 'linked' };
  }
}
