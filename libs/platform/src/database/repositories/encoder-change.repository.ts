import type { TenantId } from '@tempera/core';
import { ENCODER_CARDS, ENCODER_NAMES, STANDARD_ENCODERS } from '../../embedding/exports.js';
import type { Tx } from '../context.js';

export const ENCODER_CHANGE_STATUSES = [
  'memories',
  'questions',
  'switching',
  'linking',
  'kept',
  'dropping',
  'completed',
  'cancelling',
  'cancelled',
] as const;
export type EncoderChangeStatus = (typeof ENCODER_CHANGE_STATUSES)[number];

/** A change of one of the tenant's encoders. */
export interface EncoderChange {
  readonly id: string;
  readonly fromEncoder: string;
  readonly toEncoder: string;
  readonly status: EncoderChangeStatus;
  readonly keepDays: number;
  /** What only a person can give: the index of a tenant with a partition of its own. */
  readonly waitsFor: 'partition' | null;
  /** As counted at the switch; 0 before it. */
  readonly memories: number;
  readonly setAside: number;
  readonly questionsLost: number;
  readonly requestedAt: Date;
  readonly switchedAt: Date | null;
  readonly keepUntil: Date | null;
  readonly finishedAt: Date | null;
}

/** Numbers over the whole tenant. */
export interface EncoderFigures {
  /** That the old encoder reads. */
  readonly memories: number;
  /** Of those, read by the new one already. */
  readonly done: number;
  /** Vectors of the old encoder: a long text has several. */
  readonly parts: number;
  readonly setAside: number;
  /** Questions of votes whose words are there. */
  readonly questions: number;
  readonly questionsDone: number;
  /** Those whose words are gone: their votes go on counting, but no longer for questions like them. */
  readonly questionsLost: number;
}

export interface NewEncoderChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Of the new encoder's card. */
  readonly edge: number;
  readonly cluster: number;
  readonly keepDays: number;
}

/** Latest first, at most 50. */
export const listEncoderChanges = (tx: Tx, tenantId: TenantId): Promise<EncoderChange[]> =>
  tx.$queryRaw<EncoderChange[]>`
    select id, from_encoder as "fromEncoder", to_encoder as "toEncoder", status, keep_days as "keepDays",
      waits_for as "waitsFor", memories::float8, set_aside::float8 as "setAside", questions_lost::float8 as "questionsLost",
      requested_at as "requestedAt", switched_at as "switchedAt", keep_until as "keepUntil", finished_at as "finishedAt"
    from encoder_change where tenant_id = ${tenantId}::uuid order by requested_at desc, id limit 50`;

/**
 * As an admin. @returns null where the tenant's encoder is another one than `from`
 * @throws a refusal of the database for who may not, and a unique violation while a change is under way
 */
export const startEncoderChange = async (
  tx: Tx,
  { name, from, to, edge, cluster, keepDays }: NewEncoderChange,
): Promise<string | null> => {
  const [row] = await tx.$queryRaw<{ id: string | null }[]>`
    select start_encoder_change(${name}, ${from}, ${to}, ${edge}::float8, ${cluster}::float8, ${keepDays}::int) as id`;
  return row?.id ?? null;
};

/** As an admin. @throws a refusal of the database for who may not */
export const cancelEncoderChange = async (tx: Tx, id: string): Promise<'cancelled' | 'missing' | 'switched'> => {
  const [row] = await tx.$queryRaw<{ answer: 'cancelled' | 'missing' | 'switched' }[]>`
    select cancel_encoder_change(${id}::uuid) as answer`;
  return row?.answer ?? 'missing';
};

/** As an admin. @param since what was set aside before does not count. @throws a refusal of the database for who may not */
export const encoderFigures = async (
  tx: Tx,
  { from, to, since }: { readonly from: string; readonly to: string; readonly since: Date },
): Promise<EncoderFigures> => {
  const [row] = await tx.$queryRaw<EncoderFigures[]>`
    select memories::float8, done::float8, parts::float8, set_aside::float8 as "setAside", questions::float8,
      questions_done::float8 as "questionsDone", questions_lost::float8 as "questionsLost"
    from encoder_figures(${from}, ${to}, ${since}::timestamptz)`;
  if (row === undefined) throw new Error('The figures are one row.');
  return row;
};

/** What became of one batch: `wait` while others have enough to do, `over` when there is nothing to move on. */
export type EncoderChangeStep = 'more' | 'wait' | 'over';

/** Of the worker: moves the tenant's change on by a batch. */
export const advanceEncoderChange = async (tx: Tx, rows: number): Promise<EncoderChangeStep> => {
  const standard = Object.values(STANDARD_ENCODERS);
  const edges = ENCODER_NAMES.map((name) => ENCODER_CARDS[name].thresholds.edge.cosine);
  const [row] = await tx.$queryRaw<{ step: EncoderChangeStep }[]>`
    select advance_encoder_change(${rows}::int, ${standard}::text[], ${edges}::float8[]) as step`;
  return row?.step ?? 'over';
};
