import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { isAppError } from '@tempera/client-kit';
import { asId, type ProjectId, type TenantId, type UserId } from '@tempera/core';
import {
  decideFact,
  type Doors,
  holdWaitingFact,
  listWaitingFacts,
  readSettings,
  readWaitingOwner,
  type WaitingFact,
} from '@tempera/platform';
import { isInputObjectType } from 'graphql';
import type { Caller } from '../auth/caller.js';
import type { CaptureInput } from '../memories/capture.input.js';
import { CaptureService } from '../memories/capture.service.js';
import { storeCapture } from '../memories/store-capture.js';
import { type Clock, CLOCK, DOORS } from '../platform/platform.tokens.js';
import { redactValue } from '../redaction/redact-arguments.js';
import { captureOf, isOutOfPlace, placesOf } from './fact-capture.js';

const BATCH = 20;
/** What was refused for what it is stays refused. */
const CALLERS_FAULT = new Set(['invalid-input', 'forbidden', 'not-found', 'conflict']);

/** Makes memories of what was distilled, in its owner's name and by the way of every capture. */
@Injectable()
export class DistilledFactsService {
  constructor(
    @Inject(DOORS) private readonly doors: Doors,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly captures: CaptureService,
    private readonly modules: ModuleRef,
  ) {}

  /** Keeps what waits of a conversation. @throws what may go better later, such as a quota that is used up */
  async keep(tenantId: string, conversationId: string): Promise<void> {
    const userId = await this.doors.asText(tenantId, (tx) => readWaitingOwner(tx, tenantId, conversationId));
    if (userId === null) return;
    const caller = {
      tenantId: asId<TenantId>(tenantId),
      userId: asId<UserId>(userId),
      sessionId: conversationId,
      scopes: null,
    };
    for (;;) {
      const facts = await this.doors.asTenant(caller, (tx) => listWaitingFacts(tx, tenantId, conversationId, BATCH));
      for (const fact of facts) await this.keepOne(caller, fact);
      if (facts.length < BATCH) return;
    }
  }

  private async keepOne(caller: Caller, fact: WaitingFact): Promise<void> {
    const projectId = fact.projectId === null ? null : asId<ProjectId>(fact.projectId);
    const { storage } = await this.doors.asTenant(caller, (tx) => readSettings(tx, caller.tenantId, projectId));
    for (const place of placesOf(fact, storage.captureScope)) {
      try {
        return await this.capture(caller, fact, this.redacted(captureOf(fact, place)));
      } catch (error) {
        if (isOutOfPlace(error)) continue;
        if (error instanceof DecidedMeanwhile) return;
        if (!isAppError(error) || !CALLERS_FAULT.has(error.kind)) throw error;
        return this.refuse(caller, fact, error.code);
      }
    }
    return this.refuse(caller, fact, 'not-allowed');
  }

  /** The memory and the note of it are one transaction, so that a fact becomes one memory however often this is tried. */
  private async capture(caller: Caller, fact: WaitingFact, input: CaptureInput): Promise<void> {
    const { tenantId } = caller;
    await this.captures.take(caller, input, async (tx, request) => {
      if (!(await holdWaitingFact(tx, tenantId, fact.id))) throw new DecidedMeanwhile();
      const outcome = await storeCapture(tx, request);
      const reason = outcome.status === 'repeated' ? 'already-known' : null;
      await decideFact(tx, { tenantId, id: fact.id, memoryId: outcome.record.id, reason, at: request.now });
      return outcome;
    });
  }

  private refuse(caller: Caller, { id }: WaitingFact, reason: string): Promise<void> {
    const { tenantId } = caller;
    const decision = { tenantId, id, memoryId: null, reason, at: this.clock.now() };
    return this.doors.asTenant(caller, (tx) => decideFact(tx, decision));
  }

  /** The boundary that every capture passes; the schema that draws it is made after this service. */
  private redacted(input: CaptureInput): CaptureInput {
    const { schema } = this.modules.get(GraphQLSchemaHost, { strict: false });
    const type = schema.getType('CaptureInput');
    if (!isInputObjectType(type)) throw new Error('The schema has no CaptureInput.');
    return redactValue(input, type, 'CaptureInput').value as CaptureInput;
  }
}

/** Another process has kept the fact. */
class DecidedMeanwhile extends Error {}
