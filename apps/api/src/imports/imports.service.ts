import { Inject, Injectable } from '@nestjs/common';
import { checkAtOnce, type Logger } from '@tempera/platform';
import type { Caller } from '../auth/caller.js';
import { answerFor } from '../graphql/format-error.js';
import { CaptureService } from '../memories/capture.service.js';
import { checkCount, checkOptionalText, checkText, refuse } from '../memories/check-input.js';
import { LOGGER } from '../platform/platform.tokens.js';
import { importOne, type ImportOutcome, type ImportStep } from './import-one.js';
import type { ImportedItem, ImportInput, ImportItemInput, ImportReport } from './import.types.js';

const MAX_ITEMS = 100;
const MAX_RELATED = 100;

/** Ends the transaction of a dry run, which has done everything and keeps nothing. */
class DryRunOver extends Error {}

/** Takes in what people remembered elsewhere, by the way of every capture. */
@Injectable()
export class ImportsService {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly captures: CaptureService,
  ) {}

  /** Each item by itself, in order. @throws AppError for what is wrong with the import as a whole; then nothing was done */
  async import(caller: Caller, { origin: given, items, execute }: ImportInput): Promise<ImportReport> {
    const origin = checkText(given, { name: 'origin', max: 100, oneLine: true });
    checkCount(items, 'items', MAX_ITEMS);
    const done: ImportedItem[] = [];
    for (const item of items) done.push(await this.tryOne(caller, origin, item, execute));
    const count = (status: ImportedItem['status']): number => done.filter((one) => one.status === status).length;
    return {
      items: done,
      ...{ kept: count('kept'), merged: count('merged'), known: count('known'), refused: count('refused') },
    };
  }

  private async tryOne(caller: Caller, origin: string, item: ImportItemInput, execute: boolean): Promise<ImportedItem> {
    const { sourceId } = item;
    try {
      const { status, record, notes } = await this.one(caller, parseStep(origin, item), item, execute);
      const isThere = execute || status !== 'kept';
      return { sourceId, status, memoryId: isThere ? record.id : null, code: null, message: null, notes: [...notes] };
    } catch (error) {
      const { kind, code, message } = answerFor(error);
      if (kind === 'internal') this.logger.error({ err: error }, 'an item of an import failed');
      return { sourceId, status: 'refused', memoryId: null, code, message, notes: [] };
    }
  }

  private async one(
    caller: Caller,
    step: ImportStep,
    { memory }: ImportItemInput,
    execute: boolean,
  ): Promise<ImportOutcome> {
    const outcomes: ImportOutcome[] = [];
    try {
      const input = { ...memory, source: 'import', idempotencyKey: null } as const;
      return await this.captures.take(caller, input, async (tx, request) => {
        const outcome = await importOne(tx, request, step);
        if (execute) return outcome;
        // A quota speaks when a transaction ends.
        await checkAtOnce(tx);
        outcomes.push(outcome);
        throw new DryRunOver('nothing is kept');
      });
    } catch (error) {
      const outcome = outcomes.at(-1);
      if (error instanceof DryRunOver && outcome !== undefined) return outcome;
      throw error;
    }
  }
}

/** @throws AppError `invalid-input` */
const parseStep = (origin: string, item: ImportItemInput): ImportStep => {
  const { state } = item;
  if (state === 'forgotten') throw refuse('import-forgotten', 'What was forgotten is not taken in.');
  const id = (value: string, name: string): string => checkText(value, { name, max: 200, oneLine: true });
  checkCount(item.supersedes, 'supersedes', MAX_RELATED);
  const { supersededBy } = item;
  return {
    origin,
    sourceId: id(item.sourceId, 'sourceId'),
    state,
    stateReason: checkOptionalText(item.stateReason, { name: 'stateReason', max: 1_000 }),
    supersedes: item.supersedes.map((one) => id(one, 'supersedes')),
    supersededBy: supersededBy === null || supersededBy === undefined ? null : id(supersededBy, 'supersededBy'),
  };
};
