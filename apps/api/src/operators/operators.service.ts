import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import { type Doors, findTenant, hashSecret, isRefused, newSecret } from '@tempera/platform';
import { notLoggedIn, type OperatorCaller } from '../auth/caller.js';
import { TokenIssuer } from '../auth/token-issuer.js';
import { requireText } from '../graphql/require-text.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { requireTimeZone } from '../tenants/require-time-zone.js';
import { INVITATION_LIFE_MS } from '../users/invitation-life.js';
import { optionalEmail } from '../users/optional-email.js';
import type { CreatedTenant, CreateTenantInput, OperatorSession } from './operator.types.js';

/** Running the instance: tenants come and go, their memories are never seen. */
@Injectable()
export class OperatorsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly issuer: TokenIssuer,
  ) {}

  /** @throws AppError `unauthenticated` for a code that is unknown, used or too old */
  async login(code: string): Promise<OperatorSession> {
    const operatorId = code.length > 200 ? null : await this.doors.asSystem.redeemOperatorCode(hashSecret(code.trim()));
    if (operatorId === null) {
      throw new AppError(
        'unauthenticated',
        'code-refused',
        'This code is unknown, used or too old; ask for a new one.',
      );
    }
    const { token, expiresAt } = await this.issuer.forOperator(operatorId);
    return { accessToken: token, expiresAt };
  }

  /** A tenant with its owner's invitation. @throws AppError `invalid-input`, `unauthenticated` */
  async createTenant({ operatorId }: OperatorCaller, input: CreateTenantInput): Promise<CreatedTenant> {
    const name = requireText(input.name, 'name', 200);
    const ownerName = requireText(input.ownerName, 'ownerName', 200);
    const ownerEmail = optionalEmail(input.ownerEmail);
    const timeZone = requireTimeZone(input.timeZone ?? 'UTC');
    const code = newSecret('invitation');
    const expiresAt = new Date(this.clock.now().getTime() + INVITATION_LIFE_MS);
    const created = await this.doors.asSystem
      .createTenant(operatorId, {
        name,
        timeZone,
        ownerName,
        ...(ownerEmail === null ? {} : { ownerEmail }),
        codeHash: hashSecret(code),
        codeSeconds: INVITATION_LIFE_MS / 1000,
      })
      .catch((error: unknown) => {
        // Disabled a moment ago, within the life of the session check.
        throw isRefused(error) ? notLoggedIn() : error;
      });
    const tenant = await this.doors.asOperator(operatorId, (tx) => findTenant(tx, created.tenantId));
    if (tenant === null) throw new Error('A tenant vanished right after it was made.');
    return { tenant, ownerInvitation: { id: created.invitationId, code, expiresAt } };
  }
}
