import { Inject, Injectable } from '@nestjs/common';
import { type Doors, findProjectBySlug, insertInjection, recordRetrieval, type Tx } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { againIfVanished } from '../retrieval/again-if-vanished.js';
import { QuestionReader, type ReadQuestion } from '../retrieval/question-reader.js';
import { gatherStart, noSections } from './gather-start.js';
import type { SessionStart, StartSessionInput } from './injection.types.js';
import { parseStart, type StartWish } from './parse-injection.js';
import { injectionPlace } from './to-item.js';

/** Tells a session what is worth knowing before anything is asked. */
@Injectable()
export class SessionStartService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly reader: QuestionReader,
  ) {}

  /** @throws AppError `invalid-input`, or `not-found` for a project that is not there for the caller */
  async start(caller: Caller, input: StartSessionInput): Promise<SessionStart> {
    const now = this.clock.now();
    const wish = parseStart(input);
    const start = (read: ReadQuestion | null): Promise<SessionStart> =>
      againIfVanished(() => this.doors.asTenant(caller, (tx) => startOne(tx, { caller, wish, read, now })));
    return wish.subject === null ? start(null) : this.reader.asking(caller, wish.subject, start);
  }
}

interface StartRequest {
  readonly caller: Caller;
  readonly wish: StartWish;
  readonly read: ReadQuestion | null;
  readonly now: Date;
}

const startOne = async (tx: Tx, { caller, wish, read, now }: StartRequest): Promise<SessionStart> => {
  const place = await injectionPlace(tx, caller, wish.projectSlug, wish.sessionKey);
  const project = await findProjectBySlug(tx, caller.tenantId, wish.projectSlug);
  const projectName = project?.name ?? wish.projectSlug;
  if (place === null) return { retrievalId: null, projectName, lastHereAt: null, ...noSections(), leftOut: 0 };
  const { sections, lastHereAt, leftOut, shown } = await gatherStart(tx, { caller, place, wish, read, now });
  const { tenantId, userId, projectId } = place;
  const record = { ...{ tenantId, userId, projectId, now }, ...{ question: null, asOf: null, shown } };
  const retrievalId = shown.length === 0 ? null : await recordRetrieval(tx, { ...record, kind: 'injected' });
  await insertInjection(tx, { ...place, promptKey: null, retrievalId, now });
  return { retrievalId, projectName, lastHereAt, ...sections, leftOut };
};
