import { AppError, type AppErrorKind, isAppError } from '@tempera/client-kit';
import { z } from 'zod';
import { CAPTURE } from '../graphql/operations.js';
import type { ServiceClient } from '../graphql/service-client.js';
import { KEEP_TURNS } from '../graphql/turn-operations.js';
import { keyOf, type SpoolRecord } from './spool-record.js';

/** What became of one record. */
export type Fate =
  | { readonly kept: true }
  | {
      readonly kept: false;
      readonly code: string;
      readonly message: string;
      /** The service failed at it by a fault of its own: a later try may go well. */
      readonly isLater: boolean;
    };

const KEPT: Fate = { kept: true };

const keptShape = z.object({
  kept: z.array(z.object({ key: z.string() })),
  refused: z.array(z.object({ key: z.string(), code: z.string(), message: z.string() })),
});

/** What no later try can change. A refusal of our version is none: after an update the same record is good. */
const FOR_EVER: readonly AppErrorKind[] = ['invalid-input', 'forbidden', 'not-found', 'conflict'];
const isForEver = (error: AppError): boolean => FOR_EVER.includes(error.kind) && error.code !== 'client-version';

/** Codes that say nothing of the turn itself. */
const LATER = /^(?:internal|internal[-_]server[-_]error|unexpected|unavailable|limit[-_]exceeded)$/i;

/** The service failed at this very request; an answer that this version cannot read says nothing of it. */
const isFault = (error: AppError): boolean => error.kind === 'internal' && error.code !== 'versions-differ';

const refusal = (error: AppError, isLater = false): Fate => ({
  kept: false,
  code: error.code,
  message: error.message,
  isLater,
});

type Turn = Extract<SpoolRecord, { kind: 'turn' }>;

const unanswered = (): AppError => new AppError('unavailable', 'unanswered', 'The service did not say what it kept.');

const askToKeep = async (records: readonly Turn[], client: ServiceClient): Promise<Fate[]> => {
  const input = { turns: records.map(({ turn }) => turn) };
  const { kept, refused } = await client.ask(KEEP_TURNS, { input }, 'keepTurns', keptShape, false);
  const known = new Set(kept.map(({ key }) => key));
  return records.map(({ turn }) => {
    const no = refused.find(({ key }) => key === turn.key);
    if (no !== undefined) return { kept: false, code: no.code, message: no.message, isLater: LATER.test(no.code) };
    if (!known.has(turn.key)) throw unanswered();
    return KEPT;
  });
};

/** A project that is gone, or no longer the person's, must not cost the turn: it is kept without one. */
const withoutLostProjects = async (records: readonly Turn[], fates: Fate[], client: ServiceClient): Promise<Fate[]> => {
  const settled: Fate[] = [];
  for (const [at, fate] of fates.entries()) {
    const record = records[at];
    const isLost =
      !fate.kept && /^not[-_]found$/i.test(fate.code) && record !== undefined && record.turn.project !== null;
    if (!isLost) settled.push(fate);
    else settled.push(...(await askToKeep([{ ...record, turn: { ...record.turn, project: null } }], client)));
  }
  return settled;
};

const deliverTurns = async (records: readonly Turn[], client: ServiceClient): Promise<Fate[]> => {
  try {
    return await withoutLostProjects(records, await askToKeep(records, client), client);
  } catch (error) {
    if (!isAppError(error) || !isForEver(error)) throw error;
    // One that cannot be read takes the others of its request with it: then each goes alone.
    if (records.length === 1) return [refusal(error)];
    const fates: Fate[] = [];
    for (const record of records) fates.push(...(await deliverTurns([record], client)));
    return fates;
  }
};

const deliverCapture = async (
  record: Extract<SpoolRecord, { kind: 'capture' }>,
  client: ServiceClient,
): Promise<Fate> => {
  try {
    await client.ask(CAPTURE, { input: record.capture }, 'capture', z.unknown(), false);
    return KEPT;
  } catch (error) {
    if (isAppError(error) && isForEver(error)) return refusal(error);
    if (isAppError(error) && isFault(error)) return refusal(error, true);
    throw error;
  }
};

/**
 * Sends records of one kind and one login, in order.
 *
 * @returns the fate of each
 * @throws AppError for what may go better later: nothing is known of any of them, and all are sent again
 */
export const deliver = async (records: readonly SpoolRecord[], client: ServiceClient): Promise<Fate[]> => {
  const turns = records.filter((record): record is Turn => record.kind === 'turn');
  if (turns.length > 0) return deliverTurns(turns, client);
  const fates: Fate[] = [];
  for (const record of records) if (record.kind === 'capture') fates.push(await deliverCapture(record, client));
  return fates;
};

/** Whether two records may go in one request: turns of one login. */
export const goTogether = (one: SpoolRecord, other: SpoolRecord): boolean =>
  one.kind === 'turn' && other.kind === 'turn' && one.login === other.login && keyOf(one) !== keyOf(other);
