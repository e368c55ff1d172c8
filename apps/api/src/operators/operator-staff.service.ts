import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@tempera/client-kit';
import {
  disableOperator,
  type Doors,
  hashSecret,
  inviteOperator,
  listOperators,
  newSecret,
  type OperatorRecord,
} from '@tempera/platform';
import type { OperatorCaller } from '../auth/caller.js';
import { SessionCheck } from '../auth/session-check.js';
import { parseUuid } from '../graphql/ids.js';
import { requireText } from '../graphql/require-text.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { insideOperatorDoor } from './inside-operator-door.js';
import type { OperatorCode } from './operator.types.js';

/** Long enough to hand over; an operator's code opens the whole instance. */
const CODE_LIFE_MS = 15 * 60_000;

const noSuchOperator = (): AppError => new AppError('not-found', 'no-such-operator', 'No such operator.');

/** Who runs the instance. */
@Injectable()
export class OperatorStaffService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly sessions: SessionCheck,
  ) {}

  list(operator: OperatorCaller): Promise<OperatorRecord[]> {
    return insideOperatorDoor(this.doors, operator, listOperators);
  }

  /**
   * A one-time code for a further operator, or with one's own name for oneself.
   * @throws AppError `conflict` for the name of another operator
   */
  async createCode(operator: OperatorCaller, givenName: string): Promise<OperatorCode> {
    const name = requireText(givenName, 'name', 200);
    const code = newSecret('operator');
    const expiresAt = new Date(this.clock.now().getTime() + CODE_LIFE_MS);
    const operatorId = await insideOperatorDoor(this.doors, operator, (tx) =>
      inviteOperator(tx, { name, codeHash: hashSecret(code), codeSeconds: CODE_LIFE_MS / 1000 }),
    );
    if (operatorId === null) {
      throw new AppError('conflict', 'operator-taken', 'Another operator has that name; each makes their own codes.');
    }
    return { operatorId, code, expiresAt };
  }

  /** Keeps an operator out within five seconds, for good. @throws AppError `conflict` for the last one */
  async disable(operator: OperatorCaller, id: string): Promise<OperatorRecord> {
    const operatorId = parseUuid(id);
    if (operatorId === null) throw noSuchOperator();
    const disabled = await insideOperatorDoor(this.doors, operator, async (tx) => {
      // Read before: whoever disables themself may read nothing afterwards.
      const found = (await listOperators(tx)).find((one) => one.id === operatorId);
      const outcome = await disableOperator(tx, operatorId);
      if (outcome === 'last') {
        throw new AppError('conflict', 'last-operator', 'An instance keeps one operator who has logged in.');
      }
      if (outcome === 'missing' || found === undefined) throw noSuchOperator();
      return { ...found, disabledAt: this.clock.now() };
    });
    this.sessions.forget();
    return disabled;
  }
}
